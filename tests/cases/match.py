"""Whether a conversion gave what a case expects.

An expectation is one of
  {"equals": value}                          exactly this JSON value, whatever the order of keys
  {"contains": pattern, "absent": [text]}    the pattern fits, and none of the texts stands in the compact JSON
  {"must_fail": reason}                      an error rather than a result

A pattern is a JSON value in which
  an object         fits one that has at least its keys; {"$absent": true} for a key that must be missing
  a list            fits one of the same length, element by element
  {"$seq": [p…]}    fits a list in which the patterns fit in this order, with anything between
  {"$re": r}        fits a string in which the regular expression is found; with "$bind": name, equal names stand for equal
                    strings, and different names for different ones
  {"$json": p}      fits a string that holds JSON which p fits
  {"$any": true}    fits everything
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

__all__ = ("complaints", "differences")

Bound: TypeAlias = "dict[str, str]"


def complaints(expected: Mapping[str, Any], actual: Any, error: object | None) -> list[str]:
    """What is wrong with a result, or with its absence; nothing when it is as expected."""
    match expected:
        case {"must_fail": reason}:
            return [] if error is not None else [f"expected a failure ({reason}), got {_compact(actual)}"]
        case _ if error is not None:
            return [f"expected a result, got the error {error}"]
        case {"equals": value}:
            return [] if _equal(value, actual) else [f"expected {_compact(value)}, got {_compact(actual)}"]
        case {"contains": pattern, **others}:
            text = _compact(actual)
            forbidden = [f"expected nowhere {each!r}" for each in others.get("absent", ()) if each in text]
            return [*differences(pattern, actual), *forbidden]
        case _:
            raise ValueError(f"expected equals, contains or must_fail, got {expected}")


def differences(pattern: Any, actual: Any) -> list[str]:
    """Where a value does not fit a pattern; nothing when it fits."""
    return _match(pattern, actual, {}, "$")


def _match(pattern: Any, actual: Any, bound: Bound, path: str) -> list[str]:
    match pattern:
        case {"$any": _}:
            return []
        case {"$re": str(expression)}:
            return _match_text(expression, pattern.get("$bind"), actual, bound, path)
        case {"$json": inner}:
            return _match_json(inner, actual, bound, path)
        case {"$seq": [*patterns]}:
            return _match_sequence(patterns, actual, bound, path)
        case dict():
            return _match_object(pattern, actual, bound, path)
        case list():
            return _match_list(pattern, actual, bound, path)
        case _:
            return [] if _equal(pattern, actual) else [f"{path}: expected {pattern!r}, got {actual!r}"]


def _match_text(expression: str, name: str | None, actual: Any, bound: Bound, path: str) -> list[str]:
    if not isinstance(actual, str) or not re.search(expression, actual):
        return [f"{path}: expected a string with {expression}, got {actual!r}"]
    if name is None:
        return []
    if bound.setdefault(name, actual) != actual:
        return [f"{path}: expected {bound[name]!r} again ({name}), got {actual!r}"]
    return [f"{path}: {actual!r} is {name} and {other}" for other, text in bound.items() if other != name and text == actual]


def _match_json(inner: Any, actual: Any, bound: Bound, path: str) -> list[str]:
    try:
        return _match(inner, json.loads(actual), bound, f"{path}:json")
    except (TypeError, ValueError) as error:
        return [f"{path}: expected JSON text, got {actual!r} ({error})"]


def _match_sequence(patterns: list[Any], actual: Any, bound: Bound, path: str) -> list[str]:
    if not isinstance(actual, list):
        return [f"{path}: expected a list, got {actual!r}"]
    at = 0
    for index, pattern in enumerate(patterns):
        for position in range(at, len(actual)):
            tried = dict(bound)
            if not _match(pattern, actual[position], tried, f"{path}[{position}]"):
                bound.update(tried)
                at = position + 1
                break
        else:
            return [f"{path}: element {index} of the sequence is not there from index {at} on: {_compact(actual)}"]
    return []


def _match_object(pattern: dict[str, Any], actual: Any, bound: Bound, path: str) -> list[str]:
    if not isinstance(actual, dict):
        return [f"{path}: expected an object, got {actual!r}"]
    found: list[str] = []
    for key, inner in pattern.items():
        absent = isinstance(inner, dict) and bool(inner.get("$absent"))
        if absent != (key not in actual):
            found.append(f"{path}.{key}: expected {'nothing' if absent else _compact(inner)}, got {actual.get(key, 'nothing')!r}")
        elif not absent:
            found += _match(inner, actual[key], bound, f"{path}.{key}")
    return found


def _match_list(pattern: list[Any], actual: Any, bound: Bound, path: str) -> list[str]:
    if not isinstance(actual, list) or len(actual) != len(pattern):
        return [f"{path}: expected {len(pattern)} elements, got {_compact(actual)}"]
    return [
        each
        for index, (inner, value) in enumerate(zip(pattern, actual, strict=True))
        for each in _match(inner, value, bound, f"{path}[{index}]")
    ]


def _equal(one: Any, other: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 are one number, true is none."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(_equal, one, other))
        case _:
            return bool(one == other)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
