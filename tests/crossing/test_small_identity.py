"""Spellings that few use: each body comes home as it was, without a loss."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from wire.values import same

from chatadt import DIALECTS, Policy, convert

WAV: Final = "UklGRgAAAABXQVZF"
USER: Final[dict[str, Any]] = {"role": "user", "content": "hi"}
MCP: Final[dict[str, Any]] = {"id": "c1", "type": "mcp", "mcp": {}}
CALL: Final[dict[str, Any]] = {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "{}"}}
USE: Final[dict[str, Any]] = {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}]}
ASKED: Final[dict[str, Any]] = {"role": "model", "parts": [{"functionCall": {"id": "a", "name": "f", "args": {}}}]}
ANSWER: Final[dict[str, Any]] = {"functionResponse": {"id": "a", "name": "f", "response": {"output": "x"}}}


def spoken(name: str) -> Any:
    return {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": WAV, "format": name}}]}]}


def refused(content: str | None, *calls: Any) -> Any:
    return {"messages": [USER, {"role": "assistant", "content": content, "refusal": "r", "tool_calls": [*calls]}]}


def tool(**fields: Any) -> Any:
    return {"messages": [USER], "tools": [{"type": "function", "function": {"name": "f", **fields}}]}


def told(**fields: Any) -> Any:
    return {"messages": [USE, {"role": "user", "content": [{"toolResult": {"toolUseId": "a", **fields}}]}]}


def used(value: Any) -> Any:
    use = {"toolUse": {"toolUseId": "a", "name": "f", "input": value}}
    return {"messages": [{"role": "user", "content": [{"text": "a"}]}, {"role": "assistant", "content": [use]}]}


def schema(value: Any) -> Any:
    tools = [{"toolSpec": {"name": "f", "inputSchema": {"json": value}}}]
    return {"messages": [{"role": "user", "content": [{"text": "a"}]}], "toolConfig": {"tools": tools}}


TEXT: Final[dict[str, Any]] = {"type": "text", "text": "a"}
SEEN: Final[dict[str, Any]] = {"type": "image_url", "image_url": "data:image/png;base64,iVBORw0KGgo="}


def shown(*chunks: Any) -> Any:
    called = {"role": "assistant", "content": "", "tool_calls": [{**CALL, "id": "abcdefghi"}]}
    return {"messages": [USER, called, {"role": "tool", "tool_call_id": "abcdefghi", "content": [*chunks]}]}


BODIES: Final[list[tuple[str, Any]]] = [
    *((name, spoken(form)) for name in ("openai_chat", "mistral") for form in ("wav", "WAV", "mp3", "mpeg", "Mp3", " x;y ", "")),
    ("openai_chat", refused(None, MCP)),
    ("openai_chat", refused("t", MCP, CALL)),
    ("openai_chat", refused("t", CALL, MCP)),
    *((name, tool(**fields)) for name in ("ollama", "cohere", "mistral") for fields in ({}, {"parameters": None})),
    *(("bedrock", told(**fields)) for fields in ({}, {"content": None}, {"content": []}, {"content": [{"text": "a"}]})),
    *(("bedrock", used(value)) for value in ([], [1], "x", "", 1, None, {}, {"value": []})),
    *(("bedrock", schema(value)) for value in ({}, {"$ref": "#/a"}, {"anyOf": []}, {"type": ["object", "null"]}, [], None, "x")),
    *(
        ("mistral", shown(*chunks))
        for chunks in ((SEEN,), (TEXT, SEEN), (SEEN, TEXT), ({**SEEN, "image_url": {"url": "https://e.org/a"}},))
    ),
    *(
        ("gemini", {"contents": [ASKED, {"role": "user", key: {"a": 1}, "parts": [ANSWER]}]})
        for key in ("$note", "$kept", "$$own", "x")
    ),
]


@pytest.mark.parametrize(("name", "body"), BODIES)
def test_it_comes_home(name: str, body: Any) -> None:
    dialect = DIALECTS[name]
    written = dialect.write_request(dialect.read_request(deepcopy(body)).unwrap())
    assert same(dialect.canonical(written.value), dialect.canonical(body))
    assert written.losses == ()


def test_a_format_crosses_as_the_medium_that_it_is() -> None:
    there = convert(spoken("mpeg"), "mistral", "openai_chat", policy=Policy.LENIENT).unwrap()
    assert there.value["messages"][0]["content"][0]["input_audio"]["format"] == "mp3"


def test_arguments_that_are_no_object_cross_with_their_loss() -> None:
    there = convert(used([]), "bedrock", "anthropic", policy=Policy.LENIENT).unwrap()
    assert "arguments" in {loss.what for loss in there.losses}
