"""What the server of OpenAI Responses allows, as data.

Sources: the official SDK's types (openai 3.57); for the length of ids dyad-sh/dyad#4304, for their last character
earendil-works/pi#977, for what proxies hide in them BerriAI/litellm#41534, for two results with one id
NousResearch/hermes-agent#102629; for names mcp-use/mcp-use#90; for the shortest answer vectorize-io/hindsight#58; for files
0xPlaygrounds/rig#1429, laravel/ai#321; for reasoning and what it led to vercel/ai#7099, openai/openai-node#1567; for the number
of tools anomalyco/opencode#4909.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import Capability, IdScope, Placement, Range, Rules, Says, Spelling
from chatadt.json import Json

__all__ = ("RULES",)

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _N),
    Capability("image by URL", _N, _X, _N),
    Capability("audio", _X, _D, _X, "an assistant's transcript stands for it"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _N, _X, _N),
    Capability("PDF by URL", _N, _X, _N, "without its name"),
    Capability("file", _N, _X, _N),
    Capability("reasoning", _X, _N, _X, "an item that this provider made; else it is dropped"),
    Capability("refusal", _X, _N, _X),
    Capability("tool request", _X, _N, _X),
    Capability("error of a tool", _X, _X, _D, "the text stays, the flag is dropped"),
)


def _holds_calls(item: Json) -> bool:
    """Whether an item stands for others that only the server has: a reference to one, or to a conversation before this one."""
    match item.value:
        case {"$request": _, **rest} if not rest:
            return True
        case {"type": "item_reference"}:
            return True
        case {"id": _, **rest}:
            return not rest
        case _:
            return False


RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r"[a-zA-Z0-9_-]*[a-zA-Z0-9-]"), re.compile(r"(?s:__thought__.*)|[^a-zA-Z0-9_-]"), 64),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.MESSAGES,
    blank_text=True,
    no_contents=False,
    most_tools_said=128,
    format_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=False,
    merges_turns=True,
    unique_ids=IdScope.REQUEST,
    reasoning_leads=True,
    call_key="call_id",
    holds_calls=_holds_calls,
    ranges={
        "temperature": Range(0, 2),
        "top_p": Range(0, 1, certain=False),
        "max_output_tokens": Range(16),
    },
    media_types={"image": frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})},
)
