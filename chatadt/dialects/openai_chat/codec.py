"""The names that OpenAI Chat has for the words.

Source: the request types of POST /v1/chat/completions in the official SDK (`openai.types.chat`, 3.57).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from cattrs import Converter

from chatadt._hooks import register
from chatadt._wire import UNKNOWN, Wire, boolean, json, leftover, plain_json, same, string
from chatadt.chat import ResponseFormat
from chatadt.content import Content, Detail
from chatadt.dialects._codec import arguments_of, base64, tool_name
from chatadt.dialects._media import file_reference, image_of_url, resource_of_url
from chatadt.dialects._openai_like.arguments import arguments_text
from chatadt.dialects._openai_like.params import format_wires
from chatadt.dialects._openai_like.tools import DEFINITION
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

__all__ = ("AUDIO_FORMATS", "CODEC", "FUNCTIONS", "NAME", "REASONING_KEYS", "image_of", "register_messages")

NAME: Final = "openai_chat"

REASONING_KEYS: Final = ("reasoning_content", "reasoning")
"""Where servers that speak this dialect put what the model thought."""

AUDIO_FORMATS: Final[Mapping[str, str]] = {"wav": "audio/wav", "mp3": "audio/mpeg"}
"""The `format` of input_audio, and the media type that it stands for."""

_DETAILS: Final[Mapping[object, Detail]] = {detail.value: detail for detail in Detail}

resource_of: Final = resource_of_url(NAME)
image_of: Final = image_of_url(NAME, RULES.media_types["image"])
"""Reads the URL of an image."""


def _detail(value: Any) -> Any:
    return _DETAILS.get(string(value), UNKNOWN)


def _word(value: Detail) -> str:
    return str(value.value)


def _media_type(value: Any) -> str:
    name = string(value)
    known: str | None = AUDIO_FORMATS.get(name)
    return known or f"audio/{name}"


def _file(value: Any) -> Resource.T:
    """The resource of a `file` object; keys that say more than the medium and its name stay in its extras."""
    if value.__class__ is not dict:
        raise Unexpected.of("an object", value)
    key = next((key for key in ("file_data", "file_id") if value.get(key) is not None), None)
    rest = {field: item for field, item in value.items() if field != key and not (field == "filename" and item.__class__ is str)}
    match key:
        case "file_data":
            resource = _at(".file_data", resource_of, value[key])
            notes: dict[str, Any] = {"$file_data": True} if isinstance(resource, Resource.Ref) else {}
            notes |= {} if (name := value.get("filename")).__class__ is str and name.strip() else {"$unnamed": True}
            notes |= {"$own": True} if (resource.mime_type or "").startswith("text/") else {}
        case "file_id":
            resource = Resource.Ref(file_reference("openai", _at(".file_id", string, value[key])))
            notes = {"$named": True} if value.get("filename").__class__ is str else {}
        case _:
            raise Unexpected.of("file_data or file_id", value)
    return _with(resource, leftover(rest, NAME, {**notes, **resource.extras.of(NAME)}))


def _at(path: str, read: Any, value: Any) -> Any:
    try:
        return read(value)
    except Unexpected as error:
        raise error.under(path) from None


def _with(resource: Resource.T, extras: Extras) -> Resource.T:
    if extras is NO_EXTRAS:
        return resource
    match resource:
        case Resource.Ref(uri=uri, mime_type=mime_type):
            return Resource.Ref(uri, mime_type, extras)
        case Resource.Binary(content=content, mime_type=mime_type):
            return Resource.Binary(content, mime_type, extras)
        case _:
            assert_never(resource)


def _filename(value: Any) -> str | None:
    match value:
        case {"file": {"filename": str() as name}}:
            return name
        case _:
            return None


CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, ("type", "text"), {"text": Wire("text", string, same)}),
    (Content.Refusal, ("type", "refusal"), {"text": Wire("refusal", string, same)}),
    (
        Content.Image,
        ("type", "image_url"),
        {"resource": Wire("image_url.url", image_of, None), "detail": Wire("image_url.detail", _detail, _word, optional=True)},
    ),
    (Content.PDF, ("type", "file"), {"name": Wire(read=_filename), "resource": Wire("file", _file, None)}),
    (Content.File, ("type", "file"), {"name": Wire(read=_filename), "resource": Wire("file", _file, None)}),
    (
        Content.ToolRequest,
        ("type", "function"),
        {
            "id": Wire("id", string, same),
            "name": Wire("function.name", tool_name, same),
            "arguments": Wire("function.arguments", arguments_of, arguments_text),
        },
    ),
    (Resource.Binary, None, {"content": Wire("data", base64, same), "mime_type": Wire("format", _media_type, None)}),
    (
        Tool,
        ("type", "function"),
        {**DEFINITION, "strict": Wire("function.strict", boolean, same, optional=True)},
    ),
    (ToolChoice.One, ("type", "function"), {"name": Wire("function.name", tool_name, same)}),
    (ResponseFormat.Text, ("type", "text"), {}),
    (ResponseFormat.JsonObject, ("type", "json_object"), {}),
    (
        ResponseFormat.JsonSchema,
        ("type", "json_schema"),
        format_wires("json_schema"),
    ),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)


FUNCTIONS: Final = Converter()
"""The deprecated `functions` and `function_call`, in which a tool stands without its type."""

register(
    FUNCTIONS,
    Tool,
    {
        "name": Wire("name", tool_name, same),
        "description": Wire("description", string, same, optional=True),
        "parameters": Wire("parameters", json, plain_json, optional=True),
    },
    dialect=NAME,
)
register(FUNCTIONS, ToolChoice.One, {"name": Wire("name", tool_name, same)}, dialect=NAME)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    name = Wire("name", string, same, optional=True)
    register(
        CODEC,
        Message.System,
        {"contents": Wire("content", contents[Message.System], None, plain=True)},
        dialect=NAME,
        tag=("role", "system"),
    )
    user = {"contents": Wire("content", contents[Message.User], None, plain=True), "name": name}
    register(CODEC, Message.User, user, dialect=NAME, tag=("role", "user"))
    said = Wire(
        read=contents[Message.Assistant],
        keys=("content",),
        maybe=("refusal", "tool_calls", "function_call", "audio", *REASONING_KEYS),
    )
    register(CODEC, Message.Assistant, {"contents": said, "name": name}, dialect=NAME, tag=("role", "assistant"))
    result = {
        "id": Wire("tool_call_id", string, same),
        "contents": Wire("content", contents[Message.ToolResult], None, plain=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("role", "tool"))
