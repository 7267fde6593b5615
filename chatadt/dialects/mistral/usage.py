"""The tokens that Mistral counts: all inclusive, the sum beside them; how many were cached stands in one of two places."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt.chat import Usage
from chatadt.dialects._answers import counts_lost
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block
from chatadt.dialects._openai_like.usage import counted, usage_reader, usage_writer
from chatadt.dialects.mistral.codec import CODEC, NAME
from chatadt.loss import Loss

__all__ = ("read_usage", "write_usage")

_OLD: Final = "num_cached_tokens"


def _read(value: Any) -> Usage:
    usage = _structure(value)
    cached = usage.extras.of(NAME).get(_OLD)
    if usage.cache_read is not None or cached.__class__ is not int:
        return usage
    return noted(evolve(usage, cache_read=cached), NAME, "$old", True)


def _write(usage: Usage) -> Block:
    own = usage.extras.of(NAME)
    is_there = own.get("$old") and own.get(_OLD) == usage.cache_read
    return _unstructure(evolve(usage, cache_read=None) if is_there else usage)


def write_usage(usage: Usage, losses: list[Loss], is_home: bool) -> Block:
    """The `usage` object: input, output and their sum are there, but at home; losses are added with paths below the metadata."""
    losses += [loss.under(".usage") for loss in counts_lost(usage, "cache_write", "reasoning", "audio_output")]
    return _write_usage(usage, losses, is_home)


register(
    CODEC,
    Usage,
    {
        "input": counted("prompt_tokens"),
        "output": counted("completion_tokens"),
        "cache_read": counted("prompt_tokens_details.cached_tokens"),
        "audio_input": counted("prompt_tokens_details.audio_tokens"),
    },
    dialect=NAME,
)

_structure: Final = structuring(CODEC, Usage)
_unstructure: Final = unstructuring(CODEC, Usage)
read_usage: Final = usage_reader(NAME, _read)
_write_usage: Final = usage_writer(NAME, _write)
