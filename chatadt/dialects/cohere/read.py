"""Cohere JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from chatadt._hooks import structuring
from chatadt._wire import each, json, string
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import at, noted, plain_text, reading
from chatadt.dialects._openai_like.plain import plain_messages
from chatadt.dialects._openai_like.read import (
    by_role,
    image_reader,
    keeping_empty,
    parts_of,
    request_reader,
    said_and_asked,
    tool_call_reader,
    type_of,
)
from chatadt.dialects.cohere.codec import CODEC, NAME, PLAN, image_of, register_messages
from chatadt.dialects.cohere.params import read_params
from chatadt.json import Extras, dump
from chatadt.message import Message

__all__ = ("read_assistant", "read_request")

_KNOWN: Final = "text, image_url, thinking, document"
_PLANNED: Final = Extras({NAME: {"$key": PLAN}})


# --- messages ------------------------------------------------------------------------------------------------------------------


def _messages(value: Any) -> tuple[Message.T, ...]:
    plain = plain_messages(value, _BY_ROLE, null_is_nothing=False)
    return name_results(each(_message, value)) if plain is None else plain


def _assistant_contents(value: dict[str, Any]) -> tuple[tuple[Content.Output, ...], int]:
    """What was said, the plan, and the calls that it is about."""
    said, asked, used = said_and_asked(value, _said, _tool_call)
    plan: Any = value.get(PLAN)
    if plan in (None, []):
        return said + asked, used
    return (*said, Content.Reasoning(at(f".{PLAN}", string, plan), _PLANNED), *asked), used + 1


def _inputs(value: Any) -> tuple[Content.Input, ...]:
    return each(_part, parts_of(value))


def _instructions(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return each(_text_part, parts_of(value))


def _results(value: Any) -> tuple[Content.Input, ...]:
    return each(_result_part, parts_of(value))


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _text_part(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if type_of(value, _KNOWN) == "text" else Content.Custom(NAME, json(value))


def _part(value: Any) -> Content.Input:
    return _picture(value) if type_of(value, _KNOWN) == "image_url" else _text_part(value)


def _said(value: Any) -> Content.Output:
    return _thought(value) if type_of(value, _KNOWN) == "thinking" else _text_part(value)


def _thought(value: Any) -> Content.Reasoning:
    thought = _thinking(value)
    return thought if thought.text else noted(thought, NAME, "$empty", True)


def _result_part(value: Any) -> Content.Text | Content.Custom:
    """A text, or a document, whose data become JSON text."""
    type_of(value, _KNOWN)
    match value:
        case {"type": "document", "document": {"data": data}} if data.__class__ is dict:
            return plain_text(dump(data))
        case _:
            return _text_part(value)


def _tool(value: Any) -> Message.T:
    """A tool result; a note says which of its texts were documents, and what they said besides their data is kept."""
    message = _read_tool(value)
    if value["content"].__class__ is not list:
        return message
    found = {str(index): _about(part) for index, part in enumerate(value["content"]) if part["type"] == "document"}
    documents = {index: about for index, about in found.items() if about is not None}
    message = message if not documents else noted(message, NAME, "$documents", list(documents))
    kept = {index: about for index, about in documents.items() if about}
    return message if not kept else noted(message, NAME, "documents", kept)


def _about(value: dict[str, Any]) -> dict[str, Any] | None:
    """What a part says besides its data, if it is a document."""
    document: Any = value.get("document")
    if document.__class__ is not dict or document.get("data").__class__ is not dict:
        return None
    inner = {key: item for key, item in document.items() if key != "data"}
    outer = {key: item for key, item in value.items() if key not in ("type", "document")}
    return {**outer, "document": inner} if inner else outer


# --- hooks ---------------------------------------------------------------------------------------------------------------------


register_messages(
    {Message.System: _instructions, Message.User: _inputs, Message.Assistant: _assistant_contents, Message.ToolResult: _results}
)

_text: Final = structuring(CODEC, Content.Text)
_thinking: Final = structuring(CODEC, Content.Reasoning)
_picture: Final = image_reader(NAME, structuring(CODEC, Content.Image), image_of)
_tool_call: Final = tool_call_reader(NAME, structuring(CODEC, Content.ToolRequest))
_read_tool: Final = keeping_empty(NAME, structuring(CODEC, Message.ToolResult))
read_assistant: Final = structuring(CODEC, Message.Assistant)
"""Reads the message of an assistant; raises `Unexpected`."""
_BY_ROLE: Final[Mapping[Any, Callable[[Any], Message.T]]] = {
    "user": keeping_empty(NAME, structuring(CODEC, Message.User)),
    "assistant": read_assistant,
    "tool": _tool,
    "system": keeping_empty(NAME, structuring(CODEC, Message.System)),
}
_message: Final = by_role(NAME, _BY_ROLE)

read_request: Final = reading(NAME, request_reader(_messages, read_params))
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
