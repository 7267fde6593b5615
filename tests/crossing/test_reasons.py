"""A loss tells the truth: where something stands now, and all of what is gone."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import DIALECTS, Message, ModelParams, Policy, convert
from chatadt.chat import ChatRequest

PNG: Final = "iVBORw0KGgo="
OLD: Final = {
    "anthropic": "claude-3-haiku-20240307",
    "bedrock": "anthropic.claude-3-haiku-20240307-v1:0",
    "gemini": "gemini-2.5-pro",
}
TURNS: Final = {"anthropic": "messages", "bedrock": "messages", "gemini": "contents"}
BEHIND: Final = (Message.User("a"), Message.System("mid"), Message.Assistant("b"), Message.User("c"))
AHEAD: Final = (Message.User("a"), Message.Assistant("b"), Message.System("mid"), Message.User("c"))


@pytest.mark.parametrize("target", TURNS)
@pytest.mark.parametrize(
    ("messages", "place", "turn"),
    [
        pytest.param(BEHIND, "stands in the user turn that it came behind", 0, id="behind a user"),
        pytest.param((*BEHIND[:2], Message.User("z"), *BEHIND[2:]), "stands in the user turn that it came behind", 0, id="between"),
        pytest.param(AHEAD, "leads the next user turn", 2, id="behind an answer"),
        pytest.param(AHEAD[:3], "leads the next user turn", 2, id="at the end"),
    ],
)
def test_a_system_message_stands_where_its_loss_says(target: str, messages: tuple[Any, ...], place: str, turn: int) -> None:
    written = DIALECTS[target].write_request(ChatRequest(messages, ModelParams(model=OLD[target])))
    (loss,) = (loss for loss in written.losses if loss.what == "a system message")
    assert loss.reason.endswith(place)
    found: list[Any] = written.value[TURNS[target]]
    assert [index for index, each in enumerate(found) if "'mid'" in str(each)] == [turn]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "mistral", "cohere", "ollama", "openai_chat", "openai_responses"])
def test_a_format_that_nobody_knows_is_in_a_loss(target: str) -> None:
    image = {"image": {"format": "ZQXSEN", "source": {"bytes": PNG}}}
    body = {"messages": [{"role": "user", "content": [image, {"text": "hi"}]}]}
    converted = convert(body, "bedrock", target, policy=Policy.LENIENT).unwrap()
    assert any(loss.original is not None and "ZQXSEN" in loss.original.text for loss in converted.losses)
    home = convert(body, "bedrock", "bedrock", policy=Policy.STRICT).unwrap()
    assert (home.value, home.losses) == (body, ())


@pytest.mark.parametrize("media_type", [{}, {"media_type": None}, {"media_type": "text/plain"}])
def test_an_image_that_is_a_text_comes_home(media_type: dict[str, Any]) -> None:
    image = {"type": "image", "source": {"type": "text", "data": "AAAA", **media_type}}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [image]}]}
    home = convert(body, "anthropic", "anthropic", policy=Policy.STRICT).unwrap()
    assert (home.value, home.losses) == (body, ())
    away = convert(body, "anthropic", "openai_chat", policy=Policy.LENIENT).unwrap()
    assert "AAAA" in str([loss.original for loss in away.losses])
