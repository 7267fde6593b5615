"""The library's own JSON: http4k's shape (`{"type": "user", "contents": [{"type": "text", "text": "hi"}]}`), by cattrs.

A message, a content and a resource stand as they are, told apart by `type`; everything else stands in an envelope with a version
and keys that say what it is. Names are in snake case, defaults are left out. Tool arguments stand as the JSON text that they are,
and so does text that is no JSON; the pair `[text, why]` stands for it where a parser would find another reason, or none.
What http4k itself writes (`toolRequests`, `mimeType`, `image` for the resource of an image, a system message's `text`) is read too.

Reading is strict: 5 is no string, an unknown key is an error and so is one that stands twice, an unknown tag is answered with the
known ones. The fast path knows no paths; only when it fails is the place found, so that errors say
`expected a string, got 5 at $.messages[2].contents[0].text`.
"""

from __future__ import annotations

import json as _json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from types import NoneType
from typing import Any, Final, TypeAlias, assert_never, cast, get_args, get_origin, get_type_hints

import orjson
from attrs import NOTHING, Attribute, fields as attrs_fields
from cattrs import Converter
from returns.result import Failure, Result, Success

from chatadt._hooks import Wire, boolean, each, integer, json, number, register, same, string, structuring, unstructuring
from chatadt.chat import ChatRequest, ChatResponse, Metadata, ModelParams, ResponseFormat, StopReason, Thinking, Usage
from chatadt.content import Arguments, Content, arguments_of_text
from chatadt.error import ConversionError, Problem, Unexpected, show
from chatadt.history import History
from chatadt.json import NO_EXTRAS, Extras, Json, dump, parse
from chatadt.message import Message
from chatadt.resource import Resource, check_base64
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("CASES", "CONVERTER", "VERSION", "Document", "document", "dumps", "loads")

NAME: Final = "chatadt"
VERSION: Final = 1
"""Of the format. A reader takes its own version and those before it."""

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


def _arguments(value: Any) -> Arguments.T:
    """Arguments as JSON text; as an object, which is how http4k writes them; or as text that is no JSON, with the reason."""
    if value.__class__ is str:
        return arguments_of_text(value)
    if value.__class__ is dict:
        return Arguments.Parsed(json(value))
    match value:
        case [str(text), str(why)]:
            return Arguments.Malformed(text, why)
        case _:  # JSON of another shape
            raise Unexpected.of("arguments (JSON text, or an object, or a pair of malformed text and why it is)", value)


def _write_arguments(value: Arguments.T) -> str | list[str]:
    match value:
        case Arguments.Parsed(json=document):
            return document.text
        case Arguments.Malformed(text=text, why=why):
            return text if arguments_of_text(text) == value else [text, why]
        case _:
            assert_never(value)


def _named(value: Any) -> str:
    if value.__class__ is not str or not value or value.isspace():
        raise Unexpected.of("a text that is not blank", value)
    return str(value)


def _base64(value: Any) -> str:
    try:
        return check_base64(string(value))
    except ValueError as error:
        raise Unexpected(Problem("", "base64", f"{show(value)} ({error})")) from None


def _member(words: type[Enum]) -> Callable[[Any], Enum]:
    table = {word.value: word for word in words}
    expected = f"one of {', '.join(table)}"

    def read(value: Any) -> Enum:
        if value.__class__ is str and value in table:
            return table[value]
        raise Unexpected.of(expected, value)

    return read


# --- the converter -------------------------------------------------------------------------------------------------------------

