"""What streams of OpenAI Responses fold to, and what the streams of others become there."""

from __future__ import annotations

from typing import Any, Final

import pytest
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter
from wire.corpus import present, recordings, report
from wire.views._types import strange

from chatadt import (
    DIALECTS,
    Arguments,
    Content,
    Delta,
    Loss,
    Policy,
    ProviderError,
    StopKind,
    StopReason,
    Usage,
    convert,
    fold,
    fold_each,
)

NAME: Final = "openai_responses"
DIALECT: Final = DIALECTS[NAME]
STRICT: Final[TypeAdapter[Any]] = TypeAdapter(ResponseStreamEvent)


def created(**beside: Any) -> dict[str, Any]:
    return {"type": "response.created", "response": {"id": "resp_1", "model": "m", "status": "in_progress", "output": [], **beside}}


def added(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def text(index: int, said: str, part: int = 0) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "output_index": index, "content_index": part, "delta": said}


def piece(index: int, said: str) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.delta", "output_index": index, "delta": said}


def completed(*output: Any, **beside: Any) -> dict[str, Any]:
    told = {"id": "resp_1", "model": "m", "status": "completed", "output": [*output], **beside}
    return {"type": "response.completed", "response": told}


def message(*texts: str, **beside: Any) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": said, "annotations": []} for said in texts]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": parts, **beside}


def written(deltas: Any) -> tuple[list[Any], list[Loss]]:
    losses: list[Loss] = []
    return list(DIALECT.write_stream(deltas, losses)), losses  # type: ignore[misc]


def read(*events: Any) -> Any:
    return fold(DIALECT.read_stream(events))  # type: ignore[misc]


# Recorded.

OTHERWISE: Final[dict[str, str]] = {
    "74582b7b3eefca73": "usage is null when it begins and counted in the end: the note on the null is empty and not gone",
    "7501acbf0e08f490": "edited by hand: the end has a longer text than the pieces",
    "86d0894a0bf960ae": "edited by hand: the end has other arguments than the pieces",
    "7da7e0a257ccf2cf": "the ids are made up by the recorder, another one in each event; and its last event says something beside",
    "8849c942942fe338": "a picture that is half done is an event of its own",
}
"""By id: why a stream folds to something else than its last event says."""


@present
def test_a_recorded_stream_folds_to_the_answer_that_its_last_event_says_whole() -> None:
    failures: list[str] = []
    compared = 0
    for row in recordings(NAME, "stream"):
        whole = next(
            (event["data"]["response"] for event in row.body[-1:] if event["data"].get("response", {}).get("output")), None
        )
        if whole is None or row.id in OTHERWISE:
            continue
        compared += 1
        *_, last = fold_each(DIALECT.read_stream(row.body))  # type: ignore[misc]
        if last != DIALECT.read_response(whole).unwrap():  # type: ignore[misc]
            failures.append(row.id)
    print(f"\n{compared} streams fold to what their last event says")
    assert compared > 200
    assert not failures, report("folds otherwise", failures, compared)


@present
@pytest.mark.parametrize("source", ["openai_chat", "anthropic"])
def test_a_crossed_stream_has_no_field_that_the_client_does_not_know_and_is_numbered(source: str) -> None:
    for row in recordings(source, "stream"):
        events = convert(row.body, source, NAME, kind="stream", policy=Policy.LENIENT).unwrap().value
        assert [event["data"]["sequence_number"] for event in events] == list(range(len(events))), row.id
        for event in events:
            assert event["event"] == event["data"]["type"]
            assert not [*strange(STRICT.validate_python(event["data"], strict=True))], row.id


@present
@pytest.mark.parametrize("source", ["openai_chat", "anthropic"])
def test_the_last_event_of_a_crossed_stream_says_what_its_items_said(source: str) -> None:
    for row in recordings(source, "stream"):
        events = convert(row.body, source, NAME, kind="stream", policy=Policy.LENIENT).unwrap().value
        items: dict[int, Any] = {}
        for event in events:
            if event["event"] == "response.created":
                items = {}
            if event["event"] == "response.output_item.done":
                items[event["data"]["output_index"]] = event["data"]["item"]
            if event["event"] in ("response.completed", "response.incomplete", "response.failed"):
                assert event["data"]["response"]["output"] == [items[index] for index in sorted(items)], row.id


# Reading.


