"""Requests without what is known to break a law, so that the law is tried on all the rest."""

from __future__ import annotations

import json
from typing import Any

from chatadt import ChatRequest, Content, Message, ToolChoice, dumps, loads

__all__ = ("breaks_the_writer", "plainer")


def plainer(request: ChatRequest, dialect: str) -> ChatRequest:
    """The request without words that are the dialect's own: a law knows no more of them than that they are quoted."""
    found = json.loads(dumps(request))
    messages = [_without_own(message, dialect) for message in found["messages"] if not _is_own(message, dialect)]
    word = loads(json.dumps({**found, "messages": messages, "params": _without_own(found["params"], dialect)})).unwrap()
    assert isinstance(word, ChatRequest)
    return word


def _is_own(value: Any, dialect: str) -> bool:
    return isinstance(value, dict) and value.get("type") in ("custom", "provider_tool") and value.get("dialect") == dialect


def _without_own(value: Any, dialect: str) -> Any:
    match value:
        case {"type": "custom" | "provider_tool"}:
            return value
        case dict():
            extras = {name: own for name, own in value.get("extras", {}).items() if name != dialect}
            rest = {
                key: _without_own(inner, dialect) for key, inner in value.items() if key != "extras" and not _is_own(inner, dialect)
            }
            return {**rest, **({"extras": extras} if extras else {})}
        case list():
            return [_without_own(inner, dialect) for inner in value if not _is_own(inner, dialect)]
        case _:  # a scalar
            return value


def breaks_the_writer(request: ChatRequest, dialect: str) -> bool:
    """Whether a word that is the dialect's own is none that its reader could have read: no object, or without a type."""
    quoted = [request.params.tool_choice, *request.messages]
    quoted += [content for message in request.messages if not isinstance(message, Message.Custom) for content in message.contents]
    return any(_is_foreign(word, dialect) for word in quoted)


def _is_foreign(word: object, dialect: str) -> bool:
    match word:
        case Content.Custom(dialect=own, value=document) | ToolChoice.Custom(dialect=own, value=document) if own == dialect:
            value = document.value
            return not isinstance(value, dict) or not isinstance(value.get("type"), str)
        case Message.Custom(dialect=own):
            return own == dialect
        case _:  # a word that everybody knows
            return False
