"""`chatadt dialects`: what each dialect can say, as a table for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from chatadt.dialects import VARIANTS
from chatadt.dialects._dialect import Capability, Dialect, Says

__all__ = ("described", "detail", "overview", "print_tables")

_MARKS: Final = {Says.NATIVE: "●", Says.DEGRADED: "◐", Says.NO: "○"}

_WIDE: Final = 200

_LEGEND: Final = (
    "● has a shape of its own for it   ◐ by way of another shape   ○ cannot say it\n"
    "three marks: from a user, from an assistant, in a tool result"
)


def print_tables(console: Console, dialects: Iterable[Dialect], *, in_detail: bool) -> None:
    """Print an overview of the dialects, or each in detail. What goes to no terminal is not cut to its width."""
    if not console.is_terminal:
        console.width = _WIDE
    if in_detail:
        for dialect in dialects:
            console.print(detail(dialect))
    else:
        console.print(overview(dialects))
        console.print(_LEGEND)
        console.print(f"\nVariants of openai_chat say what it says: {', '.join(VARIANTS)}")


def overview(dialects: Iterable[Dialect]) -> Table:
    """One row for each kind of content, one column for each dialect."""
    columns = {dialect.name: {capability.kind: capability for capability in dialect.rules.capabilities} for dialect in dialects}
    kinds = dict.fromkeys(kind for capabilities in columns.values() for kind in capabilities)
    table = Table("content", *columns)
    for kind in kinds:
        table.add_row(kind, *(_marks(capabilities.get(kind)) for capabilities in columns.values()))
    return table


def detail(dialect: Dialect) -> Table:
    """One row for each kind of content that the dialect speaks of, with what becomes of it."""
    table = Table("content", "user", "assistant", "tool result", "what becomes of it", title=Text(title(dialect)))
    for says in dialect.rules.capabilities:
        table.add_row(says.kind, says.user.value, says.assistant.value, says.result.value, Text(says.how))
    return table


def title(dialect: Dialect) -> str:
    """The first sentence of the dialect's page."""
    return dialect.page.strip().partition("\n")[0]


def described(dialect: Dialect) -> dict[str, Any]:
    """What the table says, as plain JSON data."""
    return {
        "name": dialect.name,
        "title": title(dialect),
        "says": [
            {
                "kind": says.kind,
                "user": says.user.value,
                "assistant": says.assistant.value,
                "result": says.result.value,
                "how": says.how,
            }
            for says in dialect.rules.capabilities
        ],
    }


def _marks(capability: Capability | None) -> str:
    return (
        "" if capability is None else " ".join(_MARKS[says] for says in (capability.user, capability.assistant, capability.result))
    )
