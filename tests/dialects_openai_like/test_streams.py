"""Recorded streams of Mistral, Cohere and Ollama: what they fold to, what comes home, what crosses, and what breaks them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import pytest
from wire.corpus import Recording, present, report
from wire.evidence import Reported
from wire.ledger import silent
from wire.values import compact

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    Delta,
    Loss,
    Message,
    Policy,
    StopKind,
    convert,
    deltas_of,
    dumps,
    fold,
    fold_each,
)
from chatadt.dialects import StreamReader, StreamWriter
from chatadt.laws import recut

from .accumulated import accumulated
from .answers import FIRST_TWO, NAMES, as_request, event_complaints, recorded_answers, stop_word, tokens
from .test_answers import SAME

PAIRS: Final = (
    *product(NAMES, FIRST_TWO),
    *product(FIRST_TWO, NAMES),
    *((one, other) for one, other in product(NAMES, NAMES) if one != other),
)
COUNTS: Final = {"mistral": 15, "cohere": 18, "ollama": 5}
by_name = pytest.mark.parametrize("name", NAMES)
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)


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


# Home.


@present
@by_name
def test_a_stream_comes_home_up_to_rechunking(name: str) -> None:
    """The fold of the re-written stream is the fold of the original; nothing is lost. 100 %, without an exception."""
    rows, failures = recorded_answers(name, "stream"), list[str]()
    for row in rows:
        losses: list[Loss] = []
        events = list(writer(name)(reader(name)(row.body), losses))
        if answers(name, events) != answers(name, row.body):
            failures.append(f"{row.id} folds otherwise")
        failures += [f"{row.id} {loss}" for loss in losses]
    print(f"\n{name}: {len(rows)} streams, {len(failures)} do not come home")
    assert len(rows) >= COUNTS[name]
    assert not failures, report(f"{name} does not come home", failures, len(rows))


@present
@by_name
@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_a_stream_that_is_cut_otherwise_comes_home_too(name: str, size: int) -> None:
    for row in recorded_answers(name, "stream"):
        assert answers(name, list(writer(name)(recut(reader(name)(row.body), size)))) == answers(name, row.body), row.id


@present
@by_name
def test_nothing_that_a_stream_says_is_missing_in_what_it_folds_to(name: str) -> None:
    failures: list[str] = []
    for row in recorded_answers(name, "stream"):
        told = "\0".join(text for answer in answers(name, row.body) for text in texts(json.loads(dumps(answer))))
        missing = {text for event in row.body for text in texts(saying(event)) if text not in told}
        failures += [f"{row.id} {text[:100]!r}" for text in missing]
    assert not failures, report(f"{name} loses in silence", failures, len(recorded_answers(name, "stream")))


SILENT: Final = frozenset({"object", "p", "role", "event", "type", "created", "created_at", "arguments"})
"""Fields of an event that are padding or spelling, or of which the first counts; pieces of arguments are looked at elsewhere."""


def saying(event: Any) -> Any:
    if isinstance(event, dict):
        return {key: saying(value) for key, value in event.items() if key not in SILENT}
    return [saying(each) for each in event] if isinstance(event, list) else event


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(inner)


@present
@by_name
def test_a_stream_says_what_its_events_say_when_a_plain_client_puts_them_together(name: str) -> None:
    read = DIALECTS[name].read_response
    assert read is not None
    for row in recorded_answers(name, "stream"):
        whole, (streamed,) = read(accumulated(name, row.body)).unwrap(), answers(name, row.body)
        assert spoken(streamed) == spoken(whole), row.id
        assert streamed.metadata.usage == whole.metadata.usage, row.id
        assert streamed.metadata.stop == whole.metadata.stop, row.id
        assert (streamed.metadata.id, streamed.metadata.model) == (whole.metadata.id, whole.metadata.model), row.id


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
    for row in recorded_answers(name, "response"):
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


# Crossing.


class Crossed(NamedTuple):
    """A stream, the events that it became, and the losses."""

    row: Recording
    events: list[Any]
    losses: tuple[Reported, ...]


@cache
def crossed(source: str, target: str) -> tuple[Crossed, ...]:
    rows = recorded_answers(source, "stream")
    return tuple(_crossed(row, source, target) for row in (rows[::3] if source in FIRST_TWO else rows))


def _crossed(row: Recording, source: str, target: str) -> Crossed:
    converted = convert(row.body, source, target, kind="stream", policy=Policy.LENIENT).unwrap()
    told = (
        Reported(each.path, each.what, each.action.value, None if each.original is None else each.original.value)
        for each in converted.losses
    )
    return Crossed(row, converted.value, tuple(told))


@present
@each_way
def test_each_event_of_a_crossed_stream_is_of_the_official_type(source: str, target: str) -> None:
    failures = [
        f"{one.row.id} {found[0]} {str(event)[:120]}"
        for one in crossed(source, target)
        for event in one.events
        if (found := event_complaints(target, event))
    ]
    assert any(one.events for one in crossed(source, target))
    assert not failures, report(f"{source} to {target}", failures, len(crossed(source, target)))


@present
@each_way
def test_nothing_that_a_stream_says_is_lost_in_silence(source: str, target: str) -> None:
    """Both sides as clients accumulate them, where they take the source; ledger and clients know no reader of ours."""
    failures: list[str] = []
    compared = 0
    for one in crossed(source, target):
        if len(answers(source, one.row.body)) != 1:
            continue
        try:
            before = accumulated(source, one.row.body)
        except Exception:  # whatever the client raises
            continue
        try:
            after = accumulated(target, one.events)
        except ValueError:  # arguments that are Malformed
            assert target == "anthropic"
            continue
        compared += 1
        missing = silent(said_of(source, before), said_of(target, after), one.losses)
        failures += [f"{one.row.id} {each}" for each in missing if each.value != ""]
        told = {loss.what.removeprefix("the count ") for loss in one.losses}
        counts = {key: value for key, value in tokens(source, before).items() if value and key not in told}
        if counts != {key: value for key, value in tokens(target, after).items() if value and key in counts}:
            failures.append(f"{one.row.id} {counts} became {tokens(target, after)}")
        meant = [SAME.get(word, word) for word in (stop_word(source, before), stop_word(target, after))]
        asks = '"tool_' in compact(after)
        if asks:
            meant = ["calls" if word in ("end", "", None) else word for word in meant]
        refuses = '"refusal"' in compact(before)
        if meant[0] != meant[1] and not refuses and not any("stop reason" in loss.what for loss in one.losses):
            failures.append(f"{one.row.id} {meant}")
    print(f"\n{source} to {target}: {compared} of {len(crossed(source, target))} compared")
    assert compared >= 0.7 * len(crossed(source, target))
    assert not failures, report(f"{source} to {target} loses in silence", failures, compared)


UNKNOWN: Final = (
    "parsed",
    "provider_metadata",
    "reasoning_details",
    "channel",
    "executed_tools",
    "annotations",
    "token_id",
    "index",
)
"""Fields of a message that the official client does not know, and appends whatever they mean."""


def said_of(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """The messages of an accumulated answer alone."""
    messages = [
        {key: value for key, value in message.items() if key not in UNKNOWN} for message in as_request(name, body)["messages"]
    ]
    for message in messages:
        for call in message.get("tool_calls") or ():
            call.pop("index", None)
            call["function"].pop("parsed_arguments", None)
        for block in message["content"] if isinstance(message.get("content"), list) else ():
            block.pop("parsed_output", None)
    return {"messages": messages}


# Lazily, and asynchronously.


@present
@by_name
def test_reading_and_writing_ask_for_no_more_than_they_need(name: str) -> None:
    row = max(recorded_answers(name, "stream"), key=lambda row: len(row.body))
    asked = 0

    def events() -> Iterator[Any]:
        nonlocal asked
        for event in row.body:
            asked += 1
            yield event

    for target in ("openai_chat", name):
        asked = 0
        written = writer(target)(reader(name)(events()))
        for _ in range(5):
            next(written)
        assert asked < 15 < len(row.body)


@present
@by_name
def test_asynchronous_streams_say_the_same(name: str) -> None:
    async def events(row: Recording) -> AsyncIterator[Any]:
        for event in row.body:
            await asyncio.sleep(0)
            yield event

    async def home(row: Recording) -> list[Any]:
        return [event async for event in writer(name).over(reader(name).over(events(row)))]

    for row in recorded_answers(name, "stream")[:3]:
        assert asyncio.run(home(row)) == list(writer(name)(reader(name)(row.body)))


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
