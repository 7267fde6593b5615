"""Any value in any place of a body of Gemini is answered."""

from __future__ import annotations

from hypothesis import given

from chatadt import laws, strategies
from chatadt.dialects.gemini import DIALECT


@given(strategies.json())
def test_reading_is_total(value: object) -> None:
    laws.answers(DIALECT, value)
    laws.answers(DIALECT, {"contents": value, "systemInstruction": value, "tools": value, "generationConfig": value})
    laws.answers(DIALECT, {"contents": [{"role": "model", "parts": [value, {"functionCall": value}, {"text": value}]}]})
    laws.answers(DIALECT, {"contents": [{"parts": [{"functionResponse": value}, {"inlineData": value}, {"fileData": value}]}]})
