"""Plain data: text, JSON, names, and what dialects say beyond the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.json import NO_EXTRAS, Extras, Json

__all__ = (
    "DIALECTS",
    "documents",
    "either",
    "extras",
    "few",
    "identifiers",
    "json",
    "maybe",
    "objects",
    "schemas",
    "texts",
    "tool_names",
)

T = TypeVar("T")

DIALECTS: Final = ("anthropic", "gemini", "nobody", "openai_chat")
"""Names under which extras and custom words come; nobody's is among them."""

_AWKWARD: Final = (
    "",
    " ",
    "\n\t",
    "trailing ",
    '"',
    "\\",
    "\\u0000",
    "'",
    "null",
    "{}",
    '{"a": 1}',
    '{"a": ',
    "[1,2]",
    "<tool_call>",
    "line\u2028separator\u2029",
    "\x00",
    "\ufeff",
    "\u200b",
    "e\u0301 \u00e9",
    "\U0001f469\u200d\U0001f52c",
    "\u0645\u0631\u062d\u0628\u0627",
    "\uffff",
    "1e999",
    "data:image/png;base64,AAAA",
)
"""Texts that converters trip over."""

_AWKWARD_NUMBERS: Final = (2**53 + 1, 2**63, 2**64, -(2**70), 10**30, -0.0, 5e-324, 1.7976931348623157e308, 1e16, 0.1)
"""Numbers that parsers trip over: beyond 64 bits they are rounded, and 1e16 is written in many ways."""


def texts(*, blank: bool = True, max_size: int = 20) -> SearchStrategy[str]:
    """Any text without lone surrogates; with `blank=False`, one that neither begins nor ends with white space and is not empty."""
    characters = st.characters(exclude_categories=["Cs"])
    if blank:
        return st.one_of(st.text(characters, max_size=max_size), st.sampled_from(_AWKWARD))
    stripped = st.text(characters, min_size=1, max_size=max_size).map(str.strip).filter(bool)
    return st.one_of(stripped, st.sampled_from([text for text in _AWKWARD if text and text == text.strip()]))


def identifiers() -> SearchStrategy[str]:
    """Ids of tool requests, as providers make them and as they refuse them; careless cleaning would make one of two."""
    usual = st.integers(0, 99).map(lambda number: f"call_{number:03}")
    odd = st.sampled_from(("a.b", "a:b", "a b", "a_b", "toolu_01", "x" * 70, "x" * 71, "é", "1", "_", "-", "fc_1|msg_2"))
    return st.one_of(usual, odd, texts(blank=False))


def tool_names() -> SearchStrategy[str]:
    """Names of tools that are not blank, most of them as every provider takes them."""
    return st.one_of(
        st.sampled_from(("weather", "get-time", "_", "f2")),
        st.from_regex(r"[a-zA-Z0-9_-]{1,16}", fullmatch=True),
        texts(blank=False),
    )


def json() -> SearchStrategy[Any]:
    """Any JSON value as plain Python data: None, bool, int of any size, finite float, str, list, dict with string keys."""
    numbers = (
        st.integers(-9, 9),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(_AWKWARD_NUMBERS),
    )
    leaves = st.one_of(st.none(), st.booleans(), *numbers, texts())
    return st.recursive(leaves, lambda inner: st.one_of(st.lists(inner, max_size=3), dictionaries(inner)), max_leaves=8)


def objects() -> SearchStrategy[dict[str, Any]]:
    """JSON objects as dicts."""
    return dictionaries(json())


def documents() -> SearchStrategy[Json]:
    """JSON documents, some of them with spaces in their text."""
    spaced = json().map(
        lambda value: Json(Json.of(value).text.replace("[", "[ ").replace("{", " {")) if _is_quiet(value) else Json.of(value)
    )
    return st.one_of(json().map(Json.of), spaced)


def schemas() -> SearchStrategy[dict[str, Any]]:
    """JSON Schemas of objects, as tools and response formats have them."""
    leaf = st.sampled_from(({"type": "string"}, {"type": "integer"}, {"type": "string", "enum": ["a", "b"]}, {"type": "boolean"}))
    listed = leaf.map(lambda items: {"type": "array", "items": items})
    properties = dictionaries(st.one_of(leaf, listed))
    return properties.map(lambda found: {"type": "object", "properties": found, "required": sorted(found)[:1]})


def extras(*dialects: str) -> SearchStrategy[Extras]:
    """Mostly none; else some fields of one or two of `dialects` (of several, one of them nobody's, unless given)."""
    said = st.dictionaries(st.sampled_from(dialects or DIALECTS), dictionaries(json(), min_size=1), min_size=1, max_size=2)
    return st.one_of(st.just(NO_EXTRAS), st.just(NO_EXTRAS), said.map(Extras))


def maybe(strategy: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.one_of(st.none(), strategy)


def either(strategies: Iterable[SearchStrategy[T]]) -> SearchStrategy[T]:
    return st.one_of(list(strategies))


def few(strategy: SearchStrategy[T]) -> SearchStrategy[list[T]]:
    return st.lists(strategy, max_size=3)


def dictionaries(values: SearchStrategy[T], min_size: int = 0) -> SearchStrategy[dict[str, T]]:
    return st.dictionaries(
        st.one_of(texts(), st.sampled_from(("type", "id", "text", "name", "extras"))), values, min_size=min_size, max_size=3
    )


def _is_quiet(value: object) -> bool:
    """Whether no text within has brackets, so that spaces may be put beside those of the JSON."""
    return not any(sign in repr(value) for sign in ('"', "'", "\\"))
