"""The laws of transforms hold on generated histories, valid and wild, and catch transforms that are broken."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import assume, given, strategies as st
from returns.result import Failure, Success

from chatadt import Content, History, Message, Outcome, Resource, check, dumps, laws, repair, strategies
from chatadt.transforms import (
    address_of,
    by_kind,
    close_calls,
    cost_of,
    diff,
    exchanges,
    externalise,
    fit,
    inline,
    map_contents,
    merge_runs,
    redact,
    validate,
    window,
)

from .given import ALWAYS, TRANSFORMS

WILD: Final = st.lists(strategies.messages(), max_size=6).map(History)
"""Any messages in any order."""

ids: Final = st.sampled_from(("a", "b"))
TANGLED: Final = st.lists(
    st.one_of(
        st.builds(Message.User, st.just("q")),
        st.builds(Message.System, st.just("s")),
        st.builds(
            Message.Assistant, st.lists(st.one_of(st.just("t"), st.builds(Content.ToolRequest, ids, st.just("f"), st.just({}))))
        ),
        st.builds(Message.ToolResult, ids, st.sampled_from((None, "f", "g")), st.just("r")),
        st.builds(Message.Custom, st.fixed_dictionaries({"call_id": ids}), st.just("nobody")),
    ),
    max_size=9,
).map(History)
"""Calls and results in any order, of few ids, so that they meet."""

every_transform = pytest.mark.parametrize("name", TRANSFORMS)


@every_transform
def test_a_transform_keeps_its_laws(name: str) -> None:
    known = TRANSFORMS[name]

    @given(strategies.histories())
    def holds(history: History) -> None:
        for title in (*ALWAYS, *known.laws):
            laws.LAWS_OF_TRANSFORMS[title](known.transform, history)

    holds()


@every_transform
def test_a_transform_takes_whatever_a_history_may_be(name: str) -> None:
    transform = TRANSFORMS[name].transform

    @given(st.one_of(WILD, TANGLED))
    def holds(history: History) -> None:
        laws.purity_of_transforms(transform, history)
        str(validate(history))

    holds()


def settled(history: History) -> History:
    """The history with its calls closed, and without the results of none."""
    whole = close_calls()(history)
    wrong = {int(found[1]) for violation in validate(whole) if (found := re.match(r"\$\.messages\[(\d+)\]", violation.path))}
    return History(message for index, message in enumerate(whole) if index not in wrong)


SETTLED: Final = TANGLED.map(settled).map(settled).filter(lambda history: validate(history) == ())
"""Valid ones, with calls and answers among them that only a dialect knows."""


@every_transform
def test_a_transform_keeps_its_laws_where_only_a_dialect_knows_a_call_or_an_answer(name: str) -> None:
    known = TRANSFORMS[name]

    @given(SETTLED)
    def holds(history: History) -> None:
        for title in (*ALWAYS, *known.laws):
            laws.LAWS_OF_TRANSFORMS[title](known.transform, history)

    holds()


@pytest.mark.parametrize("name", [name for name in TRANSFORMS if name.startswith(("window", "fit", "summarise", "branch"))])
def test_cutting_parts_no_pair_even_of_a_tangled_history(name: str) -> None:
    transform = TRANSFORMS[name].transform

    def found(history: History) -> int:
        return sum(violation.rule == "tool-pairing" for violation in validate(history))

    @given(TANGLED)
    def holds(history: History) -> None:
        answer: Any = transform(history)
        after = answer if isinstance(answer, History) else answer.value_or(History())
        assert found(after) <= found(history)

    holds()


@given(strategies.histories(), st.integers(-1, 11), st.booleans())
def test_the_budget_is_met_or_the_failure_is_true(history: History, tenths: int, steps: bool) -> None:
    def letters(message: Message.T) -> int:
        return 1 + len(repr(message))

    for cost in (letters, by_kind(), by_kind(image=1, audio=1, video=1, document=1)):
        for away in (-1, 0, 1):
            budget = cost_of(history, cost) * tenths // 10 + away
            laws.budgets(fit(budget, cost, steps=steps), history, budget, cost)


@given(strategies.histories(), st.integers(0, 400))
def test_fit_keeps_as_much_as_there_is_room_for(history: History, budget: int) -> None:
    match fit(budget, lambda _: 10)(history):
        case Success(kept):
            left_out = len(exchanges(history)) - len(exchanges(kept))
            more = window(len(exchanges(history)) - left_out + 1)(history)
            assert kept == history or cost_of(more, lambda _: 10) > budget
        case failed:
            assert failed.failure().cost > budget


@given(strategies.histories(), st.integers(1, 8))
def test_a_window_of_messages_is_no_longer_or_is_the_least(history: History, number: int) -> None:
    said = [message for message in window(messages=number)(history) if not isinstance(message, Message.System)]
    models = [message for message in said if isinstance(message, Message.Assistant)]
    assert len(said) <= number or len(models) <= 1


@given(strategies.histories())
def test_what_is_moved_into_a_store_comes_back(history: History) -> None:
    store: dict[str, bytes] = {}
    laws.restoring(externalise(store.__setitem__), inline(store.get), history)
    assert all(address_of(content) == address for address, content in store.items())


@given(strategies.histories())
def test_nothing_is_left_by_value_that_could_be_moved(history: History) -> None:
    moved = externalise(lambda address, content: None)(history)
    contents = [content for message in moved if not isinstance(message, Message.Custom) for content in message.contents]
    assert not any(isinstance(getattr(content, "resource", None), Resource.Binary) for content in contents)


@given(st.one_of(strategies.histories(), WILD, TANGLED))
def test_exchanges_end_to_end_are_the_history(history: History) -> None:
    laws.partition(history)


@given(strategies.histories())
def test_every_exchange_but_the_first_begins_with_a_user(history: History) -> None:
    assert all(isinstance(exchange[0], Message.User) for exchange in exchanges(history)[1:])


@given(st.one_of(strategies.histories(), TANGLED), st.one_of(strategies.histories(), TANGLED))
def test_differences_are_all_that_differs(one: History, other: History) -> None:
    laws.differences(one, other)
    laws.differences(one, map_contents(lambda content: Content.Text("x") if isinstance(content, Content.Text) else content)(one))
    laws.differences(one, window(1)(one))
    assert diff(one, one) == ()


@given(strategies.histories())
def test_mapping_keeps_identity_and_composition(history: History) -> None:
    def longer(content: Content.T) -> Content.T:
        return Content.Text(content.text + "a") if isinstance(content, Content.Text) else content

    def doubled(content: Content.T) -> Content.T:
        return Content.Text(content.text * 2) if isinstance(content, Content.Text) else content

    assert map_contents(lambda content: content)(history) is history
    both = map_contents(lambda content: doubled(longer(content)))(history)
    assert map_contents(doubled)(map_contents(longer)(history)) == both


@given(strategies.histories())
def test_merging_runs_keeps_every_content_and_every_exchange(history: History) -> None:
    def contents(found: History) -> list[Any]:
        return [content for message in found if not isinstance(message, Message.Custom) for content in message.contents]

    merged = merge_runs(history)
    assert contents(merged) == contents(history)
    assert len(exchanges(merged)) == len(exchanges(history))


HARMLESS: Final = (
    "window(1)",
    "window(2)",
    "window(messages=3)",
    "window(messages=6)",
    "fit(steps)",
    "summarise",
    "merge_runs",
    "without_reasoning",
    "close_calls",
)
"""Transforms that no server has anything against."""


@pytest.mark.parametrize("dialect", strategies.SPEECHES)
def test_what_a_provider_takes_it_takes_afterwards(dialect: str) -> None:
    sayable = strategies.requests(dialect).map(lambda request: History(request.messages))
    mended = strategies.histories().map(lambda history: repair(history, dialect).value)

    @given(st.one_of(sayable, mended))
    def holds(history: History) -> None:
        assume(not check(history, dialect))
        for name in HARMLESS:
            answer: Any = TRANSFORMS[name].transform(history)
            left = answer if isinstance(answer, History) else answer.value_or(history)
            assert not left or check(left, dialect) == (), name  # what only thought has nothing left without its thoughts

    holds()


@given(TANGLED)
def test_closing_calls_leaves_none_open_and_changes_nothing_else(history: History) -> None:
    assume(not any(violation.rule == "tool-id" for violation in validate(history)))
    closed = close_calls("none")(history)
    asked = [index for index, message in enumerate(closed) if isinstance(message, Message.Assistant)]
    assert not any(" has no result" in violation.what for violation in validate(closed))
    assert [message for message in closed if message.text != "none"] == list(history)
    assert [closed[index] for index in asked] == [message for message in history if isinstance(message, Message.Assistant)]


def strings(value: Any, key: str = "") -> Iterator[str]:
    """The strings of own JSON that somebody said: no ids, names of tools, types, base64."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from strings(item)
        case dict():
            exempt = {"type", "id", "tool", "mime_type", "dialect", "outcome", "detail"}
            exempt |= {"content"} if value.get("type") == "binary" else {"name"} if value.get("type") == "tool_request" else set()
            for inner, item in value.items():
                if key == "extras" or (inner not in exempt and inner != "value"):
                    yield from strings(item, inner)
        case _:  # a scalar
            yield repr(value)


