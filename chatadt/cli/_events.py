"""A stream of events as the command line takes it: a JSON array, JSON Lines of events, server-sent events, or an AWS event stream.

The latter three are one stream each, of which no more is read than came; what goes out has the same form. An array is a document
like any other.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, Final, TypeAlias, cast, final

from attrs import field, frozen
from returns.result import Failure, Success

from chatadt import aws_events, sse
from chatadt.cli._input import parse_document
from chatadt.cli._output import compact
from chatadt.cli._work import Failed
from chatadt.result import closed

__all__ = ("Coming", "opened")

Ready: TypeAlias = "Callable[[int], None]"
"""Told that a piece of so many bytes has been dealt with, before another one is waited for."""


@final
@frozen
class Coming:
    """A stream whose events come in one by one: how they are read, each a value or the reason why it is none, and written."""

    events: Callable[[Ready], Iterator[Any]] = field(repr=False)
    encode: Callable[[Iterator[Any]], Iterator[bytes]] = field(repr=False)


_FIELDS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")
"""How a line of server-sent events begins."""
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
_PIECE: Final = 1 << 16


def opened(stream: BinaryIO) -> Coming | BinaryIO:
    """The stream as one that comes in, or, where it is JSON of another form, to be read from its beginning.

    Looks at no more than its first line. Raises ImportError where it takes botocore to read it, and that is not installed.
    """
    head = _blank(stream)
    rest = _with(head, stream)
    first = head[-1:]
    if first == b"\0":  # as every frame of AWS begins, and no text
        prelude = head + stream.read(_PRELUDE - 1)
        rest = _with(prelude, stream)
        if not aws_events.is_framed(prelude[-_PRELUDE:]):
            return rest
        parser = aws_events.Parser()
        return Coming(lambda ready: (event for piece in _pieces(rest, ready) for event in parser.feed(piece)), _framed_by_aws)
    if first not in _BEGINNINGS:
        return rest
    line = first + stream.readline()
    rest = _with(head[:-1] + line, stream)
    if line.startswith(_FIELDS):
        return Coming(lambda ready: sse.events(_pieces(rest, ready)), _framed)
    if line.startswith(b"{") and line.rstrip().endswith(b"}"):  # an object of several lines is no stream
        return Coming(lambda ready: _each_line(_pieces(rest, ready)), lambda events: map(compact, events))
    return rest


_PRELUDE: Final = 12
_BEGINNINGS: Final = frozenset({b"{", *(name[:1] for name in _FIELDS)})


def _blank(stream: BinaryIO) -> bytes:
    """What a stream begins with, up to the first byte that says something."""
    head = bytearray()
    while byte := stream.read(1):
        head += byte
        if byte not in _BLANK:
            break
    return bytes(head)


# --- reading -------------------------------------------------------------------------------------------------------------------


def _with(head: bytes, rest: BinaryIO) -> io.BufferedReader:
    return io.BufferedReader(_After(head, rest), _PIECE)


@final
class _After(io.RawIOBase):
    """What was read of a stream already, then the rest of it, as it comes."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._more: Callable[[int], bytes] = cast("io.BufferedReader", rest).read1
        self._head = memoryview(head)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._head:
            self._head = memoryview(self._more(_PIECE))
        size = min(len(buffer), len(self._head))
        buffer[:size], self._head = self._head[:size], self._head[size:]
        return size


def _pieces(stream: io.BufferedReader, ready: Ready) -> Iterator[bytes]:
    """The bytes of a stream as they come."""
    while piece := stream.read1(_PIECE):
        yield piece
        ready(len(piece))


def _each_line(pieces: Iterable[bytes]) -> Iterator[Any]:
    """The value of each line that has one, or why it has none."""
    begun: list[bytes] = []
    number = 0
    for piece in chain(pieces, (b"\n",)):  # the last line need not end
        *ends, rest = piece.split(b"\n")
        for end in ends:
            number += 1
            line = b"".join((*begun, end)).removeprefix(b"\xef\xbb\xbf" if number == 1 else b"")
            begun.clear()
            if line.strip():
                yield _value(line, number)
        begun.append(rest)


def _value(line: bytes, number: int) -> Any:
    match closed(parse_document(line)):
        case Success(value):
            return value
        case Failure(bad):
            return Failed(number, bad)


# --- writing -------------------------------------------------------------------------------------------------------------------


def _framed(events: Iterator[Any]) -> Iterator[bytes]:
    """Server-sent events; streams whose events have no names end with the mark that their clients wait for."""
    has_names = False
    for event in events:
        has_names = has_names or "event" in event
        yield from sse.encode((event,))
    if not has_names:
        yield sse.frame(sse.DONE)


def _framed_by_aws(events: Iterator[Any]) -> Iterator[bytes]:
    """An AWS event stream; events of another provider, whose clients know no such frames, are server-sent."""
    first = next(events, None)
    if first is None:
        return
    encode = aws_events.encode if aws_events.is_named(first) else _framed
    yield from encode(chain((first,), events))
