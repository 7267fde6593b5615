"""What stands between two comments of a page that a program writes."""

from __future__ import annotations

__all__ = ("inside", "rewritten")


def inside(page: str, begin: str, end: str) -> str:
    """What stands between the two comments; ValueError for a page without them."""
    before, opened, rest = page.partition(begin)
    found, closed, _ = rest.partition(end)
    if not (opened and closed):
        raise ValueError(f"expected the comments {begin} and {end} in the page, got {before[:60]!r}…")
    return found.strip("\n")


def rewritten(page: str, begin: str, end: str, text: str) -> str:
    """The page with `text` between its two comments; ValueError for a page without them."""
    inside(page, begin, end)
    before, _, rest = page.partition(begin)
    return f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
