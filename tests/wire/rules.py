"""What the rules of all judges share: they run after the types, on bodies whose shape is known to be right."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

from .values import leaves, place

__all__ = ("Complaint", "Found", "Rule", "broken_base64", "data_url", "lone_surrogates", "sniffed", "spelt", "unanswered")

Found: TypeAlias = "Iterator[tuple[str, str]]"
Rule: TypeAlias = "Callable[[dict[str, Any]], Found]"

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MAGIC: Final = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
)


class Complaint(NamedTuple):
    """One rule of a provider that a body breaks."""

    rule: str
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.what} at {self.path}"


def lone_surrogates(body: Any) -> Found:
    """U: half a character is not valid JSON for any server."""
    for where, leaf in leaves(body):
        texts = [*(step for step in where if isinstance(step, str)), *([leaf] if isinstance(leaf, str) else [])]
        for text in texts:
            if _SURROGATE.search(text):
                yield place(where).encode("ascii", "backslashreplace").decode(), "a lone surrogate"


def spelt(pattern: re.Pattern[str], path: str, kind: str, text: str) -> Found:
    """One complaint when the whole of `text` does not match."""
    if not pattern.fullmatch(text):
        yield path, f"{kind} {text!r} does not match {pattern.pattern}"


def broken_base64(path: str, payload: str) -> Found:
    """One complaint when the payload is empty or not standard padded base64."""
    try:
        if not b64decode(payload, validate=True):
            yield path, "an empty payload"
    except (NotBase64, ValueError) as error:
        yield path, f"broken base64: {error}"


def sniffed(payload: str) -> str | None:
    """The media type of an image that its first bytes show."""
    head = b64decode(payload[:64])
    return next((kind for kind, magic in _MAGIC if magic.match(head)), None)


def data_url(url: str) -> tuple[str, str] | None:
    """Media type and base64 payload of a data URL, or None when it is another URL."""
    matched = re.fullmatch(r"data:([^;,]*)(?:;[^;,]*)*;base64,(.*)", url, re.DOTALL)
    return (matched[1], matched[2]) if matched else None


def unanswered(path: str, asked: list[str], answered: list[str]) -> Found:
    """P1, P2: every call has one result and every result a call."""
    for each in dict.fromkeys(asked):
        if answered.count(each) != 1:
            yield path, f"{answered.count(each)} results directly after tool call {each!r}, wanted one"
    for each in dict.fromkeys(answered):
        if each not in asked:
            yield path, f"a result for {each!r}, which no call before it has"
