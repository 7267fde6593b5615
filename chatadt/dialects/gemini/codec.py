"""The names that Gemini has for the words, and the two spellings of its own names.

Source: the request types of generateContent in the official SDK (`google.genai.types`, 3.6).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from cattrs import Converter

from chatadt._hooks import register, structuring
from chatadt._sum import changed
from chatadt._wire import UNKNOWN, Wire, json, plain_json, same, string
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import at, base64, parsed, tool_name
from chatadt.dialects._media import file_reference
from chatadt.dialects.gemini.rules import FETCHED, FILE_HOST, kind_of, takes
from chatadt.error import Unexpected
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.tool import Tool, ToolChoice

__all__ = ("CODEC", "NAME", "OPAQUE", "VENDOR", "camel", "has_snake", "in_camel", "in_snake", "medium_kind", "register_messages")

NAME: Final = "gemini"
VENDOR: Final = "google"
"""Whose Files API a file belongs to."""

# --- spelling ------------------------------------------------------------------------------------------------------------------

OPAQUE: Final = frozenset(
    {
        "args",
        "response",
        "parameters",
        "parametersJsonSchema",
        "responseSchema",
        "responseJsonSchema",
        "_responseJsonSchema",
        "labels",
        "partMetadata",
        "customMetadata",
        "headers",
    }
)
"""Fields whose value is the caller's own JSON: what looks like a name of the dialect in there is none."""

_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")


def camel(name: str) -> str:
    """The name of a field in camelCase, which the server takes in snake_case as well."""
    if not _SNAKE.fullmatch(name):
        return name
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def has_snake(value: Any) -> bool:
    """Whether some field in an object or a list of the dialect is spelt in snake_case."""
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if here.__class__ is dict:
            if not _USUAL.issuperset(here) and any(map(_is_snake, here)):
                return True
            for key, item in here.items():
                if item.__class__ is dict:
                    if key not in OPAQUE and not _LEAVES.issuperset(item):
                        waiting.append(item)
                elif item.__class__ is list and key not in OPAQUE:
                    for inner in item:
                        if inner.__class__ is dict:
                            if _LEAVES.issuperset(inner):
                                continue
                            called = inner.get("functionCall" if "functionCall" in inner else "functionResponse")
                            is_alone = len(inner) == 1 or (len(inner) == len(_SIGNED) and _SIGNED.issuperset(inner))
                            if not (is_alone and called.__class__ is dict and _LEAVES.issuperset(called)):
                                waiting.append(inner)
                        elif inner.__class__ is list:
                            waiting.append(inner)
        else:
            waiting += [item for item in here if item.__class__ is dict or item.__class__ is list]
    return False


def _is_snake(key: Any) -> bool:
    return key not in _USUAL and key.__class__ is str and camel(key) != key


_LEAVES: Final = frozenset(
    {"args", "data", "fileUri", "id", "mimeType", "name", "output", "response", "role", "text", "thoughtSignature"}
)
"""Names under which no field of the dialect can stand."""

_SIGNED: Final = frozenset({"functionCall", "thoughtSignature"})

