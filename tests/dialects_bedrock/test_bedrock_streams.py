"""What the events of ConverseStream say, read; what they can say of any answer, written."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import (
    DIALECTS,
    Action,
    ChatResponse,
    Content,
    Delta,
    Extras,
    Loss,
    Message,
    Resource,
    StopKind,
    Usage,
    deltas_of,
    fold,
    fold_each,
)
from chatadt.chat import ProviderError
from tests.wire.corpus import present, recordings
from tests.wire.views.bedrock import accumulated, event_complaints

BEDROCK: Final = DIALECTS["bedrock"]
START: Final[dict[str, Any]] = {"messageStart": {"role": "assistant"}}
STOP: Final[dict[str, Any]] = {"messageStop": {"stopReason": "end_turn"}}


def piece(index: int, **delta: Any) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


def opened(index: int, **start: Any) -> dict[str, Any]:
    return {"contentBlockStart": {"contentBlockIndex": index, "start": start}}


def shut(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def read(*events: Any) -> ChatResponse:
    assert BEDROCK.read_stream is not None
    return fold(BEDROCK.read_stream(events))


def write(*deltas: Delta.T) -> tuple[list[Any], list[Loss]]:
    assert BEDROCK.write_stream is not None
    losses: list[Loss] = []
    return list(BEDROCK.write_stream(deltas, losses)), losses


def home(*events: Any) -> list[Any]:
    assert BEDROCK.read_stream is not None
    told, losses = write(*BEDROCK.read_stream(events))
    assert losses == []
    assert read(*told) == read(*events)
    return told


def valid(*deltas: Delta.T) -> tuple[list[Any], list[Loss]]:
    events, losses = write(*deltas)
    assert [found for event in events for found in event_complaints(event)] == []
    return events, losses


# Reading.


def test_text_and_reasoning_come_without_a_start_and_signatures_grow() -> None:
    answer = read(
        START,
        piece(0, reasoningContent={"text": "h"}),
        piece(0, reasoningContent={"text": "m"}),
        piece(0, reasoningContent={"signature": "ab"}),
        piece(0, reasoningContent={"signature": "cd"}),
        shut(0),
        piece(3, text="a"),
        shut(3),
        STOP,
    )
    signed = Extras({"anthropic": {"signature": "abcd"}})
    assert answer.message.contents == (Content.Reasoning("hm", signed), Content.Text("a"))


def test_reasoning_that_nobody_signed_is_read_as_in_a_whole_answer() -> None:
    whole = {"reasoningContent": {"reasoningText": {"text": "hm"}}}
    body = {"output": {"message": {"role": "assistant", "content": [whole]}}, "stopReason": "end_turn"}
    assert BEDROCK.read_response is not None
    streamed = read(START, piece(0, reasoningContent={"text": "hm"}), STOP)
    assert streamed == BEDROCK.read_response(body).unwrap()


def test_hidden_reasoning_in_pieces_is_one() -> None:
    one, other = (b64encode(text).decode() for text in (b"Etor1", b"Etor22"))
    events = [
        START,
        piece(0, reasoningContent={"redactedContent": one}),
        piece(0, reasoningContent={"redactedContent": other}),
        STOP,
    ]
    (content,) = read(*events).message.contents
    assert isinstance(content, Content.Reasoning)
    assert content.extras.of("anthropic")["data"] == "Etor1Etor22"
    assert piece(0, reasoningContent={"redactedContent": b64encode(b"Etor1Etor22").decode()}) in home(*events)


def test_calls_that_come_in_together_are_told_apart_by_their_numbers() -> None:
    events = [
        START,
        opened(1, toolUse={"toolUseId": "a", "name": "f"}),
        opened(4, toolUse={"toolUseId": "b", "name": "g", "type": "tool_use"}),
        piece(4, toolUse={"input": '{"x":'}),
        piece(1, toolUse={"input": '{"y":1}'}),
        piece(4, toolUse={"input": "2}"}),
        shut(1),
        shut(4),
        {"messageStop": {"stopReason": "tool_use"}},
    ]
    calls = read(*events).message.tool_requests
    assert [(call.id, call.name, call.arguments) for call in calls] == [
        ("a", "f", Content.ToolRequest("a", "f", {"y": 1}).arguments),
        ("b", "g", Content.ToolRequest("b", "g", {"x": 2}).arguments),
    ]
    assert accumulated(home(*events))["output"] == {
        "message": {
            "role": "assistant",
            "content": [
                {"toolUse": {"toolUseId": "a", "name": "f", "input": {"y": 1}}},
                {"toolUse": {"toolUseId": "b", "name": "g", "type": "tool_use", "input": {"x": 2}}},
            ],
        }
    }


def test_a_start_that_comes_twice_opens_one_call_and_a_number_that_comes_again_another() -> None:
    start = opened(0, toolUse={"toolUseId": "a", "name": "f"})
    again = opened(0, toolUse={"toolUseId": "b", "name": "g"})
    calls = read(START, start, start, piece(0, toolUse={"input": "{}"}), shut(0), again, shut(0), STOP).message.tool_requests
    assert [(call.id, call.name) for call in calls] == [("a", "f"), ("b", "g")]


def test_what_a_server_does_itself_is_kept_whole() -> None:
    events = [
        START,
        opened(0, toolUse={"toolUseId": "s", "name": "code", "type": "server_tool_use"}),
        piece(0, toolUse={"input": '{"a":'}),
        piece(0, toolUse={"input": "1}"}),
        shut(0),
        opened(1, toolResult={"toolUseId": "s", "status": "success", "type": "code_result"}),
        piece(1, toolResult=[{"text": "one"}]),
        piece(1, toolResult=[{"json": {"two": 2}}]),
        shut(1),
        STOP,
    ]
    call, result = read(*events).message.contents
    assert isinstance(call, Content.Custom)
    assert isinstance(result, Content.Custom)
    assert call.value.value == {"toolUse": {"toolUseId": "s", "name": "code", "type": "server_tool_use", "input": {"a": 1}}}
    assert result.value.value["toolResult"]["content"] == [{"text": "one"}, {"json": {"two": 2}}]
    home(*events)
    cut = [*events[:3]]
    (only,) = read(*cut).message.contents
    assert isinstance(only, Content.Custom)
    assert '"partialInput":"{\\"a\\":"' in only.value.text
    home(*cut)


def test_an_image_that_is_streamed_is_an_image() -> None:
    one, other = (b64encode(data).decode() for data in (b"\x89PNG\r\n", b"\x1a\n"))
    events = [
        START,
        opened(0, image={"format": "png"}),
        piece(0, image={"source": {"bytes": one}}),
        piece(0, image={"source": {"bytes": other}}),
        shut(0),
        STOP,
    ]
    (image,) = read(*events).message.contents
    assert isinstance(image, Content.Image)
    assert isinstance(image.resource, Resource.Binary)
    assert image.resource.bytes == b"\x89PNG\r\n\x1a\n"
    assert all(event_complaints(event) == [] for event in home(*events))


GROWING: Final[Mapping[str, Callable[[int], dict[str, Any]]]] = {
    "an image": lambda number: piece(0, image={"source": {"bytes": b64encode(b"%06d" % number).decode()}}),
    "an image whose pieces are no base64 of their own": lambda _: piece(0, image={"source": {"bytes": "QUJ"}}),
    "hidden reasoning": lambda number: piece(0, reasoningContent={"redactedContent": b64encode(b"%06d" % number).decode()}),
    "a result": lambda number: piece(0, toolResult=[{"text": f"line {number}"}]),
}


@pytest.mark.parametrize("each", GROWING.values(), ids=GROWING.keys())
def test_a_block_that_grows_is_told_when_it_begins_and_when_it_is_closed(each: Callable[[int], dict[str, Any]]) -> None:
    pieces = [each(number) for number in range(50)]
    deltas = [*BEDROCK.read_stream([START, *pieces, shut(0), STOP])]
    assert sum(isinstance(delta, Delta.Block) for delta in deltas) == 2
    cut = [*BEDROCK.read_stream([START, *pieces])]
    assert fold(cut).message == fold(deltas).message  # what breaks off is told as well
    fewer = [*BEDROCK.read_stream([START, *pieces[:-1]])]
    assert fold(fewer).message != fold(deltas).message
    late = [*BEDROCK.read_stream([START, *pieces[:-1], shut(0), pieces[-1], STOP])]
    assert fold(late).message == fold(deltas).message


def test_an_image_that_begins_in_the_start_of_its_block_goes_on() -> None:
    one, other = (b64encode(data).decode() for data in (b"\x89PNG\r\n", b"\x1a\n"))
    start = opened(0, image={"format": "png", "source": {"bytes": one}})
    as_it_was = deepcopy(start)
    (image,) = read(START, start, piece(0, image={"source": {"bytes": other}}), STOP).message.contents
    assert isinstance(image, Content.Image)
    assert isinstance(image.resource, Resource.Binary)
    assert image.resource.bytes == b"\x89PNG\r\n\x1a\n"
    assert start == as_it_was


def test_sources_stand_with_the_text_of_their_block() -> None:
    citation = {"title": "t", "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 5}}}
    events = [
        START,
        piece(0, text="a"),
        shut(0),
        piece(1, citation=citation),
        piece(1, text="b"),
        shut(1),
        piece(2, text="c"),
        STOP,
    ]
    first, second, third = read(*events).message.contents
    assert (first, third) == (Content.Text("a"), Content.Text("c"))
    assert isinstance(second, Content.Text)
    assert second.extras.of("bedrock")["citations"] == [citation]
    home(*events)


def test_a_text_that_nova_cuts_into_blocks_is_one_and_texts_of_several_blocks_are_several() -> None:
    cut = [START, piece(0, text="a"), shut(0), piece(1, text="b"), shut(1), piece(2, text="c"), shut(2), STOP]
    assert read(*cut).message.contents == (Content.Text("abc"),)
    home(*cut)
    apart = [START, piece(0, text="a"), piece(0, text="b"), shut(0), piece(1, text="c"), shut(1), STOP]
    assert read(*apart).message.contents == (Content.Text("ab"), Content.Text("c"))
    home(*apart)
    two = ChatResponse(Message.Assistant(["a", "b", "c"]))
    assert read(*write(*deltas_of(two))[0]).message == two.message


def test_counts_of_several_events_replace_those_before() -> None:
    events = [
        START,
        {"metadata": {"usage": {"inputTokens": 5, "cacheReadInputTokens": 7}, "metrics": {"latencyMs": 1}}},
        STOP,
        {"metadata": {"usage": {"inputTokens": 6, "outputTokens": 2}, "metrics": {"latencyMs": 9}, "trace": {}}},
    ]
    metadata = read(*events).metadata
    assert metadata.usage is not None
    assert (metadata.usage.input, metadata.usage.output, metadata.usage.cache_read) == (13, 2, 7)
    assert metadata.extras.of("bedrock")["metrics"] == {"latencyMs": 9}
    home(*events)


EXCEPTIONS: Final = {
    "by its name": {"throttlingException": {"message": "Slow down."}},
    "marked": {"_message_type": "exception", "modelStreamErrorException": {"message": "Slow down.", "originalStatusCode": 429}},
    "of a kind that is not known": {"modelTimeoutException": {"message": "Slow down."}},
    "named beside": {"event": "throttlingException", "data": {"message": "Slow down."}},
    "in one word": {"throttlingException": "Slow down."},
    "marked and flat": {"_message_type": "exception", "message": "Slow down.", "code": "throttlingException"},
    "as an error": {"_message_type": "error", "InternalFailure": {"message": "Slow down."}},
}


@pytest.mark.parametrize("title", EXCEPTIONS)
def test_an_exception_in_the_stream_is_its_error_and_comes_home(title: str) -> None:
    events = [START, piece(0, text="a"), EXCEPTIONS[title]]
    answer = read(*events)
    assert answer.metadata.error is not None
    assert answer.metadata.error.message == "Slow down."
    assert answer.metadata.error.code in {*EXCEPTIONS[title], "throttlingException"}
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.ERROR
    assert answer.message.text == "a"
    home(*events)


def test_the_body_of_an_error_in_place_of_a_stream_is_its_error() -> None:
    answer = read({"message": "The security token is expired"})
    assert answer.metadata.error is not None
    assert answer.metadata.error.message == "The security token is expired"


@pytest.mark.parametrize(
    "event", [{}, {"ping": {}}, "[?]", 5, None, [], {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"new": 1}}}]
)
def test_an_event_that_is_not_known_is_kept_and_comes_home(event: Any) -> None:
    events = [START, piece(0, text="a"), event, shut(0), STOP]
    assert read(*events).metadata.extras.of("bedrock")["events"] == [event]
    assert event in home(*events)


def test_events_may_be_named_beside_and_padded() -> None:
    assert BEDROCK.read_stream is not None
    named = [
        {"event": name, "data": {**data, "p": "abc"}} for event in (START, piece(0, text="a"), STOP) for name, data in event.items()
    ]
    assert fold(BEDROCK.read_stream(named)) == read(START, piece(0, text="a"), STOP)


def test_messages_end_to_end_are_told_apart() -> None:
    assert BEDROCK.read_stream is not None
    once = [START, piece(0, text="a"), shut(0), STOP]
    assert len(list(fold_each(BEDROCK.read_stream([*once, *once])))) == 2


def test_numbers_that_are_missing_go_on_with_the_last_block() -> None:
    events = [START, {"contentBlockDelta": {"delta": {"text": "a"}}}, {"contentBlockDelta": {"delta": {"text": "b"}}}, STOP]
    assert read(*events).message.contents == (Content.Text("ab"),)


PIECES: Final = (
    st.sampled_from(["a", "b ", ""]).map(lambda text: {"text": text}),
    st.sampled_from(["t", ""]).map(lambda text: {"reasoningContent": {"text": text}}),
    st.just({"reasoningContent": {"signature": "s"}}),
    st.just({"citation": {"title": "t"}}),
)
CALLS: Final = st.sampled_from([{}, {"type": "tool_use"}, {"type": "server_tool_use"}])
STARTED: Final = st.one_of(
    st.tuples(
        CALLS.map(lambda kind: {"toolUse": {"toolUseId": "t", "name": "f", **kind}}),
        st.lists(st.sampled_from(['{"a":1}', '{"a"', "", "5"]).map(lambda text: {"toolUse": {"input": text}}), max_size=1),
    ),
    st.tuples(
        st.just({"toolResult": {"toolUseId": "t", "type": "x"}}),
        st.lists(st.sampled_from([{"text": "x"}, {"json": {"a": 1}}]).map(lambda item: {"toolResult": [item]}), max_size=2),
    ),
    st.tuples(st.just({"image": {"format": "png"}}), st.just([{"image": {"source": {"bytes": "aGk="}}}])),
)
BLOCKS: Final = st.lists(
    st.tuples(
        st.one_of(
            st.tuples(st.none(), st.lists(PIECES[0], min_size=1, max_size=3)),
            st.tuples(st.none(), st.lists(st.one_of(PIECES[1:3]), min_size=1, max_size=3)),
            st.tuples(st.none(), st.lists(st.one_of(PIECES[0], PIECES[3]), min_size=1, max_size=3)),
            STARTED,
        ),
        st.booleans(),
        st.integers(1, 2),
    ),
    max_size=4,
)


@given(BLOCKS, st.booleans(), st.booleans())
def test_streams_of_any_blocks_come_home(blocks: list[Any], starts: bool, stops: bool) -> None:
    """With and without a start of the message and its end, blocks that are never closed, and gaps between their numbers."""
    events: list[Any] = [START] if starts else []
    number = 0
    for (start, pieces), closes, gap in blocks:
        events += [] if start is None else [opened(number, **start)]
        events += [piece(number, **each) for each in pieces]
        events += [shut(number)] if closes else []
        number += gap
    home(*events, *([STOP] if stops else []))


@present
def test_a_recorded_answer_that_is_streamed_reads_as_the_whole_one() -> None:
    """But for `{"type": "text"}`, a field that a server of none sent, and no event has."""
    assert BEDROCK.read_response is not None
    same = 0
    rows = recordings("bedrock", "response")
    for row in rows:
        whole = BEDROCK.read_response(row.body).unwrap()
        events, losses = write(*deltas_of(whole))
        if {loss.what for loss in losses} != {"type (bedrock)"}:
            assert (read(*events), losses) == (whole, []), row.id
            same += 1
    assert same >= len(rows) - 1 > 80


# Writing.


def test_a_call_without_arguments_from_elsewhere_says_an_empty_object() -> None:
    events, _ = valid(Delta.ToolRequest(0, "", "a", "f"), Delta.Stop(None))
    assert piece(0, toolUse={"input": "{}"}) in events


def test_a_call_of_no_name_is_lost_and_one_of_no_id_gets_one() -> None:
    events, losses = valid(Delta.ToolRequest(0, "{}", "a"), Delta.ToolRequest(1, "{}", None, "f"), Delta.Stop(None))
    assert "a tool request without a name" in {loss.what for loss in losses}
    (start,) = [event for event in events if "contentBlockStart" in event]
    assert start["contentBlockStart"]["start"]["toolUse"]["toolUseId"] == "call_1"


def test_more_of_a_name_that_comes_too_late_is_a_loss() -> None:
    deltas = (Delta.ToolRequest(0, "", "a", "get_"), Delta.ToolRequest(1, "{}", "b", "f"), Delta.ToolRequest(0, "{}", None, "sky"))
    _, losses = valid(*deltas, Delta.Stop(None))
    assert [loss.path for loss in losses if loss.what == "more of the name of a tool"] == ["$.message.contents[0].name"]


def test_a_stream_that_breaks_off_is_written_as_one() -> None:
    events, _ = valid(Delta.Start(), Delta.Text(0, "a"), Delta.Tokens(Usage(input=1, output=2)))
    assert [name for event in events for name in event] == ["messageStart", "contentBlockDelta", "metadata"]
    assert fold(BEDROCK.read_stream(events)).metadata.stop.kind is StopKind.INTERRUPTED  # type: ignore[misc,union-attr]


CODES: Final = {
    "rate_limit_error": "throttlingException",
    "overloaded_error": "serviceUnavailableException",
    "invalid_request_error": "validationException",
    "throttlingException": "throttlingException",
    "odd": "internalServerException",
    None: "internalServerException",
}


@pytest.mark.parametrize("code", CODES)
def test_the_error_of_another_provider_becomes_the_nearest_exception(code: str | None) -> None:
    events, losses = valid(Delta.Start(), Delta.Failed(ProviderError("No.", code)))
    assert events[-1] == {CODES[code]: {"message": "No."}}
    assert [loss.path for loss in losses] == ([] if code in (None, CODES[code]) else ["$.metadata.error.code"])


def test_media_that_no_stream_can_say_are_lost_and_images_are_not() -> None:
    video = Content.Video(Resource.Binary(b"a", "video/mp4"))
    image = Content.Image(Resource.Binary(b"a", "image/png"))
    events, losses = valid(Delta.Block(0, video), Delta.Block(1, image), Delta.Stop(None))
    assert "a block" in {loss.what for loss in losses if loss.path == "$.message.contents[0]" and loss.action is Action.DROPPED}
    assert [*accumulated(events)["output"]["message"]["content"][0]] == ["image"]


def test_what_is_said_of_a_block_that_never_comes_is_a_loss() -> None:
    _, losses = write(Delta.Start(), Delta.BlockExtras(7, Extras({"gemini": {"thoughtSignature": "x"}})), Delta.Stop(None))
    assert "thoughtSignature (gemini)" in {loss.what for loss in losses}


def test_a_text_that_goes_on_after_something_else_stands_in_two_blocks() -> None:
    events, losses = valid(Delta.Text(0, "a"), Delta.Text(1, "b"), Delta.Text(0, "c"), Delta.Stop(None))
    assert [block["text"] for block in accumulated(events)["output"]["message"]["content"]] == ["a", "b", "c"]
    assert "a text that goes on" in {loss.what for loss in losses}
