"""Which of the eight dialects has which rule, shown at a conversation that breaks it and at one that keeps it; and the laws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import (
    Action,
    ChatRequest,
    Content,
    Converted,
    History,
    Json,
    Message,
    ModelParams,
    Resource,
    Severity,
    Thinking,
    Tool,
    ToolChoice,
    Weight,
    check,
    convert,
    laws,
    repair,
    strategies,
)
from chatadt.check import RULES, Server, admitted
from chatadt.dialects import Dialect, Target
from docs.rule_notes import RULE_NOTES, Shown
from docs.rules import PROVIDERS
from rules.broken import accidents, requests

CHAT, RESPONSES, CLAUDE, GEMINI, BEDROCK, OLLAMA, MISTRAL, COHERE = PROVIDERS
ALL: Final = frozenset(PROVIDERS)

HOLDS: Final[Mapping[str, tuple[frozenset[str], ...]]] = {
    "lone-surrogate": (ALL,),
    "media-address": (ALL,),
    "media-type": (frozenset({CLAUDE}),),
    "media": (ALL - {GEMINI, BEDROCK}, ALL - {GEMINI}, ALL),
    "media-size": (frozenset({CLAUDE, BEDROCK, MISTRAL}), ALL - {RESPONSES, OLLAMA}),
    "media-count": (
        frozenset({BEDROCK, COHERE, MISTRAL}),
        frozenset({CHAT, CLAUDE, BEDROCK, COHERE, MISTRAL}),
        frozenset({CLAUDE, BEDROCK, COHERE, MISTRAL}),
        frozenset({BEDROCK}),
    ),
    "blank-text": (frozenset({CLAUDE, BEDROCK, COHERE}), frozenset({CLAUDE, BEDROCK, COHERE, GEMINI})),
    "cache-points": (frozenset({BEDROCK}),),
    "empty-assistant": (frozenset({MISTRAL, COHERE}),),
    "reasoning-leads": (frozenset({RESPONSES}),),
    "tool-id": (ALL - {GEMINI, OLLAMA, COHERE}, ALL),
    "tool-name": (ALL - {OLLAMA},),
    "result-name": (frozenset({GEMINI, OLLAMA}),),
    "speaker-name": (frozenset({CHAT}),),
    "answer-limit": (frozenset({CLAUDE}),),
    "tool-pairing": (ALL - {OLLAMA}, ALL - {OLLAMA}),
    "results-in-order": (frozenset({GEMINI, OLLAMA}),),
    "needs-turn": (ALL, frozenset({CLAUDE, GEMINI, BEDROCK})),
    "system-first": (frozenset({MISTRAL}),),
    "first-user": (frozenset({GEMINI, BEDROCK, MISTRAL}), frozenset({CLAUDE, GEMINI, MISTRAL})),
    "says-or-calls": (frozenset({MISTRAL}),),
    "results-apart": (frozenset({BEDROCK}),),
    "prefill": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE})),
    "last-user": (frozenset({MISTRAL}),),
    "prefix-last": (frozenset({MISTRAL}),),
    "trailing-space": (frozenset({CLAUDE, BEDROCK}),),
    "document-name": (frozenset({BEDROCK}),),
    "document-needs-text": (frozenset({BEDROCK}),),
    "needs-tools": (frozenset({BEDROCK}),),
    "tool-definitions": (frozenset({CLAUDE, GEMINI}),),
    "tool-choice": (ALL - {OLLAMA}, ALL - {OLLAMA}),
    "tool-description": (frozenset({BEDROCK}),),
    "cache-marks": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE})),
    "thinking-first": (frozenset({CLAUDE, BEDROCK}),),
    "thinking-budget": (frozenset({CLAUDE, BEDROCK}), frozenset({CLAUDE, BEDROCK})),
    "forced-tool": (frozenset({CLAUDE, BEDROCK}),),
    "sampling": (frozenset({CLAUDE}), frozenset({CLAUDE})),
    "range": (
        ALL - {COHERE, OLLAMA},
        ALL - {OLLAMA},
        ALL - {OLLAMA},
        frozenset({CLAUDE, GEMINI, COHERE, BEDROCK, MISTRAL}),
        frozenset({CHAT, GEMINI, MISTRAL, COHERE}),
        frozenset({COHERE}),
        ALL - {OLLAMA},
    ),
    "stop": (frozenset({CLAUDE}), frozenset({CHAT, COHERE, GEMINI})),
    "tool-count": (frozenset({CHAT, RESPONSES}),),
    "format-name": (frozenset({CHAT, RESPONSES}),),
}
"""By rule: the dialects in which each conversation that is shown breaks it, as the reference of the wire dialects has them."""

WARNS: Final = {
    ("media-size", 0): {CLAUDE, BEDROCK, MISTRAL},
    ("media-size", 1): {CHAT, GEMINI, BEDROCK, MISTRAL},
    ("media-count", 0): {MISTRAL},
    ("media-count", 1): {CHAT, CLAUDE, MISTRAL},
    ("media-count", 2): {CLAUDE, MISTRAL},
    ("first-user", 1): {CLAUDE},
    ("says-or-calls", 0): {MISTRAL},
    ("speaker-name", 0): {CHAT},
    ("prefill", 1): {CLAUDE},
    ("cache-marks", 0): {BEDROCK},
    ("forced-tool", 0): {CLAUDE, BEDROCK},
    ("tool-count", 0): {CHAT, RESPONSES},
    ("range", 0): {MISTRAL},
    ("range", 1): {MISTRAL},
    ("range", 2): {CHAT, RESPONSES, CLAUDE, GEMINI},
    ("range", 4): {GEMINI, MISTRAL},
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


# --- media that do not come across -----------------------------------------------------------------------------------------------

PDF: Final = Resource.Binary(b"%PDF-1.7", "application/pdf")
LETTER: Final = Resource.Binary(b"%PDF-1.7", "image/png")


@pytest.mark.parametrize(
    "lost",
    [
        Content.PDF(Resource.Ref("https://example.com/a.pdf")),
        Content.File(Resource.Binary(b"PK34", "application/zip")),
        Content.File(Resource.Binary(b"PK34", "application/zip"), "a zip"),
    ],
)
def test_what_bedrock_is_not_given_gets_no_name_and_no_text_and_is_said_to_be_refused(lost: Content.PDF | Content.File) -> None:
    spoken = ChatRequest((Message.User([lost, Content.PDF(PDF, "a zip"), "Read."]), Message.Assistant("So?"), Message.User([lost])))
    assert _rules(spoken, BEDROCK) == {"media"}
    ready, _ = admitted(spoken, Server(PROVIDERS[BEDROCK], Target("")), is_home=False, mends=False)
    assert ready == Converted(spoken)
    mended = repair(spoken, BEDROCK)
    assert check(mended.value, BEDROCK) == ()
    assert [loss.action for loss in mended.losses if "name" in loss.what] == []


@pytest.mark.parametrize("resource", [PDF, LETTER, Resource.Binary(b"%PDF-1.7"), Resource.Binary(b"GIF89a..", "image/png")])
def test_what_is_given_as_an_image_is_no_image_where_its_bytes_tell_otherwise(resource: Resource.Binary) -> None:
    spoken = ChatRequest((Message.User(["Look.", Content.Image(resource)]),))
    is_mislabelled = resource.mime_type == "image/png"
    for dialect, rules in ((OLLAMA, {"media"}), (CLAUDE, {"media-type"} if is_mislabelled else {"media"})):
        assert _rules(spoken, dialect) == rules
        mended = repair(spoken, dialect)
        assert check(mended.value, dialect) == ()
        assert mended.losses
    written = PROVIDERS[OLLAMA].write_request(spoken)
    assert "images" not in written.value["messages"][0]
    assert [(loss.path, loss.weight) for loss in written.losses] == [("$.messages[0].contents[1]", Weight.CONTENT)]


@pytest.mark.parametrize(("bytes_", "kind"), [(b"%PDF-1.7", Content.PDF), (b"GIF89a..", Content.Image), (b"....", Content.Image)])
def test_what_ollama_itself_had_among_its_images_goes_home(bytes_: bytes, kind: type) -> None:
    image = Resource.Binary(bytes_).content
    body = {"model": "llava", "messages": [{"role": "user", "content": "Look.", "images": [image]}]}
    assert convert(body, OLLAMA, OLLAMA, policy="strict").unwrap() == Converted(body)
    read = PROVIDERS[OLLAMA].read_request(body).unwrap()
    assert isinstance(read.messages[0], Message.User)
    assert isinstance(read.messages[0].contents[-1], kind)
    crossed = convert(body, OLLAMA, CLAUDE, policy="lenient").unwrap()
    blocks = crossed.value["messages"][0]["content"]
    assert ("document" in {block["type"] for block in blocks}) is (kind is Content.PDF)


@pytest.mark.parametrize("dialect", [CHAT, RESPONSES, CLAUDE, GEMINI, MISTRAL, COHERE])
def test_a_data_url_that_is_not_base64_goes_home_as_it_was_and_elsewhere_by_value(dialect: str) -> None:
    url, png = "data:image/png,%89PNG%0D%0A%1A%0A", Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/png")
    far = ChatRequest((Message.User(["Look.", Content.Image(Resource.Ref("https://example.com/a.png", "image/png"))]),))
    body = json.loads(json.dumps(PROVIDERS[dialect].write_request(far).value).replace("https://example.com/a.png", url))
    assert url in json.dumps(body)
    assert convert(body, dialect, dialect, policy="strict").unwrap() == Converted(body)
    for target in ALL - {dialect}:
        crossed = convert(body, dialect, target).unwrap()
        assert "the address of a medium" in {loss.what for loss in crossed.losses}
        assert url not in json.dumps(crossed.value)
        again = PROVIDERS[target].read_request(crossed.value).unwrap().messages[0]
        assert isinstance(again, Message.User)
        assert png.content in {each.resource.content for each in again.contents if isinstance(each, Content.Image)}


# --- ranges, and models of other providers -------------------------------------------------------------------------------------


def _warm(**params: Any) -> ChatRequest:
    return ChatRequest((Message.User("Go."),), ModelParams(**params))


@pytest.mark.parametrize(
    ("dialect", "params", "path"),
    [
        (CHAT, {"temperature": 2.5}, "temperature"),
        (RESPONSES, {"max_output_tokens": 1}, "max_output_tokens"),
        (RESPONSES, {"temperature": -1}, "temperature"),
        (CLAUDE, {"temperature": 1.5}, "temperature"),
        (GEMINI, {"temperature": 1000.0}, "generationConfig.temperature"),
        (BEDROCK, {"top_p": 1.5}, "inferenceConfig.topP"),
        (MISTRAL, {"top_p": 1.5}, "top_p"),
        (COHERE, {"top_k": 900}, "k"),
    ],
)
def test_a_value_out_of_range_goes_home_as_it_came_and_is_mended_if_asked(dialect: str, params: dict[str, Any], path: str) -> None:
    outer, _, key = path.rpartition(".")
    (name, value), own = next(iter(params.items())), PROVIDERS[dialect]
    body = own.write_request(_warm()).value
    inner = body.setdefault(outer, {}) if outer else body
    inner[key] = value
    assert convert(body, own, own).unwrap() == Converted(body)
    found = [violation.path for violation in check(own.read_request(body).unwrap(), own) if violation.rule == "range"]
    assert found == [f"$.params.{name}"]
    asked = _warm(**params, model="claude-3-7-sonnet-20250219") if dialect == CLAUDE else _warm(**params)
    mended = repair(asked, own)
    assert {loss.path for loss in mended.losses} == {f"$.params.{name}"}
    assert getattr(mended.value.params, name) == own.rules.ranges[name].nearest(value)


def test_what_crosses_is_brought_into_the_range_of_the_target_once() -> None:
    body = {"messages": [{"role": "user", "content": "Go."}], "temperature": 1.7, "presence_penalty": -2}
    converted = convert(body, CHAT, COHERE).unwrap()
    assert (converted.value["temperature"], converted.value["presence_penalty"]) == (1.7, 0)
    assert [(loss.path, loss.original) for loss in converted.losses] == [("$.params.presence_penalty", Json("-2"))]
    newest = convert(body, CHAT, CLAUDE).unwrap()
    assert [str(loss.action) for loss in newest.losses if loss.path == "$.params.temperature"] == [str(Action.DROPPED)]


def test_what_is_only_said_of_a_range_is_a_warning_and_crosses() -> None:
    body = {"messages": [{"role": "user", "content": "Go."}], "temperature": 2.5, "top_p": 1.2}
    assert {found.severity for found in check(_warm(temperature=2.5), "groq")} == {Severity.WARNING}
    assert {found.severity for found in check(_warm(temperature=2.5), "azure")} == {Severity.ERROR}
    assert convert(body, "groq", "together").unwrap() == Converted(body)
    assert convert(body, "groq", CHAT).unwrap().value == {**body, "temperature": 2}


@pytest.mark.parametrize("model", [None, "", "gpt-4o", "some/model:latest", "mistral-large-latest"])
@every_provider
def test_the_model_of_another_provider_stands_for_the_newest_to_check_and_to_writers_alike(
    dialect: Dialect, model: str | None
) -> None:
    asked = _warm(temperature=0.5, top_k=40, model=model or None)
    untaken = {found.path for found in check(asked, dialect, model) if found.rule == "sampling"}
    dropped = {loss.path for loss in dialect.write_request(asked).losses if "newest models" in loss.reason}
    assert untaken == dropped == ({"$.params.temperature", "$.params.top_k"} if dialect.name == CLAUDE else set())
    assert check(asked, dialect, "") == check(asked, dialect)


def test_who_signed_a_call_of_gemini_is_not_asked_where_the_model_is_of_another_provider() -> None:
    call = Content.ToolRequest("c1", "f", {}, {GEMINI: {"part": {"thoughtSignature": "c2ln"}}})
    second = Content.ToolRequest("c2", "f", {}, {GEMINI: {}})
    turn = (Message.User("Go."), Message.Assistant([call, second]))
    gemini = PROVIDERS[GEMINI]
    foreign, unnamed = (gemini.write_request(ChatRequest(turn, ModelParams(model=model))).value for model in ("gpt-4o", None))
    assert foreign["contents"] == unnamed["contents"]


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
