"""OpenAI Chat JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import structuring
from chatadt._wire import each, json, leftover, string
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import T, at, base64, noted, plain_text, reading, tool_name
from chatadt.dialects._media import file_reference
from chatadt.dialects._openai_like.plain import plain_messages
from chatadt.dialects.openai_chat.calls import function_call, tool_calls
from chatadt.dialects.openai_chat.codec import AUDIO_FORMATS, CODEC, NAME, REASONING_KEYS, image_of, register_messages
from chatadt.dialects.openai_chat.params import read_params
from chatadt.error import Unexpected
from chatadt.json import Extras
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("read_request",)

_IN_RESULT: Final = Extras({NAME: {"$in_result": True}})
_REASONING: Final = {key: Extras({NAME: {"$key": key}}) for key in REASONING_KEYS}
_RARE: Final = frozenset({"refusal", "audio", "function_call", *REASONING_KEYS})
"""Where an assistant's message has contents besides `content` and `tool_calls`."""


def _request(body: Any) -> ChatRequest:
    if body.__class__ is not dict:
        raise Unexpected.of("an object with messages", body)
    if "messages" not in body:
        raise Unexpected.missing("a list of messages", ".messages")
    return ChatRequest.trusted(at(".messages", _messages, body["messages"]), read_params(body))


def _messages(values: Any) -> tuple[Message.T, ...]:
    plain = plain_messages(values, _BY_ROLE, null_is_nothing=True)
    return name_results(each(_message, values)) if plain is None else plain


# --- messages ------------------------------------------------------------------------------------------------------------------


def _message(value: Any) -> Message.T:
    if value.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", value)
    role = value.get("role")
    if role.__class__ is not str:
        raise Unexpected.of("a role (system, developer, user, assistant, tool)", role, ".role")
    read = _BY_ROLE.get(role)
    return Message.Custom(json(value), NAME) if read is None else read(value)


def _developer(value: dict[str, Any]) -> Message.System:
    return _noted(_system({**value, "role": "system"}), "$role", "developer")


def _function(value: dict[str, Any]) -> Message.T:
    """The result of a call by the deprecated function_call: it has a name and no id."""
    name = at(".name", tool_name, value.get("name"))
    rest = {key: item for key, item in value.items() if key not in ("role", "name", "content")}
    contents = () if value.get("content") is None else at(".content", _texts, value["content"])
    empty = {"content": value["content"]} if "content" in value and not contents else {}
    missing = {} if "content" in value else {"$absent": ["content"]}
    extras = leftover({**rest, **empty}, NAME, {"$role": "function", **missing})
    return Message.ToolResult("", name, contents, extras=extras)


def _answer(value: dict[str, Any]) -> Message.ToolResult:
    message = _tool(value)
    return message if message.contents else _noted(message, "$content", "list")


def _user_contents(value: Any) -> tuple[Content.Input, ...]:
    parts = _text_or_parts(value)
    try:
        return tuple([_BY_TYPE[part["type"]](part) for part in parts])
    except (KeyError, TypeError, Unexpected):  # of another type, or a problem, which is found again
        return each(_part, parts)


def _result_contents(value: Any) -> tuple[Content.Input, ...]:
    return each(_result_part, _text_or_parts(value))


def _texts(value: Any) -> tuple[Content.Text | Content.Custom, ...]:
    if value.__class__ is str:
        return (plain_text(value),)
    return each(_text_part, _text_or_parts(value))


def _assistant_contents(value: dict[str, Any]) -> tuple[tuple[Content.Output, ...], int]:
    """The contents of an assistant's message, and how many keys they were made of."""
    content: Any = value.get("content")
    said = () if content is None else (plain_text(content),) if content.__class__ is str else at(".content", _said, content)
    calls: Any = value.get("tool_calls")
    asked = () if calls is None else at(".tool_calls", tool_calls, calls)
    used = (content != [] and "content" in value) + bool(calls)
    if _RARE.isdisjoint(value):
        return (said + asked if asked else said), used
    used += sum(value.get(key) not in (None, []) for key in _RARE)
    return (*_aside(value), *said, *_spoken_and_refused(value), *asked, *_deprecated(value)), used


def _said(value: Any) -> tuple[Content.Output, ...]:
    return each(_assistant_part, _text_or_parts(value))


def _spoken_and_refused(value: dict[str, Any]) -> tuple[Content.Output, ...]:
    refusal, audio = value.get("refusal"), value.get("audio")
    refused = () if refusal is None else (Content.Refusal(at(".refusal", string, refusal)),)
    return refused if audio is None else (*refused, at(".audio", _spoken, audio))


def _deprecated(value: dict[str, Any]) -> tuple[Content.Output, ...]:
    call = value.get("function_call")
    return () if call is None else (at(".function_call", function_call, call),)


