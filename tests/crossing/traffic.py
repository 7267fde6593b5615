"""A fixed sample of recorded requests of each dialect, taken to each of the others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from typing import Any, Final, final

from attrs import frozen
from returns.result import Failure, Success
from wire.corpus import Recording, recorded
from wire.evidence import Reported

from chatadt import Loss, Policy, convert
from chatadt.error import ConversionError
from chatadt.result import closed

from .spellings import reported, told

__all__ = ("FOLDERS", "PAIRS", "SAMPLE", "Crossed", "crossed", "sample")

SAMPLE: Final = 200
"""About how many bodies of a dialect cross, evenly spread over the recordings; all of them where there are fewer."""

FOLDERS: Final = ("openai_chat", "anthropic", "openai_responses", "gemini", "bedrock", "mistral", "cohere", "ollama")
PAIRS: Final = tuple(permutations(FOLDERS, 2))

_FAMILIES: Final[Mapping[str, str]] = {"mistral": "openai_chat", "bedrock": "bedrock_converse", "cohere": "cohere_v2"}
"""The wire format of a dialect in the corpus, where it has another name."""


@final
@frozen
class Crossed:
    """One body, and what became of it: a value with its losses, or an error."""

    row: Recording
    source: str
    target: str
    value: Any
    losses: tuple[Loss, ...]
    error: ConversionError.T | None

    @property
    def before(self) -> dict[str, Any]:
        """The input as the ledger reads it."""
        return told(self.source, self.row.body)

    @property
    def after(self) -> dict[str, Any]:
        """The output as the ledger reads it."""
        return told(self.target, self.value)

    @property
    def reported(self) -> tuple[Reported, ...]:
        """The losses as the ledger reads them."""
        return reported(
            tuple(
                Reported(loss.path, loss.what, loss.action.value, None if loss.original is None else loss.original.value)
                for loss in self.losses
            )
        )


@cache
def sample(name: str) -> tuple[Recording, ...]:
    """The recorded requests of a dialect that cross, the same every time; those of Mistral stand among OpenAI's."""
    rows = [row for row in recorded(_FAMILIES.get(name, name), "request") if (row.dialect == "mistral") == (name == "mistral")]
    return tuple(rows[:: max(1, round(len(rows) / SAMPLE))])


@cache
def crossed(source: str, target: str, policy: Policy) -> tuple[Crossed, ...]:
    """The sample of `source`, converted to `target`."""
    return tuple(_crossed(row, source, target, policy) for row in sample(source))


def _crossed(row: Recording, source: str, target: str, policy: Policy) -> Crossed:
    match closed(convert(row.body, source, target, policy=policy)):
        case Success(converted):
            return Crossed(row, source, target, converted.value, converted.losses, None)
        case Failure(error):
            return Crossed(row, source, target, None, (), error)
