"""The types of official clients, strictly: no coercion, and no field that they do not know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from dialects_openai_like.judges import extras, unknown
from pydantic import BaseModel, TypeAdapter, ValidationError

from ..values import place

__all__ = ("against", "closed", "fits", "read", "strange")

_SHOWN: Final = frozenset({"reasoning_content"})
"""Fields beyond the official types which servers of OpenAI's dialect are known to send."""


def against(model: Any, body: Any) -> list[str]:
    """What a model that keeps unknown fields has against a value."""
    try:
        made = _adapter(model).validate_python(body, strict=True)
    except ValidationError as error:
        return _told(error)
    return [f"unknown field {field}" for field in strange(made)]


def fits(model: Any, body: Any) -> list[str]:
    """What a model has against a value, its unknown fields apart."""
    try:
        _adapter(model).validate_python(body, strict=True)
    except ValidationError as error:
        return _told(error)
    return []


def read(model: Any, value: Any) -> tuple[Any, list[str]]:
    """The value as the model reads its JSON, or what it has against it."""
    try:
        return _adapter(model).validate_json(json.dumps(value), strict=True), []
    except ValidationError as error:
        return None, _told(error)


def closed(model: Any, value: Any) -> list[str]:
    """What a model that keeps or ignores unknown fields has against the JSON of a value, closed."""
    made, found = read(model, value)
    if made is None:
        return found
    dumped = made.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return [*(f"unknown key {key}" for key in extras(made)), *unknown(value, dumped, "$")]


def strange(value: Any) -> Iterator[str]:
    """The fields of a value that its model does not know."""
    if isinstance(value, BaseModel):
        yield from (key for key in value.model_extra or {} if key not in _SHOWN)
        for name in type(value).model_fields:
            yield from strange(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from strange(item)


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _told(error: ValidationError) -> list[str]:
    return [f"{place(tuple(each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)][:3]