def test_what_the_end_says_again_is_not_doubled() -> None:
    ends = [
        {"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "Hi."},
        {"type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": message("Hi.")["content"][0]},
        done(0, **message("Hi.")),
        completed(message("Hi.")),
    ]
    assert read(created(), added(0, **message(status="in_progress")), text(0, "Hi."), *ends).message.text == "Hi."


@pytest.mark.parametrize(
    "end",
    [
        {"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "Hi."},
        {"type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": message("Hi.")["content"][0]},
        done(0, **message("Hi.")),
        completed(message("Hi.")),
    ],
    ids=lambda end: end["type"],
)
@pytest.mark.parametrize("before", [[], [text(0, "H")]], ids=["no piece", "one piece"])
def test_each_end_says_what_the_pieces_left_out(end: dict[str, Any], before: list[Any]) -> None:
    assert read(created(), *before, end).message.text == "Hi."


def test_pieces_that_come_behind_the_end_that_told_them_say_nothing_new() -> None:
    late = [created(), text(0, "Hi"), done(0, **message("Hi you all.")), text(0, " you"), text(0, " all."), completed()]
    assert read(*late).message.text == "Hi you all."


def test_a_text_that_an_end_tells_otherwise_is_kept_beside_the_one_that_came() -> None:
    answer = read(created(), text(0, "Hi "), text(0, "all."), done(0, **message("Hi you all.")), completed(message("Hi you all.")))
    (said,) = answer.message.contents
    assert (said.text, said.extras.of(NAME)["final_text"]) == ("Hi all.", "Hi you all.")


def test_items_that_come_interleaved_are_kept_apart() -> None:
    calls = [{"type": "function_call", "id": f"fc_{n}", "call_id": f"c{n}", "name": "f", "arguments": ""} for n in range(2)]
    events = [created(), *(added(n, **call) for n, call in enumerate(calls))]
    events += [piece(0, '{"a"'), piece(1, '{"b"'), piece(0, ":1}"), piece(1, ":2}")]
    assert [call.arguments for call in read(*events).message.tool_requests] == [Arguments.of('{"a":1}'), Arguments.of('{"b":2}')]


def test_output_that_a_proxy_left_empty_takes_nothing_away() -> None:
    answer = read(created(), added(0, **message(status="in_progress")), text(0, "Hi."), done(0, **message()), completed())
    assert (answer.message.text, answer.metadata.stop) == ("Hi.", StopReason(StopKind.END, "completed"))


def test_a_stream_that_breaks_off_is_interrupted_and_keeps_what_its_server_tools_said() -> None:
    call = {"type": "code_interpreter_call", "id": "ci_1", "code": "", "status": "in_progress"}
    code = {"type": "response.code_interpreter_call_code.delta", "output_index": 0, "item_id": "ci_1", "delta": "print(1)"}
    answer = read(created(), added(0, **call), code)
    assert answer.metadata.stop == StopReason(StopKind.INTERRUPTED)
    assert answer.message.contents == (Content.Custom(NAME, call),)  # type: ignore[arg-type]
    assert answer.metadata.extras.of(NAME)["events"] == [code]
    whole = read(created(), added(0, **call), code, done(0, **{**call, "code": "print(1)", "status": "completed"}), completed())
    assert "events" not in whole.metadata.extras.of(NAME)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": "server_error", "message": "oops", "param": None},
        {"type": "error", "error": {"type": "server_error", "code": "server_error", "message": "oops"}},
        {"error": {"code": "server_error", "message": "oops"}},
    ],
)
def test_an_error_in_the_stream_breaks_the_answer_off_and_comes_home(event: dict[str, Any]) -> None:
    answer = read(created(), text(0, "Hi"), event)
    assert (answer.metadata.error.code, answer.metadata.error.message) == ("server_error", "oops")
    assert answer.metadata.stop == StopReason(StopKind.ERROR, "server_error")
    events, losses = written(DIALECT.read_stream([created(), text(0, "Hi"), event]))  # type: ignore[misc]
    assert not losses
    told = [{key: value for key, value in each["data"].items() if key != "sequence_number"} for each in events]
    assert told.count(event) == 1


def test_an_answer_that_fails_says_so_once() -> None:
    failed = {"type": "response.failed", "response": {"id": "r", "status": "failed", "output": [], "error": {"message": "oops"}}}
    deltas = list(DIALECT.read_stream([created(), failed]))  # type: ignore[misc]
    assert [type(delta) for delta in deltas if isinstance(delta, Delta.Failed | Delta.Stop)] == [Delta.Failed, Delta.Stop]
    assert [event["event"] for event in written(deltas)[0]] == ["response.created", "response.in_progress", "response.failed"]


