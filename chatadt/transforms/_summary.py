"""The older part of a history, replaced by what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, cast

from returns.result import Result, Success

from chatadt.history import History
from chatadt.json import Extras
from chatadt.message import Message
from chatadt.transforms._exchanges import Cut, Transform, exchanges, integer

__all__ = ("is_summary", "older", "put_summary", "summarise", "try_summarise")

E = TypeVar("E")

_DIALECT: Final = "chatadt"
_MARK: Final = "$summary"
"""A note, which no writer sends and no conversion counts as lost: how many messages the summary stands for."""


def summarise(tell: Callable[[History], str], *, keep: int = 1) -> Transform:
    """Replace all but the last `keep` exchanges by one user message: the text that `tell` gives of the messages that go.

    System messages stay, and are not told. The message stands before what is kept, and is marked (`is_summary`). When the history
    has grown and is told again, the old summary is among the messages that go, so that there is never more than one. Where nothing
    would go, or only a summary, the history stays as it is and `tell` is not asked. Raises ValueError when `keep` is negative, and
    TypeError where it is no integer.
    """
    beyond = older(keep)
    return lambda history: put_summary(tell(going), keep=keep)(history) if (going := beyond(history)) else history


def try_summarise(tell: Callable[[History], Result[str, E]], *, keep: int = 1) -> Callable[[History], Result[History, E]]:
    """As `summarise`, by a function that may fail, such as one that asks a model. Its failure is the failure.

    Raises TypeError besides where `tell` gives no Result.
    """
    beyond = older(keep)

    def summarised(history: History) -> Result[History, E]:
        going = beyond(history)
        if not going:
            return Success(history)
        told = tell(going)
        if not isinstance(cast("object", told), Result):
            raise TypeError(f"expected a Result of a text, got {told!r}: for a function that cannot fail take summarise")
        return told.map(lambda text: put_summary(text, keep=keep)(history))

    return summarised


def older(keep: int) -> Transform:
    """The messages before the last `keep` exchanges, without system messages: what `summarise` has told.

    Empty where nothing would go, or only a summary. With `put_summary` it makes a summary by other means, such as a function that
    must be awaited. Raises ValueError when `keep` is negative, and
    TypeError where it is no integer.
    """
    integer(keep, "how many exchanges a summary keeps")
    if keep < 0:
        raise ValueError(f"a summary keeps 0 exchanges or more, got {keep}")

    def going(history: History) -> History:
        told = [message for message in history[: _start(history, keep)] if not isinstance(message, Message.System)]
        return History() if all(map(is_summary, told)) else History(told)

    return going


def put_summary(text: str, *, keep: int) -> Transform:
    """Put a text in the place of the messages that `older(keep)` gives, marked as a summary; where it gives none, do nothing."""
    beyond = older(keep)

    def put(history: History) -> History:
        going = beyond(history)
        if not going:
            return history
        start = _start(history, keep)
        head = Cut(start, range(0), 0).made(history)[: len(history[:start]) - len(going)]
        mark = Extras({_DIALECT: {_MARK: sum(_stands_for(message) for message in going)}})
        return head + (Message.User(text, extras=mark),) + history[start:]

    return put


def is_summary(message: Message.T) -> bool:
    """Whether a message is a summary that `summarise` has put there."""
    return isinstance(message, Message.User) and _MARK in message.extras.of(_DIALECT)


def _start(history: History, keep: int) -> int:
    """The index at which the last exchanges begin."""
    return len(history) - sum(map(len, exchanges(history)[-keep:])) if keep else len(history)


def _stands_for(message: Message.T) -> int:
    """How many messages a message tells of: itself, or what a summary has told."""
    count: object = message.extras.of(_DIALECT).get(_MARK) if isinstance(message, Message.User) else None
    return count if isinstance(count, int) else 1
