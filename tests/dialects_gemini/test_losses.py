"""The loss table in Gemini's page and its writer say the same: neither can change without the other."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import pytest
from hypothesis import given

from chatadt import ChatRequest, strategies
from chatadt.dialects import Target
from chatadt.dialects.gemini import DIALECT
from chatadt.loss import Action

from .loss_rows import ROWS

VERBS: Final = {"dropped": Action.DROPPED, "rewritten": Action.REWRITTEN, "moved": Action.MOVED, "invented": Action.INVENTED}
MODELS: Final = ("", "gemini-3-pro-preview", "gemini-2.5-flash", "gemini-2.0-flash", "gemini-1.5-pro")


class Line(NamedTuple):
    """One row of the table in the page."""

    word: str
    becomes: str
    weight: str


def table() -> list[Line]:
    rows = [Line(*(cell.strip() for cell in line.strip("|").split("|"))) for line in DIALECT.page.splitlines() if line[:1] == "|"]
    assert rows[0] == Line("word", "what becomes of it", "weight")
    return rows[2:]


every_row = pytest.mark.parametrize("line", table(), ids=lambda line: line.word)


def test_the_table_and_the_examples_have_the_same_rows() -> None:
    assert [line.word for line in table()] == list(ROWS)


@every_row
def test_a_row_states_what_is_done_and_how_much_it_matters(line: Line) -> None:
    kind = ROWS[line.word].kind
    assert {action for verb, action in VERBS.items() if re.search(rf"\b{verb}\b", line.becomes)} == {kind.action}
    assert line.weight == kind.weight.value


@every_row
def test_a_row_is_shown_by_each_of_its_examples(line: Line) -> None:
    row = ROWS[line.word]
    for request in row.shown_by:
        losses = DIALECT.write_request(request, Target(row.model)).losses
        assert any(map(row.kind.is_of, losses)), (request, losses)


@pytest.mark.parametrize("model", MODELS)
def test_every_loss_of_any_request_stands_in_the_table(model: str) -> None:
    @given(strategies.chat_requests())
    def check(request: ChatRequest) -> None:
        losses = DIALECT.write_request(request, Target(model)).losses
        assert [loss for loss in losses if not any(row.kind.is_of(loss) for row in ROWS.values())] == []

    check()
