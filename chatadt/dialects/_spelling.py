"""Notes on how something was spelt, as writers read them.

A program may put anything into extras: what is not of the kind that a reader notes is no note, and stands for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

__all__ = ("list_of", "object_of", "one_of", "text_of")


def one_of(own: Mapping[str, Any], note: str, values: Sequence[Any], otherwise: Any = None) -> Any:
    """The value of a note, where it is one of `values`. Values are compared, not hashed: a note may be a list."""
    value = own.get(note, otherwise)
    return value if value in values else otherwise


def text_of(own: Mapping[str, Any], note: str) -> str | None:
    """The string that a note is, if it is one."""
    value: object = own.get(note)
    return value if isinstance(value, str) else None


def object_of(own: Mapping[str, Any], note: str) -> dict[str, Any]:
    """The object that a note is; an empty one where it is none."""
    value: object = own.get(note)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def list_of(own: Mapping[str, Any], note: str, kind: type) -> list[Any]:
    """The items of a list that are of one kind; none where a note is no list."""
    value: object = own.get(note)
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [item for item in items if item.__class__ is kind]
