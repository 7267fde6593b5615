"""Whoever closes a stream closes what it is read from, at once: nothing waits for a garbage collector."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Delta, aws_events, fold_each, ndjson, sse

CHUNK: Final = {"choices": [{"index": 0, "delta": {"content": "hi"}}]}
CONVERSE: Final = {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "hi"}}}


class Source:
    """A generator that says one thing for ever, and whether it was closed."""

    def __init__(self, item: Any) -> None:
        self.item = item
        self.is_closed = False

    def items(self) -> Iterator[Any]:
        try:
            while True:
                yield self.item
        finally:
            self.is_closed = True

    async def later(self) -> AsyncIterator[Any]:
        try:
            while True:
                yield self.item
        finally:
            self.is_closed = True


FRAME: Final = next(iter(aws_events.encode([CONVERSE])))
SYNC: Final[dict[str, tuple[Any, Callable[[Any], Any]]]] = {
    "sse.events": (b'data: {"a": 1}\n\n', sse.events),
    "sse.encode": (CHUNK, sse.encode),
    "ndjson.events": (b'{"a": 1}\n', ndjson.events),
    "ndjson.encode": (CHUNK, ndjson.encode),
    "aws_events.events": (FRAME, aws_events.events),
    "aws_events.encode": (CONVERSE, aws_events.encode),
    "fold_each": (Delta.Start(), fold_each),
}
ASYNC: Final[dict[str, tuple[Any, Callable[[Any], Any]]]] = {
    "sse.async_events": (b'data: {"a": 1}\n\n', sse.async_events),
    "sse.async_encode": (CHUNK, sse.async_encode),
    "ndjson.async_events": (b'{"a": 1}\n', ndjson.async_events),
    "aws_events.async_events": (FRAME, aws_events.async_events),
}
WRITTEN: Final = Delta.Text(0, "hi")


def a_chunk(name: str) -> Any:
    """An event of a dialect that says a text."""
    write: Any = DIALECTS[name].write_stream
    return list(write([Delta.Start("a", "m"), WRITTEN]))[-1]


def closes(source: Source, made: Generator[Any, None, None]) -> bool:
    next(made)
    assert not source.is_closed
    made.close()
    return source.is_closed


async def closes_later(source: Source, made: AsyncGenerator[Any, None]) -> bool:
    await made.__anext__()
    assert not source.is_closed
    await made.aclose()
    return source.is_closed


@pytest.mark.parametrize("name", SYNC)
def test_to_close_it_closes_its_source(name: str) -> None:
    item, make = SYNC[name]
    source = Source(item)
    kept = source.items()  # so that it is not collected
    assert closes(source, make(kept))


@pytest.mark.parametrize("name", ASYNC)
def test_to_close_it_closes_its_asynchronous_source(name: str) -> None:
    item, make = ASYNC[name]
    source = Source(item)
    kept = source.later()
    assert asyncio.run(closes_later(source, make(kept)))


@pytest.mark.parametrize("name", DIALECTS)
def test_readers_and_writers_close_what_they_read(name: str) -> None:
    read: Any = DIALECTS[name].read_stream
    write: Any = DIALECTS[name].write_stream
    for door, item in ((read, a_chunk(name)), (write, WRITTEN)):
        source = Source(item)
        kept = source.items()
        assert closes(source, door(kept)), door
        later = Source(item)
        held = later.later()
        assert asyncio.run(closes_later(later, door.over(held))), door


def test_a_whole_chain_is_closed_from_its_end() -> None:
    source = Source(b'data: {"choices": [{"index": 0, "delta": {"content": "hi"}}]}\n\n')
    kept = source.later()
    read: Any = DIALECTS["openai_chat"].read_stream
    write: Any = DIALECTS["anthropic"].write_stream
    frames: Any = sse.async_encode(write.over(read.over(sse.async_events(kept))))
    assert asyncio.run(closes_later(source, frames))


def test_what_is_no_generator_stays_open() -> None:
    class Held(Iterator[bytes]):
        """As a file or a response of a client is: whoever opened it closes it."""

        is_closed = False

        def __next__(self) -> bytes:
            return b'data: {"a": 1}\n\n'

        def close(self) -> None:
            self.is_closed = True

    held = Held()
    events: Any = sse.events(held)
    next(events)
    events.close()
    assert not held.is_closed
