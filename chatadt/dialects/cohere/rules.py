"""What the server of Cohere allows, as data.

Sources: the official SDK's types and docstrings (cohere 7.3), which name the bounds of the parameters; for pairing
oracle/langchain-oracle#10; for blank text langchain-ai/langchain-cohere#15, and recorded calls for blank text beside them; for
assistants that say nothing pydantic-ai; for images docs.cohere.com, image inputs.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import Capability, Placement, Range, Rules, Says, Spelling

__all__ = ("MOST_STOPS", "RULES")

MOST_STOPS: Final = 5
"""How many stop sequences a request may have."""

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO
_BEHIND: Final = "from a tool result it moves to a user message behind the results"

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _D, _BEHIND),
    Capability("image by URL", _N, _X, _D, _BEHIND),
    Capability("audio", _X, _D, _X, "an assistant's transcript stands for it"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _X, _X, _X),
    Capability("PDF by URL", _X, _X, _X),
    Capability("file", _D, _X, _D, "a file that is text stands as text"),
    Capability("reasoning", _X, _N, _X),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X, "stands after all other contents"),
    Capability("error of a tool", _X, _X, _D, "the text stays, the flag is dropped"),
)

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r".+", re.DOTALL), re.compile(r"(?!)"), 1_000),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.MESSAGES,
    blank_text=False,
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=False,
    blank_beside_calls=True,
    empty_assistant=False,
    empty_result=False,
    most={"image": 20},
    most_bytes=20 * 1024 * 1024,
    most_stops=MOST_STOPS,
    ranges={
        "temperature": Range(0),
        "top_p": Range(0.01, 0.99),
        "top_k": Range(0, 500),
        "presence_penalty": Range(0, 1),
        "frequency_penalty": Range(0, 1),
        "max_output_tokens": Range(1, certain=False),
    },
    media_types={"image": frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})},
)
