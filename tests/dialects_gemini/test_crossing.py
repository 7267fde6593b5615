"""Recorded requests cross to Gemini and from it: answered, valid there, in order, and with nothing lost in silence."""

from __future__ import annotations

from copy import deepcopy
from functools import reduce
from typing import Any, Final

import pytest

from chatadt import Policy
from tests.wire.corpus import present, report
from tests.wire.ledger import invented, lies, reordered, silent
from tests.wire.values import Where, leaves, place

from .crossings import PAIRS, Crossing, crossings

pytestmark = [present]
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)

ELSEWHERE: Final = {
    "thinking budget": "the writer of anthropic says budgets below the 1024 tokens that are the least there",
    "stop sequences": "the writer of anthropic says blank stop sequences",
    "media": "a media type that the bytes do not have came with the recording",
}
"""Complaints of the judge of anthropic that are not about this dialect."""


def answered(source: str, target: str) -> list[Crossing]:
    found = [one for one in crossings(source, target, Policy.LENIENT) if one.error is None]
    assert len(found) > 150
    return found


@each_way
def test_every_body_crosses_under_lenient(source: str, target: str) -> None:
    failures = [f"{one.row.id} {one.error}" for one in crossings(source, target, Policy.LENIENT) if one.error is not None]
    assert not failures, report(f"{source} to {target}", failures, len(crossings(source, target, Policy.LENIENT)))


@each_way
def test_what_comes_out_is_valid_for_its_provider(source: str, target: str) -> None:
    results = answered(source, target)
    known = ELSEWHERE if target == "anthropic" else {}
    failures = [f"{one.row.id} {found}" for one in results for found in one.complaints if found.rule not in known]
    assert not failures, report(f"{source} to {target} is refused", failures, len(results))


@each_way
def test_nothing_is_lost_in_silence(source: str, target: str) -> None:
    results = answered(source, target)
    failures = [f"{one.row.id} {missing}" for one in results for missing in silent(one.before, one.after, one.reported)]
    assert not failures, report(f"{source} to {target} loses in silence", failures, len(results))


@each_way
def test_nothing_is_invented_in_silence(source: str, target: str) -> None:
    results = answered(source, target)
    failures = [f"{one.row.id} {new}" for one in results for new in invented(one.before, one.after, one.reported)]
    assert not failures, report(f"{source} to {target} invents in silence", failures, len(results))


@each_way
def test_what_was_said_stays_in_order(source: str, target: str) -> None:
    results = answered(source, target)
    failures = [
        f"{one.row.id} from {late[0][:60]!r} on" for one in results if (late := reordered(one.before, one.after, one.reported))
    ]
    assert not failures, report(f"{source} to {target} is in another order", failures, len(results))


@each_way
def test_no_loss_names_what_survived(source: str, target: str) -> None:
    results = answered(source, target)
    failures = [f"{one.row.id} {lie}" for one in results for lie in lies(one.before, one.after, one.reported)]
    assert any(one.losses for one in results)
    assert not failures, report(f"{source} to {target} reports what is still there", failures, len(results))


@each_way
def test_a_drop_planted_in_recorded_traffic_is_found(source: str, target: str) -> None:
    """Blank any text of an output that came from the input: the ledger misses it, in every tenth body."""
    failures: list[str] = []
    count = 0
    for one in answered(source, target)[::10]:
        known = len(silent(one.before, one.after, one.reported))
        for where in _carried_over(one):
            count += 1
            if len(silent(one.before, _blanked(one.after, where), one.reported)) <= known:
                failures.append(f"{one.row.id} {place(where)}")
    assert count > 50
    assert not failures, report(f"{source} to {target}: planted drops go unseen", failures, count)


def _carried_over(one: Crossing) -> list[Where]:
    """Where the output has a string of the input, ids and tags apart."""
    said = {leaf for _, leaf in leaves(one.before) if isinstance(leaf, str)}
    spelling = {"role", "type", "id", "tool_call_id", "tool_use_id", "model", "media_type"}
    return [
        where
        for where, leaf in leaves(one.after)
        if isinstance(leaf, str) and leaf in said and len(leaf) > 7 and where[-1] not in spelling
    ]


def _blanked(value: Any, where: Where) -> Any:
    copy = deepcopy(value)
    *above, last = where
    reduce(lambda inner, step: inner[step], above, copy)[last] = ""
    return copy


@each_way
def test_no_signature_of_a_provider_reaches_another(source: str, target: str) -> None:
    """What only one provider can read stays in the extras that it came in."""
    for one in answered(source, target):
        signatures = {leaf for where, leaf in leaves(one.row.body) if where[-1:] in _SIGNED and isinstance(leaf, str) and leaf}
        assert not signatures & {leaf for _, leaf in leaves(one.value) if isinstance(leaf, str)}, one.row.id


_SIGNED: Final = {("thoughtSignature",), ("thought_signature",), ("signature",)}


@each_way
def test_faithful_answers_only_without_a_loss_of_content(source: str, target: str) -> None:
    results = crossings(source, target, Policy.FAITHFUL)
    failures = [f"{one.row.id} {loss}" for one in results for loss in one.losses if loss.weight.value == "content"]
    good = sum(one.error is None for one in results)
    print(f"\n{source} to {target} under faithful: {good} of {len(results)}")
    assert good
    assert not failures, report(f"{source} to {target}", failures, len(results))
