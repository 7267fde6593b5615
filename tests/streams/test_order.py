"""What an error or an end closes is said before it, by every reader and by every writer."""

from __future__ import annotations

from typing import Any, Final

import pytest
from wire.corpus import present, recordings

from chatadt import DIALECTS, Arguments, Delta, ProviderError, StopKind, StopReason, fold
from chatadt.dialects import FOLDERS

NAMES: Final = tuple(name for name in FOLDERS if DIALECTS[name].read_stream is not None)
by_name = pytest.mark.parametrize("name", NAMES)

FAILED: Final = Delta.Failed(ProviderError("boom"))
CALLS: Final = Delta.Stop(StopReason(StopKind.TOOL_CALLS))
ERRORS: Final[dict[str, Any]] = {
    "anthropic": {"type": "error", "error": {"type": "api_error", "message": "boom"}},
    "bedrock": {"internalServerException": {"message": "boom"}},
    "cohere": {"type": "error", "message": "boom"},
    "openai_responses": {"type": "error", "message": "boom"},
}
"""By dialect: the event of an error; of the others it is an object with one."""
PIECES: Final = (Delta.Text, Delta.Reasoning, Delta.Refusal, Delta.ToolRequest, Delta.Block, Delta.BlockExtras, Delta.Speaker)


def read(name: str, events: list[Any]) -> list[Delta.T]:
    return list(DIALECTS[name].read_stream(events))  # type: ignore[misc]


def written(name: str, deltas: list[Delta.T]) -> list[Any]:
    return list(DIALECTS[name].write_stream(deltas))  # type: ignore[misc]


def error_of(name: str) -> Any:
    return ERRORS.get(name, {"error": {"message": "boom"}})


def behind(deltas: list[Delta.T], last: type) -> list[Delta.T]:
    """What is said of the message behind the first delta of a kind."""
    at = next(index for index, delta in enumerate(deltas) if isinstance(delta, last))
    return [delta for delta in deltas[at:] if isinstance(delta, PIECES)]


# --- readers ---------------------------------------------------------------------------------------------------------------------


@present
@by_name
def test_an_error_comes_after_all_that_a_recorded_stream_said_before_it(name: str) -> None:
    failures = [
        f"{row.id} {at} {said}"
        for row in recordings(name, "stream")
        for at in range(1, min(len(row.body), 60), 3)
        if (said := behind(read(name, [*row.body[:at], error_of(name)]), Delta.Failed))
    ]
    assert not failures


@present
@by_name
def test_what_is_left_to_say_of_a_recorded_stream_was_said_before_the_reason_to_stop(name: str) -> None:
    reader: Any = DIALECTS[name].read_stream
    for row in recordings(name, "stream"):
        step, end = reader.begin()
        deltas = [delta for event in row.body for delta in step(event)]
        late = [delta for delta in end() if isinstance(delta, PIECES)]
        assert not (late and any(isinstance(delta, Delta.Stop) for delta in deltas)), f"{row.id} {late}"


def test_the_arguments_of_a_call_in_pieces_come_before_the_error() -> None:
    part: Any = {"functionCall": {"name": "look", "willContinue": True}}
    more: Any = {"functionCall": {"partialArgs": [{"jsonPath": "$.id", "stringValue": "B"}], "willContinue": True}}
    chunks = [{"candidates": [{"content": {"parts": [each]}}]} for each in (part, more)]
    deltas = read("gemini", [*chunks, {"error": {"message": "boom"}}])
    assert [delta.arguments for delta in deltas if isinstance(delta, Delta.ToolRequest)] == ["", '{"id":"B"']
    assert isinstance(deltas[-1], Delta.Failed)


