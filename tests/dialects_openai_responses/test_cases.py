"""Each hard case between this dialect and the first two gives what it expects."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from cases.match import complaints
from cases.runner import Case, cases
from returns.result import Failure, Success

from chatadt import convert
from chatadt.dialects.openai_responses import DIALECT
from chatadt.dialects.openai_responses.write import Kept, write_with
from chatadt.result import closed

FRAGMENT: Final = {"openai_chat": ("messages",), "anthropic": ("system", "messages"), DIALECT.name: ("input",)}
MINE: Final = [
    case for case in cases() if DIALECT.name in (case.source, case.target) and {case.source, case.target} <= FRAGMENT.keys()
]
WAITING: Final = {"D07-orphan-reasoning-item": "no rule of the engine mends reasoning without the item that it led to"}


def _dialect(name: str) -> Any:
    return DIALECT if name == DIALECT.name else name


def _fragment(name: str, body: dict[str, Any]) -> dict[str, Any]:
    return {field: body[field] for field in FRAGMENT[name] if field in body}


def _run(case: Case) -> tuple[Any, object | None]:
    if case.options.get("strip_item_ids"):  # no parameter of convert yet
        request = DIALECT.read_request(case.input).unwrap()
        return _fragment(case.target, write_with(request, Kept(strip_item_ids=True)).value), None
    match closed(convert(case.input, _dialect(case.source), _dialect(case.target), **case.options)):
        case Success(converted):
            return _fragment(case.target, converted.value), None
        case Failure(error):
            return None, error


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.id, marks=[pytest.mark.xfail(reason=why, strict=True)] if (why := WAITING.get(case.id)) else [])
        for case in MINE
    ],
)
def test_a_case_gives_what_it_expects(case: Case) -> None:
    before = deepcopy(case.input)
    assert complaints(case.expected, *_run(case)) == [], case.why
    assert case.input == before


def test_there_are_as_many_cases_as_the_file_has() -> None:
    assert len(MINE) == 12
    assert WAITING.keys() <= {case.id for case in MINE}
