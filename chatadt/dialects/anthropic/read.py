"""Anthropic JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras.

A user turn of the wire may hold tool results and other blocks: each result becomes a message of its own, each run of other blocks a
user message. A note marks the message that opens a turn where the turn before has the same role.
"""

from __future__ import annotations

from typing import Any, Final, assert_never, cast

from attrs import evolve

from chatadt._hooks import structuring
from chatadt._wire import UNKNOWN, each, json, leftover
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import T, at, noted, plain_text, reading
from chatadt.dialects._turns import Turn, opened, parted_turn, with_rest
from chatadt.dialects.anthropic.codec import CODEC, NAME, register_messages
from chatadt.dialects.anthropic.params import read_params
from chatadt.dialects.anthropic.plain import plain_messages
from chatadt.dialects.anthropic.rules import RULES
from chatadt.error import Unexpected
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("read_request",)

_IMAGES: Final = RULES.media_types["image"]


def _request(body: Any) -> ChatRequest:
    if body.__class__ is not dict:
        raise Unexpected.of("an object with messages", body)
    if "messages" not in body:
        raise Unexpected.missing("a list of messages", ".messages")
    messages = plain_messages(body["messages"], _said, _block, _result) or _messages(body["messages"])
    system = body.get("system")
    if system is not None:
        messages = (Message.System(at(".system", _instructions, system)), *messages)
    return ChatRequest.trusted(messages, read_params(body))


def _messages(values: Any) -> tuple[Message.T, ...]:
    turns = opened(at(".messages", _turns, values), NAME)
    return name_results(tuple(message for turn in turns for message in turn))


# --- turns ---------------------------------------------------------------------------------------------------------------------


def _turns(value: Any) -> tuple[Turn, ...]:
    return each(_turn, value)


def _turn(value: Any) -> Turn:
    if value.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", value)
    match value.get("role"):
        case "user":
            return _user_turn(value)
        case "assistant":
            return (_assistant(value),)
        case "system":
            return (_noted(_system(value), "$inline", True),)
        case str():
            return (Message.Custom(json(value), NAME),)
        case _ as role:
            raise Unexpected.of("a role (user, assistant, system)", role, ".role")


def _user_turn(value: dict[str, Any]) -> Turn:
    content: Any = value.get("content")
    if content.__class__ is not list or not _has_results(content):
        return (_user(value),)
    messages = parted_turn(at(".content", _results_and_blocks, content))
    if len(value) == len(_TURN):
        return messages
    rest = {key: item for key, item in value.items() if key not in _TURN}
    return with_rest(messages, rest, NAME)


_TURN: Final = ("role", "content")
"""The fields that every turn has which holds tool results."""


def _has_results(blocks: list[Any]) -> bool:
    return any(block.__class__ is dict and block.get("type") == "tool_result" for block in blocks)


def _results_and_blocks(value: Any) -> tuple[Any, ...]:
    return each(_result_or_block, value)


def _result_or_block(value: Any) -> Any:
    if value.__class__ is not dict or value.get("type") != "tool_result":
        return _block(value)
    return _result(value)


# --- blocks --------------------------------------------------------------------------------------------------------------------


def _user_contents(value: Any) -> tuple[Content.Input, ...]:
    return (plain_text(value),) if value.__class__ is str else each(_block, _text_or_blocks(value))


def _assistant_contents(value: Any) -> tuple[Content.Output, ...]:
    return (plain_text(value),) if value.__class__ is str else each(_said, _text_or_blocks(value))


def _result_contents(value: Any) -> Any:
    if value == []:
        return UNKNOWN
    return (plain_text(value),) if value.__class__ is str else each(_block, _text_or_blocks(value))


def _instructions(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return (plain_text(value),) if value.__class__ is str else each(_instruction, _text_or_blocks(value))


def _instruction(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if _type(value) == "text" else Content.Custom(NAME, json(value))


def _block(value: Any) -> Content.Input:
    match _type(value):
        case "text":
            return _text_of(value)
        case "image" if not _has_source(value, "text"):  # of a document
            return _picture(value)
        case "document" if not _has_source(value, "content"):
            return _document(value)
        case _:
            return Content.Custom(NAME, json(value))


def _said(value: Any) -> Content.Output:
    match _type(value):
        case "text":
            return _text_of(value)
        case "tool_use":
            request = _tool_request(value)
            return request if value["input"].__class__ is dict else _noted(request, "$own", True)
        case "thinking":
            thought = _thinking_block(value)
            return thought if NAME in thought.extras else _noted(thought, "$unsigned", True)
        case "redacted_thinking":
            rest = {key: item for key, item in value.items() if key != "type"}
            return Content.Reasoning("", leftover(rest, NAME, {"$type": "redacted_thinking"}))
        case _:
            return Content.Custom(NAME, json(value))


def _text_of(value: dict[str, Any]) -> Content.Text:
    is_plain = len(value) == len(_PLAIN) and value.get("text").__class__ is str
    return plain_text(value["text"]) if is_plain else _text(value)


_PLAIN: Final = ("type", "text")
"""The fields that a text has which says nothing else."""


def _picture(value: dict[str, Any]) -> Content.Image:
    image = _image(value)
    resource = image.resource
    if resource.__class__ is Resource.Ref or resource.mime_type in _IMAGES:
        return image
    return evolve(image, resource=_noted(resource, "$own", True))


def _has_source(value: dict[str, Any], kind: str) -> bool:
    source = value.get("source")
    return source.__class__ is dict and cast("dict[str, Any]", source).get("type") == kind


def _document(value: dict[str, Any]) -> Content.PDF | Content.File:
    file = _file(value)
    match file.resource:
        case Resource.Ref(uri=uri):
            return file if uri.startswith("urn:") else Content.PDF(file.resource, file.name, file.extras)
        case Resource.Binary(mime_type="application/pdf") if value["source"]["type"] == "base64":
            return Content.PDF(file.resource, file.name, file.extras)
        case Resource.Binary():
            return evolve(file, resource=_noted(file.resource, "$own", True))
        case _:
            assert_never(file.resource)


def _type(value: Any) -> Any:
    if value.__class__ is not dict:
        raise Unexpected.of("a content block, which is an object", value)
    try:
        return value["type"]
    except KeyError:
        raise Unexpected.missing("the type of a content block (text, image, document, tool_use, tool_result, …)", ".type") from None


def _text_or_blocks(value: Any) -> Any:
    if value.__class__ is not list:
        raise Unexpected.of("a string or a list of content blocks", value)
    return value


# --- hooks ---------------------------------------------------------------------------------------------------------------------


def _noted(word: T, note: str, value: object) -> T:
    return noted(word, NAME, note, value)


register_messages(
    {
        Message.System: _instructions,
        Message.User: _user_contents,
        Message.Assistant: _assistant_contents,
        Message.ToolResult: _result_contents,
    }
)

_text: Final = structuring(CODEC, Content.Text)
_image: Final = structuring(CODEC, Content.Image)
_file: Final = structuring(CODEC, Content.File)
_thinking_block: Final = structuring(CODEC, Content.Reasoning)
_tool_request: Final = structuring(CODEC, Content.ToolRequest)
_system: Final = structuring(CODEC, Message.System)
_user: Final = structuring(CODEC, Message.User)
_assistant: Final = structuring(CODEC, Message.Assistant)
_result: Final = structuring(CODEC, Message.ToolResult)

read_request: Final = reading(NAME, _request)
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
