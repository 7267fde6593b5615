"""The loss table in a dialect's page and the writer say the same: neither can change without the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import pytest
from hypothesis import assume, given

from chatadt import DIALECTS, ChatRequest, Loss, strategies
from chatadt.dialects import Dialect, Target
from chatadt.laws import quotes
from chatadt.loss import Action

from .examples import Example
from .loss_rows import ROWS, Kind
from .test_features import EXAMPLES

VERBS: Final[Mapping[str, Action]] = {
    "dropped": Action.DROPPED,
    "rewritten": Action.REWRITTEN,
    "moved": Action.MOVED,
    "invented": Action.INVENTED,
    "joined": Action.REWRITTEN,
}
"""The words of a table that tell what becomes of a word."""


class Line(NamedTuple):
    """One row of the table in a page."""

    word: str
    becomes: str
    weight: str


def table(dialect: Dialect) -> list[Line]:
    """The rows of the loss table of a page."""
    rows = [line.strip("|").split("|") for line in dialect.page.splitlines() if line.startswith("|")]
    cells = [Line(*(cell.strip() for cell in row)) for row in rows]
    assert cells[0] == Line("word", "what becomes of it", "weight")
    assert set("".join(cells[1])) == {"-"}
    return cells[2:]


every_dialect = pytest.mark.parametrize("dialect", [pytest.param(DIALECTS[name], id=name) for name in ROWS])


@every_dialect
def test_the_table_and_the_examples_have_the_same_rows(dialect: Dialect) -> None:
    words = [line.word for line in table(dialect)]
    assert sorted(words) == sorted(ROWS[dialect.name])


every_row = pytest.mark.parametrize(
    ("dialect", "line"),
    [pytest.param(DIALECTS[name], line, id=f"{name}-{line.word}") for name in ROWS for line in table(DIALECTS[name])],
)


@every_row
def test_a_row_states_what_is_done_and_how_much_it_matters(dialect: Dialect, line: Line) -> None:
    kinds = ROWS[dialect.name][line.word].kinds
    said = {action for verb, action in VERBS.items() if re.search(rf"\b{verb}\b", line.becomes)}
    assert said == {kind.action for kind in kinds}
    assert set(line.weight.split("; ")) == {kind.weight.value for kind in kinds}


@pytest.mark.parametrize(
    ("dialect", "word"), [pytest.param(DIALECTS[name], word, id=f"{name}-{word}") for name, rows in ROWS.items() for word in rows]
)
def test_a_row_is_shown_by_an_example(dialect: Dialect, word: str) -> None:
    row = ROWS[dialect.name][word]
    shown = [loss for request in row.shown_by for loss in dialect.write_request(request).losses]
    assert [kind for kind in row.kinds if not any(map(kind.is_of, shown))] == []
    for request in row.shown_by:
        assert any(kind.is_of(loss) for kind in row.kinds for loss in dialect.write_request(request).losses), request


def kinds(dialect: Dialect) -> Iterator[Kind]:
    for row in ROWS[dialect.name].values():
        yield from row.kinds


def unlisted(dialect: Dialect, request: ChatRequest, target: Target = Target()) -> list[Loss]:  # noqa: B008 (immutable)
    """The losses of which no row speaks."""
    return [loss for loss in dialect.write_request(request, target).losses if not any(kind.is_of(loss) for kind in kinds(dialect))]


@every_dialect
@pytest.mark.parametrize("example", [pytest.param(e, id=f"{n}-{e.name}") for n, examples in EXAMPLES.items() for e in examples])
def test_every_loss_of_the_examples_stands_in_the_table(dialect: Dialect, example: Example) -> None:
    assert unlisted(dialect, example.request, Target("")) == []


@every_dialect
def test_every_loss_of_any_request_stands_in_the_table(dialect: Dialect) -> None:
    @given(strategies.chat_requests())
    def check(request: ChatRequest) -> None:
        assume(not quotes(request, dialect.name))
        assert unlisted(dialect, request) == []

    check()