@given(strategies.histories())
def test_no_pattern_is_left_that_was_to_be_redacted(history: History) -> None:
    left = json.loads(dumps(redact("[x-zX-Z]+", marker="*")(history)))
    assert [text for text in strings(left["messages"]) if re.search("[x-zX-Z]", text)] == []


# --- transforms that are broken --------------------------------------------------------------------------------------------------

CALLS: Final = (
    History()
    .system("s")
    .user("weather?")
    .assistant([Content.ToolRequest("a", "f", {})])
    .result("a", "f", "sun")
    .assistant("Sun.")
    .user("thanks")
)

counter = itertools.count()


def counting(history: History) -> History:
    return history.user(str(next(counter)))


def raising(history: History) -> History:
    raise KeyError(len(history))


class Silent:
    def __str__(self) -> str:
        return ""


BROKEN: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    "raises": ("purity of transforms", (raising, CALLS)),
    "counts": ("purity of transforms", (counting, CALLS)),
    "fails without a word": ("purity of transforms", (lambda history: Failure(Silent()), CALLS)),
    "cuts anywhere": ("soundness", (lambda history: history[-3:], CALLS)),
    "grows": ("settling", (lambda history: history.user("more"), CALLS)),
    "turns round": ("selection", (lambda history: history[::-1], CALLS)),
    "invents": ("selection", (lambda history: history.user("more"), CALLS)),
    "forgets the system prompt": ("instructions kept", (lambda history: history[1:], CALLS)),
    "cuts an exchange": ("exchanges kept", (lambda history: history[-2:], CALLS)),
    "does not care for the budget": ("budgets", (lambda history: history, CALLS, 3, lambda _: 1)),
    "fails although it could": ("budgets", (lambda history: Failure("no room"), CALLS, 3, lambda _: 1)),
    "takes nothing back": ("restoring", (lambda history: history[:1], lambda history: history, CALLS)),
}


