"""The laws that hold of every dialect hold of Gemini."""

from __future__ import annotations

import pytest
from hypothesis import given

from chatadt import DIALECTS, ChatRequest, check, laws, strategies
from chatadt.dialects.gemini import DIALECT

from .plain import without_own_extras
from .speech import requests

ANY = strategies.chat_requests()
OTHERWISE = ANY.map(without_own_extras)
OTHERS = pytest.mark.parametrize("other", ["openai_chat", "anthropic"])


@given(requests())
def test_what_it_can_say_is_read_back_as_it_was(sayable: ChatRequest) -> None:
    laws.retraction(DIALECT, sayable)


@given(requests())
def test_what_it_can_say_breaks_no_rule_but_those_that_the_strategy_does_not_look_at(sayable: ChatRequest) -> None:
    """Texts may be blank, and the results of a turn stand in any order."""
    assert {violation.rule for violation in check(sayable, DIALECT)} <= {"blank-text", "results-in-order"}


@given(ANY)
def test_writing_is_total(request: ChatRequest) -> None:
    laws.writes(DIALECT, request)


@given(strategies.json())
def test_reading_is_total(value: object) -> None:
    laws.answers(DIALECT, value)
    laws.answers(DIALECT, {"contents": value, "systemInstruction": value, "tools": value, "generationConfig": value})
    laws.answers(DIALECT, {"contents": [{"role": "model", "parts": [value, {"functionCall": value}, {"text": value}]}]})
    laws.answers(DIALECT, {"contents": [{"parts": [{"functionResponse": value}, {"inlineData": value}, {"fileData": value}]}]})


@given(OTHERWISE)
def test_what_was_written_and_read_changes_no_more(request: ChatRequest) -> None:
    laws.idempotence(DIALECT, request)


@given(OTHERWISE)
def test_nothing_is_lost_in_silence(request: ChatRequest) -> None:
    laws.honesty(DIALECT, request)


@given(OTHERWISE)
def test_no_loss_lies(request: ChatRequest) -> None:
    laws.truth(DIALECT, request)


@given(OTHERWISE)
def test_what_is_said_stays_in_order(request: ChatRequest) -> None:
    laws.order(DIALECT, request)


@given(ANY)
def test_writing_is_pure(request: ChatRequest) -> None:
    laws.purity_of_writing(DIALECT, request)


@given(ANY)
def test_reading_is_pure(request: ChatRequest) -> None:
    laws.purity_of_reading(DIALECT, DIALECT.write_request(request).value)


@given(strategies.histories().map(ChatRequest))
def test_results_answer_the_calls_that_they_answered(conversation: ChatRequest) -> None:
    laws.pairing(DIALECT, conversation)


@OTHERS
def test_a_policy_decides_whether_and_not_what(other: str) -> None:
    @given(strategies.requests(other), ANY)
    def holds(theirs: ChatRequest, ours: ChatRequest) -> None:
        laws.policies(other, DIALECT, DIALECTS[other].write_request(theirs).value)
        laws.policies(DIALECT, other, DIALECT.write_request(ours).value)

    holds()


@OTHERS
def test_ids_are_rewritten_alike_in_calls_and_results(other: str) -> None:
    @given(strategies.requests(other), ANY)
    def holds(theirs: ChatRequest, ours: ChatRequest) -> None:
        laws.ids(other, DIALECT, DIALECTS[other].write_request(theirs).value)
        laws.ids(DIALECT, other, DIALECT.write_request(ours).value)

    holds()


@given(ANY)
def test_what_repair_mends_breaks_no_rule(request: ChatRequest) -> None:
    laws.repairs(DIALECT, request)
