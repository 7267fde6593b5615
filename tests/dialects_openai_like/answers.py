"""Answers of Mistral, Cohere and Ollama: what was recorded, the same in OpenAI's spelling, and what the official types refuse."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import ollama
import wire.answers as known
from anthropic.types import RawMessageStreamEvent
from cohere import V2ChatResponse
from cohere.v2.types import v2chat_stream_response
from mistralai.client import models
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, TypeAdapter, ValidationError
from wire.corpus import Recording, recordings
from wire.values import place

from .family import openai_spelling
from .judges import _extras, _unknown

__all__ = (
    "FIRST_TWO",
    "NAMES",
    "as_request",
    "complaints",
    "event_complaints",
    "recorded_answers",
    "said_beside",
    "stop_word",
    "tokens",
)

NAMES: Final = ("mistral", "cohere", "ollama")
FIRST_TWO: Final = ("openai_chat", "anthropic")

_FAMILIES: Final = {"mistral": ("openai_chat", "mistral"), "cohere": ("cohere_v2", "cohere_v2")}


@cache
def recorded_answers(name: str, kind: str) -> tuple[Recording, ...]:
    """Every recorded answer or stream of a dialect, the handwritten ones too; Mistral's stand among those of the OpenAI family."""
    family, dialect = _FAMILIES.get(name, (name, name))
    rows = recordings(family, kind)
    return rows if name in FIRST_TWO else tuple(row for row in rows if row.dialect == dialect)


# --- what is said ---------------------------------------------------------------------------------------------------------------

_SPELLING: Final[Mapping[str, frozenset[str]]] = {
    "mistral": frozenset({"choices", "usage", "object"}),
    "cohere": frozenset({"message", "usage", "finish_reason"}),
    "ollama": frozenset({"message", "done", "done_reason", "prompt_eval_count", "eval_count"}),
}
"""Fields of an answer that are looked at by themselves, or are spelling."""


