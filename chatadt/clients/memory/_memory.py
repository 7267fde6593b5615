"""What a memory does, and what can go wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol, TypeAlias, cast, final

from attrs import frozen
from returns.result import Result

from chatadt._sum import Sum, terse
from chatadt.error import ConversionError
from chatadt.history import History
from chatadt.message import Message

__all__ = ("LONGEST_ID", "Memory", "MemoryFault", "unfit")


@final
class MemoryFault(metaclass=Sum):
    """Why a memory did not do what it was asked; `MemoryFault.T` is the closed union of the cases. Nothing was changed then."""

    @final
    @frozen(repr=False)
    class Missing:
        """No conversation has this id."""

        id: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"there is no conversation {self.id!r}: create it first"

    @final
    @frozen(repr=False)
    class Exists:
        """A conversation has this id already."""

        id: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"there is a conversation {self.id!r} already: add to it, replace it, or take another id"

    @final
    @frozen(repr=False)
    class Unfit:
        """No memory takes this id; `why` says what an id is."""

        id: str
        why: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"{self.id!a} is no id of a conversation: {self.why}"

    @final
    @frozen(repr=False)
    class Unreadable:
        """What stands in the database is no message."""

        id: str
        error: ConversionError.T
        __repr__ = terse

        def __str__(self) -> str:
            return f"conversation {self.id!r} cannot be read: {self.error}"

    @final
    @frozen(repr=False)
    class Unavailable:
        """The database does not answer, or is busy; `why` is what it says, with nothing of what was said in the conversation."""

        why: str
        __repr__ = terse

        def __str__(self) -> str:
            return f"the memory is not available: {self.why}"

    T: TypeAlias = Missing | Exists | Unfit | Unreadable | Unavailable


LONGEST_ID: Final = 255
_UNSAYABLE: Final = re.compile("[\0\ud800-\udfff]")


def unfit(id: str) -> MemoryFault.Unfit | None:
    """Why this can be no id of a conversation; None where it can. Raises TypeError for what is no string."""
    if not isinstance(cast("object", id), str):
        raise TypeError(f"the id of a conversation is a string, got {id!r}")
    if len(id) > LONGEST_ID:
        return MemoryFault.Unfit(id, f"expected at most {LONGEST_ID} characters, got {len(id)}")
    if (found := _UNSAYABLE.search(id)) is not None:
        expected = "expected characters that every database can keep"
        return MemoryFault.Unfit(id, f"{expected}, got {found.group()!a} at character {found.start()}")
    return None


class Memory(Protocol):
    """Conversations by their ids. Each operation is done wholly or not at all, and whoever writes at the same time loses nothing.

    Threads may share one; so may processes, where it is a database. An id has at most 255 characters, none of them NUL or half of a
    surrogate pair, so that each memory takes the same ones; to any other, each operation answers `Unfit`.
    """

    def create(self, id: str, messages: Iterable[Message.T] = ()) -> Result[None, MemoryFault.T]:
        """Begin a conversation; `Exists` where there is one of that id."""
        ...

    def read(self, id: str) -> Result[History, MemoryFault.T]:
        """The conversation as it stands; `Missing` where there is none."""
        ...

    def add(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        """Add messages at the end, together and in order, behind whatever others have added."""
        ...

    def replace(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        """Put these messages in the place of all that are there."""
        ...

    def delete(self, id: str) -> Result[None, MemoryFault.T]:
        """Forget a conversation."""
        ...
