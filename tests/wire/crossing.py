"""Each recorded request taken to the other dialect, and what the judges say of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, final

from attrs import frozen
from returns.result import Failure, Success

from chatadt import Loss, Policy, convert
from chatadt.error import ConversionError
from chatadt.result import closed

from .corpus import Recording, recorded
from .evidence import Reported

__all__ = ("PAIRS", "Crossed", "crossed", "reasons", "whole")

PAIRS: Final = (("openai_chat", "anthropic"), ("anthropic", "openai_chat"))


@final
@frozen
class Crossed:
    """One body, and what became of it: a value with its losses, or an error."""

    row: Recording
    value: Any
    losses: tuple[Loss, ...]
    error: ConversionError.T | None

    @property
    def reported(self) -> tuple[Reported, ...]:
        """The losses as the ledger reads them."""
        return tuple(
            Reported(loss.path, loss.what, loss.action.value, None if loss.original is None else loss.original.value)
            for loss in self.losses
        )


@cache
def crossed(source: str, target: str, policy: Policy) -> tuple[Crossed, ...]:
    """Every recorded request of `source`, converted to `target`."""
    return tuple(_crossed(row, source, target, policy) for row in recorded(source, "request"))


def whole(one: Crossed) -> dict[str, Any]:
    """The request as it would be sent: where a body has no model, its sender named it in the URL, and so would the next one."""
    return one.value if "model" in one.row.body else {"model": "m", **one.value}


def _crossed(row: Recording, source: str, target: str, policy: Policy) -> Crossed:
    match closed(convert(row.body, source, target, policy=policy)):
        case Success(converted):
            return Crossed(row, converted.value, converted.losses, None)
        case Failure(error):
            return Crossed(row, None, (), error)


def reasons(one: Crossed) -> Iterator[str]:
    """Why a body did not cross, as a table groups it: each rule and each lost thing once."""
    match one.error:
        case None:
            return
        case ConversionError.Lossy(_, _, losses):
            yield from {f"{loss.action.value} {loss.what}" for loss in losses if loss.weight.value == "content"}
        case ConversionError.Invalid(_, violations):
            yield from {f"rule {violation.rule}" for violation in violations}
        case ConversionError.Unreadable(_, problems):
            yield from {f"expected {problem.expected}" for problem in problems}
        case ConversionError.UnknownDialect():
            yield "no such dialect"
        case ConversionError.Refused() | ConversionError.Unavailable():
            yield "no request"
