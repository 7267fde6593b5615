"""Pieces that belong together: fragments of a tool call, which servers number in many ways or not at all, details, and sound.

Sources: huggingface/smolagents#1569 (one index for all), openai/openai-python#2806 (no index), router-for-me/CLIProxyAPI#5058
(several in one chunk, no index), dirac-run/dirac#215 (an index that runs on).
"""

from __future__ import annotations

from typing import Any, Final, final

from chatadt._wire import json, leftover
from chatadt.content import Content
from chatadt.dialects._arriving import Arriving
from chatadt.json import dump
from chatadt.resource import Resource, check_base64

__all__ = ("Call", "Calls", "fragment_text", "is_numbered", "of_call", "put_together", "sound", "whole")

_JOINED: Final = frozenset({"text", "summary", "data", "thinking"})
"""Fields of a numbered detail that come in pieces."""


@final
class Call:
    """A tool call that is coming in: `index` is the number of its block."""

    __slots__ = ("_length", "_names", "arguments", "id", "index", "is_custom", "is_taken", "is_told")

    def __init__(self, index: int, *, is_custom: bool = False) -> None:
        self.index = index
        self.is_custom = is_custom
        self.id: str | None = None
        self.is_taken = False  # among the calls of its choice
        self.is_told = False  # so that more of it is told as it comes
        self._names: list[str] = []
        self._length = 0  # of its name so far
        self.arguments = Arriving()

    @property
    def name(self) -> str:
        """Its name, as far as it has come."""
        return "".join(self._names)

    @property
    def is_named(self) -> bool:
        """Whether some of its name has come."""
        return bool(self._names)

    @property
    def is_complete(self) -> bool:
        """Whether its arguments are there, and are JSON: another name then begins another call."""
        return self.arguments.is_whole

    def is_called(self, name: str) -> bool:
        """Whether this is its name so far."""
        return len(name) == self._length and name == self.name

    def name_piece(self, name: str, *, again: bool = False) -> str:
        """What a name adds to the one that is there: nothing where it is only said again; its rest where the same id comes `again`
        with a name that begins with all of the known one.
        """
        if not name or self.is_called(name):
            return ""
        piece = name.removeprefix(self.name) if again and len(name) > self._length else name
        self._names.append(piece)
        self._length += len(piece)
        return piece


@final
class Calls:
    """The calls of one choice."""

    __slots__ = ("_texts", "all", "by_id", "by_number")

    def __init__(self) -> None:
        self.all: list[Call] = []
        self.by_id: dict[str, Call] = {}
        self.by_number: dict[int, Call] = {}
        self._texts: dict[Call, None] = {}  # of custom tools: those to which something was added since they were looked at

    def find(self, number: Any, id_: str, name: str, place: int | None) -> Call | None:
        """The call that a fragment goes on with, or None where it begins one.

        `number` is what the server calls its index; `place` is where it stands among the fragments of a chunk, None if it is alone.
        """
        if number.__class__ is int:
            return self._numbered(number, id_, name)
        if id_:
            return self.by_id.get(id_)
        if place is not None and not name:
            return self.all[place] if place < len(self.all) else None
        last = self.all[-1] if self.all else None
        begins = last is None or (name and (place is not None or not last.is_called(name) or last.is_complete))
        return None if begins else last

    def _numbered(self, number: int, id_: str, name: str) -> Call | None:
        call = self.by_number.get(number)
        if call is None:
            return None if id_ or name or not self.all else self.all[-1]
        if id_ and call.id and id_ != call.id:
            return None
        if name and not id_ and call.is_named and call.is_complete:
            return None
        return call

    def end_texts(self) -> list[int]:
        """Nothing more comes of the texts that custom tools take, which are JSON strings here: the blocks of those that end now."""
        ended = [call for call in self._texts if not call.is_complete]
        self._texts = {}
        for call in ended:
            call.arguments.pieces.append('"')
        return [call.index for call in ended]

    def add(self, call: Call, number: Any) -> None:
        """Take in a call, old or new, under the number that a fragment gave it."""
        if not call.is_taken:
            call.is_taken = True
            self.all.append(call)
        if call.id:
            self.by_id.setdefault(call.id, call)
        if number.__class__ is int:
            self.by_number[number] = call
        if call.is_custom:
            self._texts[call] = None


def fragment_text(value: Any) -> str:
    """The text of arguments: as it stands, or that of the object that some servers send whole."""
    if value is None:
        return ""
    return value if value.__class__ is str else dump(value)


def of_call(value: dict[str, Any], function: dict[str, Any], is_custom: bool) -> dict[str, Any]:
    """What a fragment says of its call beyond id, name and arguments."""
    rest = {
        key: item
        for key, item in value.items()
        if item is not None and key not in ("index", "id", "function") and not (key == "type" and item == "function")
    }
    inner = {key: item for key, item in function.items() if item is not None and key not in ("name", "arguments", "input")}
    if is_custom:
        rest = {key: item for key, item in rest.items() if key not in ("type", "custom")} | {"$type": "custom"}
    return {**rest, **({"custom" if is_custom else "function": inner} if inner else {})}


def is_numbered(value: Any) -> bool:
    """Whether a value is a list of details that have numbers, so that pieces of one can be told."""
    return (
        value.__class__ is list
        and bool(value)
        and all(
            item.__class__ is dict and item.get("index").__class__ is int and not isinstance(item.get("type"), dict | list)
            for item in value
        )
    )


def sound(dialect: str, pieces: list[str], transcript: Any, rest: dict[str, Any]) -> Content.Output:
    """Audio of the pieces that came, each of which may be base64 of its own."""
    data = "".join(pieces)
    try:
        payload = check_base64(data) if data.find("=") in (-1, len(data) - 1, len(data) - 2) else None
        resource = Resource.Binary(payload if payload is not None else b"".join(Resource.Binary(piece).bytes for piece in pieces))
    except ValueError:
        return Content.Custom(dialect, json({"type": "audio", "data": data, "transcript": transcript, **rest}))
    return Content.Audio(resource, transcript, leftover(rest, dialect))


class Pieces(list[str]):
    """The pieces of a text that goes on."""


def put_together(known: dict[Any, dict[str, Any]], details: list[dict[str, Any]]) -> None:
    """Add what a chunk says of numbered details to what is known of them."""
    for detail in details:
        there = known.setdefault((detail.get("type"), detail["index"]), {})
        for key, value in detail.items():
            old = there.get(key)
            if key in _JOINED and isinstance(value, str) and isinstance(old, str | Pieces):
                there[key] = old = old if isinstance(old, Pieces) else Pieces((old,))
                old.append(value)
            elif value is not None or key not in there:
                there[key] = value


def whole(known: dict[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    """The details that were put together."""
    return [
        {key: "".join(value) if isinstance(value, Pieces) else value for key, value in there.items()} for there in known.values()
    ]
