"""Which parts of which pages are generated, and by what.

A part stands between `<!-- NAME: begin, written by python -m docs -->` and `<!-- NAME: end -->`; the rest of the page is written by
people. The page of a dialect is generated as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from chatadt import DIALECTS, Dialect
from chatadt.dialects import FOLDERS
from docs import dialects, formats, rules, words

__all__ = ("PARTS", "ROOT", "begin", "end", "filled", "pages")

ROOT: Final = Path(__file__).parent.parent
REFERENCE: Final = ROOT / "docs" / "reference"

PARTS: Final[Mapping[Path, Mapping[str, Callable[[], str]]]] = {
    ROOT / "README.md": {"dialects": lambda: dialects.overview("docs/reference/dialects/")},
    REFERENCE / "index.md": {"dialects": lambda: dialects.overview("dialects/")},
    REFERENCE / "words.md": {"words": words.package},
    REFERENCE / "modules.md": {"modules": words.modules},
    REFERENCE / "rules.md": {"rules": rules.page},
    REFERENCE / "cli.md": {"commands": formats.commands},
    REFERENCE / "json.md": {"envelopes": formats.envelopes, "cases": formats.cases},
}
"""By page: the name of each part, and what writes it."""


def pages() -> dict[Path, str]:
    """The text that each page with a generated part should have."""
    marked = {path: filled(path.read_text(encoding="utf-8"), parts) for path, parts in PARTS.items()}
    whole = {REFERENCE / "dialects" / f"{name}.md": dialects.page(dialect) for name, dialect in _folders()}
    return marked | whole | {REFERENCE / "dialects" / "variants.md": dialects.variants()}


def _folders() -> Iterator[tuple[str, Dialect]]:
    return ((name, DIALECTS[name]) for name in FOLDERS)


def filled(page: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """The page with each part written anew. ValueError where the comments around a part are not both there, once."""
    for name, write in parts.items():
        if page.count(begin(name)) != 1 or page.count(end(name)) != 1:
            raise ValueError(f"expected {begin(name)} and {end(name)} once each in the page, got {page[:60]!r}…")
        before, _, rest = page.partition(begin(name))
        after = rest.partition(end(name))[2]
        page = f"{before}{begin(name)}\n\n{write().strip()}\n\n{end(name)}{after}"
    return page


def begin(name: str) -> str:
    """The comment before a generated part."""
    return f"<!-- {name}: begin, written by python -m docs -->"


def end(name: str) -> str:
    """The comment after a generated part."""
    return f"<!-- {name}: end -->"
