"""OpenAI Responses JSON -> the words: the JSON's shape picks the case, the codec fills it, what is left over goes to the extras.

The input is a flat list of items. Those of a model that follow each other are one message of the assistant (see `turn`), any other
item is a message of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import structuring
from chatadt._wire import each, json, string
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import answered, has_free_form, name_results
from chatadt.dialects._codec import T, at, plain_text, reading
from chatadt.dialects.openai_responses.codec import (
    CODEC,
    FILE_KEYS,
    IMAGE_FILLERS,
    IMAGE_KEYS,
    NAME,
    list_of_parts,
    register_messages,
    type_of,
    unfilled,
    with_notes,
)
from chatadt.dialects.openai_responses.params import BEFORE, read_params
from chatadt.dialects.openai_responses.plain import plain_messages
from chatadt.dialects.openai_responses.said import Said, custom_call, function_call, grouped, reasoning, said, spoken
from chatadt.error import Problem, Unexpected
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("read_request",)

_BY_MODEL: Final = frozenset(
    {
        *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "computer_call"),
        *("local_shell_call", "shell_call", "apply_patch_call", "tool_search_call", "program", "program_output"),
        *("mcp_call", "mcp_list_tools", "mcp_approval_request", "compaction"),
    }
)
"""Types of items that a model, or its server, puts into an answer, besides those that there are words for."""


def _request(body: Any) -> ChatRequest:
    if body.__class__ is not dict:
        raise Unexpected.of("an object with an input", body)
    if "input" not in body and (others := sorted(_OF_OTHERS & body.keys())):
        raise Unexpected(Problem(".input", "an input: a string or a list of items", f"{others[0]}, which another dialect has"))
    messages = (*_instructions(body), *_before(body), *at(".input", _input, body.get("input")))
    return ChatRequest.trusted(messages, read_params(body))


_OF_OTHERS: Final = frozenset({"messages", "contents"})
"""Where other dialects have the conversation: a body with one of these, and no input, is none of this dialect."""


def _instructions(body: dict[str, Any]) -> Iterator[Message.T]:
    if (text := body.get("instructions")) is not None:
        yield Message.System((plain_text(at(".instructions", string, text)),), {NAME: {"$instructions": True}})


def _before(body: dict[str, Any]) -> Iterator[Message.T]:
    """What the server has of the conversation, and the body only names."""
    fields = {key: body[key] for key in BEFORE if body.get(key) is not None}
    if fields:
        yield Message.Custom(json({"$request": fields}), NAME)


def _input(value: Any) -> tuple[Message.T, ...]:
    if value is None:
        return ()
    if value.__class__ is str:
        return (Message.User((plain_text(value),)),)
    if value.__class__ is not list:
        raise Unexpected.of("a string or a list of items", value)
    plain = plain_messages(value, _PLAINLY)
    return _typed_results(name_results(tuple(grouped(each(_item, value))))) if plain is None else plain


def _typed_results(messages: tuple[Message.T, ...]) -> tuple[Message.T, ...]:
    """The messages, with a note where the output of a function answers a call of a tool that takes any text."""
    custom = {index for index, call in answered(messages).items() if has_free_form(call.extras, NAME)}
    return tuple(_as_function(message) if index in custom else message for index, message in enumerate(messages))


def _as_function(message: Message.T) -> Message.T:
    has_note = not isinstance(message, Message.ToolResult) or "$type" in message.extras.of(NAME)
    return message if has_note else with_notes(message, {"$type": "function"})


# --- items ---------------------------------------------------------------------------------------------------------------------


def _item(value: Any) -> Message.T | Said:
    if value.__class__ is not dict:
        raise Unexpected.of("an item, which is an object", value)
    kind = value.get("type")
    if kind is None or kind == "message":
        return _message(value)
    if kind.__class__ is not str:
        raise Unexpected.of("the type of an item", kind, ".type")
    if kind in _BY_TYPE:
        return _BY_TYPE[kind](value)
    is_said = kind in _BY_MODEL or (kind == "tool_search_output" and value.get("execution") == "server")
    return said(value) if is_said else Message.Custom(json(value), NAME)


def _message(value: dict[str, Any]) -> Message.T | Said:
    match value.get("role"):
        case "user":
            return _typed(_user, value, {})
        case "assistant":
            return spoken(value)
        case "system":
            return _typed(_system, value, {})
        case "developer":
            return _typed(_system, {**value, "role": "system"}, {"$role": "developer"})
        case str():
            return Message.Custom(json(value), NAME)
        case None if value.get("id").__class__ is str:
            return Message.Custom(json(value), NAME)  # a reference to an item, whose type may be left out
        case _ as role:
            raise Unexpected.of("a role (user, assistant, system, developer)", role, ".role")


def _typed(read: Callable[[Any], T], value: dict[str, Any], notes: dict[str, Any]) -> T:
    """A message with notes, of which one is added when it says that it is one."""
    if "type" in value:
        notes = {**notes, "$type": value["type"]}
        value = {key: item for key, item in value.items() if key != "type"}
    return with_notes(read(value), notes)


def _result(value: dict[str, Any]) -> Message.T:
    """The result of a call; one that names no call is for this dialect only."""
    if value.get("call_id").__class__ is not str:
        return Message.Custom(json(value), NAME)
    result = _tool(value)
    return result if value["output"] != [] else with_notes(result, {"$output": "list"})


def _custom_result(value: dict[str, Any]) -> Message.T:
    result = _result(value)
    return result if isinstance(result, Message.Custom) else with_notes(result, {"$type": "custom"})


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _inputs(value: Any) -> tuple[Content.Input, ...]:
    return each(_part, list_of_parts(value))


def _texts(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    return each(_text_part, list_of_parts(value))


def _text_part(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if type_of(value) == "input_text" else Content.Custom(NAME, json(value))


def _part(value: Any) -> Content.Input:
    match type_of(value):
        case "input_text":
            return _text(value)
        case "input_image" if _has_one(value, IMAGE_KEYS):
            return unfilled(_image(value), value, IMAGE_FILLERS)
        case "input_file" if _has_one(value, FILE_KEYS):
            return _document(value)
        case _:
            return Content.Custom(NAME, json(value))


def _has_one(value: dict[str, Any], keys: tuple[str, ...]) -> bool:
    """Whether a part has its medium in exactly one of these fields, in a form that there are words for."""
    match [(key, value[key]) for key in keys if value.get(key) is not None]:
        case [("file_data", str() as data)]:
            return data.startswith("data:") and ";base64," in data
        case [(_, str() as found)]:
            return bool(found) and not found.isspace()
        case _:
            return False


def _document(value: dict[str, Any]) -> Content.PDF | Content.File:
    file = _file(value)
    return Content.PDF(file.resource, file.name, file.extras) if _is_pdf(file.resource) else file


def _is_pdf(resource: Resource.T) -> bool:
    """Whether a document is known to be a PDF: by its media type, or by the end of its address."""
    match resource:
        case Resource.Binary(mime_type=mime_type):
            return mime_type == "application/pdf"
        case Resource.Ref(uri=uri):
            return not uri.startswith("urn:") and uri.partition("?")[0].lower().endswith(".pdf")
        case _:
            assert_never(resource)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

register_messages({Message.System: _texts, Message.User: _inputs, Message.ToolResult: _inputs})

_text: Final = structuring(CODEC, Content.Text)
_image: Final = structuring(CODEC, Content.Image)
_file: Final = structuring(CODEC, Content.File)
_system: Final = structuring(CODEC, Message.System)
_user: Final = structuring(CODEC, Message.User)
_tool: Final = structuring(CODEC, Message.ToolResult)
_BY_TYPE: Final[Mapping[str, Callable[[Any], Message.T | Said]]] = {
    "function_call": function_call,
    "function_call_output": _result,
    "custom_tool_call": custom_call,
    "custom_tool_call_output": _custom_result,
    "reasoning": reasoning,
}

_PLAINLY: Final[Mapping[Any, Callable[[Any], Message.T]]] = {"user": _user, "system": _system}
"""By role: the readers of messages that need no notes."""

read_request: Final = reading(NAME, _request)
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
