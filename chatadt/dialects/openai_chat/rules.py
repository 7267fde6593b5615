"""What the server of OpenAI Chat allows, as data.

Sources: the official SDK's types (openai 3.57); for ids the limit of 40 characters seen in BerriAI/litellm#11392, vercel/ai#5171;
for names mcp-use/mcp-use#90; for images OpenHands/OpenHands#7700; for pairing microsoft/semantic-kernel#4336;
for stop sequences the SDK's docstring; for the shortest answer OpenBMB/ChatDev#446; for the number of
tools anomalyco/opencode#4909. How speakers may be called, and how many images
and bytes a request may have, could not be verified.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import Capability, Placement, Range, Rules, Says, Spelling

__all__ = ("RULES",)

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _D, "from a tool result it moves to a user message behind the results"),
    Capability("image by URL", _N, _X, _D, "from a tool result it moves to a user message behind the results"),
    Capability("audio", _N, _D, _D, "wav and mp3 by value; an assistant's is replayed by its id, or as its transcript"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _N, _X, _D, "from a tool result it moves to a user message behind the results"),
    Capability("PDF by URL", _X, _X, _X, "chat completions has no file URL"),
    Capability("file", _N, _X, _D, "text of another dialect's file stands as text"),
    Capability("reasoning", _X, _D, _X, "goes back where a server of this family gave it, else it is dropped"),
    Capability("refusal", _X, _N, _X),
    Capability("tool request", _X, _N, _X, "stands after all other contents"),
    Capability("error of a tool", _X, _X, _D, "the text stays, the flag is dropped"),
)

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r".+", re.DOTALL), re.compile(r"(?!)"), 40),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.MESSAGES,
    blank_text=True,
    no_contents=False,
    most_tools_said=128,
    format_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=False,
    speaker_name=Spelling(re.compile(r"[^\s<|\\/>]+"), re.compile(r"[\s<|\\/>]"), 64),
    most_said={"image": 500},
    most_bytes_said=50 * 1024 * 1024,
    most_stops=4,
    ranges={
        "temperature": Range(0, 2),
        "presence_penalty": Range(-2, 2),
        "frequency_penalty": Range(-2, 2),
        "top_p": Range(0, 1, certain=False),
        "max_output_tokens": Range(1),
    },
    media_types={
        "image": frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
        "audio": frozenset({"audio/wav", "audio/mpeg"}),
    },
)
