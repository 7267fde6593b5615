"""What the server of each dialect would refuse of a request: the official SDKs' types made strict, and rules that no type tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dialects_bedrock.judge import complaints as bedrock
from dialects_gemini.judge import complaints as gemini
from dialects_openai_like.judges import JUDGES as OPENAI_LIKE
from dialects_openai_responses.responses_rules import openai_responses
from wire.oracles import JUDGES as FIRST

__all__ = ("complaints",)


def complaints(name: str, body: dict[str, Any]) -> list[str]:
    """What the judge of a dialect has against a body; one that names neither model nor length is sent where the URL has the one,
    and where a default is the other.
    """
    named = body if name in _MODEL_IN_URL else {"model": "m", **body}
    whole = {"max_tokens": 1, **named} if name == "anthropic" else named
    return [str(complaint) for complaint in _JUDGES[name](whole)]


def _bedrock(body: dict[str, Any]) -> list[Any]:
    return list(bedrock(body, knows_first_user=True))


_MODEL_IN_URL: Final = frozenset({"bedrock", "gemini"})
_JUDGES: Final[Mapping[str, Callable[[dict[str, Any]], list[Any]]]] = {
    **FIRST,
    **OPENAI_LIKE,
    "openai_responses": openai_responses,
    "gemini": gemini,
    "bedrock": _bedrock,
}
