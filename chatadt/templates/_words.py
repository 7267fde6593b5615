"""A text with holes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, final

from attrs import field, frozen

from chatadt._sum import Named, holds, terse
from chatadt.content import TEXT
from chatadt.json import NO_EXTRAS, Extras, to_extras
from chatadt.templates import _braces, _jinja2, _mustache
from chatadt.templates._hole import Hole
from chatadt.templates._parsed import Parsed

__all__ = ("Syntax", "Words", "parsed", "to_words")


class Syntax(Named):
    """How the holes of a text are written. BRACES: `{name}`. MUSTACHE and JINJA2: `{{name}}`, by the extra of that name."""

    BRACES = "braces"
    MUSTACHE = "mustache"
    JINJA2 = "jinja2"


@final
@frozen(repr=False)
class Words:
    """A text with holes, which becomes a `Content.Text` with these extras.

    Raises ValueError for a source that is wrong in its syntax, and ImportError where the library of the syntax is not installed.
    What fills a hole is never read as a template, and nothing is escaped.
    """

    source: str = field(validator=TEXT)
    syntax: Syntax = field(default=Syntax.BRACES, validator=holds("a Syntax", Syntax))
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse

    def __attrs_post_init__(self) -> None:
        parsed(self)

    @property
    def holes(self) -> tuple[Hole.T, ...]:
        """The holes of the text, in the order in which they first stand: texts, and JSON data that it looks into."""
        return parsed(self).holes


def to_words(value: str | Words) -> Words:
    """Take a string as a text with holes in braces."""
    return Words(value) if isinstance(value, str) else value


def parsed(words: Words) -> Parsed:
    """What the syntax of a text makes of its source. Raises what `Words` raises."""
    return _parsed(words.source, words.syntax)


@lru_cache(maxsize=1_000)
def _parsed(source: str, syntax: Syntax) -> Parsed:
    return _SYNTAXES[syntax](source)


_SYNTAXES: Final[Mapping[Syntax, Callable[[str], Parsed]]] = {
    Syntax.BRACES: _braces.parse,
    Syntax.MUSTACHE: _mustache.parse,
    Syntax.JINJA2: _jinja2.parse,
}
