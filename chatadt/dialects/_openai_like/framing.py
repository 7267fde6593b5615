"""How servers that stream as OpenAI Chat does frame chunks: server-sent events without names, and `[DONE]` after the last one.

Some clients wait for it, so it must be there; and to say it after what broke off would be to say an end that nobody said.
"""

from __future__ import annotations

from typing import Any, Final, final

from chatadt import sse
from chatadt.framing import Carrier, Framing

__all__ = ("FRAMING",)


@final
class _Hearer:
    """Whether every choice of a stream of chunks was said to be finished, and no error came."""

    __slots__ = ("_begun", "_failed", "_finished")

    def __init__(self) -> None:
        self._begun: set[Any] = set()
        self._finished: dict[Any, Any] = {}  # by number of a choice: the id of the chunk that finished it
        self._failed = False

    def hear(self, event: Any) -> None:
        if event.__class__ is not dict:
            return
        self._failed = self._failed or event.get("error") is not None or event.get("object") == "error"
        choices = event.get("choices")
        for choice in choices if choices.__class__ is list else ():
            if choice.__class__ is dict:
                self._hear_choice(choice, event.get("id"))

    def _hear_choice(self, choice: dict[str, Any], id_: Any) -> None:
        number = _key(choice.get("index"))
        self._begun.add(number)
        if choice.get("finish_reason"):
            self._finished[number] = id_
        elif number in self._finished and self._finished[number] != id_ and _has_role(choice.get("delta")):
            del self._finished[number]  # another message begins

    @property
    def is_over(self) -> bool:
        return not self._failed and bool(self._begun) and self._begun == self._finished.keys()


def _key(index: Any) -> Any:
    return index if index.__class__ is int else 0


def _has_role(delta: Any) -> bool:
    return delta.__class__ is dict and "role" in delta


FRAMING: Final = Framing(Carrier.SERVER_SENT, terminator=sse.DONE, hearer=_Hearer)
"""Chunks without names, and `[DONE]` where the message has ended."""
