"""What a conversion mends is fine for its server as it is written, also where the writer dropped something of it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import (
    DIALECTS,
    Action,
    ChatRequest,
    Content,
    ConversionError,
    Converted,
    Message,
    ModelParams,
    Policy,
    Severity,
    Tool,
    ToolChoice,
    check,
    convert,
    repair,
)
from chatadt.dialects._dialect import Target
from docs.rules import PROVIDERS

USER: Final = {"role": "user", "content": "hi"}
CALL: Final[dict[str, Any]] = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
TOLD: Final[dict[str, Any]] = {"role": "tool", "tool_call_id": "1", "content": "4"}
SVG: Final = "data:image/svg+xml;base64,PHN2Zy8+"
A_PDF: Final = "data:application/pdf;base64,PHN2Zy8+"
SOURCE: Final = {"type": "base64", "media_type": "image/svg+xml", "data": "PHN2Zy8+"}
SEARCH: Final[dict[str, Any]] = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
THOUGHT: Final = {"type": "thinking", "thinking": "hm", "signature": "s"}
HIDDEN: Final = {"type": "redacted_thinking", "data": "x"}


def responses(*items: object, **fields: object) -> tuple[str, dict[str, Any]]:
    return "openai_responses", {"input": list(items), **fields}


def claude(*messages: object, **fields: object) -> tuple[str, dict[str, Any]]:
    return "anthropic", {"max_tokens": 9, "messages": list(messages), **fields}


def chat(*messages: object, **fields: object) -> tuple[str, dict[str, Any]]:
    return "openai_chat", {"messages": list(messages), **fields}


def assistant(*blocks: object) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def document_of(text: str) -> dict[str, Any]:
    return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": text}}


DRAWN: Final = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
ASKED: Final = {"role": "user", "parts": [{"text": "hi"}]}

BODIES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "items of a search": responses({"type": "tool_search_call"}, {"type": "tool_search_output"}, instructions="Be brief."),
    "a compaction": responses({"type": "compaction"}),
    "an approval at the end": responses(
        USER,
        {"role": "assistant", "content": "yo"},
        {"type": "mcp_approval_response", "approval_request_id": "x", "approve": True},
    ),
    "a stored conversation at the beginning": responses({"role": "assistant", "content": "Hello."}, conversation="conv_1"),
    "a tool of the server": claude(assistant(SEARCH)),
    "hidden reasoning": claude(assistant(HIDDEN)),
    "reasoning alone": claude(assistant(THOUGHT)),
    "reasoning at the end": claude(USER, assistant({"type": "text", "text": "yo"}), assistant(THOUGHT)),
    "an unknown role behind an open loop": (
        "cohere",
        {
            "thinking": {"type": "enabled", "token_budget": 5},
            "messages": [{"role": "assistant", "tool_calls": [CALL]}, {"role": "t"}],
        },
    ),
    "unknown roles at both ends": chat({"role": "t"}, {"role": "assistant", "content": "a"}, {"role": "t"}),
    "unknown roles around a system message": chat({"role": "t"}, {"role": "system", "content": "a"}, {"role": "t"}),
    "an unknown role before a late system message": chat(
        USER, {"role": "assistant", "content": "a"}, {"role": "t"}, {"role": "system", "content": "b"}, {"role": "t"}
    ),
    "an unknown role in white space": chat(USER, {"role": "assistant", "content": "a "}, {"role": "t"}),
    "an empty refusal": chat(USER, {"role": "assistant", "content": "x", "refusal": ""}, USER),
    "a blank refusal": chat(USER, {"role": "assistant", "refusal": " "}, USER),
    "a blank refusal beside a call": chat(USER, {"role": "assistant", "refusal": " ", "tool_calls": [CALL]}, TOLD),
    "an empty refusal of Responses": responses(USER, {"role": "assistant", "content": [{"type": "refusal", "refusal": ""}]}, USER),
    "an empty result": chat(USER, {"role": "assistant", "tool_calls": [CALL]}, {**TOLD, "content": ""}),
    "a blank result": chat(USER, {"role": "assistant", "tool_calls": [CALL]}, {**TOLD, "content": " "}),
    "a result without parts": chat(USER, {"role": "assistant", "tool_calls": [CALL]}, {**TOLD, "content": []}),
    "a result without fields": (
        "gemini",
        {
            "contents": [
                {"role": "user", "parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
            ]
        },
    ),
    "a temperature that is too high": chat(USER, temperature=3),
    "a temperature below 0": chat(USER, temperature=-1),
    "a user who says nothing": chat({"role": "user", "content": []}, USER),
    "an assistant of Claude that says nothing": claude(assistant()),
    "nothing but an assistant that says nothing": chat({"role": "assistant"}),
    "nothing but an image of the model": ("gemini", {"contents": [{"role": "model", "parts": [DRAWN]}]}),
    "a line feed beside an image of the model": (
        "gemini",
        {"contents": [ASKED, {"role": "model", "parts": [{"text": "\n"}, DRAWN]}, ASKED]},
    ),
    "an empty stop sequence": chat(USER, stop=[""]),
    "an empty document of text": claude({"role": "user", "content": [document_of(""), {"type": "text", "text": "x"}]}),
    "a blank document of text": claude({"role": "user", "content": [document_of(" \n"), {"type": "text", "text": "x"}]}),
    "nothing but an empty document of text": claude({"role": "user", "content": [document_of("")]}),
    "a budget that leaves no answer": claude(USER, thinking={"type": "enabled", "budget_tokens": 0}, max_tokens=1),
    "a result behind one that is missing": chat(
        USER,
        {"role": "assistant", "tool_calls": [{**CALL, "id": "A"}, {**CALL, "id": "B"}]},
        {**TOLD, "tool_call_id": "B"},
        {**TOLD, "tool_call_id": "nobody"},
    ),
    "an answer without a limit": ("ollama", {"model": "l", "messages": [USER], "options": {"num_predict": -1, "top_k": -1}}),
    "nothing but an answer without a limit": ("ollama", {"messages": [USER], "options": {"num_predict": -2}}),
    "an answer of no tokens": chat(USER, max_tokens=0),
    "an image of another type": chat({"role": "user", "content": [{"type": "image_url", "image_url": {"url": SVG}}]}),
    "a PDF given as an image": chat({"role": "user", "content": [{"type": "image_url", "image_url": {"url": A_PDF}}]}),
    "an image of another type of Claude": claude({"role": "user", "content": [{"type": "image", "source": SOURCE}]}),
}
"""Bodies of which other servers do not take something."""

CROSSINGS: Final = [
    pytest.param(source, body, target, id=f"{name} to {target}")
    for name, (source, body) in BODIES.items()
    for target in DIALECTS
    if target != source
]


def faults(written: object, target: str) -> list[tuple[str, str]]:
    """What the target's own rules have against a body, of any model."""
    read = DIALECTS[target].read_request(written).unwrap()
    return [(each.rule, each.path) for each in check(read, target, model="") if each.severity is Severity.ERROR]


