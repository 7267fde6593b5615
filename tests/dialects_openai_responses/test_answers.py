"""What answers of OpenAI Responses are read to, and what the answers of others become there."""

from __future__ import annotations

from typing import Any, Final

import pytest
from wire.answers import complaints

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    ConversionError,
    Loss,
    Message,
    Metadata,
    ProviderError,
    Resource,
    StopKind,
    StopReason,
    Usage,
)

NAME: Final = "openai_responses"
MESSAGE: Final[dict[str, Any]] = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
SAID: Final[dict[str, Any]] = {**MESSAGE, "content": [{"type": "output_text", "text": "Hi.", "annotations": []}]}
CALL: Final[dict[str, Any]] = {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"}
REFUSED: Final[dict[str, Any]] = {**MESSAGE, "content": [{"type": "refusal", "refusal": "No."}]}


def body(*output: Any, **beside: Any) -> dict[str, Any]:
    return {"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": [*output], **beside}


def read(value: Any) -> ChatResponse:
    answer: ChatResponse = DIALECTS[NAME].read_response(value).unwrap()  # type: ignore[misc]
    return answer


def write(answer: ChatResponse) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    written = DIALECTS[NAME].write_response(answer)  # type: ignore[misc]
    return written.value, written.losses


@pytest.mark.parametrize(
    ("value", "stop"),
    [
        (body(SAID), StopReason(StopKind.END, "completed")),
        (body(SAID, CALL), StopReason(StopKind.TOOL_CALLS, "completed")),
        (body(REFUSED), StopReason(StopKind.REFUSAL, "completed")),
        (
            body(CALL, status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            StopReason(StopKind.LENGTH, "max_output_tokens"),
        ),
        (
            body(status="incomplete", incomplete_details={"reason": "content_filter"}),
            StopReason(StopKind.CONTENT_FILTER, "content_filter"),
        ),
        (body(status="incomplete", incomplete_details=None), StopReason(StopKind.OTHER, "incomplete")),
        (body(status="incomplete", incomplete_details={"reason": "new"}), StopReason(StopKind.OTHER, "incomplete")),
        (body(status="failed", error={"code": "server_error", "message": "oops"}), StopReason(StopKind.ERROR, "failed")),
        (body(status="cancelled"), StopReason(StopKind.CANCELLED, "cancelled")),
        (body(status="queued"), StopReason(StopKind.PAUSED, "queued")),
        (body(status="in_progress"), StopReason(StopKind.PAUSED, "in_progress")),
        (body(status="max_output_tokens"), None),
        (body(SAID, status=None), None),
    ],
)
def test_the_status_says_why_the_model_stopped_and_comes_home(value: dict[str, Any], stop: StopReason | None) -> None:
    answer = read(value)
    assert answer.metadata.stop == stop
    assert write(answer) == (value, ())


def test_an_answer_that_failed_says_what_broke_it_off() -> None:
    answer = read(body(SAID, status="failed", error={"code": "rate_limit_exceeded", "message": "slow down"}))
    assert answer.metadata.error is not None
    assert (answer.metadata.error.code, answer.metadata.error.message) == ("rate_limit_exceeded", "slow down")
    assert answer.message.text == "Hi."


def test_an_error_in_place_of_an_answer_is_refused() -> None:
    refused = DIALECTS[NAME].read_response({"error": {"message": "no key", "code": "invalid_api_key"}}).failure()  # type: ignore[misc]
    assert isinstance(refused, ConversionError.Refused)
    assert refused.error.code == "invalid_api_key"


def test_an_item_of_the_servers_own_stands_where_it_was_said() -> None:
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
    strange = {"type": "x_search_call", "call_id": "x"}
    answer = read(body(search, SAID, strange))
    assert answer.message.contents[0] == Content.Custom(NAME, search)  # type: ignore[arg-type]
    assert answer.message.contents[2] == Content.Custom(NAME, strange)  # type: ignore[arg-type]
    assert write(answer) == (body(search, SAID, strange), ())


FOREIGN: Final = ChatResponse(
    Message.Assistant(
        [
            Content.Reasoning("hm", {"anthropic": {"signature": "s"}}),
            Content.Text("one"),
            Content.Text("two"),
            Content.ToolRequest("c", "f", {"a": 1}),
            Content.Refusal("no"),
        ]
    ),
    Metadata(id="msg_9", model="claude", usage=Usage(input=3, output=4), stop=StopReason(StopKind.TOOL_CALLS, "tool_use")),
)


def test_an_answer_from_elsewhere_is_of_the_official_type_and_says_what_it_invents() -> None:
    value, losses = write(FOREIGN)
    assert complaints(NAME, value) == []
    assert [(item["type"], item["id"]) for item in value["output"]] == [
        ("reasoning", "rs_0"),
        ("message", "msg_1"),
        ("function_call", "fc_2"),
        ("message", "msg_3"),
    ]
    assert [part["text"] for part in value["output"][1]["content"]] == ["one", "two"]
    assert value["output"][0]["summary"] == [{"type": "summary_text", "text": "hm"}]
    assert [(loss.what, loss.path) for loss in losses] == [
        ("signature (anthropic)", "$.message.contents[0]"),
        *[("the id of an item", "$.message")] * 4,
        ("the count input_tokens_details.cached_tokens", "$.metadata.usage"),
        ("the count input_tokens_details.cache_write_tokens", "$.metadata.usage"),
        ("the count output_tokens_details.reasoning_tokens", "$.metadata.usage"),
        *((f"the {key}", "$.metadata") for key in ("created_at", "parallel_tool_calls", "tool_choice", "tools")),
    ]


@pytest.mark.parametrize(
    ("kind", "status", "reason", "is_told"),
    [
        (StopKind.END, "completed", None, False),
        (StopKind.LENGTH, "incomplete", "max_output_tokens", False),
        (StopKind.CONTENT_FILTER, "incomplete", "content_filter", False),
        (StopKind.ERROR, "failed", None, False),
        (StopKind.CANCELLED, "cancelled", None, False),
        (StopKind.STOP_SEQUENCE, "completed", None, True),
        (StopKind.TOOL_CALLS, "completed", None, True),
        (StopKind.REFUSAL, "incomplete", "content_filter", True),
        (StopKind.CONTEXT_OVERFLOW, "incomplete", "max_output_tokens", True),
        (StopKind.INTERRUPTED, "incomplete", None, True),
        (StopKind.PAUSED, "incomplete", None, True),
        (StopKind.MALFORMED_TOOL_CALL, "incomplete", None, True),
        (StopKind.OTHER, "completed", None, True),
    ],
)
def test_every_stop_reason_has_a_status(kind: StopKind, status: str, reason: str | None, is_told: bool) -> None:
    value, losses = write(ChatResponse(Message.Assistant(["hi"]), Metadata(stop=StopReason(kind, "raw"))))
    assert (value["status"], (value["incomplete_details"] or {}).get("reason")) == (status, reason)
    assert any(loss.what == "the stop reason" for loss in losses) is is_told
    assert complaints(NAME, value) == []


@pytest.mark.parametrize(("code", "told"), [("rate_limit_exceeded", None), ("overloaded_error", "rewritten"), (None, "invented")])
def test_an_error_from_elsewhere_has_a_code_of_this_provider(code: str | None, told: str | None) -> None:
    error = Metadata(error=ProviderError("busy", code), stop=StopReason(StopKind.ERROR))
    value, losses = write(ChatResponse(Message.Assistant(()), error))
    assert value["error"] == {"code": code if told is None else "server_error", "message": "busy"}
    assert [loss.action.value for loss in losses if loss.what == "the code of the error"] == ([] if told is None else [told])
    assert complaints(NAME, value) == []


def test_what_an_answer_cannot_say_is_a_loss_at_its_path() -> None:
    picture = Content.Image(Resource.Ref("https://example.org/cat.png"))
    value, losses = write(ChatResponse(Message.Assistant(["hi", picture], "bob"), Metadata(usage=Usage(audio_input=1))))
    assert len(value["output"]) == 1
    found = {(loss.what, loss.path) for loss in losses}
    assert ("image of an assistant", "$.message.contents[1]") in found
    assert ("the name of the assistant", "$.message.name") in found
    assert ("the count audio_input", "$.metadata.usage.audio_input") in found
