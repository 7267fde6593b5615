"""The two gaps that `returns` leaves open: a `Result` that `match` can close, and a walk that stops at the first failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, cast

from returns.result import Failure, Result, Success

__all__ = ("closed", "traverse")

A = TypeVar("A")
B = TypeVar("B")
E = TypeVar("E")


def closed(result: Result[A, E]) -> Success[A] | Failure[E]:
    """View a Result as the closed union of its two cases, so that both checkers find a `match` over it exhaustive."""
    return cast("Success[A] | Failure[E]", result)


def traverse(step: Callable[[A], Result[B, E]], items: Iterable[A]) -> Result[tuple[B, ...], E]:
    """Apply `step` to each item: all the values in order, or the first failure."""
    values: list[B] = []
    for item in items:
        match closed(step(item)):
            case Success(value):
                values.append(value)
            case Failure(error):
                return Failure(error)
    return Success(tuple(values))
