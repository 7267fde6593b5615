"""Calls whose name comes late: what is said of them waits for it, and so do the calls that begin meanwhile.

A client, and every other dialect, takes a call by its name, and the calls of a message in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

from chatadt.delta import Delta
from chatadt.dialects._openai_like.pieces import Call

__all__ = ("Late", "OfCall")

OfCall: TypeAlias = Delta.ToolRequest | Delta.BlockExtras
"""What a delta says of a call."""


@final
class Late:
    """The calls of one choice that are not told yet."""

    __slots__ = ("_unnamed", "_waiting", "choice")

    def __init__(self, choice: int) -> None:
        self.choice = choice
        self._waiting: dict[Call, list[OfCall]] = {}
        self._unnamed: set[Call] = set()

    def take(self, call: Call, said: list[OfCall]) -> Sequence[OfCall]:
        """What can be told now that something was said of a call: nothing while one has no name."""
        if call.is_named and not self._waiting:
            call.is_told = True
            return said
        self._waiting.setdefault(call, []).extend(said)
        if call.is_named:
            self._unnamed.discard(call)
        else:
            self._unnamed.add(call)
        return () if self._unnamed else self.release()

    def release(self) -> list[OfCall]:
        """All that waits, each call at once, also one that got no name."""
        waiting, self._waiting = self._waiting, {}
        self._unnamed = set()
        return [delta for call, said in waiting.items() for delta in self._told(call, said)]

    def _told(self, call: Call, said: list[OfCall]) -> list[OfCall]:
        call.is_told = True
        requests = [delta for delta in said if isinstance(delta, Delta.ToolRequest)]
        arguments, name = "".join(each.arguments for each in requests), "".join(each.name for each in requests)
        about: list[OfCall] = [delta for delta in said if isinstance(delta, Delta.BlockExtras)]
        return [*about, Delta.ToolRequest(call.index, arguments, call.id, name, self.choice)]
