"""Answers of Cohere's Chat of version 2, whole and in events; its client leaves it to the caller to put events together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cohere import V2ChatResponse
from cohere.v2.types import v2chat_stream_response
from dialects_openai_like.family import openai_spelling
from pydantic import BaseModel

from ._said import fields_but
from ._types import closed

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"message", "usage", "finish_reason"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it, in OpenAI's spelling."""
    return {**openai_spelling("cohere", {"messages": [body["message"]]}), **dict(said_beside(body))}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its message, its usage and why it stopped."""
    return fields_but(body, _LOOKED_AT)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usage")


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts of all tokens, not of those that are billed."""
    counted = usage.get("tokens") or {}
    return {
        "input": counted.get("input_tokens"),
        "output": counted.get("output_tokens"),
        "cache_read": usage.get("cached_tokens"),
        "reasoning": counted.get("reasoning_tokens"),
    }


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped."""
    return body.get("finish_reason")


_ON_THE_WIRE: Final = ("reasoning_tokens", "error_type")
"""Fields that the server sends and the official types have not."""
_IN_START: Final = tuple(f".delta.message.{key}" for key in ("content", "tool_plan", "tool_calls", "citations"))
"""The same in the event with which a message begins: each recorded one has them, and they are empty."""
_WORDS: Final = frozenset({"COMPLETE", "STOP_SEQUENCE", "MAX_TOKENS", "TOOL_CALL", "ERROR", "TIMEOUT"})


def complaints(body: Any) -> list[str]:
    """What the type of the official client has against an answer."""
    found = [each for each in closed(V2ChatResponse, body) if not each.endswith(_ON_THE_WIRE)]
    word = body["finish_reason"]
    return found + ([f"finish_reason {word}"] if word not in _WORDS else [])


_EVENTS: Final = {
    model.model_fields["type"].default: model
    for model in vars(v2chat_stream_response).values()
    if isinstance(model, type) and issubclass(model, BaseModel) and model.__name__.endswith("V2ChatStreamResponse")
}


def event_complaints(event: Any) -> list[str]:
    """The same of an event."""
    data = event["data"]
    if event["event"] != data["type"]:
        return [f"the event {event['event']} is a {data['type']}"]
    known = (*_ON_THE_WIRE, *(_IN_START if data["type"] == "message-start" else ()))
    return [each for each in closed(_EVENTS[data["type"]], data) if not each.endswith(known)]


def _is_error(event: Any) -> bool:
    return "error" in event or event.get("event") == "error"


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that events are pieces of; errors among them are left out."""
    body: dict[str, Any] = {}
    message: dict[str, Any] = {}
    contents: dict[int, dict[str, Any]] = {}
    calls: dict[int, dict[str, Any]] = {}
    for event in (each for each in events if not _is_error(each)):
        data = event["data"]
        said = (data.get("delta") or {}).get("message") or {}
        match data["type"]:
            case "message-start":
                body = {"id": data.get("id"), "message": message}
                message |= {"role": "assistant", "content": [], "citations": []}
            case "content-start":
                contents[data["index"]] = dict(said["content"])
                message["content"].append(contents[data["index"]])
            case "content-delta":
                for key, text in said["content"].items():
                    contents[data["index"]][key] += text
            case "tool-plan-delta":
                message["tool_plan"] = message.get("tool_plan", "") + said["tool_plan"]
            case "tool-call-start":
                calls[data["index"]] = {**said["tool_calls"], "function": dict(said["tool_calls"]["function"])}
                message.setdefault("tool_calls", []).append(calls[data["index"]])
            case "tool-call-delta":
                calls[data["index"]]["function"]["arguments"] += said["tool_calls"]["function"]["arguments"]
            case "citation-start":
                message["citations"].append(said["citations"])
            case "message-end":
                body |= data["delta"]
            case _:
                continue
    return body


def prose(event: Any) -> Any:
    """The texts of an event: what a person would miss."""
    match event:
        case {"data": {"delta": {"message": {"content": {**said}}}}}:
            return [said.get(key) for key in ("text", "thinking")]
        case {"data": {"delta": {"message": {"tool_plan": str() as plan}}}}:
            return plan
        case _:
            return None
