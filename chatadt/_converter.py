"""The converter of the library's own JSON: the tag of each case, and how the fields of each class are read and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import NoneType
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

from attrs import NOTHING, Attribute, fields as attrs_fields
from cattrs import Converter

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, boolean, each, integer, json, number, same, string
from chatadt.chat import (
    ChatRequest,
    ChatResponse,
    Choice,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    StopReason,
    Thinking,
    Usage,
)
from chatadt.content import Arguments, Content, arguments_of_text
from chatadt.error import Problem, Unexpected, show
from chatadt.history import History
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.message import Message
from chatadt.resource import Resource, check_base64
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = (
    "CASES",
    "CONVERTER",
    "LEAVES",
    "NAME",
    "RARE",
    "SPECIAL",
    "UNIONS",
    "VERSION",
    "WRITERS",
    "base64",
    "named",
    "reader",
    "reader_of_many",
)

NAME: Final = "chatadt"
VERSION: Final = 1
"""Of the format. A reader takes its own version and those before it."""

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

UNIONS: Final[dict[str, Mapping[str, type]]] = dict(CASES)
"""The same, and what `_template_converter` adds when the first template is written or read: most programs have none."""


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
    if isinstance(value, Arguments.Parsed):
        return value.json.text
    return value.text if arguments_of_text(value.text) == value else [value.text, value.why]


def named(value: Any) -> str:
    """Read a text that is not blank."""
    if value.__class__ is not str or not value or value.isspace():
        raise Unexpected.of("a text that is not blank", value)
    return str(value)


def base64(value: Any) -> str:
    """Read base64, checked and not decoded."""
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
    (Content.ToolRequest, "name"): named,
    (Message.ToolResult, "tool"): named,
    (Tool, "name"): named,
    (ToolChoice.One, "name"): named,
    (Resource.Ref, "uri"): named,
    (Resource.Ref, "mime_type"): named,
    (Resource.Binary, "mime_type"): named,
    (Resource.Binary, "content"): base64,
}
"""Fields that take less than their type says, as their constructors do."""

RARE: Final = frozenset({(ChatResponse, "others")})
"""Fields of envelopes that are left out where they hold their default, as all others are everywhere else."""

CONVERTER: Final = Converter()


def _hooks(type_: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """How a value of a field's type is read and written."""
    if type_ in LEAVES:
        return LEAVES[type_]
    if get_origin(type_) is tuple:
        return _hooks_of_many(get_args(type_)[0])
    if isinstance(type_, type) and issubclass(type_, Enum):
        return _member(type_), lambda word: word.value
    members = frozenset(get_args(type_)) - {NoneType} or frozenset({type_})
    if len(members) == 1 and next(iter(members)) is not type_:
        return _hooks(next(iter(members)))  # X | None: the field is optional, so None is never read or written
    found = _union_of(type_)
    if found is not None:
        return reader(*found), _write
    return structuring(CONVERTER, cast("Any", type_)), unstructuring(CONVERTER, cast("Any", type_))


def _hooks_of_many(type_: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """How a list of values of a type is read, as a tuple, and written."""
    found = _union_of(type_)
    if found is not None:
        return reader_of_many(*found), _write_many
    read, write = _hooks(type_)
    return (lambda items: each(read, items)), (lambda items: [write(item) for item in items])


def _union_of(type_: Any) -> tuple[str, Mapping[str, type]] | None:
    """The union that a type is, or is a part of: its name, and the cases by their tags."""
    members = frozenset(get_args(type_)) - {NoneType} or frozenset({type_})
    for union, cases in UNIONS.items():
        if members <= frozenset(cases.values()):
            return union, {tag: case for tag, case in cases.items() if case in members}
    return None


def reader(union: str, cases: Mapping[str, type]) -> Callable[[Any], Any]:
    """A reader of the cases of a union, which `type` tells apart."""
    return _readers(union, cases)[0]


def reader_of_many(union: str, cases: Mapping[str, type]) -> Callable[[Any], tuple[Any, ...]]:
    """A reader of a list of cases."""
    return _readers(union, cases)[1]


def _readers(union: str, cases: Mapping[str, type]) -> tuple[Callable[[Any], Any], Callable[[Any], tuple[Any, ...]]]:
    hooks: dict[Any, Any] = {}  # filled at the first use: the cases may not be registered yet

    def read(value: Any) -> Any:
        try:
            hook = hooks[value["type"]]
        except (KeyError, TypeError):
            hook = _look_up(value, union, cases, hooks)
        return hook(value, None)

    def read_many(values: Any) -> tuple[Any, ...]:
        if values.__class__ is list:
            try:
                if len(values) == 1:  # as most are: without a comprehension it takes half the time
                    return (hooks[values[0]["type"]](values[0]),)
                return tuple([hooks[value["type"]](value) for value in values])
            except (KeyError, TypeError, Unexpected):  # the first use, or a problem, which is found again with its place
                pass
        return each(read, values)

    return read, read_many


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
    return WRITERS[value.__class__](value)


def _write_many(values: tuple[Any, ...]) -> list[Any]:
    if len(values) == 1:
        return [WRITERS[values[0].__class__](values[0])]
    return [WRITERS[value.__class__](value) for value in values]


def _register(case: type, tag: tuple[str, Any] | None = None, *, whole: bool = False) -> None:
    """Teach the converter one class. Of a `whole` one every field but those of `RARE` is written, its default too."""
    hints = get_type_hints(case)
    wires: dict[str, Wire] = {}
    for attribute in cast("tuple[Attribute[Any], ...]", attrs_fields(case)):  # type: ignore[arg-type,unused-ignore]
        read, write = _hooks(hints[attribute.name])
        read = SPECIAL.get((case, attribute.name), read)
        has_default = not whole or (case, attribute.name) in RARE
        optional = has_default and (attribute.default is not NOTHING or NoneType in get_args(hints[attribute.name]))
        default = None if attribute.default is NOTHING else NotImplemented
        wires[attribute.name] = Wire(attribute.name, read, write, optional=optional, default=default)
    register(CONVERTER, case, wires, dialect=None, tag=tag)


_register(StopReason)
_register(ProviderError)
_register(Usage)
for _cases in CASES.values():
    for _tag, _case in _cases.items():
        _register(_case, ("type", _tag))
_register(Metadata)
_register(Choice)
_register(ModelParams)
for _whole in (History, ChatRequest, ChatResponse):
    _register(_whole, (NAME, VERSION), whole=True)

WRITERS: Final[dict[type, Callable[[Any], Any]]] = {
    case: unstructuring(CONVERTER, case) for cases in CASES.values() for case in cases.values()
}
"""By class: how it is written, its tag with it."""
