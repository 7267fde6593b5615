"""The table of the docs: how much recorded traffic crosses without a loss of content, and why the rest does not.

`python -m tests.wire.table` writes it between two comments of the page; `--print` shows it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chatadt import Policy

from .corpus import WIRE
from .crossing import PAIRS, Crossed, crossed, reasons
from .markers import inside, rewritten

__all__ = ("BEGIN", "END", "HOW", "PAGE", "between_markers", "filled", "render")

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "crossing.md"
BEGIN: Final = "<!-- recorded traffic: begin -->"
END: Final = "<!-- recorded traffic: end -->"
HOW: Final = "run `python -m tests.wire.table` to write the table anew"


def render() -> str:
    """The table, in Markdown."""
    return "\n".join(_lines())


def between_markers(page: str) -> str:
    """What stands between the two comments of a page; ValueError for a page without them."""
    return inside(page, BEGIN, END)


def filled(page: str) -> str:
    """The page with the table between its two comments."""
    return rewritten(page, BEGIN, END, render())


def _lines() -> Iterator[str]:
    every = {pair: crossed(*pair, Policy.FAITHFUL) for pair in PAIRS}
    yield "| from | to | recorded requests | crossed | refused |"
    yield "|---|---|---:|---:|---:|"
    for (source, target), results in every.items():
        refused = sum(one.error is not None for one in results)
        yield f"| {source} | {target} | {len(results)} | {len(results) - refused} ({_share(results)}) | {refused} |"
    for (source, target), results in every.items():
        yield ""
        yield f"Why requests from {source} to {target} are refused (one can have several reasons):"
        yield ""
        yield "| reason | requests |"
        yield "|---|---:|"
        why = Counter(reason for one in results for reason in reasons(one))
        yield from (f"| {reason} | {count} |" for reason, count in sorted(why.items(), key=lambda each: (-each[1], each[0])))


def _share(results: tuple[Crossed, ...]) -> str:
    return f"{sum(one.error is None for one in results) / len(results):.1%}"


def main() -> int:
    """Write the table into the page."""
    if not WIRE.is_dir():
        print(f"no recorded traffic at {WIRE}: set CHATADT_WIRE to its folder", file=sys.stderr)
        return 1
    if sys.argv[1:] == ["--print"]:
        print(render())
        return 0
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
