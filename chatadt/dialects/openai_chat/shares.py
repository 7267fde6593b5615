"""What servers that speak OpenAI Chat count otherwise: what came from a cache beside the rest, and output without reasoning.

Sources: the page of DeepSeek on context caching (hits and misses make up the prompt); vercel/ai#12425 and
UKGovernmentBEIS/inspect_ai#5528 (xAI).
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from attrs import evolve

from chatadt.chat import Usage
from chatadt.dialects._answers import without
from chatadt.dialects._codec import noted

__all__ = ("Row", "counted", "uncounted")

_BESIDE: Final = "$reasoning_beside"
_WITHIN: Final = "$reasoning_within"
_DETAILS: Final = "$details"
_ALONE: Final = "$hits_alone"
_NO_MISSES: Final = "$no_misses"
_ODD_TOTALS: Final = ("$no_total", "$null_total", "total_tokens")
"""Notes on a total that is not the sum of input and output."""


class Row(Protocol):
    """How a server counts."""

    @property
    def name(self) -> str:
        """The dialect under which its own fields are kept."""
        ...

    @property
    def reasoning_beside(self) -> bool:
        """Whether the output does not hold what the model thought."""
        ...

    @property
    def cached(self) -> str | None:
        """Its field for the tokens of the prompt that a cache had, beside the details."""
        ...

    @property
    def uncached(self) -> str | None:
        """Its field for those that the cache did not have."""
        ...


def counted(usage: Usage, row: Row) -> Usage:
    """The tokens that a server counts, as the words have them: all inclusive."""
    return _with_reasoning(_with_cached(usage, row), row)


def _with_cached(usage: Usage, row: Row) -> Usage:
    """What came from a cache stands in the details, beside the other counts, or, as the server itself has it, in both places."""
    if row.cached is None or row.uncached is None:
        return usage
    own = usage.extras.of(row.name)
    hits: Any = own.get(row.cached)
    is_alone = usage.cache_read is None
    is_sum = hits.__class__ is int and usage.input is not None and own.get(row.uncached) == usage.input - hits
    if hits.__class__ is not int or not (is_alone or (is_sum and hits == usage.cache_read)):
        return usage if is_alone else noted(usage, row.name, _DETAILS, True)
    plain = without(usage.extras, row.name, row.cached, *([row.uncached] if is_sum else []))
    told = evolve(usage, cache_read=hits, extras=plain)
    told = told if is_sum else noted(told, row.name, _NO_MISSES, True)
    return noted(told, row.name, _ALONE, True) if is_alone else told


def _with_reasoning(usage: Usage, row: Row) -> Usage:
    own = usage.extras.of(row.name)
    if not row.reasoning_beside or not usage.reasoning or usage.output is None or own.get(_BESIDE):
        return usage
    if usage.reasoning <= usage.output and not any(key in own for key in _ODD_TOTALS):
        return noted(usage, row.name, _WITHIN, True)
    odd = usage if any(key in own for key in _ODD_TOTALS) else noted(usage, row.name, "total_tokens", usage.total)
    return noted(evolve(odd, output=usage.output + usage.reasoning), row.name, _BESIDE, True)


def uncounted(usage: Usage, row: Row) -> Usage:
    """The tokens of the words, as a server counts them."""
    return _without_cached(_without_reasoning(usage, row), row)


def _without_cached(usage: Usage, row: Row) -> Usage:
    own = usage.extras.of(row.name)
    hits = usage.cache_read
    if row.cached is None or row.uncached is None or hits is None or own.get(_DETAILS):
        return usage
    told = noted(evolve(usage, cache_read=None) if own.get(_ALONE) else usage, row.name, row.cached, hits)
    has_misses = usage.input is not None and usage.input >= hits and not own.get(_NO_MISSES)
    return noted(told, row.name, row.uncached, (usage.input or 0) - hits) if has_misses else told


def _without_reasoning(usage: Usage, row: Row) -> Usage:
    own = usage.extras.of(row.name)
    is_within = own.get(_WITHIN) or usage.output is None or (usage.reasoning or 0) > usage.output
    if not row.reasoning_beside or not usage.reasoning or is_within or own.get(_BESIDE):
        return usage
    return noted(usage, row.name, _BESIDE, True)
