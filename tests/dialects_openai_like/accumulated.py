"""Streams of Mistral, Cohere and Ollama as a plain client puts them together; their official clients leave that to the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from streams import accumulators

__all__ = ("accumulated",)


def accumulated(name: str, events: list[Any]) -> dict[str, Any]:
    """The body of the answer that the events of a stream say; errors in it are left out. May raise what a client raises."""
    return _CLIENTS[name]([event for event in events if not _is_error(event)])


def _is_error(event: Any) -> bool:
    return "error" in event or event.get("object") == "error" or event.get("event") == "error"


def _mistral(events: list[Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"choices": []}
    choices: dict[int, dict[str, Any]] = {}
    for event in events:
        body |= {key: value for key, value in event.items() if key not in ("choices", "p")}
        for each in event["choices"]:
            choice = choices.setdefault(each["index"], {"index": each["index"], "message": {"role": "assistant", "content": []}})
            choice |= {key: value for key, value in each.items() if key not in ("delta", "index") and value is not None}
            message = choice["message"]
            delta = dict(each["delta"])
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
    body["choices"] = [choices[number] for number in sorted(choices)]
    return body


def _go_on(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    if parts and parts[-1]["type"] == part["type"] == "text":
        parts[-1]["text"] = parts[-1]["text"] + part["text"]
    elif parts and parts[-1]["type"] == part["type"] == "thinking":
        parts[-1]["thinking"] = parts[-1]["thinking"] + part["thinking"]
    elif part.get("text") != "":
        parts.append(dict(part))


def _cohere(events: list[Any]) -> dict[str, Any]:
    body: dict[str, Any] = {}
    message: dict[str, Any] = {}
    contents: dict[int, dict[str, Any]] = {}
    calls: dict[int, dict[str, Any]] = {}
    for event in events:
        data = event["data"]
        said = (data.get("delta") or {}).get("message") or {}
        match data["type"]:
            case "message-start":
                body = {"id": data.get("id"), "message": message}
                message |= {"role": "assistant", "content": [], "citations": []}
            case "content-start":
                contents[data["index"]] = dict(said["content"])
                message["content"].append(contents[data["index"]])
            case "content-delta":
                for key, text in said["content"].items():
                    contents[data["index"]][key] += text
            case "tool-plan-delta":
                message["tool_plan"] = message.get("tool_plan", "") + said["tool_plan"]
            case "tool-call-start":
                calls[data["index"]] = {**said["tool_calls"], "function": dict(said["tool_calls"]["function"])}
                message.setdefault("tool_calls", []).append(calls[data["index"]])
            case "tool-call-delta":
                calls[data["index"]]["function"]["arguments"] += said["tool_calls"]["function"]["arguments"]
            case "citation-start":
                message["citations"].append(said["citations"])
            case "message-end":
                body |= data["delta"]
            case _:
                continue
    return body


def _ollama(events: list[Any]) -> dict[str, Any]:
    body: dict[str, Any] = {}
    message: dict[str, Any] = {"content": ""}
    for event in events:
        body |= event
        for key, value in event["message"].items():
            message[key] = message.get(key, type(value)()) + value if key in ("content", "thinking", "tool_calls") else value
    return {**body, "message": message}


_CLIENTS: Final[Mapping[str, Callable[[list[Any]], dict[str, Any]]]] = {
    "mistral": _mistral,
    "cohere": _cohere,
    "ollama": _ollama,
    "openai_chat": accumulators.openai_chat,
    "anthropic": accumulators.anthropic,
}
