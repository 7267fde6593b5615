"""What the server of Gemini allows, as data.

Sources: the official SDK's types (google-genai 3.6); for names cline/cline#7339; for results google-gemini/gemini-cli#4217; for
empty parts router-for-me/CLIProxyAPI#1292; for images microsoft/vscode#286628 and brianpetro/obsidian-smart-connections#1238; for
documents QuantumNous/new-api#1139; for text before results, which no server was seen to refuse, QwenLM/qwen-code#8161; for media
in results the converters of vercel/ai and pydantic-ai; for signatures langgenius/dify-official-plugins#2088 and Google's page on
thought signatures; for levels and budgets of thinking QwenLM/qwen-code#9094 and Google's pages on thinking and on OpenAI
compatibility; for ids ShinChven/remix-studio#35 and google-gemini/gemini-cli#13972; for URLs Google's page on file input methods;
for least values genkit-ai/genkit#1397 and stackblitz-labs/bolt.diy#955;
for stop sequences continuedev/continue#7849.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, final

from attrs import frozen

from chatadt.chat import Effort
from chatadt.content import Content
from chatadt.dialects._dialect import Capability, ModelProfile, Placement, Range, Rules, Says, Spelling

__all__ = (
    "ANSWERING",
    "BUDGETS",
    "DUMMY_SIGNATURE",
    "FETCHED",
    "FILE_HOST",
    "IN_RESULTS",
    "LEVELS",
    "RULES",
    "TEXTUAL",
    "Generation",
    "generation",
    "is_film",
    "kind_of",
    "media_type_of_url",
    "taken_as",
    "takes",
)

FETCHED: Final = ("http://", "https://", "gs://")
"""How the addresses begin from which the server fetches what it is to see."""

FILE_HOST: Final = "https://generativelanguage.googleapis.com/"
"""Where the Files API keeps its files: addresses that nobody else can fetch."""

DUMMY_SIGNATURE: Final = "skip_thought_signature_validator"
"""What Google lets stand for the signature of a call that another model made."""

_N, _D, _X = Says.NATIVE, Says.DEGRADED, Says.NO

CAPABILITIES: Final = (
    Capability("text", _N, _N, _N),
    Capability("image by value", _N, _N, _N, "png, jpeg, webp, heic and heif; before Gemini 3 it moves behind the results"),
    Capability("image by URL", _N, _N, _N, "http(s) and gs"),
    Capability("audio", _N, _N, _D, "from a tool result it moves behind the results"),
    Capability("video", _N, _N, _D, "from a tool result it moves behind the results"),
    Capability("PDF by value", _N, _N, _N, "before Gemini 3 it moves behind the results"),
    Capability("PDF by URL", _N, _N, _N, "http(s) and gs"),
    Capability("file", _D, _D, _D, "a file that is text stands as text/plain or its own kind of text"),
    Capability("reasoning", _X, _N, _X, "a thought; the signatures of other providers are dropped"),
    Capability("refusal", _X, _D, _X, "stands as text"),
    Capability("tool request", _X, _N, _X, "a call of another model gets a signature that stands for none, from Gemini 3 on"),
    Capability("error of a tool", _X, _X, _N),
)

RULES: Final = Rules(
    capabilities=CAPABILITIES,
    tool_id=Spelling(re.compile(r".+", re.DOTALL), re.compile(r"(?!)"), 1_000),
    # what leads a name is replaced up to its first letter, so that a name that is derived from it begins with one
    tool_name=Spelling(re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]*"), re.compile(r"^[^a-zA-Z]+|[^a-zA-Z0-9_.:-]"), 128),
    system=Placement.FIELD,
    blank_text=False,
    white_space=True,
    pairs_tool_calls=True,
    choice_needs_tool=True,
    needs_turn=True,
    merges_turns=True,
    results_by_name=True,
    first_user=True,
    results_in_order=True,
    unique_tools=True,
    text_before_results=True,
    most_bytes_said=20 * 1024 * 1024,
    most_stops=5,
    ranges={
        "temperature": Range(0, 2),
        "top_p": Range(0, 1, certain=False),
        "top_k": Range(1),
        "max_output_tokens": Range(1),
        "presence_penalty": Range(-2, 2, certain=False),
        "frequency_penalty": Range(-2, 2, certain=False),
    },
    own_models=re.compile(r"gemini|gemma|learnlm|tunedModels|endpoints/"),
    models=(ModelProfile(re.compile(""), prefill=True, inline_system=False),),
    media_types={
        "image": frozenset({"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"}),
        "audio": frozenset({f"audio/{name}" for name in ("wav", "x-wav", "mp3", "mpeg", "aiff", "aac", "ogg", "flac")}),
        "video": frozenset(
            {f"video/{name}" for name in ("mp4", "mpeg", "mov", "quicktime", "avi", "x-flv", "mpg", "webm", "wmv", "3gpp")}
        ),
        "document": frozenset(
            {"application/pdf", *(f"text/{name}" for name in ("plain", "csv", "html", "css", "markdown", "md", "xml", "rtf"))}
        ),
    },
)

IN_RESULTS: Final = frozenset({"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"})
"""What may stand by value inside a tool result."""

TEXTUAL: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/javascript"})
"""Documents that are text under another name, which is refused."""


@final
@frozen
class Generation:
    """What differs between generations of models."""

    pattern: re.Pattern[str]
    media_in_results: bool = True
    """Whether a tool result may hold media; before that they stand behind the results."""
    signatures: bool = True
    """Whether the first tool request of a turn must have a thought signature."""
    levels: bool = True
    """Whether thinking has levels; before that it has budgets."""
    thinks: bool = True
    """Whether there is thinking at all."""
    ids: bool = True
    """Whether tool requests and results may have ids."""


_GENERATIONS: Final = (
    Generation(re.compile(r"gemini-1|gemini-pro(?!-latest)|gemma"), False, False, False, False, False),
    Generation(re.compile(r"gemini-2\.0"), False, False, False, False),
    Generation(re.compile(r"gemini-2"), False, False, False),
    Generation(re.compile(r"")),
)

ANSWERING: Final = Generation(re.compile(r""), signatures=False)
"""What holds of an answer, which nobody refuses."""


def generation(model: str | None) -> Generation:
    """What holds for `model`; for none that is known, what holds for the newest."""
    return next(each for each in _GENERATIONS if each is _GENERATIONS[-1] or (model and each.pattern.search(model)))


LEVELS: Final[Mapping[Effort, str]] = {
    Effort.MINIMAL: "minimal",
    Effort.LOW: "low",
    Effort.MEDIUM: "medium",
    Effort.HIGH: "high",
    Effort.XHIGH: "high",
    Effort.MAX: "high",
}
"""The level of thinking that is nearest to an effort."""

BUDGETS: Final[Mapping[str, int]] = {"minimal": 1_024, "low": 1_024, "medium": 8_192, "high": 24_576}
"""The budget that stands for a level, in tokens, for models that have no levels."""

# --- media ---------------------------------------------------------------------------------------------------------------------

_KINDS: Final[Mapping[type, str]] = {
    Content.Image: "image",
    Content.Audio: "audio",
    Content.Video: "video",
    Content.PDF: "document",
    Content.File: "document",
}
_BY_FAMILY: Final[Mapping[str, type]] = {"image": Content.Image, "audio": Content.Audio, "video": Content.Video}
_FILMS: Final = re.compile(r"https?://(?:(?:www|m)\.)?(?:youtube\.com|youtu\.be)/")
_EXTENSIONS: Final[Mapping[str, str]] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
    "heic": "image/heic",
    "heif": "image/heif",
    "gif": "image/gif",
    "wav": "audio/wav",
    "mp3": "audio/mpeg",
    "aiff": "audio/aiff",
    "aac": "audio/aac",
    "ogg": "audio/ogg",
    "flac": "audio/flac",
    "mp4": "video/mp4",
    "mpeg": "video/mpeg",
    "mov": "video/mov",
    "avi": "video/avi",
    "webm": "video/webm",
    "wmv": "video/wmv",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
}


def kind_of(media: str | None, uri: str) -> type:
    """Which content a medium is, by its media type; without one, by its address."""
    if media is None:
        if is_film(uri):
            return Content.Video
        media = media_type_of_url(uri) or ""
    plain = media.partition(";")[0].strip().lower()
    return Content.PDF if plain == "application/pdf" else _BY_FAMILY.get(plain.partition("/")[0], Content.File)


def is_film(uri: str) -> bool:
    """Whether an address is that of a film on YouTube, which the server takes without a media type."""
    return _FILMS.match(uri) is not None


def media_type_of_url(uri: str) -> str | None:
    """The media type that the end of an address tells, or None when it tells none."""
    path = uri.partition("?")[0].partition("#")[0]
    return _EXTENSIONS.get(path.rpartition("/")[2].rpartition(".")[2].lower())


def takes(kind: type, media: str | None) -> bool:
    """Whether the server takes contents of a kind under a media type."""
    is_pdf = media == "application/pdf"
    return media in RULES.media_types[_KINDS[kind]] and (kind is Content.PDF) is is_pdf


def taken_as(kind: type) -> list[str]:
    """The media types under which the server takes contents of a kind."""
    return sorted(media for media in RULES.media_types[_KINDS[kind]] if takes(kind, media))
