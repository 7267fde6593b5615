"""Media by value that are text, in whatever encoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Final, final

from attrs import evolve, frozen

from chatadt.resource import Resource

__all__ = ("with_text",)

_TEXTUAL: Final = re.compile(
    r"text/|[^;]*\+(json|xml|yaml)\b|application/(json|(x-)?ndjson|jsonl|xml|(x-)?yaml|toml|javascript|csv|sql|(x-)?sh)\b"
    r"|application/x-www-form-urlencoded\b",
    re.IGNORECASE,
)
_NEVER: Final = re.compile(r"(image|audio|video|font|model)/|application/pdf\b", re.IGNORECASE)
_CHARSET: Final = re.compile(r""";\s*charset\s*=\s*["']?([^"';\s]+)""", re.IGNORECASE)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""By how a text begins: its encoding. The mark of UTF-32 begins with that of UTF-16."""


def with_text(medium: Resource.Binary, change: Callable[[str], str]) -> Resource.Binary:
    """The medium with `change` of it in the place of its text, in its encoding; itself where nothing changes, or it is no text.

    What its type says is text is read as its byte order mark or its charset says, else as UTF-8, else byte by byte. What is of
    another type or none, but no picture, sound, film or PDF, is text where it is UTF-8 without NUL.
    """
    text = _text(medium)
    if text is None:
        return medium
    after = change(text.said)
    return medium if after == text.said else evolve(medium, content=text.mark + after.encode(text.encoding, "replace"))


@final
@frozen
class _Text:
    mark: bytes
    encoding: str
    said: str


def _text(medium: Resource.Binary) -> _Text | None:
    kind = medium.mime_type or ""
    if _TEXTUAL.match(kind):
        charset = _CHARSET.search(kind)
        return _decoded(medium.bytes, charset[1] if charset else "utf-8")
    if _NEVER.match(kind):
        return None
    content = medium.bytes
    said = None if b"\0" in content else _said(content, "utf-8")
    return None if said is None else _Text(b"", "utf-8", said)


def _decoded(content: bytes, charset: str) -> _Text:
    mark, marked = next(((mark, encoding) for mark, encoding in _MARKS if content.startswith(mark)), (b"", charset))
    body = content.removeprefix(mark)
    for encoding in (marked, "utf-8"):
        said = _said(body, encoding)
        if said is not None:
            return _Text(mark, encoding, said)
    return _Text(mark, "latin-1", body.decode("latin-1"))


def _said(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeError, LookupError, ValueError):  # broken, unknown to Python, or no name
        return None