@pytest.mark.parametrize(("source", "body", "target"), CROSSINGS)
def test_what_is_mended_is_right_for_its_server_as_it_is_written(source: str, body: object, target: str) -> None:
    assert faults(convert(body, source, target, policy=Policy.LENIENT).unwrap().value, target) == []


@pytest.mark.parametrize("target", [name for name in PROVIDERS if name != "anthropic"])
def test_what_is_dropped_is_a_loss_beside_what_stands_in_its_place(target: str) -> None:
    losses = convert(claude(assistant(SEARCH))[1], "anthropic", target, policy=Policy.LENIENT).unwrap().losses
    assert {Action.DROPPED, Action.INVENTED} <= {loss.action for loss in losses}


@pytest.mark.parametrize(("target", "model"), [("gemini", None), ("anthropic", "claude-3-haiku"), ("bedrock", "claude-3-haiku")])
@pytest.mark.parametrize(("given", "nearest"), [(3, {"gemini": 2, "anthropic": 1, "bedrock": 1}), (-1, {})])
def test_a_temperature_is_brought_into_range_where_it_crosses(
    target: str, model: str | None, given: int, nearest: dict[str, int]
) -> None:
    crossed = convert(chat(USER, temperature=given)[1], "openai_chat", target, model=model).unwrap()
    assert DIALECTS[target].read_request(crossed.value).unwrap().params.temperature == nearest.get(target, 0)
    found = [loss for loss in crossed.losses if loss.path == "$.params.temperature"]
    assert [(loss.action, loss.original.value if loss.original else None) for loss in found] == [(Action.REWRITTEN, given)]


