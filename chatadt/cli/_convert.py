"""`chatadt convert`: each record in one dialect becomes a record in another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, BinaryIO, final

from attrs import evolve, frozen
from returns.result import Result

from chatadt.chat import ProviderError
from chatadt.cli._output import compact, encoded
from chatadt.cli._records import Record
from chatadt.cli._report import Entry, failure_entries, loss_entries
from chatadt.cli._run import complain
from chatadt.cli._terminal import Say
from chatadt.cli._work import Failed, Work, place
from chatadt.convert import convert
from chatadt.delta import Delta
from chatadt.dialects import DIALECTS, Dialect, StreamReader
from chatadt.dialects._stream import Reading
from chatadt.error import ConversionError
from chatadt.loss import Loss, Policy

__all__ = ("Kind", "Wish", "Writer", "Written", "conversion")


class Kind(Enum):
    """What a wire body is. `chatadt.convert.KINDS` says which of them this version converts."""

    REQUEST = "request"
    RESPONSE = "response"
    STREAM = "stream"


@final
@frozen
class Wish:
    """What a person asks of a conversion; the words are those of `chatadt.convert`."""

    source: str
    target: str
    kind: str
    policy: Policy
    repair: bool | None
    model: str | None
    inline_system: bool | None
    prefill: bool | None


@final
@frozen
class Written:
    """A record as JSON text, what was lost of it, and the errors of the provider that stand in it: a stream may hold one."""

    value: bytes
    losses: tuple[Loss, ...]
    errors: tuple[ProviderError, ...]


def conversion(wish: Wish) -> Work[Written]:
    """The conversion of one record to JSON text in the form that the record has."""

    def work(body: Any, record: Record) -> Result[Written, ConversionError.T]:
        errors: list[ProviderError] = []
        converted = convert(
            body,
            _noting(DIALECTS[wish.source], errors) if wish.kind == Kind.STREAM.value else wish.source,
            wish.target,
            kind=wish.kind,
            policy=wish.policy,
            repair=wish.repair,
            model=wish.model,
            inline_system=wish.inline_system,
            prefill=wish.prefill,
        )
        return converted.map(lambda it: Written(encoded(it.value, record.form), it.losses, tuple(errors)))

    return work


def _noting(dialect: Dialect, errors: list[ProviderError]) -> Dialect:
    """The dialect, noting the errors in the streams that it reads."""
    reader = dialect.read_stream
    if reader is None:
        return dialect

    def begin() -> Reading:
        step, end = reader.begin()

        def noting(event: object) -> Iterator[Delta.T]:
            for delta in step(event):
                errors.extend([delta.error] if isinstance(delta, Delta.Failed) else [])
                yield delta

        return noting, end

    return evolve(dialect, read_stream=StreamReader(begin))


@final
@frozen
class Writer:
    """Where results go: values to standard output, losses to a file of JSON Lines if there is one, else to the person.

    `source` is the dialect that is read.
    """

    source: str
    losses: BinaryIO | None

    def done(self, record: Record, written: Written, say: Say) -> bool:
        """Write the value of a record and tell its losses. A loss that the policy allows is no failure; a provider's error is."""
        sys.stdout.buffer.write(written.value)
        self.lost(record, written.losses, say)
        for error in written.errors:
            self.failed(record, Failed(record.line, ConversionError.Refused(self.source, error)), say)
        return not written.errors

    def lost(self, record: Record, losses: tuple[Loss, ...], say: Say) -> None:
        """Tell losses, after what was written."""
        if losses and self.losses is None:
            sys.stdout.buffer.flush()  # so that a person who sees both reads the value before what is said of it
        if self.losses is None:
            for loss in losses:
                say(f"{place(record, record.line)}{loss}")
        else:
            self._note(loss_entries(record.line, losses))

    def failed(self, record: Record, failure: Failed, say: Say) -> None:
        """Tell why a record has no value; the person hears of it even where the file of losses has it."""
        complain(record, failure, say)
        self._note(failure_entries(failure.line, failure.reason))

    def _note(self, entries: Iterable[Entry]) -> None:
        if self.losses is not None:
            self.losses.writelines(compact(entry) for entry in entries)
