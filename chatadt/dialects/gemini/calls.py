"""Calls of Gemini whose arguments come in pieces: each says where in the arguments its value stands.

Vertex AI streams calls so: the first piece has the name, further ones `partialArgs`, and the one that is empty is the last.
Source: `google.genai.types.PartialArg` (3.6); a path is one of JSONPath (RFC 9535) with names and numbers only.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final, cast, final

from chatadt.json import dump

__all__ = ("Call",)

_STEP: Final = re.compile(r"""\.([^.*\[\]'"]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]""")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_NOTHING: Final = object()


@final
class Call:
    """A call whose arguments are coming in."""

    __slots__ = ("arguments", "index")

    def __init__(self, index: int) -> None:
        self.index = index
        self.arguments: dict[str, Any] = {}

    def take(self, asked: dict[str, Any]) -> list[Any]:
        """Take what a piece says of the arguments; the pieces of it that have no place in them are answered."""
        whole = asked.get("args")
        if whole.__class__ is dict:
            self.arguments.update(cast("dict[str, Any]", whole))
        pieces = asked.get("partialArgs")
        if pieces.__class__ is not list:
            return [] if pieces is None else [pieces]
        return [piece for piece in cast("Any", pieces) if not self._put(piece)]

    @property
    def text(self) -> str:
        """The arguments as JSON."""
        _join(self.arguments)
        return dump(self.arguments)

    @property
    def cut_off(self) -> str:
        """The arguments as far as they came: no JSON, for their end is missing."""
        return self.text[:-1] if self.arguments else ""

    def _put(self, piece: Any) -> bool:
        if piece.__class__ is not dict:
            return False
        steps, value = _steps(piece.get("jsonPath")), _value(piece)
        if not steps or value is _NOTHING:
            return False
        here: Any = self.arguments
        for step, further in pairwise(steps):
            inner = _inner(here, step, [] if further.__class__ is int else {})
            if inner is None:
                return False
            here = inner
        return _set(here, steps[-1], value)


def _steps(path: Any) -> list[str | int]:
    """The steps of a path; none where it is not of the kind that is known."""
    if path.__class__ is not str or not path.startswith("$"):
        return []
    steps: list[str | int] = []
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            return []
        name, number, single, double = found.groups()
        quoted = single if single is not None else double
        steps.append(name if name is not None else int(number) if number is not None else _ESCAPED.sub(r"\1", quoted))
        at = found.end()
    return steps


def _value(piece: dict[str, Any]) -> Any:
    if "nullValue" in piece:
        return None
    return next((piece[key] for key in ("stringValue", "numberValue", "boolValue") if piece.get(key) is not None), _NOTHING)


def _inner(here: Any, step: str | int, empty: Any) -> Any:
    """The object or list at a step, which is made where there is none; None where something else is."""
    if not _fits(here, step):
        return None
    is_new = step not in here if here.__class__ is dict else step == len(here)
    if is_new:
        _set(here, step, empty)
    return here[step] if here[step].__class__ is empty.__class__ else None


def _set(here: Any, step: str | int, value: Any) -> bool:
    """Put a value at a step; a text that is there goes on."""
    if not _fits(here, step):
        return False
    if here.__class__ is list and step == len(here):
        here.append(value)
        return True
    old = here.get(step) if here.__class__ is dict else here[step]
    if old.__class__ in (dict, list):
        return False
    if old.__class__ in (str, _Pieces) and value.__class__ is str:
        here[step] = old = old if old.__class__ is _Pieces else _Pieces((str(old),))
        old.append(value)
    else:
        here[step] = value
    return True


@final
class _Pieces(list[str]):
    """The pieces of a text that goes on."""


def _join(arguments: dict[str, Any]) -> None:
    """Put together the texts that came in pieces. Flat, because the arguments may be as deep as they like."""
    waiting: list[Any] = [arguments]
    while waiting:
        here = waiting.pop()
        for key, item in [*(here.items() if here.__class__ is dict else enumerate(here))]:
            if item.__class__ is _Pieces:
                here[key] = "".join(item)
            elif item.__class__ in (dict, list):
                waiting.append(item)


def _fits(here: Any, step: str | int) -> bool:
    """Whether a step leads into an object, or to a place in a list or right behind its end."""
    return here.__class__ is dict if step.__class__ is str else here.__class__ is list and cast("int", step) <= len(here)
