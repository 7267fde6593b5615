"""The loss table in each dialect's page is what the code does, row by row, and no loss goes unlisted."""

from __future__ import annotations

import re

import pytest
from dialects.test_loss_table import VERBS, Line, table
from hypothesis import given
from wire.corpus import present

from chatadt import ChatRequest, laws, strategies

from .family import FAMILY, FIRST, sample
from .rows import ROWS

every_row = pytest.mark.parametrize(
    ("name", "line"),
    [pytest.param(name, line, id=f"{name}-{line.word}") for name, dialect in FAMILY.items() for line in table(dialect)],
)
every_dialect = pytest.mark.parametrize("name", FAMILY)


@every_dialect
def test_the_table_and_the_examples_have_the_same_rows(name: str) -> None:
    assert sorted(line.word for line in table(FAMILY[name])) == sorted(ROWS[name])


@every_row
def test_a_row_states_what_is_done_and_how_much_it_matters(name: str, line: Line) -> None:
    kinds = ROWS[name][line.word].kinds
    assert {action for verb, action in VERBS.items() if re.search(rf"\b{verb}\b", line.becomes)} == {kind.action for kind in kinds}
    assert set(line.weight.split("; ")) == {kind.weight.value for kind in kinds}


@every_row
def test_a_row_is_shown_by_an_example(name: str, line: Line) -> None:
    row = ROWS[name][line.word]
    shown = [FAMILY[name].write_request(request).losses for request in row.shown_by]
    assert shown
    assert all(any(kind.is_of(loss) for kind in row.kinds for loss in losses) for losses in shown)
    assert all(any(kind.is_of(loss) for losses in shown for loss in losses) for kind in row.kinds)


def unlisted(name: str, request: ChatRequest) -> list[str]:
    """The losses of which no row speaks."""
    kinds = [kind for row in ROWS[name].values() for kind in row.kinds]
    return [str(loss) for loss in FAMILY[name].write_request(request).losses if not any(kind.is_of(loss) for kind in kinds)]


@every_dialect
def test_every_loss_of_any_request_stands_in_the_table(name: str) -> None:
    @given(strategies.chat_requests())
    def check(request: ChatRequest) -> None:
        assert laws.quotes(request, name) or unlisted(name, request) == []

    check()


@present
@every_dialect
@pytest.mark.parametrize("source", FIRST)
def test_every_loss_of_recorded_requests_stands_in_the_table(source: str, name: str) -> None:
    rows = sample(source)
    assert rows
    for recording in rows:
        assert unlisted(name, FIRST[source].read_request(recording.body).unwrap()) == [], recording.id
