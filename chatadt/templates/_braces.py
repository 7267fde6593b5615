"""Texts with holes in braces, as in Python's f-strings: `Hello {name}`. A brace that is meant is written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from chatadt.templates._hole import Hole
from chatadt.templates._parsed import Parsed

__all__ = ("parse",)

_TOKEN: Final = re.compile(r"(?P<twice>\{\{|\}\})|\{(?P<name>[^{}]*)\}|(?P<lone>[{}])")


def parse(source: str) -> Parsed:
    """The text of a source. Raises ValueError where braces hold anything but a plain name, or are not in pairs."""
    pieces = tuple(_pieces(source))
    names = dict.fromkeys(piece.name for piece in pieces if isinstance(piece, Hole.Text))

    def render(values: Mapping[str, str]) -> str:
        return "".join(values[piece.name] if isinstance(piece, Hole.Text) else piece for piece in pieces)

    return Parsed(tuple(map(Hole.Text, names)), render)


def _pieces(source: str) -> Iterator[str | Hole.Text]:
    end = 0
    for found in _TOKEN.finditer(source):
        yield source[end : found.start()]
        end = found.end()
        if found["twice"]:
            yield found["twice"][0]
        elif found["lone"] or not found["name"].isidentifier():
            raise ValueError(
                f"expected a hole such as {{question}}, got {found[0]!r} at character {found.start()} of {source!r}: "
                "a hole holds a plain name; write a brace that is meant twice, {{ or }}"
            )
        else:
            yield Hole.Text(found["name"])
    yield source[end:]
