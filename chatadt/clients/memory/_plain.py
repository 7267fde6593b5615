"""A memory that ends with its process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TypeVar, final

from returns.result import Failure, Result, Success

from chatadt.clients.memory._memory import Memory, MemoryFault, unfit
from chatadt.history import History
from chatadt.message import Message

__all__ = ("in_memory",)

A = TypeVar("A")


def in_memory() -> Memory:
    """A memory in this process: for tests, and for conversations that nobody needs tomorrow."""
    return _Plain()


@final
class _Plain:
    def __init__(self) -> None:
        self._kept: dict[str, History] = {}
        self._lock = Lock()

    def create(self, id: str, messages: Iterable[Message.T] = ()) -> Result[None, MemoryFault.T]:
        history = History(messages)

        def created() -> Result[None, MemoryFault.T]:
            if id in self._kept:
                return Failure(MemoryFault.Exists(id))
            self._kept[id] = history
            return Success(None)

        return self._done(id, created)

    def read(self, id: str) -> Result[History, MemoryFault.T]:
        return self._done(id, lambda: self._found(id))

    def add(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        more = History(messages)
        return self._done(id, lambda: self._found(id).map(lambda history: self._put(id, history + more)))

    def replace(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        other = History(messages)
        return self._done(id, lambda: self._found(id).map(lambda _: self._put(id, other)))

    def delete(self, id: str) -> Result[None, MemoryFault.T]:
        return self._done(id, lambda: self._found(id).map(lambda _: self._forget(id)))

    def _done(self, id: str, work: Callable[[], Result[A, MemoryFault.T]]) -> Result[A, MemoryFault.T]:
        if (fault := unfit(id)) is not None:
            return Failure(fault)
        with self._lock:
            return work()

    def _found(self, id: str) -> Result[History, MemoryFault.T]:
        history = self._kept.get(id)
        return Failure(MemoryFault.Missing(id)) if history is None else Success(history)

    def _put(self, id: str, history: History) -> None:
        self._kept[id] = history

    def _forget(self, id: str) -> None:
        del self._kept[id]
