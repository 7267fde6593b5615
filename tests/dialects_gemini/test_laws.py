"""Any value in any place of a body of Gemini is answered."""

from __future__ import annotations

from hypothesis import given

from chatadt import Json, Tool, laws, strategies
from chatadt.dialects.gemini import DIALECT


@given(strategies.json())
def test_reading_is_total(value: object) -> None:
    laws.answers(DIALECT, value)
    laws.answers(DIALECT, {"contents": value, "systemInstruction": value, "tools": value, "generationConfig": value})
    laws.answers(DIALECT, {"contents": [{"role": "model", "parts": [value, {"functionCall": value}, {"text": value}]}]})
    laws.answers(DIALECT, {"contents": [{"parts": [{"functionResponse": value}, {"inlineData": value}, {"fileData": value}]}]})


def test_a_body_too_deep_for_any_server_is_canonical_as_it_is() -> None:
    deep: object = "hi"
    for _ in range(5_000):
        deep = {"contents": [deep]}
    assert DIALECT.canonical(deep) is deep


def test_types_by_their_numbers_are_read_as_types_and_come_home_as_numbers() -> None:
    schema = {"type": 6, "properties": {"type": {"type": 1}, "on": {"type": 4}, "odd": {"type": 9}}}
    body = {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": schema}]}],
    }
    request = DIALECT.read_request(body).unwrap()
    tool = request.params.tools[0]
    assert isinstance(tool, Tool)
    assert tool.parameters == Json.of(
        {"type": "object", "properties": {"type": {"type": "string"}, "on": {"type": "boolean"}, "odd": {"type": 9}}}
    )
    assert DIALECT.write_request(request).value == body
