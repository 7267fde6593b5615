"""Anthropic events -> deltas: a step an event, tolerant of blocks that were never started or never closed.

Usage is cumulative: a count that is there replaces the one before, one that is not keeps it. Pings say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, final

from chatadt._cut import cuts_off
from chatadt._wire import json
from chatadt.chat import StopReason
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, unwrapped
from chatadt.dialects.anthropic.codec import NAME
from chatadt.dialects.anthropic.read import _assistant as read_message
from chatadt.dialects.anthropic.response import stop_of
from chatadt.dialects.anthropic.usage import read_usage
from chatadt.error import Unexpected
from chatadt.json import Extras, dump, parse, why_not_json

__all__ = ("PARTIAL", "read_stream")

PARTIAL: Final = "partial_json"
"""Where the input of a block that only this dialect knows stands when it never became JSON."""

_IGNORED: Final = frozenset({"id", "model", "content", "type", "role", "stop_reason", "usage"})
_PIECES: Final = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": PARTIAL}


@final
class _Block:
    """A block that is coming in."""

    __slots__ = ("block", "grown", "has_input", "index", "is_signed", "pieces", "type")

    def __init__(self, index: int, block: dict[str, Any]) -> None:
        self.index = index
        self.block = block
        self.type = block.get("type")
        self.pieces: list[str] = []  # of the input of a block that only this dialect knows
        self.grown: dict[str, list[str]] = {}  # by field of such a block: the pieces of a text that goes on
        self.has_input = False
        self.is_signed = False


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("bare", "blocks", "latest", "stop", "usage")

    def __init__(self) -> None:
        self.blocks: dict[int, _Block] = {}
        self.bare: list[_Block] = []  # calls that were closed without an input: it is empty, or the answer was cut off before it
        self.latest: _Block | None = None  # that was opened last
        self.usage: dict[str, Any] = {}
        self.stop: StopReason | None = None

    def step(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        deltas = [*self._close_all()]
        self.bare = []
        return deltas

    def _close_all(self) -> Iterator[Delta.T]:
        blocks, self.blocks = self.blocks, {}
        for block in blocks.values():
            yield from self._close(block)

    def _step(self, event: Any) -> Iterator[Delta.T]:
        match event:
            case {"type": "message_start", "message": dict()}:
                yield from self.end()
                yield from self._start(event["message"])
            case {"type": "content_block_start", "content_block": dict()}:
                yield from self._open(self._number(event), event["content_block"])
            case {"type": "content_block_delta", "delta": {"type": str() as kind}}:
                yield from self._go_on(self._number(event), kind, event["delta"], event)
            case {"type": "content_block_stop"}:
                block = self.blocks.pop(self._number(event), None)
                if block is not None:
                    yield from self._close(block)
            case {"type": "message_delta"}:
                yield from self._about(event)
            case {"type": "message_stop"}:
                yield from self._close_all()
                yield from self._complete(self.stop)
                yield from _beside({key: value for key, value in event.items() if key != "type"})
                if self.stop is None:
                    yield Delta.Stop(None)
            case {"type": "ping"} | "[DONE]":
                return
            case {"error": _} if (error := provider_error(event, NAME)) is not None:
                yield from self._close_all()
                yield Delta.Failed(error)
            case _:
                yield Delta.Custom(NAME, json(event))

    def _number(self, event: dict[str, Any]) -> int:
        """The number of a block; an event without one goes on with the last, or opens another."""
        number = event.get("index")
        if number.__class__ is int:
            return int(number or 0)
        last = max(self.blocks, default=-1)
        return last + (event["type"] == "content_block_start" or last < 0)

    # --- of the answer ---

    def _start(self, message: dict[str, Any]) -> Iterator[Delta.T]:
        self.stop, self.usage = None, {}
        id_, model = (word if (word := message.get(key)).__class__ is str else None for key in ("id", "model"))
        rest = {key: value for key, value in message.items() if key not in _IGNORED and value is not None}
        yield Delta.Start(id_, model, Extras({NAME: {**rest, "$own": True}}))
        yield from self._count(message.get("usage"))
        content = message.get("content")
        if content.__class__ is list:
            for index, block in enumerate(content or ()):
                if block.__class__ is dict:
                    yield from self._open(index, block)
                    yield from self._close(self.blocks.pop(index))
        yield from self._stop(message.get("stop_reason"))

    def _about(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        said = event.get("delta")
        fields: dict[str, Any] = said if said.__class__ is dict and said is not None else {}
        rest = {key: value for key, value in event.items() if key not in ("type", "delta", "usage")}
        yield from _beside({**{key: value for key, value in fields.items() if key != "stop_reason"}, **rest})
        yield from self._count(event.get("usage"))
        yield from self._stop(fields.get("stop_reason"))

    def _count(self, usage: Any) -> Iterator[Delta.T]:
        if usage.__class__ is dict:
            self.usage |= {key: value for key, value in usage.items() if value is not None or key not in self.usage}
            counted = read_usage(self.usage)
            if counted is not None:
                yield Delta.Tokens(counted)

    def _stop(self, word: Any) -> Iterator[Delta.T]:
        stop = stop_of(word)
        if stop is not None:
            self.stop = stop
            yield from self._close_all()
            yield from self._complete(stop)
            yield Delta.Stop(stop)

    def _complete(self, stop: StopReason | None) -> Iterator[Delta.T]:
        """The empty inputs of calls that are complete: all but the last one where the answer was cut off."""
        bare, self.bare = self.bare, []
        is_cut = cuts_off(stop)
        yield from (Delta.ToolRequest(block.index, "{}") for block in bare if not (is_cut and block is self.latest))

    # --- of a block ---

    def _open(self, index: int, value: dict[str, Any]) -> Iterator[Delta.T]:
        there = self.blocks.get(index)
        if there is not None and there.type == "tool_use" and there.block == value:
            return  # a start that came twice
        if there is not None:
            yield from self._close(self.blocks.pop(index))
        yield from self._complete(None)
        block = self.blocks[index] = self.latest = _Block(index, value)
        match value:
            case {"type": "text", "text": str() as text}:
                yield from _extras(index, value, "text")
                yield Delta.Text(index, text)
            case {"type": "thinking", "thinking": str() as text}:
                yield from _extras(index, value, "thinking", "signature")
                if "signature" not in value:
                    yield Delta.BlockExtras(index, Extras({NAME: {"$unsigned": True}}))
                yield Delta.Reasoning(index, text)
            case {"type": "tool_use", "id": str() as id_, "name": str() as name}:
                yield from _extras(index, value, "id", "name", "input")
                yield Delta.ToolRequest(index, "", id_, name)
            case _:
                block.type = None  # one that comes whole, or that only this dialect knows
                yield _whole(index, value)

    def _go_on(self, index: int, kind: str, said: dict[str, Any], event: dict[str, Any]) -> Iterator[Delta.T]:
        block = self.blocks.get(index)
        piece = said.get(_PIECES[kind]) if kind in _PIECES else None
        if block is not None and block.type is None:
            self._grow(block, kind, said)
            return
        match kind:
            case "text_delta" if piece.__class__ is str:
                yield Delta.Text(index, str(piece))
            case "thinking_delta" if piece.__class__ is str:
                yield Delta.Reasoning(index, str(piece))
            case "input_json_delta" if piece.__class__ is str:
                if block is not None:
                    block.has_input = block.has_input or bool(piece)
                yield Delta.ToolRequest(index, str(piece))
            case "signature_delta" if said.get("signature").__class__ is str:
                note = {}
                if block is not None:
                    block.is_signed = True
                    note = {} if "signature" in block.block else {"$unsigned": False}
                yield Delta.BlockExtras(index, Extras({NAME: {"signature": said["signature"], **note}}))
            case "citations_delta" if "citation" in said:
                yield Delta.BlockExtras(index, Extras({NAME: {"citations": [said["citation"]]}}), grow=True)
            case _:
                yield Delta.Custom(NAME, json(event))

    def _grow(self, block: _Block, kind: str, said: dict[str, Any]) -> None:
        """More of a block that only this dialect knows: pieces of its input, else fields, of which text goes on."""
        if kind == "input_json_delta" and isinstance(said.get(PARTIAL), str):
            block.pieces.append(said[PARTIAL])
            return
        if not block.has_input:
            block.block, block.has_input = dict(block.block), True
        for key, value in said.items():
            if key == "type":
                continue
            old = block.block.get(key)
            if isinstance(old, str) and isinstance(value, str):
                block.grown.setdefault(key, [old]).append(value)
            else:
                block.grown.pop(key, None)
                block.block[key] = value

    def _close(self, block: _Block) -> Iterator[Delta.T]:
        """What is known only when nothing more comes of a block."""
        value = block.block.get("input")
        if block.type == "thinking" and not block.is_signed and "signature" in block.block:
            yield Delta.BlockExtras(block.index, Extras({NAME: {"signature": block.block["signature"]}}))
        elif block.type == "tool_use" and not block.has_input and value:
            yield Delta.ToolRequest(block.index, dump(value))
        elif block.type == "tool_use" and not block.has_input:
            self.bare.append(block)
        elif block.type is None and (block.pieces or block.has_input):
            text = "".join(block.pieces)
            grown = {key: "".join(pieces) for key, pieces in block.grown.items()}
            told = {} if not text else {"input": parse(text)} if why_not_json(text) is None else {PARTIAL: text}
            yield _whole(block.index, {**block.block, **grown, **told})


def _whole(index: int, value: dict[str, Any]) -> Delta.T:
    """A block that comes whole: as the reader of messages has it, or verbatim."""
    try:
        (content,) = read_message({"role": "assistant", "content": [value]}).contents
    except Unexpected:
        content = Content.Custom(NAME, json(value))
    return Delta.Block(index, content)


def _extras(index: int, block: dict[str, Any], *known: str) -> Iterator[Delta.T]:
    rest = {key: value for key, value in block.items() if key not in known and key != "type" and value not in (None, [])}
    if rest:
        yield Delta.BlockExtras(index, Extras({NAME: rest}))


def _beside(fields: dict[str, Any]) -> Iterator[Delta.T]:
    said = {key: value for key, value in fields.items() if value is not None}
    if said:
        yield Delta.Answer(Extras({NAME: said}))


def _begin() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin)
"""Read a stream of events. Never raises: what is not known is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
