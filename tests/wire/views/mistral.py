"""Answers of Mistral, whole and in chunks; its client leaves it to the caller to put chunks together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dialects_openai_like.family import openai_spelling
from mistralai.client import models

from . import openai_chat
from ._said import fields_but, of_choices, unnumbered
from ._types import closed
from .openai_chat import stop_in, usage_in

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"choices", "usage", "object"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it, in OpenAI's spelling."""
    messages = [unnumbered(choice["message"]) for choice in body["choices"] if choice.get("message")]
    return {**openai_spelling("mistral", {"messages": messages}), **dict(said_beside(body))}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its messages, its usage and why it stopped."""
    yield from fields_but(body, _LOOKED_AT)
    yield from of_choices(body)


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts; what came from the cache is said in either of two places."""
    counts = openai_chat.tokens(usage)
    return {**counts, "cache_read": usage.get("num_cached_tokens") if counts["cache_read"] is None else counts["cache_read"]}


_ON_THE_WIRE: Final = ("prompt_tokens_details",)
"""Fields that the server sends and the official types have not."""
_WORDS: Final = frozenset({"stop", "length", "model_length", "error", "tool_calls", None})


def complaints(body: Any) -> list[str]:
    """What the type of the official client has against an answer."""
    return _complaints(models.ChatCompletionResponse, body)


def event_complaints(event: Any) -> list[str]:
    """The same of a chunk; an error in a stream has no type."""
    return [] if _is_error(event) else _complaints(models.CompletionChunk, event)


def _complaints(model: Any, value: Any) -> list[str]:
    found = [each for each in closed(model, value) if not each.endswith(_ON_THE_WIRE)]
    found += [f"finish_reason {choice['finish_reason']}" for choice in value["choices"] if choice["finish_reason"] not in _WORDS]
    parts = [choice.get("message", choice.get("delta")).get("content") for choice in value["choices"]]
    kinds = {part["type"] for content in parts if isinstance(content, list) for part in content}
    return [*found, *(f"a chunk of type {kind}" for kind in kinds - {"text", "thinking"})]


def _is_error(event: Any) -> bool:
    return "error" in event or event.get("object") == "error"


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that chunks are pieces of; errors among them are left out."""
    body: dict[str, Any] = {"choices": []}
    choices: dict[int, dict[str, Any]] = {}
    for event in (each for each in events if not _is_error(each)):
        body |= {key: value for key, value in event.items() if key not in ("choices", "p")}
        for each in event["choices"]:
            choice = choices.setdefault(each["index"], {"index": each["index"], "message": {"role": "assistant", "content": []}})
            choice |= {key: value for key, value in each.items() if key not in ("delta", "index") and value is not None}
            _grow(choice["message"], dict(each["delta"]))
    body["choices"] = [choices[number] for number in sorted(choices)]
    return body


def _grow(message: dict[str, Any], delta: dict[str, Any]) -> None:
    content = delta.pop("content", None)
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content or []:
        _go_on(message["content"], part)
    for call in delta.pop("tool_calls", None) or ():
        known = next((one for one in message.get("tool_calls", ()) if one["index"] == call.get("index")), None)
        if known is None:
            message.setdefault("tool_calls", []).append({"index": None, **call, "function": dict(call["function"])})
        else:
            known["function"]["arguments"] += call["function"]["arguments"]
    message |= {key: value for key, value in delta.items() if value not in (None, "")}


def _go_on(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    if parts and parts[-1]["type"] == part["type"] and part["type"] in ("text", "thinking"):
        parts[-1][part["type"]] = parts[-1][part["type"]] + part[part["type"]]
    elif part.get("text") != "":
        parts.append(dict(part))


def prose(event: Any) -> Any:
    """The texts of a chunk: what a person would miss."""
    match event:
        case {"choices": [{"delta": {"content": str() as text}}]}:
            return text
        case {"choices": [{"delta": {"content": [*parts]}}]}:
            thoughts = [inner for part in parts for inner in part.get("thinking", ())]
            return [part["text"] for part in (*parts, *thoughts) if "text" in part]
        case _:
            return None
