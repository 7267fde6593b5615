"""Generators that read others: one that is closed closes its source at once, not whenever that is collected."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, cast, final

__all__ = ("async_close", "async_closing", "close", "closing")

T = TypeVar("T")


def close(source: object) -> None:
    """Close a source where it is a generator: a file or a list belongs to whoever opened it. One that runs, in another thread,
    is left to end by itself.
    """
    if isinstance(source, Generator) and not getattr(cast("Any", source), "gi_running", False):
        source.close()


async def async_close(source: object) -> None:
    """The same of an asynchronous source, which may run in another task."""
    if isinstance(source, AsyncGenerator) and not getattr(cast("Any", source), "ag_running", False):
        await source.aclose()


@contextmanager
def closing(source: Iterable[T]) -> Generator[Iterable[T], None, None]:
    """Close a source at the end, however that comes."""
    try:
        yield source
    finally:
        close(source)


@final
class async_closing(Generic[T]):  # noqa: N801 (it is called as `closing` is)
    """The same of an asynchronous source. It is no generator itself: an event loop that ends closes those too, in any order."""

    def __init__(self, source: AsyncIterable[T]) -> None:
        self._source = source

    async def __aenter__(self) -> AsyncIterable[T]:
        return self._source

    async def __aexit__(self, *raised: object) -> None:
        await async_close(self._source)
