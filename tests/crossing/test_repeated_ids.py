"""Calls with one id are answered in their order; a result has the name of the tool that its call has."""

from __future__ import annotations

from typing import Any, Final

import pytest

from chatadt import DIALECTS, Message, check, convert

ASKED: Final = {"role": "user", "content": "q"}


def calling(id_: str, *, second: str | None = None) -> dict[str, Any]:
    """A body of OpenAI Chat, in which two tools are asked for under one id."""
    calls = [
        {"id": id_ if name == "f" or second is None else second, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for name in ("f", "g")
    ]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": f"r{call['function']['name']}"} for call in calls]
    return {"messages": [ASKED, {"role": "assistant", "content": None, "tool_calls": calls}, *results, ASKED]}


BODIES: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": calling("call"),
    "mistral": calling("call"),
    "cohere": calling("call"),
    "anthropic": {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "q"}]},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "call", "name": name, "input": {}} for name in ("f", "g")],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call", "content": [{"type": "text", "text": text}]}
                    for text in ("rf", "rg")
                ],
            },
        ]
    },
    "bedrock": {
        "messages": [
            {"role": "user", "content": [{"text": "q"}]},
            {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "call", "name": n, "input": {}}} for n in ("f", "g")],
            },
            {"role": "user", "content": [{"toolResult": {"toolUseId": "call", "content": [{"text": t}]}} for t in ("rf", "rg")]},
        ]
    },
    "openai_responses": {
        "input": [
            ASKED,
            *({"type": "function_call", "call_id": "call", "name": name, "arguments": "{}"} for name in ("f", "g")),
            *({"type": "function_call_output", "call_id": "call", "output": text} for text in ("rf", "rg")),
        ]
    },
}
each_dialect = pytest.mark.parametrize("source", BODIES)


def results(request: Any) -> list[tuple[str | None, str]]:
    """The name of each result's tool, and its text."""
    return [(message.tool, message.text) for message in request.messages if isinstance(message, Message.ToolResult)]


@each_dialect
def test_the_first_result_belongs_to_the_first_call(source: str) -> None:
    assert results(DIALECTS[source].read_request(BODIES[source]).unwrap()) == [("f", "rf"), ("g", "rg")]


@each_dialect
@pytest.mark.parametrize("target", DIALECTS)
def test_each_result_keeps_its_tool_wherever_it_goes(source: str, target: str) -> None:
    written = convert(BODIES[source], source, target, policy="lenient").unwrap()
    assert results(DIALECTS[target].read_request(written.value).unwrap()) == [("f", "rf"), ("g", "rg")]


@each_dialect
def test_at_home_they_stay_as_they_are_without_a_loss(source: str) -> None:
    dialect = DIALECTS[source]
    written = dialect.write_request(dialect.read_request(BODIES[source]).unwrap())
    assert dialect.canonical(written.value) == dialect.canonical(BODIES[source])
    assert written.losses == ()


@pytest.mark.parametrize("id_", ["", "call"])
def test_ids_that_are_empty_or_repeated_do_not_give_a_result_to_another_tool(id_: str) -> None:
    body = convert(calling(id_), "openai_chat", "gemini").unwrap().value
    told = [part["functionResponse"] for part in body["contents"][2]["parts"] if "functionResponse" in part]
    assert [(answer["name"], answer["response"]["output"]) for answer in told] == [("f", "rf"), ("g", "rg")]


def test_an_id_that_is_used_again_later_means_the_later_call() -> None:
    first, later = calling("a", second="b"), calling("b", second="a")
    body = {"messages": [*first["messages"], *later["messages"]]}
    request = DIALECTS["openai_chat"].read_request(body).unwrap()
    assert results(request) == [("f", "rf"), ("g", "rg"), ("f", "rf"), ("g", "rg")]


@pytest.mark.parametrize("target", ["gemini", "ollama"])
def test_a_result_that_names_another_tool_than_its_call_is_renamed_by_a_loss_where_it_is_told_by_its_name(target: str) -> None:
    body = calling("abcdefghi", second="123456789")
    body["messages"][2]["name"] = "weather"
    request = DIALECTS["mistral"].read_request(body).unwrap()
    assert [violation.path for violation in check(request, target) if violation.rule == "result-name"] == ["$.messages[2].tool"]
    written = convert(body, "mistral", target, policy="lenient").unwrap()
    assert [loss.original.value for loss in written.losses if loss.original and loss.what == "the name of the tool"] == ["weather"]
    assert results(DIALECTS[target].read_request(written.value).unwrap()) == [("f", "rf"), ("g", "rg")]


def test_the_output_of_a_function_that_answers_a_call_of_free_text_stays_one_at_home() -> None:
    body = {
        "input": [
            {"type": "custom_tool_call", "call_id": "c", "name": "g", "input": "x"},
            {"type": "function_call_output", "call_id": "c", "output": "r"},
        ]
    }
    assert convert(body, "openai_responses", "openai_responses", policy="strict").unwrap().value == body
