"""Answers of Gemini: what they are read as, and what of the others comes across."""

from __future__ import annotations

from typing import Any, Final

import pytest
from google.genai.types import FinishReason
from returns.result import Failure

from chatadt import DIALECTS, ChatResponse, Content, ConversionError, Metadata, Policy, StopKind, StopReason, Usage, convert
from chatadt.dialects.gemini import DIALECT
from chatadt.loss import Weight
from tests.wire.corpus import present, recordings
from tests.wire.values import same
from tests.wire.views.gemini import complaints

CALL: Final = {"functionCall": {"name": "f", "args": {"a": 1}}}


def answer(*parts: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "finishReason": "STOP", "index": 0, **fields}]}


def read(body: Any) -> ChatResponse:
    return DIALECTS["gemini"].read_response(body).unwrap()


def home(body: Any) -> Any:
    return convert(body, "gemini", "gemini", kind="response", policy=Policy.STRICT).unwrap().value


def stop(body: Any) -> tuple[StopKind, str | None]:
    told = read(body).metadata.stop
    assert told is not None
    return told.kind, told.raw


# Why the model stopped.

KINDS: Final = {
    **dict.fromkeys(("STOP",), StopKind.END),
    "MAX_TOKENS": StopKind.LENGTH,
    **dict.fromkeys(("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"), StopKind.CONTENT_FILTER),
    **dict.fromkeys(("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"), StopKind.CONTENT_FILTER),
    **dict.fromkeys(("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"), StopKind.MALFORMED_TOOL_CALL),
    **dict.fromkeys(("TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"), StopKind.MALFORMED_TOOL_CALL),
    "MALFORMED_RESPONSE": StopKind.ERROR,
    "CONTINUATION": StopKind.PAUSED,
    **dict.fromkeys(("OTHER", "FINISH_REASON_UNSPECIFIED", "IMAGE_OTHER", "NO_IMAGE", "ESCALATION"), StopKind.OTHER),
    "PUP_LIMITED_DISABLED": StopKind.OTHER,
}


@pytest.mark.parametrize("reason", [each.value for each in FinishReason])
def test_each_reason_of_the_official_type_has_its_kind_and_comes_home(reason: str) -> None:
    body = answer({"text": "hi"}, finishReason=reason)
    assert stop(body) == (KINDS[reason], reason)
    assert home(body) == body


@pytest.mark.parametrize(("number", "word"), [(1, "STOP"), (2, "MAX_TOKENS"), (3, "SAFETY"), (99, "99")])
def test_a_reason_by_its_number_is_the_reason_and_comes_home_as_the_number(number: int, word: str) -> None:
    body = answer({"text": "hi"}, finishReason=number)
    assert stop(body) == (KINDS.get(word, StopKind.OTHER), word)
    assert home(body) == body


def test_an_ordinary_end_with_a_call_is_a_call() -> None:
    assert stop(answer(CALL)) == (StopKind.TOOL_CALLS, "STOP")
    assert stop(answer(CALL, finishReason="MAX_TOKENS")) == (StopKind.LENGTH, "MAX_TOKENS")


@pytest.mark.parametrize("beside", [{}, {"candidates": []}])
def test_a_blocked_prompt_is_an_answer_that_a_filter_stopped(beside: dict[str, Any]) -> None:
    body = {**beside, "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}}
    told = read(body)
    assert stop(body) == (StopKind.CONTENT_FILTER, "PROHIBITED_CONTENT")
    assert told.message.contents == ()
    assert home(body) == body
    crossed = convert(body, "gemini", "openai_chat", kind="response", policy=Policy.LENIENT).unwrap().value
    assert crossed["choices"][0]["finish_reason"] == "content_filter"


def test_a_candidate_without_a_reason_is_not_said_to_be_done() -> None:
    body = answer({"text": "hi"})
    del body["candidates"][0]["finishReason"]
    assert read(body).metadata.stop is None
    assert home(body) == body


def test_an_answer_that_was_interrupted_has_no_reason() -> None:
    told = ChatResponse(read(answer({"text": "hi"})).message, Metadata(stop=StopReason(StopKind.INTERRUPTED)))
    written = DIALECT.write_response(told)
    assert "finishReason" not in written.value["candidates"][0]
    assert [loss.what for loss in written.losses] == ["the stop reason"]


# Errors.


@pytest.mark.parametrize("frame", [lambda error: error, lambda error: [error]])
def test_an_error_is_refused_in_a_list_too(frame: Any) -> None:
    error = {"error": {"code": 429, "message": "Quota.", "status": "RESOURCE_EXHAUSTED"}}
    refused = DIALECT.read_response(frame(error)).failure()
    assert isinstance(refused, ConversionError.Refused)
    assert (refused.error.message, refused.error.code) == ("Quota.", "429")
    assert refused.error.extras.of("gemini") == error


@pytest.mark.parametrize("body", [{}, [], None, "x", {"candidates": {}}, {"candidates": [1]}, {"candidates": [{"content": []}]}])
def test_what_is_no_answer_is_unreadable(body: Any) -> None:
    assert isinstance(DIALECT.read_response(body), Failure)


# Tokens.

COUNTED: Final = {
    "promptTokenCount": 100,
    "cachedContentTokenCount": 40,
    "candidatesTokenCount": 10,
    "thoughtsTokenCount": 60,
    "toolUsePromptTokenCount": 5,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 70}, {"modality": "AUDIO", "tokenCount": 30}],
    "candidatesTokensDetails": [{"modality": "AUDIO", "tokenCount": 7}],
    "totalTokenCount": 175,
}