def as_request(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the history of a request would hold it, in OpenAI's spelling; its other fields stand beside."""
    if name in FIRST_TWO:
        return known.as_request(name, body)
    messages = (
        [choice["message"] for choice in body["choices"] if choice.get("message")] if name == "mistral" else [body["message"]]
    )
    return {**openai_spelling(name, {"messages": [*map(_unnumbered, messages)]}), **dict(said_beside(name, body))}


def _unnumbered(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message without the index of a function, which tells of its place only."""
    calls = [
        {**call, "function": {key: value for key, value in call["function"].items() if key != "index"}}
        for call in message.get("tool_calls") or ()
    ]
    return {**message, "tool_calls": calls} if calls else dict(message)


def said_beside(name: str, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an answer says besides its messages, its usage and why it stopped."""
    if name in FIRST_TWO:
        yield from known.said_beside(name, body)
        return
    yield from ((key, value) for key, value in body.items() if key not in _SPELLING[name] and value not in (None, "", [], {}))
    for index, choice in enumerate(body.get("choices", ())):
        beside = {key: value for key, value in choice.items() if key not in ("message", "index", "finish_reason") and value}
        if beside:
            yield f"choice {index}", beside


def tokens(name: str, body: Mapping[str, Any]) -> dict[str, int]:
    """The counts of an answer, inclusive; a count that is not said is left out."""
    usage: Mapping[str, Any] = body.get("usage") or {}
    match name:
        case "ollama":
            found = {"input": body.get("prompt_eval_count"), "output": body.get("eval_count")}
        case "cohere":
            counted = usage.get("tokens") or {}
            found = {
                "input": counted.get("input_tokens"),
                "output": counted.get("output_tokens"),
                "cache_read": usage.get("cached_tokens"),
                "reasoning": counted.get("reasoning_tokens"),
            }
        case "mistral":
            found = {"cache_read": usage.get("num_cached_tokens"), **known.tokens("openai_chat", usage)}
        case _:
            return known.tokens(name, usage)
    return {key: value for key, value in found.items() if value is not None}


def stop_word(name: str, body: Mapping[str, Any]) -> Any:
    """Why the model stopped, in the provider's word."""
    match name:
        case "anthropic":
            return body.get("stop_reason")
        case "ollama":
            return body.get("done_reason")
        case "cohere":
            return body.get("finish_reason")
        case _:
            return body["choices"][0].get("finish_reason") if body["choices"] else None


# --- the official types ---------------------------------------------------------------------------------------------------------


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _read(model: Any, value: Any) -> tuple[Any, list[str]]:
    """The value as the model reads its JSON, without any coercion."""
    try:
        return _adapter(model).validate_json(json.dumps(value), strict=True), []
    except ValidationError as error:
        return None, [f"{place(tuple(each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)][:3]


def _closed(model: Any, value: Any) -> list[str]:
    """What a model that keeps or ignores unknown fields has against a value, closed."""
    made, found = _read(model, value)
    if made is None:
        return found
    dumped = made.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return [*(f"unknown key {key}" for key in _extras(made)), *_unknown(value, dumped, "$")]


def _mistral(value: Any, model: Any = models.ChatCompletionResponse) -> list[str]:
    found = [each for each in _closed(model, value) if not each.endswith(_ON_THE_WIRE)]
    words = {"stop", "length", "model_length", "error", "tool_calls", None}
    found += [f"finish_reason {choice['finish_reason']}" for choice in value["choices"] if choice["finish_reason"] not in words]
    parts = [choice.get("message", choice.get("delta")).get("content") for choice in value["choices"]]
    kinds = {part["type"] for content in parts if isinstance(content, list) for part in content}
    return [*found, *(f"a chunk of type {kind}" for kind in kinds - {"text", "thinking"})]


_ON_THE_WIRE: Final = ("prompt_tokens_details", "reasoning_tokens", "error_type")
"""Fields that servers send and the official types have not."""
_IN_START: Final = tuple(f".delta.message.{key}" for key in ("content", "tool_plan", "tool_calls", "citations"))
"""The same in the event with which a message of Cohere begins: each recorded one has them, and they are empty."""


def _cohere(value: Any) -> list[str]:
    found = [each for each in _closed(V2ChatResponse, value) if not each.endswith(_ON_THE_WIRE)]
    word = value["finish_reason"]
    return found + ([f"finish_reason {word}"] if word not in _COHERE_WORDS else [])


_COHERE_WORDS: Final = {"COMPLETE", "STOP_SEQUENCE", "MAX_TOKENS", "TOOL_CALL", "ERROR", "TIMEOUT"}


def _ollama(value: Any) -> list[str]:
    made, found = _read(ollama.ChatResponse, value)
    return found or [*_unknown(value, made.model_dump(mode="json", exclude_unset=True), "$")]


_JUDGES: Final[Mapping[str, Callable[[Any], list[str]]]] = {"mistral": _mistral, "cohere": _cohere, "ollama": _ollama}


def complaints(name: str, body: Any) -> list[str]:
    """What the official SDK's types have against an answer, strictly: no coercion, and no field that they do not know."""
    return _JUDGES[name](body) if name in _JUDGES else known.complaints(name, body)


_COHERE_EVENTS: Final = {
    model.model_fields["type"].default: model
    for model in vars(v2chat_stream_response).values()
    if isinstance(model, type) and issubclass(model, BaseModel) and model.__name__.endswith("V2ChatStreamResponse")
}


def event_complaints(name: str, event: Any) -> list[str]:
    """The same of one event of a stream; an error in a stream has no type."""
    match name:
        case "mistral":
            return [] if event.get("object") == "error" else _mistral(event, models.CompletionChunk)
        case "cohere":
            data = event["data"]
            if event["event"] != data["type"]:
                return [f"the event {event['event']} is a {data['type']}"]
            known = (*_ON_THE_WIRE, *(_IN_START if data["type"] == "message-start" else ()))
            return [each for each in _closed(_COHERE_EVENTS[data["type"]], data) if not each.endswith(known)]
        case "ollama":
            return [] if event.keys() == {"error"} else _ollama(event)
        case "anthropic":
            return [] if "error" in event["data"] else _read(RawMessageStreamEvent, event["data"])[1]
        case _:
            return [] if "error" in event else _read(ChatCompletionChunk, event)[1]
