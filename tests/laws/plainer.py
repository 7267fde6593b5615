"""Requests without what is known to break a law, so that the law is tried on all the rest."""

from __future__ import annotations

import json
from typing import Any

from chatadt import ChatRequest, Content, Message, ToolChoice, dumps, loads

__all__ = ("breaks_the_writer", "plainer")


def plainer(request: ChatRequest, dialect: str, *, media_types: bool) -> ChatRequest:
    """The request without words that are the dialect's own, without names of results that have no call, without contents of an
    assistant that refuses before it speaks, and unless `media_types`, without the media types and whatever else of a medium may go
    in silence.
    """
    calls: dict[str, str] = {}
    found = json.loads(dumps(request))
    messages = [_message(message, dialect, calls) for message in found["messages"] if not _is_own(message, dialect)]
    stripped = {**found, "messages": messages, "params": _without_own(found["params"], dialect)}
    word = loads(json.dumps(stripped if media_types else _untyped(_bare(stripped)))).unwrap()
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


def _message(message: Any, dialect: str, calls: dict[str, str]) -> Any:
    plain = _without_own(message, dialect)
    if plain["type"] == "assistant":
        kinds = [content["type"] for content in plain["contents"]]
        if "refusal" in kinds and "text" in kinds[kinds.index("refusal") :]:
            plain["contents"] = [content for content in plain["contents"] if content["type"] != "refusal"]
        calls |= {content["id"]: content["name"] for content in plain["contents"] if content["type"] == "tool_request"}
    elif plain["type"] == "tool" and calls.get(plain["id"]) != plain.get("tool"):
        plain.pop("tool", None)
    return plain


def _bare(request: Any) -> Any:
    """The request, its system and assistant messages without name and extras: both go when nothing of a message can be said."""
    messages = [
        {key: item for key, item in message.items() if key not in ("name", "extras")}
        if message["type"] in ("system", "assistant")
        else message
        for message in request["messages"]
    ]
    return {**request, "messages": messages}


def _untyped(value: Any) -> Any:
    match value:
        case {"type": "ref", "mime_type": _, **rest}:
            return rest | {"type": "ref"}
        case {"type": "audio", "resource": dict(resource)}:
            said = {key: item for key, item in value.items() if key != "transcript" or "uri" not in resource}
            return {**said, "resource": {key: resource[key] for key in ("type", "content", "uri") if key in resource}}
        case {"type": "pdf" | "file", "resource": {"mime_type": _, **resource}}:
            return {**value, "resource": resource}
        case dict():
            return {key: _untyped(inner) for key, inner in value.items()}
        case list():
            return [_untyped(inner) for inner in value]
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
