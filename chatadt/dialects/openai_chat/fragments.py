"""Fragments of calls as chunks have them, and where the losses of a message of one content stand."""

from __future__ import annotations

from collections.abc import Iterator

from chatadt.dialects._losses import Block
from chatadt.loss import Loss

__all__ = ("custom_part", "placed", "with_own")


def custom_part(number: int, text: str) -> Block:
    """All of the text that a custom tool takes."""
    return {"index": number, "type": "custom", "custom": {"input": text}}


def with_own(part: Block, own: Block) -> Block:
    """A fragment with what this dialect says of the call beside it."""
    inner = own.pop("function", None)
    if isinstance(inner, dict):
        part["function"] = {**inner, **part["function"]}
    return {**own, **part}


def placed(losses: list[Loss], place: int) -> Iterator[Loss]:
    """The losses of a message of one content, at the place that it has in the whole."""
    for loss in losses:
        path = loss.path.replace(".contents[0]", f".contents[{place}]", 1)
        yield Loss(path, loss.what, loss.action, loss.original, loss.reason, loss.weight)
