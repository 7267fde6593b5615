"""How two histories differ."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, TypeAlias, cast, final

from attrs import fields, frozen, has

from chatadt._sum import Sum, terse
from chatadt.history import History
from chatadt.json import Extras, Json
from chatadt.message import Message

__all__ = ("Change", "diff")

_LONGEST = 100


@final
class Change(metaclass=Sum):
    """One difference between two histories; `str` of it is a line or more for people, as in a diff of text."""

    @final
    @frozen(repr=False)
    class Added:
        """A message that only the second history has, there at index `at`."""

        at: int
        message: Message.T
        __repr__ = terse

        def __str__(self) -> str:
            return f"+ $.messages[{self.at}]: {_short(self.message)}"

    @final
    @frozen(repr=False)
    class Removed:
        """A message that only the first history has, there at index `at`."""

        at: int
        message: Message.T
        __repr__ = terse

        def __str__(self) -> str:
            return f"- $.messages[{self.at}]: {_short(self.message)}"

    @final
    @frozen(repr=False)
    class Changed:
        """A message that is another one of its kind: at index `at` of the first history, at index `to` of the second."""

        at: int
        to: int
        before: Message.T
        after: Message.T
        __repr__ = terse

        def __str__(self) -> str:
            return "\n".join(f"~ {line}" for line in _differences(f"$.messages[{self.at}]", self.before, self.after))

    T: TypeAlias = Added | Removed | Changed


def diff(before: History, after: History) -> tuple[Change.T, ...]:
    """What must be done to `before` to have `after`, in the order of the messages; empty when the two are equal.

    Messages that are in neither place alike are paired where they are of one kind. The differences together with `before` say all
    of `after`. Costs the product of the lengths of what lies between an equal beginning and an equal end.
    """
    start = _alike(before.messages, after.messages)
    end = _alike(before.messages[start:][::-1], after.messages[start:][::-1])
    old, new = before.messages[start : len(before) - end], after.messages[start : len(after) - end]
    found: list[Change.T] = []
    for tag, one, one_end, other, other_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            found += _replaced(old[one:one_end], new[other:other_end], start + one, start + other)
    return tuple(found)


def _alike(one: tuple[Message.T, ...], other: tuple[Message.T, ...]) -> int:
    """How many messages the two begin with alike."""
    return next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _replaced(old: tuple[Message.T, ...], new: tuple[Message.T, ...], at: int, to: int) -> Iterator[Change.T]:
    both = min(len(old), len(new))
    for index in range(both):
        if type(old[index]) is type(new[index]):
            yield Change.Changed(at + index, to + index, old[index], new[index])
        else:
            yield Change.Removed(at + index, old[index])
            yield Change.Added(to + index, new[index])
    yield from (Change.Removed(at + index, old[index]) for index in range(both, len(old)))
    yield from (Change.Added(to + index, new[index]) for index in range(both, len(new)))


def _differences(path: str, before: object, after: object) -> Iterator[str]:
    """A line for each place where two words differ."""
    case: Any = type(before)
    if before == after:
        return
    if case is tuple and type(after) is tuple:
        one, other = cast("tuple[object, ...]", before), cast("tuple[object, ...]", after)
        for index in range(max(len(one), len(other))):
            inner = f"{path}[{index}]"
            if index >= len(other):
                yield f"{inner}: {_short(one[index])} is gone"
            elif index >= len(one):
                yield f"{inner}: {_short(other[index])} is new"
            else:
                yield from _differences(inner, one[index], other[index])
    elif case is type(after) and has(case) and not issubclass(case, Json | Extras):
        for field in fields(case):
            yield from _differences(f"{path}.{field.name}", getattr(before, field.name), getattr(after, field.name))
    else:
        yield f"{path}: {_short(before)} -> {_short(after)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
