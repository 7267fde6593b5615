"""Chat completions, whole and in chunks."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Final

from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from ._said import fields_but, of_choices
from ._types import against, fits

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"choices", "usage", "object"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it."""
    messages = [_without_fillers(choice["message"]) for choice in body["choices"] if choice.get("message")]
    return {"messages": messages, **dict(said_beside(body))}


def _without_fillers(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message without the empty objects that Snowflake fills in where others have null."""
    return {
        key: value
        for key, value in message.items()
        if key not in ("audio", "function_call") or any(inner not in ("", 0, None) for inner in (value or {}).values())
    }


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its messages, its usage and why it stopped."""
    yield from fields_but(body, _LOOKED_AT)
    yield from of_choices(body)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usage")


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts, inclusive: some servers count what was cached, and what was thought, beside."""
    before, after = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
    beside = after.get("reasoning_tokens") or 0
    output, told = usage.get("completion_tokens"), usage.get("prompt_tokens")
    if told is not None and (before.get("cached_tokens") or 0) > told:
        told += before["cached_tokens"]
    if output is not None and beside and usage.get("total_tokens") == (usage.get("prompt_tokens") or 0) + output + beside:
        output += beside
    return {
        "input": told,
        "output": output,
        "cache_read": before.get("cached_tokens"),
        "cache_write": before.get("cache_write_tokens"),
        "reasoning": after.get("reasoning_tokens"),
    }


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped."""
    return body["choices"][0].get("finish_reason") if body["choices"] else None


def complaints(body: Any) -> list[str]:
    """What the type of the official client has against an answer."""
    return against(ChatCompletion, body)


def event_complaints(event: Any) -> list[str]:
    """The same of a chunk; an error in a stream has no type."""
    return [] if "error" in event else fits(ChatCompletionChunk, event)


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that the client makes of chunks; whatever it raises is raised."""
    state: Any = ChatCompletionStreamState()
    with warnings.catch_warnings(action="ignore"):  # of pydantic, about servers that send other types
        for event in events:
            state.handle_chunk(construct_type(type_=ChatCompletionChunk, value=event))
    body: dict[str, Any] = state.current_completion_snapshot.to_dict(mode="json", warnings=False)
    return body


def prose(event: Any) -> Any:
    """The texts of a chunk: what a person would miss."""
    match event:
        case {"choices": [{"delta": {**said}}]}:
            content = said.get("content")
            return [said.get(key) for key in ("reasoning", "reasoning_content", "refusal")] + [
                content if isinstance(content, str) else None
            ]
        case _:
            return None
