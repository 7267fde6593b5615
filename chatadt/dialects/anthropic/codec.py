"""The names that Anthropic Messages has for the words.

Source: the request types of POST /v1/messages in the official SDK (`anthropic.types`, 2.14).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

from cattrs import Converter

from chatadt._hooks import register, structuring
from chatadt._wire import UNKNOWN, Wire, boolean, integer, json, leftover, plain_json, same, string
from chatadt.chat import Effort, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects._codec import at, base64, noted, parsed, tool_name
from chatadt.dialects._media import file_reference, is_web
from chatadt.error import Unexpected
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

__all__ = ("CODEC", "EFFORTS", "NAME", "SAMPLING", "VENDOR", "register_messages")

NAME: Final = "anthropic"
VENDOR: Final = "anthropic"
"""Whose Files API a file id belongs to."""

SAMPLING: Final = ("temperature", "top_p", "top_k")
"""Parameters that the newest models do not take any more."""

EFFORTS: Final[Mapping[str, Effort]] = {
    effort.value: effort for effort in (Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH, Effort.MAX)
}


def _source(value: Any) -> Resource.T:
    """The resource of an image or document; keys beyond the medium stay in its extras."""
    if value.__class__ is not dict:
        raise Unexpected.of("a source, which is an object", value)
    match value.get("type"):
        case "base64":
            return _by_value(value)
        case "url":
            resource = _by_url(value)
            return resource if is_web(resource.uri) else noted(resource, NAME, "$own", True)
        case "file":
            rest = {key: item for key, item in value.items() if key not in ("type", "file_id")}
            id_ = at(".file_id", string, value.get("file_id"))
            return Resource.Ref(file_reference(VENDOR, id_), extras=leftover(rest, NAME))
        case "text":
            return _text_source(value)
        case _ as kind:
            raise Unexpected.of("a source of type base64, url, file or text", kind, ".type")


def _text_source(value: dict[str, Any]) -> Resource.Binary:
    """A document that stands as its text; the note keeps it apart from one that stands as base64."""
    text = at(".data", string, value.get("data"))
    content = b64encode(text.encode(errors="surrogatepass")).decode()
    kind = value.get("media_type")
    rest = {
        key: item
        for key, item in value.items()
        if key not in ("type", "data") and not (key == "media_type" and item.__class__ is str and item)
    }
    return Resource.Binary.trusted(
        content, kind if isinstance(kind, str) and kind else None, leftover(rest, NAME, {"$source": "text"})
    )


def _media_type(value: Any) -> str:
    if not string(value).strip():
        raise Unexpected.of("a media type", value)
    return str(value)


def _uri(value: Any) -> str:
    if not string(value).strip():
        raise Unexpected.of("a URL", value)
    return str(value)


def _input(value: Any) -> Arguments.T:
    return parsed(json(value))


def _outcome(value: Any) -> Any:
    return Outcome.ERROR if boolean(value) else UNKNOWN


CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, ("type", "text"), {"text": Wire("text", string, same)}),
    (Content.Reasoning, ("type", "thinking"), {"text": Wire("thinking", string, same)}),
    (Content.Image, ("type", "image"), {"resource": Wire("source", _source, None)}),
    (
        Content.PDF,
        ("type", "document"),
        {"resource": Wire("source", _source, None), "name": Wire("title", string, same, optional=True)},
    ),
    (
        Content.File,
        ("type", "document"),
        {"resource": Wire("source", _source, None), "name": Wire("title", string, same, optional=True)},
    ),
    (
        Content.ToolRequest,
        ("type", "tool_use"),
        {"id": Wire("id", string, same), "name": Wire("name", tool_name, same), "arguments": Wire("input", _input, None)},
    ),
    (
        Resource.Binary,
        ("type", "base64"),
        {"content": Wire("data", base64, same), "mime_type": Wire("media_type", _media_type, None)},
    ),
    (Resource.Ref, ("type", "url"), {"uri": Wire("url", _uri, same)}),
    (
        Tool,
        None,
        {
            "name": Wire("name", tool_name, same),
            "description": Wire("description", string, same, optional=True),
            "parameters": Wire("input_schema", json, plain_json, optional=True),
            "strict": Wire("strict", boolean, same, optional=True),
        },
    ),
    (ToolChoice.Auto, ("type", "auto"), {}),
    (ToolChoice.Never, ("type", "none"), {}),
    (ToolChoice.Required, ("type", "any"), {}),
    (ToolChoice.One, ("type", "tool"), {"name": Wire("name", tool_name, same)}),
    (ResponseFormat.JsonSchema, ("type", "json_schema"), {"schema": Wire("schema", json, plain_json)}),
    (Thinking.Off, ("type", "disabled"), {}),
    (Thinking.Adaptive, ("type", "adaptive"), {}),
    (Thinking.Budget, ("type", "enabled"), {"tokens": Wire("budget_tokens", integer, same)}),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)

_by_value: Final = structuring(CODEC, Resource.Binary)
_by_url: Final = structuring(CODEC, Resource.Ref)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, "system"), (Message.User, "user"), (Message.Assistant, "assistant")):
        register(CODEC, case, {"contents": Wire("content", contents[case], None, plain=True)}, dialect=NAME, tag=("role", role))
    result = {
        "id": Wire("tool_use_id", string, same),
        "contents": Wire("content", contents[Message.ToolResult], None, plain=True, optional=True, default=()),
        "outcome": Wire("is_error", _outcome, None, optional=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("type", "tool_result"))
