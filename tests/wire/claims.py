"""What a request says, piece by piece, apart from how it is spelt: the same walk reads what went in and what came out.

It knows the two wire formats' field names only to tell content from spelling: role names, type tags and the ids that tie a call
to its result are spelling, and so is null or an empty string where a provider takes it for nothing. Everything else is a claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from .rules import data_url
from .values import Where, nearest

__all__ = ("Claim", "Fact", "Kind", "claims", "facts")


class Kind(Enum):
    """How a claim is looked for."""

    TEXT = "text"
    NAME = "name"
    MEDIUM = "medium"
    VALUE = "value"
    ECHO = "echo"


class Claim(NamedTuple):
    """One thing that was said: a text, a name, a base64 payload (`key` is its media type), or a JSON value under a key.

    An echo is the name on a tool's message which repeats what the call says: it may go, but the loss of it names nothing else.
    """

    kind: Kind
    key: str
    value: Any
    where: Where


class Fact(NamedTuple):
    """One parameter of the request under the name that both formats share here."""

    name: str
    value: Any
    where: Where


_CONTAINERS: Final = frozenset(
    {
        "messages",
        "content",
        "system",
        "tools",
        "functions",
        "tool_calls",
        "function_call",
        "function",
        "custom",
        "image_url",
        "file",
    }
    | {"input_audio", "source", "response_format", "json_schema", "output_config", "output_format", "format", "tool"}
)
"""Fields that hold what is said rather than being it: the walk goes through them."""

_VALUES: Final[Mapping[str, str]] = {
    "arguments": "arguments",
    "input": "arguments",
    "parameters": "schema",
    "input_schema": "schema",
    "schema": "schema",
}
"""Fields whose value is one JSON value, and its name here: arguments and schemas keep every number, null and empty list."""

_TEXTS: Final = frozenset(
    {"text", "content", "thinking", "reasoning", "reasoning_content", "refusal", "description", "url", "data", "title", "filename"}
    | {"file_data", "file_id", "signature", "context", "image_url", "document_url"}
)
_NAMES: Final = frozenset({"name"})
_SPELLING: Final = frozenset({"role", "type", "tool_call_id", "tool_use_id"})
_NOTHING: Final = ({"is_error": False}, {"detail": "auto"})
"""What says no more than its absence."""

_FACTS: Final[Mapping[str, str]] = {
    "model": "model",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "seed": "seed",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "service_tier": "service_tier",
    "max_tokens": "limit",
    "max_completion_tokens": "limit",
    "user": "user",
    "reasoning_effort": "effort",
}
_CHOICES: Final[Mapping[str, str]] = {"required": "any", "any": "any", "auto": "auto", "none": "none"}
_THINKING: Final[Mapping[Any, str]] = {"enabled": "on", "disabled": "off", "adaptive": "adaptive", True: "on", False: "off"}


def claims(body: Mapping[str, Any]) -> Iterator[Claim]:
    """Everything that a request says besides its parameters (see `facts`)."""
    _, rest = _parted(body)
    for field, value in rest.items():
        yield from _field(field, value, ())


def facts(body: Mapping[str, Any]) -> list[Fact]:
    """The parameters of a request that both formats have words for; those with the default value left out."""
    return _parted(body)[0]


def _field(field: str, value: Any, where: Where) -> Iterator[Claim]:
    here = (*where, field)
    if value is None or value == "" or (field in _SPELLING and isinstance(value, str)) or {field: value} in _NOTHING:
        return
    if field in _VALUES:
        yield from _json(_VALUES[field], value, here)
    elif field not in _CONTAINERS and isinstance(value, dict | list):
        if value:
            yield Claim(Kind.VALUE, field, value, here)
    else:
        yield from _walk(value, here)


def _walk(value: Any, where: Where) -> Iterator[Claim]:
    match value:
        case {"type": "base64", "media_type": str(kind), "data": str(data)}:
            yield Claim(Kind.MEDIUM, kind, data, where)
        case {"type": "text", "media_type": "text/plain", "data": str(data)}:
            yield Claim(Kind.TEXT, "data", data, where)
        case {"data": str(data), "format": str(form)} if where[-1] == "input_audio":
            yield Claim(Kind.MEDIUM, f"audio/{form}", data, where)
        case dict():
            tie = {"id"} if _is_call(value) else set[str]()
            said = [claim for field, inner in value.items() if field not in tie for claim in _field(field, inner, where)]
            yield from said or _bare(value, where)
        case list():
            for index, (inner, echo) in enumerate(_echoes(value)):
                yield from [Claim(Kind.ECHO, "name", echo, (*where, index, "name"))] if echo else ()
                yield from _walk(inner, (*where, index))
        case str():
            yield from _text(value, where)
        case None:
            return
        case _:  # a number, true or false
            yield Claim(Kind.VALUE, nearest(where), value, where)


def _bare(block: Mapping[str, Any], where: Where) -> Iterator[Claim]:
    """A block that says nothing but what it is still says that; an empty text says nothing."""
    if "content" in where and block.get("type") not in {None, "text", "thinking", "reasoning", "refusal", "tool_result"}:
        yield Claim(Kind.VALUE, "type", block["type"], where)


def _text(text: str, where: Where) -> Iterator[Claim]:
    key = nearest(where)
    if content := data_url(text):
        yield Claim(Kind.MEDIUM, content[0], content[1], where)
    elif text and key in _NAMES:
        yield Claim(Kind.NAME, key, text, where)
    elif text:
        yield Claim(Kind.TEXT if key in _TEXTS or key in _CONTAINERS else Kind.VALUE, key, text, where)


def _json(key: str, value: Any, where: Where) -> Iterator[Claim]:
    """Arguments and schemas; text that is no JSON stays text."""
    if not isinstance(value, str):
        yield Claim(Kind.VALUE, key, value, where)
        return
    try:
        yield Claim(Kind.VALUE, key, json.loads(value) if value.strip() else {}, where)
    except (ValueError, RecursionError):
        yield Claim(Kind.TEXT, key, value, where)


def _is_call(value: Mapping[str, Any]) -> bool:
    """Whether the id of an object only ties a call to its result."""
    return "function" in value or "custom" in value or str(value.get("type")).endswith("tool_use")


def _echoes(items: list[Any]) -> Iterator[tuple[Any, str | None]]:
    """Each item, without the name of a tool's message where it repeats the name in the call with that id, and that name."""
    called = dict(call for item in items for call in _calls(item))
    for item in items:
        echo = called.get(str(item.get("tool_call_id"))) if isinstance(item, dict) else None
        if echo is not None and item.get("name") == echo:
            yield {field: value for field, value in item.items() if field != "name"}, echo
        else:
            yield item, None


