"""A stream of events as the command line takes it: a JSON array, JSON Lines of events, server-sent events, or an AWS event stream.

The latter three are one stream each; they are read whole and handed on as the array that they stand for, line by line, so that an
error still names its line.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, Final, TypeAlias

from chatadt import aws_events, sse
from chatadt.cli._output import compact

__all__ = ("Encode", "prepared")

Encode: TypeAlias = "Callable[[Any], bytes]"
"""How the events of a stream are written in the form in which it came."""

_FIELDS: Final = (b"data:", b"event:", b"id:", b"retry:", b":")
"""How a line of server-sent events begins."""


def prepared(stream: BinaryIO) -> tuple[BinaryIO, Encode | None]:
    """The stream as a JSON array, and how to write its events; None where it is JSON already, one array or one a line."""
    head = b""
    for line in stream:
        head += line
        if line.strip():
            break
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if first.startswith(b"{"):
        return io.BytesIO(_array((head + stream.read()).removeprefix(b"\xef\xbb\xbf"))), _lines
    if first.startswith(_FIELDS):
        return _read(sse.events((head, stream.read()))), _framed
    if first.startswith(b"\0"):  # as every frame does, and no text
        whole = head + stream.read()
        known = aws_events.is_framed(whole)
        return (_read(aws_events.events((whole,))), _framed_by_aws) if known else (io.BytesIO(whole), None)
    return io.BufferedReader(_After(head, stream)), None


def _read(events: Iterable[Any]) -> BinaryIO:
    return io.BytesIO(b"[" + b",\n".join(compact(event).rstrip() for event in events) + b"]")


def _array(text: bytes) -> bytes:
    """JSON Lines as one array, each event on the line that it had; an object of several lines stays what it is: no stream."""
    lines = text.split(b"\n")
    said = [index for index, line in enumerate(lines) if line.strip()]
    if not lines[said[0]].rstrip().endswith(b"}"):
        return text
    others = frozenset(said[1:])
    return b"[" + b"\n".join(b"," + line if index in others else line for index, line in enumerate(lines)) + b"]"


def _lines(events: Any) -> bytes:
    return b"".join(map(compact, events))


def _framed(events: Any) -> bytes:
    """Server-sent events; streams whose events have no names end with the mark that their clients wait for."""
    return b"".join(sse.encode(events, done=not any("event" in event for event in events)))


def _framed_by_aws(events: Any) -> bytes:
    """An AWS event stream; events of another provider, whose clients know no such frames, are server-sent."""
    return b"".join(aws_events.encode(events)) if all(map(aws_events.is_named, events)) else _framed(events)


class _After(io.RawIOBase):
    """What was read of a stream already, then the rest of it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._parts: Iterator[bytes] = iter(lambda: rest.read(1 << 16), b"")
        self._head = head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._head:
            self._head = next(self._parts, b"")
        size = min(len(buffer), len(self._head))
        buffer[:size], self._head = self._head[:size], self._head[size:]
        return size
