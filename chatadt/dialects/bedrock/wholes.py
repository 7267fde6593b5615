"""Blocks of which all is known, as the events that say them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from chatadt.dialects._losses import Block, dropped
from chatadt.dialects._stream import Event
from chatadt.dialects.bedrock.deltas import PARTIAL
from chatadt.json import dump
from chatadt.loss import Loss

__all__ = ("events_of",)

_MEDIA: Final = ("audio", "video", "document")


def events_of(number: int, value: Any) -> Iterator[Event | Loss]:
    """The events of a block, or the loss of one that a stream cannot say."""
    match value:
        case {"text": str() as text, **rest} if not rest:
            yield from _said(number, {"text": text}, {"text": ""})  # one piece alone would look as if the next text went on with it
        case {"reasoningContent": {"reasoningText": {"text": str() as text, **signed}, **rest}} if not rest:
            more = [{"reasoningContent": {key: item}} for key, item in signed.items()]
            yield from _said(number, {"reasoningContent": {"text": text}}, *more)
        case {"reasoningContent": {"redactedContent": _}}:
            yield from _said(number, value)
        case {"citationsContent": {"content": [*pieces], **rest}} if all(piece.keys() == {"text"} for piece in pieces):
            sources: Any = rest.pop("citations", None)
            yield from _said(number, *({"citation": source} for source in sources or ()), *pieces)
            if rest:
                yield dropped("a part of a text with sources", rest, "a stream has no place for it")
        case {"toolUse": {"input": arguments, **call}, **rest} if not rest:
            text = str(call.pop(PARTIAL, None) or dump(arguments))
            yield from _begun(number, {"toolUse": call}, {"toolUse": {"input": text}})
        case {"toolResult": {"content": [*results], **result}, **rest} if not rest:
            yield from _begun(number, {"toolResult": result}, {"toolResult": results})
        case {"image": {"format": form, **image}, **rest} if not rest:
            yield from _begun(number, {"image": {"format": form}}, {"image": image})
        case {**block} if block and not block.keys() & _MEDIA:
            yield from _begun(number, block)
        case _:
            yield dropped("a block", value, "a stream has no such block")


def _said(number: int, *pieces: Block) -> Iterator[Event]:
    yield from ({"contentBlockDelta": {"contentBlockIndex": number, "delta": piece}} for piece in pieces)
    yield {"contentBlockStop": {"contentBlockIndex": number}}


def _begun(number: int, start: Any, *pieces: Block) -> Iterator[Event]:
    yield {"contentBlockStart": {"contentBlockIndex": number, "start": start}}
    yield from _said(number, *pieces)