def test_text_for_a_tool_that_takes_any_is_one_string_however_it_is_cut() -> None:
    call = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "c", "name": "sql", "input": ""}
    pieces = [{"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": said} for said in ('a"', "\\\n", "b")]
    for end in ([], [done(0, **{**call, "input": 'a"\\\nb'})]):
        (request,) = read(created(), added(0, **call), *pieces, *end).message.tool_requests
        assert request.arguments.json.value == 'a"\\\nb'


def test_an_event_that_nobody_knows_comes_home_verbatim() -> None:
    strange_event = {"type": "response.new_thing", "sequence_number": 1, "what": {"a": 1}}
    events, losses = written(DIALECT.read_stream([created(), strange_event, completed()]))  # type: ignore[misc]
    assert not losses
    assert [event["data"] for event in events if event["event"] == "response.new_thing"] == [
        {**strange_event, "sequence_number": 2}
    ]


# Writing.


def test_what_is_said_from_elsewhere_is_begun_said_and_said_again() -> None:
    deltas: list[Delta.T] = [
        Delta.Start("1", "m"),
        Delta.Reasoning(0, "hm"),
        Delta.Text(1, "Hi"),
        Delta.Text(1, "."),
        Delta.Stop(None),
    ]
    events, _ = written(deltas)
    assert [event["event"].removeprefix("response.") for event in events] == [
        *("created", "in_progress"),
        *("output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta"),
        *("reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done"),
        *("output_item.added", "content_part.added", "output_text.delta", "output_text.delta"),
        *("output_text.done", "content_part.done", "output_item.done", "completed"),
    ]


def test_calls_that_come_interleaved_stay_open_until_they_are_complete() -> None:
    deltas: list[Delta.T] = [
        Delta.ToolRequest(0, "", "a", "f"),
        Delta.ToolRequest(1, "", "b", "g"),
        Delta.ToolRequest(0, '{"x"'),
        Delta.ToolRequest(1, "{}"),
        Delta.ToolRequest(0, ":1}"),
        Delta.Stop(StopReason(StopKind.TOOL_CALLS)),
    ]
    events, _ = written(deltas)
    output = events[-1]["data"]["response"]["output"]
    assert [(item["name"], item["arguments"]) for item in output] == [("f", '{"x":1}'), ("g", "{}")]


def test_a_text_that_goes_on_stands_in_several_items_and_a_loss_says_so() -> None:
    deltas: list[Delta.T] = [Delta.Text(0, "one "), Delta.ToolRequest(1, "{}", "a", "f"), Delta.Text(0, "two"), Delta.Stop(None)]
    events, losses = written(deltas)
    assert [item["type"] for item in events[-1]["data"]["response"]["output"]] == ["message", "function_call", "message"]
    (loss,) = [loss for loss in losses if loss.what == "a text that goes on"]
    assert (loss.path, loss.original and loss.original.value) == ("$.message.contents[0]", "one two")


def test_a_stream_that_breaks_off_has_no_last_event_and_no_end_of_what_was_cut() -> None:
    events, losses = written([Delta.Start("1", "m"), Delta.ToolRequest(0, '{"a', "c", "f"), Delta.Tokens(Usage(input=3))])
    assert [event["event"] for event in events][-2:] == ["response.function_call_arguments.delta", "response.in_progress"]
    assert events[-1]["data"]["response"]["usage"]["input_tokens"] == 3
    assert "the id of an item" in {loss.what for loss in losses}


def test_an_error_from_elsewhere_is_an_event_of_the_official_type() -> None:
    events, _ = written([Delta.Text(0, "Hi"), Delta.Failed(ProviderError("busy", "overloaded"))])
    assert events[-1]["event"] == "error"
    STRICT.validate_python(events[-1]["data"], strict=True)
    assert events[-1]["data"]["message"] == "busy"


def test_a_call_of_a_tool_that_takes_any_text_crosses_in_a_stream() -> None:
    deltas: list[Delta.T] = [
        Delta.BlockExtras(0, {"openai_chat": {"$type": "custom"}}),  # type: ignore[arg-type]
        Delta.ToolRequest(0, '"a', "c", "sql"),
        Delta.ToolRequest(0, ' b"'),
        Delta.Stop(StopReason(StopKind.TOOL_CALLS)),
    ]
    events, _ = written(deltas)
    (again,) = read(*events).message.tool_requests
    assert (again.name, again.arguments) == ("sql", Arguments.of('"a b"'))
    assert again.extras.of(NAME)["$type"] == "custom"
