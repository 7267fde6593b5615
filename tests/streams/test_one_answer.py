"""Whatever comes, a stream is written as one answer: one message, an id for each call, the error last, and losses that are true."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest
from wire.corpus import present, recordings
from wire.views import NAMES, VIEWS

from chatadt import (
    DIALECTS,
    ChatResponse,
    Content,
    Delta,
    Extras,
    Loss,
    Message,
    Metadata,
    ProviderError,
    StopKind,
    StopReason,
    Usage,
    deltas_of,
    fold,
    fold_each,
)

IDS: Final = ("openai_chat", "openai_responses", "anthropic", "bedrock", "mistral", "cohere")
"""The dialects in which each call must have an id."""
BEGINNING: Final = tuple(name for name in IDS if name != "mistral")
"""Those of them which say it when a call begins."""
CALLS: Final = StopReason(StopKind.TOOL_CALLS)
by_name = pytest.mark.parametrize("name", NAMES)


def written(name: str, deltas: list[Delta.T]) -> tuple[list[Any], list[Loss]]:
    losses: list[Loss] = []
    return list(DIALECTS[name].write_stream(deltas, losses)), losses  # type: ignore[misc]


def again(name: str, deltas: list[Delta.T]) -> Message.Assistant:
    return fold(DIALECTS[name].read_stream(written(name, deltas)[0])).message  # type: ignore[misc]


def told(losses: Any, what: str) -> list[tuple[str, str, Any]]:
    return [(loss.path, loss.action.value, loss.original and loss.original.value) for loss in losses if loss.what == what]


# Ids.

TWO: Final = ChatResponse(
    Message.Assistant(["Hm.", Content.ToolRequest("", "f", "{}"), Content.ToolRequest("", "f", '{"a":1}')]),
    Metadata(id="chatcmpl-1/ü", model="m", usage=Usage(input=1, output=2), stop=CALLS),
)


@pytest.mark.parametrize("name", IDS)
def test_calls_without_ids_get_the_same_ids_whole_and_streamed_each_a_loss(name: str) -> None:
    dialect = DIALECTS[name]
    whole = dialect.write_response(TWO)  # type: ignore[misc]
    ids = [call.id for call in dialect.read_response(whole.value).unwrap().message.tool_requests]  # type: ignore[misc]
    assert len(set(ids)) == 2
    for id_ in ids:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{9,40}", id_)
        assert dialect.rules.tool_id.allows(id_)
    in_pieces = [delta for delta in deltas_of(TWO) if not isinstance(delta, Delta.ToolRequest)]
    for index, text in ((1, "{}"), (2, '{"a":1}')):
        in_pieces += [Delta.ToolRequest(index, "", None, "f"), Delta.ToolRequest(index, text)]
    for deltas in ([*deltas_of(TWO)], in_pieces):
        events, losses = written(name, deltas)
        assert [call.id for call in fold(dialect.read_stream(events)).message.tool_requests] == ids  # type: ignore[misc]
        for found in (whole.losses, losses):
            places = [f"$.message.contents[{index}].id" for index in (1, 2)]
            assert told(found, "the id of a tool request") == [(place, "invented", None) for place in places]


@pytest.mark.parametrize("name", IDS)
def test_an_id_that_is_made_up_is_that_of_no_other_answer_and_of_no_other_call(name: str) -> None:
    def ids(id_: str | None, *known: str) -> list[str]:
        calls = [Content.ToolRequest(given, "f", "{}") for given in (*known, "")]
        deltas = [*deltas_of(ChatResponse(Message.Assistant(calls), Metadata(id=id_, stop=CALLS)))]
        return [call.id for call in again(name, deltas).tool_requests]

    assert ids("a") == ids("a")
    assert ids("a") != ids("b")
    assert ids(None) != ids("a")
    assert len(set(ids("a", *ids("a")))) == 2


@pytest.mark.parametrize("name", ["anthropic", "openai_responses"])
def test_an_empty_id_comes_home_as_it_came(name: str) -> None:
    home = ChatResponse(TWO.message, Metadata(id="1", stop=CALLS, extras=Extras({name: {"$own": True}})))
    assert [call.id for call in again(name, [*deltas_of(home)]).tool_requests] == ["", ""]


@pytest.mark.parametrize("name", BEGINNING)
def test_an_id_that_comes_after_the_first_arguments_is_a_loss(name: str) -> None:
    deltas: list[Delta.T] = [
        Delta.Start("1", "m"),
        Delta.ToolRequest(0, '{"a"', None, "f"),
        Delta.ToolRequest(0, ":1}", "x"),
        Delta.Stop(CALLS),
    ]
    events, losses = written(name, deltas)
    assert told(losses, "the id of a tool request") == [
        ("$.message.contents[0].id", "invented", None),
        ("$.message.contents[0].id", "dropped", "x"),
    ]
    (call,) = fold(DIALECTS[name].read_stream(events)).message.tool_requests  # type: ignore[misc]
    assert call.id not in ("", "x")
    assert call.arguments == Content.ToolRequest("c", "f", {"a": 1}).arguments


@pytest.mark.parametrize("name", ["mistral", "gemini"])
def test_an_id_that_comes_late_is_there_where_a_call_is_told_whole(name: str) -> None:
    late: list[Delta.T] = [Delta.Start("1"), Delta.ToolRequest(0, '{"a"', None, "f"), Delta.ToolRequest(0, ":1}", "x")]
    assert [call.id for call in again(name, late).tool_requests] == ["x"]


# Several messages.

ONE_AFTER_THE_OTHER: Final[list[Delta.T]] = [
    Delta.Start("1", "m"),
    Delta.Tokens(Usage(input=5, output=1)),
    Delta.Text(0, "one"),
    Delta.ToolRequest(1, "{}", "a", "f"),
    Delta.Tokens(Usage(input=5, output=3)),
    Delta.Stop(CALLS),
    Delta.Start("2", "n"),
    Delta.Tokens(Usage(input=9, output=1)),
    Delta.Text(0, "two"),
    Delta.ToolRequest(1, '{"b":2}', "b", "g"),
    Delta.Tokens(Usage(input=9, output=4, reasoning=2)),
    Delta.Stop(CALLS),
]


@by_name
def test_several_messages_of_another_dialect_become_one_that_the_official_client_takes(name: str) -> None:
    events, losses = written(name, ONE_AFTER_THE_OTHER)
    assert told(losses, "a further message") == [("$.metadata", "rewritten", {"id": "2", "model": "n", "stop": "tool_calls"})]
    (answer,) = fold_each(DIALECTS[name].read_stream(events))  # type: ignore[misc]
    theirs = DIALECTS[name].read_response(VIEWS[name].accumulated(events)).unwrap()  # type: ignore[misc]
    for each in (answer, theirs):
        assert re.fullmatch(r"one\s*two", each.message.text)
        assert [(call.name, call.arguments) for call in each.message.tool_requests] == [
            ("f", Content.ToolRequest("a", "f", {}).arguments),
            ("g", Content.ToolRequest("b", "g", {"b": 2}).arguments),
        ]
        assert each.metadata.usage is not None
        assert (each.metadata.usage.input, each.metadata.usage.output) == (14, 7)


@present
@pytest.mark.parametrize("target", ["openai_chat", "openai_responses"])
def test_recorded_streams_of_several_messages_are_taken_by_the_official_client(target: str) -> None:
    seen = 0
    for source in NAMES:
        for row in recordings(source, "stream"):
            deltas = list(DIALECTS[source].read_stream(row.body))  # type: ignore[misc]
            if source != target and sum(isinstance(delta, Delta.Start) for delta in deltas) > 1:
                seen += 1
                events, losses = written(target, deltas)
                VIEWS[target].accumulated([event for event in events if "error" not in event])
                assert told(losses, "a further message"), row.id
    assert seen > 3


@by_name
def test_several_messages_of_a_dialect_come_home_as_several(name: str) -> None:
    own = Extras({name: {"$own": True}})
    deltas = [Delta.Start(each.id, each.model, own) if isinstance(each, Delta.Start) else each for each in ONE_AFTER_THE_OTHER]
    events, losses = written(name, [each for each in deltas if isinstance(each, Delta.Start | Delta.Text | Delta.Stop)])
    assert not told(losses, "a further message")
    texts = [answer.message.text for answer in fold_each(DIALECTS[name].read_stream(events))]  # type: ignore[misc]
    assert texts in (["one", "two"], ["onetwo"])


# Errors.

SAID: Final[Any] = {"type": "error", "request_id": "r", "error": {"type": "overloaded_error", "message": "Overloaded"}}
FAILED: Final[list[Delta.T]] = [
    Delta.Start("1", "m"),
    Delta.Text(0, "a"),
    Delta.Tokens(Usage(input=1, output=2)),
    Delta.Failed(ProviderError("Overloaded", "overloaded_error", Extras({"anthropic": SAID}))),
    Delta.Tokens(Usage(input=1, output=3)),
]


@by_name
def test_an_error_comes_last_and_its_losses_name_nothing_that_it_says(name: str) -> None:
    events, losses = written(name, FAILED)
    assert "Overloaded" in json.dumps(events[-1])
    assert "Overloaded" not in json.dumps(events[:-1])
    about = [loss for loss in losses if loss.path.startswith("$.metadata.error") and "(" in loss.what]
    assert [loss.what for loss in about] == ([] if name == "anthropic" else ["request_id (anthropic)"])


# Places.


@by_name
def test_the_losses_of_calls_without_arguments_have_the_places_of_their_calls(name: str) -> None:
    noted = [Delta.BlockExtras(index, {"elsewhere": {"caller": index}}) for index in range(3)]  # type: ignore[dict-item]
    asked = [Delta.ToolRequest(index, "", f"c{index}", "f") for index in range(3)]
    each_before_its_call = [each for pair in zip(noted, asked, strict=True) for each in pair]
    for deltas in (each_before_its_call, [*noted, *asked], [*asked, *noted]):
        _, losses = written(name, [Delta.Start("1"), *deltas, Delta.Stop(CALLS)])
        places = {place: value for place, _, value in told(losses, "caller (elsewhere)")}
        assert places == {f"$.message.contents[{index}]": index for index in range(3)}


# Reasoning that says nothing.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("extras", [{}, {"elsewhere": {"signature": "s"}}])
def test_reasoning_without_a_text_is_the_same_whole_and_streamed(name: str, extras: Any) -> None:
    answer = ChatResponse(
        Message.Assistant([Content.Reasoning("", extras), Content.Text("x"), Content.Reasoning("", extras)]),
        Metadata(id="1", model="m", stop=StopReason(StopKind.END)),
    )
    whole = DIALECTS[name].read_response(DIALECTS[name].write_response(answer).value).unwrap().message  # type: ignore[misc]
    streamed = again(name, [*deltas_of(answer)])
    assert [type(content) for content in streamed.contents] == [type(content) for content in whole.contents] == [Content.Text]


@pytest.mark.parametrize("name", ["anthropic", "bedrock"])
def test_an_empty_piece_of_reasoning_that_comes_late_is_no_block_and_no_loss(name: str) -> None:
    more = [Delta.Reasoning(0, "a"), Delta.Text(1, "t"), Delta.Reasoning(0, "")]
    start, end = Delta.Start("1", "m"), Delta.Stop(StopReason(StopKind.END))
    assert written(name, [start, *more, end]) == written(name, [start, *more[:2], end])


@present
@pytest.mark.parametrize("id_", ["2bac7b083c22ec97", "127ce1a83992c35b"])
def test_recorded_reasoning_without_a_text_is_not_shown_by_anthropic(id_: str) -> None:
    ((source, row),) = [(source, row) for source in NAMES for row in recordings(source, "stream") if row.id == id_]
    events, losses = written("anthropic", list(DIALECTS[source].read_stream(row.body)))  # type: ignore[misc]
    begun = [event["data"]["content_block"]["type"] for event in events if event["event"] == "content_block_start"]
    assert begun
    assert "thinking" not in begun
    assert told(losses, "reasoning")


# Names that come again.


def named(*fragments: tuple[str, str | None]) -> str:
    chunk: Any = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    chunks = [
        {**chunk, "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": id_, "function": {"name": name}}]}}]}
        for name, id_ in fragments
    ]
    (call,) = fold(DIALECTS["openai_chat"].read_stream(chunks)).message.tool_requests  # type: ignore[misc]
    return call.name


def test_a_name_that_says_all_so_far_again_under_its_id_goes_on_where_that_ended() -> None:
    assert named(("get", "c"), ("get_weather", "c"), ("get_weather", "c")) == "get_weather"


def test_a_name_in_pieces_is_put_together() -> None:
    assert named(("get", "c"), ("_weather", None)) == "get_weather"
    assert named(("ta", "c"), ("task", None)) == "tatask"


@pytest.mark.parametrize("name", BEGINNING)
def test_a_call_that_nobody_named_is_lost_and_gets_no_id(name: str) -> None:
    nameless: list[Delta.T] = [Delta.Start("1"), Delta.ToolRequest(0, '{"a":'), Delta.ToolRequest(0, "1}"), Delta.Text(1, "x")]
    assert told(written(name, [*nameless, Delta.Stop(None)])[1], "the id of a tool request") == []
    named_late = [*nameless[:2], Delta.ToolRequest(0, "1}", None, "f"), Delta.Stop(CALLS)]
    (call,) = again(name, named_late).tool_requests
    assert call.id
    assert call.arguments == Content.ToolRequest("c", "f", {"a": 1}).arguments
