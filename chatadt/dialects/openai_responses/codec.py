"""The names that OpenAI Responses has for the words.

Source: the request types of POST /v1/responses in the official SDK (`openai.types.responses`, 3.57).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar, assert_never, cast

from cattrs import Converter

from chatadt._hooks import register
from chatadt._sum import changed
from chatadt._wire import UNKNOWN, Wire, boolean, json, plain_json, same, string
from chatadt.chat import ResponseFormat
from chatadt.content import Content, Detail
from chatadt.dialects._codec import arguments_of, at, tool_name
from chatadt.dialects._media import file_reference, resource_of_url
from chatadt.dialects._openai_like.arguments import arguments_text
from chatadt.dialects._openai_like.params import format_wires
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.error import Unexpected
from chatadt.json import Extras
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

__all__ = (
    "CODEC",
    "FILE_KEYS",
    "IMAGE_FILLERS",
    "IMAGE_KEYS",
    "NAME",
    "OUTPUT_FILLERS",
    "TOOL_FILLERS",
    "VENDOR",
    "filled",
    "list_of_parts",
    "register_messages",
    "said_plainly",
    "type_of",
    "unfilled",
    "with_notes",
)

NAME: Final = "openai_responses"
VENDOR: Final = "openai"
"""Whose Files API a file id belongs to."""

IMAGE_KEYS: Final = ("image_url", "file_id")
FILE_KEYS: Final = ("file_data", "file_url", "file_id")
"""Where a part may have its medium: in one of these."""

_IMAGES: Final = RULES.media_types["image"]

_DETAILS: Final[Mapping[object, Detail]] = {detail.value: detail for detail in Detail}

W = TypeVar("W")


def with_notes(word: W, notes: Mapping[str, Any]) -> W:
    """A word that has extras, with further fields of this dialect in them."""
    extras: Extras = cast("Any", word).extras
    return changed(word, "extras", extras.having(NAME, notes)) if notes else word


# --- fillers: fields that the SDK's types want and that say nothing; the server takes a body without them just as well ---------

IMAGE_FILLERS: Final[Mapping[str, Any]] = {"detail": "auto"}
TOOL_FILLERS: Final[Mapping[str, Any]] = {"parameters": None, "strict": None}
"""A null for strict is answered as false in recorded traffic, while a strict that is left out is answered as true."""
OUTPUT_FILLERS: Final[Mapping[str, Any]] = {"annotations": []}


def said_plainly(value: dict[str, Any], fillers: Mapping[str, Any]) -> dict[str, Any]:
    """The object without the fillers that say nothing."""
    return {key: item for key, item in value.items() if key not in fillers or item != fillers[key]}


def unfilled(word: W, value: Mapping[str, Any], fillers: Mapping[str, Any]) -> W:
    """The word that was read from `value`, with a note on the fillers that were left out there."""
    bare = [key for key in fillers if key not in value]
    return with_notes(word, {"$bare": bare}) if bare else word


def filled(block: dict[str, Any], fillers: Mapping[str, Any], notes: Mapping[str, Any]) -> dict[str, Any]:
    """What was written, with its fillers, except those of which the notes say that they were left out."""
    bare: Any = notes.get("$bare", ())
    for key, value in fillers.items():
        if key not in block and not (isinstance(bare, list) and key in bare):
            block[key] = [] if value == [] else value
    return block


# --- leaves --------------------------------------------------------------------------------------------------------------------

_resource_of: Final = resource_of_url(NAME)


def _detail(value: Any) -> Any:
    return _DETAILS.get(string(value), UNKNOWN)


def _word(value: Detail) -> str:
    return str(value.value)


def _picture(value: dict[str, Any]) -> tuple[Resource.T, int]:
    """The resource of an image, and how many keys it was made of."""
    url = value.get("image_url")
    if url is None:
        return Resource.Ref(file_reference(VENDOR, at(".file_id", string, value.get("file_id")))), 1
    resource = at(".image_url", _resource_of, url)
    match resource:
        case Resource.Ref(uri=uri):
            return with_notes(resource, _only_home(uri)), 1
        case Resource.Binary(mime_type=mime_type):
            return with_notes(resource, {} if mime_type in _IMAGES else {"$own": True, **_header(mime_type)}), 1
        case _:
            assert_never(resource)


def _document(value: dict[str, Any]) -> tuple[Resource.T, int]:
    """The resource of a file, and how many keys it was made of; whether it has a name is noted where that is unusual."""
    name: Any = value.get("filename")
    is_named = name.__class__ is str
    data, url = value.get("file_data"), value.get("file_url")
    if data is not None:
        resource = at(".file_data", _resource_of, data)
        is_blank = not is_named or not name.strip()
        return with_notes(resource, _header(resource.mime_type) | ({"$unnamed": True} if is_blank else {})), 1
    uri = file_reference(VENDOR, at(".file_id", string, value.get("file_id"))) if url is None else at(".file_url", string, url)
    return with_notes(Resource.Ref(uri), _only_home(uri) | ({"$named": True} if is_named else {})), 1


def _only_home(uri: str) -> dict[str, Any]:
    """A note on an address that is taken by nobody but where it came from."""
    return {} if uri.startswith(("http://", "https://", "urn:")) else {"$own": True}


def _header(mime_type: str | None) -> dict[str, Any]:
    """A note on a data URL that does not say what it holds."""
    return {} if mime_type is not None else {"$header": ""}


def type_of(part: Any) -> Any:
    """The type of a part."""
    if part.__class__ is not dict:
        raise Unexpected.of("a part, which is an object", part)
    try:
        return part["type"]
    except KeyError:
        raise Unexpected.missing("the type of a part (input_text, input_image, input_file, output_text, …)", ".type") from None


def list_of_parts(value: Any) -> Any:
    """A list of parts, unread."""
    if value.__class__ is not list:
        raise Unexpected.of("a string or a list of parts", value)
    return value


# --- the table -----------------------------------------------------------------------------------------------------------------

_FILE: Final = {
    "name": Wire("filename", string, None, optional=True),
    "resource": Wire(read=_document, maybe=FILE_KEYS),
}

CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, ("type", "input_text"), {"text": Wire("text", string, same)}),
    (Content.Refusal, ("type", "refusal"), {"text": Wire("refusal", string, same)}),
    (Content.Reasoning, ("type", "summary_text"), {"text": Wire("text", string, same)}),
    (
        Content.Image,
        ("type", "input_image"),
        {"resource": Wire(read=_picture, maybe=IMAGE_KEYS), "detail": Wire("detail", _detail, _word, optional=True)},
    ),
    (Content.PDF, ("type", "input_file"), _FILE),
    (Content.File, ("type", "input_file"), _FILE),
    (
        Content.ToolRequest,
        ("type", "function_call"),
        {
            "id": Wire("call_id", string, same),
            "name": Wire("name", tool_name, same),
            "arguments": Wire("arguments", arguments_of, arguments_text),
        },
    ),
    (
        Tool,
        ("type", "function"),
        {
            "name": Wire("name", tool_name, same),
            "description": Wire("description", string, same, optional=True),
            "parameters": Wire("parameters", json, plain_json, optional=True),
            "strict": Wire("strict", boolean, same, optional=True),
        },
    ),
    (ToolChoice.One, ("type", "function"), {"name": Wire("name", tool_name, same)}),
    (ResponseFormat.Text, ("type", "text"), {}),
    (ResponseFormat.JsonObject, ("type", "json_object"), {}),
    (
        ResponseFormat.JsonSchema,
        ("type", "json_schema"),
        format_wires(None),
    ),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, "system"), (Message.User, "user")):
        register(CODEC, case, {"contents": Wire("content", contents[case], None, plain=True)}, dialect=NAME, tag=("role", role))
    result = {
        "id": Wire("call_id", string, same),
        "contents": Wire("output", contents[Message.ToolResult], None, plain=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("type", "function_call_output"))
