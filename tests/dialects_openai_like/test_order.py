"""What the hard cases of the three dialects do not ask."""

from __future__ import annotations

from chatadt.dialects import Target

from .family import FAMILY


def test_an_assistant_stands_between_a_result_and_a_user_where_the_order_is_strict() -> None:
    answered = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    body = {
        "messages": [
            {"role": "user", "content": "x"},
            {"role": "assistant", "tool_calls": [answered]},
            {"role": "tool", "tool_call_id": "abcdefghi", "content": "r"},
            {"role": "user", "content": "stop"},
        ]
    }
    request = FAMILY["mistral"].read_request(body).unwrap()
    written = FAMILY["mistral"].write_request(request, Target(strict_order=True))
    assert [(loss.what, loss.action.value) for loss in written.losses] == [("an assistant message", "invented")]
    assert len(FAMILY["mistral"].write_request(request).value["messages"]) == 4


def test_the_reasoning_of_mistral_is_read_as_one_text() -> None:
    """The half of D16 that is read here."""
    chunks = [{"type": "text", "text": "a greeting"}, {"type": "text", "text": ", reply"}]
    body = {
        "messages": [
            {"role": "assistant", "content": [{"type": "thinking", "thinking": chunks}, {"type": "text", "text": "Hello"}]}
        ]
    }
    request = FAMILY["mistral"].read_request(body).unwrap()
    assert [content.text for content in request.messages[0].contents] == ["a greeting, reply", "Hello"]  # type: ignore[union-attr]
    assert FAMILY["mistral"].write_request(request).value == body
