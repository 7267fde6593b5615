"""Extras in the making, as a stream says them: fields that replace what was there, and lists that go on."""

from __future__ import annotations

from typing import Any, TypeAlias

from chatadt.json import Extras

__all__ = ("Notes", "extras_of", "noted", "plain")

Notes: TypeAlias = "Extras | dict[str, Any]"
"""Extras in the making."""


def noted(notes: Notes, extras: Extras, grow: bool) -> Notes:
    """The notes with extras added, each field in place of the one that was there, or with `grow` as the next part of it.

    A dict is ours, and changed in place.
    """
    if not extras:
        return notes
    if not notes:
        return extras
    growing: dict[str, Any] = plain(notes) if isinstance(notes, Extras) else notes
    for dialect, document in extras.items():
        value = document.value
        there: Any = growing.get(dialect)
        if there.__class__ is not dict or value.__class__ is not dict:
            growing[dialect] = value
        elif grow:
            _grow(there, value)
        else:
            there.update(value)
    return growing


def _grow(there: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        old: Any = there.get(key)
        if old.__class__ is list and value.__class__ is list:
            old.extend(value)
        elif old.__class__ is dict and value.__class__ is dict:
            _grow(old, value)
        else:
            there[key] = value


def plain(extras: Extras) -> dict[str, Any]:
    """Extras as plain data of one's own."""
    return {dialect: document.value for dialect, document in extras.items()}


def extras_of(notes: Notes) -> Extras:
    """What the notes have become."""
    return notes if isinstance(notes, Extras) else Extras(notes)
