"""The names that Bedrock Converse has for the words.

Source: the request of the operation Converse in the service model of bedrock-runtime that botocore ships (1.44).
A block is an object with one key that tells its kind; the codec speaks of what stands under that key.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final

from cattrs import Converter

from chatadt._hooks import register
from chatadt._wire import UNKNOWN, Wire, boolean, integer, json, leftover, plain_json, same, string
from chatadt.chat import Effort, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects._codec import at, base64, parsed, tool_name
from chatadt.dialects._losses import MEDIUM
from chatadt.error import Unexpected
from chatadt.json import Extras, Json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

__all__ = ("CALL", "CLAUDE", "CODEC", "EFFORTS", "FORMATS", "NAME", "S3", "WRITTEN", "register_messages")

NAME: Final = "bedrock"
S3: Final = "s3://"

CLAUDE: Final = "anthropic"
"""Under which name stands what Claude takes on either wire: marks of the prompt cache, and signed reasoning."""

CALL: Final = "tool_use"
"""The `type` that servers give a call which is for the caller to answer; those that they answer themselves have another."""

EFFORTS: Final[Mapping[str, Effort]] = {
    effort.value: effort for effort in (Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH, Effort.MAX)
}

_OFFICE: Final = "application/vnd.openxmlformats-officedocument"

FORMATS: Final[Mapping[str, Mapping[str, str]]] = {
    "image": {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"},
    "document": {
        "pdf": "application/pdf",
        "csv": "text/csv",
        "doc": "application/msword",
        "docx": f"{_OFFICE}.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": f"{_OFFICE}.spreadsheetml.sheet",
        "html": "text/html",
        "txt": "text/plain",
        "md": "text/markdown",
    },
    "video": {
        "mkv": "video/x-matroska",
        "mov": "video/quicktime",
        "mp4": "video/mp4",
        "webm": "video/webm",
        "flv": "video/x-flv",
        "mpeg": "video/mpeg",
        "mpg": "video/mpeg",
        "wmv": "video/x-ms-wmv",
        "three_gp": "video/3gpp",
    },
    "audio": {
        "mp3": "audio/mpeg",
        "opus": "audio/opus",
        "wav": "audio/wav",
        "aac": "audio/aac",
        "flac": "audio/flac",
        "mp4": "audio/mp4",
        "ogg": "audio/ogg",
        "mkv": "audio/x-matroska",
        "m4a": "audio/x-m4a",
        "pcm": "audio/pcm",
        "webm": "audio/webm",
        "mka": "audio/x-matroska",
        "x-aac": "audio/aac",
        "mpeg": "audio/mpeg",
        "mpga": "audio/mpeg",
    },
}
"""By kind of medium: each `format`, and the media type that it stands for. Of two with one media type the first is written."""


WRITTEN: Final[Mapping[str, Mapping[str, str]]] = {
    kind: {media: name for name, media in reversed([*formats.items()])} for kind, formats in FORMATS.items()
}
"""By kind of medium: each media type, and the `format` that is written for it."""


def _medium(kind: str) -> Callable[[dict[str, Any]], tuple[Resource.T, int]]:
    """A reader of the two keys that say a medium, its format and its source."""
    formats, written = FORMATS[kind], WRITTEN[kind]

    def read(value: dict[str, Any]) -> tuple[Resource.T, int]:
        if "format" not in value:
            return _resource(value, None, {"$formatless": True}), 1
        name = value["format"]
        media = formats.get(name) if name.__class__ is str else None
        if media is None:
            return _resource(value, None, {MEDIUM: {"format": at(".format", json, name).value}}), 2
        return _resource(value, media, {} if written[media] == name else {"$format": name}), 2

    return read


def _resource(value: dict[str, Any], media: str | None, notes: dict[str, Any]) -> Resource.T:
    """The resource of a medium; keys of the source that say more stay in its extras."""
    source: Any = value.get("source")
    match source:
        case {"bytes": data}:
            return Resource.Binary.trusted(at(".source.bytes", base64, data), media, _beyond(source, "bytes", notes))
        case {"s3Location": {"uri": str() as uri} as location} if uri and not uri.isspace():
            more = {key: item for key, item in location.items() if key != "uri"}
            notes |= {"s3Location": more} if more else {}
            notes |= {} if uri.startswith(S3) else {"$own": True}
            return Resource.Ref(uri, media, _beyond(source, "s3Location", notes))
        case {"text": text}:
            content = _encoded(at(".source.text", string, text))
            return Resource.Binary.trusted(content, media, _beyond(source, "text", {**notes, "$source": "text"}))
        case _:
            raise Unexpected.of("a source, which is an object with bytes, an s3Location or a text", source, ".source")


def _beyond(source: dict[str, Any], key: str, notes: dict[str, Any]) -> Extras:
    return leftover({name: item for name, item in source.items() if name != key}, NAME, notes)


def _encoded(text: str) -> str:
    """A document that stands as its text, as base64."""
    return b64encode(text.encode(errors="surrogatepass")).decode()


def _input(value: Any) -> Arguments.T:
    return parsed(json(value))


def _outcome(value: Any) -> Any:
    return {"success": Outcome.OK, "error": Outcome.ERROR}.get(string(value), UNKNOWN)


def _schema(value: Any) -> Json:
    """A schema that stands as its text, which is known to be JSON and kept as it is."""
    return Json.trusted(string(value))


def _schema_text(value: Json) -> str:
    return value.text


CODEC: Final = Converter()

_NAME: Final = Wire("name", string, same, optional=True)

for _case, _tag, _wires in (
    (Content.Text, None, {"text": Wire("text", string, same)}),
    (Content.Image, None, {"resource": Wire(read=_medium("image"), keys=("format", "source"))}),
    (Content.Video, None, {"resource": Wire(read=_medium("video"), keys=("format", "source"))}),
    (Content.Audio, None, {"resource": Wire(read=_medium("audio"), keys=("format", "source"))}),
    (Content.PDF, None, {"resource": Wire(read=_medium("document"), keys=("format", "source")), "name": _NAME}),
    (Content.File, None, {"resource": Wire(read=_medium("document"), keys=("format", "source")), "name": _NAME}),
    (
        Content.ToolRequest,
        None,
        {"id": Wire("toolUseId", string, same), "name": Wire("name", tool_name, same), "arguments": Wire("input", _input, None)},
    ),
    (
        Tool,
        None,
        {
            "name": Wire("name", tool_name, same),
            "description": Wire("description", string, same, optional=True),
            "parameters": Wire("inputSchema.json", json, plain_json, optional=True),
            "strict": Wire("strict", boolean, same, optional=True),
        },
    ),
    (ToolChoice.Auto, None, {}),
    (ToolChoice.Required, None, {}),
    (ToolChoice.One, None, {"name": Wire("name", tool_name, same)}),
    (
        ResponseFormat.JsonSchema,
        None,
        {
            "schema": Wire("schema", _schema, _schema_text),
            "name": Wire("name", string, same, optional=True),
            "description": Wire("description", string, same, optional=True),
        },
    ),
    (Thinking.Off, ("type", "disabled"), {}),
    (Thinking.Adaptive, ("type", "adaptive"), {}),
    (Thinking.Budget, ("type", "enabled"), {"tokens": Wire("budget_tokens", integer, same)}),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, "system"), (Message.User, "user"), (Message.Assistant, "assistant")):
        register(CODEC, case, {"contents": Wire("content", contents[case], None)}, dialect=NAME, tag=("role", role))
    result = {
        "id": Wire("toolUseId", string, same),
        "contents": Wire("content", contents[Message.ToolResult], None, optional=True, default=()),
        "outcome": Wire("status", _outcome, None, optional=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME)
