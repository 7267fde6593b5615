"""Recorded traffic through the command: what comes out is what the library answers, line by line, and every loss is in the file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli_bodies import invoke
from wire.corpus import present, recordings

from chatadt.convert import convert
from chatadt.loss import Policy

OTHER = {"openai_chat": "anthropic", "anthropic": "openai_chat"}


@present
@pytest.mark.parametrize("source", OTHER)
@pytest.mark.parametrize("policy", Policy, ids=lambda policy: policy.value)
def test_every_recorded_body_crosses_as_the_library_says(source: str, policy: Policy, tmp_path: Path) -> None:
    bodies = [recording.body for recording in recordings(source, "request")]
    answers = [convert(body, source, OTHER[source], policy=policy).value_or(None) for body in bodies]
    file, losses = tmp_path / "bodies.jsonl", tmp_path / "losses.jsonl"
    file.write_bytes(b"".join(json.dumps(body).encode() + b"\n" for body in bodies))
    options = ("--from", source, "--to", OTHER[source], "--policy", policy.value, "--losses", str(losses))
    result: Any = invoke("convert", *options, str(file))

    written = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
    assert written == [answer.value for answer in answers if answer is not None]
    assert result.exit_code == (None in answers)

    entries = [json.loads(line) for line in losses.read_bytes().split(b"\n")[:-1]]
    lost = {line: len(answer.losses) for line, answer in enumerate(answers, 1) if answer is not None and answer.losses}
    assert Counter(entry["line"] for entry in entries if entry["error"] is None) == lost
    failed = {line for line, answer in enumerate(answers, 1) if answer is None}
    assert {entry["line"] for entry in entries if entry["error"] is not None} == failed
    assert {int(line[5:].partition(":")[0]) for line in result.stderr.split("\n") if line.startswith("line ")} == failed
    assert "chatadt itself failed" not in result.stderr


@present
@pytest.mark.parametrize("source", OTHER)
def test_every_recorded_body_that_can_be_read_is_shown(source: str) -> None:
    bodies = [recording.body for recording in recordings(source, "request")]
    result: Any = invoke("show", "--from", source, input=b"".join(json.dumps(body).encode() + b"\n" for body in bodies))
    assert "chatadt itself failed" not in result.stderr
    shown = result.stdout.count("─ line ")
    refused = sum(line.startswith("line ") for line in result.stderr.split("\n"))
    assert shown + refused == len(bodies)
    assert shown > 0.95 * len(bodies)
