"""`convert` with answers and streams: what the policies allow, and what is said where there is nothing to convert with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from attrs import evolve
from returns.result import Failure

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    ConversionError,
    Converted,
    Delta,
    Extras,
    Loss,
    Message,
    Policy,
    StopKind,
    convert,
    deltas_of,
    fold,
    laws,
)
from chatadt.dialects import FOLDERS, Dialect, StreamWriter
from chatadt.laws import Broken

ANTHROPIC: Final = DIALECTS["anthropic"]
MUTE: Final = evolve(ANTHROPIC, name="mute", read_response=None, write_response=None, read_stream=None, write_stream=None)

TWO: Final[dict[str, Any]] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for index, text in enumerate(("one", "two"))
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
}
"""An answer with a further choice, for which Anthropic has no place."""


@pytest.mark.parametrize(("source", "target"), [(MUTE, "anthropic"), ("anthropic", MUTE), (MUTE, MUTE)])
@pytest.mark.parametrize(("kind", "body"), [("response", TWO), ("stream", [])])
def test_a_dialect_without_answers_or_streams_is_a_failure_that_names_it(source: Any, target: Any, kind: str, body: Any) -> None:
    error = convert(body, source, target, kind=kind).failure()
    assert error == ConversionError.Unavailable("mute", kind)
    assert str(error) == f"mute has no conversion of a {kind} yet: it converts requests"


@pytest.mark.parametrize("policy", [Policy.STRICT, Policy.FAITHFUL])
def test_a_further_choice_is_content_that_only_lenient_drops(policy: Policy) -> None:
    failed = convert(TWO, "openai_chat", "anthropic", kind="response", policy=policy).failure()
    assert isinstance(failed, ConversionError.Lossy)
    assert "a further choice" in {loss.what for loss in failed.losses}
    lenient = convert(TWO, "openai_chat", "anthropic", kind="response", policy=Policy.LENIENT).unwrap()
    assert lenient.value["content"] == [{"type": "text", "text": "one"}]


def test_the_policies_hold_of_streams_too() -> None:
    chunks = [
        {"id": "1", "model": "m", "choices": [{"index": index, "delta": {"content": text}}]} for index, text in enumerate("ab")
    ]
    failed = convert(chunks, "openai_chat", "anthropic", kind="stream")
    assert isinstance(failed, Failure)
    lenient = convert(chunks, "openai_chat", "anthropic", kind="stream", policy=Policy.LENIENT).unwrap()
    (loss,) = [loss for loss in lenient.losses if loss.what == "a further choice"]
    assert loss.path == "$.others[0]"
    assert loss.original is not None
    assert '"text":"b"' in loss.original.text


def test_a_kind_that_there_is_not_raises() -> None:
    with pytest.raises(ValueError, match=r"expected a kind \(request, response, stream\), got 'poem'"):
        convert({}, "openai_chat", "anthropic", kind="poem")


def test_several_choices_interleaved_come_home() -> None:
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said = [(0, "a"), (1, "x"), (0, "b"), (1, "y")]
    chunks = [{**base, "choices": [{"index": index, "delta": {"content": text}, "finish_reason": None}]} for index, text in said]
    ends = [{**base, "choices": [{"index": index, "delta": {}, "finish_reason": "stop"}]} for index in (1, 0)]
    home = convert([*chunks, *ends], "openai_chat", "openai_chat", kind="stream", policy=Policy.STRICT).unwrap().value
    texts: dict[int, str] = {}
    for event in home:
        for choice in event["choices"]:
            texts[choice["index"]] = texts.get(choice["index"], "") + (choice["delta"].get("content") or "")
    assert texts == {0: "ab", 1: "xy"}


STREAMING: Final = tuple(name for name in FOLDERS if DIALECTS[name].write_stream is not None)


@pytest.mark.parametrize("name", STREAMING)
def test_calls_that_open_together_keep_their_arguments(name: str) -> None:
    dialect = DIALECTS[name]
    opened = [Delta.ToolRequest(0, "", "a", "f"), Delta.ToolRequest(1, "", "b", "g")]
    argued = [Delta.ToolRequest(1, '{"y":'), Delta.ToolRequest(0, '{"x":1}'), Delta.ToolRequest(1, "2}")]
    events = dialect.write_stream([*opened, *argued, Delta.Stop(None)])
    calls = fold(dialect.read_stream(events)).message.tool_requests
    assert [(call.name, call.arguments) for call in calls] == [
        ("f", Content.ToolRequest("a", "f", {"x": 1}).arguments),
        ("g", Content.ToolRequest("b", "g", {"y": 2}).arguments),
    ]


@pytest.mark.parametrize("name", STREAMING)
def test_what_is_said_of_a_block_that_was_closed_is_a_loss(name: str) -> None:
    late = Delta.BlockExtras(0, Extras({"elsewhere": {"signature": "x"}}))
    losses: list[Loss] = []
    list(DIALECTS[name].write_stream([Delta.Start(), Delta.Text(0, "a"), Delta.Reasoning(1, "b"), late, Delta.Stop(None)], losses))
    assert "signature (elsewhere)" in {loss.what for loss in losses}


# The laws of answers and streams can fail.

ANSWER: Final = ChatResponse(Message.Assistant(["Hello.", Content.ToolRequest("c", "f", {"a": "b"})]))


def writing(change: Callable[[dict[str, Any]], object]) -> Dialect:
    def write_response(response: ChatResponse) -> Converted[dict[str, Any]]:
        written = ANTHROPIC.write_response(response)  # type: ignore[misc]
        change(written.value)
        return written

    return evolve(ANTHROPIC, write_response=write_response)


def test_a_writer_that_drops_a_text_breaks_a_law() -> None:
    laws.answers_kept(ANTHROPIC, ANSWER)
    with pytest.raises(Broken, match="nothing of an answer is lost"):
        laws.answers_kept(writing(lambda body: body["content"].pop(0)), ANSWER)


def test_a_writer_that_writes_what_it_does_not_read_breaks_a_law() -> None:
    laws.answers_settled(ANTHROPIC, ANSWER)
    with pytest.raises(Broken, match="what a dialect writes, it reads"):
        laws.answers_settled(writing(lambda body: body.pop("content")), ANSWER)


def test_a_stream_that_drops_a_piece_breaks_a_law() -> None:
    def begin() -> Any:
        step, end = ANTHROPIC.write_stream.begin()
        return (lambda delta: () if isinstance(delta, Delta.Text) else step(delta)), end

    stream = tuple(deltas_of(ANSWER))
    laws.streams_kept(ANTHROPIC, stream)
    with pytest.raises(Broken, match="nothing of a stream is lost"):
        laws.streams_kept(evolve(ANTHROPIC, write_stream=StreamWriter(begin)), stream)


def test_a_refusal_crosses_as_one() -> None:
    refused = {
        **TWO,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": None, "refusal": "No."}, "finish_reason": "stop"}],
    }
    answer = DIALECTS["openai_chat"].read_response(refused).unwrap()
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.REFUSAL
    crossed = convert(refused, "openai_chat", "anthropic", kind="response").unwrap().value
    assert (crossed["content"], crossed["stop_reason"]) == ([{"type": "text", "text": "No."}], "refusal")
