"""The pieces of one candidate of Gemini, as its chunks say them, into deltas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, final

from chatadt._cut import cuts_off
from chatadt._wire import json
from chatadt.chat import StopReason
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._stream import text_delta
from chatadt.dialects.gemini.calls import Call
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.read import _said as read_part
from chatadt.dialects.gemini.response import stop_of, word_of
from chatadt.error import Unexpected
from chatadt.json import Extras, dump

__all__ = ("Candidate", "marked")

_READ: Final = frozenset({"content", "logprobsResult"})
_READ_AS: Final[dict[str, tuple[type, ...]]] = {"finishReason": (str, int), "index": (int,)}
"""As what a field is read; one that is something else is kept."""
_TEXT: Final = {"text"}
_THOUGHT: Final = {"text", "thought"}


@final
class Candidate:
    """What has come in of one candidate."""

    __slots__ = ("asks", "blocks", "call", "fields", "ids", "number", "open", "prefix", "stop", "told", "word")

    def __init__(self, number: int, prefix: str) -> None:
        self.number = number
        self.prefix = prefix  # of the ids that are made up for calls
        self.blocks = 0
        self.open: tuple[type, int] | None = None  # the case and the number of the text that goes on
        self.call: Call | None = None  # whose arguments are coming in
        self.ids = 0  # calls that had none
        self.asks = False
        self.word: str | None = None
        self.stop: StopReason | None = None
        self.fields: dict[str, Any] = {}
        self.told: dict[str, Any] = {}  # of the fields, before an error

    def _new(self) -> int:
        self.blocks += 1
        self.open = None
        return self.blocks - 1

    def _goes_on(self, case: type) -> int:
        """The number of the block of a text, which goes on with the one before if that is of its kind."""
        if self.open is None or self.open[0] is not case:
            self.open = (case, self._new())
        return self.open[1]

    # --- what comes in ---

    def take(self, value: dict[str, Any]) -> Iterator[Delta.T]:
        """What a chunk says of it."""
        yield from self._say(value.get("content"))
        if value.get("logprobsResult") is not None:
            yield self._about({"logprobsResult": value["logprobsResult"]})
        for key, item in value.items():
            if item is not None and key not in _READ and item.__class__ not in _READ_AS.get(key, ()) and item != self.told.get(key):
                json(item)
                self.fields[key] = _gone_on(self.fields.get(key), item)
        self.word = word_of(value.get("finishReason")) or self.word
        stop = stop_of(self.word, asks=self.asks)
        if self.word is not None and self.call is not None:
            yield from self._break_off() if cuts_off(stop) else self._close(self.call)
        if stop is not None and stop != self.stop:
            self.stop = stop
            yield Delta.Stop(stop, self.number)

    def _break_off(self) -> Iterator[Delta.T]:
        """The call whose arguments are coming in, as far as it came."""
        if self.call is not None:
            call, self.call = self.call, None
            yield from self._extras(call.index, Extras({NAME: {"$cut": True}}))
            yield Delta.ToolRequest(call.index, call.cut_off, choice=self.number)

    def finish(self) -> Iterator[Delta.T]:
        """What is known only when there are no more chunks, or when an error came."""
        yield from self._break_off()
        if self.fields:
            yield self._about(marked(self.fields))
            self.told, self.fields = {**self.told, **self.fields}, {}

    # --- of a content ---

    def _say(self, content: Any) -> Iterator[Delta.T]:
        if content is None:
            return
        if content.__class__ is not dict:
            yield Delta.Custom(NAME, json({"candidates": [{"index": self.number, "content": content}]}))
            return
        parts = content.get("parts")
        for part in [parts] if parts.__class__ is dict else parts if parts.__class__ is list else []:
            yield from self._part(part)
        rest = {key: item for key, item in content.items() if key not in ("parts", "role") and item is not None}
        rest |= {} if parts.__class__ in (dict, list, type(None)) else {"parts": parts}
        if rest:
            yield Delta.Speaker(None, Extras({NAME: marked(rest)}), choice=self.number)

    def _part(self, value: Any) -> Iterator[Delta.T]:
        part: Any = value
        if part.__class__ is dict and (None in part.values() or part.get("thought") is False):  # filled in where nothing is said
            part = {key: item for key, item in part.items() if item is not None and (key, item) != ("thought", False)}
        text: Any = part.get("text") if part.__class__ is dict else None
        if text.__class__ is str and part.keys() == _TEXT:
            yield from self._text(Content.Text, text)
        elif text.__class__ is str and part.keys() == _THOUGHT and part["thought"] is True:
            yield from self._text(Content.Reasoning, text)
        elif part.__class__ is dict and part.get("functionCall").__class__ is dict and self._in_pieces(part["functionCall"]):
            yield from self._call(part)
        else:
            yield from self._whole(part)

    def _text(self, case: type, text: str) -> Iterator[Delta.T]:
        if self.call is not None:
            yield from self._close(self.call)
        if not text:
            return
        index = self._goes_on(case)
        if case is Content.Reasoning:
            yield Delta.Reasoning(index, text, self.number)
        else:
            yield text_delta(index, text) if self.number == 0 else Delta.Text(index, text, self.number)

    def _whole(self, part: Any) -> Iterator[Delta.T]:
        """A part that is a block of its own."""
        if self.call is not None:
            yield from self._close(self.call)
        try:
            content = read_part(part)
        except Unexpected:
            content = Content.Custom(NAME, json(part))
        index = self._new()
        match content:
            case Content.Text():
                yield from self._extras(index, content.extras)
                yield Delta.Text(index, content.text, self.number)
            case Content.Reasoning():
                yield from self._extras(index, content.extras)
                yield Delta.Reasoning(index, content.text, self.number)
            case Content.ToolRequest(arguments=Arguments.Parsed(json=arguments)):
                yield from self._extras(index, content.extras)
                yield from self._begin(index, part, content.id, content.name)
                yield Delta.ToolRequest(index, arguments.text, choice=self.number)
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                yield Delta.Block(index, content, self.number)
            case Content.Custom() | Content.Refusal() | Content.ToolRequest():
                yield Delta.Block(index, content, self.number)
            case _:
                assert_never(content)

    # --- calls ---

    def _in_pieces(self, asked: dict[str, Any]) -> bool:
        """Whether a call is a piece of one."""
        return asked.get("args").__class__ in (dict, type(None)) and (
            asked.get("willContinue") is True
            or asked.get("partialArgs").__class__ is list
            or (self.call is not None and not asked.get("name"))
        )

    def _call(self, part: dict[str, Any]) -> Iterator[Delta.T]:
        asked: dict[str, Any] = part["functionCall"]
        name, id_ = (str(word) if (word := asked.get(key)).__class__ is str else "" for key in ("name", "id"))
        if self.call is not None and name.strip():
            yield from self._close(self.call)
        call = self.call
        if call is None and not name.strip():  # nobody said what is called
            yield from self._whole(part)
            return
        if call is None:
            call = self.call = Call(self._new())
            yield from self._extras(call.index, Extras({} if id_ else {NAME: {"$id": asked.get("id")}}))
            yield from self._begin(call.index, part, id_, name)
        lost = call.take(asked)
        known = ("name", "id", "args", "partialArgs", "willContinue")
        inner = {key: item for key, item in asked.items() if key not in known and item is not None}
        rest = {key: item for key, item in part.items() if key != "functionCall" and item is not None}
        rest |= {"functionCall": {**inner, **({"partialArgs": lost} if lost else {})}} if inner or lost else {}
        if rest:
            yield Delta.BlockExtras(call.index, Extras({NAME: marked(rest)}), grow=True, choice=self.number)
        if asked.get("willContinue") is not True:
            yield from self._close(call)

    def _begin(self, index: int, part: dict[str, Any], id_: str, name: str) -> Iterator[Delta.T]:
        """A call has its name; one without an id gets one, and the first of all a note where it is not signed."""
        if not self.asks and "thoughtSignature" not in part:
            yield from self._extras(index, Extras({NAME: {"$unsigned": True}}))
        self.asks = True
        self.ids += not id_
        yield Delta.ToolRequest(index, "", id_ or f"{self.prefix}{self.ids}", name, self.number)

    def _close(self, call: Call) -> Iterator[Delta.T]:
        self.call = None
        yield Delta.ToolRequest(call.index, call.text, choice=self.number)

    # --- what is said besides ---

    def _extras(self, index: int, extras: Extras) -> Iterator[Delta.T]:
        if extras:
            yield Delta.BlockExtras(index, extras, choice=self.number)

    def _about(self, fields: dict[str, Any]) -> Delta.T:
        told = {"candidates": fields} if self.number == 0 else fields
        return Delta.Answer(Extras({NAME: told}), grow=True, choice=self.number)


def marked(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields as extras hold them, where a key that begins with `$` would be a note."""
    return {f"${key}" if key.startswith("$") else key: value for key, value in fields.items()}


def _gone_on(old: Any, new: Any) -> Any:
    """What a field has become: a list goes on, unless it says again what was there; so do the lists in an object."""
    if old.__class__ is dict and new.__class__ is dict:
        return {**old, **{key: _gone_on(old.get(key), item) for key, item in new.items()}}
    if old.__class__ not in (list, _Ours) or new.__class__ is not list or new[: len(old)] == old:
        return new
    if _are_ratings(new) and _are_ratings(old):
        return [*{_words(item): item for item in (*old, *new)}.values()]
    ours = old if old.__class__ is _Ours else _Ours(old)
    ours.extend(new)
    return ours


@final
class _Ours(list[Any]):
    """A list that no one else has: more can be added to it."""


def _are_ratings(items: list[Any]) -> bool:
    return all(item.__class__ is dict and "category" in item for item in items)


def _words(rating: dict[str, Any]) -> str:
    """What a rating says in words: one with other scores takes its place."""
    return dump({key: item for key, item in rating.items() if item.__class__ is not float})
