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

from chatadt import (
    DIALECTS,
    Arguments,
    ChatResponse,
    Content,
    Delta,
    Json,
    Loss,
    Message,
    Metadata,
    StopKind,
    StopReason,
    Weight,
    deltas_of,
    fold,
)

from .work import grown, work_of

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


# Calls of which nobody says what is called.

NAMELESS: Final[list[Any]] = [
    {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "t0", "name": "one"}}}},
    {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": '{"b":"2"}'}}}},
    {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "t2", "name": "two"}}}},
]
"""Three calls, of which the second was never started."""


@pytest.mark.parametrize("ends", [[], [{"messageStop": {"stopReason": "tool_use"}}]], ids=["broken off", "done"])
@pytest.mark.parametrize("target", DIALECTS)
def test_a_call_without_a_name_is_the_same_loss_everywhere_and_goes_into_no_other(target: str, ends: list[Any]) -> None:
    deltas = list(DIALECTS["bedrock"].read_stream([*NAMELESS, *ends]))  # type: ignore[misc]
    losses: list[Loss] = []
    events = list(DIALECTS[target].write_stream(deltas, losses))  # type: ignore[misc]
    (loss,) = [loss for loss in losses if loss.what == "a tool request without a name"]
    assert (loss.path, loss.reason, loss.weight) == ("$.message.contents[1]", "a call names its tool", Weight.CONTENT)
    assert loss.original == Json.of({"id": None, "name": "", "arguments": '{"b":"2"}'})
    requests = fold(DIALECTS[target].read_stream(events)).message.tool_requests  # type: ignore[misc]
    is_gone = target == "gemini" and not ends  # what breaks off before its arguments is no call there
    assert [request.name for request in requests] == (["one"] if is_gone else ["one", "two"])
    assert "2" not in [str(request.arguments) for request in requests]
    whole = DIALECTS[target].write_response(fold(deltas))  # type: ignore[misc]
    assert [each for each in whole.losses if each.what == loss.what] == [loss]


@pytest.mark.parametrize("target", DIALECTS)
def test_a_name_that_comes_after_the_arguments_is_that_of_their_call(target: str) -> None:
    told = [Delta.Start("i", "m"), Delta.ToolRequest(0, '{"a":'), Delta.ToolRequest(0, "1}"), Delta.ToolRequest(0, "", "c", "look")]
    losses: list[Loss] = []
    events = list(DIALECTS[target].write_stream([*told, Delta.Stop(None)], losses))  # type: ignore[misc]
    (request,) = fold(DIALECTS[target].read_stream(events)).message.tool_requests  # type: ignore[misc]
    assert (request.name, request.arguments) == ("look", Arguments.of('{"a":1}'))
    assert "a tool request without a name" not in {loss.what for loss in losses}


def test_many_calls_without_a_name_take_no_more_time_each() -> None:
    def steps(count: int) -> Any:
        calls = [Delta.ToolRequest(index, "{}") for index in range(count)]
        return lambda: iter(DIALECTS["openai_chat"].write_stream(calls, []))  # type: ignore[misc]

    few, many = (work_of(steps(count)) for count in (100, 400))
    assert max(grown(few, many).values()) < 5


# Calls of tools that take any text.


def free_form(*ends: Any) -> list[Any]:
    item: Any = {"type": "custom_tool_call", "id": "ct", "call_id": "c", "name": "sql", "input": ""}
    return [
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.custom_tool_call_input.delta", "item_id": "ct", "output_index": 0, "delta": "select 1"},
        {"type": "response.output_item.done", "output_index": 0, "item": {**item, "input": "select 1"}},
        *ends,
    ]


def test_a_call_of_free_form_text_has_its_name_before_its_text() -> None:
    deltas = DIALECTS["openai_responses"].read_stream(free_form())  # type: ignore[misc]
    requests = [delta for delta in deltas if isinstance(delta, Delta.ToolRequest)]
    assert (requests[0].id, requests[0].name, requests[0].arguments) == ("c", "sql", "")
    assert "".join(request.arguments for request in requests) == '"select 1"'


@pytest.mark.parametrize("target", [name for name in DIALECTS if DIALECTS[name].framing == DIALECTS["openai_chat"].framing])
def test_each_call_of_openai_chat_begins_with_its_id_and_its_whole_name(target: str) -> None:
    deltas = DIALECTS["openai_responses"].read_stream(free_form())  # type: ignore[misc]
    events = list(DIALECTS[target].write_stream(deltas))  # type: ignore[misc]
    call = next(call for event in events for choice in event["choices"] for call in choice["delta"].get("tool_calls", ()))
    assert (call["id"], (call.get("function") or call["custom"])["name"]) == ("c", "sql")


