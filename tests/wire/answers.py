"""Recorded answers, and what they say, counted without any reader or writer of the library."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from anthropic.types import Message as AnthropicMessage
from anthropic.types.beta import BetaMessage
from dialects_openai_responses.as_chat import as_chat
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from pydantic import BaseModel, TypeAdapter, ValidationError

from . import gemini_answers
from .evidence import Reported
from .values import compact

__all__ = ("as_request", "complaints", "said_beside", "stop_in", "stop_told", "strange", "tokens", "usage_in", "view_of")

_VIEWS: Final[Mapping[str, str]] = {"bedrock": "tests.dialects_bedrock.answers"}
"""By dialect: the module that knows its answers, where they are not looked at here."""


def view_of(name: str) -> Any:
    """The module that knows the answers of a dialect; None for those that are looked at here."""
    return import_module(_VIEWS[name]) if name in _VIEWS else None


_BESIDE: Final[Mapping[str, frozenset[str]]] = {
    "openai_chat": frozenset({"choices", "usage", "object"}),
    "anthropic": frozenset({"content", "usage", "type", "role", "stop_reason"}),
    "openai_responses": frozenset({"output", "usage", "object", "status", "incomplete_details"}),
}
"""Fields of an answer that are looked at by themselves, or are spelling."""

_BESIDE_MESSAGE: Final = frozenset({"message", "index", "finish_reason"})


def as_request(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the history of a request would hold it, for the ledger of requests; its other fields stand beside."""
    if view := view_of(name):
        return dict(view.as_request(body))
    if name == "anthropic":
        messages = [{"role": "assistant", "content": body["content"]}]
    elif name == "openai_responses":
        messages = [_without_status(item) for item in as_chat({"input": body["output"]})["messages"]]
    elif name == "gemini":
        messages = gemini_answers.as_request(body)
    else:
        messages = [_without_fillers(choice["message"]) for choice in body["choices"] if choice.get("message")]
    return {"messages": messages, **dict(said_beside(name, body))}


def _without_status(item: Mapping[str, Any]) -> dict[str, Any]:
    """The item without that it is complete, and without a list of nothing."""
    return {key: value for key, value in item.items() if (key, value) != ("status", "completed") and value != []}


def _without_fillers(message: Mapping[str, Any]) -> dict[str, Any]:
    """The message without the empty objects that Snowflake fills in where others have null."""
    return {
        key: value
        for key, value in message.items()
        if key not in ("audio", "function_call") or any(inner not in ("", 0, None) for inner in (value or {}).values())
    }


