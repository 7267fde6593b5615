"""Arguments that say a key twice: where a provider takes an object, the one that is gone is a loss, of all that was said."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import DIALECTS, Content, ConversionError, Extras, Message, Policy, convert
from chatadt.chat import ChatRequest

TWICE: Final = '{"city":"Rome","city":"Oslo"}'
BODY: Final[Any] = {
    "max_tokens": 9,
    "messages": [
        {"role": "user", "content": "hi"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": TWICE}}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "r"},
    ],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
}
OF_OBJECTS: Final = ("anthropic", "bedrock", "gemini", "ollama")
OF_TEXT: Final = ("cohere", "mistral", "openai_chat", "openai_responses")


@pytest.mark.parametrize("target", OF_OBJECTS)
def test_a_key_that_is_gone_is_a_loss_whose_original_is_the_text(target: str) -> None:
    losses = convert(BODY, "openai_chat", target, policy=Policy.LENIENT).unwrap().losses
    (loss,) = (loss for loss in losses if loss.what == "arguments")
    assert loss.original is not None
    assert loss.original.value == TWICE


@pytest.mark.parametrize("target", OF_OBJECTS)
def test_strict_refuses_it(target: str) -> None:
    error = convert(BODY, "openai_chat", target, policy=Policy.STRICT).failure()
    assert isinstance(error, ConversionError.Lossy)
    assert "arguments" in {loss.what for loss in error.losses}


@pytest.mark.parametrize("target", OF_TEXT)
def test_text_says_both(target: str) -> None:
    converted = convert(BODY, "openai_chat", target, policy=Policy.LENIENT).unwrap()
    assert "Rome" in str(converted.value)
    assert "arguments" not in {loss.what for loss in converted.losses}


@pytest.mark.parametrize(
    ("dialect", "note"),
    [("anthropic", {"$own": True}), ("mistral", {"$arguments": "object"}), ("cohere", {"$arguments": "object"})],
)
def test_a_note_on_how_arguments_were_spelt_hides_none(dialect: str, note: dict[str, Any]) -> None:
    call = Content.ToolRequest("c1", "f", TWICE, Extras({dialect: note}))
    written = DIALECTS[dialect].write_request(ChatRequest([Message.User("a"), Message.Assistant([call])]))
    assert "Rome" in str(written.value) or "arguments" in {loss.what for loss in written.losses}
