"""Answers of Messages, whole and in events."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage

from ._said import fields_but
from ._types import against, fits

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"content", "usage", "type", "role", "stop_reason"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it."""
    return {"messages": [{"role": "assistant", "content": body["content"]}], **dict(said_beside(body))}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its message, its usage and why it stopped."""
    return fields_but(body, _LOOKED_AT)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usage")


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts, inclusive: what came from and went to the cache is input."""
    cached, written = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
    told = usage.get("input_tokens")
    return {
        "input": None if told is None else told + (cached or 0) + (written or 0),
        "output": usage.get("output_tokens"),
        "cache_read": cached,
        "cache_write": written,
        "reasoning": (usage.get("output_tokens_details") or {}).get("thinking_tokens"),
    }


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped."""
    return body.get("stop_reason")


def complaints(body: Any) -> list[str]:
    """What the types of the official client, the one or the beta's, have against an answer."""
    found = against(Message, body)
    return found and against(BetaMessage, body)


def event_complaints(event: Any) -> list[str]:
    """The same of an event; an error in a stream has no type."""
    data = event.get("data", event)
    return [] if "error" in data else fits(RawMessageStreamEvent, data)


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that the client makes of events; whatever it raises is raised."""
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    with warnings.catch_warnings(action="ignore"):
        for event in events:
            data = event.get("data", event)
            if data.get("type") not in ("ping", "error"):
                snapshot = accumulate_event(event=data, current_snapshot=snapshot, json_bufs=buffers)
    body: dict[str, Any] = snapshot.to_dict(mode="json", warnings=False)
    return body


def prose(event: Any) -> Any:
    """The texts of an event: what a person would miss."""
    match event:
        case {"data": {"delta": {"type": "text_delta" | "thinking_delta"} as said}}:
            return {key: value for key, value in said.items() if key != "type"}
        case _:
            return None
