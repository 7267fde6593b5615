"""`chatadt check`: what the server of a dialect would refuse about each record."""

from __future__ import annotations

import sys
from typing import Any, Final, final

from attrs import frozen
from returns.result import Result

from chatadt.chat import ChatRequest
from chatadt.check import check
from chatadt.cli._records import Record
from chatadt.cli._report import printable
from chatadt.cli._terminal import Say
from chatadt.cli._work import Work, place
from chatadt.dialects import DIALECTS
from chatadt.error import ConversionError, Severity, Violation

__all__ = ("Question", "checking", "tell")

_WORDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning"}


@final
@frozen
class Question:
    """What a check asks: would the server of `target`, with `model`, take what is there in the dialect `source`."""

    source: str
    target: str
    model: str | None


def checking(question: Question) -> Work[tuple[Violation, ...]]:
    """The violations of one record."""
    dialect = DIALECTS[question.target]
    read = DIALECTS[question.source].read_request

    def violations(request: ChatRequest) -> tuple[Violation, ...]:
        return check(request, dialect, model=question.model)

    def work(body: Any, _: Record) -> Result[tuple[Violation, ...], ConversionError.T]:
        return read(body).map(violations)

    return work


def tell(record: Record, violations: tuple[Violation, ...], _: Say) -> bool:
    """Print the violations of a record. False where one of them is an error."""
    for violation in violations:
        sys.stdout.write(printable(f"{place(record, record.line)}{_WORDS[violation.severity]}: {violation}") + "\n")
    return all(violation.severity is not Severity.ERROR for violation in violations)
