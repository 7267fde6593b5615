"""Schemas of Gemini as JSON Schema: `parameters` and `responseSchema` are a subset of OpenAPI 3.0 with spellings of its own.

Source: `google.genai.types.Schema` (3.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from chatadt._wire import json
from chatadt.dialects.gemini.codec import camel
from chatadt.json import Extras, Json

__all__ = ("json_schema", "own_schema", "read_schema")

_TYPES: Final[Mapping[object, str]] = {
    name: name.lower() for name in ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
}
_NUMBERED: Final = ("unspecified", *_TYPES.values())
"""The types by the numbers that the enumeration of the protocol gives them, which clients over gRPC send."""
_COUNTS: Final = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
_SCHEMA: Final = frozenset({"items", "additionalProperties", "not"})
_SCHEMAS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED: Final = frozenset({"properties", "defs", "$defs", "definitions"})


def json_schema(value: Any) -> Any:
    """The JSON Schema that a schema of the dialect stands for: types in lower case, `nullable` as a type, counts as numbers."""
    if value.__class__ is list:
        return [json_schema(item) for item in value]
    if value.__class__ is not dict:
        return value
    fields = cast("dict[str, Any]", value)
    out: dict[str, Any] = {}
    for key, item in fields.items():
        name = camel(key)
        out[key if name != key and name in fields else name] = _keyword(name, item)
    kind = out.get("type")
    if out.get("nullable") is True and isinstance(kind, str):
        del out["nullable"]
        out["type"] = [kind, "null"]
    return out


def _keyword(name: str, item: Any) -> Any:
    if name == "type":
        return _type(item)
    if name in _COUNTS and item.__class__ is str and item.isdecimal():
        return int(item)
    if name in _NAMED and item.__class__ is dict:
        return {key: json_schema(schema) for key, schema in item.items()}
    return json_schema(item) if name in _SCHEMA or name in _SCHEMAS else item


def _type(item: Any) -> Any:
    match item:
        case str():
            return _TYPES.get(item, item)
        case bool():
            return item
        case int(number) if 0 < number < len(_NUMBERED):
            return _NUMBERED[number]
        case _:  # JSON Schema's own way, or the schema of a property that is called type
            return item


def read_schema(value: Any, key: str, dialect: str) -> tuple[Json, Extras]:
    """The schema that stands under `key`, and the note by which it goes back there as it was."""
    schema = json_schema(value)
    return json(schema), Extras({dialect: {"$key": key} if schema == value else {"$key": key, "$own": value}})


def own_schema(schema: Json, notes: Mapping[str, Any]) -> Any:
    """A schema in the words that it was read of, if they still say it."""
    value = schema.value
    return notes["$own"] if "$own" in notes and json_schema(notes["$own"]) == value else value
