"""Generators that read others: one that is closed closes its source at once, not whenever that is collected."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

__all__ = ("async_closing", "closing")

T = TypeVar("T")


@contextmanager
def closing(source: Iterable[T]) -> Generator[Iterable[T], None, None]:
    """Close a source at the end, however that comes, where it is a generator: a file or a list belongs to whoever opened it."""
    try:
        yield source
    finally:
        if isinstance(source, Generator):
            source.close()


@asynccontextmanager
async def async_closing(source: AsyncIterable[T]) -> AsyncGenerator[AsyncIterable[T], None]:
    """The same of an asynchronous source."""
    try:
        yield source
    finally:
        if isinstance(source, AsyncGenerator):
            await source.aclose()
