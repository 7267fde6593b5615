"""Streams of Mistral, Cohere and Ollama one by one, and recorded answers of theirs that are streamed."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from wire.corpus import present, recordings
from wire.values import compact

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    Delta,
    Loss,
    Message,
    StopKind,
    convert,
    deltas_of,
    dumps,
    fold,
    fold_each,
)
from chatadt.dialects import StreamReader, StreamWriter

from .family import FAMILY

by_name = pytest.mark.parametrize("name", FAMILY)


def reader(name: str) -> StreamReader:
    read = DIALECTS[name].read_stream
    assert read is not None
    return read


def writer(name: str) -> StreamWriter:
    write = DIALECTS[name].write_stream
    assert write is not None
    return write


def answers(name: str, events: Any) -> list[ChatResponse]:
    return list(fold_each(reader(name)(events)))


def spoken(answer: ChatResponse) -> list[tuple[str, ...]]:
    """What is said, without what a dialect says beyond the words, in the order of kinds: a whole message has its fields in one."""
    told: list[tuple[str, ...]] = []
    for content in answer.message.contents:
        match content:
            case Content.Text() | Content.Refusal() | Content.Reasoning():
                told += [(type(content).__name__, content.text)] if content.text else []
            case Content.ToolRequest():
                told.append(("call", content.id, content.name, str(content.arguments)))
            case _:
                told.append((type(content).__name__,))
    return sorted(told, key=lambda each: each[0])


@present
@by_name
def test_a_recorded_answer_that_is_streamed_reads_to_the_same_words(name: str) -> None:
    read = DIALECTS[name].read_response
    assert read is not None
    for row in recordings(name, "response"):
        whole = read(row.body).unwrap()
        losses: list[Loss] = []
        streamed = fold(reader(name)(writer(name)(deltas_of(whole), losses)))
        assert streamed.message.contents == ignoring_notes(whole, streamed), row.id
        assert streamed.metadata.stop == whole.metadata.stop, row.id
        assert not losses, row.id


def ignoring_notes(whole: ChatResponse, streamed: ChatResponse) -> tuple[Content.Output, ...]:
    """The contents of a whole answer; where they say the same as those of the stream, those."""
    assert [type(content) for content in whole.message.contents if content != Content.Text("")] == [
        type(content) for content in streamed.message.contents
    ]
    assert spoken(whole) == spoken(streamed)
    return streamed.message.contents


# One by one.


@pytest.mark.parametrize(
    ("name", "event", "message", "code"),
    [
        ("mistral", {"object": "error", "message": "no", "type": "x", "code": "1500"}, "no", "1500"),
        ("mistral", {"error": {"message": "no", "type": "x"}}, "no", "x"),
        ("cohere", {"message": "no", "error_type": "TOO_MANY_TOKENS"}, "no", "TOO_MANY_TOKENS"),
        ("cohere", {"event": "error", "data": {"message": "no"}}, "no", None),
        ("ollama", {"error": "no"}, "no", None),
    ],
)
def test_an_error_in_a_stream_is_a_failure_that_comes_home(name: str, event: Any, message: str, code: str | None) -> None:
    text = list(writer(name)(deltas_of(ChatResponse(Message.Assistant(["a"])))))
    events = [*text[:-1], event]
    (answer,) = answers(name, events)
    assert answer.metadata.error is not None
    assert (answer.metadata.error.message, answer.metadata.error.code) == (message, code)
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.ERROR
    assert answer.message.contents[0] == Content.Text("a")
    losses: list[Loss] = []
    assert answers(name, list(writer(name)(reader(name)(events), losses))) == [answer]
    assert losses == []


@by_name
def test_a_failure_from_elsewhere_is_told_in_the_stream(name: str) -> None:
    events = [
        {"id": "a", "model": "m", "created": 1, "choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": None}]},
        {"error": {"message": "overloaded", "code": "503"}},
    ]
    converted = convert(events, "openai_chat", name, kind="stream", policy="lenient").unwrap()
    (answer,) = answers(name, converted.value)
    assert answer.metadata.error is not None
    assert answer.metadata.error.message == "overloaded"
    assert answer.metadata.error.code == "503" or "the code of the error" in {loss.what for loss in converted.losses}


@by_name
def test_what_only_the_dialect_knows_comes_home_verbatim(name: str) -> None:
    event: dict[str, Any] = {"type": "debug", "prompt": "p"}
    deltas = list(reader(name)([event]))
    assert deltas == [Delta.Custom(name, event)]  # type: ignore[arg-type]
    told = list(writer(name)(deltas))
    assert told == [{"event": "debug", "data": event} if name == "cohere" else event]


MIXED: Final = (
    Delta.Start("a", "m"),
    Delta.Text(0, "one "),
    Delta.Reasoning(1, "hm"),
    Delta.ToolRequest(2, "", "c", "f"),
    Delta.ToolRequest(2, '{"a":'),
    Delta.ToolRequest(3, '{"b":2}', "d", "g"),
    Delta.ToolRequest(2, "1}"),
    Delta.Text(4, "two"),
    Delta.Text(0, "more"),
    Delta.Refusal(5, "no"),
)


@by_name
def test_pieces_that_come_mixed_stand_in_the_stream_or_in_a_loss(name: str) -> None:
    losses: list[Loss] = []
    (answer,) = answers(name, list(writer(name)(MIXED, losses)))
    told = compact([json.loads(dumps(answer)), *(loss.original.value for loss in losses if loss.original is not None)])
    assert all(text in told for text in ("one more", "hm", "two", "no"))
    assert [(each.name, each.arguments) for each in answer.message.tool_requests] == [
        (each.name, each.arguments) for each in fold(MIXED).message.tool_requests
    ]
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.INTERRUPTED
    assert not [loss for loss in losses if loss.path == "$.metadata.stop"]


def test_choices_of_mistral_come_mixed_and_stay_apart() -> None:
    def chunk(index: int, text: str, word: str | None = None) -> dict[str, Any]:
        choice = {"index": index, "delta": {"content": text}, "finish_reason": word}
        return {"id": "a", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    events = [chunk(0, "a"), chunk(1, "b"), chunk(0, "c", "stop"), chunk(1, "d", "length")]
    (answer,) = answers("mistral", events)
    assert (answer.message.text, answer.others[0].message.text) == ("ac", "bd")
    losses: list[Loss] = []
    assert answers("mistral", list(writer("mistral")(reader("mistral")(events), losses))) == [answer]
    assert losses == []


def test_thinking_of_mistral_that_holds_more_than_texts_comes_home() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, {"type": "reference", "reference_ids": [1]}]}
    signed = {"type": "thinking", "thinking": [{"type": "text", "text": "so"}], "signature": "s"}
    chunks = [
        {
            "id": "a",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
        }
        for delta in ({"content": [thought]}, {"content": [signed]}, {"content": "b"})
    ]
    (answer,) = answers("mistral", chunks)
    custom, reasoning, text = answer.message.contents
    assert custom == Content.Custom("mistral", thought)  # type: ignore[arg-type]
    assert reasoning == Content.Reasoning("so", {"mistral": {"signature": "s"}})  # type: ignore[arg-type]
    assert text == Content.Text("b")
    losses: list[Loss] = []
    assert answers("mistral", list(writer("mistral")(reader("mistral")(chunks), losses))) == [answer]
    assert losses == []


def test_fields_that_nobody_knows_in_events_of_cohere_come_home() -> None:
    events: list[dict[str, Any]] = [
        {"type": "message-start", "id": "a", "new": 1, "delta": {"message": {"role": "assistant", "own": 2}, "other": 3}},
        {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": "", "mark": 4}}}},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "hi"}, "told": 5}, "beside": 6}, "last": 7},
        {"type": "content-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": {"tokens": {"input_tokens": 1}}, "end": 8}},
    ]
    (answer,) = answers("cohere", events)
    told = dumps(answer).decode()
    assert all(
        f'"{key}":{at}' in told for at, key in enumerate(("new", "own", "other", "mark", "told", "beside", "last", "end"), 1)
    )
    losses: list[Loss] = []
    assert answers("cohere", list(writer("cohere")(reader("cohere")(events), losses))) == [answer]
    assert losses == []


def test_ollama_without_ids_has_the_ids_that_the_whole_answer_has() -> None:
    calls = [{"function": {"name": "f", "arguments": {"a": 1}}}, {"function": {"name": "g"}}]
    line = {"model": "m", "created_at": "t", "message": {"role": "assistant", "content": "", "tool_calls": calls}, "done": True}
    read = DIALECTS["ollama"].read_response
    assert read is not None
    whole = read(line).unwrap()
    halves = [{**line, "message": {**line["message"], "tool_calls": [call]}, "done": call is calls[-1]} for call in calls]  # type: ignore[dict-item]
    (streamed,) = answers("ollama", halves)
    assert streamed.message == whole.message
    assert [each.id for each in whole.message.tool_requests] == ["call_0", "call_1"]
