"""A history is an immutable sequence: slices, sums and its words give histories, and nothing is changed in place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from chatadt import strategies
from chatadt.content import Content
from chatadt.history import History, to_messages
from chatadt.message import Message, Outcome

histories = st.lists(strategies.messages(), max_size=5).map(History)
indexes = st.one_of(st.none(), st.integers(-7, 7))
slices = st.builds(slice, indexes, indexes, st.one_of(st.none(), st.sampled_from((-2, -1, 1, 2))))

ASKED, SAID = Message.User("hi"), Message.Assistant("hello")


@given(histories, slices)
def test_a_slice_of_a_history_is_the_history_of_the_slice(history: History, part: slice) -> None:
    assert history[part] == History(history.messages[part])


@given(histories, st.integers(-7, 7))
def test_an_index_finds_what_the_tuple_finds(history: History, index: int) -> None:
    if -len(history) <= index < len(history):
        assert history[index] is history.messages[index]
    else:
        with pytest.raises(IndexError):
            history[index]


@pytest.mark.parametrize("index", ["a", 1.0, None])
def test_an_index_of_another_type_is_a_type_error(index: object) -> None:
    with pytest.raises(TypeError):
        History([ASKED])[index]  # type: ignore[call-overload]


@given(histories, histories, histories)
def test_sums_are_associative_and_the_empty_history_is_their_unit(a: History, b: History, c: History) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + History() == History() + a == a
    assert len(a + b) == len(a) + len(b)


@given(histories, histories)
def test_a_sum_takes_any_iterable_on_either_side(a: History, b: History) -> None:
    assert a + list(b) == a + b
    assert list(a) + b == a + b
    assert a + (message for message in b) == a + b
    assert tuple(a) + b == a + b


@given(histories, st.integers(0, 5))
def test_a_history_is_the_sum_of_its_parts(history: History, at: int) -> None:
    assert history[:at] + history[at:] == history


@given(histories)
def test_the_sequence_protocol(history: History) -> None:
    assert isinstance(history, Sequence)
    assert list(history) == list(history.messages)
    assert list(reversed(history)) == list(reversed(history.messages))
    assert len(history) == len(history.messages)
    assert bool(history) == bool(history.messages)
    for message in history:
        assert message in history
        assert history[history.index(message)] == message
        assert history.count(message) == history.messages.count(message)


@given(histories)
def test_a_history_is_made_of_any_iterable_of_messages(history: History) -> None:
    assert History(history) == History(list(history)) == History(iter(history)) == history
    assert to_messages(history) is history.messages


@given(histories)
def test_the_words_append_and_leave_the_history_as_it_was(history: History) -> None:
    before = history.messages
    assert history.system("a") == history + [Message.System("a")]
    assert history.user("a", "ann") == history + [Message.User("a", "ann")]
    assert history.assistant(["a", Content.Refusal("b")]) == history + [Message.Assistant(["a", Content.Refusal("b")])]
    assert history.result("1", "f", "a", Outcome.ERROR) == history + [Message.ToolResult("1", "f", "a", Outcome.ERROR)]
    assert history.messages is before


def test_a_history_is_no_tuple_and_no_list() -> None:
    history = History([ASKED, SAID])
    assert history != (ASKED, SAID)
    assert history != [ASKED, SAID]
    assert hash(history) == hash(History([ASKED, SAID]))
    assert {history: 1}[History([ASKED]) + [SAID]] == 1


def test_item_assignment_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        History([ASKED])[0] = SAID  # type: ignore[index]


def test_the_text_of_a_message_is_its_texts_joined() -> None:
    assert Message.Assistant([Content.Reasoning("hm"), "a", Content.Refusal("no"), "b"]).text == "ab"
    assert Message.User([]).text == ""
    assert Message.Custom({"text": "a"}).text == ""
    assert Message.System(["a", "b"]).text == "ab"
    assert Message.ToolResult("1", "f", ["a", "b"]).text == "ab"


def test_tool_requests_come_in_order() -> None:
    first, second = Content.ToolRequest("1", "f", {}), Content.ToolRequest("2", "f", {})
    assert Message.Assistant([first, "a", second]).tool_requests == (first, second)
