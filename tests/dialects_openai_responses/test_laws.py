"""The laws of converters hold of this dialect."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given

from chatadt import ChatRequest, laws, strategies
from chatadt.dialects.openai_responses import DIALECT

from .sayable import sayable

ANY_REQUEST: Final = (laws.writes, laws.honesty, laws.idempotence, laws.order, laws.purity_of_writing)


@pytest.mark.parametrize("law", ANY_REQUEST, ids=lambda law: law.__name__)
def test_a_law_holds_of_any_request(law: Any) -> None:
    @given(strategies.chat_requests())
    def check(request: ChatRequest) -> None:
        law(DIALECT, request)

    check()


@given(sayable())
def test_what_can_be_said_is_written_without_a_loss_and_read_back_as_it_was(request: ChatRequest) -> None:
    laws.retraction(DIALECT, request)


@given(sayable())
def test_what_can_be_said_comes_home(request: ChatRequest) -> None:
    body = DIALECT.write_request(request).value
    laws.identity(DIALECT, body)
    laws.purity_of_reading(DIALECT, body)


@given(strategies.json())
def test_any_value_is_answered(value: Any) -> None:
    laws.answers(DIALECT, value)
    laws.answers(DIALECT, {"input": value})
    laws.answers(DIALECT, {"input": [value]})


@given(strategies.histories())
def test_a_result_answers_the_call_that_it_answered(history: Any) -> None:
    laws.pairing(DIALECT, ChatRequest(history))
