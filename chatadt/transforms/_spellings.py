"""Where a text says something: as it stands, in the strings of its JSON, or in letters that are spelt in another way."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import Final, TypeAlias, final
from urllib.parse import unquote

from attrs import frozen

from chatadt.json import dump, why_not_json

__all__ = ("DEEPEST", "Find", "Span", "replaced", "respelt", "spans")

Span: TypeAlias = tuple[int, int]
"""Where something begins in a text, and where it ends."""
Find: TypeAlias = Callable[[str], Iterable[Span]]

DEEPEST: Final = 4
"""How many spellings one upon the other are seen through. A text that is made to have many would otherwise cost its square."""

_PAIR: Final = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_JSON_ESCAPE: Final = rf'{_PAIR}|\\u[0-9a-fA-F]{{4}}|\\["\\/bfnrt]'
_PERCENT: Final = (
    "%[0-7][0-9a-fA-F]|%[cdCD][0-9a-fA-F]%[89abAB][0-9a-fA-F]|%[eE][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){2}"
    "|%[fF][0-7](?:%[89abAB][0-9a-fA-F]){3}"
)
_REFERENCE: Final = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_IN_JSON: Final = re.compile(_JSON_ESCAPE)
_ANYWHERE: Final = re.compile(f"{_JSON_ESCAPE}|{_PERCENT}|{_REFERENCE}")
_SAYS: Final[dict[str, Callable[[str], str]]] = {
    "\\": lambda escape: json.loads(f'"{escape}"'),
    "%": unquote,
    "&": unescape,
}
"""By how it begins: what a letter says that is spelt so, in JSON, in an address or in HTML."""

_TOKEN: Final = re.compile(
    r'"(?P<inside>[^"\\]*+(?:\\.[^"\\]*+)*+)(?:"(?P<colon>\s*:)?|\\?\Z)|(?P<number>-?\d[\d.eE+-]*)', re.DOTALL
)
"""A string of a JSON text, which is a key before a colon and may be cut off at the end, or a number."""


def spans(text: str, find: Find) -> list[Span]:
    """Where `find` finds something in a text: in it as it stands, in what it says where letters of it are spelt in another way,
    and in each string and number of it where it is JSON, even JSON that was cut off; in each of these likewise.

    In order; of two that overlap, one of both.
    """
    found: list[Span] = []
    for start, end in sorted(_spans(text, find, 0)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def replaced(text: str, found: Sequence[Span], marker: str) -> str:
    """The text with `marker` in the place of what was found. JSON stays JSON, with as many keys as before, unless what was found
    reaches beyond one string or number.
    """
    if not found:
        return text
    if not _is_document(text):
        return _spliced(text, found, marker)
    starts = [start for start, _ in found]

    def within(token: re.Match[str]) -> Sequence[Span]:
        start, end = _inside(token)
        return found[bisect_left(starts, start) : bisect_left(starts, end)]

    if sum(len([each for each in within(token) if each[1] <= _inside(token)[1]]) for token in _TOKEN.finditer(text)) < len(found):
        return _spliced(text, found, marker)

    def change(token: re.Match[str], said: str) -> str:
        if not (here := within(token)):
            return said
        spelling, (first, _) = _spelling(token), _inside(token)
        return replaced(said, [spelling.inward((start - first, end - first)) for start, end in here], marker)

    return respelt(text, change)


def respelt(text: str, change: Callable[[re.Match[str], str], str]) -> str:
    """A JSON text with `change` of it in the place of what each string, key and number says; a number becomes a string.

    `change` is given the match of the token too, whose group `colon` a key has. Keys that would become one are told apart by
    underscores.
    """
    keys = {_spelling(token).said for token in _TOKEN.finditer(text) if token["colon"]}

    def changed(token: re.Match[str]) -> str:
        before = _spelling(token).said
        after = change(token, before)
        if after == before:
            return token.group()
        if token["colon"]:
            while after in keys:
                after += "_"
            keys.add(after)
        return dump(after) + (token["colon"] or "")

    return _TOKEN.sub(changed, text)


@final
@frozen
class _Spelling:
    """What a text says, and by index of what is said, its end too: where in the text that is spelt."""

    said: str
    places: Sequence[int]

    def outward(self, span: Span) -> Span:
        """Where in the text a span of what is said is spelt."""
        return self.places[span[0]], self.places[span[1]]

    def inward(self, span: Span) -> Span:
        """The span of what is said that a span of the text spells, whole letters."""
        return bisect_right(self.places, span[0]) - 1, bisect_left(self.places, span[1])


@lru_cache(maxsize=4_096)
def _letter(spelt: str) -> str:
    return _SAYS[spelt[0]](spelt)


def _read(text: str, letters: re.Pattern[str]) -> _Spelling:
    """What a text says in which some letters are spelt so."""
    if letters.search(text) is None:
        return _Spelling(text, range(len(text) + 1))
    said: list[str] = []
    places: list[int] = []
    end = 0
    for found in letters.finditer(text):
        letter = _letter(found.group())
        if len(letter) != 1:  # no letter after all, or one of which a part could not be found again
            continue
        said += text[end : found.start()], letter
        places += range(end, found.start() + 1)
        end = found.end()
    places += range(end, len(text) + 1)
    return _Spelling("".join(said) + text[end:], places)


def _spelling(token: re.Match[str]) -> _Spelling:
    start, end = _inside(token)
    return _read(token.string[start:end], _IN_JSON)


def _inside(token: re.Match[str]) -> Span:
    """Where what a token says is spelt: a string between its quotes."""
    return token.span("number") if token["number"] else token.span("inside")


def _spans(text: str, find: Find, depth: int) -> Iterator[Span]:
    yield from _in_letters(text, find, depth)
    if depth < DEEPEST and _is_like_json(text):
        for token in _TOKEN.finditer(text):
            spelling, (first, _) = _spelling(token), _inside(token)
            for start, end in map(spelling.outward, _spans(spelling.said, find, depth + 1)):
                yield first + start, first + end


def _in_letters(text: str, find: Find, depth: int) -> Iterator[Span]:
    yield from find(text)
    whole = _read(text, _ANYWHERE)
    if depth < DEEPEST and whole.said != text:
        yield from map(whole.outward, _in_letters(whole.said, find, depth + 1))


def _is_like_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _is_document(text: str) -> bool:
    return _is_like_json(text) and why_not_json(text) is None


def _spliced(text: str, found: Sequence[Span], marker: str) -> str:
    pieces: list[str] = []
    before = 0
    for start, end in found:
        pieces += text[before:start], marker
        before = end
    return "".join(pieces) + text[before:]
