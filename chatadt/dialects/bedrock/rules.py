"""What the server of Bedrock Converse allows, as data.

Sources: the service model of bedrock-runtime in botocore 1.44 (formats, lengths, patterns, numbers, its docstrings); for names in
the history anomalyco/opencode#48750; for blank text earendil-works/pi#4975, boto/botocore#3525; for tools that the history needs
vercel/ai#7537, langgenius/dify#17545; for names and numbers of documents aws-samples/generative-ai-use-cases#1685; for a text
beside a document archestra-ai/archestra#4220; for the first turn NousResearch/hermes-agent#63983 and pydantic-ai; for what stands
beside tool results pydantic/pydantic-ai#6081 (of Claude that says more than recorded calls bear out); for cache points
pydantic-ai, their number could not be verified; for thinking what holds of Claude elsewhere. Converse itself does not tell which
model takes what: one that is not known is taken for a Claude, whose settings are the ones that pass through.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from chatadt.dialects._dialect import Capability, ModelProfile, Placement, Range, Rules, Says, Spelling
from chatadt.dialects.bedrock.codec import CLAUDE, FORMATS, NAME
from chatadt.dialects.bedrock.media import says_document

__all__ = ("RULES", "may_be_claude", "may_be_nova")

_MB: Final = 1024 * 1024

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _X, _N, "png, jpeg, gif and webp"),
    Capability("image by URL", _D, _X, _D, "from s3:// only"),
    Capability("audio", _N, _D, _D, "from a tool result it moves behind the results; an assistant's transcript stands for it"),
    Capability("video", _N, _X, _N),
    Capability("PDF by value", _N, _X, _N, "with a name, and a text beside it"),
    Capability("PDF by URL", _D, _X, _D, "from s3:// only"),
    Capability("file", _D, _X, _D, "csv, doc, docx, xls, xlsx, html, txt, md; other text becomes txt"),
    Capability("reasoning", _X, _N, _X, "with the signature of a Claude; else it is dropped"),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X),
    Capability("error of a tool", _X, _X, _N),
)

_CLAUDE: Final = re.compile(r"anthropic|claude")
_NOVA: Final = re.compile(r"\bnova-")
_OTHERS: Final = re.compile(
    r"(?:^|[./])(?:amazon|ai21|cohere|deepseek|google|luma|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|stability"
    r"|twelvelabs|writer|zai)\."
)
"""The vendors in the ids of the other models."""

_QWEN: Final = re.compile(r"(?:^|[./])qwen\.")
_ALONE: Final = re.compile(r"(?:^|[./])(?:meta|mistral)\.")
"""Models that take tool results only where nothing else stands in their turn."""
_ANYTHING: Final = frozenset({"text", "image", "audio", "video", "document"})

_OLD: Final = r"claude-(?:instant|v2|[123]\b|2\.|3-|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@|$|-v\d|:))"

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r"[a-zA-Z0-9_.:-]+"), re.compile(r"[^a-zA-Z0-9_.:-]"), 64),
    tool_name=Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64),
    system=Placement.FIELD,
    blank_text=False,
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=True,
    merges_turns=True,
    first_user=True,
    needs_tools=True,
    document_needs_text=True,
    document_name=Spelling(re.compile(r"(?!.*\s\s)[a-zA-Z0-9\s\-()\[\]]+"), re.compile(r"[^a-zA-Z0-9\s\-()\[\]]"), 200),
    says_document=says_document,
    most={"image": 20, "document": 5},
    largest_said={"image": 15 * _MB // 4, "document": 9 * _MB // 2, "video": 25 * _MB},
    trailing_space=False,
    empty_stop=False,
    empty_description=False,
    forces_while_thinking=False,
    ranges={"temperature": Range(0, 1), "top_p": Range(0, 1), "top_k": Range(0, certain=False), "max_output_tokens": Range(1)},
    marks=((NAME, "$cachePoints"), (CLAUDE, "cache_control")),
    cache_marks_said=4,
    cache_point="cachePoint",
    thinks_first=(NAME, CLAUDE),
    least_thinking=1_024,
    models=(
        ModelProfile(re.compile(_OLD), prefill=True, inline_system=False, any_first=True),
        ModelProfile(re.compile(r"claude-(?:opus|sonnet|haiku)-4"), prefill=False, inline_system=False, any_first=True),
        ModelProfile(_CLAUDE, prefill=False, inline_system=False, sampling=False, any_first=True),
        ModelProfile(_ALONE, prefill=True, inline_system=False, thinks=False, apart=_ANYTHING),
        ModelProfile(_QWEN, prefill=True, inline_system=False, any_first=True, thinks=False),
        ModelProfile(_OTHERS, prefill=True, inline_system=False, thinks=False),
        ModelProfile(re.compile(r""), prefill=False, inline_system=False),
    ),
    media_types={kind: frozenset(formats.values()) for kind, formats in FORMATS.items()},
)


@lru_cache(maxsize=64)
def may_be_claude(model: str | None) -> bool:
    """Whether a model is a Claude, or not known to be anything else."""
    return not model or _CLAUDE.search(model) is not None or _OTHERS.search(model) is None


def may_be_nova(model: str | None) -> bool:
    """Whether a model is a Nova."""
    return bool(model) and _NOVA.search(model or "") is not None