@pytest.mark.parametrize("target", [name for name in DIALECTS if name != "ollama"])
@pytest.mark.parametrize("policy", [Policy.FAITHFUL, Policy.LENIENT])
@pytest.mark.parametrize("given", [{"num_predict": -1}, {"num_predict": -2, "top_k": -1}, {"num_predict": -1, "top_k": 0}])
def test_no_limit_is_said_by_no_number(target: str, policy: Policy, given: dict[str, int]) -> None:
    body = {"model": "l", "messages": [USER], "options": given}
    crossed = convert(body, "ollama", target, policy=policy).unwrap()
    params = DIALECTS[target].read_request(crossed.value).unwrap().params
    assert params.max_output_tokens == (4_096 if target == "anthropic" else None)
    assert params.top_k in (None, 0)
    found = {loss.path: loss.original.value for loss in crossed.losses if loss.action is Action.DROPPED and loss.original}
    assert found["$.params.max_output_tokens"] == given["num_predict"]
    invented = [loss.path for loss in crossed.losses if loss.action is Action.INVENTED]
    assert invented == (["$.params.max_output_tokens"] if target == "anthropic" else [])
    assert convert(body, "ollama", "ollama").unwrap().value == body


@pytest.mark.parametrize(
    ("source", "body"),
    [
        claude({"role": "user", "content": [document_of("cut \ud83d here"), {"type": "text", "text": "x"}]}),
        (
            "bedrock",
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [
                            {"document": {"format": "txt", "name": "a", "source": {"text": "cut \ud83d here"}}},
                            {"text": "x"},
                        ],
                    }
                ]
            },
        ),
    ],
)
def test_half_a_pair_in_a_document_of_text_goes_home_as_it_came_and_elsewhere_mended(source: str, body: dict[str, Any]) -> None:
    assert convert(body, source, source, policy="strict").unwrap() == Converted(body)
    for target in PROVIDERS:
        if target != source:
            crossed = convert(body, source, target).unwrap()
            mended = [loss for loss in crossed.losses if loss.what == "a lone surrogate"]
            assert [(loss.path, loss.action) for loss in mended] == [("$.messages[0].contents[0]", Action.REWRITTEN)]
            assert check(DIALECTS[target].read_request(crossed.value).unwrap(), target, model="") == ()


@pytest.mark.parametrize("name", ["openai_chat", "mistral", "cohere", "groq"])
@pytest.mark.parametrize("part", [{"type": "image_url", "image_url": {"url": SVG}}, {"type": "image_url", "image_url": SVG}])
def test_an_image_of_another_type_comes_home_and_crosses_as_a_loss(name: str, part: dict[str, Any]) -> None:
    body = {"messages": [{"role": "user", "content": [part]}]}
    assert convert(body, name, name, policy=Policy.STRICT).unwrap() == Converted(body)
    for target in ("openai_chat", "mistral", "cohere", "azure"):
        if target != name:
            lost = convert(body, name, target).failure()
            assert isinstance(lost, ConversionError.Lossy)
            assert [loss.path for loss in lost.losses] == ["$.messages[0].contents[0]"]