@pytest.mark.parametrize(("title", "example"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_caught(title: str, example: tuple[Any, ...]) -> None:
    with pytest.raises(laws.Broken):
        laws.LAWS_OF_TRANSFORMS[title](*example)


WHOLE: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    title: (title, (window(1), CALLS))
    for title in ("purity of transforms", "soundness", "settling", "selection", "instructions kept", "exchanges kept")
} | {
    "budgets": ("budgets", (fit(3, lambda _: 1), CALLS, 3, lambda _: 1)),
    "restoring": ("restoring", (lambda history: history.user("a"), lambda history: history[:-1], CALLS)),
}


@pytest.mark.parametrize(("title", "example"), WHOLE.values(), ids=WHOLE)
def test_what_is_whole_is_not(title: str, example: tuple[Any, ...]) -> None:
    laws.LAWS_OF_TRANSFORMS[title](*example)


def test_broken_parts_of_the_library_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    laws.partition(CALLS)
    laws.differences(CALLS, CALLS[1:])
    monkeypatch.setattr("chatadt.laws._transforms.exchanges", lambda history: (history[1:],))
    monkeypatch.setattr("chatadt.laws._transforms.diff", lambda one, other: ())
    with pytest.raises(laws.Broken):
        laws.partition(CALLS)
    with pytest.raises(laws.Broken):
        laws.differences(CALLS, CALLS[1:])


def test_every_law_of_transforms_is_shown_to_catch_something() -> None:
    assert {title for title, _ in BROKEN.values()} | {"partition", "differences"} == set(laws.LAWS_OF_TRANSFORMS)


LONG: Final = (
    CALLS.assistant([Content.Reasoning("hm"), Content.Image(Resource.Binary(b"123"))])
    .user("one 2")
    .user("two")
    .assistant([Content.ToolRequest("b", "f", {}), Content.ToolRequest("c", "f", {})])
    .result("b", "f", [Content.Image(Resource.Ref(address_of(b"123"))), "no" * 5_000], Outcome.ERROR)
)


@every_transform
def test_each_transform_that_is_tested_changes_something(name: str) -> None:
    assert TRANSFORMS[name].transform(LONG) not in (LONG, Success(LONG))
