"""Answers of Responses, whole and in events."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dialects_openai_responses.as_chat import as_chat
from openai import omit
from openai._models import construct_type
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.responses import Response, ResponseStreamEvent

from ._said import fields_but
from ._types import against, fits

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"output", "usage", "object", "status", "incomplete_details"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it."""
    messages = [_without_status(item) for item in as_chat({"input": body["output"]})["messages"]]
    return {"messages": messages, **dict(said_beside(body))}


def _without_status(item: Mapping[str, Any]) -> dict[str, Any]:
    """The item without that it is complete, and without a list of nothing."""
    return {key: value for key, value in item.items() if (key, value) != ("status", "completed") and value != []}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its items, its usage and why it stopped."""
    return fields_but(body, _LOOKED_AT)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usage")


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts; they are inclusive."""
    before, after = usage.get("input_tokens_details") or {}, usage.get("output_tokens_details") or {}
    return {
        "input": usage.get("input_tokens"),
        "output": usage.get("output_tokens"),
        "cache_read": before.get("cached_tokens"),
        "cache_write": before.get("cache_write_tokens"),
        "reasoning": after.get("reasoning_tokens"),
    }


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped: a reason, or the status."""
    return (body.get("incomplete_details") or {}).get("reason") or body.get("status")


def complaints(body: Any) -> list[str]:
    """What the type of the official client has against an answer."""
    return against(Response, body)


def event_complaints(event: Any) -> list[str]:
    """The same of an event; an error in a stream need not have the official shape."""
    data = event.get("data", event)
    return [] if "error" in data else fits(ResponseStreamEvent, data)


_ENDS: Final = ("response.completed", "response.incomplete", "response.failed")


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that the client makes of events; whatever it raises is raised. Of one that broke off, what came."""
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


_PROSE: Final = frozenset(
    f"response.{kind}.delta" for kind in ("output_text", "refusal", "reasoning_text", "reasoning_summary_text")
)


def prose(event: Any) -> Any:
    """The texts of an event: what a person would miss."""
    match event:
        case {"data": {"type": str() as kind, "delta": str() as text}} if kind in _PROSE:
            return text
        case _:
            return None
