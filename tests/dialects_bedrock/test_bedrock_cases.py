"""Every case with this dialect on one side, whose other side and kinds exist, gives what it expects."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from returns.result import Failure, Success

from chatadt import convert
from chatadt.dialects import Dialect
from chatadt.dialects.bedrock import DIALECT
from chatadt.result import closed
from tests.cases.match import complaints
from tests.cases.runner import Case, cases

OTHERS: Final = {"openai_chat", "anthropic", "bedrock"}
CASES: Final = [case for case in cases() if "bedrock" in {case.source, case.target} and {case.source, case.target} <= OTHERS]
IGNORED: Final = {"tools"}
"""Options that say how a case is called: that it hands over no tools shows in its input."""


def _dialect(name: str) -> str | Dialect:
    return DIALECT if name == "bedrock" else name


def _run(case: Case) -> tuple[Any, object | None]:
    options = {name: value for name, value in case.options.items() if name not in IGNORED}
    match closed(convert(case.input, _dialect(case.source), _dialect(case.target), **options)):
        case Success(converted):
            return converted.value, None
        case Failure(error):
            return None, error


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_gives_what_it_expects(case: Case) -> None:
    before = deepcopy(case.input)
    assert complaints(case.expected, *_run(case)) == [], case.why
    assert case.input == before


def test_the_cases_are_there() -> None:
    assert len(CASES) == 8
