"""Transforms of what is rare or hostile: calls that only a dialect knows, halves of letters, arguments that are none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

import pytest
from attrs import evolve
from returns.result import Success

from chatadt import DIALECTS, Content, History, Message, Resource, check
from chatadt.transforms import (
    branch,
    concat,
    drop_contents,
    drop_messages,
    edit,
    fit,
    map_contents,
    merge_runs,
    older,
    put_summary,
    redact,
    relabel,
    summarise,
    try_summarise,
    validate,
    window,
)

from .given import lines_run

ANSWERED: Final = History().user("q").assistant([Content.ToolRequest("call_1", "f", {})]) + [
    Message.Custom({"type": "function_call_output", "call_id": "call_1", "output": "of call_1"})
]
ASKED: Final = (
    History()
    .user("q")
    .assistant(["I click.", Content.Custom("openai_responses", {"type": "computer_call", "call_id": "call_1"})])
    .result("call_1", None, "done")
)


def renamed(content: Content.T) -> Content.T:
    return evolve(content, id="new", name="g") if isinstance(content, Content.ToolRequest) else content


def silent(content: Content.T) -> Content.T:
    return Content.Text("…") if isinstance(content, Content.ToolRequest | Content.Custom) else content


FOLLOWING: Final[dict[str, Callable[[History], Any]]] = {
    "redact ids": redact(r"call_\d"),
    "redact kinds": redact(kinds=[Content.Custom, Content.ToolRequest, Message.ToolResult]),
    "map ids": map_contents(renamed),
    "map away": map_contents(silent),
    "edit the answer": edit(2, lambda _: Message.Custom({"type": "other"})),
    "edit the call": edit(1, lambda _: Message.Assistant("No.")),
    "drop the answer": drop_messages(lambda message: isinstance(message, Message.Custom | Message.ToolResult)),
    "drop the call": drop_contents(lambda content: isinstance(content, Content.ToolRequest | Content.Custom)),
    "relabel": relabel(),
}


@pytest.mark.parametrize("history", [ANSWERED, ASKED], ids=["the answer", "the call"])
@pytest.mark.parametrize("name", FOLLOWING)
def test_what_only_a_dialect_knows_is_not_parted_from_its_call_or_answer(name: str, history: History) -> None:
    assert validate(history) == ()
    answer = FOLLOWING[name](history)
    left = answer if isinstance(answer, History) else answer.unwrap()
    assert validate(left) == ()
    assert len(left) >= 1


def test_redaction_leaves_the_ids_of_what_only_a_dialect_knows_and_nothing_else() -> None:
    assert redact(r"call_\d", marker="*")(ANSWERED)[2] == Message.Custom(
        {"type": "function_call_output", "call_id": "call_1", "output": "of *"}
    )
    assert redact(r"call_\d", marker="*")(ANSWERED[2:]) == History(
        [Message.Custom({"type": "function_call_output", "call_id": "*", "output": "of *"})]
    )


def test_a_request_that_is_answered_by_what_only_a_dialect_knows_keeps_its_id() -> None:
    twice = Content.ToolRequest("call_1", "f", {})
    history = History().assistant([twice, evolve(twice, id="call_2")]).result("call_2", "f", "b") + ANSWERED[2:]
    left = map_contents(renamed)(history)
    assert [request.id for request in cast("Message.Assistant", left[0]).tool_requests] == ["call_1", "new"]
    assert left[1] == Message.ToolResult("new", "g", "b")


@pytest.mark.parametrize(
    "uri",
    [
        "data:text/plain;base64,YSBzZWNyZXQ=",
        "data:text/plain,a%20secret",
        "data:,a%20secret",
        "DATA:application/json,%22a%20secret%22",
        "data:image/svg+xml,%3Csvg%3Ea%20secret%3C/svg%3E",
    ],
)
def test_a_text_in_an_address_is_redacted_however_it_is_spelt(uri: str) -> None:
    history = History().user([Content.File(Resource.Ref(uri))])
    (content,) = redact("a secret", marker="*")(history)[0].contents  # type: ignore[union-attr]
    held = Resource.of(content.resource.uri)  # type: ignore[union-attr]
    assert isinstance(held, Resource.Binary)
    assert b"secret" not in held.bytes
    assert b"*" in held.bytes
    assert redact("nothing of it")(history) is history


@pytest.mark.parametrize("uri", ["data:image/png;base64,YSBzZWNyZXQ=", "data:text/plain;base64,broken", "data:no comma"])
def test_an_address_that_holds_no_text_stays(uri: str) -> None:
    history = History().user([Content.File(Resource.Ref(uri))])
    assert redact("a secret")(history) is history


SIGNATURE: Final = "Er1234+/" * 40 + "=="


@pytest.mark.parametrize(
    "content",
    [
        Content.Reasoning("I think.", {"anthropic": {"signature": SIGNATURE}}),
        Content.Text("a", {"gemini": {"thoughtSignature": SIGNATURE}}),
        Content.ToolRequest("1", "f", {}, {"gemini": {"thoughtSignature": SIGNATURE}}),
        Content.ToolRequest("1", "f", {"picture": SIGNATURE}),
        Content.Custom("anthropic", {"type": "redacted_thinking", "data": SIGNATURE}),
    ],
    ids=["reasoning", "text", "tool request", "arguments", "custom"],
)
def test_a_pattern_does_not_break_what_is_signed_or_encoded(content: Content.Output) -> None:
    history = History().assistant([content])
    assert redact(r"\d+", "E", marker="*")(history) is history


def test_a_short_secret_beside_a_signature_goes_and_with_it_the_signature() -> None:
    thought = Content.Reasoning("I think.", {"anthropic": {"signature": SIGNATURE, "for": "ann"}})
    assert redact("ann")(History().assistant([thought])) == History().assistant([Content.Reasoning("I think.")])
    said = Content.Text("a", {"gemini": {"thoughtSignature": SIGNATURE, "for": "ann"}})
    kept = Content.Text("a", {"gemini": {"thoughtSignature": SIGNATURE, "for": "*"}})
    assert redact("ann", marker="*")(History().assistant([said])) == History().assistant([kept])


@pytest.mark.parametrize("kinds", [["text"], [Message.User], [Content.Text, None], [Content]])
def test_a_kind_that_cannot_be_taken_out_is_an_error_and_does_not_stay_in_silence(kinds: Any) -> None:
    with pytest.raises(TypeError, match=r"a case of Content, or Message\.ToolResult"):
        redact(kinds=kinds)


@pytest.mark.parametrize("kinds", [Content.Image, Content, 5])
def test_kinds_that_are_no_collection_are_an_error_that_says_so(kinds: Any) -> None:
    with pytest.raises(TypeError, match=r"kinds are a collection, got .*: put it into a list"):
        redact(kinds=kinds)


def test_what_is_no_pattern_or_marker_is_an_error_where_it_is_given() -> None:
    with pytest.raises(ValueError, match="expected a regular expression"):
        redact("(")
    with pytest.raises(TypeError, match="a pattern of strings"):
        redact(re.compile(b"a"))  # type: ignore[arg-type]
    for wrong in (5, ["a"], b"a"):
        with pytest.raises(TypeError, match="a pattern of strings, got"):
            redact(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the marker is a string"):
        redact("a", marker=None)  # type: ignore[arg-type]


NUMBERED: Final[dict[str, Callable[[Any], object]]] = {
    "a window": window,
    "a window of messages": lambda number: window(messages=number),
    "a budget": fit,
    "a summary": lambda number: summarise(str, keep=number),
    "a summary that may fail": lambda number: try_summarise(Success, keep=number),
    "what is told": older,
    "what is put": lambda number: put_summary("a", keep=number),
    "a branch": branch,
    "an edit": lambda number: edit(number, lambda message: message),
}


@pytest.mark.parametrize("wrong", [1.5, True, "1", float("nan"), [1]])
@pytest.mark.parametrize("name", NUMBERED)
def test_what_is_no_number_is_an_error_where_it_is_given(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"is an integer, got "):
        NUMBERED[name](wrong)


@pytest.mark.parametrize(("made", "error"), [("", ValueError), (" ", ValueError), (5, TypeError), (None, TypeError)])
def test_a_label_that_is_no_id_is_an_error(made: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"label makes .* of 1: "):
        relabel(lambda number: made)(ANSWERED[:2].result("call_1", "f", "a"))


def test_a_summary_that_may_fail_is_a_result() -> None:
    with pytest.raises(TypeError, match=r"expected a Result of a text, got 'told'.*take summarise"):
        try_summarise(lambda history: "told")(History().user("a").user("b").assistant("c").user("d"))  # type: ignore[arg-type,return-value]


def test_kinds_may_come_from_anywhere_and_hold_each_time() -> None:
    transform = redact(kinds=(kind for kind in (Content.Text,)))  # type: ignore[arg-type]
    assert transform(History().user("a")) == transform(History().user("b")) == History().user("[redacted]")


def test_histories_are_put_behind_each_time_even_where_they_can_be_read_once() -> None:
    transform = concat(message for message in History().user("b"))
    assert transform(History().user("a")) == History().user("a").user("b")
    assert transform(History()) == History().user("b")
    with pytest.raises(TypeError, match=r"messages\[0\] is 'b'"):
        concat("b")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, "text"])
def test_an_edit_that_gives_no_message_is_an_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected Message"):
        edit(0, lambda _: wrong)(History().user("a"))


HALF: Final = "a\ud800"
HALVES: Final[dict[str, Message.T]] = {
    "$.messages[0].name": Message.User("a", HALF),
    "$.messages[0].contents[0].text": Message.System(HALF),
    "$.messages[0].contents[0].resource": Message.User([Content.Image(Resource.Ref(HALF))]),
    "$.messages[0].contents[0].transcript": Message.User([Content.Audio(Resource.Ref("a"), HALF)]),
    "$.messages[0].contents[0].name": Message.User([Content.PDF(Resource.Ref("a"), HALF)]),
    "$.messages[0].contents[0].id": Message.Assistant([Content.ToolRequest(HALF, "f", {})]),
    "$.messages[0].contents[0].arguments": Message.Assistant([Content.ToolRequest("1", "f", {"a": HALF})]),
    "$.messages[0].contents[1].arguments": Message.Assistant(["a", Content.ToolRequest("1", "f", HALF)]),
    "$.messages[0].contents[0].value": Message.User([Content.Custom("nobody", {HALF: 1})]),
    "$.messages[0].id": Message.ToolResult(HALF, None, "a"),
    "$.messages[0].tool": Message.ToolResult("1", HALF, "a"),
}


@pytest.mark.parametrize("path", HALVES)
def test_half_of_a_surrogate_pair_is_found_wherever_something_is_said(path: str) -> None:
    found = [violation.path for violation in validate(History([HALVES[path]])) if violation.rule == "lone-surrogate"]
    assert found == [path]


def test_what_only_looks_like_half_of_a_pair_is_none() -> None:
    said = {"a": "\U0001f600", "b": "\\ud800"}
    assert validate(History().user([Content.Custom("nobody", said)]).user("\U0001f600")) == ()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_halves_that_every_server_refuses_validate_finds(dialect: str) -> None:
    for message in HALVES.values():
        rules = {violation.rule for violation in check(History([message]), dialect)}
        assert "lone-surrogate" not in rules or {violation.rule for violation in validate(History([message]))} >= {"lone-surrogate"}


@pytest.mark.parametrize(
    "repeated",
    [
        [Message.Assistant("a")],
        [Message.User(["a", "b"])],
        [Message.Custom({"id": "c"}), Message.ToolResult("c", "f", "r")],
        [Message.Assistant([Content.ToolRequest("c", "f", {})]), Message.Custom({"id": "c"}), Message.User("x")],
    ],
    ids=["a run", "a run of two contents", "stray results", "answers of one id"],
)
def test_a_long_history_costs_as_much_as_its_length(repeated: list[Message.T]) -> None:

    def steps(number: int) -> int:
        history = History(repeated * number)
        return lines_run(lambda: (merge_runs(history), validate(history)))

    assert steps(800) < 3 * steps(400)
