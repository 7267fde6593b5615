"""Material that the model was given is content: FAITHFUL does not answer without it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import convert
from chatadt.error import ConversionError

ASKED: Final = {"role": "user", "content": "q"}
PARTS: Final = [{"role": "user", "parts": [{"text": "q"}]}]
DOCUMENT: Final = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "d"}, "context": "about"}
SAID: Final = {"document": {"format": "txt", "name": "a", "source": {"text": "d"}, "context": "about"}}
MATERIAL: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "cachedContent": ("gemini", {"contents": PARTS, "cachedContent": "cachedContents/1"}),
    "documents": ("cohere", {"messages": [ASKED], "documents": [{"data": {"text": "the answer is 42"}}]}),
    "mcp_servers": (
        "anthropic",
        {"messages": [ASKED], "max_tokens": 9, "mcp_servers": [{"type": "url", "name": "a", "url": "https://a"}]},
    ),
    "context": ("anthropic", {"messages": [{"role": "user", "content": [DOCUMENT]}], "max_tokens": 9}),
    "web_search_options": ("openai_chat", {"messages": [ASKED], "web_search_options": {}}),
    "plugins": ("openrouter", {"messages": [ASKED], "plugins": [{"id": "web"}]}),
    "search_parameters": ("xai", {"messages": [ASKED], "search_parameters": {"mode": "on"}}),
    "promptVariables": (
        "bedrock",
        {"messages": [{"role": "user", "content": [{"text": "q"}]}], "promptVariables": {"a": {"text": "b"}}},
    ),
    "context of Bedrock": ("bedrock", {"messages": [{"role": "user", "content": [{"text": "q"}, SAID]}]}),
}


@pytest.mark.parametrize("key", MATERIAL)
@pytest.mark.parametrize(
    "target", ["openai_chat", "anthropic", "gemini", "bedrock", "openai_responses", "mistral", "cohere", "groq"]
)
def test_what_the_model_was_given_to_read_weighs_as_content(key: str, target: str) -> None:
    source, body = MATERIAL[key]
    if source != target:
        error = convert(body, source, target).failure()
        assert isinstance(error, ConversionError.Lossy)
        assert any(loss.what.startswith(f"{key.split()[0]} (") for loss in error.losses), error