def test_what_gemini_says_besides_comes_before_the_error_and_once() -> None:
    chunk: Any = {
        "candidates": [{"content": {"parts": [{"text": "hi"}]}, "groundingMetadata": {"webSearchQueries": ["q"]}}],
        "usageMetadata": {"promptTokenCount": 1},
    }
    error: Any = {"error": {"message": "boom"}}
    more: Any = {**chunk, "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2}}
    deltas = read("gemini", [chunk, more, error])
    assert isinstance(deltas[-1], Delta.Failed)
    assert {Delta.Answer, Delta.Tokens} <= {type(delta) for delta in deltas}
    again = read("gemini", [chunk, error, chunk])
    assert len([delta for delta in again if isinstance(delta, Delta.Answer)]) == 1


def test_the_text_of_a_custom_tool_and_what_is_numbered_come_before_the_end() -> None:
    custom: Any = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "select"}}
    detail: Any = [{"type": "reasoning.text", "index": 0, "text": "hm"}]
    audio: Any = {"id": "a", "data": "AAAA"}
    said = {"tool_calls": [custom], "reasoning_details": detail, "audio": audio}
    chunk: Any = {"id": "1", "choices": [{"index": 0, "delta": said}]}
    end: Any = {"id": "1", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    for last, kind in ((end, Delta.Stop), ({"error": {"message": "boom"}}, Delta.Failed)):
        deltas = read("openai_chat", [chunk, last])
        assert isinstance(deltas[-1], kind)
        assert {Delta.Block, Delta.Speaker} <= {type(delta) for delta in deltas[:-1]}


def test_details_that_come_after_the_end_are_told_once() -> None:
    def chunk(text: str) -> Any:
        return {"id": "1", "choices": [{"index": 0, "delta": {"reasoning_details": [{"index": 0, "text": text}]}}]}

    end: Any = {"id": "1", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    home = written("openai_chat", read("openai_chat", [chunk("a"), end, chunk("b")]))
    details = [each["delta"].get("reasoning_details", ()) for event in home for each in event["choices"]]
    assert "".join(detail["text"] for told in details for detail in told) == "ab"


def test_blocks_that_nothing_closed_are_said_before_the_end_of_the_message() -> None:
    whole: Any = {"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}
    start: Any = {"type": "content_block_start", "index": 0, "content_block": whole}
    stop: Any = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
    for last in (stop, ERRORS["anthropic"]):
        assert [delta.arguments for delta in read("anthropic", [start, last]) if isinstance(delta, Delta.ToolRequest)] == [
            "",
            '{"a":1}',
        ]
        assert isinstance(read("anthropic", [start, last])[-1], Delta.Stop | Delta.Failed)
    thought: Any = {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "hm"}}}}
    deltas = read("bedrock", [thought, ERRORS["bedrock"]])
    assert isinstance(deltas[-1], Delta.Failed)
    assert isinstance(deltas[-2], Delta.BlockExtras)


@pytest.mark.parametrize(
    "last",
    [
        {"type": "error", "message": "boom"},
        {"type": "response.completed", "response": {"id": "r", "status": "completed", "output": []}},
        {"type": "response.failed", "response": {"id": "r", "status": "failed", "error": {"message": "boom"}, "output": []}},
    ],
)
def test_items_that_nothing_closed_are_said_before_the_end_of_the_answer(last: Any) -> None:
    item: Any = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": '{"a":1}'}
    custom: Any = {"type": "custom_tool_call", "id": "ct", "call_id": "d", "name": "sql", "input": ""}
    deltas = read(
        "openai_responses",
        [
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.added", "output_index": 1, "item": custom},
            {"type": "response.custom_tool_call_input.delta", "output_index": 1, "delta": "select 1"},
            last,
        ],
    )
    assert isinstance(deltas[-1], Delta.Stop | Delta.Failed)
    assert [request.arguments.json.text for request in fold(deltas).message.tool_requests] == ['{"a":1}', '"select 1"']  # type: ignore[union-attr]


