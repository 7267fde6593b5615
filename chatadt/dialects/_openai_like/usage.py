"""The tokens that servers count as OpenAI Chat does: all inclusive, the sum beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import evolve

from chatadt._wire import Wire, same
from chatadt.chat import Usage
from chatadt.dialects._answers import count
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, foreign, invented
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("counted", "usage_reader", "usage_writer")


def counted(key: str) -> Wire:
    """A number of tokens."""
    return Wire(key, count, same, optional=True)


def usage_reader(dialect: str, structure: Callable[[Any], Usage]) -> Callable[[Any], Usage | None]:
    """A reader of a `usage` object, whose fields `structure` reads.

    Some servers count reasoning beside the output, which shows in the sum, or what was cached beside the input, which shows where
    more was cached than there was (vercel/ai#12425, UKGovernmentBEIS/inspect_ai#5528).
    """

    def read_usage(value: Any) -> Usage | None:
        """The tokens that a `usage` object counts; None where it is none that can be read."""
        if value.__class__ is not dict:
            return None
        try:
            usage = structure({key: item for key, item in value.items() if key != "total_tokens"})
        except Unexpected:
            return None
        total: Any = value.get("total_tokens", _NO_TOTAL)
        if usage.input is None or usage.output is None:
            return with_total(usage, total, None)
        beside = usage.reasoning if usage.reasoning and total == usage.input + usage.output + usage.reasoning else 0
        cached = usage.cache_read if usage.cache_read is not None and usage.cache_read > usage.input else 0
        known = with_total(usage, total, usage.input + usage.output + beside)
        if beside:
            known = noted(evolve(known, output=usage.output + beside), dialect, "$reasoning_beside", True)
        return noted(evolve(known, input=usage.input + cached), dialect, "$cache_beside", True) if cached else known

    def with_total(usage: Usage, total: Any, expected: int | None) -> Usage:
        """The usage with a note on its total, unless that is the sum that it should be."""
        if total is _NO_TOTAL:
            return noted(usage, dialect, "$no_total", True)
        if total is None:
            return noted(usage, dialect, "$null_total", True)
        return usage if total.__class__ is int and total == expected else noted(usage, dialect, "total_tokens", total)

    return read_usage


_NO_TOTAL: Final = object()


def usage_writer(dialect: str, unstructure: Callable[[Usage], Block]) -> Callable[[Usage, list[Loss], bool], Block]:
    """A writer of a `usage` object, whose fields `unstructure` writes."""

    def write_usage(usage: Usage, losses: list[Loss], is_home: bool) -> Block:
        """The object: input, output and their sum are there, but at home; losses are added with paths below the metadata."""
        own = usage.extras.of(dialect)
        beside = usage.reasoning or 0 if own.get("$reasoning_beside") else 0
        cached = usage.cache_read or 0 if own.get("$cache_beside") else 0
        told = evolve(
            usage,
            input=None if usage.input is None else usage.input - cached,
            output=None if usage.output is None else usage.output - beside,
        )
        out = unstructure(told)
        if not is_home:
            for key, value in (("prompt_tokens", usage.input), ("completion_tokens", usage.output)):
                if value is None:
                    losses.append(invented(f"the count {key}", "usage has one: 0", path=".usage"))
                    out[key] = 0
        if own.get("$null_total"):
            out["total_tokens"] = None
        elif not own.get("$no_total") and "total_tokens" not in own:
            out["total_tokens"] = (told.total or 0) + beside
        losses += [loss.under(".usage") for loss in foreign(usage.extras, dialect)]
        return out

    return write_usage
