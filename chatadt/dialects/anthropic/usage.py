"""The tokens that Anthropic counts: input without what came from or went to a cache."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, same
from chatadt.chat import Usage
from chatadt.dialects._answers import count, counts_lost
from chatadt.dialects._losses import Block, foreign, invented, rewritten
from chatadt.dialects.anthropic.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("read_usage", "write_usage")


def read_usage(value: Any) -> Usage | None:
    """The tokens that a `usage` object counts; None where it is none that can be read.

    On the wire, input is without the tokens that came from or went to a cache (genkit-ai/genkit#5412).
    """
    if value.__class__ is not dict:
        return None
    try:
        usage = _usage(value)
    except Unexpected:
        return None
    if usage.input is None:
        return usage
    return evolve(usage, input=usage.input + _cached(usage))


def _cached(usage: Usage) -> int:
    return (usage.cache_read or 0) + (usage.cache_write or 0)


def write_usage(usage: Usage, losses: list[Loss], *, is_home: bool) -> Block:
    """The `usage` object: input and output are always there, but at home; losses are added with paths below the metadata."""
    out = _write_usage(evolve(usage, input=None if usage.input is None else max(usage.input - _cached(usage), 0)))
    if not is_home:
        for key, value in (("input_tokens", usage.input), ("output_tokens", usage.output)):
            if value is None:
                losses.append(invented(f"the count {key}", "usage has one: 0", path=".usage"))
                out[key] = 0
    if usage.input is not None and usage.input < _cached(usage):
        reason = "input stands here without what was cached, and more was cached than there was"
        losses.append(rewritten("the count input", usage.input, reason, path=".usage.input"))
    found = [*counts_lost(usage, "audio_input", "audio_output"), *foreign(usage.extras, NAME)]
    losses += [loss.under(".usage") for loss in found]
    return out


# --- hooks ----------------------------------------------------------------------------------------------------------------------


def _counted(key: str) -> Wire:
    return Wire(key, count, same, optional=True)


register(
    CODEC,
    Usage,
    {
        "input": _counted("input_tokens"),
        "output": _counted("output_tokens"),
        "cache_read": _counted("cache_read_input_tokens"),
        "cache_write": _counted("cache_creation_input_tokens"),
        "reasoning": _counted("output_tokens_details.thinking_tokens"),
    },
    dialect=NAME,
)

_usage: Final = structuring(CODEC, Usage)
_write_usage: Final = unstructuring(CODEC, Usage)
