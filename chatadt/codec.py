"""The library's own JSON: http4k's shape (`{"type": "user", "contents": [{"type": "text", "text": "hi"}]}`), by cattrs.

Cases are told apart by `type`, names are in snake case, defaults are left out, a whole conversation stands in an envelope with a
version. Tool arguments stand as the JSON text that they are. What http4k itself writes (`toolRequests`, `mimeType`, `image` for the
resource of an image, a system message's `text`) is read too.

Reading is strict: 5 is no string, an unknown key is an error, an unknown tag is answered with the known ones. The fast path knows no
paths; only when it fails is the place found, so that errors say `expected a string, got 5 at $.messages[2].contents[0].text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType
from typing import Any, Final, TypeAlias, cast, get_args, get_origin, get_type_hints

import orjson
from attrs import NOTHING, fields as attrs_fields
from cattrs import Converter
from returns.result import Failure, Result, Success

from chatadt._hooks import Wire, boolean, each, integer, json, number, register, same, string, structuring, unstructuring
from chatadt.chat import ChatRequest, ChatResponse, Metadata, ModelParams, ResponseFormat, StopReason, Thinking, Usage
from chatadt.content import Arguments, Content
from chatadt.error import ConversionError, Problem, Unexpected
from chatadt.history import History
from chatadt.json import NO_EXTRAS, Extras, Json, dump, parse
from chatadt.message import Message
from chatadt.resource import Resource, check_base64
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("CASES", "CONVERTER", "VERSION", "Document", "document", "dumps", "loads")

VERSION: Final = 1
"""Of the format. A reader takes its own version and those before it."""

NAME: Final = "chatadt"

Document: TypeAlias = (
    "History | ChatRequest | ChatResponse | Message.T | Content.T | Resource.T | Tool | ProviderTool | ToolChoice.T | ModelParams"
)

CASES: Final[Mapping[str, Mapping[str, type]]] = {
    "message": {
        "system": Message.System,
        "user": Message.User,
        "assistant": Message.Assistant,
        "tool": Message.ToolResult,
        "custom": Message.Custom,
    },
    "content": {
        "text": Content.Text,
        "image": Content.Image,
        "audio": Content.Audio,
        "video": Content.Video,
        "pdf": Content.PDF,
        "file": Content.File,
        "reasoning": Content.Reasoning,
        "refusal": Content.Refusal,
        "tool_request": Content.ToolRequest,
        "custom": Content.Custom,
    },
    "resource": {"ref": Resource.Ref, "binary": Resource.Binary},
    "tool": {"tool": Tool, "provider_tool": ProviderTool},
    "tool choice": {
        "auto": ToolChoice.Auto,
        "never": ToolChoice.Never,
        "required": ToolChoice.Required,
        "one": ToolChoice.One,
        "custom": ToolChoice.Custom,
    },
    "response format": {
        "text": ResponseFormat.Text,
        "json_object": ResponseFormat.JsonObject,
        "json_schema": ResponseFormat.JsonSchema,
        "custom": ResponseFormat.Custom,
    },
    "thinking": {"off": Thinking.Off, "adaptive": Thinking.Adaptive, "budget": Thinking.Budget, "custom": Thinking.Custom},
}
"""By union: the tag of each case. http4k's words where it has one."""


# --- leaves --------------------------------------------------------------------------------------------------------------------


def _extras(value: Any) -> Extras:
    if value.__class__ is not dict:
        raise Unexpected.of("an object from the names of dialects to their fields", value)
    return Extras({name: json(item) for name, item in value.items()}) if value else NO_EXTRAS


def _write_extras(value: Extras) -> dict[str, Any]:
    return {name: item.value for name, item in value.items()}


def _arguments(value: Any) -> Arguments.T:
    """Arguments as JSON text; as an object, which is how http4k writes them; or as text that is no JSON, with the reason."""
    if value.__class__ is str:
        return Arguments.of(value)
    if value.__class__ is dict:
        return Arguments.Parsed(json(value))
    raise Unexpected.of("the JSON text of arguments", value)


