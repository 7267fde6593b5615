"""A tool choice without its tool does not cross, stays at home, and is found by `check` where it forces a call."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import DIALECTS, ChatRequest, Message, ModelParams, Tool, ToolChoice, check, convert, repair
from chatadt.dialects import Dialect

ASKED: Final = {"role": "user", "content": "q"}
FUNCTION: Final = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
TOOLS: Final[dict[str, Any]] = {"f": [FUNCTION], "none": None}
CHOICES: Final[dict[str, Any]] = {
    "another": {"type": "function", "function": {"name": "nope"}},
    "required": "required",
    "auto": "auto",
    "never": "none",
}
CASES: Final = [("f", "another"), *(("none", choice) for choice in CHOICES)]
each_case = pytest.mark.parametrize(("tools", "choice"), CASES)
each_target = pytest.mark.parametrize("target", DIALECTS.values(), ids=DIALECTS)


def body(tools: str, choice: str) -> dict[str, Any]:
    return {"messages": [ASKED], **({"tools": [FUNCTION]} if TOOLS[tools] else {}), "tool_choice": CHOICES[choice]}


@each_case
@each_target
def test_a_choice_without_its_tool_does_not_cross(tools: str, choice: str, target: Dialect) -> None:
    source = "groq" if target.name == "openai_chat" else "openai_chat"
    written = convert(body(tools, choice), source, target).unwrap()
    assert target.read_request(written.value).unwrap().params.tool_choice is None
    assert [loss.path for loss in written.losses if loss.what == "the tool choice"] == ["$.params.tool_choice"]


HOME: Final[dict[str, list[dict[str, Any]]]] = {
    "openai_chat": [{"messages": [ASKED], "tools": [FUNCTION], "tool_choice": choice} for choice in CHOICES.values()],
    "mistral": [{"messages": [ASKED], "tool_choice": choice} for choice in CHOICES.values()],
    "cohere": [{"messages": [ASKED], "tool_choice": choice} for choice in ("REQUIRED", "NONE")],
    "openai_responses": [
        {"input": [ASKED], "tool_choice": choice} for choice in ("auto", "required", "none", {"type": "function", "name": "nope"})
    ],
    "anthropic": [{"messages": [ASKED], "max_tokens": 1, "tool_choice": {"type": kind}} for kind in ("auto", "any", "none")],
    "gemini": [
        {
            "contents": [{"role": "user", "parts": [{"text": "q"}]}],
            "tools": [{"functionDeclarations": [{"name": "f"}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["nope"]}},
        }
    ],
    "bedrock": [
        {
            "messages": [{"role": "user", "content": [{"text": "q"}]}],
            "toolConfig": {
                "tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}],
                "toolChoice": choice,
            },
        }
        for choice in ({"tool": {"name": "nope"}}, {"any": {}})
    ],
}


@pytest.mark.parametrize("name", HOME)
def test_at_home_it_stays(name: str) -> None:
    for said in HOME[name]:
        written = convert(said, name, name, policy="strict").unwrap()
        assert DIALECTS[name].canonical(written.value) == DIALECTS[name].canonical(said)


FORCED: Final = {
    "another": ModelParams(model="m", tools=[Tool("f", None, {"type": "object"})], tool_choice=ToolChoice.One("nope")),
    "any": ModelParams(model="m", tool_choice=ToolChoice.Required()),
}


@pytest.mark.parametrize("params", FORCED.values(), ids=FORCED)
@each_target
def test_a_choice_that_forces_a_tool_that_is_not_there_is_found_and_mended(target: Dialect, params: ModelParams) -> None:
    request = ChatRequest([Message.User("q")], params)
    found = [violation.path for violation in check(request, target) if violation.rule == "tool-choice"]
    assert found == ([] if target.name == "ollama" else ["$.params.tool_choice"])
    mended = repair(request, target).value
    assert [violation for violation in check(mended, target) if violation.rule == "tool-choice"] == []


@each_target
def test_a_choice_of_a_tool_that_is_there_is_left_alone(target: Dialect) -> None:
    tools = [Tool("f", "g", {"type": "object"})]
    for choice in (ToolChoice.One("f"), ToolChoice.Required(), ToolChoice.Auto()):
        request = ChatRequest([Message.User("q")], ModelParams(tools=tools, tool_choice=choice))
        assert [violation for violation in check(request, target) if violation.rule == "tool-choice"] == []
