"""JSON that comes in piece by piece, and whether all of it is there."""

from __future__ import annotations

import re
from typing import Final, final

from chatadt.json import MOST_DIGITS, why_not_json

__all__ = ("Arriving",)

_OUTSIDE: Final = re.compile(r'["{}\[\]]')
_INSIDE: Final = re.compile(r'["\\]')
_BLANK: Final = " \t\r\n"
_LONGEST_BARE: Final = MOST_DIGITS
"""A number, or a word, of more characters is not looked at until nothing more comes: it could go on for ever."""


@final
class Arriving:
    """JSON text in the making. Each piece is looked at once, and the text is parsed once, however often one asks.

    An object, a list or a string is parsed when its brackets or quotes are closed: what is no JSON then will never be, and what is
    stays JSON as long as only white space follows.
    """

    __slots__ = ("_at", "_closed", "_depth", "_first", "_is_cut", "_is_inside", "_is_json", "_looked", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._at = 0  # how many of the pieces were looked at
        self._looked = 0  # their characters
        self._first = ""  # the first character that is not blank
        self._depth = 0
        self._is_inside = False  # a string
        self._is_cut = False  # behind a backslash
        self._closed = False
        self._is_json: bool | None = None

    @property
    def text(self) -> str:
        """All of it so far."""
        return "".join(self.pieces)

    @property
    def is_whole(self) -> bool:
        """Whether it is JSON as it stands."""
        for piece in self.pieces[self._at :]:
            self._look(piece)
        self._at = len(self.pieces)
        if not self._first or (not self._closed and self._first in '"{['):
            return False
        if self._is_json is None:
            if not self._closed and self._looked > _LONGEST_BARE:
                return False
            self._is_json = why_not_json(self.text) is None
        return self._is_json

    def _look(self, piece: str) -> None:
        self._looked += len(piece)
        if not self._first:
            self._first = piece.lstrip(_BLANK)[:1]
        if self._closed:
            if piece.strip(_BLANK):
                self._is_json = False
            return
        if self._first and self._first not in '"{[':
            self._is_json = None
            return
        at = 0
        while at < len(piece):
            if self._is_cut:
                self._is_cut = False
                at += 1
                continue
            found = (_INSIDE if self._is_inside else _OUTSIDE).search(piece, at)
            if found is None:
                return
            at = found.end()
            self._meet(found[0])
            if self._closed:
                return  # what follows in this piece is parsed with it

    def _meet(self, mark: str) -> None:
        """A bracket, a quote, or a backslash in a string."""
        match mark:
            case "\\":
                self._is_cut = True
            case '"':
                self._is_inside = not self._is_inside
                self._closed = not (self._is_inside or self._depth)
            case "{" | "[":
                self._depth += 1
            case _:
                self._depth -= 1
                self._closed = self._depth <= 0
