"""Texts in the syntax of mustache: `Hello {{name}}{{#items}}, {{.}}{{/items}}`.

chevron tells the tags apart; what they mean is decided here, because its renderer escapes for HTML, reads partials from the disk,
looks into Python objects, and leaves out what is missing without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, Final, cast

from attrs import frozen

from chatadt.templates._hole import Hole
from chatadt.templates._parsed import Parsed, Unrenderable, as_json, library, of_uses

__all__ = ("parse",)

_DELIMITERS: Final = re.compile(r"\{\{\s*=")
_MISSING: Final = object()
_DEEPEST: Final = 100
_STEPS: Final = {"section": 1, "inverted section": 1, "end": -1}


@frozen
class _Tag:
    """A variable (no `inside`), or a section."""

    key: str
    inside: tuple[str | _Tag, ...] | None = None
    inverted: bool = False


def parse(source: str) -> Parsed:
    """The text of a source. Raises ValueError for broken tags, partials and changed delimiters, ImportError without chevron."""
    tokenizer: Any = library("chevron.tokenizer", "mustache")
    if _DELIMITERS.search(source):
        raise ValueError(f"expected the usual delimiters of mustache, got a tag that changes them in {source!r}")
    if source.endswith("{{"):  # which the tokenizer would leave out
        raise ValueError(f"expected a tag to be closed, got {source!r}")
    try:
        tokens = list(cast("Iterable[tuple[str, str]]", tokenizer.tokenize(source)))
    except Exception as error:  # whatever the tokenizer stumbles over is a mistake in the template
        raise ValueError(f"expected a text in the syntax of mustache, got {source!r}: {' '.join(str(error).split())}") from None
    if _depth(tokens) > _DEEPEST:
        raise ValueError(f"expected sections in {_DEEPEST} others at most, got {_depth(tokens)} in {source!r}")
    pieces = _nested(iter(tokens), source)
    return Parsed(
        of_uses(_uses(pieces, is_inside=False, source=source)), lambda values: "".join(_rendered(pieces, (dict(values),)))
    )


def _depth(tokens: Iterable[tuple[str, str]]) -> int:
    return max(accumulate(_STEPS.get(kind, 0) for kind, _ in tokens), default=0)


def _nested(tokens: Iterator[tuple[str, str]], source: str) -> tuple[str | _Tag, ...]:
    """The pieces up to the end of the section that the tokens stand in."""
    pieces: list[str | _Tag] = []
    for kind, key in tokens:
        match kind:
            case "literal":
                pieces.append(key)
            case "variable" | "no escape":
                pieces.append(_Tag(key))
            case "section" | "inverted section":
                pieces.append(_Tag(key, _nested(tokens, source), kind == "inverted section"))
            case "end":
                break
            case _:
                raise ValueError(
                    f"expected variables and sections, got a {kind} ({key!r}) in {source!r}: put its text here instead"
                )
    return tuple(pieces)


def _uses(pieces: Iterable[str | _Tag], *, is_inside: bool, source: str) -> Iterator[Hole.T]:
    """What each tag makes of the name that it begins with. Inside a section a name may be one of the section's own data."""
    for piece in pieces:
        if isinstance(piece, str):
            continue
        name, _, rest = piece.key.partition(".")
        if not is_inside and not name.isidentifier():
            raise ValueError(f"expected a hole such as {{{{question}}}}, got the name {piece.key!r} in {source!r}")
        if name.isidentifier():
            yield Hole.Data(name, is_inside) if is_inside or rest or piece.inside is not None else Hole.Text(name)
        yield from _uses(piece.inside or (), is_inside=True, source=source)


def _rendered(pieces: Iterable[str | _Tag], stack: tuple[Any, ...]) -> Iterator[str]:
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
            continue
        value = _looked_up(piece.key, stack)
        if piece.inside is None:
            yield _printed(piece.key, value)
        elif piece.inverted:
            if value is _MISSING or not value:
                yield from _rendered(piece.inside, stack)
        elif value is not _MISSING:
            items: list[Any] = value if value.__class__ is list else [value] if value else []
            for item in items:
                yield from _rendered(piece.inside, (*stack, item))


def _looked_up(key: str, stack: tuple[Any, ...]) -> Any:
    if key == ".":
        return stack[-1]
    first, *rest = key.split(".")
    value = next((found for level in reversed(stack) if (found := _inside(level, first)) is not _MISSING), _MISSING)
    for part in rest:
        value = _inside(value, part)
    return value


def _inside(level: Any, key: str) -> Any:
    return level.get(key, _MISSING) if level.__class__ is dict else _MISSING


def _printed(key: str, value: Any) -> str:
    if value is _MISSING:
        raise Unrenderable(f"nothing is called {key!r} where {{{{{key}}}}} stands")
    return value if isinstance(value, str) else "" if value is None else as_json(value)
