"""Recorded requests cross to the three dialects, and theirs to everybody else: answered, valid there, nothing lost in silence."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache, reduce
from typing import Any, Final, final

import pytest
from attrs import frozen
from returns.result import Success
from wire.corpus import Recording, present, report
from wire.evidence import Reported
from wire.ledger import invented, lies, reordered, silent
from wire.oracles import JUDGES as FIRST_JUDGES
from wire.values import leaves

from chatadt import Loss, Policy, convert

from .family import FAMILY, FIRST, accepted, openai_spelling, sample
from .judges import JUDGES

PAIRS: Final = [
    *((source, target) for source in FIRST for target in FAMILY),
    *((source, target) for source in FAMILY for target in FIRST),
    *((source, target) for source in FAMILY for target in FAMILY if source != target),
]
EVERYBODY: Final = {**FIRST, **FAMILY}
BAD_SCHEMA: Final = "15a6ec35f0ebeaad"
"""A request to Cohere whose tool has a schema with a description that is null: no JSON Schema as Mistral wants one, of draft 7."""
ECHOED: Final = "name (openai_chat)"
"""The name on a tool's message of OpenAI Chat, which its reader takes for a field that nobody else has; Ollama says it again."""

pytestmark = [present]
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)


@final
@frozen
class Crossed:
    """One body, and what became of it."""

    row: Recording
    value: Any
    losses: tuple[Loss, ...]

    @property
    def reported(self) -> tuple[Reported, ...]:
        """The losses as the ledger reads them."""
        return tuple(
            Reported(loss.path, loss.what, loss.action.value, None if loss.original is None else loss.original.value)
            for loss in self.losses
        )


@cache
def crossed(source: str, target: str) -> tuple[Crossed, ...]:
    """The sample of `source`, converted to `target`: every body is answered."""
    rows = sample(source) if source in FIRST else accepted(source)
    results = [(row, convert(row.body, EVERYBODY[source], EVERYBODY[target], policy=Policy.LENIENT)) for row in rows]
    failures = [f"{row.id} {result}" for row, result in results if not isinstance(result, Success)]
    assert results
    assert not failures, report(f"{source} to {target}", failures, len(results))
    return tuple(Crossed(row, result.unwrap().value, result.unwrap().losses) for row, result in results)


def complaints(target: str, body: dict[str, Any]) -> list[str]:
    """What the judge of a dialect says; a model that stands in the URL is put in."""
    if target in JUDGES:
        return JUDGES[target](body)
    return [str(complaint) for complaint in FIRST_JUDGES[target](body if "model" in body else {**body, "model": "m"})]


@each_way
def test_what_comes_out_is_valid_for_its_provider(source: str, target: str) -> None:
    results = [one for one in crossed(source, target) if (one.row.id, target) != (BAD_SCHEMA, "mistral")]
    failures = [f"{one.row.id} {found[0]}" for one in results if (found := complaints(target, one.value))]
    assert not failures, report(f"{source} to {target} is refused", failures, len(results))


@each_way
def test_nothing_is_lost_and_nothing_invented_in_silence(source: str, target: str) -> None:
    failures = [f"{one.row.id} {each}" for one in crossed(source, target) for each in _unsaid(source, target, one)]
    assert not failures, report(f"{source} to {target} is silent about", failures, len(crossed(source, target)))


def _unsaid(source: str, target: str, one: Crossed) -> Iterator[str]:
    before, after = openai_spelling(source, one.row.body), openai_spelling(target, one.value)
    yield from (f"lost {each}" for each in silent(before, after, one.reported))
    yield from (f"invented {each}" for each in invented(before, after, one.reported))
    yield from (f"lie {each}" for each in lies(before, after, one.reported) if (each.what, target) != (ECHOED, "ollama"))
    if late := reordered(before, after, one.reported):
        yield f"another order from {late[0][:60]!r} on"


