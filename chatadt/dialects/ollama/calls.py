"""The calls of a conversation as Ollama's writer counts them: by their order, which is all that the wire says of most."""

from __future__ import annotations

from typing import Final

from chatadt.content import Content
from chatadt.dialects._losses import Splice, lost
from chatadt.dialects.ollama.ties import Ties
from chatadt.json import Json, dump
from chatadt.loss import Action, Loss, Weight

__all__ = ("Calls", "number", "uncalled")


class Calls:
    """What the calls of a conversation are called, once it is read again, and how their arguments are put."""

    __slots__ = ("misread", "names", "splice", "ties")

    def __init__(self, splice: Splice) -> None:
        self.splice = splice
        self.ties = Ties()
        self.names: dict[str, str] = {}  # by id: the id that a reader gives
        self.misread = False  # whether a reader would tie some result to another call than its own


def number(calls: Calls, index: int, call: Content.ToolRequest, given: str, losses: list[Loss]) -> None:
    """Count a call as a reader will; an id that it will not find again is lost."""
    id_ = calls.ties.ask(call.name, given)
    calls.names[call.id] = id_
    if id_ != call.id:
        losses.append(uncalled(f".contents[{index}].id", call.id))


def uncalled(path: str, id_: str) -> Loss:
    """The loss of the id of a call."""
    return lost(path, "tool id", _DROPPED, Json.trusted(dump(id_)), _UNCALLED, _DETAIL)


_DROPPED: Final = Action.DROPPED  # their names are looked up once
_DETAIL: Final = Weight.DETAIL
_UNCALLED: Final = "a call has no id: results follow in the order of the calls"
