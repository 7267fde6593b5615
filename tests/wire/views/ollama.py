"""Answers of Ollama's own chat, whole and in lines; its client leaves it to the caller to put lines together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import ollama
from dialects_openai_like.family import openai_spelling
from dialects_openai_like.judges import unknown

from ._said import fields_but, unnumbered
from ._types import read

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"message", "done", "done_reason", "prompt_eval_count", "eval_count"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it, in OpenAI's spelling."""
    return {**openai_spelling("ollama", {"messages": [unnumbered(body["message"])]}), **dict(said_beside(body))}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its message, its usage and why it stopped."""
    return fields_but(body, _LOOKED_AT)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, which stand beside everything else."""
    return body


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts."""
    return {"input": usage.get("prompt_eval_count"), "output": usage.get("eval_count")}


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped."""
    return body.get("done_reason")


def complaints(body: Any) -> list[str]:
    """What the type of the official client has against an answer."""
    made, found = read(ollama.ChatResponse, body)
    return found or [*unknown(body, made.model_dump(mode="json", exclude_unset=True), "$")]


def event_complaints(event: Any) -> list[str]:
    """The same of a line; an error in a stream has no type."""
    return [] if event.keys() == {"error"} else complaints(event)


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that lines are pieces of; errors among them are left out."""
    body: dict[str, Any] = {}
    message: dict[str, Any] = {"content": ""}
    for event in (each for each in events if "error" not in each):
        body |= event
        for key, value in event["message"].items():
            message[key] = message.get(key, type(value)()) + value if key in ("content", "thinking", "tool_calls") else value
    return {**body, "message": message}


def prose(event: Any) -> Any:
    """The texts of a line: what a person would miss."""
    match event:
        case {"message": {**said}}:
            return [said.get(key) for key in ("content", "thinking")]
        case _:
            return None
