"""OpenAI Responses events -> deltas: a step an event.

Everything is said several times here: in pieces, at the end of a part, of an item, and of the answer. What an end says is compared
with what came, and only what is new is told; see `pieces`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast, final

from chatadt._wire import json, leftover
from chatadt.chat import ProviderError, StopKind, Usage
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.items import KEYS, NO_ITEM, TEXT_KEYS, Item, Key
from chatadt.dialects.openai_responses.pieces import Items
from chatadt.dialects.openai_responses.response import Told, read_metadata, stop_of
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras

__all__ = ("BESIDE", "EVENT", "read_stream")

BESIDE: Final = "beside"
"""Where the extras of an answer keep what an event says of it beside the answer itself."""

EVENT: Final = "$event"
"""The note that an error came as an event of its own, not in an answer that failed."""

_TEXT: Final = "response.output_text.delta"
_LIFE: Final = frozenset({"created", "queued", "in_progress", "completed", "incomplete", "failed", "cancelled"})
_ENDS: Final = frozenset({"completed", "incomplete", "failed", "cancelled"})
_PADDING: Final = frozenset({"sequence_number", "obfuscation"})
_ABOUT_ITEM: Final = frozenset({"type", "item_id", "output_index", *_PADDING})
"""What an event has that says no more than that a tool of the server is at work."""


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("done", "fields", "id", "items", "model", "started", "usage")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.items = Items()
        self.started = self.done = False
        self.id: str | None = None
        self.model: str | None = None
        self.fields: dict[str, Any] = {}  # what was said of the answer, so that it is not said again
        self.usage: Usage | None = None

    def step(self, event: object) -> Sequence[Delta.T]:
        try:
            return self._quickly(unwrapped(event)) or list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def _quickly(self, event: Any) -> Sequence[Delta.T] | None:
        """Another piece of a text that is open, as nearly all events are; None for any other."""
        if event.__class__ is not dict or event.get("type") != _TEXT or event.get("logprobs"):
            return None
        number, place = event.get("output_index"), event.get("content_index")
        if number.__class__ is not int or place.__class__ is not int:
            return None
        part = self.items.numbered.get(number, NO_ITEM).parts.get(("output_text", place))
        text: Any = event.get("delta")
        if part is None or part.ahead or text.__class__ is not str:
            return None
        part.pieces.append(text)
        return (text_delta(part.index, text),)

    def end(self) -> list[Delta.T]:
        deltas = [*self.items.end()]
        self.items = Items()
        return deltas

    def _step(self, event: Any) -> Iterator[Delta.T]:
        match event:
            case {"type": str() as kind, "response": dict()} if kind.removeprefix("response.") in _LIFE:
                beside = {key: value for key, value in event.items() if key not in _PADDING and key not in ("type", "response")}
                told = {**event["response"], **({BESIDE: beside} if beside else {})}
                yield from self._live(kind.removeprefix("response."), told)
            case {"object": "response", "output": list()}:
                yield from self._live("completed", event)
            case {"type": "response.output_item.added", "item": dict()}:
                yield from self.items.add(event, event["item"])
            case {"type": "response.output_item.done", "item": dict()}:
                yield from self.items.settle(event, event["item"])
            case {"type": "response.content_part.added", "content_index": int() as place, "part": {"type": str() as part}}:
                yield from self._begin_part(event, (part, place))
            case {"type": "response.content_part.done", "content_index": int() as place, "part": dict()}:
                yield from self.items.end_part(event, place, event["part"])
            case {"type": "response.reasoning_summary_part.added", "summary_index": int() as place, "part": dict()}:
                yield from self._begin_part(event, ("summary_text", place))
            case {"type": "response.reasoning_summary_part.done", "summary_index": int() as place, "part": {"text": str() as text}}:
                yield from self.items.end_text(event, ("summary_text", place), text)
            case {"type": "response.output_text.annotation.added", "content_index": int() as place} if "annotation" in event:
                yield from self.items.go_on(event, ("output_text", place), {"annotations": [event["annotation"]]})
            case {"type": str() as kind} if kind in KEYS:
                yield from self._piece(event, kind)
            case {"type": "keepalive" | "ping"} | "[DONE]":
                return
            case {"type": "error"} | {"error": _} if (error := _error(event)) is not None:
                yield from self.items.end()
                yield Delta.Failed(error)
            case {"type": str() as kind, "output_index": int()} if (item := self.items.find(event)) is not None and item.is_whole:
                yield from self._at_work(item, kind, event)
            case _:
                yield _custom(event)

    # --- of the answer ---

    def _live(self, kind: str, response: dict[str, Any]) -> Iterator[Delta.T]:
        if kind == "created" and self.started and (self.done or response.get("id") != self.id):
            yield from self.end()
            self._forget()
        ends = kind in _ENDS
        metadata = read_metadata({**response, "object": response.get("object", "response")}, Told())
        fields = metadata.extras.of(NAME)
        if self.items.empty and not self.started:
            self.id, self.model, self.fields = metadata.id, metadata.model, fields
            yield Delta.Start(metadata.id, metadata.model, metadata.extras)
        else:
            yield from self._beside(fields, response)
        self.started = True
        output = response.get("output")
        if output.__class__ is list:
            yield from self.items.settle_all(output or [])
        if ends:
            yield from self.items.end()
        if metadata.usage is not None and metadata.usage != self.usage:
            self.usage = metadata.usage
            yield Delta.Tokens(metadata.usage)
        if ends:
            self.done = True
            if metadata.error is not None:
                yield Delta.Failed(metadata.error)
            yield from self._stop(kind, response)

    def _beside(self, fields: dict[str, Any], response: dict[str, Any]) -> Iterator[Delta.T]:
        """What is said of the answer, where it is new."""
        gone = dict.fromkeys(key for key in self.fields if response.get(key, key) is None)
        late = {key: response[key] for key in ("id", "model") if getattr(self, key) is None and response.get(key).__class__ is str}
        told: dict[str, Any] = {**({"$kept": {}} if "$kept" in self.fields else {}), **fields, **gone, **late}
        new = {key: value for key, value in told.items() if key not in self.fields or self.fields[key] != value}
        new.pop("$own", None)
        if new:
            self.fields |= new
            yield Delta.Answer(Extras({NAME: new}))

    def _stop(self, kind: str, response: dict[str, Any]) -> Iterator[Delta.T]:
        stop = stop_of(response.get("status"), response.get("incomplete_details"), self.items.told)
        if stop is None or stop.raw is None or stop.kind is StopKind.PAUSED:  # the name of the event knows better
            stop = stop_of(kind, response.get("incomplete_details"), self.items.told)
        yield Delta.Stop(stop)

    # --- of an item ---

    def _begin_part(self, event: dict[str, Any], key: Key) -> Iterator[Delta.T]:
        text: Any = event["part"].get(TEXT_KEYS.get(key[0], ""))
        if text.__class__ is str:
            yield from self.items.say(event, key, text)

    def _piece(self, event: dict[str, Any], kind: str) -> Iterator[Delta.T]:
        about, field = KEYS[kind]
        place: Any = event.get(about.place) if about.place else 0
        text: Any = event.get(field)
        key: Key = (about.type, place)
        if text.__class__ is not str or place.__class__ is not int:
            yield _custom(event)
        elif field != "delta":
            yield from self.items.end_text(event, key, text)
        else:
            yield from self.items.say(event, key, text)
            chances: Any = event.get("logprobs")
            if chances.__class__ is list and chances:
                yield from self.items.go_on(event, key, {"logprobs": chances})

    def _at_work(self, item: Item, kind: str, event: dict[str, Any]) -> Iterator[Delta.T]:
        """A tool of the server is at work: its item says in the end what came of that, or else the events do."""
        if kind.endswith((".delta", ".done", ".added")):
            item.held.append(_custom(event))
        elif not event.keys() <= _ABOUT_ITEM:
            yield _custom(event)


def _error(event: dict[str, Any]) -> ProviderError | None:
    said = {key: value for key, value in event.items() if key not in _PADDING}
    error = provider_error(said, NAME)
    if error is None:
        return None
    code = event.get("code") if event.get("error").__class__ is not dict else None
    extras = leftover(said, NAME, {EVENT: True}) if error.extras else NO_EXTRAS
    return ProviderError(error.message, error.code if code is None else str(code), extras)


def _custom(event: Any) -> Delta.Custom:
    """An event that there is no word for; its number is for the writer to say."""
    fields: Any = event
    if event.__class__ is dict and isinstance(event.get("type"), str):
        fields = {key: value for key, value in cast("Mapping[str, Any]", event).items() if key not in _PADDING}
    return Delta.Custom(NAME, json(fields))


def _begin() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin)
"""Read a stream of events. Never raises: what is not known is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
