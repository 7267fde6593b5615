"""Numbers that a program gives: how often, how long."""

from __future__ import annotations

from math import isnan
from typing import cast

__all__ = ("at_least_one", "seconds")


def at_least_one(number: int, what: str) -> None:
    """Raise TypeError for what is no integer, and ValueError for one below 1; `what` says what was expected."""
    given = cast("object", number)
    message = f"expected {what}, an integer, got {given!r}"
    if not isinstance(given, int) or isinstance(given, bool):
        raise TypeError(message)
    if given < 1:
        raise ValueError(message)


def seconds(number: float, what: str) -> None:
    """Raise TypeError for what is no number, and ValueError for one below 0 or none at all (NaN); `what` says what it is for."""
    given = cast("object", number)
    message = f"expected 0 seconds or more as {what}, got {given!r}"
    if not isinstance(given, int | float) or isinstance(given, bool):
        raise TypeError(message)
    if isnan(given) or given < 0:
        raise ValueError(message)
