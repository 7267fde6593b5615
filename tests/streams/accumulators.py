"""The official clients' own accumulators: a stream's events in, the body of an answer out."""

from __future__ import annotations

import warnings
from typing import Any

from anthropic.lib.streaming._messages import accumulate_event
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from tests.dialects_bedrock.answers import accumulated as bedrock, prose as prose_of_bedrock

__all__ = ("anthropic", "bedrock", "openai_chat", "prose_of_bedrock")


def openai_chat(events: list[Any]) -> dict[str, Any]:
    """The answer that the openai client makes of chunks; whatever it raises is raised."""
    state: Any = ChatCompletionStreamState()
    with warnings.catch_warnings(action="ignore"):  # of pydantic, about servers that send other types
        for event in events:
            state.handle_chunk(construct_type(type_=ChatCompletionChunk, value=event))
    body: dict[str, Any] = state.current_completion_snapshot.to_dict(mode="json", warnings=False)
    return body


def anthropic(events: list[Any]) -> dict[str, Any]:
    """The answer that the anthropic client makes of events; whatever it raises is raised."""
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    with warnings.catch_warnings(action="ignore"):
        for event in events:
            data = event.get("data", event)
            if data.get("type") not in ("ping", "error"):
                snapshot = accumulate_event(event=data, current_snapshot=snapshot, json_bufs=buffers)
    body: dict[str, Any] = snapshot.to_dict(mode="json", warnings=False)
    return body
