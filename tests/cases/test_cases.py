"""Every case whose dialects and kinds exist gives what it expects; the others wait for what the table names, nothing else."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest

from .match import complaints
from .runner import ABILITIES, NOT_YET, Case, cases, existing, needs, run

RUNNABLE: Final = [case for case in cases() if needs(case) <= existing()]


@pytest.mark.parametrize("case", RUNNABLE, ids=lambda case: case.id)
def test_a_case_gives_what_it_expects(case: Case) -> None:
    before = deepcopy(case.input)
    assert complaints(case.expected, *run(case)) == [], case.why
    assert case.input == before


def test_a_case_waits_only_for_what_the_table_names() -> None:
    assert len(cases()) == 82
    missing = {case.id: needs(case) - existing() - NOT_YET.keys() for case in cases()}
    assert {id: names for id, names in missing.items() if names} == {}
    print(f"\n{len(RUNNABLE)} of {len(cases())} cases run; the others wait for {', '.join(sorted(NOT_YET))}")


@pytest.mark.parametrize("name", NOT_YET)
def test_what_the_table_names_is_not_there_yet_and_some_case_waits_for_it(name: str) -> None:
    """An entry that came true must go, so that its cases run."""
    assert name not in existing()
    assert any(name in needs(case) for case in cases())


def test_every_kind_that_a_case_has_is_known() -> None:
    kinds = {side.partition(":")[2] or "request" for case in cases() for side in (case.source, case.target)}
    assert kinds == ABILITIES.keys()


FITS: Final[list[tuple[dict[str, Any], Any]]] = [
    ({"equals": {"a": 1, "b": [True]}}, {"b": [True], "a": 1.0}),
    ({"contains": {"a": {"b": 1}}}, {"a": {"b": 1, "c": 2}, "d": 3}),
    ({"contains": {"a": {"$absent": True}}}, {"b": 1}),
    ({"contains": [{"$any": True}, "x"]}, [None, "x"]),
    ({"contains": {"$seq": [1, 3]}}, [1, 2, 3]),
    ({"contains": {"$re": "^a"}}, "ab"),
    ({"contains": {"$json": {"a": 1}}}, '{"a": 1, "b": 2}'),
    ({"contains": [{"$re": ".", "$bind": "i"}, {"$re": ".", "$bind": "i"}, {"$re": ".", "$bind": "j"}]}, ["x", "x", "y"]),
    ({"contains": {"a": 1}, "absent": ['"b":2']}, {"a": 1, "b": 3}),
]

DOES_NOT_FIT: Final[list[tuple[dict[str, Any], Any]]] = [
    ({"equals": {"a": 1}}, {"a": 1, "b": 2}),
    ({"equals": {"a": 1}}, {"a": True}),
    ({"equals": [1, 2]}, [2, 1]),
    ({"contains": {"a": {"b": 1}}}, {"a": {"b": 2}}),
    ({"contains": {"a": 1}}, {"b": 1}),
    ({"contains": {"a": 1}}, {"a": "1"}),
    ({"contains": {"a": {}}}, {"a": []}),
    ({"contains": {"a": {"$absent": True}}}, {"a": None}),
    ({"contains": [1]}, [1, 2]),
    ({"contains": {"$seq": [3, 1]}}, [1, 2, 3]),
    ({"contains": {"$re": "^a"}}, "ba"),
    ({"contains": {"$re": "1"}}, 1),
    ({"contains": {"$json": {"a": 1}}}, '{"a": 2}'),
    ({"contains": {"$json": {"a": 1}}}, "{"),
    ({"contains": [{"$re": ".", "$bind": "i"}, {"$re": ".", "$bind": "i"}]}, ["x", "y"]),
    ({"contains": [{"$re": ".", "$bind": "i"}, {"$re": ".", "$bind": "j"}]}, ["x", "x"]),
    ({"contains": {"a": 1}, "absent": ['"b":2']}, {"a": 1, "b": 2}),
]


@pytest.mark.parametrize(("expected", "actual"), FITS)
def test_the_matcher_passes_what_fits(expected: dict[str, Any], actual: Any) -> None:
    assert complaints(expected, actual, None) == []
    assert complaints(expected, None, "an error") != []


@pytest.mark.parametrize(("expected", "actual"), DOES_NOT_FIT)
def test_the_matcher_refuses_what_does_not_fit(expected: dict[str, Any], actual: Any) -> None:
    assert complaints(expected, actual, None) != []


def test_a_failure_that_is_expected_must_be_one() -> None:
    assert complaints({"must_fail": "x"}, None, "an error") == []
    assert complaints({"must_fail": "x"}, {}, None) != []
