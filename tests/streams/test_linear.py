"""Four times as much to say is four times the work, and not sixteen times: for every reader and writer, fold and parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import pytest

from chatadt import (
    DIALECTS,
    Arguments,
    ChatResponse,
    Content,
    Delta,
    Extras,
    Json,
    StopKind,
    StopReason,
    Usage,
    aws_events,
    deltas_of,
    fold,
    ndjson,
    sse,
)
from chatadt.fold import Folding
from streams.work import Steps, grown, work_of

STREAMING: Final = [name for name in DIALECTS if DIALECTS[name].write_stream is not None]
FEW: Final = 24
MANY: Final = 4 * FEW
MOST: Final = 4.6
"""How many times the work it may be to say four times as much."""

Shape = Callable[[int], list[Delta.T]]


def of(each: Callable[[int], list[Delta.T]]) -> Shape:
    return lambda size: list(chain.from_iterable(map(each, range(size))))


def call(index: int, arguments: str, *, id_: str | None = "", name: str = "f", choice: int = 0) -> Delta.T:
    return Delta.ToolRequest(index, arguments, f"id{index}" if id_ == "" else id_, name, choice)


def cited(dialect: str, field: str) -> Shape:
    citation = {"type": "url_citation", "url": "https://example.org", "title": "a" * 50, "start": 0, "end": 1}
    return lambda size: [
        Delta.Text(0, "a"),
        *(
            delta
            for number in range(size)
            for delta in (
                Delta.BlockExtras(0, Extras({dialect: {field: [{**citation, "start": number}]}}), grow=True),
                Delta.Text(0, "ab"),
            )
        ),
    ]


SHAPES: Final[Mapping[str, Shape]] = {
    "pieces of a text": of(lambda _: [Delta.Text(0, "token " * 10)]),
    "pieces of reasoning": of(lambda _: [Delta.Reasoning(0, "token " * 10)]),
    "pieces of a refusal": of(lambda _: [Delta.Refusal(0, "token " * 10)]),
    "pieces of arguments": lambda size: [call(0, ""), *(Delta.ToolRequest(0, '"token", ' * 8) for _ in range(size))],
    "pieces of arguments that a name begins late": lambda size: [
        Delta.ToolRequest(0, "", "a"),
        *(Delta.ToolRequest(0, '"token", ' * 8) for _ in range(size)),
        Delta.ToolRequest(0, "", None, "f"),
    ],
    "pieces of a name": lambda size: [call(0, ""), *(Delta.ToolRequest(0, "", None, "name") for _ in range(size))],
    "a name with each piece": lambda size: [Delta.ToolRequest(0, "[1,2],", None, "f") for _ in range(size)],
    "a text for a custom tool, with many marks": lambda size: [
        Delta.BlockExtras(0, Extras({"openai_chat": {"$type": "custom"}}), grow=True),
        call(0, '"'),
        *(Delta.ToolRequest(0, 'say \\"') for _ in range(size)),
        Delta.ToolRequest(0, '"'),
    ],
    "arguments that are no object": lambda size: [call(0, '"'), *(Delta.ToolRequest(0, "token ") for _ in range(size))],
    "texts": of(lambda at: [Delta.Text(at, "ab" * 20)]),
    "empty texts": of(lambda at: [Delta.Text(at, "")]),
    "reasonings": of(lambda at: [Delta.Reasoning(at, "ab" * 20)]),
    "refusals": of(lambda at: [Delta.Refusal(at, "ab" * 20)]),
    "reasoning and text in turn": of(lambda at: [Delta.Reasoning(2 * at, "ab"), Delta.Text(2 * at + 1, "cd")]),
    "the same reasoning and text in turn": of(lambda _: [Delta.Reasoning(0, "ab" * 20), Delta.Text(1, "cd" * 20)]),
    "many texts in turn, again and again": lambda size: [Delta.Text(at, "ab") for _ in range(4) for at in range(size)],
    "text and call in turn": of(lambda at: [Delta.Text(2 * at, "ab"), call(2 * at + 1, "{}")]),
    "calls": of(lambda at: [call(at, '{"a":1}')]),
    "calls in pieces": of(lambda at: [call(at, ""), call(at, '{"a"', id_=None, name=""), call(at, ":1}", id_=None, name="")]),
    "open calls": of(lambda at: [call(at, "{" + " " * 20)]),
    "open calls that go on": lambda size: (
        [call(at, '{"a"') for at in range(size)] + [call(at, ":1}", id_=None, name="") for at in range(size)]
    ),
    "long open calls": of(lambda at: [call(at, '{"a":"' + "b" * 500)]),
    "one long open call, and texts": lambda size: [call(0, '{"a":"' + "b" * 50 * size), *SHAPES["texts"](size)[1:]],
    "calls without arguments": of(lambda at: [call(at, "")]),
    "calls without arguments, and texts": of(lambda at: [call(2 * at, ""), Delta.Text(2 * at + 1, "ab")]),
    "calls without a name": of(lambda at: [Delta.ToolRequest(at, '{"a":1}', f"id{at}")]),
    "open calls without a name": of(lambda at: [Delta.ToolRequest(at, "{" + " " * 20, f"id{at}")]),
    "calls that say nothing": of(lambda at: [Delta.ToolRequest(at)]),
    "whole blocks": of(lambda at: [Delta.Block(at, Content.Text("ab"))]),
    "whole calls": of(lambda at: [Delta.Block(at, Content.ToolRequest(f"i{at}", "f", Arguments.of("{}")))]),
    "whole blocks of another dialect": of(lambda at: [Delta.Block(at, Content.Custom("elsewhere", Json("{}")))]),
    "a whole block again and again": of(lambda at: [Delta.Block(0, Content.Text("ab" * at))]),
    "choices": of(lambda at: [Delta.Text(0, "ab", at), Delta.Stop(StopReason(StopKind.END), at)]),
    "choices that call": of(lambda at: [call(0, "{}", choice=at), Delta.Stop(StopReason(StopKind.TOOL_CALLS), at)]),
    "choices with open calls": of(lambda at: [call(0, "", choice=at)]),
    "choices in turn": lambda size: [Delta.Text(0, "ab", at) for _ in range(4) for at in range(size)],
    "messages": of(lambda at: [Delta.Start(f"m{at}"), Delta.Text(0, "ab"), Delta.Stop(StopReason(StopKind.END))]),
    "counts": of(lambda at: [Delta.Text(0, "ab"), Delta.Tokens(Usage(input=1, output=at))]),
    "notes of blocks that never come": of(lambda at: [Delta.BlockExtras(at, Extras({"elsewhere": {"a": 1}}))]),
    "notes of another dialect": of(lambda at: [Delta.Text(at, "ab"), Delta.BlockExtras(at, Extras({"elsewhere": {"a": 1}}))]),
    "events of another dialect": of(lambda at: [Delta.Custom("elsewhere", Json(f"[{at}]"))]),
    "errors": of(lambda at: [Delta.Text(0, "ab"), Delta.Answer(Extras({"elsewhere": {"a": [at]}}), grow=True)]),
    "sources, Anthropic": cited("anthropic", "citations"),
    "sources, Bedrock": cited("bedrock", "citations"),
    "sources, OpenAI Responses": cited("openai_responses", "annotations"),
    "sources, Cohere": of(
        lambda at: [Delta.Text(0, "ab"), Delta.Speaker(None, Extras({"cohere": {"citations": [{"start": at}]}}), grow=True)]
    ),
    "notes, OpenAI Chat": of(
        lambda at: [Delta.Text(0, "ab"), Delta.Speaker(None, Extras({"openai_chat": {"annotations": [{"start": at}]}}), grow=True)]
    ),
    "chances, OpenAI Chat": of(
        lambda at: [
            Delta.Text(0, "ab"),
            Delta.Answer(Extras({"openai_chat": {"choices": {"logprobs": {"content": [{"token": str(at)}]}}}}), grow=True),
        ]
    ),
}


def stream(shape: str, size: int, home: str | None = None, *, ends: bool = True) -> list[Delta.T]:
    start = Delta.Start("m", "model", Extras({} if home is None else {home: {"$own": True}}))
    end = [Delta.Stop(StopReason(StopKind.END))] if ends else []
    return [start, *SHAPES[shape](size), *end]


def too_much(steps: Callable[[int], Steps]) -> dict[str, float]:
    """What grows faster than what there is to say."""
    steps(2)  # what is only done once
    for _ in steps(2)():
        pass
    found = grown(work_of(steps(FEW)), work_of(steps(MANY)))
    return {name: ratio for name, ratio in found.items() if ratio > MOST}


def writing(dialect: str, deltas: list[Delta.T]) -> Steps:
    def steps() -> Iterator[object]:
        write = DIALECTS[dialect].write_stream
        assert write is not None
        step, end = write.begin()
        for delta in deltas:
            for _ in step(delta):
                pass
            yield step
        for _ in end():
            yield end

    return steps


def reading(dialect: str, events: list[Any]) -> Steps:
    def steps() -> Iterator[object]:
        read = DIALECTS[dialect].read_stream
        assert read is not None
        step, end = read.begin()
        for event in events:
            for _ in step(event):
                pass
            yield step
        for _ in end():
            yield end

    return steps


def some(dialects: Sequence[str]) -> list[Any]:
    """Every fourth pair of a dialect and a shape; the others where tests may take long."""
    pairs = [(dialect, shape) for dialect in dialects for shape in SHAPES]
    late = [pytest.mark.deep]
    return [pytest.param(*pair, id="-".join(pair), marks=late if at % 4 else []) for at, pair in enumerate(pairs)]


@pytest.mark.parametrize(("dialect", "shape"), some(STREAMING))
def test_to_write_a_stream_is_linear(dialect: str, shape: str) -> None:
    assert too_much(lambda size: writing(dialect, stream(shape, size))) == {}


@pytest.mark.parametrize(
    ("dialect", "shape"),
    some(["anthropic", "bedrock", "cohere", "gemini", "mistral", "ollama", "openai_chat", "openai_responses"]),
)
def test_to_read_a_stream_is_linear(dialect: str, shape: str) -> None:
    write = DIALECTS[dialect].write_stream
    assert write is not None
    assert too_much(lambda size: reading(dialect, list(write(stream(shape, size))))) == {}


@pytest.mark.parametrize("shape", SHAPES)
def test_to_fold_a_stream_and_to_say_it_again_is_linear(shape: str) -> None:
    def steps(size: int) -> Steps:
        deltas = stream(shape, size)

        def folded() -> Iterator[object]:
            coming = Folding()
            for delta in deltas:
                coming.feed(delta)
                yield delta
            answer: ChatResponse = fold(deltas)
            yield answer
            yield from deltas_of(answer)

        return folded

    assert too_much(steps) == {}


def test_to_read_calls_whose_reason_to_stop_is_said_again_and_again_is_linear() -> None:
    """A text for a custom tool ends with the reason to stop."""

    def events(size: int) -> list[Any]:
        def chunk(said: dict[str, Any], reason: str | None) -> dict[str, Any]:
            return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": said, "finish_reason": reason}]}

        custom = [{"index": at, "id": f"i{at}", "type": "custom", "custom": {"name": "f", "input": "ab"}} for at in range(size)]
        stops = [chunk({}, reason) for _ in range(size) for reason in ("stop", "length")]
        return [*(chunk({"tool_calls": [each]}, None) for each in custom), *stops]

    assert too_much(lambda size: reading("openai_chat", events(size))) == {}


def test_to_read_a_name_that_all_pieces_say_again_is_linear() -> None:
    def events(size: int) -> list[Any]:
        said = {"index": 0, "id": "i", "function": {"name": "f", "arguments": " "}}
        return [{"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"tool_calls": [said]}}]} for _ in range(size)]

    assert too_much(lambda size: reading("openai_chat", events(size))) == {}


def in_pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + 16] for at in range(0, len(data), 16))


PARSERS: Final[Mapping[str, Callable[[int], tuple[Callable[..., Iterator[Any]], bytes]]]] = {
    "server-sent events, a long line": lambda size: (sse.events, b'data: "' + b"x" * 400 * size + b'"\n\n'),
    "server-sent events, carriage returns": lambda size: (sse.events, b"data: 1\r\r" * size),
    "server-sent events, lines of one event": lambda size: (sse.events, b"data: [\r\n" * size),
    "lines of JSON, a long line": lambda size: (ndjson.events, b'"' + b"x" * 400 * size + b'"\n'),
    "an AWS event stream, a long frame": lambda size: (
        aws_events.events,
        b"".join(aws_events.encode([{"contentBlockDelta": {"delta": {"text": "x" * 400 * size}}}])),
    ),
    "an AWS event stream, many frames": lambda size: (
        aws_events.events,
        b"".join(aws_events.encode([{"contentBlockDelta": {"delta": {"text": "x"}}}] * size)),
    ),
}


@pytest.mark.parametrize("case", PARSERS)
def test_to_parse_bytes_in_small_pieces_is_linear(case: str) -> None:
    def steps(size: int) -> Steps:
        parse, data = PARSERS[case](size)

        def parsed() -> Iterator[object]:
            waiting: list[object] = []

            def pieces() -> Iterator[bytes]:
                yield from in_pieces(data)

            waiting.extend(parse(pieces()))
            yield waiting

        return parsed

    assert too_much(steps) == {}
