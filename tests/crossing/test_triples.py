"""Through three providers and home again: what each step cannot keep is among the losses of that step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any, Final

import pytest
from returns.result import Success
from wire.corpus import present, recorded, report
from wire.evidence import Reported
from wire.ledger import reordered, silent
from wire.values import leaves

from chatadt import DIALECTS, Arguments, ChatRequest, Content, Loss, Message, Policy, convert
from chatadt.loss import Action

from .spellings import reported, told

pytestmark = [present]

TRIPLES: Final = tuple(permutations(("openai_responses", "anthropic", "gemini")))
each_triple = pytest.mark.parametrize("triple", TRIPLES, ids="-".join)

Step = tuple[str, dict[str, Any], str, dict[str, Any], tuple[Loss, ...]]


def thinks_or_calls_at_once(request: ChatRequest) -> bool:
    """Whether a conversation has reasoning, or a message with several tool requests."""
    said = [message for message in request.messages if isinstance(message, Message.Assistant)]
    thinks = any(isinstance(content, Content.Reasoning) for message in said for content in message.contents)
    return thinks or any(len(message.tool_requests) > 1 for message in said)


def journey(body: dict[str, Any], triple: tuple[str, ...]) -> list[Step]:
    """Each step of the way: where from and what, where to and what, and the losses."""
    steps: list[Step] = []
    for source, target in zip(triple, (*triple[1:], triple[0]), strict=True):
        result = convert(body, source, target, policy=Policy.LENIENT)
        assert isinstance(result, Success), result
        steps.append((source, body, target, result.unwrap().value, result.unwrap().losses))
        body = result.unwrap().value
    return steps


def made_up() -> ChatRequest:
    """A conversation with thoughts, two calls at once, and their results in the order of the calls."""
    calls = [Content.ToolRequest(f"call_{number}", "weather", {"city": city}) for number, city in enumerate(("Vienna", "Oslo"))]
    return ChatRequest(
        [
            Message.System("Be brief."),
            Message.User("Where is it warmer?"),
            Message.Assistant([Content.Reasoning("I have to ask for both."), "Let me see.", *calls]),
            Message.ToolResult("call_0", "weather", "21 degrees"),
            Message.ToolResult("call_1", "weather", "12 degrees"),
            Message.Assistant("In Vienna."),
            Message.User("And colder?"),
        ]
    )


def bodies(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The recorded bodies that think or call several tools at once, and one that is made up and does both."""
    readable = ((row, DIALECTS[name].read_request(row.body).value_or(None)) for row in recorded(name, "request"))
    found = [(row.id, row.body) for row, request in readable if request is not None and thinks_or_calls_at_once(request)]
    assert len(found) > 20
    return [*found, ("made up", DIALECTS[name].write_request(made_up()).value)]


@each_triple
def test_each_step_names_what_it_lost(triple: tuple[str, str, str]) -> None:
    failures: list[str] = []
    for id_, body in bodies(triple[0]):
        for source, before, target, after, losses in journey(body, triple):
            said = reported(tuple(Reported(x.path, x.what, x.action.value, x.original and x.original.value) for x in losses))
            known, got = told(source, before), told(target, after)
            failures += [f"{id_} {source} to {target} {missing}" for missing in silent(known, got, said)]
            failures += [f"{id_} {source} to {target} in another order: {late[:60]}" for late in reordered(known, got, said)]
    assert not failures, report("-".join(triple), failures, len(bodies(triple[0])))


def spoken(request: ChatRequest) -> Iterator[tuple[str, ...]]:
    """Texts, tool requests with their arguments, and results, in order; without ids."""
    for message in request.messages:
        if not isinstance(message, Message.Custom):
            kind = "result" if isinstance(message, Message.ToolResult) else "text"
            for content in message.contents:
                if isinstance(content, Content.Text):
                    yield (kind, content.text)
                elif isinstance(content, Content.ToolRequest):
                    yield ("request", content.name, _text(content.arguments))


def _text(arguments: Arguments.T) -> str:
    return arguments.json.canonical if isinstance(arguments, Arguments.Parsed) else arguments.text


@each_triple
def test_texts_requests_and_results_come_home_in_order(triple: tuple[str, str, str]) -> None:
    failures: list[str] = []
    for id_, body in bodies(triple[0]):
        steps = journey(body, triple)
        home = DIALECTS[triple[0]]
        before = list(spoken(home.read_request(body).unwrap()))
        after = list(spoken(home.read_request(steps[-1][3]).unwrap()))
        changed = [loss for *_, losses in steps for loss in losses if loss.action in (Action.MOVED, Action.INVENTED)]
        gone = list((Counter(before) - Counter(after)).elements())
        originals = [loss.original.value for *_, losses in steps for loss in losses if loss.original is not None]
        named = [leaf for original in originals for _, leaf in leaves(original)]
        failures += [f"{id_} lacks {item}" for item in gone if item[-1] not in named]
        if not gone and not changed and before != after:
            failures.append(f"{id_} is in another order")
    assert not failures, report("-".join(triple), failures, len(bodies(triple[0])))


@each_triple
def test_what_is_made_up_comes_home_whole(triple: tuple[str, str, str]) -> None:
    home = DIALECTS[triple[0]]
    end = journey(home.write_request(made_up()).value, triple)[-1][3]
    assert list(spoken(home.read_request(end).unwrap())) == list(spoken(made_up()))
