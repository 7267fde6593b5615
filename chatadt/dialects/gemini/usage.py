"""The tokens that Gemini counts: thoughts beside what is said, and what tools put into the prompt beside the prompt.

Both stand inside input and output here, and beside them on the wire. Counts by modality are kept as they are; those of audio are
read as well.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, same
from chatadt.chat import Usage
from chatadt.dialects._answers import count, counts_lost
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, foreign, rewritten
from chatadt.dialects.gemini.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.loss import Loss

__all__ = ("read_usage", "write_usage")

_TOOLS: Final = "toolUsePromptTokenCount"
_TOTAL: Final = "totalTokenCount"
_DETAILS: Final = {"audio_input": "promptTokensDetails", "audio_output": "candidatesTokensDetails"}
"""By count of audio: where the counts by modality are."""
_AUDIO: Final = ("AUDIO", 4)
"""The modality by its name, and by its number."""


def read_usage(value: Any) -> Usage | None:
    """The tokens that a `usageMetadata` object counts; None where it is none that can be read."""
    if value.__class__ is not dict:
        return None
    try:
        told = _usage({key: item for key, item in value.items() if key != _TOTAL})
    except Unexpected:
        return None
    tools = _count_of(value, _TOOLS)
    absent = [
        key
        for key, here, beside in (("promptTokenCount", told.input, tools), ("candidatesTokenCount", told.output, told.reasoning))
        if here is None and beside is not None and value.get(key) is None
    ]
    usage = evolve(
        told,
        input=_sum(told.input, tools),
        output=_sum(told.output, told.reasoning),
        audio_input=_of_audio(value.get(_DETAILS["audio_input"])),
        audio_output=_of_audio(value.get(_DETAILS["audio_output"])),
    )
    usage = noted(usage, NAME, "$absent", absent) if absent else usage
    total: Any = value.get(_TOTAL)
    if total is None:
        return noted(usage, NAME, "$no_total", True)
    return usage if total.__class__ is int and total == usage.total else noted(usage, NAME, _TOTAL, total)


def _count_of(value: dict[str, Any], key: str) -> int | None:
    found = value.get(key)
    return found if found.__class__ is int else None


def _sum(here: int | None, beside: int | None) -> int | None:
    return here if beside is None else (here or 0) + beside


def _of_audio(details: Any) -> int | None:
    """The tokens of audio among counts by modality; None where nothing tells of any."""
    for detail in details if details.__class__ is list else ():
        if detail.__class__ is dict and detail.get("modality") in _AUDIO and detail.get("tokenCount").__class__ is int:
            return int(detail["tokenCount"])
    return None


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_usage(usage: Usage, losses: list[Loss], *, is_home: bool) -> Block:
    """The `usageMetadata` object; losses are added with paths below the metadata."""
    own = usage.extras.of(NAME)
    least = None if is_home else 0
    out = _write_usage(
        evolve(
            usage,
            input=_less(usage.input, _count_of(own, _TOOLS), least),
            output=_less(usage.output, usage.reasoning, least),
        )
    )
    if not is_home and usage.output is not None and usage.output < (usage.reasoning or 0):
        reason = "output stands here without the thoughts, and there were more of them than output"
        losses.append(rewritten("the count output", usage.output, reason, path=".usage.output"))
    out |= {key: own[key] for key in ("promptTokenCount", "candidatesTokenCount") if key in own}  # what was no count
    for name, key in _DETAILS.items():
        tokens = getattr(usage, name)
        if tokens is not None and _of_audio(own.get(key)) is None:
            out[key] = [*(listed if isinstance(listed := out.get(key), list) else ()), {"modality": "AUDIO", "tokenCount": tokens}]
    if usage.total is not None and "$no_total" not in own and _TOTAL not in own:
        out[_TOTAL] = usage.total
    found = [*counts_lost(usage, "cache_write"), *foreign(usage.extras, NAME)]
    losses += [loss.under(".usage") for loss in found]
    return out


def _less(count: int | None, beside: int | None, least: int | None) -> int | None:
    """A count without what stands beside it."""
    if count is None:
        return None
    left = count - (beside or 0)
    return left if least is None else max(left, least)


# --- hooks ----------------------------------------------------------------------------------------------------------------------


def _counted(key: str) -> Wire:
    return Wire(key, count, same, optional=True)


register(
    CODEC,
    Usage,
    {
        "input": _counted("promptTokenCount"),
        "output": _counted("candidatesTokenCount"),
        "cache_read": _counted("cachedContentTokenCount"),
        "reasoning": _counted("thoughtsTokenCount"),
    },
    dialect=NAME,
)

_usage: Final = structuring(CODEC, Usage)
_write_usage: Final = unstructuring(CODEC, Usage)
