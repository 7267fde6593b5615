"""The short ways of readers and writers: they read and write what the long ways do, of bodies that they take and of others."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import orjson
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from returns.result import Failure
from wire.corpus import present

from benchmarks.corpus import openai_bodies
from benchmarks.pairs import spoken_by
from chatadt import DIALECTS, ChatRequest, Content, Converted, Message, Outcome, Resource, strategies
from chatadt.json import Json, parse

from .traffic import FOLDERS, sample

by_name = pytest.mark.parametrize("name", FOLDERS)

READING: Final[Mapping[str, tuple[str, Callable[..., Any]]]] = {
    **dict.fromkeys(FOLDERS, ("read.plain_messages", lambda *_, **__: None)),
    "gemini": ("read.plain_contents", lambda *_: None),
}
"""By dialect: its short way of reading, and one that takes nothing."""

WRITING: Final[Mapping[str, tuple[str, Callable[..., Any]]]] = {
    "anthropic": ("write._write_plainly", lambda _, start, *__: start),
    "bedrock": ("write._add_plainly", lambda *_: False),
    "gemini": ("write._Turns.add_plainly", lambda *_: False),
    "openai_responses": ("write.plain_items", lambda *_: None),
    "ollama": ("write._plainly_said", lambda *_: None),
}
"""The same of writing, where there is one."""

BODIES: Final = tuple(openai_bodies(12))
"""What the short ways are for."""


GONE: Final = object()
PIXEL: Final = "data:image/png;base64,iVBORw0KGgo="


def call(id_: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def without(name: str, way: tuple[str, Callable[..., Any]], patch: pytest.MonkeyPatch) -> None:
    module, *path, attribute = way[0].split(".")
    owner: Any = importlib.import_module(f"chatadt.dialects.{name}.{module}")
    for each in path:
        owner = getattr(owner, each)
    assert hasattr(owner, attribute)
    patch.setattr(owner, attribute, way[1])


def read_by_both(name: str, bodies: list[Any]) -> list[tuple[Any, Any]]:
    short = [DIALECTS[name].read_request(deepcopy(body)) for body in bodies]
    with pytest.MonkeyPatch.context() as patch:
        without(name, READING[name], patch)
        return [(each, DIALECTS[name].read_request(body)) for each, body in zip(short, bodies, strict=True)]


def written_by_both(name: str, request: ChatRequest) -> tuple[Any, Any]:
    dialect = DIALECTS[name]

    def both() -> tuple[Any, Any]:
        return said(dialect.write_request(request)), said(dialect.encode_request(request))

    short = both()
    with pytest.MonkeyPatch.context() as patch:
        without(name, WRITING[name], patch)
        return short, both()


def said(written: Converted[Any]) -> tuple[Any, list[str]]:
    value = parse(written.value) if isinstance(written.value, bytes) else written.value
    return value, sorted(map(repr, written.losses))


@by_name
def test_a_short_way_is_taken(name: str) -> None:
    """It answers something of what it is for, so that these tests compare two things."""
    taken: list[object] = []
    module, attribute = READING[name][0].split(".")
    owner = importlib.import_module(f"chatadt.dialects.{name}.{module}")
    way = getattr(owner, attribute)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, attribute, lambda *given, **named: taken.append(way(*given, **named)) or taken[-1])
        for line in spoken_by(name, [orjson.dumps(body) for body in BODIES]):
            DIALECTS[name].read_request(parse(line))
    assert len(taken) == len(BODIES)
    assert None not in taken


@by_name
def test_a_plain_body_is_read_alike_by_both_ways(name: str) -> None:
    bodies = [parse(line) for line in spoken_by(name, [orjson.dumps(body) for body in BODIES])]
    for short, long in read_by_both(name, bodies):
        assert short == long


SMALL: Final[Any] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": PIXEL}}]},
        {"role": "assistant", "content": None, "tool_calls": [call("c1", "f", '{"a": 1}'), call("c2", "g", "{}")]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        {"role": "tool", "tool_call_id": "c2", "content": "2"},
        {"role": "assistant", "content": "b", "tool_calls": [call("c3", "f", "{}")]},
        {"role": "tool", "tool_call_id": "c3", "content": "3"},
        {"role": "assistant", "content": "c"},
        {"role": "user", "content": "d"},
    ],
}
ODD: Final = (None, "", " ", "x", 0, True, [], {}, ["x"], {"x": 1}, "data:,x", "developer", "{")
"""What stands in place of something plain."""


def spoilt(value: Any) -> Iterator[Any]:
    """The value with one thing in it gone, or something odd in its place, or something odd beside it."""
    items: Any = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in items:
        for odd in ODD:
            yield replaced(value, key, odd)
        yield replaced(value, key, GONE)
        for other in spoilt(inner):
            yield replaced(value, key, other)
    if isinstance(value, dict):
        for odd in ODD:
            yield {**value, "odd": odd}
    if isinstance(value, list):
        yield [*value, *value]


def replaced(value: Any, key: Any, other: Any) -> Any:
    copy: Any = value.copy()
    if other is GONE:
        del copy[key]
    else:
        copy[key] = other
    return copy


@by_name
def test_a_body_that_is_nearly_plain_is_read_alike_by_both_ways(name: str) -> None:
    """The problems too, with their places."""
    (line,) = spoken_by(name, [orjson.dumps(SMALL)])
    bodies = list(spoilt(parse(line)))
    assert len(bodies) > 500
    for body, (short, long) in zip(bodies, read_by_both(name, bodies), strict=True):
        assert short == long, body


@present
@by_name
def test_a_recorded_body_is_read_alike_by_both_ways(name: str) -> None:
    rows = sample(name)
    for row, (short, long) in zip(rows, read_by_both(name, [row.body for row in rows]), strict=True):
        assert short == long, row.id
        assert not isinstance(short, Failure), row.id


ASK: Final = Message.Assistant(["a", Content.ToolRequest("c1", "f", {}), Content.ToolRequest("c2", "f", {})])
TOLD: Final = Message.ToolResult("c2", "f", "2")
SHOWN: Final = Content.Audio(Resource.Binary(b"RIFF0000WAVE", "audio/wav"))
HISTORIES: Final[Mapping[str, tuple[Message.T, ...]]] = {
    "a result that names another tool": (ASK, Message.ToolResult("c1", "g", "1"), TOLD),
    "a result that names none": (ASK, Message.ToolResult("c1", None, "1"), TOLD),
    "a result that comes first": (Message.ToolResult("c1", "f", "1"), ASK, TOLD),
    "a result that failed": (ASK, Message.ToolResult("c1", "f", "1", Outcome.ERROR), TOLD),
    "a medium among the results": (ASK, Message.ToolResult("c1", "f", ["1", SHOWN]), TOLD, Message.User("b")),
    "a medium at the end of the results": (ASK, TOLD, Message.ToolResult("c1", "f", [SHOWN]), Message.User("b")),
    "a late system message": (Message.User("a"), Message.System("b"), Message.User("c"), ASK, TOLD),
    "system messages in a row": (Message.System("a"), Message.System("b"), Message.User("c"), Message.System("d"), ASK, TOLD),
    "a name": (Message.User("a", "ann"), Message.Assistant("b", "bob"), Message.User("c")),
    "nothing said": (Message.User([]), Message.Assistant([]), Message.User("c")),
    "thinking": (Message.User("a"), Message.Assistant([Content.Reasoning("hm"), "b"]), Message.User("c")),
    "arguments that are none": (Message.Assistant([Content.ToolRequest("c1", "f", "{")]), Message.ToolResult("c1", "f", "1")),
    "arguments that are a list": (Message.Assistant([Content.ToolRequest("c1", "f", "[1]")]), Message.ToolResult("c1", "f", "1")),
    "a call without an id": (Message.Assistant([Content.ToolRequest("", "f", {})]), Message.ToolResult("", "f", "1")),
    "a text behind a call": (Message.Assistant([Content.ToolRequest("c1", "f", {}), "b"]), Message.ToolResult("c1", "f", "1")),
    "two texts": (Message.User(["a", "b"]), Message.Assistant(["a", "b"]), Message.User("c")),
    "a message of another dialect": (Message.User("a"), Message.Custom({"role": "critic"}, "openai_chat"), Message.User("c")),
}


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_what_is_not_quite_plain_is_written_alike_by_both_ways(name: str, history: tuple[Message.T, ...]) -> None:
    short, long = written_by_both(name, ChatRequest(history))
    assert short == long


@pytest.mark.parametrize("name", WRITING)
def test_a_plain_conversation_is_written_alike_by_both_ways(name: str) -> None:
    for body in BODIES:
        short, long = written_by_both(name, DIALECTS["openai_chat"].read_request(body).unwrap())
        assert short == long


@present
@pytest.mark.parametrize("name", WRITING)
def test_a_recorded_conversation_of_anyone_is_written_alike_by_both_ways(name: str) -> None:
    for source in FOLDERS:
        for row in sample(source)[::5]:
            short, long = written_by_both(name, DIALECTS[source].read_request(row.body).unwrap())
            assert short == long, row.id


@pytest.mark.parametrize("name", WRITING)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(request=st.one_of(strategies.chat_requests(), st.builds(ChatRequest, strategies.histories())))
def test_any_request_is_written_alike_by_both_ways(name: str, request: ChatRequest) -> None:
    short, long = written_by_both(name, request)
    assert short == long


BARE: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": {"model": "gpt-5", "messages": []},
    "gemini": {"contents": []},
    "bedrock": {"modelId": "a.b-v1:0", "messages": []},
}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("openai_chat", {"max_completion_tokens": 100}),
        ("openai_chat", {"stream": True}),
        ("openai_chat", {}),
        ("openai_chat", {"max_completion_tokens": 0, "stream": False}),
        ("gemini", {"generationConfig": {"maxOutputTokens": 100}}),
        ("bedrock", {"inferenceConfig": {"maxTokens": 100}}),
    ],
)
def test_requests_that_ask_for_the_same_share_their_parameters(name: str, asked: dict[str, Any]) -> None:
    read = DIALECTS[name].read_request
    first, second = (read({**BARE[name], **deepcopy(asked)}).unwrap().params for _ in range(2))
    assert first is second
    assert DIALECTS[name].write_request(ChatRequest((), first)).value == {**BARE[name], **asked}


def _limits(outer: str, inner: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Limits of an answer that are nearly the same."""
    one: dict[str, Any] = {outer: {inner: 1}}
    others = [{outer: {inner: other}} for other in (True, None, "1")]
    return [*((one, other) for other in others), ({outer: {}}, {}), ({outer: None}, {}), (one, {outer: {inner: 1, "x": 1}})]


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("openai_chat", ({"temperature": 0.0}, {"temperature": -0.0})),
        ("openai_chat", ({"max_completion_tokens": 1}, {"max_completion_tokens": True})),
        ("openai_chat", ({"max_completion_tokens": 1}, {"max_completion_tokens": 1.0})),
        ("openai_chat", ({"stream": True}, {"stream": 1})),
        ("openai_chat", ({"stream": None}, {})),
        ("openai_chat", ({"max_completion_tokens": None}, {})),
        ("openai_chat", ({"model": None}, {})),
        *(("gemini", pair) for pair in _limits("generationConfig", "maxOutputTokens")),
        *(("bedrock", pair) for pair in _limits("inferenceConfig", "maxTokens")),
        ("bedrock", ({"inferenceConfig": {"maxTokens": 1}, "system": []}, {"inferenceConfig": {"maxTokens": 1}})),
        ("bedrock", ({"inferenceConfig": {"maxTokens": 1}, "system": None}, {"inferenceConfig": {"maxTokens": 1}})),
        ("bedrock", ({"inferenceConfig": {"maxTokens": 1}, "modelId": None}, {"inferenceConfig": {"maxTokens": 1}})),
    ],
)
def test_what_python_takes_for_the_same_stays_two(name: str, pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    dialect = DIALECTS[name]
    for asked in (*pair, *reversed(pair)):
        body: dict[str, Any] = {**BARE[name], **asked}
        read = dialect.read_request(body)
        assert isinstance(read, Failure) or Json.of(dialect.write_request(read.unwrap()).value) == Json.of(body)
