"""Each recorded request crosses to the other dialect: answered, valid there, and with nothing lost in silence."""

from __future__ import annotations

from copy import deepcopy
from functools import reduce
from typing import Any, Final

import pytest

from chatadt import Policy

from . import table
from .corpus import present, report
from .crossing import PAIRS, Crossed, crossed, whole
from .ledger import invented, lies, reordered, silent
from .oracles import JUDGES
from .values import Where, leaves, place

ACTIONS: Final = {"dropped", "rewritten", "moved", "invented"}

pytestmark = [present]
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)


@each_way
def test_every_body_crosses_under_lenient(source: str, target: str) -> None:
    results = crossed(source, target, Policy.LENIENT)
    failures = [f"{one.row.id} {one.error}" for one in results if one.error is not None]
    assert results
    assert not failures, report(f"{source} to {target}", failures, len(results))


@each_way
def test_what_comes_out_is_valid_for_its_provider(source: str, target: str) -> None:
    results = [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]
    failures = [f"{one.row.id} {found[0]}" for one in results if (found := JUDGES[target](whole(one)))]
    assert results
    assert not failures, report(f"{source} to {target} is refused", failures, len(results))


@each_way
def test_nothing_is_lost_in_silence(source: str, target: str) -> None:
    results = [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]
    failures = [f"{one.row.id} {missing}" for one in results for missing in silent(one.row.body, one.value, one.reported)]
    assert results
    assert not failures, report(f"{source} to {target} loses in silence", failures, len(results))


@each_way
def test_nothing_is_invented_in_silence(source: str, target: str) -> None:
    results = [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]
    failures = [f"{one.row.id} {new}" for one in results for new in invented(one.row.body, one.value, one.reported)]
    assert results
    assert not failures, report(f"{source} to {target} invents in silence", failures, len(results))


@each_way
def test_what_was_said_stays_in_order(source: str, target: str) -> None:
    results = [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]
    failures = [
        f"{one.row.id} from {late[0][:60]!r} on" for one in results if (late := reordered(one.row.body, one.value, one.reported))
    ]
    assert results
    assert not failures, report(f"{source} to {target} is in another order", failures, len(results))


@each_way
def test_a_drop_planted_in_recorded_traffic_is_found(source: str, target: str) -> None:
    """Blank any text of an output that came from the input: the ledger misses it, in every tenth body."""
    failures: list[str] = []
    count = 0
    for one in [one for one in crossed(source, target, Policy.LENIENT) if one.error is None][::10]:
        known = len(silent(one.row.body, one.value, one.reported))
        for where in _carried_over(one):
            count += 1
            if len(silent(one.row.body, _blanked(one.value, where), one.reported)) <= known:
                failures.append(f"{one.row.id} {place(where)}")
    assert count > 100
    assert not failures, report(f"{source} to {target}: planted drops go unseen", failures, count)


def _carried_over(one: Crossed) -> list[Where]:
    """Where the output has a string of the input, ids and tags apart."""
    said = {leaf for _, leaf in leaves(one.row.body) if isinstance(leaf, str)}
    spelling = {"role", "type", "id", "tool_call_id", "tool_use_id"}
    return [
        where
        for where, leaf in leaves(one.value)
        if isinstance(leaf, str) and leaf in said and len(leaf) > 7 and where[-1] not in spelling
    ]


def _blanked(value: Any, where: Where) -> Any:
    copy = deepcopy(value)
    *above, last = where
    reduce(lambda inner, step: inner[step], above, copy)[last] = ""
    return copy


@each_way
def test_no_loss_names_what_survived(source: str, target: str) -> None:
    results = [one for one in crossed(source, target, Policy.LENIENT) if one.error is None]
    failures = [f"{one.row.id} {lie}" for one in results for lie in lies(one.row.body, one.value, one.reported)]
    assert any(one.losses for one in results)
    assert not failures, report(f"{source} to {target} reports what is still there", failures, len(results))


@each_way
def test_every_loss_says_what_where_and_why(source: str, target: str) -> None:
    losses = [(one.row.id, loss) for one in crossed(source, target, Policy.LENIENT) for loss in one.losses]
    failures = [
        f"{id} {loss!r}"
        for id, loss in losses
        if not (loss.path.startswith("$") and loss.what and loss.reason and loss.action.value in ACTIONS)
        or (loss.original is None) != (loss.action.value == "invented")
    ]
    assert losses
    assert not failures, report(f"{source} to {target}", failures, len(losses))


@each_way
def test_faithful_gives_the_same_bodies_where_it_answers(source: str, target: str) -> None:
    """A policy decides which losses are allowed, not what is written; what lenient repaired, faithful refuses."""
    lenient, faithful = crossed(source, target, Policy.LENIENT), crossed(source, target, Policy.FAITHFUL)
    failures = [
        one.row.id for one, other in zip(lenient, faithful, strict=True) if other.error is None and one.value != other.value
    ]
    assert any(one.error is None for one in faithful)
    assert not failures, report(f"{source} to {target}", failures, len(faithful))


@each_way
def test_faithful_answers_only_without_a_loss_of_content(source: str, target: str) -> None:
    results = crossed(source, target, Policy.FAITHFUL)
    failures = [f"{one.row.id} {loss}" for one in results for loss in one.losses if loss.weight.value == "content"]
    assert not failures, report(f"{source} to {target}", failures, len(results))


def test_the_table_in_the_docs_is_the_one_that_the_traffic_gives() -> None:
    """`python -m tests.wire.table` writes it."""
    assert table.PAGE.exists(), table.HOW
    assert table.between_markers(table.PAGE.read_text(encoding="utf-8")) == table.render(), table.HOW


def test_the_table_can_be_wrong() -> None:
    """The comparison above is with the numbers, not with the page itself."""
    page = table.filled(f"# Title\n\n{table.BEGIN}\nold\n{table.END}\n\nThe rest.\n")
    assert table.between_markers(page) == table.render() != table.between_markers(page.replace("| openai_chat |", "| x |", 1))
    assert page.startswith("# Title\n")
    assert page.endswith("The rest.\n")
