"""What becomes of one record: a value, or the reason why there is none. Nothing here raises, whatever the input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar, final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt.cli._input import parse_document
from chatadt.cli._records import Form, Record
from chatadt.cli._report import Bug, Reason
from chatadt.error import ConversionError
from chatadt.result import closed

__all__ = ("Done", "Failed", "Outcome", "Work", "attempt", "place")

V = TypeVar("V")

Work: TypeAlias = Callable[[Any, Record], Result[V, ConversionError.T]]
"""What a command does with the Python value of a record."""


@final
@frozen
class Done(Generic[V]):
    """What came of a record."""

    value: V


@final
@frozen
class Failed:
    """Why nothing came of a record; `line` is that of the reason where it is known, else the record's."""

    line: int
    reason: Reason


Outcome: TypeAlias = Done[V] | Failed


def attempt(record: Record, work: Work[V]) -> Outcome[V]:
    """Parse a record and do the work with its value."""
    match closed(parse_document(record.text)):
        case Failure(bad):
            return Failed(record.line + bad.line - 1, bad)
        case Success(value):
            return _attempt(value, record, work)


def _attempt(value: object, record: Record, work: Work[V]) -> Outcome[V]:
    try:
        match closed(work(value, record)):
            case Success(result):
                return Done(result)
            case Failure(error):
                return Failed(record.line, error)
    except Exception as error:  # a bug, and no reason to give up the other records
        return Failed(record.line, Bug.of(error))


def place(record: Record, line: int) -> str:
    """The words before a message about `line` of a record; none where it is about a document as a whole."""
    return f"line {line}: " if record.form is Form.LINES or line != record.line else ""
