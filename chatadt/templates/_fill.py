"""Templates into messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, assert_never, cast

from returns.result import Failure, Result, Success

from chatadt.content import Content
from chatadt.message import Message
from chatadt.result import closed
from chatadt.templates._hole import Hole
from chatadt.templates._line import Line, Said, holes_of
from chatadt.templates._misfit import Misfit
from chatadt.templates._parsed import Unrenderable
from chatadt.templates._value import Value, checked
from chatadt.templates._words import Words, parsed

__all__ = ("filled",)

Values: TypeAlias = Mapping[str, Value.T]


def filled(lines: tuple[Line.T, ...], given: Mapping[str, object]) -> Result[tuple[Message.T, ...], tuple[Misfit.T, ...]]:
    """The messages of some lines, or all that is missing, extra, ill-typed or cannot be rendered."""
    match closed(checked(holes_of(lines), given)):
        case Failure(misfits):
            return Failure(misfits)
        case Success(values):
            messages: list[Message.T] = []
            unrendered: list[Misfit.T] = []
            for found in _filled(lines, values):
                if isinstance(found, Misfit.T):
                    unrendered.append(found)
                else:
                    messages.append(found)
            return Failure(tuple(unrendered)) if unrendered else Success(tuple(messages))


def _filled(lines: Iterable[Line.T], values: Values) -> Iterator[Message.T | Misfit.T]:
    for line in lines:
        try:
            yield from _line(line, values)
        except _Unrendered as error:
            yield error.misfit


class _Unrendered(Exception):
    def __init__(self, misfit: Misfit.T) -> None:
        super().__init__(misfit)
        self.misfit = misfit


def _line(line: Line.T, values: Values) -> Iterable[Message.T | Misfit.T]:
    match line:
        case Line.System(pieces, extras):
            return (Message.System(cast("Any", _contents(pieces, values)), extras),)
        case Line.User(pieces, name, extras):
            return (Message.User(cast("Any", _contents(pieces, values)), _maybe_text(name, values), extras),)
        case Line.Assistant(pieces, name, extras):
            return (Message.Assistant(_contents(pieces, values), _maybe_text(name, values), extras),)
        case Line.ToolResult(id, tool, pieces, outcome, extras):
            contents: Any = _contents(pieces, values)
            return (Message.ToolResult(_text(id, values), tool, contents, outcome, extras),)
        case Line.Exactly(message):
            return (message,)
        case Line.Each(name, inner):
            rows = values.get(name)
            every = rows.rows if isinstance(rows, Value.Rows) else ()
            return (found for row in every for found in _filled(inner, {binding.name: binding.value for binding in row}))
        case Line.Scope(inner, given, defaults):
            spared = {binding.name: binding.value for binding in defaults}
            return _filled(inner, {**spared, **values, **{binding.name: binding.value for binding in given}})
        case Line.Messages(name):
            history = values.get(name)
            return history.messages if isinstance(history, Value.Messages) else ()
        case _:
            assert_never(line)


def _contents(pieces: Iterable[Said], values: Values) -> list[Content.T]:
    contents: list[Content.T] = []
    for piece in pieces:
        if isinstance(piece, Words):
            contents.append(Content.Text(_text(piece, values), piece.extras))
        elif isinstance(piece, Hole.Content):
            value = values.get(piece.name)
            contents.extend(value.contents if isinstance(value, Value.Contents) else ())
        else:
            contents.append(piece)
    return contents


def _maybe_text(words: Words | None, values: Values) -> str | None:
    return None if words is None else _text(words, values)


def _text(words: Words, values: Values) -> str:
    known = {hole.name: _plain(values[hole.name]) for hole in words.holes if hole.name in values}
    try:
        return parsed(words).render(known)
    except Unrenderable as error:
        raise _Unrendered(Misfit.Unrenderable(words.source, str(error))) from None


def _plain(value: Value.T) -> Any:
    """What a text is rendered with: strings and JSON data, and nothing that has methods of its own."""
    match value:
        case Value.Text(text):
            return text
        case Value.Data(json):
            return json.value
        case Value.Contents() | Value.Messages() | Value.Rows():
            raise TypeError(f"a text is rendered with texts and data, got {value!r}")
        case _:
            assert_never(value)
