"""The laws hold of the dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import DIALECTS, ChatRequest, laws, strategies
from chatadt.dialects.bedrock import DIALECT, with_base64, with_bytes

from .speech import requests

SOURCES: Final = ("openai_chat", "anthropic")


@given(strategies.json())
def test_reading_any_json_answers(value: Any) -> None:
    laws.answers(DIALECT, value)


@given(requests(), st.data())
def test_reading_a_body_that_was_broken_somewhere_answers_and_leaves_it_as_it_is(request: ChatRequest, data: st.DataObject) -> None:
    body = DIALECT.write_request(request).value
    broken = _broken(body, data)
    laws.answers(DIALECT, broken)
    laws.purity_of_reading(DIALECT, broken)


def _broken(value: Any, data: st.DataObject) -> Any:
    """The value with something inside it replaced, taken away or added."""
    match value:
        case dict() if value and data.draw(st.integers(0, 4)):
            key = data.draw(st.sampled_from(sorted(value)))
            inner = _broken(value[key], data)
            return {**value, key: inner} if data.draw(st.integers(0, 3)) else {k: v for k, v in value.items() if k != key}
        case list() if value and data.draw(st.integers(0, 4)):
            index = data.draw(st.integers(0, len(value) - 1))
            return [*value[:index], _broken(value[index], data), *value[index + 1 :]]
        case _:
            return data.draw(st.one_of(strategies.json(), st.binary(max_size=3), st.just(float("inf"))))


@given(requests())
def test_what_can_be_said_is_read_back_as_it_was(request: ChatRequest) -> None:
    laws.retraction(DIALECT, request)
    laws.identity(DIALECT, DIALECT.write_request(request).value)


@given(requests())
def test_bytes_and_base64_are_two_forms_of_one_body(request: ChatRequest) -> None:
    """A body in the SDK's form is read to the same words, and comes back in that form."""
    body = DIALECT.write_request(request).value
    sdk = with_bytes(body)
    assert with_base64(sdk) == body
    read = DIALECT.read_request(sdk).unwrap()
    assert read.messages == request.messages
    assert DIALECT.write_request(read).value == sdk


LAWS: Final = {
    name: laws.LAWS[name]
    for name in ("writes", "idempotence", "purity of writing", "honesty", "truth", "order", "checks", "repairs")
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_law_holds_of_any_request(law: Callable[..., None]) -> None:
    @given(strategies.chat_requests())
    def check(request: ChatRequest) -> None:
        law(DIALECT, request)

    check()


@given(strategies.histories().map(lambda history: ChatRequest(history)))
def test_each_result_answers_the_call_that_it_answered(conversation: ChatRequest) -> None:
    laws.pairing(DIALECT, conversation)


@pytest.mark.parametrize("source", SOURCES)
def test_the_laws_of_conversion_hold_from_and_to_the_others(source: str) -> None:
    @given(strategies.requests(source), requests())
    def check(theirs: ChatRequest, ours: ChatRequest) -> None:
        for law in (laws.policies, laws.ids):
            law(source, DIALECT, DIALECTS[source].write_request(theirs).value)
            law(DIALECT, source, DIALECT.write_request(ours).value)

    check()
