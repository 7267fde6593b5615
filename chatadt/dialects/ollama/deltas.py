"""Ollama lines -> deltas: each is a piece of the answer, tool calls are whole, the last one counts.

What a line says again replaces what it said; the time is that of the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, final

from chatadt._wire import json
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.ollama.codec import NAME
from chatadt.dialects.ollama.read import read_call
from chatadt.dialects.ollama.response import COUNTS, stop_of, usage_of
from chatadt.dialects.ollama.ties import Ties
from chatadt.error import Unexpected
from chatadt.json import Extras

__all__ = ("read_stream",)

_KNOWN: Final = frozenset({"model", "created_at", "message", "done", "done_reason", "error", *COUNTS.values()})
_LINE: Final = frozenset({"model", "created_at", "message", "done"})
"""What a line says that is not the last one."""
_PIECES: Final[Mapping[str, type[Delta.Text | Delta.Reasoning]]] = {"thinking": Delta.Reasoning, "content": Delta.Text}


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("asks", "blocks", "count", "done", "model", "said", "started", "ties")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.blocks: dict[str, int] = {}  # by field of a message: its block
        self.count = 0
        self.ties = Ties()
        self.said: dict[str, Any] = {}  # what was said of the answer, so that it is not said again
        self.model: str | None = None
        self.asks = self.done = self.started = False

    def step(self, event: object) -> Sequence[Delta.T]:
        try:
            return self._quickly(event) or self._slowly(event)
        except (AttributeError, KeyError, TypeError):  # another shape
            return self._slowly(event)

    def _quickly(self, event: Any) -> Sequence[Delta.T] | None:
        """A line as nearly all are: another piece of the text, and nothing else that is new. None for any other."""
        message = event["message"]
        text = message["content"]
        is_plain = (
            len(event) == len(_LINE)
            and event.keys() == _LINE
            and event["done"] is False
            and event["model"] == self.model
            and len(message) - ("role" in message) == 1
        )
        index = self.blocks.get("content")
        return (text_delta(index, text),) if is_plain and not self.done and index is not None and text.__class__ is str else None

    def _slowly(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return []

    def _step(self, event: Any) -> Iterator[Delta.T]:
        if event.__class__ is not dict or not ("message" in event or "done" in event or "error" in event):
            if event != "[DONE]":
                yield Delta.Custom(NAME, json(event))
            return
        error = provider_error(event, NAME) if event.get("message").__class__ is not dict else None
        if error is not None:
            yield Delta.Failed(error)
            return
        if self.done:
            self._forget()
        if not self.started:
            self.started = True
            model = self.model = event.get("model") if event.get("model").__class__ is str else None
            time = {"created_at": event["created_at"]} if event.get("created_at") is not None else {}
            yield Delta.Start(None, model, Extras({NAME: time or {"$own": True}}))
        if event.get("message").__class__ is dict:
            yield from self._say(event["message"])
        elif event.get("message") is not None:
            yield Delta.Custom(NAME, json(event))
        yield from self._know(event)

    # --- of the message ---

    def _say(self, message: dict[str, Any]) -> Iterator[Delta.T]:
        for key, piece in _PIECES.items():
            if message.get(key).__class__ is str and message[key]:
                yield piece(self._block(key), message[key])
        calls: Any = message.get("tool_calls")
        for call in calls if calls.__class__ is list else ():
            yield from self._ask(call)
        rest = {
            key: value
            for key, value in message.items()
            if value is not None
            and key != "role"
            and not (key == "tool_calls" and value.__class__ is list)
            and not (key in _PIECES and value.__class__ is str)
        }
        if rest:
            yield Delta.Speaker(None, Extras({NAME: rest}), grow=True)

    def _block(self, key: str | None = None) -> int:
        index = None if key is None else self.blocks.get(key)
        if index is None:
            index = self.count
            self.count += 1
            self.blocks |= {} if key is None else {key: index}
        return index

    def _ask(self, call: Any) -> Iterator[Delta.T]:
        """A tool call; what is none is a block of its own."""
        index = self._block()
        try:
            request = read_call(call)
        except Unexpected:
            yield Delta.Block(index, Content.Custom(NAME, json({"$tool_call": call})))
            return
        self.asks = True
        text = request.arguments.json.text if isinstance(request.arguments, Arguments.Parsed) else ""
        if request.extras:
            yield Delta.BlockExtras(index, request.extras)
        yield Delta.ToolRequest(index, text, self.ties.ask(request.name, request.id), request.name)

    # --- of the answer ---

    def _know(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        new = {
            key: value
            for key, value in event.items()
            if key not in _KNOWN and value is not None and (value.__class__ is list or self.said.get(key) != value)
        }
        if event.get("done") not in (None, False, True):
            new["done"] = event["done"]
        if new:
            self.said.update(new)
            yield Delta.Answer(Extras({NAME: new}), grow=True)
        usage = usage_of(event)
        if usage is not None:
            yield Delta.Tokens(usage)
        if event.get("done") is True:
            self.done = True
            yield Delta.Stop(stop_of(event.get("done_reason"), asks=self.asks))


def _begin() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin)
"""Read a stream of lines. Never raises: what is not known is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
