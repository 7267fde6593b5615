"""Which tool call a fragment of a stream goes on with: servers number them in many ways, or not at all.

Sources: huggingface/smolagents#1569 (one index for all), openai/openai-python#2806 (no index), router-for-me/CLIProxyAPI#5058
(several in one chunk, no index), dirac-run/dirac#215 (an index that runs on).
"""

from __future__ import annotations

from typing import Any, final

from chatadt.json import dump, why_not_json

__all__ = ("Call", "Calls", "fragment_text")


@final
class Call:
    """A tool call that is coming in: `index` is the number of its block."""

    __slots__ = ("id", "index", "is_custom", "name", "pieces")

    def __init__(self, index: int, *, is_custom: bool = False) -> None:
        self.index = index
        self.is_custom = is_custom
        self.id: str | None = None
        self.name = ""
        self.pieces: list[str] = []

    @property
    def is_complete(self) -> bool:
        """Whether its arguments are there, and are JSON: another name then begins another call."""
        self.pieces[:] = ["".join(self.pieces)]
        return bool(self.pieces[0].strip()) and why_not_json(self.pieces[0]) is None

    def name_piece(self, name: str) -> str:
        """What a name adds to the one that is there: nothing where it is only said again."""
        if not name or name == self.name:
            return ""
        self.name += name
        return name


@final
class Calls:
    """The calls of one choice."""

    __slots__ = ("all", "by_number")

    def __init__(self) -> None:
        self.all: list[Call] = []
        self.by_number: dict[int, Call] = {}

    def find(self, number: Any, id_: str, name: str, place: int | None) -> Call | None:
        """The call that a fragment goes on with, or None where it begins one.

        `number` is what the server calls its index; `place` is where it stands among the fragments of a chunk, None if it is alone.
        """
        if number.__class__ is int:
            return self._numbered(number, id_, name)
        if id_:
            return next((call for call in self.all if call.id == id_), None)
        if place is not None and not name:
            return self.all[place] if place < len(self.all) else None
        last = self.all[-1] if self.all else None
        begins = last is None or (name and (place is not None or name != last.name or last.is_complete))
        return None if begins else last

    def _numbered(self, number: int, id_: str, name: str) -> Call | None:
        call = self.by_number.get(number)
        if call is None:
            return None if id_ or name or not self.all else self.all[-1]
        if id_ and call.id and id_ != call.id:
            return None
        if name and not id_ and call.name and call.is_complete:
            return None
        return call

    def add(self, call: Call, number: Any) -> None:
        """Take in a call, old or new, under the number that a fragment gave it."""
        if not any(known is call for known in self.all):
            self.all.append(call)
        if number.__class__ is int:
            self.by_number[number] = call


def fragment_text(value: Any) -> str:
    """The text of arguments: as it stands, or that of the object that some servers send whole."""
    if value is None:
        return ""
    return value if value.__class__ is str else dump(value)
