"""What becomes of an error's status, code and words: cases from recorded errors, and from what providers document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from chatadt import ProviderError, strategies
from chatadt.clients import ChatError
from chatadt.clients._faults import Fault, Trouble, error_of, fault_of_body


def said(message: str, code: str | None = None, **other: Any) -> Any:
    return {"error": {"message": message, "code": code, **other}}


@pytest.mark.parametrize(
    ("status", "body", "case"),
    [
        # OpenAI: platform.openai.com/docs/guides/error-codes
        (429, said("You exceeded your current quota.", "insufficient_quota"), ChatError.RateLimited),
        (400, said("You exceeded your current quota.", "insufficient_quota"), ChatError.RateLimited),
        (429, said("Request too large for gpt-4o on tokens per min", "rate_limit_exceeded"), ChatError.RateLimited),
        (403, said("Country, region, or territory not supported", "unsupported_country_region_territory"), ChatError.Unauthorized),
        # DeepSeek says no code of its own for it
        (400, said("This model's maximum context length is 1048565 tokens. Please reduce the length.", None), ChatError.TooLong),
        # Azure
        (400, said("It triggered Azure's content management policy.", "content_filter"), ChatError.Filtered),
        # Anthropic: docs.anthropic.com/en/api/errors
        (413, {"type": "error", "error": {"type": "request_too_large", "message": "Request is too big"}}, ChatError.TooLong),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, ChatError.Broken),
        (500, {"type": "error", "error": {"type": "api_error", "message": "Internal server error"}}, ChatError.Broken),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: claude-x"}}, ChatError.Invalid),
        (
            400,
            said("input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease either"),
            ChatError.TooLong,
        ),
        (400, said("max_tokens: 99999 > 8192, which is the maximum allowed number of output tokens for x"), ChatError.TooLong),
        (400, said("Your credit balance is too low to access the Anthropic API."), ChatError.Unauthorized),
        # OpenAI
        (400, said("max_tokens is too large: 99999. This model supports at most 16384 completion tokens."), ChatError.TooLong),
        # Google: ai.google.dev/gemini-api/docs/troubleshooting
        (400, {"error": {"message": "API key not valid.", "status": "INVALID_ARGUMENT"}}, ChatError.Unauthorized),
        (429, {"error": {"code": 429, "message": "Resource exhausted.", "status": "RESOURCE_EXHAUSTED"}}, ChatError.RateLimited),
        (503, {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}, ChatError.Broken),
        (504, {"error": {"code": 504, "message": "Deadline expired.", "status": "DEADLINE_EXCEEDED"}}, ChatError.TimedOut),
        (400, said("The input token count (12) exceeds the maximum number of tokens allowed (10)."), ChatError.TooLong),
        # Bedrock
        (400, {"message": "Input Tokens Exceeded: Number of input tokens exceeds maximum length."}, ChatError.TooLong),
        (400, {"message": "Malformed input request: extraneous key is not permitted"}, ChatError.Invalid),
        (400, {"message": "The maximum tokens you requested exceeds the model limit of 4096."}, ChatError.TooLong),
        (424, {"message": "The model failed.", "__type": "ModelErrorException"}, ChatError.Broken),
        # Mistral: an error of FastAPI
        (422, {"detail": [{"loc": ["body", "messages"], "msg": "Field required", "type": "missing"}]}, ChatError.Invalid),
        # Ollama
        (404, {"error": "model 'llama9' not found"}, ChatError.Invalid),
        (400, {"error": "the input length exceeds the context length"}, ChatError.TooLong),
        # Cohere: recorded
        (400, {"error_type": "TOO_MANY_TOKENS", "message": "size limit exceeded by 9 tokens."}, ChatError.TooLong),
        # Groq: of its flex tier; Cohere means another thing by the same status
        (498, said("Flex tier capacity exceeded."), ChatError.Invalid),
        # a proxy
        (502, "<html>Bad Gateway</html>", ChatError.Broken),
        (418, None, ChatError.Invalid),
    ],
)  # fmt: skip
def test_an_error_is_of_its_case(status: int, body: Any, case: type) -> None:
    error = error_of(Fault("openai_chat", "Error", status, body=body))
    assert type(error) is case
    assert getattr(error, "status", None) == status


def test_words_of_the_provider_are_told_as_they_are() -> None:
    error = error_of(Fault("mistral", "Error", 422, body={"detail": [{"msg": "Field required", "type": "missing"}]}))
    assert isinstance(error, ChatError.Invalid)
    assert error.error == ProviderError("Field required", "missing", error.error.extras)
    assert str(error) == "the provider refuses the request: Field required (missing)"


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "12"}, None, 12.0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, None, 1.5),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, None, 0.0),
        ({"retry-after": "soon"}, None, None),
        ({}, said("Please try again in 1.25s."), 1.25),
        ({}, said("Please try again in 250ms."), 0.25),
        ({}, said("Please retry after 26 seconds."), 26.0),
        ({}, {"error": {"message": "quota", "details": [{"@type": "RetryInfo", "retryDelay": "31s"}]}}, 31.0),
        ({}, said("Too many."), None),
    ],
)
def test_how_long_to_wait_is_found_where_providers_say_it(headers: dict[str, str], body: Any, seconds: float | None) -> None:
    error = error_of(Fault("openai_chat", "Error", 429, headers=headers, body=body))
    assert isinstance(error, ChatError.RateLimited)
    assert error.retry_after == seconds


def test_an_error_in_the_place_of_an_answer_is_of_the_case_of_its_code() -> None:
    # OpenRouter answers 200 with the status of its upstream in the body
    body = {"error": {"message": "Rate limited upstream", "code": 429}}
    assert isinstance(
        error_of(fault_of_body("openrouter", ProviderError("Rate limited upstream", "429"), body)), ChatError.RateLimited
    )


@pytest.mark.parametrize(
    ("trouble", "case"),
    [
        (Trouble.TIMEOUT, ChatError.TimedOut),
        (Trouble.CONNECTION, ChatError.Unreachable),
        (Trouble.ARGUMENTS, ChatError.Invalid),
    ],
)
def test_what_went_wrong_without_the_provider_is_of_its_case(trouble: Trouble, case: type) -> None:
    assert type(error_of(Fault("anthropic", "no", trouble=trouble))) is case


@given(strategies.json())
def test_any_body_of_an_error_is_told(body: Any) -> None:
    for status in (None, 400, 429, 500):
        assert str(error_of(Fault("openai_chat", "Error", status, body=body)))
