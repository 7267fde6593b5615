"""A stream of events as the command line takes it: a JSON array, JSON Lines of events, server-sent events, or an AWS event stream.

The latter three are one stream each, of which no more is read than came; what goes out has the same form, with the names and the
end that the target's server gives it. An array is a document like any other.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, Final, TypeAlias, cast, final

from attrs import field, frozen
from returns.result import Failure, Success

from chatadt import aws_events, sse
from chatadt.cli._input import BadInput, parse_document
from chatadt.cli._output import compact
from chatadt.cli._work import Failed
from chatadt.error import show
from chatadt.framing import NAMELESS, Carrier, Framing
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


def opened(stream: BinaryIO, target: Framing, *, as_wire: bool = False) -> Coming | BinaryIO:
    """The stream as one that comes in, or, where it is JSON of another form, to be read from its beginning.

    `target` is the framing of the dialect that is written. With `as_wire` all goes out in it; else only an AWS event stream does,
    and the other forms stay what they are. Looks at no more than the first line of the stream. Raises ImportError where it takes
    botocore to read it, and that is not installed.
    """
    head = _blank(stream)
    rest = _with(head, stream)
    first = head[-1:]
    if first == b"\0":  # as every frame of AWS begins, and no text
        prelude = head + stream.read(_PRELUDE - 1)
        rest = _with(prelude, stream)
        if not aws_events.is_framed(prelude[-_PRELUDE:]):
            return rest
        aws_events.Parser()  # so that it shows at once whether there is botocore
        return Coming(lambda ready: _framed_events(_pieces(rest, ready)), target.encode)
    if first not in _BEGINNINGS:
        return rest
    line = first + stream.readline()
    rest = _with(head[:-1] + line, stream)
    if line.startswith(_FIELDS):
        server_sent = target if as_wire or target.carrier is Carrier.SERVER_SENT else NAMELESS
        return Coming(lambda ready: _sent_events(_pieces(rest, ready)), server_sent.encode)
    if line.startswith(b"{") and line.rstrip().endswith(b"}"):  # an object of several lines is no stream
        return Coming(lambda ready: _each_line(_pieces(rest, ready)), target.encode if as_wire else _lines)
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


def _framed_events(pieces: Iterable[bytes]) -> Iterator[Any]:
    """The events of the frames of AWS, and last, where the end of the stream cut one off, that."""
    unfinished: list[str] = []
    yield from aws_events.events(pieces, unfinished)
    yield from map(_cut_off, unfinished)


def _sent_events(pieces: Iterable[bytes]) -> Iterator[Any]:
    """The server-sent events that say something, each or why it is none, and last, where the end cut one off, that."""
    parser = sse.Parser(_ESCAPED)
    for name, data in chain(chain.from_iterable(map(parser.feed, pieces)), parser.feed(b"", is_last=True)):
        if data.strip() in ("", sse.DONE):
            continue
        value = _value(data.encode(errors=_ESCAPED), parser.line)
        yield {"event": name, "data": value} if name and not isinstance(value, Failed) else value
    if parser.unfinished:
        yield _cut_off(parser.unfinished)


_ESCAPED: Final = "surrogateescape"
"""How bytes that are not UTF-8 are kept, to be told of."""


def _cut_off(text: str) -> Failed:
    return Failed(1, BadInput(f"the stream ends within an event, which is left out: {show(text)}"))


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


def _value(text: bytes, line: int) -> Any:
    """The value of a text that begins on a line, or why it has none."""
    match closed(parse_document(text)):
        case Success(value):
            return value
        case Failure(bad):
            return Failed(line + bad.line - 1, bad)


# --- writing -------------------------------------------------------------------------------------------------------------------


def _lines(events: Iterator[Any]) -> Iterator[bytes]:
    return map(compact, events)
