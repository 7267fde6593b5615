"""Newline-delimited JSON: bytes into values, and values into bytes, over plain iterables. Ollama streams so.

A line ends with LF, before which CR may stand; blank lines say nothing, and the last line need not end.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, final

from chatadt._closing import async_closing, closing
from chatadt.json import dump, parse

__all__ = ("Parser", "async_events", "encode", "events")


@final
class Parser:
    """Takes bytes as they come, cut anywhere, and gives the lines that are complete."""

    __slots__ = ("_begins", "_decode", "_rest")

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest: list[str] = []
        self._begins = True

    def feed(self, data: bytes, *, is_last: bool = False) -> Iterator[str]:
        """The lines that these bytes complete. With `is_last` there are no more, and what is left is a line."""
        text = self._decode.decode(data, is_last)
        if self._begins and text:
            text, self._begins = text.removeprefix("\ufeff"), False
        *lines, rest = text.split("\n")
        for line in lines:
            yield "".join((*self._rest, line))
            self._rest = []
        self._rest.append(rest)
        if is_last:
            yield "".join(self._rest)
            self._rest = []


def events(chunks: Iterable[bytes]) -> Iterator[Any]:
    """The events of a stream of bytes as `read_stream` takes them: the JSON of each line.

    A line that is no JSON is given as the text that it is. Whatever comes, nothing raises.
    """
    parser = Parser()
    with closing(chunks):
        for chunk in chunks:
            yield from _decoded(parser.feed(chunk))
    yield from _decoded(parser.feed(b"", is_last=True))


async def async_events(chunks: AsyncIterable[bytes]) -> AsyncIterator[Any]:
    """The same of an asynchronous stream of bytes."""
    parser = Parser()
    async with async_closing(chunks):
        async for chunk in chunks:
            for event in _decoded(parser.feed(chunk)):
                yield event
    for event in _decoded(parser.feed(b"", is_last=True)):
        yield event


def _decoded(lines: Iterable[str]) -> Iterator[Any]:
    for line in lines:
        if not line.strip():
            continue
        try:
            yield parse(line)
        except (ValueError, RecursionError):
            yield line


def encode(stream: Iterable[Any]) -> Iterator[bytes]:
    """The bytes of events as `write_stream` gives them, a line for each."""
    with closing(stream):
        for event in stream:
            yield dump(event).encode() + b"\n"
