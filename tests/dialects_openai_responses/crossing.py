"""A fixed sample of recorded requests, taken to this dialect and from it, and what the judges say of the results."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, final

from attrs import frozen
from returns.result import Failure, Success
from wire.corpus import Recording, recorded
from wire.evidence import Reported
from wire.oracles import JUDGES as OTHERS

from chatadt import Loss, Policy, convert
from chatadt.dialects.openai_responses import DIALECT
from chatadt.error import ConversionError
from chatadt.result import closed

from .as_chat import as_chat
from .responses_rules import openai_responses

__all__ = ("HERE", "JUDGES", "PAIRS", "Crossed", "crossed", "told", "whole")

HERE: Final = DIALECT.name
PAIRS: Final = (("openai_chat", HERE), ("anthropic", HERE), (HERE, "openai_chat"), (HERE, "anthropic"))
JUDGES: Final = {**OTHERS, HERE: openai_responses}

SAMPLE: Final = 200
"""About how many bodies of a family cross, evenly spread over the recordings."""


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
    """The sample of recorded requests of `source`, converted to `target`."""
    rows = recorded(source, "request")
    return tuple(_crossed(row, source, target, policy) for row in rows[:: max(1, len(rows) // SAMPLE)])


def told(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """A body as the ledger reads it."""
    return as_chat(body) if name == HERE else body


def whole(one: Crossed) -> dict[str, Any]:
    """The request as it would be sent: where a body has no model, its sender named it in the URL, and so would the next one."""
    return one.value if "model" in one.row.body else {"model": "m", **one.value}


def _crossed(row: Recording, source: str, target: str, policy: Policy) -> Crossed:
    sides = [DIALECT if name == HERE else name for name in (source, target)]
    match closed(convert(row.body, sides[0], sides[1], policy=policy)):
        case Success(converted):
            return Crossed(row, converted.value, converted.losses, None)
        case Failure(error):
            return Crossed(row, None, (), error)
