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

__all__ = ("counted", "uncounted")

_BESIDE: Final = "$reasoning_beside"
_WITHIN: Final = "$reasoning_within"
_DETAILS: Final = "$details"
_ALONE: Final = "$hits_alone"
_ODD_TOTALS: Final = ("$no_total", "$null_total", "total_tokens")
"""Notes on a total that is not the sum of input and output."""


class Row(Protocol):
    """How a server counts."""

    @property
    def name(self) -> str: ...
    @property
    def reasoning_beside(self) -> bool: ...
    @property
    def cached(self) -> str | None: ...
    @property
    def uncached(self) -> str | None: ...


def counted(usage: Usage, row: Row) -> Usage:
    """The tokens that a server counts, as the words have them: all inclusive."""
    return _with_reasoning(_with_cached(usage, row), row)


def _with_cached(usage: Usage, row: Row) -> Usage:
    hits: Any = usage.extras.of(row.name).get(row.cached or "")
    if usage.cache_read is not None:
        return usage if row.cached is None else noted(usage, row.name, _DETAILS, True)
    if row.cached is None or row.uncached is None or hits.__class__ is not int:
        return usage
    misses = usage.extras.of(row.name).get(row.uncached)
    is_sum = usage.input is not None and misses == usage.input - hits
    told = evolve(usage, cache_read=hits, extras=without(usage.extras, row.name, row.cached, *([row.uncached] if is_sum else [])))
    return told if is_sum else noted(told, row.name, _ALONE, True)


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
    if row.cached is None or row.uncached is None or usage.cache_read is None or own.get(_DETAILS):
        return usage
    told = noted(evolve(usage, cache_read=None), row.name, row.cached, usage.cache_read)
    if own.get(_ALONE) or usage.input is None or usage.input < usage.cache_read:
        return told
    return noted(told, row.name, row.uncached, usage.input - usage.cache_read)


def _without_reasoning(usage: Usage, row: Row) -> Usage:
    own = usage.extras.of(row.name)
    is_within = own.get(_WITHIN) or usage.output is None or (usage.reasoning or 0) > usage.output
    if not row.reasoning_beside or not usage.reasoning or is_within or own.get(_BESIDE):
        return usage
    return noted(usage, row.name, _BESIDE, True)
