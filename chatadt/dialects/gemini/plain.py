"""The short way through Gemini's contents: texts, calls and results with ids, media by value.

It takes only fields that it knows, each in camelCase, so nothing that it reads need be looked through for other spellings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from chatadt._wire import leftover
from chatadt.content import Content
from chatadt.dialects._codec import plain_request, plain_result, plain_text
from chatadt.dialects._plain import Names, plain_turns
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.rules import DUMMY_SIGNATURE
from chatadt.json import NO_EXTRAS, dump
from chatadt.message import Message

__all__ = ("plain_contents",)

_DUMMY: Final = leftover({}, NAME, {"$dummy": True})
_UNSIGNED: Final = leftover({}, NAME, {"$unsigned": True})
_MEDIUM: Final = frozenset({"mimeType", "data"})


def plain_contents(values: Any, read_medium: Callable[[Any], Content.Input]) -> tuple[Message.T, ...] | None:
    """The messages of contents; None where anything else is said."""

    def told(part: Any, _: Names) -> Content.Input | Message.ToolResult | None:
        if len(part) != 1:
            return None
        if "functionResponse" in part:
            return _plain_result(part["functionResponse"])
        if (text := part.get("text")).__class__ is str:
            return plain_text(text)
        return read_medium(part) if part["inlineData"].keys() == _MEDIUM else None

    return plain_turns(values, ("model", "parts"), _said, told)


def _said(parts: list[Any], _: Names) -> tuple[Content.Output, ...] | None:
    said: list[Content.Output] = []
    extras = _UNSIGNED  # of the first call that has no signature: only the first one of a turn is signed
    for part in parts:
        if len(part) == 1 and (text := part.get("text")).__class__ is str:
            said.append(plain_text(text))
            continue
        call = part["functionCall"]
        id_, name, arguments = call["id"], call["name"], call["args"]
        if len(call) != 3 or id_.__class__ is not str or not id_ or arguments.__class__ is not dict:
            return None
        if name.__class__ is not str or not name or name.isspace():  # as `is_tool_name` has it
            return None
        if len(part) == 2:
            signature = part["thoughtSignature"]
            if signature.__class__ is not str:
                return None
            extras = _DUMMY if signature == DUMMY_SIGNATURE else leftover({"thoughtSignature": signature}, NAME)
        elif len(part) != 1:
            return None
        said.append(plain_request(id_, name, dump(arguments), extras))
        extras = NO_EXTRAS
    return tuple(said)


def _plain_result(told: Any) -> Message.ToolResult | None:
    id_, name, response = told["id"], told["name"], told["response"]
    output = response["output"]
    if len(told) != 3 or len(response) != 1 or id_.__class__ is not str or not id_ or output.__class__ is not str:
        return None
    if name.__class__ is not str or not name or name.isspace():
        return None
    return plain_result(id_, name, output)