def _write_arguments(value: Arguments.T) -> str:
    match value:
        case Arguments.Parsed(json=document):
            return document.text
        case Arguments.Malformed(text=text):
            return text


def _named(value: Any) -> str:
    if value.__class__ is not str or not value or value.isspace():
        raise Unexpected.of("a name that is not blank", value)
    return str(value)


def _base64(value: Any) -> str:
    try:
        return check_base64(string(value))
    except ValueError as error:
        raise Unexpected(Problem("", "base64", str(error))) from None


def _member(words: type[Enum]) -> Callable[[Any], Enum]:
    table = {word.value: word for word in words}
    expected = f"one of {', '.join(table)}"

    def read(value: Any) -> Enum:
        if value.__class__ is str and value in table:
            return table[value]
        raise Unexpected.of(expected, value)

    return read


def _word(value: Enum) -> Any:
    return value.value


# --- the converter -------------------------------------------------------------------------------------------------------------

LEAVES: Final[Mapping[object, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    str: (string, same),
    int: (integer, same),
    float: (number, same),
    bool: (boolean, same),
    Json: (json, lambda value: value.value),
    Extras: (_extras, _write_extras),
    Arguments.T: (_arguments, _write_arguments),
}
"""By type of a field: how it is read and written."""

SPECIAL: Final[Mapping[tuple[type, str], Callable[[Any], Any]]] = {
    (Content.ToolRequest, "name"): _named,
    (Message.ToolResult, "tool"): _named,
    (Tool, "name"): _named,
    (ToolChoice.One, "name"): _named,
    (Resource.Ref, "uri"): _named,
    (Resource.Ref, "mime_type"): _named,
    (Resource.Binary, "mime_type"): _named,
    (Resource.Binary, "content"): _base64,
}
"""Fields that take less than their type says, as their constructors do."""

CONVERTER: Final = Converter()


def _hooks(type_: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """How a value of a field's type is read and written."""
    if type_ in LEAVES:
        return LEAVES[type_]
    if get_origin(type_) is tuple:
        read, write = _hooks(get_args(type_)[0])
        return (lambda items: each(read, items)), (lambda items: [write(item) for item in items])
    if isinstance(type_, type) and issubclass(type_, Enum):
        return _member(type_), _word
    members = frozenset(get_args(type_)) - {NoneType} or frozenset({type_})
    if len(members) == 1 and next(iter(members)) is not type_:
        return _hooks(next(iter(members)))  # X | None: the field is optional, so None is never read or written
    for union, cases in CASES.items():
        if members <= frozenset(cases.values()):
            table = {tag: case for tag, case in cases.items() if case in members}
            return _reader(union, table), _write
    return structuring(CONVERTER, type_), unstructuring(CONVERTER, type_)


def _reader(union: str, cases: Mapping[str, type]) -> Callable[[Any], Any]:
    hooks: dict[Any, Any] = {}  # filled at the first use: the cases may not be registered yet

    def read(value: Any) -> Any:
        try:
            hook = hooks[value["type"]]
        except (KeyError, TypeError):
            hook = _look_up(value, union, cases, hooks)
        return hook(value, None)

    return read


def _look_up(value: Any, union: str, cases: Mapping[str, type], hooks: dict[Any, Any]) -> Any:
    if not hooks:
        hooks.update({tag: CONVERTER.get_structure_hook(case) for tag, case in cases.items()})
    if value.__class__ is not dict:
        raise Unexpected.of(f"a {union}, which is an object", value)
    tag = value.get("type")
    if tag.__class__ is not str or tag not in hooks:
        raise Unexpected.of(f"the type of a {union} ({', '.join(cases)})", tag, ".type")
    return hooks[tag]


def _write(value: Any) -> Any:
    return _WRITERS[value.__class__](value)


def _register(case: type, tag: str | None) -> None:
    hints = get_type_hints(case)
    wires: dict[str, Wire] = {}
    for attribute in attrs_fields(case):  # type: ignore[arg-type,unused-ignore]
        read, write = _hooks(hints[attribute.name])
        read = SPECIAL.get((case, attribute.name), read)
        optional = attribute.default is not NOTHING or NoneType in get_args(hints[attribute.name])
        default = None if attribute.default is NOTHING else NotImplemented
        wires[attribute.name] = Wire(attribute.name, read, write, optional=optional, default=default)
    register(CONVERTER, case, wires, dialect=None, tag=None if tag is None else ("type", tag))


_register(StopReason, None)
_register(Usage, None)
for _union in CASES.values():
    for _tag, _case in _union.items():
        _register(_case, _tag)
_register(Metadata, None)
_register(ModelParams, None)

_WRITERS: Final[Mapping[type, Callable[[Any], Any]]] = {
    case: CONVERTER.get_unstructure_hook(case) for cases in CASES.values() for case in cases.values()
}


# --- documents -----------------------------------------------------------------------------------------------------------------


def document(word: Document) -> Json:
    """A word as a JSON document of its own."""
    return Json.trusted(_text(word))


def dumps(word: Document) -> bytes:
    """The JSON of a conversation, a request, an answer, a message or one of their parts, as UTF-8 bytes.

    A history is `{"chatadt": 1, "messages": [...]}`, a request has `params` besides, an answer `message` and `metadata`; other
    words stand as they are. Equal words give equal bytes. Raises TypeError for what is none of these.
    """
    plain = _plain(word)
    try:
        return orjson.dumps(plain)
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return dump(plain).encode()


def loads(data: bytes | str) -> Result[Document, ConversionError.T]:
    """What `dumps` wrote, or a list of messages, or http4k's JSON. Answers `Unreadable` for anything else, and never raises."""
    try:
        value = parse(data)
    except ValueError as error:
        return Failure(ConversionError.Unreadable(NAME, (Problem("$", "JSON", str(error)),)))
    try:
        return Success(_read(value))
    except Unexpected as error:
        return _read_http4k(value, error)
    except RecursionError:
        return Failure(ConversionError.Unreadable(NAME, (Problem("$", "JSON that can be followed", "too many levels"),)))


def _text(word: Document) -> str:
    return dumps(word).decode()


def _plain(word: Document) -> dict[str, Any]:
    if word.__class__ in _WRITERS:
        return cast("dict[str, Any]", _write(word))
    match word:
        case History(messages=messages):
            return {NAME: VERSION, "messages": [_write(message) for message in messages]}
        case ChatRequest(messages=messages, params=params):
            return {NAME: VERSION, "messages": [_write(message) for message in messages], "params": _write_params(params)}
        case ChatResponse(message=message, metadata=metadata):
            return {NAME: VERSION, "message": _write(message), "metadata": _write_metadata(metadata)}
        case ModelParams():
            return {NAME: VERSION, "params": _write_params(word)}
        case _:
            raise TypeError(f"expected a history, request, answer, message or content, got {word!r}")


def _read(value: Any) -> Document:
    if value.__class__ is list:
        return History(each(_read_message, value))
    if value.__class__ is not dict:
        raise Unexpected.of("a conversation or a message", value)
    if "type" in value:
        return _read_word(value)
    if NAME in value and (value[NAME].__class__ is not int or not 1 <= value[NAME] <= VERSION):
        raise Unexpected.of(f"version {VERSION} of the format, or one before it", value[NAME], f".{NAME}")
    keys = frozenset(value) - {NAME}
    for names, read in _ENVELOPES.items():
        if keys == names:
            return read(value)
    known = "; ".join(" and ".join(sorted(names)) for names in _ENVELOPES)
    raise Unexpected.of(f"a conversation (with the keys {known}) or a message (with a type)", sorted(value))


def _messages(value: dict[str, Any]) -> tuple[Message.T, ...]:
    messages: tuple[Message.T, ...] = _at(".messages", lambda items: each(_read_message, items), value["messages"])
    return messages


def _at(path: str, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except Unexpected as error:
        raise error.under(path) from None


def _read_request(value: dict[str, Any]) -> ChatRequest:
    return ChatRequest(_messages(value), _at(".params", _read_params, value["params"]))


def _read_response(value: dict[str, Any]) -> ChatResponse:
    return ChatResponse(_at(".message", _read_answer, value["message"]), _at(".metadata", _read_metadata, value["metadata"]))


def _read_word(value: dict[str, Any]) -> Document:
    """A message, a content or another word that stands alone; the tag `custom` of a message has attributes."""
    tag = value["type"]
    unions = [union for union, cases in CASES.items() if tag.__class__ is str and tag in cases]
    if "message" in unions and (len(unions) == 1 or "attributes" in value):
        return cast("Document", _read_message(value))
    if "content" in unions:
        return cast("Document", _read_content(value))
    if unions:
        return cast("Document", _reader(unions[0], CASES[unions[0]])(value))
    raise Unexpected.of(
        f"the type of a message ({', '.join(CASES['message'])}) or of a content ({', '.join(CASES['content'])})", tag, ".type"
    )


_read_message: Final = _reader("message", CASES["message"])
_read_content: Final = _reader("content", CASES["content"])
_read_answer: Final = _reader("message", {"assistant": Message.Assistant})
_read_params: Final = structuring(CONVERTER, ModelParams)
_read_metadata: Final = structuring(CONVERTER, Metadata)
_write_params: Final = unstructuring(CONVERTER, ModelParams)
_write_metadata: Final = unstructuring(CONVERTER, Metadata)

_ENVELOPES: Final[Mapping[frozenset[str], Callable[[dict[str, Any]], Document]]] = {
    frozenset({"messages"}): lambda value: History(_messages(value)),
    frozenset({"messages", "params"}): _read_request,
    frozenset({"message", "metadata"}): _read_response,
    frozenset({"params"}): lambda value: _at(".params", _read_params, value["params"]),
}


# --- http4k --------------------------------------------------------------------------------------------------------------------


def _read_http4k(value: Any, error: Unexpected) -> Result[Document, ConversionError.T]:
    """Read what http4k wrote; where the value is none of that, the first error stands."""
    translated = _from_http4k(value)
    if translated == value:
        return Failure(ConversionError.Unreadable(NAME, error.under("$").problems))
    try:
        return Success(_read(translated))
    except Unexpected as second:
        return Failure(ConversionError.Unreadable(NAME, second.under("$").problems))


def _from_http4k(value: Any) -> Any:
    """The same JSON in this library's names: http4k's ModelParams are not among what is translated."""
    if value.__class__ is list:
        return [_from_http4k(item) for item in value]
    if value.__class__ is not dict or value.get("type").__class__ is not str:
        return {**value, "messages": _from_http4k(value["messages"])} if value.__class__ is dict and "messages" in value else value
    renamed: dict[str, Any] = {_HTTP4K.get(key, key): item for key, item in value.items()}
    match value["type"]:
        case "system" | "tool" if "text" in renamed and "contents" not in renamed:
            renamed["contents"] = [{"type": "text", "text": renamed.pop("text")}]
        case "image" if "image" in renamed:
            renamed["resource"] = renamed.pop("image")
        case "custom" if "resource" in renamed:
            renamed["type"] = "file"
        case _:
            pass
    if renamed["type"] == "image" and renamed.get("detail").__class__ is str:
        renamed["detail"] = renamed["detail"].lower()
    requests = renamed.pop("tool_requests", None)
    if requests is not None:
        renamed["contents"] = [*renamed.get("contents", ()), *({"type": "tool_request", **request} for request in requests)]
    return {key: _from_http4k(item) if key in ("contents", "resource") else item for key, item in renamed.items()}


_HTTP4K: Final[Mapping[str, str]] = {"mimeType": "mime_type", "toolRequests": "tool_requests"}
