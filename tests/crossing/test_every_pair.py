"""Each dialect to each other, over recorded requests: answered, valid there, in order, and with nothing lost in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import reduce
from typing import Any, Final

import pytest
from wire.corpus import present, report
from wire.ledger import invented, lies, reordered, silent
from wire.values import Where, leaves, place

from chatadt import DIALECTS, Policy, check
from chatadt.error import Severity

from . import table
from .judges import complaints
from .traffic import FOLDERS, PAIRS, Crossed, crossed, sample

pytestmark = [present]
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)

EXPLAINED: Final = {
    (
        "46bf646a0b2b9c0d",
        "anthropic",
    ): "a png that its sender called a jpeg, which Converse took and the judge of Anthropic refuses",
    ("15a6ec35f0ebeaad", "mistral"): "a schema of a tool whose description is null, which Cohere took: no JSON Schema of draft 7",
    ("98aef93c2e3f8ee9", "ollama"): "a level of thinking says that the model thinks, which the ledger does not know",
}
"""By body and target: what a judge or the ledger has against a crossing, and why nothing is to be mended."""


def answered(source: str, target: str) -> list[Crossed]:
    return [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]


def failures(source: str, target: str, complain: Callable[[Crossed], Iterable[object]]) -> list[str]:
    results = [one for one in answered(source, target) if (one.row.id, target) not in EXPLAINED]
    assert results
    return [f"{one.row.id} {complaint}" for one in results for complaint in complain(one)]


def test_the_samples_are_there() -> None:
    assert tuple(DIALECTS)[: len(FOLDERS)] == FOLDERS
    counts = {name: len(sample(name)) for name in FOLDERS}
    assert {name for name, count in counts.items() if count < 150} == {"mistral", "cohere", "ollama"}, counts
    assert min(counts.values()) >= 17


@each_way
def test_every_body_crosses_under_lenient(source: str, target: str) -> None:
    found = [f"{one.row.id} {one.error}" for one in crossed(source, target, Policy.LENIENT) if one.error is not None]
    assert not found, report(f"{source} to {target}", found, len(sample(source)))


@each_way
def test_what_comes_out_is_valid_for_its_provider(source: str, target: str) -> None:
    found = failures(source, target, lambda one: complaints(target, one.value)[:1])
    assert not found, report(f"{source} to {target} is refused", found, len(sample(source)))


@each_way
def test_check_finds_nothing_in_what_comes_out(source: str, target: str) -> None:
    def refused(one: Crossed) -> list[object]:
        found = check(DIALECTS[target].read_request(one.value).unwrap(), target, model="")
        return [violation for violation in found if violation.severity is not Severity.WARNING]

    found = failures(source, target, refused)
    assert not found, report(f"{source} to {target}: check refuses", found, len(sample(source)))


QUESTIONS: Final[dict[str, Callable[..., list[Any]]]] = {
    "lost in silence": silent,
    "invented in silence": invented,
    "named as lost though it is there": lies,
    "in another order": reordered,
}


@each_way
@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is(question: str, source: str, target: str) -> None:
    found = failures(source, target, lambda one: QUESTIONS[question](one.before, one.after, one.reported)[:1])
    assert not found, report(f"{source} to {target}: {question}", found, len(sample(source)))


@each_way
def test_a_text_that_is_blanked_in_the_output_is_missed(source: str, target: str) -> None:
    """The count above is alive: it misses any text of an output that came from the input, in every tenth body."""
    seen = 0
    for one in answered(source, target)[::10]:
        before, after = one.before, one.after
        known = len(silent(before, after, one.reported))
        for where in _carried_over(before, after)[:5]:
            seen += 1
            assert len(silent(before, _blanked(after, where), one.reported)) > known, f"{one.row.id} {place(where)}"
    assert seen


def _carried_over(before: Any, after: Any) -> list[Where]:
    """Where the output has a long string of the input, ids and tags apart."""
    said = {leaf for _, leaf in leaves(before) if isinstance(leaf, str)}
    spelling = {"role", "type", "id", "tool_call_id", "tool_use_id", "model", "media_type", "name", "title"}
    return [
        where
        for where, leaf in leaves(after)
        if isinstance(leaf, str) and leaf in said and len(leaf) > 7 and where[-1] not in spelling
    ]


def _blanked(value: Any, where: Where) -> Any:
    copy = deepcopy(value)
    *above, last = where
    reduce(lambda inner, step: inner[step], above, copy)[last] = ""
    return copy


_SIGNED: Final = frozenset({"thoughtSignature", "thought_signature", "signature", "encrypted_content"})


@each_way
def test_no_signature_of_a_provider_reaches_another(source: str, target: str) -> None:
    """What only one provider can read stays in the extras that it came in; Claude is the same on Bedrock."""
    if {source, target} == {"anthropic", "bedrock"}:
        return

    def leaked(one: Crossed) -> set[str]:
        signed = {leaf for where, leaf in leaves(one.row.body) if where and where[-1] in _SIGNED and isinstance(leaf, str) and leaf}
        return signed & {leaf for _, leaf in leaves(one.value) if isinstance(leaf, str)}

    assert not failures(source, target, leaked)


@each_way
def test_every_loss_says_what_where_and_why(source: str, target: str) -> None:
    for one in crossed(source, target, Policy.LENIENT):
        for loss in one.losses:
            assert loss.path.startswith("$")
            assert loss.what
            assert loss.reason
            assert (loss.original is None) == (loss.action.value == "invented"), loss


@each_way
def test_faithful_answers_the_same_bodies_and_only_without_a_loss_of_content(source: str, target: str) -> None:
    lenient, faithful = crossed(source, target, Policy.LENIENT), crossed(source, target, Policy.FAITHFUL)
    both = [(one, other) for one, other in zip(lenient, faithful, strict=True) if other.error is None]
    assert both
    assert [one.row.id for one, other in both if one.value != other.value] == []
    assert [loss for _, other in both for loss in other.losses if loss.weight.value == "content"] == []


def test_the_table_in_the_docs_is_the_one_that_the_traffic_gives() -> None:
    page = table.PAGE.read_text(encoding="utf-8")
    assert table.between_markers(page).strip() == table.render(), table.HOW
    assert table.between_markers(page.replace("| anthropic | ", "| x | ", 1)) != table.render()