def said_beside(name: str, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an answer says besides its messages, its usage and why it stopped."""
    if name == "gemini":
        yield from gemini_answers.said_beside(body)
        return
    if view := view_of(name):
        yield from view.said_beside(body)
        return
    for key, value in body.items():
        if key not in _BESIDE[name] and value not in (None, "", [], {}):
            yield key, value
    for index, choice in enumerate(body.get("choices", ())):
        beside = {key: value for key, value in choice.items() if key not in _BESIDE_MESSAGE and value not in (None, "", [], {})}
        if beside:
            yield f"choice {index}", beside


# --- usage and stop reasons -------------------------------------------------------------------------------------------------------


def usage_in(name: str, body: Mapping[str, Any]) -> Any:
    """The counts of an answer, as it has them."""
    return body.get("usageMetadata" if name == "gemini" else "usage")


def tokens(name: str, usage: Mapping[str, Any] | None) -> dict[str, int]:
    """The counts that all formats have, inclusive; a count that is not said is left out."""
    usage = usage or {}
    found: dict[str, int | None]
    if view := view_of(name):
        found = view.counts(usage)
    elif name == "anthropic":
        read, write = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
        found = {
            "input": usage["input_tokens"] + (read or 0) + (write or 0) if usage.get("input_tokens") is not None else None,
            "output": usage.get("output_tokens"),
            "cache_read": read,
            "cache_write": write,
            "reasoning": (usage.get("output_tokens_details") or {}).get("thinking_tokens"),
        }
    elif name == "openai_responses":
        before, after = usage.get("input_tokens_details") or {}, usage.get("output_tokens_details") or {}
        found = {
            "input": usage.get("input_tokens"),
            "output": usage.get("output_tokens"),
            "cache_read": before.get("cached_tokens"),
            "cache_write": before.get("cache_write_tokens"),
            "reasoning": after.get("reasoning_tokens"),
        }
    elif name == "gemini":
        found = gemini_answers.tokens(usage)
    else:
        before, after = usage.get("prompt_tokens_details") or {}, usage.get("completion_tokens_details") or {}
        beside = after.get("reasoning_tokens") or 0
        output, told = usage.get("completion_tokens"), usage.get("prompt_tokens")
        if told is not None and (before.get("cached_tokens") or 0) > told:  # some servers count what was cached beside
            told += before["cached_tokens"]
        if output is not None and beside and usage.get("total_tokens") == (usage.get("prompt_tokens") or 0) + output + beside:
            output += beside
        found = {
            "input": told,
            "output": output,
            "cache_read": before.get("cached_tokens"),
            "cache_write": before.get("cache_write_tokens"),
            "reasoning": after.get("reasoning_tokens"),
        }
    return {key: value for key, value in found.items() if value is not None}


_SAME: Final = (
    frozenset({"stop", "eos", "eos_token", "end_turn", "completed", "complete", "STOP"}),
    frozenset({"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"}),
    frozenset({"tool_calls", "function_call", "tool_use", "completed", "STOP"}),
    frozenset({"content_filter", "content_filtered", "guardrail_intervened", "SAFETY"}),
    frozenset({"content_filter", "content_filtered", "guardrail_intervened", "MODEL_ARMOR"}),
    frozenset({"malformed_tool_use", "MALFORMED_FUNCTION_CALL"}),
    frozenset({"malformed_tool_use", "UNEXPECTED_TOOL_CALL"}),
    frozenset({"pause_turn", "queued", "in_progress", "CONTINUATION"}),
)
"""Stop reasons that mean the same."""


def stop_in(name: str, body: Mapping[str, Any]) -> Any:
    """The word of an answer for why the model stopped."""
    if view := view_of(name):
        return view.stop(body)
    if name == "anthropic":
        return body.get("stop_reason")
    if name == "gemini":
        return gemini_answers.stop_in(body)
    if name == "openai_responses":
        return (body.get("incomplete_details") or {}).get("reason") or body.get("status")
    return body["choices"][0].get("finish_reason") if body["choices"] else None


def stop_told(before: Any, after: Any, asks: bool, losses: tuple[Reported, ...]) -> bool:
    """Whether a stop reason came across, or a loss tells of it. Words for an ordinary end mean calls where there are some."""
    if asks and before in ("stop", "STOP", "completed", "", None) and after in ("tool_use", "tool_calls", "completed", "STOP"):
        return True
    is_same = before == after or any(before in same and after in same for same in _SAME)
    return (
        is_same or (before in ("", None) and after in (None, "in_progress")) or any("stop reason" in loss.what for loss in losses)
    )


# --- types ----------------------------------------------------------------------------------------------------------------------

_SHOWN: Final = frozenset({"reasoning_content"})
"""Fields beyond the official types which servers of this dialect are known to send."""


_TYPES: Final[Mapping[str, Any]] = {"openai_chat": ChatCompletion, "openai_responses": Response}


def complaints(name: str, body: Any) -> list[str]:
    """What the official SDK's types have against an answer, strictly: no coercion, and no field that they do not know."""
    if view := view_of(name):
        return list(view.complaints(body))
    if name in _TYPES:
        return _against(_TYPES[name], body)
    if name == "gemini":
        return gemini_answers.complaints(body)
    found = _against(AnthropicMessage, body)
    return found and _against(BetaMessage, body)


def _against(model: Any, body: Any) -> list[str]:
    try:
        read = _adapter(model).validate_python(body, strict=True)
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)][:3]
    return [f"unknown field {field}" for field in strange(read)]


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def strange(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        yield from (key for key in value.model_extra or {} if key not in _SHOWN)
        for name in type(value).model_fields:
            yield from strange(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from strange(item)


def shown(value: Any) -> str:
    """A value for an assertion to print."""
    return compact(value)[:200]
