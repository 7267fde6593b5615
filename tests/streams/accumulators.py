"""The official clients' own accumulators: a stream's events in, the body of an answer out."""

from __future__ import annotations

import warnings
from typing import Any, Final

from anthropic.lib.streaming._messages import accumulate_event
from openai import omit
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent

__all__ = ("anthropic", "openai_chat", "openai_responses")


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


def openai_responses(events: list[Any]) -> dict[str, Any]:
    """The answer that the openai client makes of events; whatever it raises is raised. Of one that broke off, what came."""
    state: Any = ResponseStreamState(input_tools=omit, text_format=omit)
    response = running = None
    with warnings.catch_warnings(action="ignore"):
        for event in events:
            data = event.get("data", event)
            if data.get("type") != "error":
                told: Any = construct_type(type_=ResponseStreamEvent, value=data)
                state.handle_event(told)
                running = getattr(told, "response", None) or running
                response = running if data["type"] in _ENDS else response
    whole = state._completed_response or response or state._ResponseStreamState__current_snapshot
    body: dict[str, Any] = whole.to_dict(mode="json", warnings=False)
    return body if response else {**body, "usage": running.usage and running.usage.to_dict()}


_ENDS: Final = ("response.completed", "response.incomplete", "response.failed")