@each_way
def test_a_text_that_is_blanked_in_the_output_is_missed(source: str, target: str) -> None:
    """The count above is alive: of the first text of each body that came across, it misses the loss."""
    count = 0
    for one in crossed(source, target):
        before, after = openai_spelling(source, one.row.body), openai_spelling(target, deepcopy(one.value))
        said = {leaf for _, leaf in leaves(before["messages"]) if isinstance(leaf, str) and len(leaf) > 25}
        places = (where for where, leaf in leaves(after["messages"]) if isinstance(leaf, str) and leaf in said)
        place = next((where for where in places if where[-1] not in {"id", "tool_call_id", "tool_use_id"}), None)
        if place is not None:
            reduce(lambda inner, step: inner[step], place[:-1], after["messages"])[place[-1]] = ""
            count += 1
            assert silent(before, after, one.reported), one.row.id
    assert count


@each_way
def test_every_loss_says_what_where_and_why(source: str, target: str) -> None:
    for one in crossed(source, target):
        for loss in one.losses:
            assert loss.path.startswith("$")
            assert loss.what
            assert loss.reason
            assert (loss.original is None) == (loss.action.value == "invented")


STRANGE: Final = {
    "$.agent_id": "of the agents' API",
    "$.messages[0].content[1].type": "audio as OpenAI has it, which Mistral takes as well",
    "$.messages[0].content[1].input_audio": "audio as OpenAI has it, which Mistral takes as well",
    "$.temperature": "Ollama ignores it here",
    "think": "Ollama ignores it among the options",
}
"""What stands in recorded traffic, and no type of the SDKs has."""


@pytest.mark.parametrize("name", FAMILY)
def test_the_judges_take_what_the_provider_took(name: str) -> None:
    found = [complaint for row in accepted(name) for complaint in JUDGES[name](row.body)]
    assert [complaint for complaint in found if complaint.split()[-1] not in STRANGE] == []


USER: Final = {"role": "user", "content": "hi"}
CALL: Final = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
BAD: Final = {
    "mistral": [
        [],
        [{"role": "developer", "content": "d"}],
        [{"role": "user", "content": "x", "weird": 1}],
        [USER, {"role": "assistant", "content": "x"}],
        [USER, {"role": "assistant", "tool_calls": [CALL]}],
        [
            USER,
            {"role": "assistant", "tool_calls": [{**CALL, "id": "call_1"}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "r"},
        ],
        [USER, {"role": "assistant", "tool_calls": [CALL, CALL]}, {"role": "tool", "tool_call_id": "abcdefghi", "content": "r"}],
        [{"role": "system", "content": "a"}, USER, {"role": "assistant", "content": "b"}, {"role": "system", "content": "c"}, USER],
        [{"role": "user", "content": [{"type": "hologram"}]}],
    ],
    "cohere": [
        [{"role": "critic", "content": "x"}],
        [{"role": "user", "content": "x", "weird": 1}],
        [USER, {"role": "assistant", "content": [{"type": "image_url", "image_url": {"url": "https://a"}}]}],
        [USER, {"role": "assistant"}],
        [USER, {"role": "assistant", "tool_calls": [CALL]}],
        [{"role": "tool", "content": "r"}],
    ],
    "ollama": [
        [{"role": "user", "content": [{"type": "text", "text": "x"}]}],
        [{"role": "assistant", "content": "", "tool_calls": [CALL]}],
        [{"role": "tool", "content": "r", "tool_call_id": "c"}],
        [{"role": "critic", "content": "x"}],
        [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]}],
    ],
}


@pytest.mark.parametrize(("name", "messages"), [(name, messages) for name, found in BAD.items() for messages in found])
def test_the_judges_refuse_what_is_wrong(name: str, messages: list[dict[str, Any]]) -> None:
    assert JUDGES[name]({"model": "m", "messages": messages})
    assert JUDGES[name]({"model": "m", "messages": [USER]}) == []
