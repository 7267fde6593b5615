"""JSON Schema (draft 2020-12) of this library's own JSON, made from the types: what `chatadt.loads` takes, in our own spelling.

`python -m chatadt.schema` writes it to `schema.json` beside this module. A schema cannot say that an integer is written without a
decimal point (to it 1.0 is one), that no object has a key twice, or which holes a template has; http4k's spelling, which is read
too, is not in it.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

from attrs import NOTHING, Attribute, fields as attrs_fields

from chatadt._converter import CASES, NAME, RARE, SPECIAL, VERSION, base64, named
from chatadt._template_converter import ALL_CASES
from chatadt.chat import ChatRequest, ChatResponse, Choice, Metadata, ModelParams, ProviderError, StopReason, Usage
from chatadt.codec import ALONE
from chatadt.content import Arguments
from chatadt.history import History
from chatadt.json import Extras, Json
from chatadt.message import Message
from chatadt.templates import Binding, Template
from chatadt.tool import ToolChoice, ToolDefinition

__all__ = ("PATH", "json_schema", "main")

PATH: Final = Path(__file__).with_name("schema.json")
"""Where the schema is shipped."""

LEAVES: Final[Mapping[object, Mapping[str, Any]]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Json: {"description": "Any JSON."},
    Extras: {"type": "object", "description": "What dialects said beyond these fields, by the name of the dialect."},
    Arguments.T: {
        "description": "JSON text; or the object itself; or text that is no JSON, and why it is not.",
        "anyOf": [
            {"type": "string"},
            {"type": "object"},
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        ],
    },
}
"""By type of a field: what stands for it."""

NARROW: Final[Mapping[Callable[[Any], Any], Mapping[str, Any]]] = {
    named: {"type": "string", "pattern": r"\S"},
    base64: {"type": "string", "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"},
}
"""By reader of a field that takes less than its type says: what it takes."""

ENVELOPED: Final[Mapping[str, object]] = {
    "params": ModelParams,
    "template": Template,
    "tool": ToolDefinition,
    "tool_choice": ToolChoice.T,
}
"""By the key of an envelope that holds one word: the type of the word."""

WHOLE: Final = (History, ChatRequest, ChatResponse)
"""Classes whose fields stand in an envelope."""

UNTAGGED: Final = (ModelParams, Metadata, Usage, StopReason, ProviderError, Choice, Template, Binding)
"""Classes that are no case of a union: the field says what they are."""


def json_schema() -> dict[str, Any]:
    """The schema of the documents that `loads` takes, as fresh plain data."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": NAME,
        "description": f"A conversation or a part of one as {NAME} writes and reads it, version {VERSION} of the format.",
        "anyOf": [
            *(_reference(case) for case in WHOLE),
            *(_object({NAME: _version(), key: _schema(type_)}, [key]) for key, type_ in ENVELOPED.items()),
            _schema(tuple[Message.T, ...]),
            *(_reference(case) for union in ALONE for case in CASES[union].values()),
        ],
        "$defs": {
            **{case.__qualname__: _whole(case) for case in WHOLE},
            **{case.__qualname__: _tagged(case, tag) for cases in ALL_CASES.values() for tag, case in cases.items()},
            **{case.__qualname__: _described(case, *_fields(case)) for case in UNTAGGED},
        },
    }


def main() -> None:
    """Write the schema where it is shipped."""
    PATH.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8")


def _whole(case: type) -> dict[str, Any]:
    """An envelope has all of its keys but the rare ones and the version, which is that of the reader where it is left out."""
    properties = {name: _schema(hint) for name, hint in get_type_hints(case).items()}
    required = [name for name in properties if (case, name) not in RARE]
    return _described(case, {NAME: _version(), **properties}, required)


def _tagged(case: type, tag: str) -> dict[str, Any]:
    properties, required = _fields(case)
    return _described(case, {"type": {"const": tag}, **properties}, ["type", *required])


def _fields(case: type) -> tuple[dict[str, Any], list[str]]:
    """By name: the schema of each field; and the names of those that must be there. The others may be null."""
    hints = get_type_hints(case)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for attribute in cast("tuple[Attribute[Any], ...]", attrs_fields(case)):  # type: ignore[arg-type,unused-ignore]
        narrow = NARROW.get(SPECIAL.get((case, attribute.name), _schema))
        schema = _schema(hints[attribute.name]) if narrow is None else dict(narrow)
        if attribute.default is NOTHING and NoneType not in get_args(hints[attribute.name]):
            properties[attribute.name] = schema
            required.append(attribute.name)
        else:
            properties[attribute.name] = _or_null(schema)
    return properties, required


def _schema(type_: Any) -> dict[str, Any]:
    """What stands for a value of a field's type, where it is not None."""
    if type_ in LEAVES:
        return dict(LEAVES[type_])
    if get_origin(type_) is tuple:
        return {"type": "array", "items": _schema(get_args(type_)[0])}
    if isinstance(type_, type) and issubclass(type_, Enum):
        return {"enum": [word.value for word in type_]}
    members = [member for member in get_args(type_) if member is not NoneType]
    if len(members) > 1:
        return {"anyOf": [_reference(member) for member in members]}
    return _schema(members[0]) if members else _reference(cast("type", type_))


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    match schema:
        case {"type": str(type_)}:
            return {**schema, "type": [type_, "null"]}
        case {"enum": list()}:
            return {"enum": [*schema["enum"], None]}
        case {"anyOf": list()}:
            return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
        case {"$ref": _}:
            return {"anyOf": [schema, {"type": "null"}]}
        case _:  # a schema that takes any JSON takes null
            return schema


def _described(case: type, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"description": (inspect.getdoc(case) or "").partition("\n")[0], **_object(properties, required)}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _reference(case: type) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{case.__qualname__}"}


def _version() -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": VERSION, "description": "Of the format."}


if __name__ == "__main__":
    main()
