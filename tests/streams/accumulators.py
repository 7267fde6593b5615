"""The official clients' own accumulators: a stream's events in, the body of an answer out."""

from __future__ import annotations

import warnings
from typing import Any, Final

from anthropic.lib.streaming._messages import accumulate_event
from openai import omit
from openai._models import construct_type
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent

from tests.dialects_bedrock.answers import accumulated as bedrock, prose as prose_of_bedrock

__all__ = ("anthropic", "bedrock", "gemini", "openai_chat", "openai_responses", "prose_of_bedrock")


def openai_chat(events: list[Any]) -> dict[str, Any]:
    """The answer that the openai client makes of chunks; whatever it raises is raised."""
    state: Any = ChatCompletionStreamState()
    with warnings.catch_warnings(action="ignore"):  # of pydantic, about servers that send other types
        for event in events:
            state.handle_chunk(construct_type(type_=ChatCompletionChunk, value=event))
    body: dict[str, Any] = state.current_completion_snapshot.to_dict(mode="json", warnings=False)
    return body


def anthropic(events: list[Any]) -> dict[str, Any]:
    """The answer that the anthropic client makes of events; whatever it raises is raised."""
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    with warnings.catch_warnings(action="ignore"):
        for event in events:
            data = event.get("data", event)
            if data.get("type") not in ("ping", "error"):
                snapshot = accumulate_event(event=data, current_snapshot=snapshot, json_bufs=buffers)
    body: dict[str, Any] = snapshot.to_dict(mode="json", warnings=False)
    return body


def openai_responses(events: list[Any]) -> dict[str, Any]:
    """The answer that the openai client makes of events; whatever it raises is raised. Of one that broke off, what came."""
    state: Any = ResponseStreamState(input_tools=omit, text_format=omit)
    response = running = None
    with warnings.catch_warnings(action="ignore"):
        for event in events:
            data = event.get("data", event)
            if data.get("type") != "error":
                told: Any = construct_type(type_=ResponseStreamEvent, value=data)
                state.handle_event(told)
                running = getattr(told, "response", None) or running
                response = running if data["type"] in _ENDS else response
    whole = state._completed_response or response or state._ResponseStreamState__current_snapshot
    body: dict[str, Any] = whole.to_dict(mode="json", warnings=False)
    return body if response else {**body, "usage": running.usage and running.usage.to_dict()}


_ENDS: Final = ("response.completed", "response.incomplete", "response.failed")


def gemini(events: list[Any]) -> dict[str, Any]:
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
        usage = {**body.get("usageMetadata", {}), **(chunk.get("usageMetadata") or {})}
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
