"""A block that a stream has begun and not ended, where blocks are started, said in pieces and stopped."""

from __future__ import annotations

from typing import final

from chatadt._notes import Notes
from chatadt.content import Content
from chatadt.dialects._arriving import Arriving
from chatadt.dialects._calls import opens_object

__all__ = ("Open", "begun")


@final
class Open:
    """A block that is being said: `place` is where it stands in the answer, `number` among the blocks that were started.

    `said` holds the arguments of a call, and else what its loss will quote.
    """

    __slots__ = (
        "_opens",
        "_told",
        "case",
        "content",
        "events",
        "goes_on",
        "id",
        "index",
        "name",
        "notes",
        "number",
        "order",
        "place",
        "said",
        "started",
    )

    def __init__(self, index: int, case: type, place: int, order: int, notes: Notes) -> None:
        self.index = index
        self.case = case
        self.place = place
        self.order = order  # in which the blocks were opened
        self.goes_on = False  # after something else came in between
        self.number = -1
        self.notes = notes
        self.content: Content.T | None = None  # of one that comes whole
        self.id: str | None = None
        self.name: list[str] = []
        self.said = Arriving()
        self.started = False
        self.events = 0  # that say something of it
        self._told = 0  # of the pieces of arguments, how many went out
        self._opens: bool | None = None  # whether they begin as an object does

    def arguments(self, *, is_home: bool) -> str:
        """What is to be told of the arguments now, each piece once. What does not begin as an object waits until all of
        it is there, and then stands in one, as clients want it; in a stream that is the dialect's own it goes out as it came.
        """
        if self._opens is None:
            self._opens = opens_object(self.said.pieces[-1:])
        if not (self.started and (self._opens or is_home)):
            return ""
        text = "".join(self.said.pieces[self._told :])
        self._told = len(self.said.pieces)
        return text

    @property
    def waits(self) -> bool:
        """Whether there are arguments, and they do not begin as an object does."""
        return self._opens is False


def begun(index: int, case: type, known: dict[tuple[int, type], int], order: int, notes: Notes) -> Open:
    """A block that begins now, or goes on after it was closed: then it has the place that is `known` of it."""
    place = known.get((index, case))
    block = Open(index, case, len(known) if place is None else place, order, notes)
    block.goes_on = place is not None
    known[index, case] = block.place
    return block
