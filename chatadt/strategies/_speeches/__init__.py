"""Requests that a given dialect can say: written without a loss, accepted by its server's rules, and read back as they were.

Every word in the shape that the dialect's reader would give it. Ids, names and media types follow the dialect's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest
from chatadt.dialects import DIALECTS, VARIANTS
from chatadt.strategies._conversations import histories
from chatadt.strategies._speeches import (
    anthropic,
    bedrock,
    cohere,
    gemini,
    mistral,
    ollama,
    openai_chat,
    openai_responses,
)
from chatadt.strategies._speeches._speech import Speech

__all__ = ("SPEECHES", "Speech", "requests")

SPEECHES: Final[Mapping[str, Speech]] = {
    "openai_chat": openai_chat.SPEECH,
    "anthropic": anthropic.SPEECH,
    "openai_responses": openai_responses.SPEECH,
    "gemini": gemini.SPEECH,
    "bedrock": bedrock.SPEECH,
    "mistral": mistral.SPEECH,
    "cohere": cohere.SPEECH,
    "ollama": ollama.SPEECH,
}
"""By name of a dialect: what it can say. The variants of `openai_chat` say what it says."""


def requests(dialect: str) -> SearchStrategy[ChatRequest]:
    """Requests that say only what `dialect` can say, in the form in which its reader gives them.

    `write_request` of such a request has no losses, and `read_request` of what it wrote is the request again.
    Raises ValueError for a dialect that has no strategy.
    """
    if dialect in VARIANTS:
        return requests("openai_chat").map(_spoken_by(dialect))
    speech = SPEECHES.get(dialect)
    if speech is None:
        raise ValueError(f"expected a dialect that has a strategy ({', '.join(SPEECHES)}), got {dialect!r}")
    return st.builds(ChatRequest, histories(speech.vocabulary), speech.params).map(speech.agree)


def _spoken_by(variant: str) -> Callable[[ChatRequest], ChatRequest]:
    """The same request as the reader of a variant of OpenAI Chat gives it."""

    def spoken(request: ChatRequest) -> ChatRequest:
        return DIALECTS[variant].read_request(DIALECTS["openai_chat"].write_request(request).value).unwrap()

    return spoken
