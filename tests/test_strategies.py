"""The strategies reach every case of every union, and what they give is what they promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from itertools import pairwise
from typing import Any, Final, get_args

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.strategies import SearchStrategy
from returns.result import Success

import chatadt
from chatadt import strategies
from chatadt.chat import ChatRequest, ChatResponse, Effort, ModelParams, ResponseFormat, StopKind, Thinking
from chatadt.content import Arguments, Content, Detail
from chatadt.delta import Delta
from chatadt.dialects import VARIANTS, Dialect, Says
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message, Outcome
from chatadt.resource import MAGIC, Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

PATIENT: Final = settings(max_examples=2_000, database=None, deadline=None, derandomize=True, phases=[Phase.generate])
"""A search that is the same on each run and does not shrink what it finds."""


def reaches(strategy: SearchStrategy[Any], condition: Callable[[Any], bool]) -> bool:
    return bool(condition(find(strategy, condition, settings=PATIENT)))


# Every case.


@pytest.mark.parametrize(
    ("table", "union"),
    [
        (strategies.CONTENTS, Content.T),
        (strategies.MESSAGES, Message.T),
        (strategies.DELTAS, Delta.T),
        (strategies.TOOL_CHOICES, ToolChoice.T),
        (strategies.RESPONSE_FORMATS, ResponseFormat.T),
        (strategies.THINKING, Thinking.T),
    ],
    ids=["contents", "messages", "deltas", "tool choices", "response formats", "thinking"],
)
def test_each_table_has_every_case_of_its_union_and_gives_that_case(table: dict[type, SearchStrategy[Any]], union: Any) -> None:
    assert set(table) == set(get_args(union))
    for case, strategy in table.items():
        assert type(find(strategy, lambda _: True, settings=PATIENT)) is case


UNIONS: Final[dict[str, tuple[SearchStrategy[Any], Any]]] = {
    "resources": (strategies.resources(), Resource.T),
    "contents": (strategies.contents(), Content.T),
    "inputs": (strategies.inputs(), Content.Input),
    "outputs": (strategies.outputs(), Content.Output),
    "instructions": (strategies.instructions(), Content.Text | Content.Custom),
    "messages": (strategies.messages(), Message.T),
    "deltas": (strategies.deltas(), Delta.T),
    "arguments": (strategies.arguments(), Arguments.T),
    "tool_choices": (strategies.tool_choices(), ToolChoice.T),
    "tool_definitions": (strategies.tool_definitions(), ToolDefinition),
}


@pytest.mark.parametrize(
    ("strategy", "case"),
    [
        pytest.param(strategy, case, id=f"{name} {case.__qualname__}")
        for name, (strategy, union) in UNIONS.items()
        for case in get_args(union)
    ],
)
def test_each_strategy_reaches_every_case_of_its_union(strategy: SearchStrategy[Any], case: type) -> None:
    assert reaches(strategy, lambda value: type(value) is case)


@pytest.mark.parametrize("case", get_args(ResponseFormat.T) + get_args(Thinking.T) + get_args(ToolChoice.T) + (Tool, ProviderTool))
def test_params_reach_every_setting(case: type) -> None:
    def has(params: ModelParams) -> bool:
        return case in {type(params.response_format), type(params.thinking), type(params.tool_choice), *map(type, params.tools)}

    assert reaches(strategies.params(), has)


@pytest.mark.parametrize("name", [field for field in ModelParams.__annotations__ if field != "extras"])
def test_params_give_and_leave_out_every_field(name: str) -> None:
    assert reaches(strategies.params(), lambda params: getattr(params, name) in (None, ()))
    assert reaches(strategies.params(), lambda params: getattr(params, name) not in (None, ()))


@pytest.mark.parametrize("member", [*Detail, *Outcome, *Effort, *StopKind], ids=repr)
def test_every_member_of_the_enumerations_is_reached(member: Enum) -> None:
    homes: dict[type, tuple[SearchStrategy[Any], Callable[[Any], object]]] = {
        Detail: (strategies.CONTENTS[Content.Image], lambda image: image.detail),
        Outcome: (strategies.MESSAGES[Message.ToolResult], lambda result: result.outcome),
        Effort: (strategies.params(), lambda params: params.effort),
        StopKind: (strategies.metadata(), lambda metadata: metadata.stop and metadata.stop.kind),
    }
    strategy, member_of = homes[type(member)]
    assert reaches(strategy, lambda value: member_of(value) is member)


# Plain data.


@pytest.mark.parametrize(
    "condition",
    [
        lambda text: text == "",
        lambda text: text != "" and text.isspace(),
        lambda text: "\u2028" in text,
        lambda text: '"' in text,
        lambda text: "\x00" in text,
        lambda text: any(ord(character) > 0xFFFF for character in text),
        lambda text: text.startswith("{"),
    ],
    ids=["empty", "blank", "line separator", "quote", "null character", "beyond the basic plane", "like JSON"],
)
def test_texts_reach_what_converters_trip_over(condition: Callable[[str], bool]) -> None:
    assert reaches(strategies.texts(), condition)


@given(strategies.texts())
def test_texts_have_no_lone_surrogates(text: str) -> None:
    assert text.encode().decode() == text


@given(strategies.texts(blank=False))
def test_texts_that_are_not_blank_have_no_white_space_at_their_ends(text: str) -> None:
    assert text
    assert text == text.strip()


@pytest.mark.parametrize("kind", [type(None), bool, int, float, str, list, dict])
def test_json_reaches_every_kind_of_value(kind: type) -> None:
    assert reaches(strategies.json(), lambda value: type(value) is kind)
    assert reaches(strategies.json(), lambda value: type(value) is list and kind in map(type, value))


def test_json_reaches_integers_beyond_64_bits() -> None:
    assert reaches(strategies.json(), lambda value: type(value) is int and abs(value) >= 2**64)


@given(strategies.json())
def test_json_is_data_that_a_document_can_say(value: Any) -> None:
    assert Json.of(value).value == value


@given(strategies.objects())
def test_objects_are_dicts(value: Any) -> None:
    assert type(value) is dict


def test_documents_are_compact_or_spaced() -> None:
    assert reaches(strategies.documents(), lambda document: document.text != Json.of(document.value).text)
    assert reaches(strategies.documents(), lambda document: document.text == Json.of(document.value).text)


def test_schemas_are_json_schemas() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema checks the schemas")

    @given(strategies.schemas())
    def check(schema: dict[str, Any]) -> None:
        jsonschema.Draft202012Validator.check_schema(schema)

    check()


@given(strategies.extras("anthropic", "gemini"))
def test_extras_belong_to_the_dialects_asked_for(extras: Any) -> None:
    assert set(extras) <= {"anthropic", "gemini"}
    assert all(extras.of(name) for name in extras)


def test_words_come_with_extras_and_without() -> None:
    for strategy in (strategies.contents(), strategies.messages(), strategies.resources()):
        assert reaches(strategy, lambda word: len(getattr(word, "extras", ())) > 0)
        assert reaches(strategy, lambda word: len(getattr(word, "extras", ".")) == 0)


def test_resources_have_every_media_type_that_is_sniffed() -> None:
    for kind in sorted({kind for _, _, kind in MAGIC}):
        assert reaches(strategies.resources(), lambda resource, kind=kind: resource.mime_type == kind)


# Conversations.


def complaints(messages: Iterable[Message.T]) -> list[str]:
    """What is not well-formed about a conversation: told apart from the strategy, by one walk over the messages."""
    found: list[str] = []
    waiting: dict[str, str] = {}
    ids: set[str] = set()
    started = False
    for index, message in enumerate(messages):
        match message:
            case Message.ToolResult(id, tool):
                if waiting.pop(id, None) != tool:
                    found.append(f"{index}: a result without its request")
                continue
            case Message.System():
                if index:
                    found.append(f"{index}: a system message that is not first")
            case Message.User():
                started = True
            case Message.Assistant():
                if not started:
                    found.append(f"{index}: an assistant begins")
            case Message.Custom():
                found.append(f"{index}: a message that nobody can place")
        if waiting:
            found.append(f"{index}: {waiting} left without a result")
        waiting = {}
        if isinstance(message, Message.Assistant):
            for request in message.tool_requests:
                if request.id in ids:
                    found.append(f"{index}: the id {request.id!r} came before")
                ids.add(request.id)
                waiting[request.id] = request.name
    return found + ([f"the end: {waiting} left without a result"] if waiting else []) + ([] if started else ["nobody asked"])


@given(strategies.histories())
def test_histories_are_well_formed(history: History) -> None:
    assert complaints(history) == []


@given(strategies.histories(max_turns=1))
def test_a_history_of_one_turn_is_what_a_user_asked(history: History) -> None:
    assert [type(message) for message in history][-1:] == [Message.User]
    assert len(history) <= 2


ASKED: Final = Message.User("hi")
CALL: Final = Message.Assistant([Content.ToolRequest("1", "f", {})])
ANSWER: Final = Message.ToolResult("1", "f", "4")


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [Message.System("a")],
        [CALL, ANSWER],
        [ASKED, CALL],
        [ASKED, CALL, ASKED],
        [ASKED, CALL, ASKED, ANSWER],
        [ASKED, ANSWER],
        [ASKED, CALL, ANSWER, ANSWER],
        [ASKED, CALL, ANSWER, CALL, ANSWER],
        [ASKED, CALL, Message.ToolResult("1", "g", "4")],
        [ASKED, Message.System("a")],
        [ASKED, Message.Custom({})],
    ],
)
def test_the_walk_over_messages_sees_what_is_not_well_formed(messages: list[Message.T]) -> None:
    assert complaints(messages)


@pytest.mark.parametrize(
    "condition",
    [
        lambda history: isinstance(history[0], Message.System),
        lambda history: isinstance(history[0], Message.User),
        lambda history: any(isinstance(message, Message.Assistant) and len(message.tool_requests) > 1 for message in history),
        lambda history: any(isinstance(message, Message.Assistant) and not message.tool_requests for message in history),
        lambda history: isinstance(history[-1], Message.ToolResult),
        lambda history: isinstance(history[-1], Message.Assistant),
        lambda history: isinstance(history[-1], Message.User) and len(history) > 2,
        lambda history: any({type(a), type(b)} == {Message.User} for a, b in pairwise(history)),
        lambda history: _answers_out_of_order(history),
        lambda history: _says_more_after_asking(history),
        lambda history: sum(len(message.tool_requests) for message in history if isinstance(message, Message.Assistant)) > 3,
    ],
    ids=[
        "begins with a system message",
        "begins with a user",
        "asks in parallel",
        "an assistant that asks nothing",
        "ends with a result",
        "ends with an assistant",
        "ends with a user",
        "two users in a row",
        "answers out of order",
        "speaks after asking",
        "many requests",
    ],
)
def test_histories_reach_every_shape(condition: Callable[[History], bool]) -> None:
    assert reaches(strategies.histories(), condition)


def _answers_out_of_order(history: History) -> bool:
    asked = [request.id for message in history if isinstance(message, Message.Assistant) for request in message.tool_requests]
    return asked != [message.id for message in history if isinstance(message, Message.ToolResult)]


def _says_more_after_asking(history: History) -> bool:
    return any(
        isinstance(message, Message.Assistant)
        and bool(message.tool_requests)
        and not isinstance(message.contents[-1], Content.ToolRequest)
        for message in history
    )


def test_ids_reach_pairs_that_careless_cleaning_makes_one() -> None:
    def collide(history: History) -> bool:
        ids = [request.id for message in history if isinstance(message, Message.Assistant) for request in message.tool_requests]
        return len({"".join(c if c.isalnum() else "_" for c in id)[:64] for id in ids}) < len(ids)

    assert reaches(strategies.histories(max_turns=8), collide)


@given(strategies.chat_requests())
def test_chat_requests_hold_messages_and_params(request: ChatRequest) -> None:
    assert all(isinstance(message, Message.T) for message in request.messages)
    assert isinstance(request.params, ModelParams)


@given(strategies.chat_responses())
def test_chat_responses_hold_what_an_assistant_said(response: ChatResponse) -> None:
    assert isinstance(response.message, Message.Assistant)


# What a dialect can say.

NAMES: Final = sorted(strategies.SPEECHES)


def dialect_of(name: str) -> Dialect:
    return chatadt.DIALECTS[name]


def hold_the_law(name: str, request: ChatRequest) -> None:
    dialect = dialect_of(name)
    written = dialect.write_request(request)
    assert written.losses == ()
    assert dialect.read_request(written.value) == Success(request)


@pytest.mark.parametrize("name", NAMES)
def test_requests_are_written_without_loss_and_read_back_as_they_were(name: str) -> None:
    @given(strategies.requests(name))
    def check(request: ChatRequest) -> None:
        hold_the_law(name, request)

    check()


@pytest.mark.deep
@pytest.mark.parametrize("name", NAMES)
def test_requests_are_written_without_loss_and_read_back_as_they_were_at_length(name: str) -> None:
    @settings(settings.get_profile("deep"))
    @given(strategies.requests(name))
    def check(request: ChatRequest) -> None:
        hold_the_law(name, request)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_requests_are_taken_by_the_server(name: str) -> None:
    @given(strategies.requests(name))
    def check(request: ChatRequest) -> None:
        assert chatadt.check(request, name) == ()

    check()


@pytest.mark.parametrize("name", NAMES)
def test_requests_are_well_formed_and_spelt_as_the_server_wants(name: str) -> None:
    rules = dialect_of(name).rules

    @given(strategies.requests(name))
    def check(request: ChatRequest) -> None:
        assert complaints(request.messages) == []
        said = [content for message in request.messages if isinstance(message, Message.Assistant) for content in message.contents]
        asked = [content for content in said if isinstance(content, Content.ToolRequest)]
        assert all(rules.tool_id.allows(content.id) and rules.tool_name.allows(content.name) for content in asked)
        assert rules.blank_text or all(content.text.strip() for content in said if isinstance(content, Content.Text))

    check()


KINDS: Final[dict[str, Callable[[Content.T], bool]]] = {
    "text": lambda content: isinstance(content, Content.Text),
    "image by value": lambda content: isinstance(content, Content.Image) and isinstance(content.resource, Resource.Binary),
    "image by URL": lambda content: isinstance(content, Content.Image) and isinstance(content.resource, Resource.Ref),
    "audio": lambda content: isinstance(content, Content.Audio),
    "video": lambda content: isinstance(content, Content.Video),
    "PDF by value": lambda content: isinstance(content, Content.PDF) and isinstance(content.resource, Resource.Binary),
    "PDF by URL": lambda content: isinstance(content, Content.PDF) and isinstance(content.resource, Resource.Ref),
    "file": lambda content: isinstance(content, Content.File),
    "reasoning": lambda content: isinstance(content, Content.Reasoning),
    "refusal": lambda content: isinstance(content, Content.Refusal),
    "tool request": lambda content: isinstance(content, Content.ToolRequest),
}
"""By kind of a dialect's capabilities: whether a content is of it."""