def test_counts_are_inclusive_and_the_providers_own_come_home() -> None:
    body = {**answer({"text": "hi"}), "usageMetadata": COUNTED}
    usage = read(body).metadata.usage
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read, usage.reasoning) == (105, 70, 40, 60)
    assert (usage.audio_input, usage.audio_output, usage.total) == (30, 7, 175)
    assert home(body) == body


@pytest.mark.parametrize("key", [*COUNTED])
def test_counts_that_are_not_said_or_null_or_odd_come_home(key: str) -> None:
    without = {name: count for name, count in COUNTED.items() if name != key}
    for odd in ({}, {key: None}, {key: 0}, {key: "many"}, {key: -1}):
        body = {**answer({"text": "hi"}), "usageMetadata": {**without, **odd}}
        assert same(DIALECT.canonical(home(body)), DIALECT.canonical(body)), odd


def test_counts_of_others_stand_apart_as_gemini_has_them() -> None:
    told = ChatResponse(read(answer({"text": "hi"})).message)
    usage = Usage(input=10, output=9, reasoning=4, cache_read=3, cache_write=2, audio_input=6, extras={"openai_chat": {"x": 1}})
    written = DIALECT.write_response(_counted(told, usage))
    assert written.value["usageMetadata"] == {
        "promptTokenCount": 10,
        "candidatesTokenCount": 5,
        "thoughtsTokenCount": 4,
        "cachedContentTokenCount": 3,
        "promptTokensDetails": [{"modality": "AUDIO", "tokenCount": 6}],
        "totalTokenCount": 19,
    }
    assert {loss.path for loss in written.losses} == {"$.metadata.usage.cache_write", "$.metadata.usage"}
    assert complaints(written.value) == []


def _counted(response: ChatResponse, usage: Usage) -> ChatResponse:
    return ChatResponse(response.message, type(response.metadata)(usage=usage))


# Candidates, ids, spelling.


def test_candidates_stay_in_order_and_what_is_said_of_each_is_kept_there() -> None:
    said = [
        {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": at}
        for at, text in enumerate("ab")
    ]
    said[0]["safetyRatings"] = [{"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"}]
    said[1]["avgLogprobs"] = -0.5
    body = {"candidates": said, "modelVersion": "m", "responseId": "r"}
    told = read(body)
    assert [told.message.text, *(choice.message.text for choice in told.others)] == ["a", "b"]
    assert told.metadata.extras.of("gemini") == {"candidates": {"safetyRatings": said[0]["safetyRatings"]}}
    assert told.others[0].extras.of("gemini") == {"avgLogprobs": -0.5}
    assert home(body) == body


def test_a_call_without_an_id_gets_one_of_its_answer_and_goes_home_without() -> None:
    body = {**answer(CALL, CALL), "responseId": "r-1"}
    assert [call.id for call in read(body).message.tool_requests] == ["call_r-1_1", "call_r-1_2"]
    assert home(body) == body
    assert [call.id for call in read(answer(CALL, CALL)).message.tool_requests] == ["call_1", "call_2"]


def test_snake_case_is_read_and_comes_home() -> None:
    body = {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"function_call": {"name": "f", "args": {"snake_case": 1}}}]},
                "finish_reason": "STOP",
                "avg_logprobs": -0.1,
                "index": 0,
            }
        ],
        "model_version": "m",
        "usage_metadata": {"prompt_token_count": 3, "total_token_count": 3},
    }
    told = read(body)
    assert (told.metadata.model, told.message.tool_requests[0].name) == ("m", "f")
    assert told.metadata.usage is not None
    assert told.metadata.usage.input == 3
    assert home(body) == body


@present
def test_what_the_official_client_dumped_comes_home() -> None:
    rows = recordings("gemini_sdk", "response")
    assert rows
    for row in rows:
        assert same(DIALECT.canonical(home(row.body)), DIALECT.canonical(row.body)), row.id


# From others.


def test_reasoning_refusals_and_calls_of_others_are_parts_and_every_loss_is_named() -> None:
    body = {
        "id": "1",
        "model": "m",
        "created": 1,
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "reasoning_content": "hm",
                    "content": "hi",
                    "refusal": "no",
                    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "[1]"}}],
                },
                "finish_reason": "tool_calls",
            }
        ],
    }
    converted = convert(body, "openai_chat", "gemini", kind="response", policy=Policy.LENIENT).unwrap()
    assert converted.value == {
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "hm", "thought": True},
                        {"text": "hi"},
                        {"text": "no"},
                        {"functionCall": {"id": "c", "name": "f", "args": {"value": [1]}}},
                    ],
                },
                "finishReason": "STOP",
                "index": 0,
            }
        ],
        "modelVersion": "m",
        "responseId": "1",
    }
    assert {(loss.what, loss.weight) for loss in converted.losses} == {
        ("refusal", Weight.DETAIL),
        ("arguments", Weight.CONTENT),
        ("created (openai_chat)", Weight.DETAIL),
    }


@pytest.mark.parametrize(
    "part", [{"executableCode": {"language": "PYTHON", "code": "1"}}, {"inlineData": {"mimeType": "a/b", "data": "AAAA"}}]
)
def test_what_only_gemini_has_comes_home_and_is_content_to_lose(part: dict[str, Any]) -> None:
    body = answer(part, {"text": "", "thoughtSignature": "c2ln"})
    assert home(body) == body
    lossy = convert(body, "gemini", "anthropic", kind="response").failure()
    assert isinstance(lossy, ConversionError.Lossy)
    assert not isinstance(read(body).message.contents[0], Content.Text)
