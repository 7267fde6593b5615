"""A fold: blocks in order, cut-off arguments, streams that break off, several messages; and the view on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import (
    Arguments,
    ChatResponse,
    Content,
    Delta,
    Extras,
    Folding,
    Message,
    Metadata,
    ProviderError,
    StopKind,
    StopReason,
    Usage,
    deltas_of,
    fold,
    fold_each,
    strategies,
)
from chatadt.laws import Broken, rechunking, recut, separating

END: Final = Delta.Stop(StopReason(StopKind.END, "stop"))


def contents(*deltas: Delta.T) -> tuple[Content.Output, ...]:
    return fold(deltas).message.contents


def test_pieces_of_a_block_are_joined_whatever_comes_between() -> None:
    stream = (Delta.Text(0, "Hel"), Delta.Reasoning(1, "h"), Delta.Text(0, "lo"), Delta.Reasoning(1, "m"))
    assert contents(*stream) == (Content.Text("Hello"), Content.Reasoning("hm"))


def test_blocks_stand_in_the_order_of_their_first_pieces() -> None:
    assert contents(Delta.Text(7, "a"), Delta.Text(2, "b"), Delta.Text(7, "c")) == (Content.Text("ac"), Content.Text("b"))


def test_a_piece_of_another_case_under_the_same_number_is_a_block_of_its_own() -> None:
    assert contents(Delta.Text(0, "a"), Delta.Refusal(0, "b")) == (Content.Text("a"), Content.Refusal("b"))


def test_an_empty_piece_opens_its_block() -> None:
    assert contents(Delta.Text(0, "")) == (Content.Text(""),)


def test_the_name_and_the_arguments_of_a_tool_request_come_in_pieces() -> None:
    stream = (
        Delta.ToolRequest(0, id="c1", name="wea"),
        Delta.ToolRequest(0, '{"city": "O', name="ther"),
        Delta.ToolRequest(0, 'slo"}', id="c2"),
    )
    assert contents(*stream) == (Content.ToolRequest("c1", "weather", {"city": "Oslo"}),)


def test_arguments_that_never_came_are_an_empty_object() -> None:
    assert contents(Delta.ToolRequest(0, id="c1", name="now"), Delta.Stop(None)) == (Content.ToolRequest("c1", "now", {}),)


def test_arguments_that_were_cut_off_are_malformed() -> None:
    (request,) = contents(Delta.ToolRequest(0, '{"city": "O', "c1", "weather"))
    assert isinstance(request, Content.ToolRequest)
    assert isinstance(request.arguments, Arguments.Malformed)
    assert request.arguments.text == '{"city": "O'


def test_a_tool_request_whose_name_never_came_is_kept_and_is_no_tool_request() -> None:
    (found,) = contents(Delta.ToolRequest(0, '{"a": 1}', "c1"))
    assert isinstance(found, Content.Custom)
    assert found.value.value == {"type": "tool_request", "id": "c1", "name": "", "arguments": '{"a": 1}', "extras": {}}


def test_a_later_whole_block_replaces_the_one_of_its_number() -> None:
    first, second = Content.Custom("nobody", 1), Content.Custom("nobody", 2)  # type: ignore[arg-type]
    assert contents(Delta.Block(0, first), Delta.Text(1, "a"), Delta.Block(0, second)) == (second, Content.Text("a"))


def test_extras_of_a_block_replace_and_grow() -> None:
    signed = (Delta.BlockExtras(0, {"a": {"signature": "1"}}), Delta.BlockExtras(0, {"a": {"signature": "2"}}))  # type: ignore[arg-type]
    cited = [Delta.BlockExtras(0, Extras({"a": {"citations": [n]}}), grow=True) for n in (1, 2)]
    (found,) = contents(Delta.Text(0, "x"), *signed, *cited)
    assert found == Content.Text("x", {"a": {"signature": "2", "citations": [1, 2]}})


def test_extras_wait_for_their_block_and_are_the_messages_where_it_never_comes() -> None:
    early = Delta.BlockExtras(0, Extras({"a": {"signature": "1"}}))
    assert contents(early, Delta.Text(0, "x")) == (Content.Text("x", {"a": {"signature": "1"}}),)
    assert fold([early]).message == Message.Assistant([], extras={"a": {"signature": "1"}})


def test_a_stream_that_breaks_off_is_interrupted_and_keeps_what_came() -> None:
    answer = fold([Delta.Start("r1", "m"), Delta.Text(0, "par")])
    assert answer == ChatResponse(Message.Assistant("par"), Metadata(id="r1", model="m", stop=StopReason(StopKind.INTERRUPTED)))


def test_an_error_in_mid_stream_is_kept_with_what_came_before() -> None:
    error = ProviderError("overloaded", "overloaded_error")
    answer = fold([Delta.Text(0, "par"), Delta.Failed(error)])
    assert answer.message == Message.Assistant("par")
    assert answer.metadata == Metadata(stop=StopReason(StopKind.ERROR, "overloaded_error"), error=error)


def test_a_reason_that_the_provider_gives_stands_beside_its_error() -> None:
    answer = fold([END, Delta.Failed(ProviderError("late"))])
    assert answer.metadata.stop == StopReason(StopKind.END, "stop")
    assert answer.metadata.error == ProviderError("late")


def test_the_last_reason_counts_and_none_takes_none_away() -> None:
    length = StopReason(StopKind.LENGTH)
    assert fold([END, Delta.Stop(length), Delta.Stop(None)]).metadata.stop == length
    assert fold([Delta.Stop(None)]).metadata.stop is None


def test_later_usage_replaces_earlier_usage() -> None:
    assert fold([Delta.Tokens(Usage(input=1, output=1)), Delta.Tokens(Usage(output=9))]).metadata.usage == Usage(output=9)


def test_choices_that_come_interleaved_are_told_apart() -> None:
    stream = (Delta.Text(0, "a"), Delta.Text(0, "x", 1), Delta.Text(0, "b"), Delta.Text(0, "y", 1), Delta.Stop(None, 1), END)
    answer = fold(stream)
    assert (answer.message.text, [other.message.text for other in answer.others]) == ("ab", ["xy"])


def test_several_messages_end_to_end_are_several_answers() -> None:
    stream = (Delta.Start("1"), Delta.Text(0, "a"), END, Delta.Start("2"), Delta.Text(0, "b"), END)
    assert [(each.metadata.id, each.message.text) for each in fold_each(stream)] == [("1", "a"), ("2", "b")]
    assert fold(stream).message == Message.Assistant(["a", "b"])


def test_a_message_that_another_one_cuts_short_is_interrupted() -> None:
    cut, whole = fold_each((Delta.Start("1"), Delta.Text(0, "a"), Delta.Start("2"), Delta.Text(0, "b"), END))
    assert cut.metadata.stop == StopReason(StopKind.INTERRUPTED)
    assert whole.metadata.stop == StopReason(StopKind.END, "stop")


def test_an_answer_is_given_as_soon_as_it_is_complete() -> None:
    def stream() -> Iterable[Delta.T]:
        yield Delta.Start("1")
        yield Delta.Start("2")
        raise AssertionError("nobody asked for more")

    assert next(iter(fold_each(stream()))).metadata.id == "1"


def test_events_of_a_dialect_are_kept_in_order() -> None:
    answer = fold([Delta.Custom("nobody", 1), Delta.Custom("nobody", 2)])  # type: ignore[arg-type]
    assert answer.metadata.extras == Extras({"nobody": {"events": [1, 2]}})


# The view on the way.


def test_what_is_fed_answers_the_block_that_it_changed() -> None:
    coming = Folding()
    block = coming.feed(Delta.Text(0, "Hel"))
    assert block is not None
    assert coming.feed(Delta.Text(0, "lo")) is block
    assert (block.case, block.pieces, block.text, block.pieces) == (Content.Text, ["Hello"], "Hello", ["Hello"])
    assert coming.feed(END) is None
    request = coming.feed(Delta.ToolRequest(1, '{"a"', "c1", "f"))
    assert request is not None
    assert (request.id, request.name, request.text) == ("c1", "f", '{"a"')
    assert coming.blocks == (block, request)


def test_a_view_is_not_changed_by_what_comes_later() -> None:
    coming = Folding()
    coming.feed(Delta.Text(0, "a"))
    before = coming.response()
    coming.feed(Delta.Text(0, "b"))
    assert (before.message.text, coming.response().message.text) == ("a", "ab")


# Cost.


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


MAKERS: Final[dict[str, Callable[[int], Delta.T]]] = {
    "text": lambda _: Delta.Text(0, "token "),
    "arguments": lambda _: Delta.ToolRequest(0, '"abc", '),
    "blocks": lambda n: Delta.Text(n, "token "),
    "citations": lambda n: Delta.BlockExtras(0, Extras({"a": {"citations": [n]}}), grow=True),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_fold_is_linear(name: str) -> None:
    """A linear fold of 64 times as many deltas costs about 64 times as much, a quadratic one 4,096 times."""
    few, many = ([MAKERS[name](n) for n in range(size)] for size in (500, 32_000))
    assert seconds(lambda: fold(many)) < 640 * seconds(lambda: fold(few))


def test_feeding_and_looking_at_what_changed_is_linear() -> None:
    def feed(size: int) -> None:
        coming = Folding()
        for _ in range(size):
            block = coming.feed(Delta.Text(0, "token "))
            assert block is not None
            assert block.pieces[-1] == "token "

    assert seconds(lambda: feed(32_000)) < 640 * seconds(lambda: feed(500))


# Laws that can fail.


@given(strategies.streams(), st.integers(1, 5))
def test_recutting_keeps_what_is_said(stream: tuple[Delta.T, ...], size: int) -> None:
    assert "".join(map(said, recut(stream, size))) == "".join(map(said, stream))
    assert all(len(said(delta)) <= size for delta in recut(stream, size))


def said(delta: Any) -> str:
    return "" if not isinstance(delta, Delta.Text | Delta.Reasoning | Delta.Refusal) else delta.text


def test_a_fold_that_counts_pieces_breaks_the_law_of_rechunking(monkeypatch: pytest.MonkeyPatch) -> None:
    def counting(stream: Iterable[Delta.T]) -> ChatResponse:
        return ChatResponse(Message.Assistant(str(len(tuple(stream)))))

    monkeypatch.setattr("chatadt.laws._streams.fold", counting)
    with pytest.raises(Broken, match="folds to the same however it is cut"):
        rechunking((Delta.Text(0, "abc"),))


def test_a_fold_that_makes_one_answer_of_all_breaks_the_law_of_separating(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatadt.laws._streams.fold_each", lambda stream: iter([fold(stream)]))
    with pytest.raises(Broken, match="one by one"):
        separating(tuple(deltas_of(ChatResponse(Message.Assistant("a")))))
