"""What the strategies of Mistral, Cohere and Ollama share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest
from chatadt.content import Content, Detail
from chatadt.dialects._dialect import Rules
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.strategies._data import maybe, schemas, texts
from chatadt.strategies._speeches._speech import URLS, names
from chatadt.tool import Tool

__all__ = ("BY_URL", "PNG", "SAMPLING", "WAV", "images", "something_said", "tools", "words")

BY_URL: Final = st.builds(Resource.Ref, URLS)
PNG: Final = Resource.Binary("iVBORw0KGgo=", "image/png")
WAV: Final = Resource.Binary("UklGRgAAAABXQVZF", "audio/wav")


def words() -> SearchStrategy[str]:
    """Texts that are not blank."""
    return texts(blank=False)


_COUNTS: Final = st.integers(1, 400)
SAMPLING: Final[Mapping[str, SearchStrategy[Any]]] = {
    "model": maybe(st.sampled_from(("a", "some/model:latest"))),
    "temperature": maybe(st.floats(0, 1)),
    "top_p": maybe(st.floats(0.1, 0.9)),
    "top_k": maybe(_COUNTS),
    "max_output_tokens": maybe(_COUNTS),
    "stop": st.lists(words(), max_size=3),
    "seed": maybe(st.integers(0, 2**53)),
    "presence_penalty": maybe(st.floats(0, 1)),
    "frequency_penalty": maybe(st.floats(0, 1)),
    "stream": maybe(st.booleans()),
}
"""What is within the bounds of all three."""


def tools(rules: Rules, strict: SearchStrategy[Any]) -> SearchStrategy[list[Tool]]:
    """Tools as functions."""
    return st.lists(st.builds(Tool, names(rules), maybe(texts()), schemas(), strict), max_size=3)


def images() -> SearchStrategy[Content.Image]:
    """Images by URL and by value."""
    details = maybe(st.sampled_from((Detail.AUTO, Detail.LOW, Detail.HIGH)))
    return st.builds(Content.Image, st.one_of(BY_URL, st.just(PNG)), details)


def something_said(request: ChatRequest) -> ChatRequest:
    """Without assistants who say nothing, which no server takes."""
    return evolve(request, messages=[message for message in request.messages if _says(message)])


def _says(message: Message.T) -> bool:
    return not isinstance(message, Message.Assistant) or bool(message.contents)
