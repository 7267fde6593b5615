"""What answers say besides their messages, where bodies have it in fields of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

__all__ = ("fields_but", "is_said", "of_choices", "unnumbered")

_BESIDE_MESSAGE: Final = frozenset({"message", "index", "finish_reason"})


def is_said(value: Any) -> bool:
    """Whether a value says anything."""
    return value not in (None, "", [], {})


def fields_but(body: Mapping[str, Any], looked_at: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The fields that say something, without those which are looked at by themselves or are spelling."""
    return ((key, value) for key, value in body.items() if key not in looked_at and is_said(value))


def of_choices(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What choices say besides their messages."""
    for index, choice in enumerate(body.get("choices", ())):
        if beside := dict(fields_but(choice, _BESIDE_MESSAGE)):
            yield f"choice {index}", beside


def unnumbered(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message without the index of a function, which tells of its place only."""
    calls = [
        {**call, "function": {key: value for key, value in call["function"].items() if key != "index"}}
        for call in message.get("tool_calls") or ()
    ]
    return {**message, "tool_calls": calls} if calls else dict(message)
