"""The cases of tests/cases that have one of the three dialects on a side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import cases
import pytest
from cases.match import complaints
from returns.result import Failure, Success

from chatadt import convert
from chatadt.dialects import Target
from chatadt.result import closed

from .family import FAMILY, FIRST

EVERYBODY: Final = {**FIRST, **FAMILY}
ROWS: Final[dict[str, dict[str, Any]]] = {
    row["id"]: row
    for row in map(json.loads, Path(cases.__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines())
    if {row["from"], row["to"]} & FAMILY.keys() and {row["from"], row["to"]} <= EVERYBODY.keys()
}
STRICT_ORDER: Final = "C17-mistral-tool-then-user"
"""Its option is one of the writer's target that `convert` has no name for yet."""


def expected(row: Mapping[str, Any], value: Any, error: object | None) -> list[str]:
    return complaints(row["expect"], None if value is None else {"messages": value["messages"]}, error)


def test_the_cases_are_there() -> None:
    assert {id.partition("-")[0] for id in ROWS} == {"B06", "C17", "E08", "E14", "H12"}


@pytest.mark.parametrize("row", [row for id, row in ROWS.items() if id != STRICT_ORDER], ids=lambda row: row["id"])
def test_a_case_gives_what_it_expects(row: dict[str, Any]) -> None:
    before = deepcopy(row["input"])
    assert not row.get("opts")
    match closed(convert(row["input"], EVERYBODY[row["from"]], EVERYBODY[row["to"]])):
        case Success(converted):
            assert expected(row, converted.value, None) == []
        case Failure(error):
            assert expected(row, None, error) == []
    assert row["input"] == before


def test_an_assistant_stands_between_a_result_and_a_user_where_the_order_is_strict() -> None:
    row = ROWS[STRICT_ORDER]
    request = FIRST["openai_chat"].read_request(row["input"]).unwrap()
    strict = cast("Target", SimpleNamespace(model="", inline_system=None, prefill=None, thinking=None, strict_order=True))
    written = FAMILY["mistral"].write_request(request, strict)
    assert expected(row, written.value, None) == []
    assert [(loss.what, loss.action.value) for loss in written.losses] == [("an assistant message", "invented")]
    assert len(FAMILY["mistral"].write_request(request).value["messages"]) == 4


def test_the_reasoning_of_mistral_is_read_as_one_text() -> None:
    """The half of D16 that is read here."""
    chunks = [{"type": "text", "text": "a greeting"}, {"type": "text", "text": ", reply"}]
    body = {
        "messages": [
            {"role": "assistant", "content": [{"type": "thinking", "thinking": chunks}, {"type": "text", "text": "Hello"}]}
        ]
    }
    request = FAMILY["mistral"].read_request(body).unwrap()
    assert [content.text for content in request.messages[0].contents] == ["a greeting, reply", "Hello"]  # type: ignore[union-attr]
    assert FAMILY["mistral"].write_request(request).value == body
