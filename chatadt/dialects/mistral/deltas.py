"""Mistral events -> deltas. Thinking and text come as chunks that take turns, tool calls come whole."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from chatadt._wire import json
from chatadt.content import Content
from chatadt.dialects._openai_like.deltas import Hearing, stream_reader
from chatadt.dialects.mistral.codec import NAME
from chatadt.dialects.mistral.read import read_chunk
from chatadt.dialects.mistral.response import ANSWERS

__all__ = ("read_stream",)


def _part(value: Any) -> Content.Output:
    """A chunk; thinking that holds anything but texts is kept verbatim, for it cannot go on."""
    found = read_chunk(value)
    if not isinstance(found, Content.Reasoning):
        return found
    own = found.extras.of(NAME)
    if "thinking" in own:
        return Content.Custom(NAME, json(value))
    fields = {key: item for key, item in own.items() if key != "$lengths"}
    return evolve(found, extras={NAME: fields} if fields else {})


read_stream: Final = stream_reader(Hearing(ANSWERS, _part))
"""Read a stream of chunks. Never raises: what is no chunk is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
