"""What the server of Mistral allows, as data.

Sources: the official SDK's types (mistralai 3.7) and the validators of mistral-common 1.13, which its servers run: nine characters
for ids (before tokenizer 13), roles that may follow each other, the last role, ids once in a message, names. For assistants that
say nothing pydantic-ai; for documents a recorded call with a Word document; for images docs.mistral.ai, capabilities, vision.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import NEWEST, Capability, ModelProfile, Placement, Range, Rules, Says, Spelling

__all__ = ("RULES",)

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO
_BEHIND: Final = "from a tool result it moves to a user message behind the results"

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _D, _BEHIND),
    Capability("image by URL", _N, _X, _D, _BEHIND),
    Capability("audio", _N, _D, _D, "an assistant's transcript stands for it"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _N, _X, _D, _BEHIND),
    Capability("PDF by URL", _N, _X, _D, _BEHIND),
    Capability("file", _D, _X, _D, "Word and PowerPoint; text of another dialect's file stands as text"),
    Capability("reasoning", _X, _N, _X),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X, "stands after all other contents"),
    Capability("error of a tool", _X, _X, _D, "the text stays, the flag is dropped"),
)

_OLD: Final = r"open-mi[sx]tral|mixtral|mistral-7b|mistral-tiny|(?:small|medium|large)-(?:2312|2402|2407|2409)|codestral-2405|nemo"
"""Models whose tokenizer is said to be one of the first three."""

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r"[a-zA-Z0-9]{9}"), re.compile(r"[^a-zA-Z0-9]"), 9),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.MESSAGES,
    blank_text=True,
    empty_assistant=False,
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=False,
    system_first=True,
    first_user=True,
    last_user=True,
    prefix_field="prefix",
    ranges={
        "temperature": Range(0, 1.5, certain=False),
        "top_p": Range(0, 1),
        "top_k": Range(0, certain=False),
        "max_output_tokens": Range(0),
        "presence_penalty": Range(-2, 2, certain=False),
        "frequency_penalty": Range(-2, 2, certain=False),
    },
    most_said={"image": 8},
    largest_said={"image": 10_000_000},
    models=(ModelProfile(re.compile(_OLD), prefill=True, inline_system=True, says_or_calls=True), NEWEST),
    media_types={
        "image": frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"}),
        "document": frozenset(
            {
                "application/pdf",
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            }
        ),
    },
)
