"""Calls in streams: each is all there before the next one begins, and before the reason to stop, as clients take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk
from wire.corpus import present, recordings
from wire.views import NAMES

from chatadt import DIALECTS, ChatResponse, Content, Delta, Message, Metadata, StopKind, StopReason, deltas_of

ARGUMENTS: Final = ("", '{"a":1}', "")
"""Of three calls, one after the other."""


def from_anthropic() -> list[Any]:
    events: list[Any] = [
        {"type": "message_start", "message": {"id": "m", "model": "c", "content": [], "usage": {"input_tokens": 5}}}
    ]
    for index, text in enumerate(ARGUMENTS):
        block = {"type": "tool_use", "id": f"t{index}", "name": "now", "input": {}}
        events += [
            {"type": "content_block_start", "index": index, "content_block": block},
            {"type": "content_block_delta", "index": index, "delta": {"type": "input_json_delta", "partial_json": text}},
            {"type": "content_block_stop", "index": index},
        ]
    return [*events, {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}, {"type": "message_stop"}]


def from_bedrock() -> list[Any]:
    events: list[Any] = [{"messageStart": {"role": "assistant"}}]
    for index, text in enumerate(ARGUMENTS):
        start = {"toolUse": {"toolUseId": f"t{index}", "name": "now"}}
        events += [
            {"contentBlockStart": {"contentBlockIndex": index, "start": start}},
            {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"toolUse": {"input": text}}}},
            {"contentBlockStop": {"contentBlockIndex": index}},
        ]
    return [*events, {"messageStop": {"stopReason": "tool_use"}}]


def from_cohere() -> list[Any]:
    events: list[Any] = [{"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant"}}}]
    for index, text in enumerate(ARGUMENTS):
        call = {"id": f"t{index}", "type": "function", "function": {"name": "now", "arguments": ""}}
        events += [
            {"type": "tool-call-start", "index": index, "delta": {"message": {"tool_calls": call}}},
            {"type": "tool-call-delta", "index": index, "delta": {"message": {"tool_calls": {"function": {"arguments": text}}}}},
            {"type": "tool-call-end", "index": index},
        ]
    return [*events, {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}]


def from_openai_responses() -> list[Any]:
    about = {"id": "r", "model": "m", "output": []}
    events: list[Any] = [{"type": "response.created", "response": {**about, "status": "in_progress"}}]
    for index, text in enumerate(ARGUMENTS):
        item = {"type": "function_call", "id": f"fc_{index}", "call_id": f"t{index}", "name": "now", "arguments": ""}
        events += [
            {"type": "response.output_item.added", "output_index": index, "item": item},
            {"type": "response.function_call_arguments.delta", "output_index": index, "delta": text},
            {"type": "response.function_call_arguments.done", "output_index": index, "arguments": text},
            {"type": "response.output_item.done", "output_index": index, "item": {**item, "arguments": text}},
        ]
    return [*events, {"type": "response.completed", "response": {**about, "status": "completed"}}]


SOURCES: Final = {
    "anthropic": from_anthropic,
    "bedrock": from_bedrock,
    "cohere": from_cohere,
    "openai_responses": from_openai_responses,
}
"""The dialects that say when a call ends."""
from_each = pytest.mark.parametrize("source", SOURCES)


def written(source: str, target: str) -> list[Any]:
    return list(DIALECTS[target].write_stream(DIALECTS[source].read_stream(SOURCES[source]())))


def fragments(events: list[Any]) -> Iterator[tuple[Any, ...]]:
    """What chunks of OpenAI Chat say of calls, and of the end."""
    for event in events:
        for choice in event["choices"]:
            for call in choice["delta"].get("tool_calls", ()):
                said = call.get("function") or call.get("custom")
                yield call["index"], said.get("arguments", said.get("input"))
            if choice["finish_reason"]:
                yield ("end",)


@from_each
def test_a_call_without_arguments_has_an_empty_object_before_the_next_call_and_the_end(source: str) -> None:
    told = [each for each in fragments(written(source, "openai_chat")) if each[-1]]
    assert told == [(0, "{}"), (1, '{"a":1}'), (2, "{}"), ("end",)]


@from_each
def test_the_official_client_of_openai_chat_says_that_each_call_is_done_with_its_arguments(source: str) -> None:
    tool: Any = {"type": "function", "function": {"name": "now", "strict": True, "parameters": {"type": "object"}}}
    state: Any = ChatCompletionStreamState(input_tools=[tool])
    done = [
        (event.index, event.arguments, event.parsed_arguments)
        for chunk in written(source, "openai_chat")
        for event in state.handle_chunk(construct_type(type_=ChatCompletionChunk, value=chunk))
        if event.type == "tool_calls.function.arguments.done"
    ]
    assert done == [(0, "{}", {}), (1, '{"a":1}', {"a": 1}), (2, "{}", {})]


KINDS: Final = {
    "anthropic": ("content_block_start", "content_block_stop"),
    "cohere": ("tool-call-start", "tool-call-end"),
    "openai_responses": ("response.output_item.added", "response.output_item.done"),
}


@from_each
@pytest.mark.parametrize("target", [*KINDS, "bedrock"])
def test_calls_that_came_one_after_the_other_go_out_one_after_the_other(source: str, target: str) -> None:
    events = written(source, target)
    if target == "bedrock":
        told = [name for event in events for name in event if name in ("contentBlockStart", "contentBlockStop")]
        assert told == ["contentBlockStart", "contentBlockStop"] * 3
    else:
        assert [event["event"] for event in events if event["event"] in KINDS[target]] == [*KINDS[target]] * 3


@from_each
def test_a_call_that_is_cut_off_gets_no_arguments(source: str) -> None:
    """It may have had some: nobody is to run it."""
    cut = SOURCES[source]()[:2]
    deltas = list(DIALECTS[source].read_stream(cut))
    assert [delta.name for delta in deltas if isinstance(delta, Delta.ToolRequest)] == ["now"]
    for target in ("openai_chat", "anthropic", "bedrock", "cohere", "openai_responses"):
        assert "{}" not in str(list(DIALECTS[target].write_stream(deltas))).replace("'input': {}", ""), target


def test_the_text_of_a_custom_tool_stands_before_the_reason_to_stop() -> None:
    chunk: Any = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    said: Any
    for extra, name in (({"openai_chat": {"$type": "custom"}}, "openai_chat"), ({"azure": {"$type": "custom"}}, "azure")):
        calls = [Content.ToolRequest(id_, "sql", '"select 1"', extra) for id_ in "ab"]  # type: ignore[arg-type]
        answer = ChatResponse(Message.Assistant(calls), Metadata(stop=StopReason(StopKind.TOOL_CALLS)))
        told = [each for each in fragments(list(DIALECTS[name].write_stream(deltas_of(answer)))) if each[-1]]
        assert told == [(0, "select 1"), (1, "select 1"), ("end",)]
    said = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    home = [
        {**chunk, "choices": [{"index": 0, "delta": {"tool_calls": [said]}, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    events = list(DIALECTS["openai_chat"].write_stream(DIALECTS["openai_chat"].read_stream(home)))
    assert [each for each in fragments(events) if each[-1]] == [(0, "select 1"), ("end",)]


@present
def test_nothing_of_a_recorded_call_comes_after_the_reason_to_stop() -> None:
    """Among them are four where it did."""
    failures: list[str] = []
    seen = set[str]()
    for source in NAMES[1:]:  # OpenAI Chat itself comes home as it came
        for row in recordings(source, "stream"):
            told = [*fragments([each for each in written_row(source, row.body) if "choices" in each])]
            if told.count(("end",)) == 1:
                seen.add(row.id)
                failures += [f"{source} {row.id} {told[-1]}"] if told[-1] != ("end",) else []
    assert {"29e3a4b45ca969b7", "39d2a5780e102dc1", "23eaae36a1e2570b", "4bfa6d482a1e757b"} <= seen
    assert not failures


def written_row(source: str, body: Any) -> list[Any]:
    return list(DIALECTS["openai_chat"].write_stream(DIALECTS[source].read_stream(body)))
