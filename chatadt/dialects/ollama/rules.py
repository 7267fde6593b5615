"""What the server of Ollama allows, as data.

Sources: `api/types.go` and `openai/openai.go` of ollama/ollama for the formats of images, and for a tool's name on its result; for
bare base64 ollama/ollama-js#68 and BerriAI/litellm#18338; for URLs BerriAI/litellm#30313.
"""

from __future__ import annotations

import re
from typing import Final

from chatadt.dialects._dialect import Capability, Placement, Rules, Says, Spelling

__all__ = ("RULES",)

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N, "the text of a message is one string"),
    Capability("image by value", _N, _X, _N, "beside the text"),
    Capability("image by URL", _X, _X, _X, "images are taken by value only"),
    Capability("audio", _D, _D, _D, "among the images, by value; an assistant's transcript stands for it"),
    Capability("video", _X, _X, _X),
    Capability("PDF by value", _X, _X, _X),
    Capability("PDF by URL", _X, _X, _X),
    Capability("file", _D, _X, _D, "a file that is text stands as text"),
    Capability("reasoning", _X, _N, _X, "before the text"),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X, "stands after all other contents, and has no id"),
    Capability("error of a tool", _X, _X, _D, "the text stays, the flag is dropped"),
)

_ANY: Final = Spelling(re.compile(r".*", re.DOTALL), re.compile(r"(?!)"), 1_000)

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=_ANY,
    tool_name=_ANY,
    system=Placement.MESSAGES,
    blank_text=True,
    pairs_tool_calls=False,
    results_by_name=True,
    needs_turn=False,
    results_in_order=True,
    untyped=True,
    media_types={"image": frozenset({"image/png", "image/jpeg", "image/webp"})},
)
