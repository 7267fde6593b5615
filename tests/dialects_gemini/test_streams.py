"""Streams of Gemini: the oddities of its chunks, and what the streams of others become."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import (
    Arguments,
    ChatResponse,
    Content,
    Delta,
    Loss,
    Message,
    Metadata,
    Policy,
    StopKind,
    StopReason,
    convert,
    deltas_of,
    fold,
    fold_each,
    strategies,
)
from chatadt.dialects.gemini import DIALECT
from tests.wire.corpus import present, recordings
from tests.wire.views.gemini import complaints

BASE: Final = {"modelVersion": "m", "responseId": "r"}


def chunk(*parts: Any, **fields: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [*parts]}, "index": 0, **fields}], **BASE}


def read(*events: Any) -> ChatResponse:
    return fold(DIALECT.read_stream(events))


def written(*stream: Delta.T) -> tuple[list[Any], list[Loss]]:
    losses: list[Loss] = []
    events = list(DIALECT.write_stream(stream, losses))
    return events, losses


def parts(events: list[Any]) -> list[Any]:
    return [part for event in events for each in event.get("candidates", ()) for part in each.get("content", {}).get("parts", ())]


def comes_home(*events: Any) -> bool:
    told = tuple(DIALECT.read_stream(events))
    again, losses = written(*told)
    return not losses and list(fold_each(DIALECT.read_stream(again))) == list(fold_each(told))


# Texts.


def test_texts_of_one_kind_go_on_with_a_block_and_a_signed_one_stands_alone() -> None:
    events = (
        chunk({"text": "I ", "thought": True}),
        chunk({"text": "think", "thought": True}),
        chunk({"text": "He"}),
        chunk({"text": "llo"}),
        chunk({"text": "", "thoughtSignature": "c2ln"}, finishReason="STOP"),
    )
    told = read(*events)
    assert told.message.contents == (
        Content.Reasoning("I think"),
        Content.Text("Hello"),
        Content.Reasoning("", {"gemini": {"thoughtSignature": "c2ln", "$part": "text"}}),
    )
    assert told.metadata.stop == StopReason(StopKind.END, "STOP")
    assert comes_home(*events)


def test_a_signed_text_is_not_merged_with_those_beside_it() -> None:
    events = (chunk({"text": "a"}), chunk({"text": "b", "thoughtSignature": "c2ln"}), chunk({"text": "c"}))
    assert [content.text for content in read(*events).message.contents if isinstance(content, Content.Text)] == ["a", "b", "c"]
    assert comes_home(*events)


def test_an_empty_text_at_the_end_says_nothing() -> None:
    events = (chunk({"functionCall": {"name": "f"}}), chunk({"text": ""}, finishReason="STOP"))
    told = read(*events)
    assert [type(content) for content in told.message.contents] == [Content.ToolRequest]
    assert told.metadata.stop == StopReason(StopKind.TOOL_CALLS, "STOP")


# Calls.


def test_arguments_in_pieces_are_put_together_by_their_paths() -> None:
    pieces = [
        {"jsonPath": "$.city", "stringValue": "Flo", "willContinue": True},
        {"jsonPath": "$.city", "stringValue": "rence"},
        {"jsonPath": "$.days[0].n", "numberValue": 1},
        {"jsonPath": "$.days[1].n", "numberValue": 2.5},
        {"jsonPath": "$['a.b']", "boolValue": False},
        {"jsonPath": "$.nothing", "nullValue": "NULL_VALUE"},
    ]
    events = (
        chunk({"functionCall": {"name": "f", "willContinue": True}, "thoughtSignature": "c2ln"}),
        *(chunk({"functionCall": {"partialArgs": [piece], "willContinue": True}}) for piece in pieces),
        chunk({"functionCall": {}}),
        chunk({"text": ""}, finishReason="STOP"),
    )
    (call,) = read(*events).message.tool_requests
    assert isinstance(call.arguments, Arguments.Parsed)
    assert call.arguments.json.value == {
        "city": "Florence",
        "days": [{"n": 1}, {"n": 2.5}],
        "a.b": False,
        "nothing": None,
    }
    assert (call.id, call.extras.of("gemini")["thoughtSignature"]) == ("call_r_1", "c2ln")
    assert comes_home(*events)


@pytest.mark.parametrize("path", ["$", "", None, "city", "$..city", "$[7]", "$.a[999999999]", "$.city.further", "$.*"])
def test_a_piece_that_has_no_place_is_kept_beside_the_arguments(path: Any) -> None:
    odd = {"jsonPath": path, "stringValue": "kept"}
    events = (
        chunk(
            {"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.city", "stringValue": "x"}, odd], "willContinue": True}}
        ),
        chunk({"functionCall": {}}),
    )
    (call,) = read(*events).message.tool_requests
    assert isinstance(call.arguments, Arguments.Parsed)
    assert call.arguments.json.value["city"] == "x"
    assert call.extras.of("gemini")["functionCall"] == {"partialArgs": [odd]}
    assert comes_home(*events)


def test_a_call_that_was_cut_off_is_malformed_and_comes_home_unfinished() -> None:
    events = (
        chunk({"functionCall": {"name": "f", "willContinue": True}}),
        chunk({"functionCall": {"partialArgs": [{"jsonPath": "$.a", "stringValue": "long te"}], "willContinue": True}}),
    )
    told = read(*events)
    (call,) = told.message.tool_requests
    assert isinstance(call.arguments, Arguments.Malformed)
    assert "long te" in call.arguments.text
    assert told.metadata.stop == StopReason(StopKind.INTERRUPTED)
    assert comes_home(*events)


def test_the_next_call_ends_the_one_before() -> None:
    events = (
        chunk({"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.a", "numberValue": 1}], "willContinue": True}}),
        chunk({"functionCall": {"name": "g", "args": {"b": 2}}}, finishReason="STOP"),
    )
    told = [(call.name, call.arguments) for call in read(*events).message.tool_requests]
    assert told == [("f", Arguments.of({"a": 1})), ("g", Arguments.of({"b": 2}))]


def test_a_call_that_nobody_named_is_kept_verbatim() -> None:
    odd = {"functionCall": {"args": {"a": 1}}}
    assert read(chunk(odd)).message.contents == (Content.Custom("gemini", odd),)
    assert comes_home(chunk(odd))


# The answer.


def test_the_last_reason_and_running_counts_stand_and_a_count_that_is_left_out_stays() -> None:
    events = (
        {**chunk({"text": "a"}, finishReason="STOP"), "usageMetadata": {"promptTokenCount": 9, "cachedContentTokenCount": 4}},
        {**chunk({"text": "b"}, finishReason="STOP"), "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2}},
        {**chunk({"text": "c"}, finishReason="MAX_TOKENS"), "usageMetadata": {"candidatesTokenCount": 3, "thoughtsTokenCount": 5}},
    )
    told = read(*events)
    assert told.message.text == "abc"
    assert told.metadata.stop == StopReason(StopKind.LENGTH, "MAX_TOKENS")
    usage = told.metadata.usage
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read, usage.reasoning) == (9, 8, 4, 5)
    assert comes_home(*events)


def test_citations_go_on_and_what_is_said_again_is_there_once() -> None:
    one, other = {"uri": "https://a.example"}, {"uri": "https://b.example"}
    rating = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW", "probabilityScore": 0.1}
    worse = {**rating, "probability": "HIGH", "probabilityScore": 0.9}
    events = (
        chunk({"text": "a"}, citationMetadata={"citations": [one]}, safetyRatings=[rating], groundingMetadata={}),
        chunk({"text": "b"}, citationMetadata={"citations": [one, other]}, safetyRatings=[{**rating, "probabilityScore": 0.2}]),
        chunk({"text": "c"}, citationMetadata={"citations": [{"uri": "c"}]}, safetyRatings=[worse]),
    )
    assert read(*events).metadata.extras.of("gemini")["candidates"] == {
        "citationMetadata": {"citations": [one, other, {"uri": "c"}]},
        "groundingMetadata": {},
        "safetyRatings": [{**rating, "probabilityScore": 0.2}, worse],
    }
    assert comes_home(*events)


def test_log_probabilities_go_on_even_where_they_are_alike() -> None:
    told = {"chosenCandidates": [{"token": "ha", "logProbability": -0.1}]}
    events = (chunk({"text": "ha"}, logprobsResult=told), chunk({"text": "ha"}, logprobsResult=told))
    kept = read(*events).metadata.extras.of("gemini")["candidates"]["logprobsResult"]
    assert kept == {"chosenCandidates": told["chosenCandidates"] * 2}
    assert comes_home(*events)


def test_candidates_that_come_interleaved_are_put_together_and_come_home() -> None:
    def said(number: int, text: str, **fields: Any) -> dict[str, Any]:
        return {"content": {"role": "model", "parts": [{"text": text}]}, "index": number, **fields}

    events = (
        {"candidates": [said(0, "a"), said(1, "x")], **BASE},
        {"candidates": [said(1, "y", finishReason="MAX_TOKENS")], **BASE},
        {"candidates": [said(0, "b", finishReason="STOP")], **BASE},
    )
    told = read(*events)
    assert [told.message.text, *(choice.message.text for choice in told.others)] == ["ab", "xy"]
    assert told.others[0].stop == StopReason(StopKind.LENGTH, "MAX_TOKENS")
    assert comes_home(*events)


def test_a_candidate_without_a_content_says_why_it_is_done() -> None:
    events = (chunk({"text": "a"}), {"candidates": [{"finishReason": "SAFETY"}]})
    assert read(*events).metadata.stop == StopReason(StopKind.CONTENT_FILTER, "SAFETY")
    assert comes_home(*events)


def test_a_blocked_prompt_is_stopped_by_a_filter_and_comes_home_without_candidates() -> None:
    event = {"promptFeedback": {"blockReason": "SAFETY"}, **BASE}
    assert read(event).metadata.stop == StopReason(StopKind.CONTENT_FILTER, "SAFETY")
    again, losses = written(*DIALECT.read_stream([event]))
    assert (again, losses) == ([event], [])


def test_an_error_in_mid_stream_is_told_and_what_came_before_is_kept() -> None:
    error = {"error": {"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}}
    told = read(chunk({"text": "Hel"}), error)
    assert told.message.text == "Hel"
    assert told.metadata.error is not None
    assert (told.metadata.error.message, told.metadata.error.code) == ("Overloaded.", "503")
    assert told.metadata.stop == StopReason(StopKind.ERROR, "503")
    assert comes_home(chunk({"text": "Hel"}), error)


def test_a_stream_that_is_one_array_says_the_same() -> None:
    events = [chunk({"text": "a"}), chunk({"text": "b"}, finishReason="STOP")]
    assert read(events) == read(*events)


def test_snake_case_says_the_same() -> None:
    snake = {
        "candidates": [{"content": {"role": "model", "parts": [{"function_call": {"name": "f", "args": {"a_b": 1}}}]}, "index": 0}],
        "model_version": "m",
        "response_id": "r",
    }
    assert read(snake) == read(chunk({"functionCall": {"name": "f", "args": {"a_b": 1}}}))


def test_an_answer_with_another_id_is_another_answer() -> None:
    one = chunk({"text": "a"}, finishReason="STOP")
    other = {**chunk({"text": "b"}, finishReason="STOP"), "responseId": "s"}
    told = list(fold_each(DIALECT.read_stream([one, one, other])))
    assert [(answer.metadata.id, answer.message.text) for answer in told] == [("r", "aa"), ("s", "b")]
    assert comes_home(one, one, other)


def test_another_id_or_model_in_mid_answer_is_kept_beside_the_first() -> None:
    late = {**chunk({"text": "b"}), "responseId": "s"}
    told = read(chunk({"text": "a"}), late, late, chunk({"text": "c"}))
    assert (told.metadata.id, told.metadata.extras.of("gemini")["responseId"], told.message.text) == ("r", "s", "abbc")
    assert comes_home(chunk({"text": "a"}), late, late, chunk({"text": "c"}))
    assert comes_home({"candidates": []}, chunk({"text": "a"}))


@pytest.mark.parametrize("event", [{}, {"what": "ever"}])
def test_an_event_that_is_no_chunk_comes_home_verbatim(event: dict[str, Any]) -> None:
    events, losses = written(*DIALECT.read_stream([chunk({"text": "a"}), event]))
    assert event in events
    assert losses == []


@given(st.lists(st.one_of(strategies.json(), strategies.json().map(chunk), strategies.objects().map(chunk)), max_size=4))
def test_reading_a_stream_is_total_and_all_of_it_can_be_written(events: list[Any]) -> None:
    again, _ = written(*DIALECT.read_stream(events))
    json.dumps(again)


# Whole and in pieces.


@present
def test_a_whole_answer_that_is_the_only_chunk_reads_to_the_same_words() -> None:
    rows = recordings("gemini", "response")
    assert len(rows) > 200
    for row in rows:
        whole, streamed = DIALECT.read_response(row.body).unwrap(), read(row.body)
        assert _words(streamed) == _words(whole), row.id


def _words(answer: ChatResponse) -> Any:
    told: list[Any] = []
    for content in answer.message.contents:
        match content:
            case Content.Text() | Content.Reasoning():
                if content.text or content.extras:  # texts that follow each other are one in a stream
                    merges = told and not content.extras and told[-1][0] is type(content) and not told[-1][2]
                    before = told.pop()[1] if merges else ""
                    told.append((type(content), before + content.text, content.extras))
            case _:
                told.append((type(content), content, None))
    metadata = answer.metadata
    stop = metadata.stop or StopReason(StopKind.INTERRUPTED)
    return told, metadata.id, metadata.model, metadata.usage, stop, answer.metadata.extras.of("gemini").get("candidates", {})


@present
def test_the_streams_of_the_official_client_come_home() -> None:
    rows = recordings("gemini_sdk", "stream")
    assert rows
    assert all(comes_home(*row.body) for row in rows)


# From others.


def test_a_call_waits_until_its_arguments_are_complete_and_calls_keep_their_order() -> None:
    events, losses = written(
        Delta.Start("1", "m"),
        Delta.ToolRequest(0, "", "c0", "f"),
        Delta.ToolRequest(1, "", "c1", "g"),
        Delta.ToolRequest(1, '{"b":'),
        Delta.ToolRequest(0, '{"a":1}'),
        Delta.ToolRequest(1, "2}"),
        Delta.Stop(StopReason(StopKind.TOOL_CALLS, "tool_calls")),
    )
    assert [part["functionCall"]["name"] for part in parts(events)] == ["f", "g"]
    assert losses == []
    assert events[-1]["candidates"] == [{"index": 0, "finishReason": "STOP"}]
    assert [found for event in events for found in complaints(event)] == []


def test_a_call_that_another_text_overtakes_is_moved() -> None:
    events, losses = written(Delta.ToolRequest(0, '{"a":', "c", "f"), Delta.Text(1, "hi"), Delta.ToolRequest(0, "1}"))
    assert parts(events) == [{"text": "hi"}, {"functionCall": {"id": "c", "name": "f", "args": {"a": 1}}}]
    assert [(loss.what, loss.path) for loss in losses] == [("a tool request", "$.message.contents[0]")]


def test_texts_that_a_client_would_join_or_part_are_told() -> None:
    _, losses = written(Delta.Text(0, "a"), Delta.Text(1, "b"), Delta.Reasoning(2, "c"), Delta.Text(0, "d"))
    assert [(loss.what, loss.path) for loss in losses] == [
        ("a text of its own", "$.message.contents[1]"),
        ("a text of its own", "$.message.contents[0]"),
    ]


def test_arguments_that_go_on_after_they_were_complete_are_told() -> None:
    events, losses = written(Delta.ToolRequest(0, "{}", "c", "f"), Delta.Text(1, "hi"), Delta.ToolRequest(0, '{"late":1}'))
    assert parts(events)[-1]["functionCall"]["args"] == {"late": 1}
    assert "arguments that go on" in {loss.what for loss in losses}


def test_a_text_is_written_as_it_comes() -> None:
    step, _ = DIALECT.write_stream.begin()
    list(step(Delta.Start("1", "m")))
    for text in ("He", "ll", "o"):
        assert parts([event for event in step(Delta.Text(0, text)) if isinstance(event, dict)]) == [{"text": text}]


def test_a_stream_without_a_reason_is_said_to_have_ended() -> None:
    events, losses = written(*deltas_of(ChatResponse(Message.Assistant("hi"), Metadata(id="1"))))
    assert events[-1]["candidates"][0]["finishReason"] == "STOP"
    assert [(loss.what, loss.action.value) for loss in losses] == [("the stop reason", "invented")]


def test_a_stream_that_broke_off_says_no_reason_and_loses_nothing() -> None:
    told = (Delta.Start("1", "m"), Delta.Text(0, "hi"), Delta.Stop(StopReason(StopKind.INTERRUPTED)))
    events, losses = written(*told)
    assert losses == []
    assert read(*events).metadata.stop == fold(told).metadata.stop


def test_an_error_of_another_provider_is_one_of_this() -> None:
    body = [{"choices": [{"index": 0, "delta": {"content": "a"}}]}, {"error": {"message": "No.", "code": "overloaded"}}]
    converted = convert(body, "openai_chat", "gemini", kind="stream", policy=Policy.LENIENT).unwrap()
    assert {"error": {"code": 500, "message": "No.", "status": "INTERNAL"}} in converted.value
