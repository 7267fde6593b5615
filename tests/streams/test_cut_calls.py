"""A call that was cut off before its arguments is not a call without arguments: nobody knows what it was to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Arguments, ChatResponse, Content, Delta, Loss, Metadata, StopKind, StopReason, Weight, deltas_of, fold
from chatadt.chat import ProviderError

CALL: Final = Delta.ToolRequest(0, "", "c1", "wipe")
DONE: Final = [None, *(kind for kind in StopKind if kind.value in ("end", "stop_sequence", "tool_calls", "paused", "other"))]
CUT: Final = [kind for kind in StopKind if kind not in DONE]
CALLED: Final[dict[str, Any]] = {"id": "c1", "type": "function", "function": {"name": "wipe", "arguments": ""}}


def stopped(kind: StopKind | None) -> Delta.T:
    return Delta.Stop(None if kind is None else StopReason(kind))


def arguments(answer: ChatResponse) -> list[Arguments.T]:
    return [request.arguments for request in answer.message.tool_requests]


def is_cut(found: Arguments.T) -> bool:
    return isinstance(found, Arguments.Malformed) and not found.text.strip()


@pytest.mark.parametrize("kind", CUT)
def test_a_call_at_the_end_of_an_answer_that_was_not_done_has_no_arguments_yet(kind: StopKind) -> None:
    (found,) = arguments(fold([CALL, stopped(kind)]))
    assert is_cut(found)
    assert kind.value in str(found)


@pytest.mark.parametrize("kind", DONE)
def test_where_the_model_was_done_nothing_at_all_is_an_empty_object(kind: StopKind | None) -> None:
    assert arguments(fold([CALL, stopped(kind)])) == [Arguments.of({})]


def test_a_stream_that_broke_off_has_cut_the_call_that_it_ends_with_and_no_other() -> None:
    for end in ([], [Delta.Failed(ProviderError("overloaded"))]):
        first, last = arguments(fold([CALL, Delta.ToolRequest(1, " ", "c2", "wipe"), *end]))
        assert first == Arguments.of({})
        assert is_cut(last)
    assert arguments(fold([CALL, Delta.Text(1, "and then")])) == [Arguments.of({})]
    assert arguments(fold([CALL, Delta.ToolRequest(0, "{}")])) == [Arguments.of({})]


def test_each_choice_is_cut_for_itself() -> None:
    answer = fold([CALL, Delta.ToolRequest(0, "", "c2", "wipe", choice=1), stopped(StopKind.TOOL_CALLS), Delta.Stop(_LENGTH, 1)])
    assert arguments(answer) == [Arguments.of({})]
    (request,) = answer.others[0].message.tool_requests
    assert is_cut(request.arguments)


def test_an_answer_with_such_a_call_is_said_piece_by_piece_and_folds_again() -> None:
    answer = fold([CALL])
    assert fold(deltas_of(answer)) == answer


_LENGTH: Final = StopReason(StopKind.LENGTH)
_ANTHROPIC: Final[list[dict[str, Any]]] = [
    {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "x"}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c1", "name": "wipe", "input": {}}},
]
_BEDROCK: Final[list[dict[str, Any]]] = [
    {"messageStart": {"role": "assistant"}},
    {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c1", "name": "wipe"}}}},
    {"contentBlockStop": {"contentBlockIndex": 0}},
]
_ITEM: Final = {"type": "function_call", "id": "fc", "call_id": "c1", "name": "wipe", "arguments": ""}
_RESPONSES: Final[list[dict[str, Any]]] = [
    {"type": "response.created", "response": {"id": "r", "object": "response", "status": "in_progress", "output": []}},
    {"type": "response.output_item.added", "output_index": 0, "item": {**_ITEM, "status": "in_progress"}},
]
_OPENAI: Final[list[dict[str, Any]]] = [
    {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [{"index": 0, **CALLED}]}}]}
]
_COHERE: Final[list[dict[str, Any]]] = [
    {"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant"}}},
    {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": CALLED}}},
]
_CUT: Final[list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]] = [
    ("openai_chat", _OPENAI, [{"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}]),
    ("anthropic", _ANTHROPIC, [{"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}, {"type": "message_stop"}]),
    ("bedrock", _BEDROCK, [{"messageStop": {"stopReason": "max_tokens"}}]),
    ("cohere", _COHERE, [{"type": "message-end", "delta": {"finish_reason": "MAX_TOKENS"}}]),
    (
        "openai_responses",
        _RESPONSES,
        [
            {"type": "response.output_item.done", "output_index": 0, "item": {**_ITEM, "status": "incomplete"}},
            {
                "type": "response.incomplete",
                "response": {
                    "id": "r",
                    "object": "response",
                    "status": "incomplete",
                    "incomplete_details": {"reason": "max_output_tokens"},
                    "output": [{**_ITEM, "status": "incomplete"}],
                },
            },
        ],
    ),
]


@pytest.mark.parametrize(("source", "begun", "ended"), _CUT, ids=[source for source, *_ in _CUT])
def test_every_reader_says_so(source: str, begun: list[dict[str, Any]], ended: list[dict[str, Any]]) -> None:
    read = DIALECTS[source].read_stream
    assert read is not None
    for events in (begun, [*begun, *ended]):
        (found,) = arguments(fold(read(events)))
        assert is_cut(found), (source, found)


ENDS: Final = [[], *([stopped(kind)] for kind in CUT)]


def tells(losses: Sequence[Loss]) -> bool:
    """Whether the losses say that something else stands in place of the arguments, or nothing in place of the call."""
    told = [loss for loss in losses if loss.what in ("arguments", "a tool request")]
    return any(loss.weight is Weight.CONTENT and loss.path == "$.message.contents[0]" for loss in told)


@pytest.mark.parametrize("target", sorted(DIALECTS))
@pytest.mark.parametrize("end", ENDS, ids=["broken off", *(kind.value for kind in CUT)])
def test_no_writer_of_streams_makes_an_empty_object_of_it_and_keeps_silent(target: str, end: list[Delta.T]) -> None:
    write, read = DIALECTS[target].write_stream, DIALECTS[target].read_stream
    assert write is not None
    assert read is not None
    for deltas in ([Delta.Start(), CALL, *end], [*deltas_of(fold([CALL, *end]))]):
        losses: list[Loss] = []
        found = arguments(fold(read(write(deltas, losses))))
        assert (len(found) == 1 and is_cut(found[0])) != tells(losses), (found, losses)


@pytest.mark.parametrize("target", sorted(DIALECTS))
@pytest.mark.parametrize("end", ENDS, ids=["broken off", *(kind.value for kind in CUT)])
def test_no_writer_of_whole_answers_does(target: str, end: list[Delta.T]) -> None:
    write, read = DIALECTS[target].write_response, DIALECTS[target].read_response
    assert write is not None
    assert read is not None
    written = write(fold([CALL, *end]))
    (found,) = arguments(read(written.value).unwrap())
    assert is_cut(found) != tells(written.losses), (found, written.losses)


@pytest.mark.parametrize("target", sorted(DIALECTS))
@pytest.mark.parametrize("kind", DONE)
def test_a_call_that_ended_without_arguments_loses_none(target: str, kind: StopKind | None) -> None:
    write, read = DIALECTS[target].write_stream, DIALECTS[target].read_stream
    assert write is not None
    assert read is not None
    losses: list[Loss] = []
    assert arguments(fold(read(write([Delta.Start(), CALL, stopped(kind)], losses)))) == [Arguments.of({})]
    assert not tells(losses)


@pytest.mark.parametrize("kind", [StopKind.LENGTH, StopKind.REFUSAL])
def test_an_item_of_such_a_call_is_incomplete(kind: StopKind) -> None:
    responses = DIALECTS["openai_responses"]
    assert responses.write_stream is not None
    assert responses.write_response is not None
    deltas = [Delta.Start(), CALL, stopped(kind)]
    (done,) = (event["data"] for event in responses.write_stream(deltas) if event["event"] == "response.output_item.done")
    (whole,) = responses.write_response(fold(deltas)).value["output"]
    for item in (done["item"], whole):
        assert (item["arguments"], item["status"]) == ("", "incomplete")


def test_a_gemini_stream_says_no_such_call_but_its_own() -> None:
    gemini = DIALECTS["gemini"]
    assert gemini.read_stream is not None
    assert gemini.write_stream is not None
    assert "functionCall" not in str(list(gemini.write_stream([Delta.Start(), CALL])))
    call = {"functionCall": {"name": "wipe", "id": "c1", "willContinue": True}}
    begun = [{"candidates": [{"index": 0, "content": {"role": "model", "parts": [call]}}]}]
    (found,) = arguments(fold(gemini.read_stream(begun)))
    assert is_cut(found)
    losses: list[Loss] = []
    assert call in [
        part
        for event in gemini.write_stream(gemini.read_stream(begun), losses)
        for candidate in event["candidates"]
        for part in candidate.get("content", {}).get("parts", ())
    ]
    assert losses == []


WHOLE: Final[dict[str, dict[str, Any]]] = {
    "openai_chat": {
        "choices": [
            {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": None, "tool_calls": [CALLED]}}
        ]
    },
    "mistral": {
        "choices": [
            {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": "", "tool_calls": [CALLED]}}
        ]
    },
    "cohere": {"id": "m", "finish_reason": "MAX_TOKENS", "message": {"role": "assistant", "tool_calls": [CALLED]}},
    "openai_responses": {
        "id": "r",
        "object": "response",
        "status": "incomplete",
        "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{**_ITEM, "status": "incomplete"}],
    },
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_answers_say_so_too_and_go_home_as_they_were(name: str) -> None:
    read, write = DIALECTS[name].read_response, DIALECTS[name].write_response
    assert read is not None
    assert write is not None
    answer = read(WHOLE[name]).unwrap()
    (found,) = arguments(answer)
    assert is_cut(found)
    assert write(answer).value == WHOLE[name]


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_every_provider_takes_the_conversation_as_it_goes_on(name: str) -> None:
    answer = fold([CALL])
    write = DIALECTS[name].write_response
    assert write is not None
    written = write(ChatResponse(answer.message, Metadata(stop=_LENGTH)))
    losses = [loss for loss in written.losses if loss.what == "arguments"]
    assert len(losses) <= 1
    assert all("nothing came of the arguments" in loss.reason for loss in losses)
    assert isinstance(answer.message.contents[0], Content.ToolRequest)
