"""What the databases share: two tables, a row for each conversation and one for each message, and what is done to them.

To add, a transaction first makes the conversation longer by what it adds. That locks the row until it is done, so that another
writer waits, and finds the messages of both when it counts; the positions in between belong to one writer alone.

To read is one statement: of two, each might see another state of the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias, cast, final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt.clients.memory._memory import MemoryFault, unfit
from chatadt.codec import dumps, loads
from chatadt.error import ConversionError, Problem
from chatadt.history import History, to_messages
from chatadt.message import Message
from chatadt.result import closed

__all__ = ("Begin", "Done", "TableMemory", "Transaction")


class Done(Protocol):
    """What a statement did."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchall(self) -> Sequence[Any]:
        """The rows that it found."""
        ...


class Transaction(Protocol):
    """A transaction in which statements run; values stand in them as `:name`."""

    def run(self, statement: str, values: Mapping[str, object]) -> Done:
        """Run one statement."""
        ...

    def run_each(self, statement: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Run a statement once for each row; there is at least one."""
        ...


Begin: TypeAlias = Callable[[], AbstractContextManager[Transaction]]
"""Begins a transaction, which is committed at the end of its block, or undone where an exception leaves it."""

_NEW = "INSERT INTO chatadt_conversation (id, length) VALUES (:id, :length)"
_LONGER = "UPDATE chatadt_conversation SET length = length + :more WHERE id = :id"
_EMPTY = "UPDATE chatadt_conversation SET length = :length WHERE id = :id"
_LENGTH = "SELECT length FROM chatadt_conversation WHERE id = :id"
_GONE = "DELETE FROM chatadt_conversation WHERE id = :id"
_SAY = "INSERT INTO chatadt_message (conversation, position, message) VALUES (:id, :position, :message)"
_SAID = """SELECT message FROM chatadt_conversation LEFT JOIN chatadt_message ON conversation = id
    WHERE id = :id ORDER BY position"""
_UNSAY = "DELETE FROM chatadt_message WHERE conversation = :id"


@final
@frozen
class TableMemory:
    """A memory in tables. `clash` is what a database raises for a row that is there already, `trouble` for all else, of which
    `words` makes what may be told of it.
    """

    begin: Begin
    clash: type[Exception]
    trouble: type[Exception]
    words: Callable[[Exception], str] = str

    def create(self, id: str, messages: Iterable[Message.T] = ()) -> Result[None, MemoryFault.T]:
        """See `Memory`."""
        texts = _texts(messages)

        def created(transaction: Transaction) -> Result[None, MemoryFault.T]:
            transaction.run(_NEW, {"id": id, "length": len(texts)})
            _say(transaction, id, 0, texts)
            return Success(None)

        return self._done(id, created, MemoryFault.Exists(id))

    def read(self, id: str) -> Result[History, MemoryFault.T]:
        """See `Memory`."""

        def found(transaction: Transaction) -> Result[History, MemoryFault.T]:
            rows = transaction.run(_SAID, {"id": id}).fetchall()
            if not rows:
                return Failure(MemoryFault.Missing(id))
            return _history(id, [row[0] for row in rows if row[0] is not None])  # None: a conversation without messages

        return self._done(id, found)

    def add(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        """See `Memory`."""
        texts = _texts(messages)

        def added(transaction: Transaction) -> Result[None, MemoryFault.T]:
            if transaction.run(_LONGER, {"id": id, "more": len(texts)}).rowcount == 0:
                return Failure(MemoryFault.Missing(id))
            length: int = transaction.run(_LENGTH, {"id": id}).fetchall()[0][0]
            _say(transaction, id, length - len(texts), texts)
            return Success(None)

        return self._done(id, added)

    def replace(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        """See `Memory`."""
        texts = _texts(messages)

        def replaced(transaction: Transaction) -> Result[None, MemoryFault.T]:
            if transaction.run(_EMPTY, {"id": id, "length": len(texts)}).rowcount == 0:
                return Failure(MemoryFault.Missing(id))
            transaction.run(_UNSAY, {"id": id})
            _say(transaction, id, 0, texts)
            return Success(None)

        return self._done(id, replaced)

    def delete(self, id: str) -> Result[None, MemoryFault.T]:
        """See `Memory`."""

        def deleted(transaction: Transaction) -> Result[None, MemoryFault.T]:
            if transaction.run(_GONE, {"id": id}).rowcount == 0:
                return Failure(MemoryFault.Missing(id))
            transaction.run(_UNSAY, {"id": id})
            return Success(None)

        return self._done(id, deleted)

    def _done(
        self, id: str, work: Callable[[Transaction], Result[Any, MemoryFault.T]], clash: MemoryFault.T | None = None
    ) -> Result[Any, MemoryFault.T]:
        """What `work` answers in a transaction; `clash` where a row is there already, if that is for the caller to mend."""
        if (fault := unfit(id)) is not None:
            return Failure(fault)
        try:
            with self.begin() as transaction:
                return work(transaction)
        except self.trouble as error:
            if clash is not None and isinstance(error, self.clash):
                return Failure(clash)
            return Failure(MemoryFault.Unavailable(self.words(error)))


def _texts(messages: Iterable[Message.T]) -> list[str]:
    return [dumps(message).decode() for message in to_messages(messages)]


def _say(transaction: Transaction, id: str, first: int, texts: list[str]) -> None:
    if texts:
        rows = [{"id": id, "position": position, "message": text} for position, text in enumerate(texts, first)]
        transaction.run_each(_SAY, rows)


def _history(id: str, texts: list[Any]) -> Result[History, MemoryFault.T]:
    messages: list[Message.T] = []
    for index, text in enumerate(texts):
        match closed(loads(text)):
            case Success(word) if isinstance(word, cast("Any", Message.T)):
                messages.append(cast("Message.T", word))
            case Success(word):
                problem = Problem(f"$.messages[{index}]", "a message", type(word).__name__)
                return Failure(MemoryFault.Unreadable(id, ConversionError.Unreadable("chatadt", (problem,))))
            case Failure(error):
                return Failure(MemoryFault.Unreadable(id, error))
    return Success(History(messages))
