"""A test for each row of the table in docs/explanation/trimming.md: what others get wrong is otherwise here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from chatadt import Arguments, Content, Delta, Extras, History, Message, Resource, dumps, laws, strategies
from chatadt.transforms import (
    NoMessage,
    OverBudget,
    by_kind,
    cost_of,
    drop_contents,
    drop_messages,
    edit,
    exchanges,
    fit,
    is_summary,
    keep_contents,
    keep_messages,
    merge_runs,
    summarise,
    validate,
    window,
)

from .given import lines_run

PAGE: Final = Path(__file__).parents[2] / "docs" / "explanation" / "trimming.md"

CALLING: Final = (
    History()
    .system("Be brief.")
    .user("one")
    .assistant(["I look.", Content.ToolRequest("1", "f", {}), Content.ToolRequest("2", "f", {})])
    .result("1", "f", "a")
    .result("2", "f", "b")
    .assistant("done")
    .user("two")
)
"""The history of row 1."""

Row = Callable[[], None]
ROWS: Final[dict[int, Row]] = {}


def row(number: int) -> Callable[[Row], Row]:
    def listed(claim: Row) -> Row:
        assert number not in ROWS
        ROWS[number] = claim
        return claim

    return listed


def each(_: Message.T) -> int:
    return 1


def kept_by(budget: int, history: History) -> History:
    return fit(budget, each)(history).unwrap()


@row(1)
def pairs_are_not_split() -> None:
    for budget in range(2, len(CALLING) + 1):
        assert validate(kept_by(budget, CALLING)) == ()
        assert validate(window(messages=budget)(CALLING)) == ()
    assert kept_by(3, CALLING) == kept_by(6, CALLING) == History().system("Be brief.").user("two")
    assert kept_by(7, CALLING) == CALLING


@row(2)
def a_second_system_message_stays() -> None:
    history = History().system("one").system("two").user("a").assistant("b").user("c")
    assert kept_by(3, history) == History().system("one").system("two").user("c")


@row(3)
def a_system_message_over_the_budget_is_a_failure() -> None:
    history = History().system("long " * 84).user("hi")
    failure = fit(10)(history).failure()
    assert (failure.budget, failure.cost, failure.instructions) == (10, 114, 109)
    assert "costs 10 at most, got 114: 109 for its system messages" in str(failure)


@row(4)
def a_message_over_the_budget_is_a_failure_that_holds_it() -> None:
    history = History().user("a").assistant("b").user("c")
    assert fit(0, each)(history) == Failure(OverBudget(0, 1, 0, History().user("c")))
    assert fit(-1, each)(history) == Failure(OverBudget(-1, 1, 0, History().user("c")))


@row(5)
def the_annotation_of_a_cost_means_nothing() -> None:
    def by_string(message: "Message.T") -> int:  # noqa: UP037 (the quotes are the point)
        return 1

    def by_nothing(message):  # type: ignore[no-untyped-def]
        return 1

    assert fit(2, by_string)(CALLING) == fit(2, by_nothing)(CALLING) == fit(2, each)(CALLING) != Success(CALLING)


@row(6)
def nothing_is_cut_within_a_message() -> None:
    picture = Content.Image(Resource.Ref("https://example.org/cat.png"))
    history = History().user("old").assistant("old").user(["one\ntwo\nthree", picture])
    for budget in range(2_000):
        match fit(budget)(history):
            case Success(kept):
                assert set(kept) <= set(history)
            case failed:
                assert failed.failure().least[-1] == history[-1]


@row(7)
def a_cost_need_not_grow() -> None:
    costs = {"a": 9, "b": -9, "c": 5, "d": 1}
    asked: list[str] = []

    def cost(message: Message.T) -> int:
        asked.append(message.text)
        return costs[message.text]

    history = History().user("a").assistant("b").user("c").assistant("d")
    assert fit(6, cost)(history) == Success(history)
    assert asked == ["a", "b", "c", "d"]


@row(8)
def a_request_goes_with_its_result() -> None:
    left = drop_messages(lambda message: isinstance(message, Message.ToolResult))(CALLING)
    assert left == History().system("Be brief.").user("one").assistant("I look.").assistant("done").user("two")


@row(9)
def the_text_beside_a_call_stays() -> None:
    left = drop_contents(lambda content: isinstance(content, Content.ToolRequest))(CALLING)
    assert left == History().system("Be brief.").user("one").assistant("I look.").assistant("done").user("two")


@row(10)
def a_predicate_that_is_none_is_an_error() -> None:
    for wrong in ("tool", frozenset({"tool"})):
        with pytest.raises(TypeError):
            drop_messages(wrong)(CALLING)  # type: ignore[arg-type]


@row(11)
def speakers_of_two_names_stay_two() -> None:
    history = History().user("a", "ann").user("b", "bob").user("c", "bob")
    assert merge_runs(history) == History().user("a", "ann").user(["b", "c"], "bob")


@row(12)
def a_call_that_was_cut_off_stays_so() -> None:
    cut = Content.ToolRequest("1", "read", '{"path": "/home/us')
    merged = merge_runs(History().assistant("a").assistant([cut]).result("1", "read", "no"))
    assert merged[0].contents[1] == cut  # type: ignore[union-attr]
    assert isinstance(cut.arguments, Arguments.Malformed)


@row(13)
def no_text_is_lost() -> None:
    assert merge_runs(History().assistant([]).assistant("hello")) == History().assistant("hello")


@row(14)
def messages_with_other_extras_stay_apart() -> None:
    tools = [Message.Assistant("a", extras=Extras({"openai_chat": {"tool": name}})) for name in ("web", "api")]
    assert merge_runs(History(tools)) == History(tools)


@row(15)
def base64_is_not_counted_as_text() -> None:
    sound = Resource.Binary(b"\0" * 100_000, "audio/wav")
    assert cost_of([Message.User([Content.Audio(sound)])], by_kind(audio=500)) == 504
    quoted = Content.Custom("anthropic", {"type": "container_upload", "data": sound.content})
    assert cost_of([Message.User([quoted])]) < 2_000


@row(16)
def arguments_are_counted() -> None:
    call = Content.ToolRequest("1", "f", {"text": "word " * 800})
    assert cost_of([Message.Assistant([Content.Text("a"), call])]) > 1_000


@row(17)
def results_go_with_their_request() -> None:
    left = drop_messages(lambda message: isinstance(message, Message.Assistant))(CALLING)
    assert left == History().system("Be brief.").user("one").user("two")


@row(18)
def nothing_is_changed_in_place() -> None:
    before = dumps(CALLING)
    drop_messages(lambda message: True)(CALLING)
    merge_runs(CALLING)
    assert dumps(CALLING) == before


@row(19)
def what_is_left_begins_with_a_user() -> None:
    @given(strategies.histories(), st.integers(1, 6), st.booleans())
    def check(history: History, number: int, counts_messages: bool) -> None:
        left = (window(messages=number) if counts_messages else window(number))(history)
        said = [message for message in left if not isinstance(message, Message.System)]
        assert isinstance(said[0], Message.User)

    check()


@row(20)
def the_bound_is_kept() -> None:
    @given(strategies.histories(), st.integers(1, 12))
    def check(history: History, number: int) -> None:
        laws.budgets(fit(number, each), history, number, each)
        laws.budgets(fit(number, each, steps=True), history, number, each)

    check()


@row(21)
def the_last_exchange_stays() -> None:
    assert window(messages=1)(CALLING) == History().system("Be brief.").user("two")
    assert window(messages=1)(CALLING[:-1])[-1] == Message.Assistant("done")


@row(22)
def any_cost_will_do() -> None:
    assert fit(30)(CALLING) == Success(History().system("Be brief.").user("two"))
    assert fit(3_000)(CALLING) == Success(CALLING)


@row(23)
def a_late_system_message_stands_once_in_its_place() -> None:
    history = History().system("s").user("a").assistant("b").user("c").system("late").assistant("d")
    assert window(1)(history) == History().system("s").user("c").system("late").assistant("d")


@row(24)
def what_is_told_goes_and_what_is_kept_is_not_told() -> None:
    told: list[History] = []

    def tell(history: History) -> str:
        told.append(history)
        return "summary"

    left = summarise(tell)(CALLING)
    assert told == [CALLING[1:-1]]
    assert [message.text for message in left] == ["Be brief.", "summary", "two"]


@row(25)
def there_is_one_summary() -> None:
    history = CALLING
    for question in ("three", "four", "five"):
        history = summarise(lambda told: f"of {len(told)}")(history.assistant("so").user(question))
        assert sum(map(is_summary, history)) == 1
        assert [message.text for message in history][-1] == question
    assert history[0] == CALLING[0]


@row(26)
def the_input_is_untouched() -> None:
    for transform in (window(1), window(messages=1), summarise(lambda told: "s"), fit(20)):
        laws.purity_of_transforms(transform, CALLING)


@row(27)
def what_does_not_change_is_the_same_history() -> None:
    for transform in (window(9), window(messages=99), summarise(lambda told: "s", keep=9), merge_runs):
        assert transform(CALLING) is CALLING
    assert fit(9_999)(CALLING).unwrap() is CALLING


@row(28)
def prompts_stay_and_pairs_are_whole() -> None:
    for number in range(1, 9):
        for transform in (window(number), window(messages=number), summarise(lambda told: "s", keep=number)):
            laws.instructions_kept(transform, CALLING)
            laws.soundness(transform, CALLING)


@row(29)
def calls_and_results_stay_with_their_exchange() -> None:
    assert window(2)(CALLING) == CALLING
    assert exchanges(CALLING)[0][1:] == CALLING[1:6]


@row(30)
def a_summary_drops_no_system_message() -> None:
    history = History().system("s").user("a").system("late").assistant("b").user("c")
    left = summarise(lambda told: "summary")(history)
    assert [message.text for message in left] == ["s", "late", "summary", "c"]


@row(31)
def the_summary_bears_the_mark_and_the_input_none() -> None:
    before = dumps(CALLING)
    left = summarise(lambda told: "summary")(CALLING)
    assert list(map(is_summary, left)) == [False, True, False]
    assert dumps(CALLING) == before
    assert not any(map(is_summary, CALLING))


@row(32)
def single_steps_can_go() -> None:
    agent = CALLING[:1] + CALLING[6:]
    for number in range(3):
        agent = agent.assistant([Content.ToolRequest(f"{number}", "f", {})]).result(f"{number}", "f", "r")
    assert fit(4, each)(agent).failure().least == agent
    assert fit(4, each, steps=True)(agent) == Success(agent[:2] + agent[-2:])
    assert fit(7, each, steps=True)(agent) == Success(agent[:2] + agent[-4:])


@row(33)
def what_nothing_is_true_of_keeps_nothing() -> None:
    assert keep_messages(lambda _: False)(CALLING) == keep_contents(lambda _: False)(CALLING) == History()


@row(34)
def a_call_that_was_cut_off_goes_with_the_others() -> None:
    cut = Content.ToolRequest("1", "f", '{"a')
    history = History().user("q").assistant(["I look.", cut]).result("1", "f", "no")
    assert drop_contents(lambda content: isinstance(content, Content.ToolRequest))(history) == History().user("q").assistant(
        "I look."
    )


@row(35)
def a_call_that_goes_is_gone_and_the_text_stays() -> None:
    for ids in ({"1"}, {"2"}, {"1", "2"}):
        left = drop_contents(lambda content, ids=ids: isinstance(content, Content.ToolRequest) and content.id in ids)(CALLING)  # type: ignore[misc]
        said = left[2]
        assert isinstance(said, Message.Assistant)
        assert [request.id for request in said.tool_requests] == sorted({"1", "2"} - ids)
        assert said.text == "I look."
        assert not any(f'"{id_}"'.encode() in dumps(left) for id_ in ids)


@row(36)
def a_piece_of_a_stream_is_no_message() -> None:
    with pytest.raises(TypeError, match=r"messages\[0\]"):
        History([Delta.Text(0, "a")])  # type: ignore[list-item]


@row(37)
def fields_that_differ_keep_messages_apart() -> None:
    values: list[Any] = [0.5, 1.5, True, 1, "a", None, [1], {"a": 1}]
    history = History(Message.Assistant("a", extras=Extras({"openai_chat": {"x": value}})) for value in values)
    history += [Message.Custom({"role": role}) for role in ("critic", "judge")]
    assert merge_runs(history) is history


@row(38)
def contents_of_one_index_stay_apart() -> None:
    blocks = [Content.Text(text, Extras({"anthropic": {"index": 0}})) for text in ("a", "b")]
    merged = merge_runs(History().assistant(blocks[:1]).assistant(blocks[1:]))
    assert merged == History().assistant(blocks)


@row(39)
def a_run_costs_as_much_as_its_length() -> None:
    def lines(number: int) -> int:
        history = History([Message.Assistant(["a", "b"])] * number)
        return lines_run(lambda: merge_runs(history))

    assert lines(1_000) < 3 * lines(500)


@row(40)
def what_is_not_there_is_no_exception() -> None:
    assert drop_messages(lambda message: message.text == "nowhere")(CALLING) is CALLING
    assert edit(99, lambda message: message)(CALLING) == Failure(NoMessage(99, len(CALLING)))


@row(41)
def every_number_answers_for_every_history() -> None:
    for history in (History(), History().system("s"), History().system("s").user("a"), CALLING[:1], CALLING):
        for number in range(4):
            for transform in (window(number), window(messages=number), summarise(lambda told: "s", keep=number)):
                assert [message for message in transform(history) if isinstance(message, Message.System)] == [
                    message for message in history if isinstance(message, Message.System)
                ]
            laws.budgets(fit(number, each), history, number, each)


@pytest.mark.parametrize("number", ROWS, ids=lambda number: f"{number}-{ROWS[number].__name__}")
def test_what_others_get_wrong_is_otherwise_here(number: int) -> None:
    ROWS[number]()


def test_each_row_of_the_page_has_a_test() -> None:
    numbers: list[Any] = re.findall(r"^\| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert list(map(int, numbers)) == list(ROWS)
