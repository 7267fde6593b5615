"""What the other tests of this folder count on: the traffic is there in full, and its oddities survive the loading."""

from __future__ import annotations

import json
from pathlib import Path

from .corpus import all_bodies, present, read_file, recorded, recordings


@present
def test_the_corpus_is_whole() -> None:
    assert len(recorded("openai_chat", "request")) >= 1500
    assert len(recorded("anthropic", "request")) >= 600
    assert sum(1 for _ in all_bodies()) >= 6800


@present
def test_every_id_stands_for_one_body() -> None:
    ids = [row.id for row in all_bodies()]
    assert len(ids) == len(set(ids))


@present
def test_refused_and_handwritten_bodies_are_left_out_of_the_recorded() -> None:
    left_out = {row.id for row in recordings("openai_chat", "request")} - {row.id for row in recorded("openai_chat", "request")}
    assert left_out
    assert all(
        row.origin == "handwritten" or row.status >= 400 for row in recordings("openai_chat", "request") if row.id in left_out
    )


def test_line_separators_and_lone_surrogates_survive_the_loading(tmp_path: Path) -> None:
    row = {"id": "1", "dialect": "d", "family": "f", "kind": "request", "origin": "recorded", "body": "a\u2028b\x85c\ud83d"}
    text = json.dumps(row).replace(r"\u2028", "\u2028").replace(r"\u0085", "\x85")
    path = tmp_path / "d.request.jsonl"
    path.write_text(f"{text}\n{text}\n", encoding="utf-8", newline="\n")
    assert [each.body for each in read_file(path)] == ["a\u2028b\x85c\ud83d"] * 2
    assert [each.is_recorded for each in read_file(path)] == [True, True]
