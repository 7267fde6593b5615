"""Marks of the prompt cache as Bedrock says them, which are an attribute where Claude is spoken to by its own maker.

Bedrock's reader notes both on a word, so that either can be written. Where neither can, what is lost is what Bedrock said.
"""

from __future__ import annotations

from typing import Any, Final

from chatadt.dialects._spelling import list_of
from chatadt.json import Extras

__all__ = ("BEDROCK", "CLAUDE", "CONTROL", "POINT", "POINTS", "control_of", "points_of")

BEDROCK: Final = "bedrock"
CLAUDE: Final = "anthropic"
POINT: Final = "cachePoint"
POINTS: Final = "$cachePoints"
"""The note of the marks that stand behind a word; an empty list where the one that it carries stands behind another."""
CONTROL: Final = "cache_control"


def control_of(point: dict[str, Any]) -> dict[str, Any] | None:
    """The attribute that says what a mark says; None for a mark that it does not know."""
    if point.get("type") != "default" or not point.keys() <= {"type", "ttl"}:
        return None
    return {**point, "type": "ephemeral"}


def points_of(extras: Extras) -> list[dict[str, Any]] | None:
    """The marks that Bedrock said behind a word; None where it noted none."""
    for name, said in extras.documents:
        if name == BEDROCK and POINTS in said.text:  # as in few: nothing is parsed else
            own: Any = said.value
            return list_of(own, POINTS, dict) if own.__class__ is dict and own.get(POINTS).__class__ is list else None
    return None
