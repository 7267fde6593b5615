"""The table of the docs: how much recorded traffic of each dialect crosses to each other without a loss of content.

`PYTHONPATH=tests python -m crossing.table` writes it into the page; `--print` shows it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wire.markers import inside, rewritten

from chatadt import Policy

from .traffic import FOLDERS, crossed, sample

__all__ = ("BEGIN", "END", "HOW", "PAGE", "between_markers", "render")

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
    return inside(page, BEGIN, END)


def main() -> int:
    """Write the table into the page."""
    if sys.argv[1:] == ["--print"]:
        print(render())
    else:
        PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), BEGIN, END, render()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
