"""What was read as another dialect than it is of: what a reader of the conversation would miss is never a detail."""

from __future__ import annotations

from typing import Any, Final

import pytest
from returns.result import Failure

from chatadt import DIALECTS, ConversionError, Policy, convert
from chatadt.dialects import FOLDERS

HELLO: Final[dict[str, Any]] = {"messages": [{"role": "user", "content": "hi"}]}
FIELDS: Final = ("system", "systemInstruction", "instructions", "contents", "input", "chat_history", "preamble")


def refused(body: Any, source: str, target: str, kind: str) -> ConversionError.T:
    answer = convert(body, source, target, kind=kind)  # type: ignore[call-overload]
    assert isinstance(answer, Failure)
    error: ConversionError.T = answer.failure()
    return error


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("target", sorted(set(FOLDERS) - {"openai_chat"}))
def test_a_field_that_holds_a_conversation_elsewhere_is_content(field: str, target: str) -> None:
    error = refused({**HELLO, field: "Never say X."}, "openai_chat", target, "request")
    assert field in str(error)


def test_a_body_with_messages_and_no_input_is_none_of_responses() -> None:
    for body in (HELLO, {"contents": [{"parts": [{"text": "hi"}]}]}):
        error = refused(body, "openai_responses", "anthropic", "request")
        assert isinstance(error, ConversionError.Unreadable)
        assert "$.input" in str(error)
        assert next(iter(body)) in str(error)
    assert DIALECTS["openai_responses"].read_request({"model": "m"}).unwrap().messages == ()


EVENTS: Final[dict[str, Any]] = {
    "openai_chat": {"choices": [{"index": 0, "delta": {"content": "SECRET"}}]},
    "anthropic": {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "SECRET"}},
    "openai_responses": {"event": "x", "data": {"type": "response.output_text.delta", "output_index": 0, "delta": "SECRET"}},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "SECRET"}]}}]},
    "bedrock": {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "SECRET"}}},
    "cohere": {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "SECRET"}}}},
}


@pytest.mark.parametrize("said", EVENTS)
@pytest.mark.parametrize("source", EVENTS)
@pytest.mark.parametrize("target", ["ollama", "mistral"])
def test_an_event_that_is_not_known_and_holds_a_text_is_content(said: str, source: str, target: str) -> None:
    if said == source:
        return
    lenient = convert([EVENTS[said]], source, target, kind="stream", policy=Policy.LENIENT).unwrap()
    if "SECRET" not in str(lenient.value):
        error = refused([EVENTS[said]], source, target, "stream")
        assert isinstance(error, ConversionError.Lossy)
        assert any("SECRET" in str(loss.original) for loss in error.losses)
        assert f"read as events of {source}" in str(error)


def test_an_event_that_says_nothing_to_a_reader_is_a_detail() -> None:
    pulse = {"type": "response.heartbeat", "sequence_number": 3}
    assert convert([pulse], "openai_responses", "anthropic", kind="stream").unwrap().losses != ()


def test_what_moved_out_of_a_result_is_not_said_to_be_omitted() -> None:
    picture: dict[str, Any] = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    asked: dict[str, Any] = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "shot", "input": {}}]}
    result: dict[str, Any] = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [picture]}]}
    body: dict[str, Any] = {"max_tokens": 9, "messages": [{"role": "user", "content": "look"}, asked, result]}
    for target in ("openai_chat", "mistral"):
        told = str(convert(body, "anthropic", target).unwrap().value)
        assert "[image: see the next message]" in told
        assert "omitted" not in told


def test_what_a_model_says_in_pieces_is_one_sentence_for_ollama() -> None:
    pieces = [{"type": "text", "text": text} for text in ("Paris is ", "the capital", ".")]
    answer: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "c",
        "stop_reason": "end_turn",
        "content": pieces,
    }
    usage = {"input_tokens": 1, "output_tokens": 1}
    written = convert({**answer, "usage": usage}, "anthropic", "ollama", kind="response").unwrap()
    assert written.value["message"]["content"] == "Paris is the capital."
    asked: dict[str, Any] = {
        "max_tokens": 9,
        "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": pieces}],
    }
    assert convert(asked, "anthropic", "ollama").unwrap().value["messages"][1]["content"] == "Paris is the capital."
