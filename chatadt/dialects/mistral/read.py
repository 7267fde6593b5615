"""Mistral JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import structuring
from chatadt._sum import changed
from chatadt._wire import each, json
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import T, noted, reading
from chatadt.dialects._openai_like.plain import plain_messages
from chatadt.dialects._openai_like.read import (
    as_spelt,
    by_role,
    image_reader,
    keeping_empty,
    parts_of,
    request_reader,
    said_and_asked,
    tool_call_reader,
    type_of,
)
from chatadt.dialects.mistral.codec import AUDIO_FORMATS, CODEC, IN_RESULT, NAME, image_of, register_messages
from chatadt.dialects.mistral.params import read_params
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("read_assistant", "read_chunk", "read_request")

_KNOWN: Final = "text, image_url, document_url, input_audio, thinking, file, reference"
_OTHER_DOCUMENTS: Final = (".docx", ".pptx", ".xlsx", ".odt", ".epub", ".txt", ".md", ".csv", ".html")
"""How the URL of a document that is no PDF ends."""


# --- messages ------------------------------------------------------------------------------------------------------------------


def _messages(value: Any) -> tuple[Message.T, ...]:
    plain = plain_messages(value, _BY_ROLE, null_is_nothing=False)
    return name_results(each(_message, value)) if plain is None else plain


def _tool(value: Any) -> Message.T:
    message = _read_tool(value)
    if any(map(_is_medium, message.contents)):
        contents: Any = tuple(_noted(content, IN_RESULT, True) if _is_medium(content) else content for content in message.contents)
        message = changed(message, "contents", contents)
    return message if message.tool is None else _noted(message, "$named", True)


def _is_medium(content: Content.Input) -> bool:
    return not isinstance(content, Content.Text | Content.Custom)


def read_assistant(value: Any) -> Message.T:
    """An assistant message; one that says it is no prefix says nothing, and a note of how."""
    if value.get("prefix") is not False:
        return _read_assistant(value)
    return _noted(_read_assistant({key: item for key, item in value.items() if key != "prefix"}), "$prefix", False)


def _assistant_contents(value: dict[str, Any]) -> tuple[tuple[Content.Output, ...], int]:
    said, asked, used = said_and_asked(value, read_chunk, _tool_call)
    return said + asked, used


def _inputs(value: Any) -> tuple[Content.Input, ...]:
    return () if value is None else each(_chunk, parts_of(value))


def _instructions(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return each(_instruction, parts_of(value))


# --- chunks --------------------------------------------------------------------------------------------------------------------


def _instruction(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if type_of(value, _KNOWN) == "text" else Content.Custom(NAME, json(value))


def _chunk(value: Any) -> Content.Input:
    match type_of(value, _KNOWN):
        case "text":
            return _text(value)
        case "image_url":
            return _picture(value)
        case "document_url":
            return _document(value)
        case "input_audio":
            return _sound(value)
        case "file" if "file_id" in value:
            return _file(value)
        case _:
            return Content.Custom(NAME, json(value))


def read_chunk(value: Any) -> Content.Output:
    """A chunk that an assistant says."""
    match type_of(value, _KNOWN):
        case "text":
            return _text(value)
        case "thinking" if value.get("thinking").__class__ is list:
            return _thought(value)
        case _:
            return Content.Custom(NAME, json(value))


def _thought(value: dict[str, Any]) -> Content.Reasoning:
    """A thinking chunk. Of several texts or none the lengths are noted; anything besides is kept, and is no mere spelling."""
    thought = _thinking(value)
    items = value["thinking"]
    if not all(_is_text(item) for item in items):
        return _noted(thought, "thinking", items)
    return thought if len(items) == 1 and thought.text else _noted(thought, "$lengths", [len(item["text"]) for item in items])


def _is_text(item: Any) -> bool:
    match item:
        case {"type": "text", "text": str(), **rest}:
            return not rest
        case _:
            return False


def _document(value: dict[str, Any]) -> Content.PDF | Content.File:
    found = as_spelt(_pdf(value), NAME)
    if _is_pdf(found.resource):
        return found
    return _noted(Content.File(found.resource, found.name, found.extras), "$document_url", True)


def _is_pdf(resource: Resource.T) -> bool:
    match resource:
        case Resource.Ref(uri=uri):
            return not uri.partition("?")[0].lower().endswith(_OTHER_DOCUMENTS)
        case Resource.Binary(mime_type=mime_type):
            return mime_type == "application/pdf"
        case _:
            assert_never(resource)


def _sound(value: dict[str, Any]) -> Content.Audio:
    """Audio; a note says how it stood, unless it was bare base64."""
    audio, given = _audio(value), value["input_audio"]
    if given.__class__ is dict:
        rest = {key: item for key, item in given.items() if key not in ("data", "format")}
        audio = audio if not rest else _noted(audio, "input_audio", rest)
        audio = audio if given["format"] in AUDIO_FORMATS else _noted(audio, "$format", given["format"])
        return _noted(audio, "$input_audio", "object")
    return _noted(audio, "$input_audio", "url") if given.startswith("data:") else audio


# --- hooks ---------------------------------------------------------------------------------------------------------------------


def _noted(word: T, note: str, value: object) -> T:
    return noted(word, NAME, note, value)


register_messages(
    {Message.System: _instructions, Message.User: _inputs, Message.Assistant: _assistant_contents, Message.ToolResult: _inputs}
)

_text: Final = structuring(CODEC, Content.Text)
_pdf: Final = structuring(CODEC, Content.PDF)
_file: Final = structuring(CODEC, Content.File)
_audio: Final = structuring(CODEC, Content.Audio)
_thinking: Final = structuring(CODEC, Content.Reasoning)
_picture: Final = image_reader(NAME, structuring(CODEC, Content.Image), image_of)
_tool_call: Final = tool_call_reader(NAME, structuring(CODEC, Content.ToolRequest))
_read_assistant: Final = structuring(CODEC, Message.Assistant)
_read_tool: Final = keeping_empty(NAME, structuring(CODEC, Message.ToolResult))
_BY_ROLE: Final[Mapping[Any, Callable[[Any], Message.T]]] = {
    "user": keeping_empty(NAME, structuring(CODEC, Message.User)),
    "assistant": read_assistant,
    "tool": _tool,
    "system": keeping_empty(NAME, structuring(CODEC, Message.System)),
}
_message: Final = by_role(NAME, _BY_ROLE)

read_request: Final = reading(NAME, request_reader(_messages, read_params))
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
