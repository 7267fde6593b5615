"""What readers of Mistral, Cohere and Ollama make of refusals, words and counts in answers."""

from __future__ import annotations

from typing import Any

import pytest
from wire.answers import stop_in
from wire.corpus import WIRE, present, read_file
from wire.values import compact, same

from chatadt import DIALECTS, ConversionError, StopKind, convert

from .family import FAMILY

pytestmark = [present]

by_name = pytest.mark.parametrize("name", FAMILY)


@by_name
def test_a_recorded_error_is_refused_with_the_providers_words(name: str) -> None:
    rows = [row for row in read_file(WIRE / "errors.jsonl") if row.dialect in (name, f"{name}_v2")]
    bodies = [*(row.body for row in rows), {"error": "model 'x' not found"}, {"detail": [{"loc": ["body"], "msg": "bad"}]}]
    assert len(bodies) >= 2
    for body in bodies:
        error = convert(body, name, name, kind="response").failure()
        assert isinstance(error, ConversionError.Refused), f"{body} {error}"
        assert error.error.message in (compact(body), *body.values()) or error.error.message in compact(body)
        assert same(error.error.extras.of(name), body)


def test_the_code_of_a_refusal_is_kept() -> None:
    error = convert(
        {"id": "x", "message": "too many", "error_type": "TOO_MANY_TOKENS"}, "cohere", "cohere", kind="response"
    ).failure()
    assert isinstance(error, ConversionError.Refused)
    assert error.error.code == "TOO_MANY_TOKENS"


# What a reader makes of words and counts.


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "model_length"}]}, StopKind.CONTEXT_OVERFLOW),
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "error"}]}, StopKind.ERROR),
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "new"}]}, StopKind.OTHER),
        ("cohere", {"message": {}, "finish_reason": "STOP_SEQUENCE"}, StopKind.STOP_SEQUENCE),
        ("cohere", {"message": {}, "finish_reason": "MAX_TOKENS"}, StopKind.LENGTH),
        ("cohere", {"message": {}, "finish_reason": "TIMEOUT"}, StopKind.ERROR),
        ("ollama", {"message": {}, "done_reason": "load"}, StopKind.OTHER),
        ("ollama", {"message": {}, "done_reason": "length"}, StopKind.LENGTH),
        ("ollama", {"message": {"tool_calls": [{"function": {"name": "f"}}]}, "done_reason": "stop"}, StopKind.TOOL_CALLS),
    ],
)
def test_a_word_for_why_a_model_stopped_is_read_and_comes_home(name: str, body: dict[str, Any], kind: StopKind) -> None:
    read, write = DIALECTS[name].read_response, DIALECTS[name].write_response
    assert read is not None
    assert write is not None
    response = read(body).unwrap()
    assert response.metadata.stop is not None
    assert response.metadata.stop.kind is kind
    written = write(response)
    assert (stop_in(name, written.value), written.losses) == (stop_in(name, body), ())


def test_cached_tokens_of_mistral_are_read_from_either_place_and_go_back_to_it() -> None:
    for usage in ({"num_cached_tokens": 3}, {"prompt_tokens_details": {"cached_tokens": 3}}):
        body = {
            "choices": [],
            "object": "chat.completion",
            "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6, **usage},
        }
        read, write = DIALECTS["mistral"].read_response, DIALECTS["mistral"].write_response
        assert read is not None
        assert write is not None
        response = read(body).unwrap()
        assert response.metadata.usage is not None
        assert response.metadata.usage.cache_read == 3
        assert write(response).value == body
