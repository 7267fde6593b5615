"""Answers of generateContent, whole and in chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.genai.types import FinishReason, GenerateContentResponse
from pydantic import ValidationError

from tests.dialects_gemini.as_chat import as_chat

from ._said import fields_but

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_NAMES: Final[Mapping[str, str]] = {"modelVersion": "model", "responseId": "id"}
_READ: Final = frozenset({"candidates", "usageMetadata"})
_READ_IN_CANDIDATE: Final = frozenset({"content", "finishReason", "index"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the history of a request holds it."""
    contents = [candidate["content"] for candidate in body.get("candidates") or () if candidate.get("content")]
    return {"messages": as_chat({"contents": contents})["messages"], **dict(said_beside(body))}


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What the answer says besides its messages, its usage and why it stopped."""
    yield from ((_NAMES.get(key, key), value) for key, value in fields_but(body, _READ))
    for index, candidate in enumerate(body.get("candidates") or ()):
        if beside := dict(fields_but(candidate, _READ_IN_CANDIDATE)):
            yield f"choice {index}", beside


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usageMetadata")


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


def event_complaints(event: Any) -> list[str]:
    """The same of a chunk; an error in a stream has no type."""
    return [] if "error" in event else complaints(event)


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that chunks are pieces of, as Google's page on thought signatures has it: the official client does not join them.

    Texts of one kind that follow each other are one, unless one of them is signed. Later counts take the place of earlier ones.
    """
    body: dict[str, Any] = {}
    candidates: dict[int, dict[str, Any]] = {}
    for chunk in events:
        for candidate in chunk.get("candidates") or ():
            told = candidates.setdefault(candidate.get("index", 0), {"index": candidate.get("index", 0), "parts": []})
            told.update({key: value for key, value in candidate.items() if key in ("finishReason", "finishMessage")})
            for part in (candidate.get("content") or {}).get("parts") or ():
                _join(told["parts"], dict(part))
        counts = chunk.get("usageMetadata") or {}  # the last ones stand, but that what was cached is told by early chunks alone
        before = body.get("usageMetadata", {})
        if "totalTokenCount" in counts:
            before = {key: count for key, count in before.items() if key == "cachedContentTokenCount"}
        usage = {**before, **counts}
        body |= {key: value for key, value in chunk.items() if key in ("responseId", "modelVersion", "promptFeedback")}
        body |= {"usageMetadata": usage} if usage else {}
    for told in candidates.values():
        told["content"] = {"role": "model", "parts": told.pop("parts")}
    return {**body, "candidates": list(candidates.values())} if candidates else body


def _join(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    plain = part.keys() <= {"text", "thought"}
    if plain and not part.get("text"):
        return
    call = part.get("functionCall")
    if call is not None and (call.keys() & {"partialArgs", "willContinue"} or not call.get("name")):
        _join_call(parts, call)
    elif plain and parts and parts[-1].keys() == part.keys():
        parts[-1]["text"] += part["text"]
    else:
        parts.append(part)


def _join_call(parts: list[dict[str, Any]], call: dict[str, Any]) -> None:
    """A call in pieces, of which only what is said at the first level of its arguments is joined."""
    if call.get("name"):
        parts.append({"functionCall": {"name": call["name"], "args": {}}})
    arguments = parts[-1]["functionCall"]["args"]
    for piece in call.get("partialArgs", ()):
        name = piece["jsonPath"].removeprefix("$.")
        arguments[name] = arguments.get(name, "") + piece["stringValue"]


def prose(event: Any) -> Any:
    """The texts of a chunk: what a person would miss."""
    match event:
        case {"candidates": [{"content": {"parts": [*parts]}}]}:
            return [part["text"] for part in parts if "text" in part]
        case _:
            return None
