"""Server-sent events: bytes into events, and events into bytes, over plain iterables.

Lines end with CR, LF or both, fields are `data`, `event`, `id` and `retry`, comments begin with a colon; an event that the end of
the stream cuts off is none, as the WHATWG HTML standard has it (section 9.2, "Server-sent events"); who asks is told of it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Final, final

from chatadt._closing import async_closing, closing
from chatadt.json import dump, parse

__all__ = ("DONE", "Parser", "async_encode", "async_events", "encode", "events", "frame")

DONE: Final = "[DONE]"
"""The data with which some servers end a stream; it is no JSON and no event."""

_END: Final = re.compile(r"\r\n|\n|\r")
_SILENT: Final = frozenset({"", "id", "retry"})
"""The fields of lines that say nothing here; a comment has none."""


@final
class Parser:
    """Takes bytes as they come, cut anywhere, and gives the events that are complete: pairs of a name (or "") and data.

    `errors` says what becomes of bytes that are not UTF-8, as in `bytes.decode`; the standard has them replaced. `line` is the
    number of the line, from 1, where the data of the event begins that was given last.
    """

    __slots__ = ("_begins", "_data", "_decode", "_is_returned", "_lines", "_name", "_rest", "_says", "line")

    def __init__(self, errors: str = "replace") -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(errors)
        self._lines = 0  # that have ended
        self._says = 0  # which of them was the first with data of the event that comes in
        self.line = 0
        self._rest: list[str] = []  # of a line that is not ended
        self._data: list[str] = []
        self._name = ""
        self._begins = True
        self._is_returned = False  # the last line ended with a carriage return, whose line feed may come

    def feed(self, data: bytes, *, is_last: bool = False) -> Iterator[tuple[str, str]]:
        """The events that these bytes complete. With `is_last` there are no more: a line that is not ended is no line."""
        text = self._decode.decode(data, is_last)
        if self._begins and text:
            text, self._begins = text.removeprefix("\ufeff"), False
        if text:
            text, self._is_returned = text.removeprefix("\n") if self._is_returned else text, text.endswith("\r")
        start = 0
        for end in _END.finditer(text):
            line = text[start : end.start()]
            if self._rest:
                line = "".join((*self._rest, line))
                self._rest = []
            yield from self._line(line)
            start = end.end()
        if start < len(text):
            self._rest.append(text[start:])

    @property
    def unfinished(self) -> str:
        """The lines of an event that is not complete; nothing where they say nothing. After the last bytes they are lost."""
        rest = "".join(self._rest)
        lines = [f"event: {self._name}"] if self._name else []
        lines += [f"data: {data}" for data in self._data]
        lines += [rest] if rest.partition(":")[0] not in _SILENT else []
        is_done = len(lines) == 1 and lines[0].partition(":")[2].strip() == DONE
        return "" if is_done else "\n".join(lines)

    def _line(self, line: str) -> Iterator[tuple[str, str]]:
        self._lines += 1
        if not line:
            if self._data:
                self.line = self._says
                yield self._name, "\n".join(self._data)
            self._data, self._name = [], ""
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match field:
            case "data":
                self._says = self._says if self._data else self._lines
                self._data.append(value)
            case "event":
                self._name = value
            case _:  # a comment, an id, the time to wait before another try, or what the standard tells to ignore
                return


def events(chunks: Iterable[bytes], unfinished: list[str] | None = None) -> Iterator[Any]:
    """The events of a stream of bytes as `read_stream` takes them: the JSON of the data, or with its name where it has one.

    Data that is no JSON is given as the text that it is, `[DONE]` apart, which says nothing. Whatever comes, nothing raises.
    An event that the end of the stream cuts off, without the blank line after it, is none; its lines are added to `unfinished`, if
    a list is given.
    """
    parser = Parser()
    with closing(chunks):
        for chunk in chunks:
            yield from _decoded(parser.feed(chunk))
    yield from _decoded(parser.feed(b"", is_last=True))
    _tell(parser, unfinished)


async def async_events(chunks: AsyncIterable[bytes], unfinished: list[str] | None = None) -> AsyncIterator[Any]:
    """The same of an asynchronous stream of bytes."""
    parser = Parser()
    async with async_closing(chunks):
        async for chunk in chunks:
            for event in _decoded(parser.feed(chunk)):
                yield event
    for event in _decoded(parser.feed(b"", is_last=True)):
        yield event
    _tell(parser, unfinished)


def _tell(parser: Parser, unfinished: list[str] | None) -> None:
    if unfinished is not None and parser.unfinished:
        unfinished.append(parser.unfinished)


def _decoded(framed: Iterable[tuple[str, str]]) -> Iterator[Any]:
    for name, data in framed:
        if data.strip() == DONE:
            continue
        try:
            value = parse(data)
        except ValueError:
            value = data
        yield {"event": name, "data": value} if name else value


def frame(data: str, name: str = "") -> bytes:
    """One event as bytes; data of several lines is said line by line."""
    lines = "".join(f"data: {line}\n" for line in _END.split(data))
    return (f"event: {name}\n{lines}\n" if name else f"{lines}\n").encode("utf-8", "replace")


def encode(stream: Iterable[Any], *, done: bool = False) -> Iterator[bytes]:
    """The bytes of events as `write_stream` gives them; with `done` the mark that OpenAI's clients expect at the end."""
    with closing(stream):
        for event in stream:
            yield _framed(event)
    if done:
        yield frame(DONE)


async def async_encode(stream: AsyncIterable[Any], *, done: bool = False) -> AsyncIterator[bytes]:
    """The same of asynchronous events."""
    async with async_closing(stream):
        async for event in stream:
            yield _framed(event)
    if done:
        yield frame(DONE)


def _framed(event: Any) -> bytes:
    match event:
        case {"event": str() as name, "data": data, **rest} if not rest and "\n" not in name and "\r" not in name:
            return frame(dump(data), name)
        case _:
            return frame(dump(event))
