"""The table of the docs: how much recorded traffic of each dialect crosses to each other without a loss of content.

`PYTHONPATH=tests python -m crossing.table` writes it into the page; `--print` shows it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chatadt import Policy

from .traffic import FOLDERS, crossed, sample

__all__ = ("BEGIN", "END", "HOW", "PAGE", "between_markers", "filled", "render")

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "crossing.md"
BEGIN: Final = "<!-- each pair: begin -->"
END: Final = "<!-- each pair: end -->"
HOW: Final = "run `PYTHONPATH=tests python -m crossing.table` to write the table anew"


def render() -> str:
    """The table, in Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield f"| from | requests | {' | '.join(FOLDERS)} |"
    yield f"|---|---:|{'---:|' * len(FOLDERS)}"
    for source in FOLDERS:
        yield f"| {source} | {len(sample(source))} | {' | '.join(_share(source, target) for target in FOLDERS)} |"


def _share(source: str, target: str) -> str:
    if source == target:
        return "—"
    results = crossed(source, target, Policy.FAITHFUL)
    return f"{sum(one.error is None for one in results) / len(results):.0%}"


def between_markers(page: str) -> str:
    """What stands between the two comments of a page; ValueError for a page without them."""
    before, begin, rest = page.partition(BEGIN)
    inside, end, _ = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"expected the comments {BEGIN} and {END} in the page, got {before[:60]!r}…")
    return inside.strip("\n")


def filled(page: str) -> str:
    """The page with the table between its two comments."""
    return page.replace(f"{BEGIN}\n\n{between_markers(page)}\n\n{END}", f"{BEGIN}\n\n{render()}\n\n{END}")


def main() -> int:
    """Write the table into the page."""
    if sys.argv[1:] == ["--print"]:
        print(render())
    else:
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
