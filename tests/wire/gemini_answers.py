"""Recorded answers of Gemini, and what they say, counted without any reader or writer of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.genai.types import FinishReason, GenerateContentResponse
from pydantic import ValidationError

from tests.dialects_gemini.as_chat import as_chat

__all__ = ("as_request", "complaints", "said_beside", "stop_in", "tokens")

_NAMES: Final[Mapping[str, str]] = {"modelVersion": "model", "responseId": "id"}
_READ: Final = frozenset({"candidates", "usageMetadata"})
_READ_IN_CANDIDATE: Final = frozenset({"content", "finishReason", "index"})


def as_request(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of an answer, as the ledger of requests reads them."""
    contents = [candidate["content"] for candidate in body.get("candidates") or () if candidate.get("content")]
    messages: list[dict[str, Any]] = as_chat({"contents": contents})["messages"]
    return messages


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an answer says besides its messages, its usage and why it stopped."""
    for key, value in body.items():
        if key not in _READ and value not in (None, "", [], {}):
            yield _NAMES.get(key, key), value
    for index, candidate in enumerate(body.get("candidates") or ()):
        beside = {
            key: value for key, value in candidate.items() if key not in _READ_IN_CANDIDATE and value not in (None, "", [], {})
        }
        if beside:
            yield f"choice {index}", beside


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The counts, inclusive: what tools put into the prompt is input, thoughts are output."""
    thoughts, tools = usage.get("thoughtsTokenCount"), usage.get("toolUsePromptTokenCount")
    return {
        "input": _sum(usage.get("promptTokenCount"), tools),
        "output": _sum(usage.get("candidatesTokenCount"), thoughts),
        "cache_read": usage.get("cachedContentTokenCount"),
        "reasoning": thoughts,
    }


def _sum(*counts: int | None) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def stop_in(body: Mapping[str, Any]) -> Any:
    """The word for why the model stopped."""
    candidates = body.get("candidates") or ()
    if not candidates:
        return body.get("promptFeedback", {}).get("blockReason")
    return {1: "STOP"}.get(candidates[0].get("finishReason"), candidates[0].get("finishReason"))


def complaints(body: Any) -> list[str]:
    """What the official SDK's type has against an answer or a chunk, strictly, and names that are not in camelCase."""
    try:
        GenerateContentResponse.model_validate_json(json.dumps(body), strict=True)
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_url=False)][:3]
    words = [candidate["finishReason"] for candidate in body.get("candidates") or () if "finishReason" in candidate]
    unknown = [word for word in words if word not in {reason.value for reason in FinishReason}]
    return [f"no such reason: {word}" for word in unknown] + [f"snake_case: {key}" for key in body if "_" in key]
