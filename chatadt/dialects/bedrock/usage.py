"""The tokens that Bedrock counts: input without what came from or went to a cache, the total with it.

Source: `TokenUsage` in the service model that botocore ships (1.44). Servers also send the counts of the cache under the older
names that InvokeModel has, mostly beside the others: those are notes, where both say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, absent, same
from chatadt.chat import Usage
from chatadt.dialects._answers import count, counts_lost, without
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, foreign, invented, rewritten
from chatadt.dialects._spelling import list_of
from chatadt.dialects.bedrock.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("read_usage", "write_usage")

_TOTAL: Final = "totalTokens"
_TWINS: Final[Mapping[str, str]] = {
    "cacheReadInputTokenCount": "cacheReadInputTokens",
    "cacheWriteInputTokenCount": "cacheWriteInputTokens",
}
"""By the older name of a count: its name."""
_TWINNED: Final = "$twins"


def read_usage(value: Any) -> Usage | None:
    """The tokens that a `usage` object counts; None where it is none that can be read."""
    if value.__class__ is not dict:
        return None
    twins = [old for old, name in _TWINS.items() if value.get(old).__class__ is int and value.get(name, value[old]) == value[old]]
    alone = [_TWINS[old] for old in twins if _TWINS[old] not in value]
    told = {key: item for key, item in value.items() if key not in twins} | {_TWINS[old]: value[old] for old in twins}
    try:
        usage = _usage(told)
    except Unexpected:
        return None
    if usage.input is not None:
        usage = evolve(usage, input=usage.input + _cached(usage))
    if told.get(_TOTAL).__class__ is int and told[_TOTAL] == usage.total:
        usage = evolve(usage, extras=without(usage.extras, NAME, _TOTAL) if len(usage.extras.of(NAME)) > 1 else {})
    elif _TOTAL not in told:
        usage = noted(usage, NAME, "$absent", [_TOTAL, *alone])
        alone = []
    usage = noted(usage, NAME, "$absent", alone) if alone else usage
    return noted(usage, NAME, _TWINNED, twins) if twins else usage


def _cached(usage: Usage) -> int:
    return (usage.cache_read or 0) + (usage.cache_write or 0)


def write_usage(usage: Usage, losses: list[Loss], *, is_home: bool) -> Block:
    """The `usage` object: input, output and total are always there, but at home; losses have paths below the metadata."""
    own = usage.extras.of(NAME)
    plain = without(usage.extras, NAME, "$absent") if own else usage.extras
    out = _write_usage(evolve(usage, input=None if usage.input is None else max(usage.input - _cached(usage), 0), extras=plain))
    out |= {old: out[_TWINS[old]] for old in list_of(own, _TWINNED, str) if _TWINS.get(old) in out}
    if not is_home:
        for key, value in (("inputTokens", usage.input), ("outputTokens", usage.output)):
            if value is None:
                losses.append(invented(f"the count {key}", "usage has one: 0", path=".usage"))
                out[key] = 0
    if usage.total is not None or not is_home:
        out.setdefault(_TOTAL, usage.total or 0)
    for key in absent(own):
        out.pop(key, None)
    if usage.input is not None and usage.input < _cached(usage):
        reason = "input stands here without what was cached, and more was cached than there was"
        losses.append(rewritten("the count input", usage.input, reason, path=".usage.input"))
    found = [*counts_lost(usage, "reasoning", "audio_input", "audio_output"), *foreign(usage.extras, NAME)]
    losses += [loss.under(".usage") for loss in found]
    return out


# --- hooks ----------------------------------------------------------------------------------------------------------------------


def _counted(key: str) -> Wire:
    return Wire(key, count, same, optional=True)


register(
    CODEC,
    Usage,
    {
        "input": _counted("inputTokens"),
        "output": _counted("outputTokens"),
        "cache_read": _counted("cacheReadInputTokens"),
        "cache_write": _counted("cacheWriteInputTokens"),
    },
    dialect=NAME,
)

_usage: Final = structuring(CODEC, Usage)
_write_usage: Final = unstructuring(CODEC, Usage)
