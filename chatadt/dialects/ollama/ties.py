"""Which call a tool result answers, where the wire does not say.

Calls of Ollama need no ids. A result answers the first call of the last assistant message that is still open and has its tool's
name, or the first open one where the result names no tool; calls are counted through the conversation, which gives them ids.
Reader and writer count alike, so that a result finds its call again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from chatadt.codec import document
from chatadt.dialects._losses import moved
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("Ties", "by_calls", "out_of_order", "placed")


def by_calls(messages: Sequence[Message.T]) -> list[int]:
    """The indices of the messages in the order in which a reader ties each result to its call.

    Results of one run change places where they stand in another order than their calls; whatever else there is stays.
    """
    order: list[int] = []
    calls: dict[str, int] = {}
    run: list[int] = []
    for index, message in enumerate(messages):
        if isinstance(message, Message.ToolResult):
            run.append(index)
            continue
        order += _sorted(run, messages, calls)
        run = []
        order.append(index)
        if isinstance(message, Message.Assistant):
            calls = {call.id: at for at, call in enumerate(message.tool_requests)}
    return order + _sorted(run, messages, calls)


def _sorted(run: list[int], messages: Sequence[Message.T], calls: dict[str, int]) -> list[int]:
    """The results of a run; those of known calls share the places that such results have."""
    places = {index: calls[said] for index in run if (said := _answered(messages[index])) in calls}
    known = iter(sorted(places, key=places.__getitem__))
    return [next(known) if index in places else index for index in run]


def _answered(message: Message.T) -> str | None:
    return message.id if isinstance(message, Message.ToolResult) else None


def placed(loss: Loss, order: list[int]) -> Loss:
    """A loss of messages that were put in another order, at its path in the conversation."""
    found = _PLACE.match(loss.path)
    return evolve(loss, path=f"$.messages[{order[int(found[1])]}]{loss.path[found.end() :]}") if found else loss


_PLACE: Final = re.compile(r"\$\.messages\[(\d+)\]")


def out_of_order(result: Message.T, index: int) -> Loss:
    """The loss of the place of a result."""
    return moved("a tool result", document(result), "results stand in the order of their calls", path=f"$.messages[{index}]")


class Ties:
    """The calls of a conversation, as far as it has been walked."""

    __slots__ = ("_count", "_open", "_taken")

    def __init__(self) -> None:
        self._count = 0
        self._open: list[tuple[str, str]] = []  # id and name of each call that waits for its result
        self._taken: set[str] = set()

    def turn(self) -> None:
        """An assistant message begins: results answer its calls from now on."""
        self._open = []

    def ask(self, name: str, given: str = "") -> str:
        """The id of the next call: the one that it was given, or its number."""
        id_ = given or f"call_{self._count}"
        while not given and id_ in self._taken:
            id_ += "_"
        self._count += 1
        self._taken.add(id_)
        self._open.append((id_, name))
        return id_

    def answers(self, name: str, id_: str) -> bool:
        """Whether a result that names its tool answers the call with that id; if so, the call is open no more."""
        for index, (open_id, asked) in enumerate(self._open):
            if name == asked:
                if open_id != id_:
                    return False
                del self._open[index]
                return True
        return False

    def answer(self, name: str | None, given: str = "") -> str:
        """The id of the call that a result answers: the one that it gives, or that of the first open call of its tool, or ""."""
        for index, (id_, asked) in enumerate(self._open):
            if id_ == given if given else name is None or name == asked:
                del self._open[index]
                return id_
        return given
