"""What holds for the rules of every server and for every request: repair ends, leaves nothing to find, and names what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest
from attrs import evolve
from hypothesis import event, example, given, settings, strategies as st

from chatadt import (
    ChatRequest,
    Content,
    Converted,
    Loss,
    Message,
    ModelParams,
    Outcome,
    ProviderTool,
    Resource,
    Severity,
    check,
    repair,
)
from chatadt.check import RULES, admitted
from chatadt.checks._rule import Server
from chatadt.checks._unicode import whole
from chatadt.checks.pairing import NO_RESULT
from chatadt.checks.sound import is_sound
from chatadt.content import Arguments
from chatadt.dialects._dialect import Dialect, IdScope, Target
from chatadt.loss import Action
from docs.rules import PROVIDERS
from rules.broken import requests, scattered
from rules.servers import NINE, any_server, one_demand, server


def hold_repair(dialect: Dialect, request: ChatRequest) -> None:
    mended = repair(request, dialect)
    assert check(mended.value, dialect) == ()
    assert repair(mended.value, dialect) == Converted(mended.value)
    assert (mended.value == request) == (not mended.losses)
    event("was mended" if mended.losses else "was left alone")


_MARKED: Final = Content.Reasoning("x", {"anthropic": {"cache_control": {"type": "ephemeral"}}})
_POINT: Final = Content.Custom("bedrock", {"cachePoint": {"type": "default"}})
_OWN: Final = Content.Reasoning("r", {"openai_responses": {"item": {"id": "rs_1"}}})


@example(PROVIDERS["bedrock"], ChatRequest([Message.ToolResult("x", "f", ()), Message.User([_POINT])]))
@example(PROVIDERS["anthropic"], ChatRequest([Message.Assistant([_MARKED]), Message.System("s")]))
@example(
    PROVIDERS["openai_responses"],
    ChatRequest([Message.Assistant([Content.ToolRequest("d", "f", {}), _OWN]), Message.Custom(5, "openai_responses")]),
)
@example(
    server(needs_tools=True, most_tools_said=1),  # a tool of another provider is not sent, so it is none too many
    ChatRequest([Message.Assistant([Content.ToolRequest("d", "f", {})])], ModelParams(tools=[ProviderTool("anthropic", None)])),
)
@given(any_server(), requests())
def test_repair_leaves_nothing_to_find_and_nothing_to_mend(dialect: Dialect, request: ChatRequest) -> None:
    hold_repair(dialect, request)


# --- valid requests ------------------------------------------------------------------------------------------------------------


@given(any_server(), requests())
def test_what_check_passes_repair_leaves_alone(dialect: Dialect, request: ChatRequest) -> None:
    if check(request, dialect) == ():
        assert repair(request, dialect) == Converted(request)


def hold_soundness(dialect: Dialect, request: ChatRequest) -> None:
    server = Server(dialect, Target(request.params.model))
    if is_sound(request, server):
        event("is sound")
        for rule in RULES:
            assert list(rule.find(request, server)) == []
            assert rule.mend(request, server) == Converted(request)


@given(any_server(), requests())
def test_of_what_is_sound_no_rule_finds_anything(dialect: Dialect, request: ChatRequest) -> None:
    hold_soundness(dialect, request)


@given(st.lists(st.sampled_from(("Hello", "What is this?", "naïve ")), min_size=1, max_size=4), any_server())
def test_a_plain_conversation_is_sound_to_every_server(texts: list[str], dialect: Dialect) -> None:
    """The fast path is taken, so that the law above is not empty."""
    said = [message for text in texts for message in (Message.User(text), Message.Assistant(text))]
    conversation = ChatRequest([Message.System("Be brief."), *said, Message.User("And now?")])
    assert is_sound(conversation, Server(dialect, Target()))


# --- losses --------------------------------------------------------------------------------------------------------------------


def _words(messages: Iterable[Message.T]) -> Iterator[str]:
    """Every text and every medium of a conversation."""
    for message in messages:
        if isinstance(message, Message.Custom):
            yield message.attributes.canonical
            continue
        for content in message.contents:
            match content:
                case Content.Text(text=text) | Content.Reasoning(text=text) | Content.Refusal(text=text):
                    yield text
                case Content.ToolRequest(arguments=arguments):
                    yield arguments.json.text if isinstance(arguments, Arguments.Parsed) else arguments.text
                case Content.Custom(value=value):
                    yield from _strings(value.value)
                case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                    resource = content.resource
                    yield resource.content if isinstance(resource, Resource.Binary) else resource.uri


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for key, item in value.items():
                yield key
                yield from _strings(item)
        case _:
            pass


def _named(losses: Iterable[Loss]) -> Iterator[str]:
    for loss in losses:
        if loss.original is not None:
            yield from _strings(loss.original.value)


def hold_survival(dialect: Dialect, request: ChatRequest) -> None:
    mended = repair(request, dialect)
    before, after = Counter(_words(request.messages)), Counter(_words(mended.value.messages))
    missing = before - after - Counter(_named(mended.losses))
    assert +missing == Counter(), f"neither there nor named: {missing}"
    invented = sum(loss.action is Action.INVENTED for loss in mended.losses)
    rewritten = sum(loss.action is Action.REWRITTEN for loss in mended.losses)
    assert (after - before).total() <= invented + rewritten * 50
    assert [_call(call) for call in _calls(mended.value.messages)] == [_call(call) for call in _calls(request.messages)]


def _calls(messages: Iterable[Message.T]) -> Iterator[Content.ToolRequest]:
    for message in messages:
        if isinstance(message, Message.Assistant):
            yield from message.tool_requests


def _call(call: Content.ToolRequest) -> str:
    match call.arguments:
        case Arguments.Parsed(json=value):
            return whole("\0".join(_strings(value.value)))
        case Arguments.Malformed(text=text):
            return whole(text)


@given(any_server(), requests())
def test_each_text_each_medium_and_each_call_is_there_or_named(dialect: Dialect, request: ChatRequest) -> None:
    hold_survival(dialect, request)


RENAMING: Final = server(pairs_tool_calls=True, results_in_order=True, tool_id=NINE, unique_ids=IdScope.REQUEST)


def unaddressed(result: Message.ToolResult) -> tuple[Message.ToolResult, list[object]]:
    """The result, and its contents with media that their address holds left out, and empty ones: those are other rules."""
    return evolve(result, contents=()), [
        None if is_held(content) else content for content in result.contents if not is_empty(content)
    ]


def is_empty(content: Content.Input) -> bool:
    """Whether a medium by value has no byte."""
    resource: Any = getattr(content, "resource", None)
    return isinstance(resource, Resource.Binary) and not resource.content


def is_held(content: Content.Input) -> bool:
    """Whether a medium is by value, or would be if its address were read."""
    resource: Any = getattr(content, "resource", None)
    return isinstance(resource, Resource.Binary) or (isinstance(resource, Resource.Ref) and resource.uri.startswith("data:"))


@given(scattered(), st.booleans())
def test_each_result_answers_the_call_that_it_answered_wherever_it_stood(messages: list[Message.T], merges: bool) -> None:
    """Of conversations with unique ids: renamed, moved and ordered, a result stands behind its call; only an early one is lost."""
    dialect = evolve(RENAMING, rules=evolve(RENAMING.rules, merges_turns=merges))
    mended = repair(ChatRequest(messages), dialect).value.messages
    places = {message.id: place for place, message in enumerate(messages) if isinstance(message, Message.ToolResult)}
    answered = {message.id: message for message in mended if isinstance(message, Message.ToolResult)}
    asked = [(place, call) for place, message in enumerate(messages) for call in _calls([message])]
    for (place, old), new in zip(asked, _calls(mended), strict=True):
        is_late = places.get(old.id, -1) > place
        expected = messages[places[old.id]] if is_late else Message.ToolResult(new.id, old.name, NO_RESULT, Outcome.ERROR)
        assert isinstance(expected, Message.ToolResult)
        assert unaddressed(answered[new.id]) == unaddressed(evolve(expected, id=new.id))


# --- crossing ------------------------------------------------------------------------------------------------------------------


def hold_crossing(dialect: Dialect, request: ChatRequest) -> None:
    server = Server(dialect, Target(request.params.model))
    ready, refused = admitted(request, server, is_home=False, mends=False)
    spelling = [rule for rule in RULES if rule.automatic and not rule.written and rule.name != "tool-pairing"]
    assert [found for rule in spelling for found in rule.find(ready.value, server)] == []
    assert all(found.severity is Severity.ERROR for found in refused)
    mended, left = admitted(request, server, is_home=False, mends=True)
    assert left == ()
    certain = [rule for rule in RULES if rule.certain and not rule.written]
    assert [found for rule in certain for found in rule.find(mended.value, server)] == []
    home, _ = admitted(request, server, is_home=True, mends=False)
    assert home == Converted(request)


@given(any_server(), requests())
def test_a_crossing_mends_what_is_spelling_and_a_repair_what_is_certain(dialect: Dialect, request: ChatRequest) -> None:
    hold_crossing(dialect, request)


# --- one demand at a time, and at length ---------------------------------------------------------------------------------------


def hold_all(dialect: Dialect, request: ChatRequest) -> None:
    hold_repair(dialect, request)
    hold_survival(dialect, request)
    hold_soundness(dialect, request)
    hold_crossing(dialect, request)


@pytest.mark.parametrize("dialect", [found for _, found in one_demand()], ids=[name for name, _ in one_demand()])
def test_all_of_it_holds_for_each_demand_by_itself(dialect: Dialect) -> None:
    @settings(max_examples=10)
    @given(requests())
    def holds(request: ChatRequest) -> None:
        hold_all(dialect, request)

    holds()


@pytest.mark.deep
@settings(settings.get_profile("deep"))
@given(any_server(), requests())
def test_all_of_it_holds_at_length(dialect: Dialect, request: ChatRequest) -> None:
    hold_all(dialect, request)
