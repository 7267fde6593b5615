"""Laws of Bedrock alone: two forms of one body, and bodies that were broken somewhere."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from chatadt import ChatRequest, laws, strategies
from chatadt.dialects.bedrock import DIALECT, with_base64, with_bytes


@given(strategies.json())
def test_reading_any_json_answers(value: Any) -> None:
    laws.answers(DIALECT, value)


@given(strategies.requests("bedrock"), st.data())
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


@given(strategies.requests("bedrock"))
def test_bytes_and_base64_are_two_forms_of_one_body(request: ChatRequest) -> None:
    """A body in the SDK's form is read to the same words, and comes back in that form."""
    body = DIALECT.write_request(request).value
    sdk = with_bytes(body)
    assert with_base64(sdk) == body
    read = DIALECT.read_request(sdk).unwrap()
    assert read.messages == request.messages
    assert DIALECT.write_request(read).value == sdk


def test_bytes_stand_in_the_system_prompt_too() -> None:
    def body(image: object) -> dict[str, Any]:
        guarded = {"guardContent": {"image": {"format": "png", "source": {"bytes": image}}}}
        return {"system": [guarded], "messages": [{"role": "user", "content": [{"text": "hi"}]}]}

    assert with_bytes(body("aGk=")) == body(b"hi")
    assert with_base64(body(b"hi")) == body("aGk=")