def _calls(message: Any) -> Iterator[tuple[str, str]]:
    """Id and name of the calls of a chat message."""
    match message:
        case {"tool_calls": [*calls]}:
            for call in calls:
                match call:
                    case {"id": str(id), "function": {"name": str(name)}}:
                        yield id, name
                    case _:  # a call that could not be answered by name
                        continue
        case _:  # not a message with calls
            return


def _parted(body: Mapping[str, Any]) -> tuple[list[Fact], dict[str, Any]]:
    """The parameters, and the body without them."""
    found: list[Fact] = []
    rest: dict[str, Any] = {}
    for field, value in body.items():
        known, left = _parameter(field, value)
        found += [Fact(name, inner, (field, *where)) for name, inner, where in known]
        if left is not None:
            rest[field] = left
    return [fact for fact in found if fact[:2] not in _DEFAULTS], rest


_DEFAULTS: Final = (("stream", False), ("parallel", True), ("format", "text"))


def _parameter(field: str, value: Any) -> tuple[list[tuple[str, Any, Where]], Any]:
    """The facts that a field of the request states (name, value, path), and what it says beyond them."""
    match field, value:
        case _, None:
            return [], None
        case "stream", bool():
            return [("stream", value, ())], None
        case _, str() | int() | float() if field in _FACTS:
            return [(_FACTS[field], value, ())], None
        case "stop" | "stop_sequences", str():
            return [("stop", value, ())], None
        case "stop" | "stop_sequences", [*texts]:
            return [("stop", text, (at,)) for at, text in enumerate(texts)], None
        case "parallel_tool_calls", bool():
            return [("parallel", value, ())], None
        case "tool_choice" | "function_call", str() if value in _CHOICES:
            return [("choice", _CHOICES[value], ())], None
        case "function_call", {"name": str(name), **rest} if not rest:
            return [("choice", f"one {name}", ("name",))], None
        case "tool_choice", {"type": "function", "function": {"name": str(name)}}:
            return [("choice", f"one {name}", ())], None
        case "tool_choice", {"type": str(kind)} if kind in {*_CHOICES, "tool"}:
            return _anthropic_choice(kind, value)
        case "metadata", {"user_id": user}:
            return [("user", user, ("user_id",))], {key: inner for key, inner in value.items() if key != "user_id"} or None
        case "enable_thinking", bool():
            return [("thinking", _THINKING[value], ())], None
        case "thinking" | "reasoning" | "output_config" | "response_format" | "output_format", dict():
            return _inner_parameters(field, value)
        case _:  # no parameter that both formats know
            return [], value


_INNER_FACTS: Final[Mapping[tuple[str, str], str]] = {
    ("thinking", "type"): "thinking",
    ("thinking", "budget_tokens"): "budget",
    ("reasoning", "enabled"): "thinking",
    ("reasoning", "max_tokens"): "budget",
    ("reasoning", "effort"): "effort",
    ("output_config", "effort"): "effort",
    ("response_format", "type"): "format",
    ("output_format", "type"): "format",
}


def _inner_parameters(field: str, value: dict[str, Any]) -> tuple[list[tuple[str, Any, Where]], Any]:
    stated = {
        key: name
        for (outer, key), name in _INNER_FACTS.items()
        if outer == field and isinstance(value.get(key), str | int) and value[key] != "json_schema"
    }
    found: list[tuple[str, Any, Where]] = [
        (name, _THINKING.get(value[key], value[key]) if name == "thinking" else value[key], (key,)) for key, name in stated.items()
    ]
    return found, {key: inner for key, inner in value.items() if key not in stated} or None


def _anthropic_choice(kind: str, value: dict[str, Any]) -> tuple[list[tuple[str, Any, Where]], Any]:
    choice = f"one {value.get('name')}" if kind == "tool" else _CHOICES[kind]
    off = value.get("disable_parallel_tool_use")
    parallel: list[tuple[str, Any, Where]] = [] if off is None else [("parallel", not off, ("disable_parallel_tool_use",))]
    left = {key: inner for key, inner in value.items() if key not in {"type", "name", "disable_parallel_tool_use"}}
    return [("choice", choice, ("type",)), *parallel], left or None
