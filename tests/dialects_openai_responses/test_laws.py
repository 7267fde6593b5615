"""Any value in any place of a body of OpenAI Responses is answered."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from chatadt import laws, strategies
from chatadt.dialects.openai_responses import DIALECT


@given(strategies.json())
def test_any_value_is_answered(value: Any) -> None:
    laws.answers(DIALECT, value)
    laws.answers(DIALECT, {"input": value})
    laws.answers(DIALECT, {"input": [value]})