def test_a_start_of_a_call_that_comes_twice_says_nothing_of_its_arguments() -> None:
    start: Any = {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f"}}
    piece: Any = {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"a":1}'}}
    assert fold(read("anthropic", [start, start, piece])) == fold(read("anthropic", [start, piece]))


# --- writers ---------------------------------------------------------------------------------------------------------------------

STREAMS: Final[dict[str, list[Delta.T]]] = {
    "an error only": [FAILED],
    "an error first": [FAILED, Delta.Text(0, "hi")],
    "an error in a call": [Delta.Start("i", "m"), Delta.ToolRequest(0, "", "a", "f"), FAILED, Delta.ToolRequest(0, '{"a":1}')],
    "an error after a call that has begun": [
        Delta.Start("i", "m"),
        Delta.ToolRequest(0, '{"a":1}', "a", "f"),
        CALLS,
        Delta.ToolRequest(1, "", "b", "g"),
        FAILED,
    ],
}


@by_name
@pytest.mark.parametrize("told", STREAMS)
def test_what_is_said_comes_before_the_error_and_begins_with_its_beginning(name: str, told: str) -> None:
    events = written(name, STREAMS[told])
    assert "boom" in str(events[-1])
    assert not any("boom" in str(event) for event in events[:-1])
    calls = [(call.id, call.name) for call in fold(read(name, events)).message.tool_requests]
    expected = [("a", "f"), ("b", "g")][: sum(bool(getattr(delta, "name", "")) for delta in STREAMS[told])]
    assert [name for _, name in calls] == [name for _, name in expected]
    if name == "cohere":
        assert events[0]["event"] == "message-start"


def test_a_call_of_openai_chat_begins_before_its_arguments_and_before_the_reason_to_stop() -> None:
    for told in ("an error in a call", "an error after a call that has begun"):
        begun: set[int] = set()
        ended = False
        for event in written("openai_chat", STREAMS[told])[:-1]:
            (choice,) = event["choices"]
            for call in choice["delta"].get("tool_calls", ()):
                assert not ended
                assert call["index"] in begun or (call["id"] and call["function"]["name"])
                begun.add(call["index"])
            ended = ended or choice["finish_reason"] is not None


def test_an_error_after_the_end_is_an_event_of_its_own_for_responses() -> None:
    said = [Delta.Start(), Delta.Text(0, "hi"), Delta.Stop(StopReason(StopKind.END)), Delta.Failed(ProviderError("Boom", "503"))]
    events = written("openai_responses", said)
    assert [event["event"] for event in events[-2:]] == ["response.completed", "error"]
    assert events[-2]["data"]["response"]["error"] is None
    last = read("openai_responses", events)[-1]
    assert isinstance(last, Delta.Failed)
    assert (last.error.message, last.error.code) == ("Boom", "503")
    failed = written("openai_responses", [*said[:2], Delta.Stop(StopReason(StopKind.ERROR)), said[3]])
    assert failed[-1]["event"] == "response.failed"
    assert failed[-1]["data"]["response"]["error"]["message"] == "Boom"


@pytest.mark.parametrize("first", [[], [{"id": "1", "model": "m", "choices": []}], [{"choices": []}]])
def test_nothing_stands_behind_an_error_that_comes_first(first: list[dict[str, Any]]) -> None:
    assert isinstance(read("openai_chat", [*first, {"error": {"message": "Boom"}}])[-1], Delta.Failed)


def test_a_call_of_gemini_that_goes_on_is_cut_off_by_the_length() -> None:
    goes_on = {"functionCall": {"partialArgs": [{"jsonPath": "$.id", "stringValue": "B"}], "willContinue": True}}
    chunks: list[dict[str, Any]] = [
        {"candidates": [{"content": {"parts": [{"functionCall": {"name": "read", "willContinue": True}}]}}]},
        {"candidates": [{"content": {"parts": [goes_on]}, "finishReason": "MAX_TOKENS"}]},
    ]
    (call,) = fold(read("gemini", chunks)).message.tool_requests
    assert isinstance(call.arguments, Arguments.Malformed)
    assert fold(read("gemini", written("gemini", read("gemini", chunks)))) == fold(read("gemini", chunks))
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    (call,) = fold(read("gemini", chunks)).message.tool_requests
    assert call.arguments == Arguments.of({"id": "B"})