def test_a_budget_that_is_dropped_is_a_loss_with_all_that_was_said_of_it() -> None:
    thinking = {"type": "enabled", "budget_tokens": 1024, "display": "omitted"}
    body = {**claude(USER)[1], "max_tokens": 5, "thinking": thinking}
    losses = convert(body, "anthropic", "bedrock", policy=Policy.LENIENT).unwrap().losses
    (original,) = [str(loss.original) for loss in losses if loss.path == "$.params.thinking"]
    assert "1024" in original
    assert "omitted" in original


@pytest.mark.parametrize("dialect", PROVIDERS)
def test_a_message_of_the_server_itself_counts(dialect: str) -> None:
    own = ChatRequest((Message.User("hi"), Message.Custom({"role": "t"}, dialect)))
    assert repair(own, dialect) == Converted(own)


def test_the_last_assistant_message_that_is_sent_may_be_gone_on_with() -> None:
    prefilled = ChatRequest((Message.User("hi"), Message.Assistant("so "), Message.Custom({"role": "t"}, "openai_chat")))
    mended = repair(prefilled, "anthropic", "claude-3-haiku")
    assert mended.value.messages[1] == Message.Assistant("so")
    written = DIALECTS["anthropic"].write_request(mended.value, Target("claude-3-haiku")).value
    assert check(DIALECTS["anthropic"].read_request(written).unwrap(), "anthropic", "claude-3-haiku") == ()


@pytest.mark.parametrize(
    ("dialect", "thought", "counts"),
    [
        ("anthropic", Content.Reasoning("hm"), False),
        ("anthropic", Content.Reasoning("", {"anthropic": {"signature": "s"}}), True),
        ("bedrock", Content.Reasoning("", {"anthropic": {"signature": "s"}}), True),
        ("gemini", Content.Reasoning("hm"), True),
        ("gemini", Content.Reasoning(""), False),
        ("openai_responses", Content.Reasoning("hm"), False),
        ("openai_chat", Content.Reasoning("hm"), False),
    ],
)
def test_reasoning_counts_where_it_is_taken(dialect: str, thought: Content.Reasoning, counts: bool) -> None:
    found = {each.rule for each in check(ChatRequest((Message.Assistant([thought]),)), dialect)}
    assert ("needs-turn" not in found) is counts


def test_a_second_result_is_dropped_because_the_call_is_answered() -> None:
    call, result = Message.Assistant([Content.ToolRequest("c1", "f", {})]), Message.ToolResult("c1", "f", "4")
    twice = repair([Message.User("a"), call, result, Message.ToolResult("c1", "f", "5")], "anthropic")
    orphan = repair([Message.User("a"), Message.ToolResult("c2", "f", "4")], "anthropic")
    assert [loss.reason for loss in twice.losses] == ["call c1 is answered already"]
    assert [loss.reason for loss in orphan.losses] == ["no call c2 stands before it"]


def test_names_of_tools_in_a_choice_that_only_its_dialect_knows_are_respelt_however_deep_it_is() -> None:
    deep: object = "bad name!"
    for _ in range(900):
        deep = [deep]
    said = {
        "tools": [{"type": "function", "name": "bad name!"}],
        "allowedFunctionNames": ["bad name!", "fine"],
        "text": "bad name!",
    }
    params = ModelParams(tools=[Tool("bad name!")], tool_choice=ToolChoice.Custom("openai_chat", {**said, "deep": deep}))
    mended = repair(ChatRequest([Message.User("hi")], params), "openai_chat").value.params
    (tool,) = mended.tools
    assert isinstance(tool, Tool)
    assert isinstance(mended.tool_choice, ToolChoice.Custom)
    named = {"tools": [{"type": "function", "name": tool.name}], "allowedFunctionNames": [tool.name, "fine"], "text": "bad name!"}
    assert mended.tool_choice.value.value == {**named, "deep": deep}