SPEAKERS: Final = {"user": Message.User, "assistant": Message.Assistant, "result": Message.ToolResult}


@pytest.mark.parametrize("name", NAMES)
def test_conversations_say_every_kind_of_content_that_the_dialect_has_a_shape_for(name: str) -> None:
    capabilities = [capability for capability in dialect_of(name).rules.capabilities if capability.kind in KINDS]
    native = {(each.kind, speaker) for each in capabilities for speaker in SPEAKERS if getattr(each, speaker) is Says.NATIVE}
    impossible = {(each.kind, speaker) for each in capabilities for speaker in SPEAKERS if getattr(each, speaker) is Says.NO}
    said: set[tuple[str, str]] = set()

    def listen(history: History) -> None:
        for speaker, case in SPEAKERS.items():
            contents = [content for message in history if isinstance(message, case) for content in message.contents]
            said.update((kind, speaker) for kind, is_it in KINDS.items() if any(map(is_it, contents)))

    for most in (100, 300):
        if native - said:
            patient = settings(PATIENT, max_examples=most, suppress_health_check=list(HealthCheck))
            patient(given(strategies.histories(strategies.SPEECHES[name].vocabulary))(listen))()
    assert native - said == set()
    assert said & impossible == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_capability_is_a_kind_of_content_that_is_known_here(name: str) -> None:
    assert {capability.kind for capability in dialect_of(name).rules.capabilities} - KINDS.keys() <= {"error of a tool"}


def test_every_dialect_has_a_strategy() -> None:
    assert {*strategies.SPEECHES, *VARIANTS} == set(chatadt.DIALECTS)


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_say_what_openai_chat_says(name: str) -> None:
    @settings(max_examples=5)
    @given(strategies.requests(name))
    def check(request: ChatRequest) -> None:
        hold_the_law(name, request)
        assert chatadt.check(request, name) == ()

    check()


def test_a_dialect_without_a_strategy_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"expected a dialect that has a strategy \(openai_chat, anthropic, .*\), got 'latin'"):
        strategies.requests("latin")
