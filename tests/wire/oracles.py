"""What a provider's server would refuse of a whole request: the official SDK's types, closed, and the rules that no type tells.

A judge answers the complaints it has, none for a body that it takes for valid. It knows the wire and nothing of this library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from anthropic.types.beta.message_create_params import (
    MessageCreateParamsNonStreaming as BetaMessageCreateParams,
    MessageCreateParamsStreaming as BetaMessageCreateParamsStreaming,
)
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming, CompletionCreateParamsStreaming
from pydantic import TypeAdapter

from . import anthropic_rules, openai_rules
from .rules import Complaint, Rule, lone_surrogates
from .sdk_types import closed, type_errors

__all__ = ("JUDGES", "Judge", "anthropic", "openai_chat", "rules_of")

Judge: TypeAlias = Callable[[Any], list[Complaint]]


def openai_chat(body: Any) -> list[Complaint]:
    """The complaints about a request to POST /v1/chat/completions."""
    streams = _streams(body)
    whole = CompletionCreateParamsStreaming if streams else CompletionCreateParamsNonStreaming
    return _types(_adapter(whole), body) or _apply(openai_rules.RULES, body)


def anthropic(body: Any) -> list[Complaint]:
    """The complaints about a request to POST /v1/messages; the beta types decide where the body says what only they know."""
    stable, beta = (
        (MessageCreateParamsStreaming, BetaMessageCreateParamsStreaming)
        if _streams(body)
        else (MessageCreateParamsNonStreaming, BetaMessageCreateParams)
    )
    found = _types(_adapter(stable), body)
    return (found and _types(_adapter(beta), body)) or _apply(anthropic_rules.RULES, body)


JUDGES: Final[Mapping[str, Judge]] = {"openai_chat": openai_chat, "anthropic": anthropic}


def rules_of(name: str) -> dict[str, Rule]:
    """The rules of a judge by name, beyond the types; what holds for every body is among them."""
    return {**{"openai_chat": openai_rules.RULES, "anthropic": anthropic_rules.RULES}[name], **_EVERY}


_EVERY: Final[dict[str, Rule]] = {"no lone surrogates": lone_surrogates}


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(closed(annotation))


def _streams(body: Any) -> bool:
    return isinstance(body, dict) and body.get("stream") is True


def _types(adapter: TypeAdapter[Any], body: Any) -> list[Complaint]:
    return [Complaint("type", path, what) for path, what in type_errors(adapter, body)]


def _apply(rules: Mapping[str, Rule], body: Any) -> list[Complaint]:
    return [Complaint(name, path, what) for name, rule in {**rules, **_EVERY}.items() for path, what in rule(body)]
