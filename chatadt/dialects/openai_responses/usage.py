"""The tokens that OpenAI Responses counts: all inclusive, the sum beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, same
from chatadt.chat import Usage
from chatadt.dialects._answers import count, counts_lost
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, foreign, invented
from chatadt.dialects.openai_responses.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("read_usage", "write_usage")


def read_usage(value: Any) -> Usage | None:
    """The tokens that a `usage` object counts; None where it is none that can be read."""
    if value.__class__ is not dict:
        return None
    try:
        usage = _usage({key: item for key, item in value.items() if key != "total_tokens"})
    except Unexpected:
        return None
    total: Any = value.get("total_tokens", _NO_TOTAL)
    if total is _NO_TOTAL:
        return noted(usage, NAME, "$no_total", True)
    if total is None:
        return noted(usage, NAME, "$null_total", True)
    return usage if total.__class__ is int and total == usage.total else noted(usage, NAME, "total_tokens", total)


_NO_TOTAL: Final = object()

_EVERY: Final[Mapping[tuple[str, ...], str]] = {
    ("input_tokens",): "input",
    ("input_tokens_details", "cached_tokens"): "cache_read",
    ("input_tokens_details", "cache_write_tokens"): "cache_write",
    ("output_tokens",): "output",
    ("output_tokens_details", "reasoning_tokens"): "reasoning",
}
"""The counts that every usage has: where they stand, and what they are called here."""


def write_usage(usage: Usage, losses: list[Loss], *, is_home: bool) -> Block:
    """The `usage` object: every count is there, but at home; losses are added with paths below the metadata."""
    out = _write_usage(usage)
    own = usage.extras.of(NAME)
    if not is_home:
        for place, name in _EVERY.items():
            if getattr(usage, name) is None:
                losses.append(invented(f"the count {'.'.join(place)}", "usage has one: 0", path=".usage"))
                _put(out, place, 0)
    if own.get("$null_total"):
        out["total_tokens"] = None
    elif not own.get("$no_total") and "total_tokens" not in own:
        out["total_tokens"] = usage.total or 0
    found = [*counts_lost(usage, "audio_input", "audio_output"), *foreign(usage.extras, NAME)]
    losses += [loss.under(".usage") for loss in found]
    return out


def _put(out: Block, place: tuple[str, ...], value: int) -> None:
    *outer, key = place
    there = out
    for name in outer:
        if there.get(name).__class__ is not dict:
            there[name] = {}
        there = cast("Block", there[name])
    there[key] = value


# --- hooks ----------------------------------------------------------------------------------------------------------------------

register(
    CODEC,
    Usage,
    {name: Wire(".".join(place), count, same, optional=True) for place, name in _EVERY.items()},
    dialect=NAME,
)

_usage: Final = structuring(CODEC, Usage)
_write_usage: Final = unstructuring(CODEC, Usage)