_USUAL: Final = frozenset(
    {
        *("contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "role", "parts", "text", "thought"),
        *("thoughtSignature", "functionCall", "functionResponse", "id", "name", *OPAQUE, "inlineData", "fileData", "mimeType"),
        *("data", "fileUri", "functionDeclarations", "description", "output", "maxOutputTokens", "temperature", "topP"),
    }
)
"""Names that need not be looked at more closely."""


def in_camel(value: Any, seen: dict[str, str]) -> Any:
    """JSON of the dialect in camelCase; `seen` learns which names were not spelt so, and how. A field that is there twice stays."""
    if value.__class__ is list:
        return [in_camel(item, seen) for item in value]
    if value.__class__ is not dict:
        return value
    out: dict[Any, Any] = {}
    for key, item in value.items():
        name = camel(key) if key.__class__ is str else key
        if name != key:
            name = key if name in value else seen.setdefault(name, key) and name
        out[name] = item if name in OPAQUE else in_camel(item, seen)
    return out


def in_snake(value: Any, names: Mapping[str, str]) -> Any:
    """JSON of the dialect with the fields of `names` spelt as `names` says: what `in_camel` did, undone."""
    if value.__class__ is list:
        return [in_snake(item, names) for item in value]
    if value.__class__ is not dict:
        return value
    fields = cast("dict[str, Any]", value)
    return {
        key if names.get(key, key) in fields else names[key]: item if key in OPAQUE else in_snake(item, names)
        for key, item in fields.items()
    }


# --- media ---------------------------------------------------------------------------------------------------------------------

_TO_STANDARD: Final = str.maketrans("-_", "+/")


def _payload(value: Any) -> str:
    """Read base64 of either alphabet, padded or not, as the padded standard one. Nothing is decoded."""
    text = string(value)
    if ("-" in text or "_" in text) and "+" not in text and "/" not in text:
        text = text.translate(_TO_STANDARD)
    return base64(text + "=" * (-len(text) % 4))


def _media_type(value: Any) -> Any:
    return string(value) if string(value).strip() else UNKNOWN


def _uri(value: Any) -> str:
    if not string(value).strip():
        raise Unexpected.of("the URI of a file", value)
    return file_reference(VENDOR, value) if value.startswith(FILE_HOST) else str(value)


def medium_kind(part: Mapping[str, Any]) -> type:
    """Which content a part with inlineData or fileData is."""
    match part:
        case {"inlineData": {"mimeType": str(media)}} | {"fileData": {"mimeType": str(media)}} if media.strip():
            return kind_of(media, "")
        case {"fileData": {"fileUri": str(uri)}}:
            return kind_of(None, uri)
        case _:
            return Content.File


def _resource(part: dict[str, Any]) -> Resource.T:
    """The resource of a part; notes say how it was spelt where a writer would not guess it."""
    kind, key = medium_kind(part), "inlineData" if part.get("inlineData") is not None else "fileData"
    value: Any = part[key]
    if value.__class__ is not dict:
        raise Unexpected.of("an object", value, f".{key}")
    named = kind in _NAMED and value.get("displayName").__class__ is str
    fields = {name: item for name, item in value.items() if name != "displayName"} if named else value
    read: Callable[[Any], Resource.T] = _by_value if key == "inlineData" else _by_uri
    resource = at(f".{key}", read, fields)
    notes: dict[str, Any] = {"$named": True} if named else {}
    if not takes(kind, resource.mime_type) or (isinstance(resource, Resource.Ref) and not resource.uri.startswith(_FETCHED)):
        notes["$own"] = True
    if isinstance(resource, Resource.Binary) and resource.content != value["data"]:
        notes["$data"] = _alphabet(value["data"])
    return changed(resource, "extras", resource.extras.having(NAME, notes)) if notes else resource


def _alphabet(data: str) -> list[str]:
    """What was unusual about base64 that was read."""
    unusual = {"url_safe": "-" in data or "_" in data, "unpadded": len(data) % 4 != 0}
    return [name for name, is_so in unusual.items() if is_so]


_NAMED: Final = frozenset({Content.PDF, Content.File})
_FETCHED: Final = (*FETCHED, "urn:")


def _display_name(part: Any) -> str | None:
    match part:
        case {"inlineData": {"displayName": str(name)}} | {"fileData": {"displayName": str(name)}}:
            return name
        case _:
            return None


# --- calls and results ---------------------------------------------------------------------------------------------------------


def _args(value: Any) -> Arguments.T:
    if value.__class__ is not dict:
        raise Unexpected.of("an object of arguments", value)
    return parsed(json(value))


def _outcome(result: dict[str, Any]) -> Outcome:
    response: Any = result.get("response")
    return Outcome.ERROR if response.__class__ is dict and response.get("error") is not None else Outcome.OK


def _only(value: Any) -> str:
    match value:
        case [str() as name]:
            return tool_name(name)
        case _:
            raise Unexpected.of("a list of one name", value)


def _alone(value: str) -> list[str]:
    return [value]


_MEDIUM: Final = {"resource": Wire(read=_resource, always=("inlineData", "fileData"))}
_DOCUMENT: Final = {**_MEDIUM, "name": Wire(read=_display_name)}

CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, None, {"text": Wire("text", string, same)}),
    (Content.Reasoning, None, {"text": Wire("text", string, same, optional=True, default="")}),
    (Content.Image, None, _MEDIUM),
    (Content.Audio, None, _MEDIUM),
    (Content.Video, None, _MEDIUM),
    (Content.PDF, None, _DOCUMENT),
    (Content.File, None, _DOCUMENT),
    (
        Content.ToolRequest,
        None,
        {
            "id": Wire("functionCall.id", string, same, optional=True, default=""),
            "name": Wire("functionCall.name", tool_name, same),
            "arguments": Wire("functionCall.args", _args, None, optional=True, default=NO_ARGUMENTS),
        },
    ),
    (
        Resource.Binary,
        None,
        {"content": Wire("data", _payload, None), "mime_type": Wire("mimeType", _media_type, None, optional=True)},
    ),
    (Resource.Ref, None, {"uri": Wire("fileUri", _uri, None), "mime_type": Wire("mimeType", _media_type, None, optional=True)}),
    (
        Tool,
        None,
        {
            "name": Wire("name", tool_name, same),
            "description": Wire("description", string, same, optional=True),
            "parameters": Wire("parametersJsonSchema", json, plain_json, optional=True),
        },
    ),
    (ToolChoice.Auto, ("mode", "AUTO"), {}),
    (ToolChoice.Never, ("mode", "NONE"), {}),
    (ToolChoice.Required, ("mode", "ANY"), {}),
    (ToolChoice.One, ("mode", "ANY"), {"name": Wire("allowedFunctionNames", _only, _alone)}),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)

_by_value: Final = structuring(CODEC, Resource.Binary)
_by_uri: Final = structuring(CODEC, Resource.Ref)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, None), (Message.User, "user"), (Message.Assistant, "model")):
        parts = Wire("parts", contents[case], None, optional=True, default=())
        register(CODEC, case, {"contents": parts}, dialect=NAME, tag=None if role is None else ("role", role))
    result = {
        "id": Wire("id", string, same, optional=True, default=""),
        "tool": Wire("name", tool_name, same, optional=True, default=None),
        "contents": Wire(read=contents[Message.ToolResult], always=("response", "parts")),
        "outcome": Wire(read=_outcome),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME)