def _aside(value: dict[str, Any]) -> tuple[Content.Output, ...]:
    return tuple(
        Content.Reasoning(at(f".{key}", string, value[key]), _REASONING[key])
        for key in REASONING_KEYS
        if value.get(key) not in (None, [])
    )


def _spoken(value: Any) -> Content.Audio:
    """Audio that the model said: the answer holds it by value, a request only by its id."""
    if value.__class__ is not dict:
        raise Unexpected.of("an object with an id", value)
    data, transcript = value.get("data"), value.get("transcript")
    rest = {key: item for key, item in value.items() if key != "data" and not (key == "transcript" and isinstance(transcript, str))}
    extras = leftover(rest, NAME)
    resource = (
        Resource.Binary(at(".data", base64, data))
        if data is not None
        else Resource.Ref(file_reference("openai", at(".id", string, value.get("id"))))
    )
    return Content.Audio(resource, transcript if isinstance(transcript, str) else None, extras)


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _part(value: Any) -> Content.Input:
    match _type(value):
        case "text":
            return _text(value)
        case "image_url":
            return _picture(value)
        case "input_audio" if value.get("input_audio").__class__ is dict:
            return _sound(value)
        case "file":
            return _document(value)
        case _:
            return Content.Custom(NAME, json(value))


def _result_part(value: Any) -> Content.Input:
    part = _part(value)
    match part:
        case Content.Text() | Content.Custom():
            return part
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return evolve(part, extras=part.extras.having(NAME, _IN_RESULT.of(NAME)))
        case _:
            assert_never(part)


def _text_part(value: Any) -> Content.Text | Content.Custom:
    return _text(value) if _type(value) == "text" else Content.Custom(NAME, json(value))


def _assistant_part(value: Any) -> Content.Output:
    match _type(value):
        case "text":
            return _text(value)
        case "refusal":
            return _noted(_refusal(value), "$part", True)
        case _:
            return Content.Custom(NAME, json(value))


def _picture(value: dict[str, Any]) -> Content.Image:
    url = value.get("image_url")
    if url.__class__ is not str:
        return _image(value)
    rest = {key: item for key, item in value.items() if key not in ("type", "image_url")}
    return Content.Image(at(".image_url", image_of, url), extras=leftover(rest, NAME, {"$image_url": "string"}))


def _sound(value: dict[str, Any]) -> Content.Audio:
    rest = {key: item for key, item in value.items() if key not in ("type", "input_audio")}
    sound = at(".input_audio", _audio, value["input_audio"])
    notes: dict[str, Any] = {} if sound.mime_type in _STATED else {"$own": True}
    notes |= {} if (name := value["input_audio"]["format"]) in AUDIO_FORMATS else {"$format": name}
    return Content.Audio(sound, extras=leftover(rest, NAME, notes))


def _document(value: dict[str, Any]) -> Content.PDF | Content.File:
    file = _file(value)
    match file.resource:
        case Resource.Ref():
            return file
        case Resource.Binary(mime_type=mime_type):
            return Content.PDF(file.resource, file.name, file.extras) if mime_type == "application/pdf" else file
        case _:
            assert_never(file.resource)


def _type(value: Any) -> Any:
    if value.__class__ is not dict:
        raise Unexpected.of("a content part, which is an object", value)
    try:
        return value["type"]
    except KeyError:
        raise Unexpected.missing("the type of a content part (text, image_url, input_audio, file)", ".type") from None


def _text_or_parts(value: Any) -> Any:
    if value.__class__ is not list:
        raise Unexpected.of("a string or a list of content parts", value)
    return value


# --- hooks ---------------------------------------------------------------------------------------------------------------------


def _noted(word: T, note: str, value: object) -> T:
    return noted(word, NAME, note, value)


register_messages(
    {
        Message.System: _texts,
        Message.User: _user_contents,
        Message.Assistant: _assistant_contents,
        Message.ToolResult: _result_contents,
    }
)

_STATED: Final = frozenset(AUDIO_FORMATS.values())
_text: Final = structuring(CODEC, Content.Text)
_image: Final = structuring(CODEC, Content.Image)
_audio: Final = structuring(CODEC, Resource.Binary)
_file: Final = structuring(CODEC, Content.File)
_refusal: Final = structuring(CODEC, Content.Refusal)
_system: Final = structuring(CODEC, Message.System)
_user: Final = structuring(CODEC, Message.User)
_assistant: Final = structuring(CODEC, Message.Assistant)
_tool: Final = structuring(CODEC, Message.ToolResult)
_BY_ROLE: Final[Mapping[Any, Callable[[Any], Message.T]]] = {
    "user": _user,
    "assistant": _assistant,
    "tool": _answer,
    "system": _system,
    "developer": _developer,
    "function": _function,
}

_BY_TYPE: Final[Mapping[Any, Callable[[Any], Content.Input]]] = {"text": _text, "image_url": _picture}
"""The parts that nearly all are."""

read_request: Final = reading(NAME, _request)
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
