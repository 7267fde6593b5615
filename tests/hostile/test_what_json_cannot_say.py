"""Infinity, halves of surrogate pairs, schemas and blocks that are no objects: what parsers let through, and no server takes."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from returns.result import Failure

from chatadt import (
    DIALECTS,
    ChatRequest,
    Content,
    ConversionError,
    Delta,
    Extras,
    Message,
    ModelParams,
    Policy,
    Resource,
    check,
    convert,
    fold,
    laws,
)
from chatadt.dialects import FOLDERS
from chatadt.fold import Folding

INFINITY: Final = json.loads("1e999")
BESIDE: Final = {"infinity": INFINITY, "no number": float("nan"), "bytes": b"a", "a set": {1}, "a key that is no text": {1: 2}}
HALF: Final = "\ud800 hi"

every_dialect = pytest.mark.parametrize("name", sorted(DIALECTS))
each_target = pytest.mark.parametrize("target", FOLDERS)


# --- errors --------------------------------------------------------------------------------------------------------------------


def errors(beside: object) -> list[Any]:
    return [
        {"error": {"message": "Overloaded", "code": "busy", "retry_after": beside}},
        {"type": "error", "error": {"type": "busy", "message": "Overloaded"}, "x": beside},
        {"message": "Overloaded", "x": beside},
        {"detail": "Overloaded", "x": beside},
    ]


@every_dialect
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_an_error_keeps_its_words_whatever_stands_beside_them(name: str, beside: object) -> None:
    read = DIALECTS[name].read_response
    assert read is not None
    for body in errors(beside):
        answer = read(body)
        assert isinstance(answer, Failure)
        match answer.failure():
            case ConversionError.Refused(error=error):
                assert error.message == "Overloaded"
            case ConversionError.Unreadable():
                assert (name, "detail" in body) == ("bedrock", True), body  # which has no such word for an error
            case error:
                pytest.fail(f"{body} {error}")
        assert isinstance(convert(body, name, "anthropic", kind="response", policy=Policy.LENIENT), Failure)


@each_target
@pytest.mark.parametrize("beside", [INFINITY, float("nan")])
def test_an_error_in_a_stream_keeps_its_words_whatever_stands_beside_them(target: str, beside: object) -> None:
    read = DIALECTS[target].read_stream
    assert read is not None
    body = {"type": "error", "message": "Overloaded", "error": {"message": "Overloaded", "retry_after": beside}}
    event = {"modelStreamErrorException": {"message": "Overloaded", "x": beside}} if target == "bedrock" else body
    failed = [delta.error.message for delta in read([event]) if isinstance(delta, Delta.Failed)]
    assert failed == ["Overloaded"]


# --- halves of surrogate pairs -------------------------------------------------------------------------------------------------


PIECES: Final = ("a \ud83d", "\ude00 b", "\ud83d", "\ude00")
WHOLE: Final = "a \U0001f600 b\U0001f600"


@pytest.mark.parametrize("case", [Delta.Text, Delta.Reasoning, Delta.Refusal])
def test_a_letter_that_a_server_cut_in_two_is_one_letter(case: type[Any]) -> None:
    pieces = [case(0, piece) for piece in PIECES]
    assert fold(pieces) == fold([case(0, WHOLE)])
    coming = Folding()
    seen = [block.text for piece in pieces if (block := coming.feed(piece)) is not None]
    assert seen == ["a \ud83d", "a \U0001f600 b", "a \U0001f600 b\ud83d", WHOLE]


def test_a_letter_of_an_argument_is_one_letter_too() -> None:
    pieces = ['{"x": "\ud83d', '\ude00"}']
    folded = fold([Delta.ToolRequest(0, pieces[0], "c", "f"), Delta.ToolRequest(0, pieces[1])])
    (request,) = folded.message.tool_requests
    assert request == Content.ToolRequest("c", "f", {"x": "\U0001f600"})


def test_half_of_a_pair_that_has_no_other_half_stays() -> None:
    assert fold([Delta.Text(0, "\ud83d"), Delta.Text(0, "x"), Delta.Text(0, "\ude00")]).message.text == "\ud83dx\ude00"


ANSWER: Final = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "stop_reason": "end_turn",
    "content": [{"type": "text", "text": HALF}, {"type": "tool_use", "id": "c", "name": "f", "input": {"a": HALF}}],
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


@each_target
def test_an_answer_that_crosses_can_be_sent(target: str) -> None:
    converted = convert(ANSWER, "anthropic", target, kind="response").unwrap()
    told = [loss.path for loss in converted.losses if loss.what == "a lone surrogate"]
    if target == "anthropic":  # what it said itself goes home as it was
        assert (converted.value, converted.losses) == (ANSWER, ())
    else:
        assert told == ["$.message.contents[0]", "$.message.contents[1]"]
        assert "\ufffd hi" in json.dumps(converted.value, ensure_ascii=False).encode().decode()


# --- what is no object ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("schema", [True, [1], "s", 5])
@pytest.mark.parametrize("name", [*FOLDERS, "groq"])
def test_a_schema_that_is_no_object_goes_home_as_it_was(name: str, schema: object) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": schema}}
    bodies: dict[str, Any] = {
        "anthropic": {"messages": [], "tools": [{"name": "f", "input_schema": schema}]},
        "gemini": {"contents": [], "tools": [{"functionDeclarations": [{"name": "f", "parametersJsonSchema": schema}]}]},
        "bedrock": {"messages": [], "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": schema}}}]}},
        "openai_responses": {"input": [], "tools": [{"type": "function", "name": "f", "parameters": schema}]},
    }
    laws.identity(DIALECTS[name], bodies.get(name, {"messages": [], "tools": [tool]}))


@pytest.mark.parametrize("block", [None, [], 5, "x"])
@pytest.mark.parametrize("case", [Message.User, Message.Assistant, Message.System])
@each_target
def test_a_block_that_is_no_object_is_a_loss(target: str, case: type[Any], block: object) -> None:
    request = ChatRequest([Message.User("q"), case([Content.Text("hi"), Content.Custom(target, block)])], ModelParams())
    written = DIALECTS[target].write_request(request)
    assert "a block" in {loss.what for loss in written.losses}
    assert DIALECTS[target].read_request(written.value).unwrap()


def test_audio_of_no_known_format_is_not_taken_with_extras_either() -> None:
    for extras in (Extras(), Extras({"openai_chat": {"x": 1}})):
        audio = Content.Audio(Resource.Binary("Zw6I/1YMiwqF19HI"), None, extras)
        assert [found.rule for found in check([Message.User(["hear", audio])], "openai_chat")] == ["media"]


@pytest.mark.parametrize("role", [{"text": "lost"}, 5, ["a"], True])
def test_the_role_of_an_answer_is_a_text(role: object) -> None:
    said = {"role": role, "content": "hi"}
    bodies: dict[str, tuple[Any, str]] = {
        "openai_chat": ({"choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}, "$.choices[0].message.role"),
        "mistral": ({"choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}, "$.choices[0].message.role"),
        "cohere": ({"message": {**said, "content": [{"type": "text", "text": "hi"}]}}, "$.message.role"),
        "ollama": ({"message": said, "done": True}, "$.message.role"),
        "gemini": ({"candidates": [{"content": {"role": role, "parts": [{"text": "hi"}]}}]}, "$.candidates[0].content.role"),
        "bedrock": ({"output": {"message": {"role": role, "content": [{"text": "hi"}]}}}, "$.output.message.role"),
    }
    for name, (body, path) in bodies.items():
        read = DIALECTS[name].read_response
        assert read is not None
        match read(body).failure():
            case ConversionError.Unreadable(problems=(problem,)):
                assert problem.path == path, name
            case error:
                pytest.fail(f"{name} {error}")
