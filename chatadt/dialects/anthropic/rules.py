"""What the server of Anthropic Messages allows, as data.

Sources: the official SDK's types and docstrings (anthropic 2.14); for ids langchain-ai/langchain#37756; for names
apify/tester-mcp-client#11; for blank text anthropics/anthropic-sdk-python#461; for cache marks tghamm/Anthropic.SDK#50; for system
messages inside a conversation UKGovernmentBEIS/inspect_ai#4095; for prefill NousResearch/hermes-agent#108200; for sampling
fazer-ai/agents#130, and the SDK, whose request has no temperature, top_p or top_k any more; for tools of one name
danny-avila/LibreChat#13162; for bytes and media types home-assistant/core#167208; for thinking
deepset-ai/haystack-core-integrations#2146 and the SDK's docstrings; for reasoning with a mark UKGovernmentBEIS/inspect_ai#3967; for
the size of a request the vendor's page on errors. Numbers and sizes of images and documents could not be verified.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import Capability, IdScope, ModelProfile, Placement, Range, Rules, Says, Spelling

__all__ = ("DEFAULT_MAX_TOKENS", "RULES")

DEFAULT_MAX_TOKENS: Final = 4_096
"""Tokens of answer that are asked for where the conversation came from a dialect that need not say."""

_MB: Final = 1024 * 1024

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _N, "png, jpeg, gif and webp; of a failed tool result it moves behind the results"),
    Capability("image by URL", _N, _X, _N, "of a failed tool result it moves behind the results"),
    Capability("audio", _X, _D, _X, "an assistant's transcript stands for it"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _N, _X, _N),
    Capability("PDF by URL", _N, _X, _N),
    Capability("file", _D, _X, _D, "a file that is text becomes a text document"),
    Capability("reasoning", _X, _N, _X, "with the signature that this provider made; else it is dropped"),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X),
    Capability("error of a tool", _X, _X, _N),
)

_SMALL: Final = {"image": 100}
"""What a request to a model that holds 200,000 tokens may have."""

_OLD: Final = r"claude-(?:instant|[123]\b|2\.|3-|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@|$|-v\d|:))"

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.FIELD,
    blank_text=False,
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=True,
    merges_turns=True,
    unique_ids=IdScope.REQUEST,
    trailing_space=False,
    answer_limit=DEFAULT_MAX_TOKENS,
    marks=(("anthropic", "cache_control"),),
    cache_marks=4,
    marks_reasoning=False,
    thinks_first=("anthropic",),
    least_thinking=1_024,
    forces_while_thinking=False,
    prefill_while_thinking=False,
    ranges={
        "temperature": Range(0, 1),
        "top_p": Range(0, 1, certain=False),
        "top_k": Range(0, certain=False),
        "max_output_tokens": Range(0, certain=False),  # none at all fills the prompt cache
    },
    unique_tools=True,
    blank_stop=False,
    checks_bytes=True,
    most_said={"image": 600},
    largest_said={"image": 5 * _MB, "document": 32 * _MB},
    most_bytes=32 * _MB,
    models=(
        ModelProfile(re.compile(_OLD), prefill=True, inline_system=False, first_user_said=True, most_said=_SMALL),
        ModelProfile(re.compile(r"claude-(?:sonnet|haiku)-4"), prefill=False, inline_system=False, most_said=_SMALL),
        ModelProfile(re.compile(r"claude-opus-4-[67]"), prefill=False, inline_system=False),
        ModelProfile(re.compile(r""), prefill=False, inline_system=True, sampling=False),
    ),
    own_models=re.compile(r"claude"),
    media_types={"image": frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})},
)
