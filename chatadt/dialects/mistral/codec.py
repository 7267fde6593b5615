"""The names that Mistral has for the words.

Source: the request types of POST /v1/chat/completions in the official SDK (`mistralai.client.models`, 3.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cattrs import Converter

from chatadt._hooks import register
from chatadt._wire import Wire, boolean, json, same, string
from chatadt.chat import ResponseFormat
from chatadt.content import Arguments, Content
from chatadt.dialects._codec import arguments_of, at, base64, tool_name, unread
from chatadt.dialects._media import file_reference, image_of_url, resource_of_url
from chatadt.dialects._openai_like.arguments import arguments_text
from chatadt.dialects._openai_like.params import format_wires
from chatadt.dialects._openai_like.read import image_wires, some_id, some_name
from chatadt.dialects._openai_like.tools import DEFINITION
from chatadt.dialects.mistral.rules import RULES
from chatadt.error import Unexpected
from chatadt.message import Message
from chatadt.resource import Resource, sniff_base64
from chatadt.tool import Tool, ToolChoice

__all__ = ("AUDIO_FORMATS", "CODEC", "IN_RESULT", "NAME", "VENDOR", "image_of", "register_messages", "thought_of")

NAME: Final = "mistral"
IN_RESULT: Final = "$in_result"
"""The note on a medium that stood in a tool result."""
VENDOR: Final = "mistral"
"""Whose Files API a file id belongs to."""

AUDIO_FORMATS: Final[Mapping[str, str]] = {"wav": "audio/wav", "mp3": "audio/mpeg"}
"""The `format` of an input_audio that is an object, and the media type that it stands for."""

resource_of: Final = resource_of_url(NAME)
image_of: Final = image_of_url(NAME, RULES.media_types["image"])
"""Reads the URL of an image."""


def _kept(value: Any) -> Resource.T:
    return Resource.Ref(file_reference(VENDOR, string(value)))


def _sound(value: Any) -> Resource.T:
    """The resource of an input_audio: a URL, bare base64, or an object as OpenAI has it."""
    if value.__class__ is dict:
        name = at(".format", string, value.get("format"))
        return Resource.Binary(at(".data", base64, value.get("data")), AUDIO_FORMATS.get(name, f"audio/{name}"))
    url = string(value)
    if url.startswith(("http://", "https://", "data:")):
        return resource_of(url)
    content = base64(url)
    return Resource.Binary(content, sniff_base64(content))


def _thought(value: Any) -> str:
    """The text of a thinking chunk: that of the chunks inside it, joined. What else is inside stays in the extras."""
    if value.__class__ is not list:
        raise Unexpected.of("a list of chunks", value)
    return thought_of(value)


def thought_of(chunks: list[Any]) -> str:
    """What the texts among the chunks of a thinking chunk say together."""
    return "".join(item["text"] for item in chunks if item.__class__ is dict and item.get("text").__class__ is str)


def _arguments(value: Any) -> Arguments.T:
    return Arguments.Parsed(json(value)) if value.__class__ is dict else arguments_of(value)


CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, ("type", "text"), {"text": Wire("text", string, same)}),
    (Content.Reasoning, ("type", "thinking"), {"text": Wire("thinking", _thought, None)}),
    (Content.Image, ("type", "image_url"), image_wires(image_of)),
    (
        Content.PDF,
        ("type", "document_url"),
        {"resource": Wire("document_url", resource_of, None), "name": Wire("document_name", string, same, optional=True)},
    ),
    (Content.File, ("type", "file"), {"resource": Wire("file_id", _kept, None)}),
    (Content.Audio, ("type", "input_audio"), {"resource": Wire("input_audio", _sound, None)}),
    (
        Content.ToolRequest,
        ("type", "function"),
        {
            "id": Wire("id", some_id, same, optional=True, default=""),
            "name": Wire("function.name", tool_name, same),
            "arguments": Wire("function.arguments", _arguments, arguments_text),
            "index": unread("index"),
        },
    ),
    (Tool, ("type", "function"), {**DEFINITION, "strict": Wire("function.strict", boolean, same, optional=True)}),
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


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, "system"), (Message.User, "user")):
        register(CODEC, case, {"contents": Wire("content", contents[case], None, plain=True)}, dialect=NAME, tag=("role", role))
    said = Wire(read=contents[Message.Assistant], maybe=("content", "tool_calls"))
    register(CODEC, Message.Assistant, {"contents": said}, dialect=NAME, tag=("role", "assistant"))
    result = {
        "id": Wire("tool_call_id", some_id, same, optional=True, default=""),
        "tool": Wire("name", some_name, None, optional=True, default=None),
        "contents": Wire("content", contents[Message.ToolResult], None, plain=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("role", "tool"))
