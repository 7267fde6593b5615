"""Plain JSON values: equality as JSON means it, and walks over every leaf."""

from __future__ import annotations

import json
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Any, TypeAlias

__all__ = ("Where", "compact", "decoded", "leaves", "nearest", "place", "same", "subtrees", "utf8")

Where: TypeAlias = "tuple[str | int, ...]"


def place(where: Where) -> str:
    """A path as people write it: `$.messages[3].content`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)


def nearest(where: Where, otherwise: str = "") -> str:
    """The key that a value stands under, lists looked through."""
    return next((step for step in reversed(where) if isinstance(step, str)), otherwise)


def compact(value: Any) -> str:
    """One text for equal JSON values: sorted keys, 1 and 1.0 alike (JSON has one kind of number), true and 1 apart."""
    return json.dumps(_numbers_alike(value), sort_keys=True, separators=(",", ":"))


def _numbers_alike(value: Any) -> Any:
    match value:
        case dict():
            return {key: _numbers_alike(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_numbers_alike(inner) for inner in value]
        case float() if value.is_integer():
            return int(value)
        case _:  # any other JSON scalar
            return value


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal."""
    return compact(one) == compact(other)


def leaves(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Every scalar of a JSON value with its path, in order; an empty object or list counts as one."""
    match value:
        case dict() if value:
            for key, inner in value.items():
                yield from leaves(inner, (*where, key))
        case list() | tuple() if value:
            for index, inner in enumerate(value):
                yield from leaves(inner, (*where, index))
        case _:  # a JSON scalar, or an empty container
            yield where, value


def subtrees(value: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Every value inside a JSON value, itself first."""
    yield where, value
    match value:
        case dict():
            for key, inner in value.items():
                yield from subtrees(inner, (*where, key))
        case list() | tuple():
            for index, inner in enumerate(value):
                yield from subtrees(inner, (*where, index))
        case _:  # a JSON scalar
            return


def decoded(text: str) -> Any:
    """The JSON object or list that a string holds, or None when it holds none."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def utf8(payload: str) -> str | None:
    """The text that a base64 payload encodes, or None when it encodes none."""
    try:
        return b64decode(payload, validate=True).decode()
    except (NotBase64, ValueError):
        return None
