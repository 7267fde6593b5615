"""One JSON text, read strictly: what is wrong with it is a value that says where, never an exception.

Beyond `chatadt.json.parse` a key that stands twice in an object is bad input: every other reader keeps one of the two values in
silence (RFC 8259, section 4), and which one it keeps differs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, cast, final

import orjson
from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt.json import parse, parse_roughly, too_long

__all__ = ("BadInput", "parse_document")


@final
@frozen
class BadInput:
    """Why a text is not one strict JSON document: `what` is wrong, on which `line` of it (from 1), and at which `path`, if any."""

    what: str
    line: int = 1
    path: str | None = None

    def __str__(self) -> str:
        return self.what if self.path is None else f"{self.what} at {self.path}"


def parse_document(text: bytes) -> Result[Any, BadInput]:
    """The Python value of a strict JSON text in UTF-8. It never raises.

    Integers of up to 4,300 digits are exact and lone surrogates written as escapes are kept. Bad input: what is not JSON, not
    UTF-8, longer integers, NaN and Infinity, numbers beyond a double, nesting of more than about 1,000 levels, a key that stands
    twice in one object.
    """
    try:
        value = parse(text)
        twice = _twice(text) if _may_have_twice(text, value) else None
    except json.JSONDecodeError as error:
        return Failure(_not_json(text, error))
    except RecursionError:
        return Failure(BadInput("nested too deeply: at most about 1,000 levels can be followed"))
    except ValueError as error:
        return Failure(_unreadable(text, error))
    return Success(value) if twice is None else Failure(twice)


_ESCAPED_COLON: Final = b"\\u003"


def _may_have_twice(text: bytes, value: object) -> bool:
    """Whether the exact search for a repeated key is needed: false for nearly every text that has none.

    Writing the value again yields as many colons as the text has, unless a key went missing with its colon; only a colon that the
    text writes as an escape could hide that. This costs a third of a parse, the exact search three.
    """
    try:
        again = orjson.dumps(value)
    except TypeError:
        return True
    return text.count(b":") != again.count(b":") or _ESCAPED_COLON in text


@final
class _Twice(dict[str, Any]):
    """An object of the text that has the key `key` twice."""

    key: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    found = _Twice(value)
    found.key = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return found


def _twice(text: bytes) -> BadInput | None:
    value = json.loads(text.decode(), object_pairs_hook=_object)
    found = next(_places(value, lambda inner: isinstance(inner, _Twice)), None)
    if found is None:
        return None
    path, inner = found
    return BadInput(f"the key {cast('_Twice', inner).key!r} stands twice", path=path)


def _not_json(text: bytes, error: json.JSONDecodeError) -> BadInput:
    if not text.strip():
        return BadInput("not JSON: nothing but white space")
    return BadInput(f"not JSON: {error.msg.removesuffix(' at')} at column {error.colno}", error.lineno)


def _unreadable(text: bytes, error: ValueError) -> BadInput:
    """The place of what `error` complains of, where it is a number that JSON or a double does not have."""
    try:
        value = parse_roughly(text)
    except (ValueError, RecursionError):
        return BadInput(str(error))
    place = next(_places(value, _is_no_number), None)
    return BadInput(str(error), path=None if place is None else place[0])


def _is_no_number(value: object) -> bool:
    return too_long(value) or (isinstance(value, float) and not math.isfinite(value))


def _places(value: object, is_sought: Callable[[object], bool]) -> Iterator[tuple[str, object]]:
    """The path and value of each place that is sought, outer before inner. Flat, because the input may be as deep as it likes."""
    waiting: list[tuple[str, object]] = [("$", value)]
    while waiting:
        path, inner = waiting.pop()
        if is_sought(inner):
            yield path, inner
        waiting.extend(reversed([(path + step, child) for step, child in _children(inner)]))


def _children(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, child in cast("dict[str, object]", value).items():
            yield f".{key}" if _is_plain(key) else f"[{json.dumps(key)}]", child
    elif isinstance(value, list):
        for index, child in enumerate(cast("list[object]", value)):
            yield f"[{index}]", child


def _is_plain(key: str) -> bool:
    return key.isascii() and key.isidentifier()
