"""The loss table in the page and the writer say the same: neither can change without the other."""

from __future__ import annotations

import re
from typing import Final

import pytest
from dialects.test_loss_table import VERBS, Line, table
from hypothesis import given

from chatadt import ChatRequest, Loss, strategies
from chatadt.dialects.openai_responses import DIALECT

from .loss_rows import ROWS

LINES: Final = table(DIALECT)
every_line = pytest.mark.parametrize("line", LINES, ids=lambda line: line.word)


def test_the_table_and_the_examples_have_the_same_rows() -> None:
    assert sorted(line.word for line in LINES) == sorted(ROWS)


@every_line
def test_a_row_states_what_is_done_and_how_much_it_matters(line: Line) -> None:
    kinds = ROWS[line.word].kinds
    said = {action for verb, action in VERBS.items() if re.search(rf"\b{verb}\b", line.becomes)}
    assert said == {kind.action for kind in kinds}
    assert set(line.weight.split("; ")) == {kind.weight.value for kind in kinds}


@every_line
def test_a_row_is_shown_by_examples_each_of_which_has_such_a_loss(line: Line) -> None:
    row = ROWS[line.word]
    losses = [DIALECT.write_request(request).losses for request in row.shown_by]
    assert [kind for kind in row.kinds if not any(kind.is_of(loss) for each in losses for loss in each)] == []
    assert all(any(kind.is_of(loss) for kind in row.kinds for loss in each) for each in losses)


def unlisted(request: ChatRequest) -> list[Loss]:
    """The losses of which no row speaks."""
    kinds = [kind for row in ROWS.values() for kind in row.kinds]
    return [loss for loss in DIALECT.write_request(request).losses if not any(kind.is_of(loss) for kind in kinds)]


@given(strategies.chat_requests())
def test_every_loss_of_any_request_stands_in_the_table(request: ChatRequest) -> None:
    assert unlisted(request) == []
