"""Tables and code in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

__all__ = ("code", "listed", "table")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; what would end a cell is escaped."""
    return "\n".join(_lines(head, rows))


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield f"|{'---|' * len(head)}"
    yield from (_row(row) for row in rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def code(text: str) -> str:
    """Text as code within a line."""
    return f"``{text}``" if "`" in text else f"`{text}`"


def listed(words: Iterable[str]) -> str:
    """Words as code, with commas."""
    return ", ".join(map(code, words))
