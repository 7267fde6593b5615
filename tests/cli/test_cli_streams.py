"""`chatadt convert --kind stream`: an array of events, one a line, or server-sent events; what comes out has the same form."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import pytest
from cli_bodies import invoke

from chatadt import aws_events, ndjson, sse

BASE: Final[dict[str, Any]] = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
CHUNKS: Final[list[dict[str, Any]]] = [
    {**BASE, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hel"}, "finish_reason": None}]},
    {**BASE, "choices": [{"index": 0, "delta": {"content": "lo."}, "finish_reason": None}]},
    {**BASE, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {**BASE, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}},
]
TO_ANTHROPIC: Final = ("convert", "--kind", "stream", "--from", "openai_chat", "--to", "anthropic")
BACK: Final = ("convert", "--kind", "stream", "--from", "anthropic", "--to", "openai_chat")


def lines(events: list[Any]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def text(events: list[Any]) -> str:
    """What a stream of Anthropic says."""
    return "".join(event["data"].get("delta", {}).get("text", "") for event in events)


def test_an_array_becomes_an_array() -> None:
    result = invoke(*TO_ANTHROPIC, input=json.dumps(CHUNKS, indent=2).encode())
    assert result.exit_code == 0
    assert text(json.loads(result.stdout)) == "Hello."


def test_arrays_one_a_line_become_arrays_one_a_line() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines([CHUNKS, CHUNKS]))
    assert result.exit_code == 0
    assert [text(json.loads(line)) for line in result.stdout.splitlines()] == ["Hello.", "Hello."]


def test_events_one_a_line_are_one_stream_and_come_out_one_a_line() -> None:
    result = invoke(*TO_ANTHROPIC, input=b"\n" + lines(CHUNKS))
    assert result.exit_code == 0
    assert text([json.loads(line) for line in result.stdout.splitlines()]) == "Hello."


def test_server_sent_events_stay_server_sent_events() -> None:
    result = invoke(*TO_ANTHROPIC, input=b": hello\n\n" + b"".join(sse.encode(CHUNKS, done=True)))
    assert result.exit_code == 0
    events = list(sse.events([result.stdout_bytes]))
    assert text(events) == "Hello."
    assert b"[DONE]" not in result.stdout_bytes
    back = invoke(*BACK, input=result.stdout_bytes)
    assert back.exit_code == 0
    assert back.stdout_bytes.endswith(b"data: [DONE]\n\n")
    said = [choice["delta"].get("content", "") for event in sse.events([back.stdout_bytes]) for choice in event["choices"]]
    assert "".join(said) == "Hello."


def test_the_lines_of_ollama_become_lines_and_go_back() -> None:
    pieces: list[dict[str, Any]] = [{"message": {"content": "Hel"}}, {"message": {"content": "lo."}}, {"message": {}, "done": True}]
    told = [{"model": "m", "created_at": "t", "done": False, **piece} for piece in pieces]
    there = invoke("convert", "--kind", "stream", "--from", "ollama", "--to", "anthropic", input=b"".join(ndjson.encode(told)))
    assert there.exit_code == 0
    assert text(list(ndjson.events([there.stdout_bytes]))) == "Hello."
    back = invoke("convert", "--kind", "stream", "--from", "anthropic", "--to", "ollama", input=there.stdout_bytes)
    assert back.exit_code == 0
    events = list(ndjson.events([back.stdout_bytes]))
    assert "".join(event["message"]["content"] for event in events) == "Hello."
    assert [event["done"] for event in events][-1] is True


def test_a_line_that_is_no_json_is_named() -> None:
    result = invoke(*TO_ANTHROPIC, input=lines(CHUNKS[:2]) + b'{"a": }\n')
    assert result.exit_code == 1
    assert "line 3" in result.stderr


@pytest.mark.parametrize("kind", ["stream", "response"])
def test_what_is_no_such_body_is_a_failure_that_says_so(kind: str) -> None:
    result = invoke("convert", "--kind", kind, "--from", "openai_chat", "--to", "anthropic", input=b"5")
    assert result.exit_code == 1
    assert "got 5" in result.stderr


CONVERSE: Final[list[dict[str, Any]]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Hel"}}},
    {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "lo."}}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"messageStop": {"stopReason": "end_turn"}},
]


def test_an_aws_event_stream_stays_one_at_home_and_is_server_sent_to_other_clients() -> None:
    framed = b"".join(aws_events.encode(CONVERSE))
    home = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "bedrock", input=framed)
    assert home.exit_code == 0
    assert list(aws_events.events([home.stdout_bytes])) == CONVERSE
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=framed)
    assert result.exit_code == 0
    assert text(list(sse.events([result.stdout_bytes]))) == "Hello."


def test_an_aws_event_stream_whose_bytes_are_broken_keeps_what_came_before() -> None:
    framed = bytearray(b"".join(aws_events.encode(CONVERSE)))
    framed[-3] ^= 1
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=bytes(framed))
    assert result.exit_code == 0
    events = list(sse.events([result.stdout_bytes]))
    assert text(events[:-1]) == "Hello."
    assert "no event stream" in json.dumps(events)


def test_bytes_that_only_begin_like_an_aws_event_stream_are_no_json() -> None:
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=bytes(40))
    assert result.exit_code == 1
    assert "not JSON" in result.stderr


def test_without_botocore_an_aws_event_stream_is_wrong_use_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "botocore.eventstream", None)
    framed = b"".join(aws_events.encode(CONVERSE))
    result = invoke("convert", "--kind", "stream", "--from", "bedrock", "--to", "anthropic", input=framed)
    assert result.exit_code == 2
    assert "chatadt[aws]" in result.stderr
