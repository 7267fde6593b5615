"""The hard cases with Gemini on one side and a dialect that there is on the other."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from returns.result import Failure, Success

from chatadt import convert
from chatadt.result import closed
from tests.cases.match import complaints
from tests.cases.runner import Case, cases

from .crossings import KNOWN

_OPTIONS: Final = {"repair": "repair", "target_model": "model"}
_FRAGMENTS: Final = {"openai_chat": ("messages",), "anthropic": ("system", "messages"), "gemini": ("systemInstruction", "contents")}
NAMES: Final = ("A03", "A05", "A06", "A07", "C02", "D04", "E03", "E18", "E19", "E20")
_MINE: Final = [case for case in cases() if "gemini" in (case.source, case.target) and {case.source, case.target} <= {*_FRAGMENTS}]


def test_all_cases_are_there() -> None:
    assert [case.id[:3] for case in _MINE] == list(NAMES)


@pytest.mark.parametrize("case", _MINE, ids=lambda case: case.id)
def test_a_case_gives_what_it_expects(case: Case) -> None:
    before = deepcopy(case.input)
    options: dict[str, Any] = {_OPTIONS[name]: value for name, value in case.options.items()}
    got: Any = None
    failed: object | None = None
    match closed(convert(case.input, KNOWN[case.source], KNOWN[case.target], **options)):
        case Success(done):
            got = {field: done.value[field] for field in _FRAGMENTS[case.target] if field in done.value}
        case Failure(error):
            failed = error
    assert complaints(case.expected, got, failed) == [], case.why
    assert case.input == before
