"""OpenAI Chat events -> deltas."""

from __future__ import annotations

from typing import Any, Final

from chatadt._wire import json
from chatadt.content import Content
from chatadt.dialects._openai_like.deltas import Hearing, stream_reader
from chatadt.dialects.openai_chat.codec import NAME, REASONING_KEYS
from chatadt.dialects.openai_chat.response import ANSWERS

__all__ = ("read_stream",)


def _part(value: Any) -> Content.Text | Content.Custom:
    match value:
        case {"type": "text", "text": str() as text, **rest} if not rest:
            return Content.Text(text)
        case _:
            return Content.Custom(NAME, json(value))


_HEARING: Final = Hearing(
    ANSWERS, _part, reasoning=REASONING_KEYS, has=frozenset({"refusal", "function_call", "audio", "name", "custom"})
)

read_stream: Final = stream_reader(_HEARING)
"""Read a stream of chunks. Never raises: what is no chunk is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
