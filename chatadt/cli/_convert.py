"""`chatadt convert`: each record in one dialect becomes a record in another."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import Enum
from typing import Any, BinaryIO, final

from attrs import frozen
from returns.result import Result

from chatadt.cli._output import compact, encoded
from chatadt.cli._records import Record
from chatadt.cli._report import Entry, failure_entries, loss_entries
from chatadt.cli._run import complain
from chatadt.cli._terminal import Say
from chatadt.cli._work import Failed, Work, place
from chatadt.convert import convert
from chatadt.error import ConversionError
from chatadt.loss import Converted, Loss, Policy

__all__ = ("Kind", "Wish", "Writer", "conversion")


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


def conversion(wish: Wish) -> Work[Converted[bytes]]:
    """The conversion of one record to JSON text in the form that the record has."""

    def work(body: Any, record: Record) -> Result[Converted[bytes], ConversionError.T]:
        converted = convert(
            body,
            wish.source,
            wish.target,
            kind=wish.kind,
            policy=wish.policy,
            repair=wish.repair,
            model=wish.model,
            inline_system=wish.inline_system,
            prefill=wish.prefill,
        )
        return converted.map(lambda it: Converted(encoded(it.value, record.form), it.losses))

    return work


@final
@frozen
class Writer:
    """Where results go: values to standard output, losses to a file of JSON Lines if there is one, else to the person."""

    losses: BinaryIO | None

    def done(self, record: Record, converted: Converted[bytes], say: Say) -> bool:
        """Write the value of a record and tell its losses. True: a loss that the policy allows is no failure."""
        sys.stdout.buffer.write(converted.value)
        self.lost(record, converted.losses, say)
        return True

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
