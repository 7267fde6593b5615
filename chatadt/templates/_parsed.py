"""What all syntaxes of texts give: the holes of a text, and how it is rendered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from attrs import frozen

from chatadt.templates._hole import Hole

__all__ = ("Parsed", "Unrenderable", "as_json", "library", "of_uses")


@frozen
class Parsed:
    """The holes of a text, and the function that fills them with strings and plain JSON data; it may raise `Unrenderable`."""

    holes: tuple[Hole.T, ...]
    render: Callable[[Mapping[str, Any]], str]


class Unrenderable(Exception):
    """Raised while a text is rendered, and turned into a `Misfit` where the template is filled."""


def library(name: str, extra: str) -> ModuleType:
    """A library that comes by an extra. Raises ImportError that says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"texts in the syntax of {extra} need the library {name}: pip install 'chatadt[{extra}]'") from None


def of_uses(uses: Iterator[Hole.T]) -> tuple[Hole.T, ...]:
    """The holes of a text from each use of a name: JSON data where one use looks into it, a text where all only print it."""
    found: dict[str, Hole.T] = {}
    for hole in uses:
        before = found.get(hole.name, hole)
        optional = before.optional and hole.optional
        looks = any(isinstance(each, Hole.Data) and not each.optional for each in (before, hole))
        prints = any(isinstance(each, Hole.Text) for each in (before, hole))
        found[hole.name] = Hole.Text(hole.name, optional) if prints and not looks else Hole.Data(hole.name, optional)
    return tuple(found.values())


def as_json(value: object) -> str:
    """Data as it stands in a text: compact, with every letter as it is. Raises Unrenderable for what is no data."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise Unrenderable(f"expected text or JSON data to print, got {type(value).__name__} ({error})") from None
