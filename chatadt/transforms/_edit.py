"""Histories put together, branched, and changed in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt._sum import terse
from chatadt.history import History, to_messages
from chatadt.message import Message
from chatadt.transforms._exchanges import Transform, integer
from chatadt.transforms._pairs import links, parted, uncut

__all__ = ("NoMessage", "branch", "concat", "edit")


def concat(*others: Iterable[Message.T]) -> Transform:
    """Put other histories, or any messages, behind a history. Ids of calls stay as they are: see `relabel`."""
    behind = History(message for each in others for message in to_messages(each))
    return lambda history: history + behind if behind else history


def branch(at: int) -> Transform:
    """The history as it was before its message `at`, for another continuation.

    `at` is an index as in a slice: negative from the end, the whole history when beyond it. Where that would part a call from its
    result, the history ends before the call. Raises TypeError for what is no integer.
    """
    integer(at, "the index of a message")

    def branched(history: History) -> History:
        whole = uncut(history.messages)
        end = slice(at).indices(len(history))[1]
        while not whole[end]:
            end -= 1
        return history if end == len(history) else history[:end]

    return branched


@final
@frozen(repr=False)
class NoMessage:
    """A history has no message at this index."""

    at: int
    length: int
    __repr__ = terse

    def __str__(self) -> str:
        indices = f"from {-self.length} to {self.length - 1}" if self.length else "of a message; the history is empty"
        return f"expected an index {indices}, got {self.at}"


def edit(at: int, change: Callable[[Message.T], Message.T]) -> Callable[[History], Result[History, NoMessage]]:
    """Put `change` of it in the place of the message `at`; a negative index counts from the end.

    The results of requests that the edit takes away go with them, and the request whose result it takes away. Results from which a
    speech in the place of another sort of message would part their requests are put before it. A request that the edit adds is
    open: see `close_calls`. To go on from the edited message in another way, `branch` behind it. The failure is
    `NoMessage`. Raises TypeError for what is no integer, and where `change` gives no message; to drop one, see `drop_messages`.
    """
    integer(at, "the index of a message")

    def edited(history: History) -> Result[History, NoMessage]:
        if not -len(history) <= at < len(history):
            return Failure(NoMessage(at, len(history)))
        (message,) = to_messages((change(history[at]),))
        if message is history[at]:
            return Success(history)
        place = at % len(history)
        kept = [*history[:place], message, *history[place + 1 :]]
        order = _order(history.messages, place) if _comes_between(message, history[place]) else range(len(kept))
        return Success(History(parted([history[index] for index in order], [kept[index] for index in order])))

    return edited


def _comes_between(message: Message.T, before: Message.T) -> bool:
    """Whether a message may part requests from results as the one before it did not."""
    return type(message) is not type(before) and isinstance(message, Message.System | Message.User | Message.Assistant)


def _order(messages: Sequence[Message.T], place: int) -> list[int]:
    """The indices of messages, those of results behind `place` to what was asked before it directly before it."""
    late = sorted({link.answer for link in links(messages) if link.call < place < link.answer})
    return [*range(place), *late, place, *(index for index in range(place + 1, len(messages)) if index not in late)]
