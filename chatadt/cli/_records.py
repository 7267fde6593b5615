"""A stream of bytes as records, one JSON text each: a document that takes the whole stream, or one line of JSON Lines.

Which of the two a stream is shows in its first lines, so that JSON Lines of any size are read in constant memory. Lines end with a
line feed and nothing else: JSON strings may hold U+2028 and other characters that Python's `splitlines` takes for line ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, Final, assert_never, final

from attrs import frozen

from chatadt._sum import Named

__all__ = ("Form", "Record", "records")

_BOM: Final = b"\xef\xbb\xbf"
_MOST_LINES: Final = 32
_MOST_BYTES: Final = 1 << 20
"""How much of a stream is looked at to tell its form."""


class Form(Named):
    """What a stream holds: one JSON document, or one JSON document a line."""

    DOCUMENT = "json"
    LINES = "jsonl"


@final
@frozen
class Record:
    """One JSON text of a stream: the number of its first line (from 1), its bytes, and the form in which it came."""

    line: int
    text: bytes
    form: Form


class _State(Named):
    """What a text is: a JSON document, the beginning of one that further lines could complete, or neither."""

    WHOLE = "whole"
    OPEN = "open"
    BROKEN = "broken"


def records(stream: BinaryIO, form: Form | None = None) -> Iterator[Record]:
    """The records of a stream, blank lines left out; `form` forces the form.

    White space alone has no record, unless it is forced to be a document.
    """
    lines = _without_bom(stream)
    number, head = (1, []) if form else _first_line(lines)
    if not head and not form:
        return
    told = form or _told_by(head, lines)
    match told:
        case Form.LINES:
            yield from _each_line(number, chain(head, lines))
        case Form.DOCUMENT:
            yield Record(number, b"".join((*head, next(lines, b""), stream.read())), Form.DOCUMENT)
        case _:
            assert_never(told)


def _told_by(head: list[bytes], lines: Iterator[bytes]) -> Form:
    """The form of a stream whose first line is in `head`; the further lines that it takes to tell are moved there from `lines`."""
    while (form := _form(head)) is None:
        line = next(lines, None)
        if line is None:
            return Form.DOCUMENT
        head.append(line)
    return form


def _form(head: Sequence[bytes]) -> Form | None:
    """The form of a stream that begins with the lines `head`, or None when more must be seen.

    A first line that is JSON by itself, or that no further line could make JSON, is the first of JSON Lines. A first line that
    further lines could complete begins a document, unless the next lines do not go on with it and one of them is an object itself:
    then the first was a line that was cut off.
    """
    if _state(head[0]) is not _State.OPEN:
        return Form.LINES
    if len(head) > 1 and _is_object(head[-1]) and _state(b"".join(head)) is _State.BROKEN:
        return Form.LINES
    return Form.DOCUMENT if len(head) >= _MOST_LINES or sum(map(len, head)) >= _MOST_BYTES else None


def _state(text: bytes) -> _State:
    stripped = text.decode(errors="replace").strip()
    try:
        json.loads(stripped)
    except json.JSONDecodeError as error:
        # between two tokens, and not inside a string: a line feed within a string is not JSON
        return _State.OPEN if error.pos == len(stripped) else _State.BROKEN
    except (RecursionError, ValueError):
        return _State.BROKEN
    return _State.WHOLE


def _is_object(line: bytes) -> bool:
    return line.startswith(b"{") and _state(line) is _State.WHOLE


def _without_bom(stream: Iterable[bytes]) -> Iterator[bytes]:
    lines = iter(stream)
    return chain((first.removeprefix(_BOM) for first in islice(lines, 1)), lines)


def _first_line(lines: Iterator[bytes]) -> tuple[int, list[bytes]]:
    """The number of the first line that is not blank, and that line; no line at the end of the stream."""
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            return number, [line]
    return 1, []


def _each_line(first: int, lines: Iterable[bytes]) -> Iterator[Record]:
    for number, line in enumerate(lines, first):
        if line and not line.isspace():
            yield Record(number, line.rstrip(b"\r\n"), Form.LINES)
