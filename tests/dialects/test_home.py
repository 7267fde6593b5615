"""What a server would refuse and a dialect said all the same: it comes home as it was, and does not cross in silence."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Policy, check, convert, repair
from chatadt.checks.spelling import derive
from chatadt.dialects import Spelling

from .examples import PDF, PNG

ASK: Final = {"role": "user", "content": "a"}
USE: Final = {"type": "tool_use", "id": "toolu_1", "name": "f"}


def image(source: Any) -> Any:
    return {"max_tokens": 7, "messages": [{"role": "user", "content": [{"type": "image", "source": source}]}]}


def document(source: Any) -> Any:
    return {"max_tokens": 7, "messages": [{"role": "user", "content": [{"type": "document", "source": source}]}]}


def asked(**fields: Any) -> Any:
    return {"max_tokens": 7, **fields, "messages": [ASK]}


def called(input: Any) -> Any:
    return {"max_tokens": 7, "messages": [ASK, {"role": "assistant", "content": [{**USE, "input": input}]}]}


ANTHROPIC: Final = {
    "an image by an address of a bucket": image({"type": "url", "url": "gs://bucket/a"}),
    "an image by an address that looks like the urn of a file": image({"type": "url", "url": "urn:chatadt:anthropic:file:a"}),
    "an image of a type that is not taken": image({"type": "base64", "media_type": "image/tiff", "data": PNG}),
    "an image of a type that has another name": image({"type": "base64", "media_type": "image/jpg", "data": PNG}),
    "a document by an address of a bucket": document({"type": "url", "url": "gs://bucket/a"}),
    "a document by an address that looks like the urn of a file": document({"type": "url", "url": "urn:chatadt:openai:file:a"}),
    "a text of another type": document({"type": "text", "media_type": "text/csv", "data": "a,b"}),
    "a text that says it is a PDF": document({"type": "text", "media_type": "application/pdf", "data": "a"}),
    "a text of no type": document({"type": "text", "data": "a"}),
    "a text of the type null": document({"type": "text", "media_type": None, "data": "a"}),
    "a PDF under another name": document({"type": "base64", "media_type": "application/x-pdf", "data": PDF}),
    "no system": asked(system=None),
    "an empty system": asked(system=[]),
    "no metadata": asked(metadata={}),
    "no output_config": asked(output_config={}),
    "a user of null": asked(metadata={"user_id": None}),
    "arguments that are a list": called([1]),
    "arguments that are null": called(None),
    "arguments that are a text": called("a"),
    "a schema of null": asked(tools=[{"name": "f", "input_schema": None}]),
    "a limit of null": {"max_tokens": None, "model": "claude-opus-4-8", "messages": [ASK]},
    "no limit": {"model": "claude-opus-4-8", "messages": [ASK]},
    "no limit beside a field that only this dialect has": {"service_tier": "auto", "messages": [ASK]},
    "a field of a turn that holds a text and a result": {
        "max_tokens": 7,
        "messages": [
            ASK,
            {"role": "assistant", "content": [{**USE, "input": {}}]},
            {
                "role": "user",
                "content": [{"type": "text", "text": "b"}, {"type": "tool_result", "tool_use_id": "toolu_1", "turn": 1}],
                "id": "m",
            },
        ],
    },
}
CALL: Final = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
OPENAI_CHAT: Final = {
    "a result of no parts": {
        "messages": [
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": []},
        ]
    },
    "an assistant who says no parts": {"messages": [{"role": "assistant", "content": []}]},
    "the result of a function without content": {"messages": [{"role": "function", "name": "f"}]},
    "the result of a function of no parts": {"messages": [{"role": "function", "name": "f", "content": []}]},
    "a call without a type and with an index": {
        "messages": [{"role": "assistant", "tool_calls": [{"id": "c1", "index": 0, "function": CALL["function"]}]}]
    },
    "a tool without a type and with a note": {"messages": [ASK], "tools": [{"function": {"name": "f"}, "note": 1}]},
    "function_call beside tools": {
        "messages": [ASK],
        "tools": [{"type": "function", "function": {"name": "f"}}],
        "function_call": "auto",
    },
    "functions that are empty": {"messages": [ASK], "functions": [], "function_call": None},
    "both choices": {
        "messages": [ASK],
        "functions": [{"name": "f"}],
        "tools": [{"type": "function", "function": {"name": "g"}}],
        "tool_choice": "none",
        "function_call": {"name": "f", "more": 1},
    },
    "a file whose data looks like the urn of a file": {
        "messages": [
            {"role": "user", "content": [{"type": "file", "file": {"file_data": "urn:chatadt:openai:file:a", "filename": "b"}}]}
        ]
    },
    "a choice of parallel calls without a tool": {"messages": [ASK], "parallel_tool_calls": False},
}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        *(pytest.param("anthropic", body, id=f"anthropic: {title}") for title, body in ANTHROPIC.items()),
        *(pytest.param("openai_chat", body, id=f"openai_chat: {title}") for title, body in OPENAI_CHAT.items()),
    ],
)
def test_it_comes_home_as_it_was(name: str, body: Any) -> None:
    dialect = DIALECTS[name]
    written = dialect.write_request(dialect.read_request(body).unwrap())
    assert dialect.canonical(written.value) == dialect.canonical(body)
    assert written.losses == ()


def test_a_body_without_a_limit_goes_home_without_it_and_is_complained_of() -> None:
    body = {"model": "claude-opus-4-8", "messages": [ASK]}
    home = convert(body, "anthropic", "anthropic", policy=Policy.STRICT).unwrap()
    assert DIALECTS["anthropic"].canonical(home.value) == body
    request = DIALECTS["anthropic"].read_request(body).unwrap()
    assert [violation.rule for violation in check(request, "anthropic")] == ["answer-limit"]
    mended = repair(request, "anthropic")
    assert [loss.what for loss in mended.losses] == ["max_tokens"]
    assert check(mended.value, "anthropic") == ()
    written = DIALECTS["anthropic"].write_request(mended.value)
    assert DIALECTS["anthropic"].canonical(written.value) == {**body, "max_tokens": 4_096}
    assert written.losses == ()


def test_a_bare_conversation_is_no_request_that_lacks_a_limit() -> None:
    request = DIALECTS["anthropic"].read_request({"messages": [ASK]}).unwrap()
    assert check(request, "anthropic") == ()
    assert set(DIALECTS["anthropic"].write_request(request).value) == {"messages"}


@pytest.mark.parametrize("pattern", [r"(?!)", r"a", r"[a-z]{3}"])
def test_a_spelling_that_allows_nothing_that_can_be_derived_is_at_fault(pattern: str) -> None:
    with pytest.raises(ValueError, match="expected a spelling that allows letters and digits"):
        derive("x", Spelling(re.compile(pattern), re.compile(r"(?!)"), 64), ())


def test_a_conversation_by_deprecated_functions_crosses_with_its_calls_paired() -> None:
    def calls(argument: int) -> Any:
        return {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": f'{{"a":{argument}}}'}}

    def gives(text: str) -> Any:
        return {"role": "function", "name": "f", "content": text}

    body = {
        "messages": [ASK, calls(1), gives("one"), calls(2), gives("two")],
        "functions": [{"name": "f", "parameters": {"type": "object"}}],
        "function_call": {"name": "f"},
    }
    assert convert(body, "openai_chat", "openai_chat", policy=Policy.STRICT).unwrap().value == body
    crossed = convert(body, "openai_chat", "anthropic").unwrap().value
    assert crossed["tools"] == [{"name": "f", "input_schema": {"type": "object"}}]
    assert crossed["tool_choice"] == {"type": "tool", "name": "f"}
    _, first, one, second, two = (turn["content"][0] for turn in crossed["messages"])
    assert (first["input"], second["input"]) == ({"a": 1}, {"a": 2})
    assert (one["content"][0]["text"], two["content"][0]["text"]) == ("one", "two")
    assert first["id"] == one["tool_use_id"] != second["id"] == two["tool_use_id"]


def test_a_data_url_in_capitals_is_by_value_and_comes_home_as_it_was() -> None:
    part = {"type": "image_url", "image_url": {"url": f"DATA:image/png;base64,{PNG}"}}
    body = {"messages": [{"role": "user", "content": [part]}]}
    request = DIALECTS["openai_chat"].read_request(body).unwrap()
    assert DIALECTS["openai_chat"].write_request(request).value == body
    source = DIALECTS["anthropic"].write_request(request).value["messages"][0]["content"][0]["source"]
    assert source == {"type": "base64", "media_type": "image/png", "data": PNG}
