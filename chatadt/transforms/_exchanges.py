"""Exchanges: what someone asked, and all that was said and done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import SupportsIndex, TypeAlias, cast, final, overload

from attrs import frozen

from chatadt.history import History
from chatadt.message import Message
from chatadt.transforms._pairs import uncut

__all__ = ("Cut", "Transform", "cuts", "exchanges", "integer", "window")

Transform: TypeAlias = Callable[[History], History]
"""A function from a history to a history."""


def exchanges(history: History) -> tuple[History, ...]:
    """The exchanges of a history: what a user said, and all that follows until a user speaks again.

    End to end they are the history again. What stands before the first user message, a system prompt above all, belongs to the
    first exchange. User messages in a row open one exchange. None ends between a call and its result.
    """
    bounds = [*_starts(history.messages), len(history)]
    return tuple(history[start:end] for start, end in pairwise(bounds))


@overload
def window(exchanges: int) -> Transform: ...
@overload
def window(*, messages: int) -> Transform: ...
def window(exchanges: int | None = None, *, messages: int | None = None) -> Transform:
    """Keep the last exchanges, and every system message wherever it stands.

    With a number of `messages`: keep as many of the last exchanges as have no more messages together, system messages not counted.
    Where the last exchange alone has more, it keeps what the user said and as many of its last steps as there is room for, and
    one at least (a step is an assistant message with its results); `fit` is for a bound that must hold.
    Raises ValueError for a negative number, and TypeError unless one of the two is given and is an integer.
    """
    if (exchanges is None) is (messages is None):
        raise TypeError("window takes either a number of exchanges or messages=, one of the two")
    number = exchanges if exchanges is not None else cast("int", messages)
    integer(number, "how many a window holds")
    if number < 0:
        raise ValueError(f"a window holds 0 or more, got {number}")
    if exchanges is None:
        return lambda history: _with_messages(history, number)
    return lambda history: _with_exchanges(history, number)


def integer(number: int, what: str) -> None:
    """Raise TypeError for what is no integer; `what` says what it is for."""
    given = cast("object", number)
    if not isinstance(given, SupportsIndex) or isinstance(given, bool):
        raise TypeError(f"{what} is an integer, got {given!r}")


@final
@frozen
class Cut:
    """One way to shorten a history: without what stands before `start`, but for system messages and the indices in `opening`."""

    start: int
    opening: range
    cost: int

    def made(self, history: History) -> History:
        """The history that is left; the same one where nothing goes."""
        kept = [
            message
            for index, message in enumerate(history.messages[: self.start])
            if isinstance(message, Message.System) or index in self.opening
        ]
        return history if len(kept) == self.start else History((*kept, *history.messages[self.start :]))


def cuts(messages: Sequence[Message.T], costs: Sequence[int], *, steps: bool) -> tuple[Cut, ...]:
    """The ways to shorten a history, the longest first, and what is left of the costs.

    The last of them leaves the last exchange; with `steps`, what was asked in that and its last step. There is always one.
    """
    whole = uncut(messages)
    starts = _starts(messages, whole) or [0]
    before = list(accumulate(costs, initial=0))
    kept = [cost if isinstance(message, Message.System) else 0 for message, cost in zip(messages, costs, strict=True)]
    instructed = list(accumulate(kept, initial=0))

    def cut(start: int, opening: range) -> Cut:
        asked = before[opening.stop] - before[opening.start] - (instructed[opening.stop] - instructed[opening.start])
        return Cut(start, opening, before[-1] - before[start] + instructed[start] + asked)

    found = [cut(start, range(0)) for start in starts]
    if steps:
        begun = [
            index for index in range(starts[-1], len(messages)) if isinstance(messages[index], Message.Assistant) and whole[index]
        ]
        asked = next((at for at in range(starts[-1], len(messages)) if isinstance(messages[at], Message.User)), starts[-1])
        opening = range(starts[-1], next((index for index in begun if index > asked), starts[-1]))
        found += [cut(start, opening) for start in begun if start > opening.stop and opening]
    return tuple(found)


def _starts(messages: Sequence[Message.T], whole: Sequence[bool] | None = None) -> list[int]:
    """The indices at which exchanges begin."""
    if not messages:
        return []
    may_cut = uncut(messages) if whole is None else whole
    found = [0]
    is_asked = is_answered = False
    for index, message in enumerate(messages):
        if isinstance(message, Message.User):
            if is_answered and may_cut[index]:
                found.append(index)
                is_answered = False
            is_asked = True
        elif not isinstance(message, Message.System):
            is_answered = is_asked
    return found


def _with_exchanges(history: History, number: int) -> History:
    starts = _starts(history.messages)
    start = len(history) if number == 0 else starts[-number] if number < len(starts) else 0
    return Cut(start, range(0), 0).made(history)


def _with_messages(history: History, number: int) -> History:
    if number == 0:
        return _with_exchanges(history, 0)
    costs = [0 if isinstance(message, Message.System) else 1 for message in history]
    ways = cuts(history.messages, costs, steps=True)
    return next((way for way in ways if way.cost <= number), ways[-1]).made(history)
