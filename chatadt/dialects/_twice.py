"""Whether a JSON text says a key of some object twice: whoever reads it as plain data has one of the two values only."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ("says_twice",)


def says_twice(text: str, value: Any) -> bool:
    """Whether the text of a document says a key of some object twice, of which its value has the last.

    Each key has its colon, so nothing is said twice where the value has as many keys as the text has colons; only where it has
    more are those counted that stand inside no string.
    """
    colons = text.count(":")
    if colons == len(value):
        return False
    keys = _keys(value)
    return colons != keys and _STRING.sub("", text).count(":") != keys


_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def _keys(value: Any) -> int:
    """How many keys the objects of a value have. Deep nesting is nothing to it."""
    keys, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if item.__class__ is dict:
            keys += len(item)
            waiting += item.values()
        elif item.__class__ is list:
            waiting += item
    return keys
