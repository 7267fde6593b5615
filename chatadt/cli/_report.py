"""What a run has to say about its input, for people and as JSON Lines.

In a file of losses each line is an object with `line`, `path`, `what`, `action`, `original`, `reason`, `weight` (see
`chatadt.Loss`) and `error`. `error` is null for a loss of what was converted. For a record that gave no output it is the kind of
failure, and each place of the failure has a line; where that is not itself a loss, `action` is "failed", and `weight` is "content",
because all of the record is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, assert_never, final

from attrs import frozen

from chatadt.cli._input import BadInput
from chatadt.error import ConversionError, Problem, Violation
from chatadt.loss import Loss, Weight

__all__ = ("Bug", "Entry", "Reason", "failure_entries", "loss_entries", "printable")

Entry: TypeAlias = dict[str, Any]
"""One line of a file of losses."""


@final
@frozen
class Bug:
    """An exception, which no data should cause in this library: what it said, and where it came from."""

    what: str
    where: str

    @staticmethod
    def of(error: Exception) -> Bug:
        """The innermost place of an exception."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        where = "nowhere known" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        return Bug(f"{type(error).__name__}: {error}", where)

    def __str__(self) -> str:
        return f"chatadt itself failed, please report it with this input: {self.what} ({self.where})"


Reason: TypeAlias = BadInput | ConversionError.T | Bug
"""Why a record gave no output."""


def loss_entries(line: int, losses: Iterable[Loss], error: str | None = None) -> Iterator[Entry]:
    """The losses of a record as objects for the file of losses."""
    for loss in losses:
        original = None if loss.original is None else loss.original.value
        yield _entry(line, loss.path, loss.what, loss.action.value, original, loss.reason, loss.weight.value, error)


def failure_entries(line: int, reason: Reason) -> Iterator[Entry]:
    """Why a record gave no output, as objects for the file of losses."""
    match reason:
        case BadInput(what, _, path):
            yield _failed(line, path, "the input", what, "input")
        case ConversionError.Unreadable(dialect, problems):
            yield from (_unreadable(line, dialect, problem) for problem in problems)
        case ConversionError.Invalid(dialect, violations):
            yield from (_invalid(line, dialect, violation) for violation in violations)
        case ConversionError.Lossy(_, _, losses):
            yield from loss_entries(line, losses, "lossy")
        case ConversionError.Refused(_, error):
            yield _failed(line, None, "the answer", f"the provider's error: {error}", "refused")
        case ConversionError.Unavailable():
            yield _failed(line, None, "the kind", str(reason), "unavailable")
        case ConversionError.UnknownDialect():
            yield _failed(line, None, "the dialect", str(reason), "unknown_dialect")
        case Bug():
            yield _failed(line, None, "the conversion", str(reason), "bug")
        case _:
            assert_never(reason)


def _unreadable(line: int, dialect: str, problem: Problem) -> Entry:
    return _failed(line, problem.path, problem.got, f"{dialect} has {problem.expected} there", "unreadable")


def _invalid(line: int, dialect: str, violation: Violation) -> Entry:
    return _failed(line, violation.path, violation.what, f"{dialect}: {violation.fix} (rule {violation.rule})", "invalid")


def _failed(line: int, path: str | None, what: str, reason: str, error: str) -> Entry:
    return _entry(line, path or "$", what, "failed", None, reason, Weight.CONTENT.value, error)


def _entry(line: int, path: str, what: str, action: str, original: object, reason: str, weight: str, error: str | None) -> Entry:
    return {
        "line": line,
        "path": path,
        "what": what,
        "action": action,
        "original": original,
        "reason": reason,
        "weight": weight,
        "error": error,
    }


_CONTROLS: Final = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


def printable(text: str) -> str:
    """A text from outside as a terminal may have it: control characters, which could steer the terminal, are spelt out."""
    return text.translate(_CONTROLS)