# Calls whose name comes after others have begun.


def fragments_of(*said: Any, reason: str | None = "tool_calls") -> list[Any]:
    """Chunks of OpenAI Chat: of each what it says of a message, and then why it stopped, if it did."""
    base: Any = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [{**base, "choices": [{"index": 0, "delta": each, "finish_reason": None}]} for each in said]
    return [*chunks, *([{**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}] if reason else [])]


def piece_of(number: int, id_: str | None = None, **function: str) -> Any:
    return {"tool_calls": [{"index": number, **({"id": id_, "type": "function"} if id_ else {}), "function": function}]}


LATE: Final[dict[str, list[Any]]] = {
    "one": [piece_of(0, "a", arguments='{"x":1}'), piece_of(1, "b", name="multiply", arguments="{}"), piece_of(0, name="add")],
    "both": [
        *(piece_of(0, "a", arguments='{"x"'), piece_of(1, "b", arguments="{"), piece_of(1, name="multiply", arguments="}")),
        *(piece_of(0, arguments=":1"), piece_of(0, name="add"), piece_of(0, arguments="}")),
    ],
    "with text": [
        *(piece_of(0, "a", arguments='{"x":1'), {"content": "so"}, piece_of(1, "b", name="multiply", arguments="{")),
        *(piece_of(0, name="add"), piece_of(1, arguments="}"), piece_of(0, arguments="}")),
    ],
}


@pytest.mark.parametrize("said", LATE.values(), ids=LATE)
@pytest.mark.parametrize("target", DIALECTS)
def test_a_call_whose_name_comes_after_another_call_has_its_id_and_arguments_and_its_place(target: str, said: list[Any]) -> None:
    losses: list[Loss] = []
    deltas = list(DIALECTS["openai_chat"].read_stream(fragments_of(*said)))  # type: ignore[misc]
    events = list(DIALECTS[target].write_stream(deltas, losses))  # type: ignore[misc]
    requests = fold(DIALECTS[target].read_stream(events)).message.tool_requests  # type: ignore[misc]
    assert [(each.name, str(each.arguments)) for each in requests] == [
        ("add", str(Arguments.of('{"x":1}'))),
        ("multiply", str(Arguments.of("{}"))),
    ]
    if target not in ("mistral", "ollama"):  # whose ids have a spelling of their own, or are none
        assert [each.id for each in requests] == ["a", "b"]
    assert "a tool request without a name" not in {loss.what for loss in losses}


@pytest.mark.parametrize("last", [fragments_of(), [], [{"error": {"message": "boom"}}]], ids=["done", "broken off", "failed"])
def test_a_call_that_never_gets_its_name_is_told_before_the_end_with_those_that_waited(last: list[Any]) -> None:
    said = fragments_of(piece_of(0, "a", arguments='{"x":1}'), piece_of(1, "b", name="multiply", arguments="{}"), reason=None)
    deltas = list(DIALECTS["openai_chat"].read_stream([*said, *last]))  # type: ignore[misc]
    assert [delta for delta in deltas if isinstance(delta, Delta.ToolRequest)] == [
        Delta.ToolRequest(0, '{"x":1}', "a"),
        Delta.ToolRequest(1, "{}", "b", "multiply"),
    ]
    assert isinstance(deltas[-1], Delta.ToolRequest if not last else Delta.Stop | Delta.Failed)


def test_a_call_with_a_name_is_told_as_it_comes() -> None:
    step, _ = DIALECTS["openai_chat"].read_stream.begin()  # type: ignore[union-attr]
    said = [
        piece_of(0, "a", name="add", arguments=""),
        piece_of(0, arguments='{"x"'),
        piece_of(1, "b", arguments=""),
        piece_of(0, arguments=":1}"),
    ]
    told = [[delta for delta in step(chunk) if isinstance(delta, Delta.ToolRequest)] for chunk in fragments_of(*said, reason=None)]
    assert told == [[Delta.ToolRequest(0, "", "a", "add")], [Delta.ToolRequest(0, '{"x"')], [], [Delta.ToolRequest(0, ":1}")]]


def test_many_calls_whose_names_come_late_take_no_more_time_each() -> None:
    def steps(count: int) -> Any:
        begun = [piece_of(at, f"c{at}", arguments="{") for at in range(count)]
        named = [piece_of(at, name="f", arguments="}") for at in reversed(range(count))]
        return lambda: iter(DIALECTS["openai_chat"].read_stream(fragments_of(*begun, *named)))  # type: ignore[misc]

    few, many = (work_of(steps(count)) for count in (100, 400))
    assert max(grown(few, many).values()) < 5
