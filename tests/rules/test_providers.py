"""Which of the eight dialects has which rule, shown at a conversation that breaks it and at one that keeps it; and the laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given, strategies as st

from chatadt import Converted, History, Message, Severity, check, laws, repair, strategies
from chatadt.check import RULES
from chatadt.dialects import Dialect
from docs.rule_notes import RULE_NOTES, Shown
from docs.rules import PROVIDERS
from rules.broken import accidents, requests

CHAT, RESPONSES, CLAUDE, GEMINI, BEDROCK, OLLAMA, MISTRAL, COHERE = PROVIDERS
ALL: Final = frozenset(PROVIDERS)

HOLDS: Final[Mapping[str, tuple[frozenset[str], ...]]] = {
    "lone-surrogate": (ALL,),
    "media-type": (frozenset({CLAUDE}),),
    "media": (ALL - {GEMINI, BEDROCK}, ALL - {GEMINI}, ALL),
    "media-size": (frozenset({CLAUDE, BEDROCK, MISTRAL}), ALL - {RESPONSES, OLLAMA}),
    "media-count": (
        frozenset({BEDROCK, COHERE, MISTRAL}),
        frozenset({CHAT, CLAUDE, BEDROCK, COHERE, MISTRAL}),
        frozenset({BEDROCK}),
    ),
    "blank-text": (frozenset({CLAUDE, BEDROCK, COHERE}), frozenset({CLAUDE, BEDROCK, COHERE, GEMINI})),
    "cache-points": (frozenset({BEDROCK}),),
    "empty-assistant": (frozenset({MISTRAL, COHERE}),),
    "reasoning-leads": (frozenset({RESPONSES}),),
    "tool-id": (ALL - {GEMINI, OLLAMA, COHERE}, ALL),
    "tool-name": (ALL - {OLLAMA},),
    "speaker-name": (frozenset({CHAT}),),
    "tool-pairing": (ALL - {OLLAMA}, ALL - {OLLAMA}),
    "results-in-order": (frozenset({GEMINI, OLLAMA}),),
    "needs-turn": (ALL, frozenset({CLAUDE, GEMINI, BEDROCK})),
    "system-first": (frozenset({MISTRAL}),),
    "first-user": (frozenset({GEMINI, BEDROCK, MISTRAL}),),
    "results-apart": (frozenset({BEDROCK}),),
    "prefill": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE})),
    "last-user": (frozenset({MISTRAL}),),
    "trailing-space": (frozenset({CLAUDE, BEDROCK}),),
    "document-name": (frozenset({BEDROCK}),),
    "document-needs-text": (frozenset({BEDROCK}),),
    "needs-tools": (frozenset({BEDROCK}),),
    "tool-definitions": (frozenset({CLAUDE}),),
    "tool-description": (frozenset({BEDROCK}),),
    "cache-marks": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE})),
    "thinking-first": (frozenset({CLAUDE, BEDROCK}),),
    "thinking-budget": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE, BEDROCK})),
    "forced-tool": (frozenset({CLAUDE, BEDROCK}),),
    "sampling": (frozenset({CLAUDE, GEMINI, BEDROCK}), frozenset({CLAUDE})),
    "stop": (frozenset({CLAUDE}), frozenset({CHAT, COHERE})),
}
"""By rule: the dialects in which each conversation that is shown breaks it, as the reference of the wire dialects has them."""

WARNS: Final = {
    ("media-size", 0): {CLAUDE, BEDROCK, MISTRAL},
    ("media-size", 1): {CHAT, GEMINI, BEDROCK, MISTRAL},
    ("media-count", 0): {MISTRAL},
    ("media-count", 1): {CHAT, CLAUDE, MISTRAL},
    ("speaker-name", 0): {CHAT},
    ("prefill", 1): {CLAUDE},
    ("cache-marks", 0): {BEDROCK},
    ("forced-tool", 0): {CLAUDE, BEDROCK},
}
"""Where that is said and could not be verified."""

SHOWN: Final = [
    pytest.param(name, number, shown, id=f"{name}-{number}")
    for name, note in RULE_NOTES.items()
    for number, shown in enumerate(note.shown)
]
each_shown = pytest.mark.parametrize(("name", "number", "shown"), SHOWN)
every_provider = pytest.mark.parametrize("dialect", PROVIDERS.values(), ids=PROVIDERS)


def test_every_rule_is_held_by_someone() -> None:
    assert {rule.name for rule in RULES} == set(HOLDS)
    assert {name: len(dialects) for name, dialects in HOLDS.items()} == {name: len(note.shown) for name, note in RULE_NOTES.items()}


@each_shown
def test_a_rule_is_broken_where_it_holds_and_nowhere_else(name: str, number: int, shown: Shown) -> None:
    broken = {dialect for dialect, known in PROVIDERS.items() if any(each.rule == name for each in check(shown.breaks, known))}
    assert broken == HOLDS[name][number]


@each_shown
def test_what_could_not_be_verified_is_a_warning(name: str, number: int, shown: Shown) -> None:
    certain = {
        dialect
        for dialect, known in PROVIDERS.items()
        if any(each.rule == name and each.severity is Severity.ERROR for each in check(shown.breaks, known))
    }
    assert certain == HOLDS[name][number] - WARNS.get((name, number), set())


@each_shown
def test_what_keeps_a_rule_is_not_held_against_it(name: str, number: int, shown: Shown) -> None:
    del number
    for known in PROVIDERS.values():
        assert [each for each in check(shown.keeps, known) if each.rule == name] == []


@each_shown
def test_a_repair_leaves_nothing_to_find_and_names_what_it_did(name: str, number: int, shown: Shown) -> None:
    for dialect in HOLDS[name][number]:
        mended = repair(shown.breaks, PROVIDERS[dialect])
        assert check(mended.value, PROVIDERS[dialect]) == ()
        assert mended.losses
        assert mended.value != shown.breaks


# --- laws ----------------------------------------------------------------------------------------------------------------------


@every_provider
def test_any_request_can_be_mended_and_what_is_valid_is_left_alone(dialect: Dialect) -> None:
    @given(st.one_of(requests(), strategies.chat_requests()))
    def holds(request: object) -> None:
        laws.LAWS["repairs"](dialect, request)
        laws.LAWS["checks"](dialect, request)

    holds()


@every_provider
def test_a_conversation_without_parameters_can_be_mended_and_a_valid_one_is_the_same_object(dialect: Dialect) -> None:
    @given(st.one_of(accidents(), strategies.histories()).map(History))
    def holds(history: History) -> None:
        mended = repair(history, dialect)
        assert isinstance(mended.value, History)
        assert check(mended.value, dialect) == ()
        assert repair(mended.value, dialect) == Converted(mended.value)
        assert repair(mended.value, dialect).value is mended.value
        assert (mended.value == history) == (not mended.losses)

    holds()


@every_provider
def test_messages_of_any_kind_of_list_are_mended_as_a_history(dialect: Dialect) -> None:
    messages: list[Message.T] = [Message.User("half \ud83d")]
    assert repair(messages, dialect) == repair(History(messages), dialect)
    assert repair(iter(messages), dialect) == repair(History(messages), dialect)
    assert repair((Message.User("whole"),), dialect) == Converted(History().user("whole"))
    assert check(tuple(messages), dialect) == check(History(messages), dialect) != ()


@pytest.mark.parametrize("what", [{"messages": []}, "hello", b"hello"])
def test_what_is_no_conversation_is_told_to_be_read_first(what: object) -> None:
    for ask in (check, repair):
        with pytest.raises(TypeError, match="read a wire body with"):
            ask(what, "anthropic")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"messages\[1\]"):
        repair([Message.User("hello"), None], "anthropic")  # type: ignore[list-item]
