"""Tools that take any text: the dialects of OpenAI's models have them, and everywhere else a call of one is a loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Content, Converted, Extras, Json, Message, Policy, convert
from chatadt.chat import ChatRequest
from chatadt.dialects import VARIANTS

CALL: Final[Any] = {"id": "call_1", "type": "custom", "custom": {"name": "code", "input": "print(1)"}}
ITEM: Final[Any] = {"type": "custom_tool_call", "call_id": "call_1", "name": "code", "input": "print(1)"}
CHAT: Final[Any] = {
    "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "1"},
    ]
}
RESPONSES: Final[Any] = {
    "input": [
        {"role": "user", "content": "hi"},
        ITEM,
        {"type": "custom_tool_call_output", "call_id": "call_1", "output": "1"},
    ]
}
NESTED: Final[Mapping[str, Any]] = {
    "alone": {"name": "code"},
    "any text": {"name": "code", "description": "runs it", "format": {"type": "text"}},
    "a grammar": {
        "name": "code",
        "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": 'start: "a"'}},
    },
}
FLAT: Final[Mapping[str, Any]] = {
    "alone": {"name": "code"},
    "any text": {"name": "code", "description": "runs it", "format": {"type": "text"}},
    "a grammar": {"name": "code", "format": {"type": "grammar", "syntax": "lark", "definition": 'start: "a"'}},
}
BODIES: Final = {"openai_chat": CHAT, "openai_responses": RESPONSES}


def chat(tool: Any) -> Any:
    choice = {"type": "custom", "custom": {"name": "code"}}
    return {"tools": [{"type": "custom", "custom": tool}], "tool_choice": choice, **CHAT}


def responses(tool: Any) -> Any:
    return {"tools": [{"type": "custom", **tool}], "tool_choice": {"type": "custom", "name": "code"}, **RESPONSES}


@pytest.mark.parametrize("tool", NESTED)
def test_openai_has_them_in_both_its_dialects(tool: str) -> None:
    one, other = chat(NESTED[tool]), responses(FLAT[tool])
    there = convert(one, "openai_chat", "openai_responses", policy=Policy.STRICT).unwrap()
    back = convert(other, "openai_responses", "openai_chat", policy=Policy.STRICT).unwrap()
    assert (there.value, there.losses) == (other, ())
    assert (back.value, back.losses) == (one, ())


@pytest.mark.parametrize(
    ("source", "tool"),
    [
        ("openai_chat", {"type": "custom", "custom": {"name": "code", "own": 1}}),
        ("openai_chat", {"type": "custom", "custom": {"name": "code"}, "own": 1}),
        ("openai_chat", {"type": "custom", "custom": {"name": "code", "format": {"type": "own"}}}),
        ("openai_chat", {"type": "custom", "custom": {"name": "code", "format": {"type": "grammar", "grammar": {"own": 1}}}}),
        ("openai_responses", {"type": "custom", "name": "code", "own": 1}),
        ("openai_responses", {"type": "custom", "name": "code", "format": None}),
        ("openai_responses", {"type": "custom", "name": "code", "format": {"type": "grammar", "syntax": "lark"}}),
    ],
)
def test_a_definition_that_the_other_cannot_say_is_dropped_with_a_loss(source: str, tool: Any) -> None:
    target = "openai_responses" if source == "openai_chat" else "openai_chat"
    converted = convert({"tools": [tool], **BODIES[source]}, source, target, policy=Policy.LENIENT).unwrap()
    assert [(loss.what, loss.original and loss.original.value) for loss in converted.losses] == [("a tool", tool)]
    assert "tools" not in converted.value


OTHERS: Final = sorted({"anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama", *VARIANTS} - {"azure"})


@pytest.mark.parametrize("target", OTHERS)
@pytest.mark.parametrize("source", BODIES)
def test_for_everybody_else_a_call_becomes_one_of_a_function_with_a_loss(source: str, target: str) -> None:
    converted = convert(BODIES[source], source, target, policy=Policy.LENIENT).unwrap()
    (loss,) = (loss for loss in converted.losses if loss.what == "a call of free-form text")
    assert loss.original is not None
    assert (str(loss.action), str(loss.weight), loss.original.value) == ("Action.REWRITTEN", "Weight.DETAIL", "print(1)")
    assert loss.path == "$.messages[1].contents[0]"
    assert "custom" not in str(converted.value)


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"])
def test_a_call_whose_text_became_an_object_is_no_less_of_a_loss(target: str) -> None:
    for arguments in ('{"a": 1}', "{"):
        call = Content.ToolRequest("call_1", "code", arguments, Extras({"openai_chat": {"$type": "custom"}}))
        written = DIALECTS[target].write_request(ChatRequest([Message.User("a"), Message.Assistant([call])]))
        (loss,) = (loss for loss in written.losses if loss.what == "a call of free-form text")
        assert loss.original is not None
        assert loss.original.value == arguments


@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_what_a_variant_calls_a_custom_tool_is_a_loss_for_openai(target: str) -> None:
    converted = convert(CHAT, "groq", target, policy=Policy.LENIENT).unwrap()
    assert [loss.what for loss in converted.losses] == ["a call of free-form text"]


def test_a_stream_tells_the_loss_too() -> None:
    custom = {"index": 0, "id": "call_1", "type": "custom", "custom": {"name": "code", "input": "print(1)"}}
    stream: list[Any] = [
        {"id": "a", "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [custom]}}]},
        {"id": "a", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    converted = convert(stream, "openai_chat", "anthropic", kind="stream", policy=Policy.LENIENT).unwrap()
    assert [loss.original and loss.original.value for loss in converted.losses if loss.what == "a call of free-form text"] == [
        "print(1)"
    ]


FUNCTION: Final = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
ALLOWED: Final = [{"type": "function", "function": {"name": "f"}}, {"type": "custom", "custom": {"name": "run"}}]
ALLOWED_FLAT: Final = [{"type": "function", "name": "f"}, {"type": "custom", "name": "run"}]


@pytest.mark.parametrize("mode", ["auto", "required"])
def test_a_choice_of_some_tools_crosses_both_ways(mode: str) -> None:
    choice = {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": ALLOWED}}
    tools = [FUNCTION, {"type": "custom", "custom": {"name": "run"}}]
    body = {"messages": [{"role": "user", "content": "a"}], "tools": tools, "tool_choice": choice}
    there = convert(body, "openai_chat", "openai_responses", policy="strict").unwrap().value
    assert there["tool_choice"] == {"type": "allowed_tools", "mode": mode, "tools": ALLOWED_FLAT}
    assert convert(there, "openai_responses", "openai_chat", policy="strict").unwrap().value["tool_choice"] == choice


@pytest.mark.parametrize(
    "tools",
    [[{"type": "mcp", "server_label": "a"}], [{"type": "function", "name": "f", "new": 1}], [{"type": "function", "name": "f"}, 1]],
)
def test_a_choice_of_tools_that_the_other_has_no_word_for_is_a_named_loss(tools: list[Any]) -> None:
    choice = {"type": "allowed_tools", "mode": "auto", "tools": tools}
    flat = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}
    body = {"input": "a", "tools": [flat], "tool_choice": choice}
    converted = convert(body, "openai_responses", "openai_chat").unwrap()
    assert "tool_choice" not in converted.value
    assert [loss.original for loss in converted.losses if loss.path == "$.params.tool_choice"] == [Json.of(choice)]
    assert convert(body, "openai_responses", "openai_responses").unwrap() == Converted(body)


@pytest.mark.parametrize("tool", NESTED)
def test_azure_has_them_as_openai_has(tool: str) -> None:
    nested, flat = chat(NESTED[tool]), responses(FLAT[tool])
    for source, target, body, expected in (
        ("openai_chat", "azure", nested, nested),
        ("azure", "openai_chat", nested, nested),
        ("openai_responses", "azure", flat, nested),
        ("azure", "openai_responses", nested, flat),
        ("azure", "azure", nested, nested),
    ):
        assert convert(body, source, target, policy=Policy.STRICT).unwrap() == Converted(expected), (source, target)


@pytest.mark.parametrize("target", sorted({*VARIANTS} - {"azure"}))
def test_what_azure_calls_a_custom_tool_is_a_loss_for_other_servers(target: str) -> None:
    converted = convert(CHAT, "azure", target, policy=Policy.LENIENT).unwrap()
    assert [loss.what for loss in converted.losses] == ["a call of free-form text"]