LEAVES: Final[Mapping[object, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    str: (string, same),
    int: (integer, same),
    float: (number, same),
    bool: (boolean, same),
    Json: (json, lambda value: value.value),
    Extras: (_extras, lambda value: {name: item.value for name, item in value.items()}),
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
        return _member(type_), lambda word: word.value
    members = frozenset(get_args(type_)) - {NoneType} or frozenset({type_})
    if len(members) == 1 and next(iter(members)) is not type_:
        return _hooks(next(iter(members)))  # X | None: the field is optional, so None is never read or written
    for union, cases in CASES.items():
        if members <= frozenset(cases.values()):
            table = {tag: case for tag, case in cases.items() if case in members}
            return _reader(union, table), _write
    return structuring(CONVERTER, cast("Any", type_)), unstructuring(CONVERTER, cast("Any", type_))


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
        raise Unexpected(
            Problem(".type", f"the type of a {union} ({', '.join(cases)})", show(tag) if "type" in value else "nothing")
        )
    return hooks[tag]


def _write(value: Any) -> Any:
    return _WRITERS[value.__class__](value)


def _register(case: type, tag: tuple[str, Any] | None = None, *, whole: bool = False) -> None:
    """Teach the converter one class. Of a `whole` one every field is written, its default too."""
    hints = get_type_hints(case)
    wires: dict[str, Wire] = {}
    for attribute in cast("tuple[Attribute[Any], ...]", attrs_fields(case)):  # type: ignore[arg-type,unused-ignore]
        read, write = _hooks(hints[attribute.name])
        read = SPECIAL.get((case, attribute.name), read)
        optional = not whole and (attribute.default is not NOTHING or NoneType in get_args(hints[attribute.name]))
        default = None if attribute.default is NOTHING else NotImplemented
        wires[attribute.name] = Wire(attribute.name, read, write, optional=optional, default=default)
    register(CONVERTER, case, wires, dialect=None, tag=tag)


_register(StopReason)
_register(Usage)
for _cases in CASES.values():
    for _tag, _case in _cases.items():
        _register(_case, ("type", _tag))
_register(Metadata)
_register(ModelParams)
for _whole in (History, ChatRequest, ChatResponse):
    _register(_whole, (NAME, VERSION), whole=True)

_WRITERS: Final[Mapping[type, Callable[[Any], Any]]] = {
    case: unstructuring(CONVERTER, case) for cases in CASES.values() for case in cases.values()
}


# --- documents -----------------------------------------------------------------------------------------------------------------


def document(word: Document) -> Json:
    """A word as a JSON document of its own."""
    return Json.trusted(dumps(word).decode())


def dumps(word: Document) -> bytes:
    """The JSON of a conversation, a request, an answer, a message or one of their parts, as UTF-8 bytes.

    A history is `{"chatadt": 1, "messages": [...]}`, a request has `params` besides, an answer `message` and `metadata`; params,
    a tool and a tool choice have such an envelope too. `loads` reads an equal word, of which `dumps` writes the same bytes.
    Raises TypeError for what is none of these.
    """
    write = _DOCUMENTS.get(word.__class__)
    if write is None:
        raise TypeError(f"expected one of {', '.join(case.__qualname__ for case in _DOCUMENTS)}, got {word!r}")
    plain = write(word)
    try:
        return orjson.dumps(plain)
    except TypeError:  # integers beyond 64 bits, lone surrogates, deep nesting
        return dump(plain).encode()


def loads(data: bytes | str) -> Result[Document, ConversionError.T]:
    """What `dumps` wrote, or a list of messages, or http4k's JSON of either.

    For any other bytes or text the answer is `Unreadable`, with the place of each problem; TypeError is for what is neither.
    """
    if not isinstance(cast("object", data), bytes | bytearray | str):
        raise TypeError(f"loads takes bytes or text, got {data!r}")
    try:
        try:
            return Success(_read_either(_parse(data)))
        except Unexpected as error:
            problems = error.under("$").problems
    except RecursionError:
        problems = (Problem("$", "JSON that can be followed", "too many levels"),)
    return Failure(ConversionError.Unreadable(NAME, problems))


def _read_either(value: Any) -> Document:
    """Read this library's JSON or, where it is none, http4k's; where it is neither, the first error stands."""
    try:
        return _read(value)
    except Unexpected:
        translated = _from_http4k(value)
        if translated == value:
            raise
    return _read(translated)


def _read(value: Any) -> Document:
    if value.__class__ is list:
        return History(each(_read_message, value))
    if value.__class__ is not dict:
        raise Unexpected.of("a conversation or a message", value)
    if "type" in value:
        # Messages, contents and resources share one tag: the custom message is the one that has attributes.
        of_message = value["type"] == "custom" and "attributes" in value
        return cast("Document", (_read_message if of_message else _read_alone)(value))
    version = value.get(NAME, VERSION)
    if version.__class__ is not int or not 1 <= version <= VERSION:
        raise Unexpected.of(f"version {VERSION} of the format (later ones need a later {NAME})", version, f".{NAME}")
    for keys, read in ENVELOPES.items():
        if value.keys() - {NAME} == set(keys):
            return read(value)
    known = ", or ".join(" and ".join(keys) for keys in ENVELOPES)
    raise Unexpected.of(f"an object with a type (a message, content or resource) or with the keys {known}", list(value))


def _written(key: str, write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda word: {NAME: VERSION, key: write(word)}


def _read_field(key: str, read: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    def read_field(value: dict[str, Any]) -> Any:
        try:
            return read(value[key])
        except Unexpected as error:
            raise error.under(f".{key}") from None

    return read_field


ALONE: Final = ("message", "content", "resource")
"""The unions whose cases stand without an envelope."""

_read_message: Final = _reader("message", CASES["message"])
_read_alone: Final = _reader("message, content or resource", {tag: case for union in ALONE for tag, case in CASES[union].items()})

_DOCUMENTS: Final[Mapping[type, Callable[[Any], Any]]] = {
    **{case: unstructuring(CONVERTER, case) for case in (History, ChatRequest, ChatResponse)},
    **{case: _WRITERS[case] for union in ALONE for case in CASES[union].values()},
    **{case: _written("tool", _WRITERS[case]) for case in CASES["tool"].values()},
    **{case: _written("tool_choice", _WRITERS[case]) for case in CASES["tool choice"].values()},
    ModelParams: _written("params", unstructuring(CONVERTER, ModelParams)),
}
"""By class: how a document of its own is written."""

ENVELOPES: Final[Mapping[tuple[str, ...], Callable[[dict[str, Any]], Document]]] = {
    ("messages",): structuring(CONVERTER, History),
    ("messages", "params"): structuring(CONVERTER, ChatRequest),
    ("message", "metadata"): structuring(CONVERTER, ChatResponse),
    ("params",): _read_field("params", structuring(CONVERTER, ModelParams)),
    ("tool",): _read_field("tool", _reader("tool", CASES["tool"])),
    ("tool_choice",): _read_field("tool_choice", _reader("tool choice", CASES["tool choice"])),
}
"""By the keys of an envelope, its version apart: how what it holds is read."""


# --- text ----------------------------------------------------------------------------------------------------------------------


def _parse(data: bytes | str) -> Any:
    """The value of a JSON text in which no object has a key twice.

    What is written again as it came, as is all that `dumps` wrote, has lost neither a key nor a digit: that shows in a third of the
    time of a parse. In other text a key went missing with its colon, unless a colon that was an escape makes up for it.
    """
    text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = orjson.loads(text)
        again = orjson.dumps(value)
    except (orjson.JSONDecodeError, TypeError):  # no JSON, or such as orjson cannot read or write
        again = b""
    else:
        if again == text:
            return value
    try:
        value = parse(data)
    except ValueError as error:
        where = (
            f"{error.msg}, line {error.lineno}, column {error.colno}" if isinstance(error, _json.JSONDecodeError) else str(error)
        )
        raise Unexpected(Problem("", "JSON", f"text that is not ({where})")) from None
    if again.count(b":") != text.count(b":") or b"\\u003" in text:
        problems = tuple(_repeated(_json.loads(data, object_pairs_hook=tuple)))
        if problems:
            raise Unexpected(*problems)
    return value


def _repeated(value: Any) -> Iterator[Problem]:
    """The keys that stand twice in JSON whose objects are tuples of pairs. Flat, because the text may be as deep as it likes."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        path, here = waiting.pop()
        if here.__class__ is tuple:
            times = Counter(key for key, _ in here)
            yield from (Problem(path, "each key once", f"{show(key)} twice") for key in times if times[key] > 1)
            waiting.extend((f"{path}.{key}", item) for key, item in reversed(here))
        elif here.__class__ is list:
            waiting.extend((f"{path}[{at}]", here[at]) for at in reversed(range(len(here))))


# --- http4k --------------------------------------------------------------------------------------------------------------------


def _from_http4k(value: Any) -> Any:
    """The same JSON in this library's names; what is not http4k's stays as it is, as do its parameters and its metadata."""
    match value:
        case list():
            return [_word_from_http4k(item) for item in cast("Iterable[Any]", value)]
        case {"messages": list()}:
            return {**value, "messages": _from_http4k(value["messages"])}
        case {"message": message}:
            return {**value, "message": _word_from_http4k(message)}
        case _:
            return _word_from_http4k(value)


def _word_from_http4k(value: Any) -> Any:
    rest: dict[str, Any] = {**value} if value.__class__ is dict else {}
    match value:
        case {"type": "system" | "tool", "text": text} if "contents" not in value:
            del rest["text"]
            rest["contents"] = [{"type": "text", "text": text}]
        case {"type": "user" | "assistant", "contents": list()} if "toolRequests" not in value:
            rest["contents"] = _from_http4k(value["contents"])
        case {"type": "assistant", "toolRequests": [*requests]} if {item.__class__ for item in requests} <= {dict}:
            # Contents and requests stand apart: in which order they were said nobody wrote down.
            said, asked = value.get("contents", []), cast("list[dict[str, Any]]", rest.pop("toolRequests"))
            requested = [dict[str, Any](type="tool_request", arguments={}) | request for request in asked]
            rest["contents"] = [*_from_http4k(said), *requested] if said.__class__ is list else said
        case {"type": "image", "image": resource} if "resource" not in value:
            del rest["image"]
            rest["resource"] = _word_from_http4k(resource)
            rest |= {"detail": detail.lower()} if (detail := value.get("detail")) in ("Low", "High", "Auto") else {}
        case {"type": "audio" | "video" | "pdf" | "custom" as tag, "resource": resource}:
            rest |= {"type": "file" if tag == "custom" else tag, "resource": _word_from_http4k(resource)}
        case {"type": "ref" | "binary", "mimeType": kind} if "mime_type" not in value:
            del rest["mimeType"]
            rest["mime_type"] = kind
        case _:
            return value
    return rest
