"""What can go wrong with data from outside, as values.

ConversionError.T
  UnknownDialect   no dialect has that name
  Unreadable       the input is not what the dialect says: problems, each with its path
  Invalid          the target's server would refuse the conversation: violations, each with its rule
  Lossy            the policy does not allow what would be lost: the losses
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final, TypeAlias, cast, final

from attrs import evolve, frozen

from chatadt._sum import Named, Sum, terse
from chatadt.json import dump
from chatadt.loss import Loss, Policy

__all__ = ("ConversionError", "Problem", "Severity", "Unexpected", "Violation", "show", "stranger")

_LONGEST = 60


def show(value: object) -> str:
    """A value as a person reads it in an error message: its JSON, cut after 60 characters."""
    try:
        text = dump(value)
    except (TypeError, ValueError):
        text = _repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _repr(value: object) -> str:
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer of more than 4,300 digits, a list that holds itself a thousand times
        return f"a value of type {type(value).__name__} that is too long to show"


@final
@frozen(repr=False)
class Problem:
    """One place of the input that is not as it should be: `expected` and `got` are sentences' halves, `path` is a JSON path."""

    path: str
    expected: str
    got: str
    __repr__ = terse

    def under(self, prefix: str) -> Problem:
        """The same problem, its path continued to the left."""
        return evolve(self, path=prefix + self.path)

    def __str__(self) -> str:
        return f"expected {self.expected}, got {self.got} at {self.path}"


class Unexpected(Exception):
    """Raised inside readers and turned into `ConversionError.Unreadable` at their door; it never leaves the package."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems

    @staticmethod
    def of(expected: str, got: Any, path: str = "") -> Unexpected:
        """One problem, with the value shown."""
        return Unexpected(Problem(path, expected, show(got)))

    @staticmethod
    def missing(expected: str, path: str) -> Unexpected:
        """One problem: the field at `path` is not there."""
        return Unexpected(Problem(path, expected, "nothing"))

    def under(self, prefix: str) -> Unexpected:
        """The same problems, their paths continued to the left."""
        return Unexpected(*(problem.under(prefix) for problem in self.problems))


_DEEPEST: Final = 900
"""How many levels of lists and objects are followed to find what is no JSON."""


def stranger(value: object) -> Problem | None:
    """The first place of a value where it is not plain JSON data; None where none is found. Slow: for when something is wrong."""
    if not isinstance(value, dict | list | tuple):
        return None if _is_scalar(value) else Problem("", "JSON data", f"{type(value).__name__} {show(value)}")
    for key in _strange_keys(cast("object", value)):
        return Problem("", "an object with string keys", f"the key {show(key)}")
    walk = [_Level("", cast("object", value))]
    while walk:
        path, item = next(walk[-1].items, (None, None))
        if path is None:
            walk.pop()
        elif not isinstance(item, dict | list | tuple):
            if not _is_scalar(item):
                return Problem(path, "JSON data", f"{type(item).__name__} {show(item)}")
        elif any(level.value is item for level in walk):
            return Problem(path, "JSON data", f"a {type(item).__name__} that holds itself")
        elif len(walk) == _DEEPEST:
            return Problem(walk[1].path, "JSON that can be followed", f"more than {_DEEPEST} levels")
        else:
            for key in _strange_keys(cast("object", item)):
                return Problem(path, "an object with string keys", f"the key {show(key)}")
            walk.append(_Level(path, cast("object", item)))
    return None


class _Level:
    """A list or an object on the way down, and what of it is still to be seen."""

    __slots__ = ("items", "path", "value")

    def __init__(self, path: str, value: object) -> None:
        self.path, self.value, self.items = path, value, _inside(path, value)


def _inside(path: str, value: Any) -> Iterator[tuple[str | None, object]]:
    match value:
        case dict():
            items: dict[str, object] = value
            return ((f"{path}.{key}", item) for key, item in items.items())
        case _:  # a list or a tuple
            return ((f"{path}[{index}]", item) for index, item in enumerate(value))


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    try:
        dump(value)
    except (TypeError, ValueError):
        return False
    return True


def _strange_keys(value: Any) -> Iterator[object]:
    return (key for key in value if not isinstance(key, str)) if isinstance(value, dict) else iter(())


class Severity(Named):
    """ERROR: the server refuses. WARNING: it is said to refuse, and that could not be verified."""

    ERROR = "error"
    WARNING = "warning"


@final
@frozen(repr=False)
class Violation:
    """One rule of a provider that a conversation breaks: what is wrong at `path`, and what would make it right (`fix`)."""

    rule: str
    path: str
    what: str
    fix: str
    severity: Severity = Severity.ERROR
    __repr__ = terse

    def __str__(self) -> str:
        return f"{self.what} at {self.path}: {self.fix} (rule {self.rule})"


def _lines(head: str, items: tuple[object, ...]) -> str:
    return head if not items else f"{head}: {items[0]}" if len(items) == 1 else "\n  ".join([f"{head}:", *map(str, items)])


@final
class ConversionError(metaclass=Sum):
    """Why a conversion has no result; `ConversionError.T` is the closed union of the cases, `str` of each is for people."""

    @final
    @frozen(repr=False)
    class UnknownDialect:
        """No dialect has this name."""

        name: str
        known: tuple[str, ...]
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected the name of a dialect ({', '.join(self.known)}), got {self.name!r}"

    @final
    @frozen(repr=False)
    class Unreadable:
        """The input is not what the dialect says."""

        dialect: str
        problems: tuple[Problem, ...]
        __repr__ = terse

        def __str__(self) -> str:
            return _lines(f"cannot read {self.dialect}", self.problems)

    @final
    @frozen(repr=False)
    class Invalid:
        """The target's server would refuse the conversation as it is; `repair=True` would mend it."""

        dialect: str
        violations: tuple[Violation, ...]
        __repr__ = terse

        def __str__(self) -> str:
            return _lines(f"{self.dialect} would refuse this", self.violations)

    @final
    @frozen(repr=False)
    class Lossy:
        """The policy does not allow these losses."""

        dialect: str
        policy: Policy
        losses: tuple[Loss, ...]
        __repr__ = terse

        def __str__(self) -> str:
            return _lines(f"{self.dialect} cannot say all of this (policy {self.policy.value})", self.losses)

    T: TypeAlias = UnknownDialect | Unreadable | Invalid | Lossy
