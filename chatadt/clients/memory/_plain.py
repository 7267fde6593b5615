"""A memory that ends with its process."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import final

from returns.result import Failure, Result, Success

from chatadt.clients.memory._memory import Memory, MemoryFault
from chatadt.history import History
from chatadt.message import Message

__all__ = ("in_memory",)


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
        with self._lock:
            if id in self._kept:
                return Failure(MemoryFault.Exists(id))
            self._kept[id] = history
        return Success(None)

    def read(self, id: str) -> Result[History, MemoryFault.T]:
        with self._lock:
            history = self._kept.get(id)
        return Failure(MemoryFault.Missing(id)) if history is None else Success(history)

    def add(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        more = History(messages)
        with self._lock:
            if id not in self._kept:
                return Failure(MemoryFault.Missing(id))
            self._kept[id] += more
        return Success(None)

    def replace(self, id: str, messages: Iterable[Message.T]) -> Result[None, MemoryFault.T]:
        history = History(messages)
        with self._lock:
            if id not in self._kept:
                return Failure(MemoryFault.Missing(id))
            self._kept[id] = history
        return Success(None)

    def delete(self, id: str) -> Result[None, MemoryFault.T]:
        with self._lock:
            return Failure(MemoryFault.Missing(id)) if self._kept.pop(id, None) is None else Success(None)
