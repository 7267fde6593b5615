"""Cohere events -> deltas: a step an event, tolerant of blocks that were never started or never closed.

Contents, tool calls and citations are numbered apart. What is said of citations goes on; a count or a field that is said again
replaces what was there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, final

from chatadt._wire import json
from chatadt.chat import ProviderError
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.cohere.codec import NAME, PLAN
from chatadt.dialects.cohere.response import stop_of
from chatadt.dialects.cohere.usage import read_usage
from chatadt.error import Unexpected
from chatadt.json import Extras, dump

__all__ = ("AT_END", "read_stream")

AT_END: Final = "$at_end"
"""Notes that an error stood in the last event of a message."""

_KNOWN: Final = frozenset({"type", "index", "delta", "id", "logprobs"})
"""Fields of an event that are read by themselves."""
_WHOLE: Final = frozenset({"message-start", "message-end"})
"""Events of which all fields are read by themselves."""
_SAID: Final = frozenset({"content", PLAN, "tool_calls", "citations"})
_PLAIN: Final = (2, 3, 1, 1, 1)
"""How many fields an event that is another piece of a text has, and the objects in it."""
_OPEN: Final[Mapping[str, type[Delta.Text | Delta.Reasoning]]] = {"text": Delta.Text, "thinking": Delta.Reasoning}


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("asks", "bare", "blocks", "count", "furthest", "started")

    def __init__(self) -> None:
        self.count = 0  # of blocks
        self.bare: set[int] = set()  # calls without arguments
        self.blocks: dict[tuple[str, int], int] = {}  # by kind, and number among these
        self.furthest: dict[str, int] = {}  # by kind: the highest of these numbers
        self.asks = self.started = False

    def step(self, event: object) -> Sequence[Delta.T]:
        try:
            return self._quickly(event) or self._slowly(event)
        except (AttributeError, KeyError, TypeError):  # another shape
            return self._slowly(event)

    def _quickly(self, event: Any) -> Sequence[Delta.T] | None:
        """An event as nearly all are: another piece of a text. None for any other."""
        data = event["data"]
        message = data["delta"]["message"]
        text = message["content"]["text"]
        sizes = len(event), len(data), len(data["delta"]), len(message), len(message["content"])
        is_plain = data["type"] == "content-delta" and sizes == _PLAIN
        index = self.blocks.get(("text", data["index"]))
        return (text_delta(index, text),) if is_plain and index is not None and text.__class__ is str else None

    def _slowly(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return []

    def _step(self, event: Any) -> Iterator[Delta.T]:
        match event:
            case {"type": "message-start"}:
                yield from self._start(event)
            case {"type": "content-start", "delta": {"message": {"content": {**content}}}}:
                yield from self._begun()
                yield from self._content(_number(event), content, is_new=True)
            case {"type": "content-delta", "delta": {"message": {"content": {**content}}}}:
                yield from self._begun()
                yield from self._content(_number(event), content, is_new=False)
                if event.get("logprobs") is not None:
                    yield Delta.Answer(Extras({NAME: {"logprobs": [event["logprobs"]]}}), grow=True)
            case {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": str() as text}}}:
                yield from self._begun()
                yield from self._plan(text)
            case {"type": "tool-call-start" | "tool-call-delta" as kind, "delta": {"message": {"tool_calls": calls}}}:
                yield from self._begun()
                for call in calls if calls.__class__ is list else [calls]:
                    yield from self._call(_number(event), call, is_new=kind == "tool-call-start")
            case {"type": "citation-start", "delta": {"message": {"citations": said}}}:
                yield from self._begun()
                yield _growing("citations", said if said.__class__ is list else [said])
            case {"type": "tool-call-end"}:
                yield from self._ended(_number(event))
            case {"type": "content-end" | "citation-end"}:
                pass  # what they end is known by what comes next
            case {"type": "message-end"}:
                yield from self._begun()
                yield from self._end(event)
            case "[DONE]":
                return
            case {"type": "error"} if (error := provider_error(event, NAME)) is not None:
                yield Delta.Failed(error)
                return
            case {"message": str()} if "type" not in event and (error := provider_error(event, NAME)) is not None:
                yield Delta.Failed(error)
                return
            case _:
                yield Delta.Custom(NAME, json(event))
                return
        rest = {key: value for key, value in event.items() if key not in _KNOWN and value is not None}
        delta: Any = event.get("delta")
        if event["type"] not in _WHOLE and delta.__class__ is dict:
            rest |= {key: value for key, value in delta.items() if key != "message" and value is not None}
            message: Any = delta.get("message")
            beside = {} if message.__class__ is not dict else {key: message[key] for key in message if key not in _SAID}
            if beside:
                yield Delta.Speaker(None, Extras({NAME: beside}))
        if rest:
            yield Delta.Answer(Extras({NAME: rest}))

    # --- of the answer ---

    def _begun(self) -> Iterator[Delta.T]:
        """A message that did not say that it begins has begun."""
        if not self.started:
            self.started = True
            yield Delta.Start(None, None, Extras({NAME: {"$own": True}}))

    def _start(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        self.count, self.blocks, self.furthest = 0, {}, {}
        self.bare, self.asks, self.started = set(), False, True
        id_ = event.get("id") if event.get("id").__class__ is str else None
        yield Delta.Start(id_, None, Extras({NAME: {"$own": True}}))
        match event:
            case {"delta": {"message": dict()}}:
                yield from self._whole(event["delta"]["message"])
            case _:  # nothing is said yet
                pass
        delta: Any = event.get("delta")
        rest = {} if delta.__class__ is not dict else {key: delta[key] for key in delta if key != "message"}
        if rest:
            yield Delta.Answer(Extras({NAME: rest}))

    def _whole(self, message: dict[str, Any]) -> Iterator[Delta.T]:
        """What a message says in the event that begins or ends it, which is nothing but empty fields as a rule."""
        known: set[str] = {"role"}
        if message.get("content").__class__ is list:
            known.add("content")
            for content in message["content"]:
                yield from self._content(self.count, content, is_new=True)
        if message.get(PLAN).__class__ is str:
            known.add(PLAN)
            yield from self._plan(message[PLAN]) if message[PLAN] else ()
        if message.get("tool_calls").__class__ is list:
            known.add("tool_calls")
            for call in message["tool_calls"]:
                yield from self._call(self.count, call, is_new=True)
        if message.get("citations").__class__ is list:
            known.add("citations")
            yield from [_growing("citations", message["citations"])] if message["citations"] else []
        rest = {key: value for key, value in message.items() if key not in known and value is not None}
        if rest:
            yield Delta.Speaker(None, Extras({NAME: rest}))

    def _end(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        said: Any = event.get("delta")
        delta: dict[str, Any] = said if said.__class__ is dict else {}
        known = {"finish_reason", "usage"}
        if delta.get("message").__class__ is dict:
            known.add("message")
            yield from self._whole(delta["message"])
        usage = read_usage(delta.get("usage"))
        if usage is not None:
            yield Delta.Tokens(usage)
        if (message := _string(delta.get("error"))) is not None:
            known |= {"error", "error_type"}
            yield Delta.Failed(ProviderError(message, _string(delta.get("error_type")), Extras({NAME: {AT_END: True}})))
        rest = {key: value for key, value in delta.items() if key not in known and value is not None}
        if rest:
            yield Delta.Answer(Extras({NAME: rest}))
        if "finish_reason" in delta:
            yield Delta.Stop(stop_of(delta["finish_reason"], asks=self.asks))

    # --- of a block ---

    def _block(self, kind: str, number: int | None, *, is_new: bool) -> tuple[int, bool]:
        """The number of a block in the answer, and whether it is new; one without a number goes on with the last of its kind."""
        furthest = self.furthest.get(kind)
        following = 0 if furthest is None else furthest + is_new
        place = following if number is None else number
        self.furthest[kind] = place if furthest is None else max(place, furthest)
        if not is_new and (kind, place) in self.blocks:
            return self.blocks[kind, place], False
        self.blocks[kind, place] = self.count
        self.count += 1
        return self.count - 1, True

    def _content(self, number: int | None, content: Any, *, is_new: bool) -> Iterator[Delta.T]:
        kind = next((key for key in _OPEN if content.__class__ is dict and content.get(key).__class__ is str), None)
        if content.__class__ is not dict or kind is None or content.get("type", kind) != kind:
            if content:
                yield Delta.Block(self._block("whole", None, is_new=True)[0], Content.Custom(NAME, json(content)))
            return
        index, _ = self._block(kind, number, is_new=is_new)
        rest = {key: value for key, value in content.items() if key not in ("type", *_OPEN) and value is not None}
        if rest:
            yield Delta.BlockExtras(index, Extras({NAME: rest}))
        yield _OPEN[kind](index, content[kind])

    def _plan(self, text: str) -> Iterator[Delta.T]:
        index, is_new = self._block(PLAN, 0, is_new=False)
        if is_new:
            yield Delta.BlockExtras(index, Extras({NAME: {"$key": PLAN}}))
        yield Delta.Reasoning(index, text)

    def _call(self, number: int | None, call: Any, *, is_new: bool) -> Iterator[Delta.T]:
        if call.__class__ is not dict:
            yield Delta.Custom(NAME, json(call))
            return
        self.asks = True
        index, begins = self._block("call", number, is_new=is_new)
        function: dict[str, Any] = call["function"] if call.get("function").__class__ is dict else {}
        text = function.get("arguments")
        rest = {key: value for key, value in call.items() if key not in ("id", "type", "function") and value is not None}
        inner = {key: value for key, value in function.items() if key not in ("name", "arguments") and value is not None}
        rest |= {"type": call["type"]} if call.get("type", "function") != "function" else {}
        rest |= {"function": inner} if inner else {}
        if rest:
            yield Delta.BlockExtras(index, Extras({NAME: rest}), grow=True)
        arguments = text if isinstance(text, str) else "" if text is None else dump(text)
        if arguments.strip():
            self.bare.discard(index)
        elif begins:
            self.bare.add(index)
        yield Delta.ToolRequest(index, arguments, _string(call.get("id")), _string(function.get("name")) or "")

    def _ended(self, number: int | None) -> Iterator[Delta.T]:
        """A call is complete: one without arguments has empty ones."""
        index = self.blocks.get(("call", self.furthest.get("call", -1) if number is None else number), -1)
        if index in self.bare:
            self.bare.discard(index)
            yield Delta.ToolRequest(index, "{}")


def _number(event: dict[str, Any]) -> int | None:
    number = event.get("index")
    return number if number.__class__ is int else None


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _growing(key: str, said: list[Any]) -> Delta.T:
    return Delta.Speaker(None, Extras({NAME: {key: said}}), grow=True)


def _begin() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin)
"""Read a stream of events. Never raises: what is not known is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
