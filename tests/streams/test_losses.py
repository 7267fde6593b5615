"""What a whole answer loses in a dialect, its stream loses too: at the same places, whatever is said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest
from wire.corpus import present, recordings
from wire.views import VIEWS

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    Delta,
    Loss,
    Message,
    Metadata,
    Policy,
    Resource,
    StopKind,
    StopReason,
    Usage,
    convert,
    deltas_of,
    fold,
)
from chatadt.dialects import FOLDERS

STREAMING: Final = tuple(name for name in FOLDERS if DIALECTS[name].write_stream is not None)
ARGUMENTS: Final = ('{"a":1}', "{}", "[1]", "5", '"text"', "null", '{"a":1,"a":2}', '{"a":', "", "abc")
PNG: Final = Resource.Binary("iVBORw0KGgo=", "image/png")
SAID: Final[dict[str, Any]] = {
    **{f"a call of {arguments!r}": [Content.ToolRequest("c", "f", arguments)] for arguments in ARGUMENTS},
    **{
        f"a call of {arguments!r}, free-form for {name}": [Content.ToolRequest("c", "f", arguments, {name: {"$type": "custom"}})]  # type: ignore[dict-item]
        for arguments in ARGUMENTS
        for name in ("openai_chat", "openai_responses", "azure", "anthropic")
    },
    **{
        f"a {case.__name__} of {name}": [case("a", {name: {"y": 1, "signature": "s"}})]  # type: ignore[call-arg,dict-item]
        for case in (Content.Text, Content.Reasoning, Content.Refusal)
        for name in FOLDERS
    },
    **{f"a call of {name}": [Content.ToolRequest("c", "f", "{}", {name: {"y": 1}})] for name in FOLDERS},  # type: ignore[dict-item]
    **{f"a block of {name}": [Content.Custom(name, {"type": "x", "y": 1})] for name in FOLDERS},  # type: ignore[arg-type]
    "nothing": [],
    "an empty text": [Content.Text("")],
    "an empty reasoning": [Content.Reasoning("")],
    "an empty reasoning behind another": [Content.Reasoning("a"), Content.Reasoning("")],
    "two texts": [Content.Text("a"), Content.Text("b")],
    "a refusal between texts": [Content.Text("a"), Content.Refusal("no"), Content.Text("b")],
    "a text between thoughts": [Content.Reasoning("a"), Content.Text("t"), Content.Reasoning("b")],
    "a call between texts": [Content.Text("a"), Content.ToolRequest("c", "f", "{}"), Content.Text("b")],
    "a call without an id": [Content.ToolRequest("", "f", "{}")],
    "calls with one id": [Content.ToolRequest("c", "f", "{}"), Content.ToolRequest("c", "g", "{}")],
    "an odd name": [Content.ToolRequest("c", "a b/ü", "{}")],
    "an odd id": [Content.ToolRequest("c d|é" * 20, "f", "{}")],
    "an image": [Content.Image(PNG)],
    "an image by reference": [Content.Image(Resource.Ref("https://a.b/c.png"))],
    "audio": [Content.Audio(Resource.Binary("UklGRg==", "audio/wav"), "spoken")],
    "a document": [Content.PDF(Resource.Binary("JVBERg==", "application/pdf"), "name")],
    "a file": [Content.File(Resource.Binary("YQ==", "text/csv"))],
    "a film": [Content.Video(Resource.Ref("https://a.b/c.mp4"))],
}
ABOUT: Final = Metadata(id="1", model="m", usage=Usage(input=1, output=2), stop=StopReason(StopKind.END))

OTHERWISE: Final[dict[tuple[str, str], str]] = {
    **{
        ("openai_chat", f"a call of {arguments!r}, free-form for {name}"): "a chunk knows no call of free-form text"
        for arguments in ARGUMENTS
        for name in ("openai_responses", "azure")
    },
    **{
        ("bedrock", what): "a stream has no such block, or no such field of one"
        for what in ("a Text of bedrock", "a Reasoning of bedrock", "a document", "a file")
    },
    **{
        (name, what): "a client of a stream joins them"
        for name in ("gemini", "mistral")
        for what in ("two texts", "a refusal between texts")
    },
}
"""Where a stream loses more than the whole answer does, and why."""


def places(losses: Iterable[Loss]) -> set[str]:
    return {loss.path for loss in losses}


@pytest.mark.parametrize("name", STREAMING)
def test_where_a_whole_answer_loses_something_its_stream_does_too_and_hardly_elsewhere(name: str) -> None:
    dialect = DIALECTS[name]
    failures: list[str] = []
    for what, contents in SAID.items():
        answer = ChatResponse(Message.Assistant(contents), ABOUT)
        losses: list[Loss] = []
        list(dialect.write_stream(deltas_of(answer), losses))  # type: ignore[misc]
        whole = places(dialect.write_response(answer).losses)  # type: ignore[misc]
        if missing := whole - places(losses):
            failures.append(f"{what}: no loss at {sorted(missing)}")
        if ((name, what) in OTHERWISE) is not bool(places(losses) - whole):
            failures.append(f"{what}: a loss more at {sorted(places(losses) - whole)}")
    assert not failures


# Calls.


def call(arguments: str, note: str | None = None) -> list[Delta.T]:
    """A call whose arguments come piece by piece."""
    noted: list[Delta.T] = [] if note is None else [Delta.BlockExtras(0, {note: {"$type": "custom"}})]  # type: ignore[arg-type]
    begun: list[Delta.T] = [Delta.Start("1", "m"), *noted, Delta.ToolRequest(0, "", "c", "sql")]
    return [*begun, *(Delta.ToolRequest(0, piece) for piece in arguments), Delta.Stop(StopReason(StopKind.TOOL_CALLS))]


def lost(name: str, deltas: list[Delta.T], what: str) -> list[tuple[str, str, Any]]:
    losses: list[Loss] = []
    list(DIALECTS[name].write_stream(deltas, losses))  # type: ignore[misc]
    return [(loss.path, loss.weight.value, loss.original and loss.original.value) for loss in losses if loss.what == what]


@pytest.mark.parametrize("note", ["openai_responses", "azure", "groq"])
@pytest.mark.parametrize("name", [name for name in STREAMING if name != "openai_responses"])
def test_a_call_of_free_form_text_becomes_one_of_a_function_with_a_loss(name: str, note: str) -> None:
    assert lost(name, call('"select 1"', note), "a call of free-form text") == [("$.message.contents[0]", "detail", "select 1")]


def test_a_call_of_free_form_text_that_came_whole_does_so_too() -> None:
    """Arguments that a parser would find malformed for another reason come in one piece."""
    cut = Content.ToolRequest(
        "c", "sql", Content.ToolRequest("c", "sql", "abc").arguments, {"openai_responses": {"$type": "custom"}}
    )  # type: ignore[dict-item]
    losses: list[Loss] = []
    events = list(DIALECTS["openai_chat"].write_stream([Delta.Start("1", "m"), Delta.Block(0, cut)], losses))  # type: ignore[misc]
    (part,) = [part for event in events for choice in event["choices"] for part in choice["delta"].get("tool_calls", ())]
    assert (part["type"], part["function"]) == ("function", {"name": "sql", "arguments": "abc"})
    assert [(loss.path, loss.original and loss.original.value) for loss in losses if "free-form" in loss.what] == [
        ("$.message.contents[0]", "abc")
    ]


def test_a_stream_of_openai_responses_names_it_in_openai_chat() -> None:
    item = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "c", "name": "sql", "input": ""}
    events = [
        {"type": "response.created", "response": {"id": "r", "model": "m", "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": "select 1"},
        {"type": "response.output_item.done", "output_index": 0, "item": {**item, "input": "select 1"}},
    ]
    converted = convert(events, "openai_responses", "openai_chat", kind="stream", policy=Policy.LENIENT).unwrap()
    (loss,) = [loss for loss in converted.losses if loss.what == "a call of free-form text"]
    assert (loss.path, loss.original and loss.original.value) == ("$.message.contents[0]", "select 1")


@pytest.mark.parametrize("arguments", ["[1]", "5", '"text"', "null", "abc", ' \n["a"'])
@pytest.mark.parametrize("name", ["anthropic", "bedrock"])
def test_arguments_that_do_not_begin_as_an_object_stand_in_one_as_in_a_whole_answer(name: str, arguments: str) -> None:
    (found,) = lost(name, call(arguments), "arguments")
    assert found[:2] == ("$.message.contents[0]", "content")
    answer = ChatResponse(Message.Assistant([Content.ToolRequest("c", "sql", arguments)]), ABOUT)
    whole = DIALECTS[name].read_response(DIALECTS[name].write_response(answer).value).unwrap()  # type: ignore[misc]
    for deltas in (call(arguments), [*deltas_of(answer)]):
        streamed = fold(DIALECTS[name].read_stream(DIALECTS[name].write_stream(deltas)))  # type: ignore[misc]
        assert streamed.message.tool_requests[0].arguments == whole.message.tool_requests[0].arguments


@pytest.mark.parametrize("arguments", ['{"a":1,"a":2}', '{"a":', "{abc"])
@pytest.mark.parametrize("name", ["anthropic", "bedrock"])
def test_arguments_that_begin_as_an_object_go_out_as_they_come_with_a_loss(name: str, arguments: str) -> None:
    (found,) = lost(name, call(arguments), "arguments")
    assert found[:2] == ("$.message.contents[0]", "detail")
    events = list(DIALECTS[name].write_stream(call(arguments)))  # type: ignore[misc]
    (again,) = fold(DIALECTS[name].read_stream(events)).message.tool_requests  # type: ignore[misc]
    assert again.arguments == Content.ToolRequest("c", "sql", arguments).arguments


@present
@pytest.mark.parametrize(
    ("source", "id_"),
    [
        ("openai_chat", "48bf7174e7410ae8"),
        ("openai_chat", "57c09ee4e6d6e8ae"),
        ("openai_chat", "87f685e4d9a17dea"),
        ("openai_responses", "964735db3053ec48"),
    ],
)
@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
def test_the_official_client_takes_recorded_arguments_that_are_no_object(source: str, id_: str, target: str) -> None:
    (row,) = [row for row in recordings(source, "stream") if row.id == id_]
    deltas = list(DIALECTS[source].read_stream(row.body))  # type: ignore[misc]
    body = VIEWS[target].accumulated(list(DIALECTS[target].write_stream(deltas)))  # type: ignore[misc]
    whole = DIALECTS[target].write_response(fold(deltas)).value  # type: ignore[misc]
    told = [
        [call.arguments for call in DIALECTS[target].read_response(each).unwrap().message.tool_requests] for each in (body, whole)
    ]  # type: ignore[misc]
    assert told[0] == told[1]


def test_an_object_is_no_loss_and_neither_is_what_a_stream_broke_off() -> None:
    assert lost("anthropic", call('{"a":1}'), "arguments") == []
    assert lost("anthropic", call('{"a":')[:-1], "arguments") == []


def test_reasoning_without_a_text_is_a_loss_where_nothing_is_shown_of_it() -> None:
    for name in ("openai_chat", "gemini"):
        assert lost(name, [Delta.Start("1", "m"), Delta.Reasoning(0, ""), Delta.Text(1, "a")], "reasoning") == [
            ("$.message.contents[0]", "detail", "")
        ]
        assert lost(name, [Delta.Start("1", "m"), Delta.Reasoning(0, ""), Delta.Reasoning(0, "a")], "reasoning") == []


def test_a_stream_of_mistral_has_no_word_for_a_context_that_is_too_short() -> None:
    dialect = DIALECTS["mistral"]
    assert dialect.write_stream is not None
    assert dialect.read_stream is not None
    losses: list[Loss] = []
    stop = Delta.Stop(StopReason(StopKind.CONTEXT_OVERFLOW, "model_context_window_exceeded"))
    *_, last = dialect.write_stream([Delta.Start("1", "m"), Delta.Text(0, "hi"), stop], losses)
    assert last["choices"][0]["finish_reason"] == "length"
    assert "the stop reason" in {loss.what for loss in losses}
    home = [{**last, "choices": [{**last["choices"][0], "finish_reason": "model_length"}]}]
    *_, again = dialect.write_stream(dialect.read_stream(home), losses)
    assert again["choices"][0]["finish_reason"] == "model_length"
