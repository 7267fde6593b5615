"""What can go wrong with data from outside, as values.

ConversionError.T
  UnknownDialect   no dialect has that name
  Unreadable       the input is not what the dialect says: problems, each with its path
  Invalid          the target's server would refuse the conversation: violations, each with its rule
  Lossy            the policy does not allow what would be lost: the losses
  Refused          the body is no answer but the provider's error: its message and code
  Unavailable      the dialect has no reader or no writer for this kind of body
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, cast, final

from attrs import evolve, frozen

from chatadt._sum import Named, Sum, terse
from chatadt.chat import ProviderError
from chatadt.json import MOST_DIGITS, dump, too_long
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
    walk: list[_Level] = []  # the lists and objects on the way down
    step: tuple[str, Any] | None = ("", value)
    while step is not None:
        path, item = step
        if (fault := _fault(item, walk)) is not None:
            return Problem(walk[1].path if len(walk) > _DEEPEST else path, *fault)
        if isinstance(item, dict | list | tuple):
            walk.append(_Level(path, cast("Any", item)))
        step = None
        while walk and (step := next(walk[-1].items, None)) is None:
            walk.pop()
    return None


class _Level:
    """A list or an object, where it stands, and what of it is still to be seen."""

    __slots__ = ("items", "path", "value")

    def __init__(self, path: str, value: Any) -> None:
        self.path, self.value, self.items = path, value, _inside(path, value)


def _inside(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        return ((f"{path}.{key}", item) for key, item in cast("dict[str, Any]", value).items())
    return ((f"{path}[{index}]", item) for index, item in enumerate(cast("list[Any]", value)))


def _fault(item: Any, walk: list[_Level]) -> tuple[str, str] | None:
    """What is wrong with a value itself, inside the lists and objects of `walk`: what was expected, and what it is."""
    kind = type(item).__name__
    if too_long(item):
        digits = int(item.bit_length() * math.log10(2)) + 1
        return f"an integer of at most {MOST_DIGITS:,} digits", f"one of {digits:,}: say it as a string"
    if not isinstance(item, dict | list | tuple):
        return None if _is_scalar(item) else ("JSON data", f"{kind} {show(item)}")
    if any(level.value is item for level in walk):
        return "JSON data", f"a {kind} that holds itself"
    if len(walk) > _DEEPEST:
        return "JSON that can be followed", f"more than {_DEEPEST} levels"
    keys: Iterable[object] = cast("dict[object, object]", item) if isinstance(item, dict) else ()
    return next((("an object with string keys", f"the key {show(key)}") for key in keys if not isinstance(key, str)), None)


def _is_scalar(value: object) -> bool:
    try:
        dump(value)
    except (TypeError, ValueError):
        return False
    return True


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

    @final
    @frozen(repr=False)
    class Refused:
        """The body is no answer but an error: the provider's own words and code, the rest of it in the extras."""

        dialect: str
        error: ProviderError
        __repr__ = terse

        def __str__(self) -> str:
            return f"expected an answer of {self.dialect}, got the provider's error: {self.error}"

    @final
    @frozen(repr=False)
    class Unavailable:
        """The dialect has no reader or no writer for bodies of this kind."""

        dialect: str
        kind: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"{self.dialect} has no conversion of a {self.kind} yet: it converts requests"

    T: TypeAlias = UnknownDialect | Unreadable | Invalid | Lossy | Refused | Unavailable
