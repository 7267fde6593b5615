"""The tokens that Cohere counts; what is billed for is another count, which is kept beside them."""

from __future__ import annotations

from typing import Any, Final

from chatadt._hooks import register, structuring, unstructuring
from chatadt.chat import Usage
from chatadt.dialects._answers import counts_lost
from chatadt.dialects._losses import Block, foreign
from chatadt.dialects._openai_like.usage import counted
from chatadt.dialects.cohere.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("COUNTED", "read_usage", "write_usage")

COUNTED: Final = ("input", "output", "cache_read", "reasoning")
"""The counts that there are fields for."""


def read_usage(value: Any) -> Usage | None:
    """The tokens that a `usage` object counts; None where it says nothing, or is none that can be read."""
    if value.__class__ is not dict or not value:
        return None
    try:
        return _usage(value)
    except Unexpected:
        return None


def write_usage(usage: Usage, losses: list[Loss]) -> Block:
    """The `usage` object; losses are added with paths below the metadata."""
    found = [*counts_lost(usage, "cache_write", "audio_input", "audio_output"), *foreign(usage.extras, NAME)]
    losses += [loss.under(".usage") for loss in found]
    return _write_usage(usage)


register(
    CODEC,
    Usage,
    {
        "input": counted("tokens.input_tokens"),
        "output": counted("tokens.output_tokens"),
        "cache_read": counted("cached_tokens"),
        "reasoning": counted("tokens.reasoning_tokens"),
    },
    dialect=NAME,
)

_usage: Final = structuring(CODEC, Usage)
_write_usage: Final = unstructuring(CODEC, Usage)
