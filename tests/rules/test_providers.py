"""Which of the eight dialects has which rule, shown at a conversation that breaks it and at one that keeps it; and the laws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from hypothesis import given, strategies as st

from chatadt import (
    ChatRequest,
    Content,
    Converted,
    History,
    Message,
    ModelParams,
    Severity,
    Thinking,
    Tool,
    ToolChoice,
    check,
    laws,
    repair,
    strategies,
)
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
    "answer-limit": (frozenset({CLAUDE}),),
    "tool-pairing": (ALL - {OLLAMA}, ALL - {OLLAMA}),
    "results-in-order": (frozenset({GEMINI, OLLAMA}),),
    "needs-turn": (ALL, frozenset({CLAUDE, GEMINI, BEDROCK})),
    "system-first": (frozenset({MISTRAL}),),
    "first-user": (frozenset({GEMINI, BEDROCK, MISTRAL}),),
    "results-apart": (frozenset({BEDROCK}),),
    "prefill": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE})),
    "last-user": (frozenset({MISTRAL}),),
    "prefix-last": (frozenset({MISTRAL}),),
    "trailing-space": (frozenset({CLAUDE, BEDROCK}),),
    "document-name": (frozenset({BEDROCK}),),
    "document-needs-text": (frozenset({BEDROCK}),),
    "needs-tools": (frozenset({BEDROCK}),),
    "tool-definitions": (frozenset({CLAUDE, GEMINI}),),
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


# --- what differs between models, and between those who share a word -----------------------------------------------------------


def _rules(conversation: ChatRequest, dialect: str) -> set[str]:
    return {each.rule for each in check(conversation, PROVIDERS[dialect])}


@pytest.mark.parametrize(
    ("model", "broken"),
    [
        (None, {"first-user"}),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", set()),
        ("qwen.qwen3-32b-v1:0", set()),
        ("us.amazon.nova-2-lite-v1:0", {"first-user"}),
        ("meta.llama3-1-70b-instruct-v1:0", {"first-user", "results-apart"}),
        ("mistral.mistral-large-2407-v1:0", {"first-user", "results-apart"}),
    ],
)
def test_what_bedrock_takes_depends_on_the_family_of_the_model(model: str | None, broken: set[str]) -> None:
    messages = (Message.Assistant("Hello."), Message.User("Go."), CALL, RESULT, Message.User("Well?"))
    assert _rules(ChatRequest(messages, ModelParams(model=model, tools=[Tool("f")])), BEDROCK) == broken


CALL: Final = Message.Assistant([Content.ToolRequest("abcdefgh9", "f", {})])
RESULT: Final = Message.ToolResult("abcdefgh9", "f", "4")


@pytest.mark.parametrize("model", ["meta.llama3-1-70b-instruct-v1:0", "us.amazon.nova-2-lite-v1:0"])
def test_a_budget_for_thinking_is_held_against_a_claude_only(model: str) -> None:
    def asked(of: str) -> ChatRequest:
        params = ModelParams(model=of, tools=[Tool("f")], thinking=Thinking.Budget(1), tool_choice=ToolChoice.Required())
        return ChatRequest((Message.User("Go."), CALL, RESULT), params)

    assert _rules(asked(model), BEDROCK) == set()
    assert _rules(asked("anthropic.claude-opus-4-1-20250805-v1:0"), BEDROCK) == {"thinking-first", "thinking-budget", "forced-tool"}


@pytest.mark.parametrize("signed_by", ["anthropic", "bedrock"])
def test_bedrock_takes_the_reasoning_that_a_claude_signed_wherever_it_did(signed_by: str) -> None:
    thought = Content.Reasoning("hm", {signed_by: {"signature": "c2ln"}})
    params = ModelParams(tools=[Tool("f")], thinking=Thinking.Budget(2_000))
    loop = ChatRequest((Message.User("Go."), Message.Assistant([thought, *CALL.contents]), RESULT), params)
    assert _rules(loop, BEDROCK) == set()
    assert _rules(loop, CLAUDE) == (set() if signed_by == CLAUDE else {"thinking-first"})


@every_provider
def test_only_gemini_takes_what_a_user_says_before_the_results(dialect: Dialect) -> None:
    spoken = ChatRequest((Message.User("Go."), CALL, Message.User("Wait."), RESULT), ModelParams(tools=[Tool("f")]))
    assert (check(spoken, dialect) == ()) is (dialect.name in (GEMINI, OLLAMA))


@pytest.mark.parametrize(
    "holder",
    [
        {"$request": {"previous_response_id": "resp_1"}},
        {"$request": {"conversation": "conv_1"}},
        {"type": "item_reference", "id": "fc_1"},
        {"id": "fc_1"},
    ],
)
def test_a_result_of_a_call_that_the_server_has_is_no_orphan(holder: dict[str, object]) -> None:
    held = ChatRequest((Message.Custom(holder, RESPONSES), RESULT))
    assert check(held, PROVIDERS[RESPONSES]) == ()
    assert repair(held, PROVIDERS[RESPONSES]) == Converted(held)
    assert _rules(held, CHAT) == {"tool-pairing"}
    assert _rules(ChatRequest((RESULT, Message.Custom(holder, RESPONSES))), RESPONSES) == {"tool-pairing"}


def test_a_result_of_a_call_that_there_is_no_word_for_is_no_orphan() -> None:
    found = Content.Custom(RESPONSES, {"type": "tool_search_call", "call_id": "abcdefgh9", "execution": "client"})
    answered = ChatRequest((Message.User("Go."), Message.Assistant([found]), RESULT))
    assert check(answered, PROVIDERS[RESPONSES]) == ()
    other = ChatRequest((Message.User("Go."), Message.Assistant([Content.Custom(RESPONSES, {"id": "abcdefgh9"})]), RESULT))
    assert _rules(other, RESPONSES) == {"tool-pairing"}


def test_a_conversation_that_only_another_server_has_needs_something_to_answer() -> None:
    held = ChatRequest((Message.Custom({"$request": {"previous_response_id": "resp_1"}}, RESPONSES),))
    assert _rules(held, RESPONSES) == set()
    for dialect in ALL - {RESPONSES}:
        assert _rules(held, dialect) == {"needs-turn"}
        assert repair(held, PROVIDERS[dialect]).value.messages[-1] == Message.User(".")


def test_a_conversation_without_parameters_is_not_told_to_define_tools() -> None:
    messages = (Message.User("Go."), CALL, RESULT)
    assert check(History(messages), PROVIDERS[BEDROCK]) == ()
    assert _rules(ChatRequest(messages), BEDROCK) == {"needs-tools"}


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
