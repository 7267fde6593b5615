"""Bedrock events -> deltas: a step an event, tolerant of a message, and of blocks, that were never started or never closed.

Text and reasoning come without a start. Blocks are numbered in the order in which they open, for the wire's own numbers may have
gaps. InvokeModel with a Nova closes the block after each piece of a text, and goes on under the next number: these are one text,
as they are in the answer that is not streamed. Usage is cumulative: a count that is there replaces the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, final

from chatadt._cut import cuts_off
from chatadt._wire import json
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.bedrock.blobs import as_base64, joined_base64
from chatadt.dialects.bedrock.codec import CALL, CLAUDE, NAME
from chatadt.dialects.bedrock.errors import event_error
from chatadt.dialects.bedrock.read import hidden, read_assistant
from chatadt.dialects.bedrock.response import stop_of
from chatadt.dialects.bedrock.usage import read_usage
from chatadt.error import Unexpected
from chatadt.json import Extras, dump, parse, why_not_json

__all__ = ("PARTIAL", "UNSTARTED", "read_stream")

PARTIAL: Final = "partialInput"
"""Where the input of a call that the server answers itself stands when it never became JSON."""
UNSTARTED: Final = "$unstarted"
"""The note of a message whose start the stream did not have."""

_PADDING: Final = "p"
Value = dict[str, Any]


@final
class _Block:
    """A block that is coming in: `kind` is None for one that comes whole, which `value` holds so far."""

    __slots__ = ("blobs", "id", "index", "kind", "pieces", "said", "signature", "untold", "value")

    def __init__(self, index: int, kind: str | None, value: Value | None = None) -> None:
        self.index = index
        self.kind = kind
        self.value: Value = value or {}
        self.id: str | None = None
        self.pieces = 0  # under the latest of its numbers, or of the input of a call
        self.said: list[str] = []  # of the input of a block that comes whole
        self.blobs: list[str] = []  # of an image, or of reasoning that nobody may read
        self.signature = ""
        self.untold = False  # whether more of it came than was told: what grows is told when it begins, and when it is closed


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("bare", "begun", "blocks", "closing", "count", "last", "latest", "open", "usage")

    def __init__(self) -> None:
        self._forget()
        self.begun = False

    def _forget(self) -> None:
        self.blocks: dict[int, _Block] = {}  # by their number on the wire
        self.open: dict[_Block, None] = {}  # those of which more may come
        self.count = 0
        self.last = -1  # the number of the block that was spoken of last
        self.latest: _Block | None = None  # that was opened last
        self.bare: list[_Block] = []  # calls that were closed without an input: it is empty, or the answer was cut off before it
        self.closing: list[Delta.T] = []
        self.usage: Value = {}

    def step(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(_named(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return [*self._close_all()]

    def _close_all(self) -> Iterator[Delta.T]:
        for block in [*self.open]:
            yield from self._close(block)

    def _step(self, event: Any) -> Iterator[Delta.T]:
        if event.__class__ is not dict:
            if event != "[DONE]":
                yield Delta.Custom(NAME, json(as_base64(event)))
            return
        known = [name for name in event if name in _READ and event[name].__class__ is dict]
        if not known:
            error = event_error(as_base64(event))
            if error is None:
                yield Delta.Custom(NAME, json(as_base64(event)))
            else:
                yield from self._close_all()
                yield Delta.Failed(error)
            return
        for name in known:
            if not self.begun and name != "messageStart":
                self.begun = True
                yield Delta.Start(extras=Extras({NAME: {"$own": True, UNSTARTED: True}}))
            told = [*_READ[name](self, event[name])]
            yield from self.closing  # what ends where this begins
            self.closing = []
            yield from told
        if len(event) > len(known):
            yield from _beside({name: value for name, value in event.items() if name not in known})

    # --- of the answer ---

    def _start(self, value: Value) -> Iterator[Delta.T]:
        yield from self.end()
        self._forget()
        self.begun = True
        notes = {} if value.get("role") == "assistant" else {"$role": [value["role"]] if "role" in value else []}
        yield Delta.Start(extras=_own({"$own": True, **notes}))
        yield from _beside({key: item for key, item in value.items() if key != "role"})

    def _stop(self, value: Value) -> Iterator[Delta.T]:
        yield from self._close_all()
        stop = stop_of(value.get("stopReason"))
        if cuts_off(stop):
            self.bare = [block for block in self.bare if block is not self.latest]
        yield from self._complete()
        yield from _beside({key: item for key, item in value.items() if key != "stopReason" or stop is None})
        yield Delta.Stop(stop)

    def _about(self, value: Value) -> Iterator[Delta.T]:
        usage = value.get("usage")
        counted = read_usage({**self.usage, **usage}) if usage.__class__ is dict and usage is not None else None
        yield from _beside({key: item for key, item in value.items() if key != "usage" or counted is None})
        if counted is not None:
            self.usage |= usage or {}
            yield Delta.Tokens(counted)

    # --- of a block ---

    def _open(self, value: Value) -> Iterator[Delta.T]:
        start: Any = value.get("start")
        number = self._number(value, opens=True)
        match start:
            case {"toolUse": {"toolUseId": str() as id_, "name": str() as name}} if start["toolUse"].get("type", CALL) == CALL:
                there = self.blocks.get(number)
                if there is None or there.id != id_:
                    yield from self._call(self._new(number, "toolUse"), start["toolUse"], id_, name)
            case dict():
                there = self.blocks.get(number)
                if there is None or there.value != start:
                    yield self._whole(self._new(number, None, as_base64(start)))
            case _:
                yield Delta.Custom(NAME, json(as_base64({"contentBlockStart": value})))
        yield from _beside({key: item for key, item in value.items() if key not in ("start", "contentBlockIndex", _PADDING)})

    def _call(self, block: _Block, call: Value, id_: str, name: str) -> Iterator[Delta.T]:
        block.id = id_
        said = {key: as_base64(item) for key, item in call.items() if key not in ("toolUseId", "name", "type")}
        said |= {"$type": CALL} if "type" in call else {}
        if said:
            yield Delta.BlockExtras(block.index, _own(said))
        yield Delta.ToolRequest(block.index, "", id_, name)

    def _go_on(self, value: Value) -> Iterator[Delta.T]:
        said = value.get("delta")
        number = self._number(value)
        if said.__class__ is not dict or said is None:
            yield Delta.Custom(NAME, json(as_base64({"contentBlockDelta": value})))
            return
        text = said.get("text")
        if text.__class__ is str and len(said) == 1:
            yield from self._text(number, str(text))
        else:
            yield from self._piece(number, said)
        if len(value) > (2 if "contentBlockIndex" in value else 1):
            yield from _beside({key: item for key, item in value.items() if key not in ("delta", "contentBlockIndex", _PADDING)})

    def _text(self, number: int, text: str) -> Iterator[Delta.T]:
        block = self.blocks.get(number) or self._going_on(number) or self._new(number, "text")
        block.pieces += 1
        if block.kind is None:
            block.value["text"] = str(block.value.get("text", "")) + text
            yield self._whole(block)
        else:
            yield text_delta(block.index, text)

    def _going_on(self, number: int) -> _Block | None:
        """The text that goes on under another number: the last block, if it was closed after one piece."""
        before = self.blocks.get(number - 1)
        if (
            before is None
            or before is not self.latest
            or not (before.kind == "text" and before not in self.open and before.pieces == 1)
        ):
            return None
        before.pieces = 0
        self.open[before] = None
        self.blocks[number] = before
        return before

    def _piece(self, number: int, said: Value) -> Iterator[Delta.T]:
        inner: Any
        kind, inner = next(iter(said.items())) if len(said) == 1 else ("", None)
        match kind, inner:
            case "toolUse", {"input": piece} if len(inner) == 1:
                yield from self._argue(number, piece if isinstance(piece, str) else dump(piece))
            case "reasoningContent", {}:
                yield from self._think(number, inner)
            case "citation", {}:
                yield from self._cite(number, inner)
            case "toolResult", [*_]:
                block = self._whole_of(number, "toolResult")
                there: Any = block.value["toolResult"].get("content")
                contents: list[Any] = there if there.__class__ is list else [there] if there else []
                block.value["toolResult"]["content"] = contents
                begins = not contents
                contents += as_base64(inner)
                yield from self._grow(block, begins=begins)
            case "image", {}:
                yield from self._paint(self._whole_of(number, "image"), as_base64(inner))
            case _:
                yield Delta.Custom(NAME, json(as_base64({"contentBlockDelta": {"contentBlockIndex": number, "delta": said}})))

    def _argue(self, number: int, piece: str) -> Iterator[Delta.T]:
        block = self.blocks.get(number) or self._new(number, "toolUse")
        if block.kind is None:
            block.said.append(piece)
            self.open[block] = None
        else:
            block.pieces += bool(piece.strip())
            yield Delta.ToolRequest(block.index, piece)

    def _think(self, number: int, said: Value) -> Iterator[Delta.T]:
        block = self.blocks.get(number) or self._new(number, "reasoning")
        text, signature, blob = said.get("text"), said.get("signature"), as_base64(said.get("redactedContent"))
        if isinstance(blob, str):
            block.blobs.append(blob)
            yield from self._grow(block, begins=len(block.blobs) == 1)
        else:
            yield Delta.Reasoning(block.index, text if isinstance(text, str) else "")
        if isinstance(signature, str):
            block.signature += signature
            yield Delta.BlockExtras(block.index, Extras({CLAUDE if block.signature else NAME: {"signature": block.signature}}))
        known = (("text", text), ("signature", signature), ("redactedContent", blob))
        used = {key for key, item in known if isinstance(item, str)}
        yield from _beside({key: item for key, item in said.items() if key not in used})

    def _cite(self, number: int, citation: Value) -> Iterator[Delta.T]:
        block = self.blocks.get(number) or self._new(number, "text")
        block.pieces += 2  # a text with its sources is never only a piece
        yield Delta.BlockExtras(block.index, _own({"$type": "citationsContent"}))
        yield Delta.BlockExtras(block.index, _own({"citations": [citation]}), grow=True)
        if block.kind == "text":
            yield text_delta(block.index, "")

    def _paint(self, block: _Block, image: Value) -> Iterator[Delta.T]:
        told: Value = block.value["image"]
        begins = not block.blobs
        sources: list[Any] = [told.get("source") if begins else None, image.get("source")]
        for source in sources:
            if source.__class__ is dict and (blob := source.get("bytes")).__class__ is str:
                block.blobs.append(blob)
        told |= image
        yield from self._grow(block, begins=begins)

    def _grow(self, block: _Block, *, begins: bool) -> Iterator[Delta.T]:
        block.untold = not begins
        self.open[block] = None
        if begins:
            yield self._grown(block)

    def _grown(self, block: _Block) -> Delta.T:
        """The block with all that came of it."""
        block.untold = False
        blob = joined_base64(block.blobs) if block.blobs else ""
        if block.kind == "reasoning":
            return Delta.Block(block.index, Content.Reasoning("", hidden(blob)))
        if block.blobs:
            source = block.value["image"].get("source")
            block.value["image"]["source"] = {**(source if isinstance(source, dict) else {}), "bytes": blob}
        return self._whole(block)

    def _shut(self, value: Value) -> Iterator[Delta.T]:
        block = self.blocks.get(self._number(value))
        if block is not None:
            yield from self._close(block)
        yield from _beside({key: item for key, item in value.items() if key not in ("contentBlockIndex", _PADDING)})

    def _close(self, block: _Block) -> Iterator[Delta.T]:
        """What is known only when nothing more comes of a block."""
        if block not in self.open:
            return
        del self.open[block]
        if block.untold:
            yield self._grown(block)
        if block.kind is None and (text := "".join(block.said)).strip():
            told: Value = {"input": parse(text)} if why_not_json(text) is None else {"input": {}, PARTIAL: text}
            yield self._whole(block, told)
        elif block.kind == "toolUse" and block.id is not None and not block.pieces:
            self.bare.append(block)
        elif block.kind == "reasoning" and not (block.signature or block.blobs):
            yield Delta.BlockExtras(block.index, _own({"$unsigned": True}))

    def _whole(self, block: _Block, told: Value | None = None) -> Delta.T:
        """A block that comes whole: as the reader of messages has it, or verbatim."""
        value = block.value
        for kind, always in _ALWAYS.items():
            if value.get(kind).__class__ is dict:
                value = {**value, kind: {**always, **value[kind], **(told or {})}}
        try:
            (content,) = read_assistant({"role": "assistant", "content": [value]}).contents
        except (Unexpected, ValueError):
            content = Content.Custom(NAME, json(value))
        return Delta.Block(block.index, content)

    def _whole_of(self, number: int, kind: str) -> _Block:
        block = self.blocks.get(number)
        if block is None or block.value.get(kind).__class__ is not dict:
            block = self._new(number, None, {kind: {}})
        return block

    def _complete(self) -> Iterator[Delta.T]:
        """The empty inputs of calls that are complete."""
        bare, self.bare = self.bare, []
        yield from (Delta.ToolRequest(block.index, "{}") for block in bare if not block.pieces)

    def _new(self, number: int, kind: str | None, value: Value | None = None) -> _Block:
        self.closing += self._complete()
        if self.latest is not None and self.latest.kind is None:
            self.closing += self._close(self.latest)  # it may never be closed otherwise
        block = self.blocks[number] = self.latest = _Block(self.count, kind, value)
        self.open[block] = None
        self.count += 1
        return block

    def _number(self, value: Value, *, opens: bool = False) -> int:
        """The number of a block on the wire; without one it is the last, or the next."""
        number = value.get("contentBlockIndex")
        if number.__class__ is int:
            self.last = int(number or 0)
        elif opens or self.last < 0:
            self.last += 1
        return self.last


_ALWAYS: Final[Mapping[str, Value]] = {"toolUse": {"input": {}}, "toolResult": {"content": []}}
"""By kind of block: what every one of them has, and its start has not."""

_READ: Final[Mapping[str, Callable[[_Reader, Value], Iterator[Delta.T]]]] = {
    "contentBlockDelta": _Reader._go_on,
    "contentBlockStart": _Reader._open,
    "contentBlockStop": _Reader._shut,
    "messageStart": _Reader._start,
    "messageStop": _Reader._stop,
    "metadata": _Reader._about,
}
"""By the name of an event: how it is read."""


def _named(event: Any) -> Any:
    """The event in the form that boto3 gives it, where its name stands beside."""
    data: Any = unwrapped(event)
    if data is event or event["event"].__class__ is not str or data.__class__ is not dict:
        return data
    name: str = event["event"]
    return {name: data} if name not in data and (name in _READ or name.endswith("Exception")) else data


def _beside(fields: Value) -> Iterator[Delta.T]:
    said = {key: as_base64(value) for key, value in fields.items() if value is not None and key != _PADDING}
    if said:
        yield Delta.Answer(_own(said))


def _own(fields: Value) -> Extras:
    return Extras({NAME: fields})


def _begin() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin)
"""Read a stream of events. Never raises: what is not known is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
