"""The three dialects, their recorded traffic, and their bodies in OpenAI's spelling, as the ledger of tests/wire reads them."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from wire.corpus import Recording, recordings

from chatadt import DIALECTS
from chatadt.dialects import Dialect
from chatadt.dialects.cohere import DIALECT as COHERE
from chatadt.dialects.mistral import DIALECT as MISTRAL
from chatadt.dialects.ollama import DIALECT as OLLAMA

__all__ = ("FAMILY", "FIRST", "accepted", "openai_spelling", "recorded_of", "sample")

FAMILY: Final[Mapping[str, Dialect]] = {"mistral": MISTRAL, "cohere": COHERE, "ollama": OLLAMA}
FIRST: Final[Mapping[str, Dialect]] = {name: DIALECTS[name] for name in ("openai_chat", "anthropic")}

_FAMILIES: Final = {"mistral": "openai_chat", "cohere": "cohere_v2", "ollama": "ollama"}


@cache
def recorded_of(name: str) -> tuple[Recording, ...]:
    """Every recorded request of a dialect; Mistral's stand among those of the OpenAI family."""
    rows = recordings(_FAMILIES[name], "request")
    return tuple(row for row in rows if row.dialect in {name, _FAMILIES[name]} and (name != "mistral" or row.dialect == name))


def accepted(name: str) -> tuple[Recording, ...]:
    """The requests of real calls that the provider accepted."""
    return tuple(row for row in recorded_of(name) if row.is_recorded)


@cache
def sample(family: str, size: int = 200) -> tuple[Recording, ...]:
    """About `size` recorded requests of a dialect that is not of this family, evenly spread, the same every time."""
    rows = [row for row in recordings(family, "request") if row.is_recorded and row.dialect != "mistral"]
    return tuple(rows[:: max(1, len(rows) // size)])


# --- OpenAI's spelling ---------------------------------------------------------------------------------------------------------


def openai_spelling(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """The body of a dialect as OpenAI would spell it; the keys of its messages in the order of speech.

    Nothing is left out but a tool choice that says what its absence says: the model decides.
    """
    spelt = _in_order(_SPELLINGS[name](body) if name in _SPELLINGS else body)
    match spelt.get("tool_choice"):
        case {"type": "auto", "disable_parallel_tool_use": bool(alone), **rest} if not rest:
            spelt = {**spelt, "tool_choice": "auto", "parallel_tool_calls": not alone}
        case _:  # it says something
            pass
    return {
        key: value
        for key, value in spelt.items()
        if (key, value) not in (("tool_choice", "auto"), ("tool_choice", {"type": "auto"}))
    }


def _in_order(body: dict[str, Any]) -> dict[str, Any]:
    """Thoughts before words, and calls behind them, whatever the order of the keys."""
    if not isinstance(body.get("messages"), list):
        return body
    return {**body, "messages": [dict(sorted(message.items(), key=_place)) for message in body["messages"]]}


def _place(item: tuple[str, Any]) -> int:
    return {"tool_plan": 0, "reasoning_content": 0, "reasoning": 0, "thinking": 0, "tool_calls": 2}.get(item[0], 1)


def _mistral(body: dict[str, Any]) -> dict[str, Any]:
    renamed = {"random_seed": "seed"}
    rest = {renamed.get(key, key): value for key, value in body.items() if key != "messages"}
    return {**rest, "messages": [_mistral_message(message) for message in body["messages"]]}


def _mistral_message(message: dict[str, Any]) -> dict[str, Any]:
    """Without the index of a call and without a prefix, which tell of places only."""
    out = {key: value for key, value in message.items() if key != "prefix"}
    if isinstance(out.get("content"), list):
        out["content"] = [_mistral_chunk(chunk) for chunk in out["content"]]
    if out.get("tool_calls"):
        out["tool_calls"] = [{key: value for key, value in call.items() if key != "index"} for call in out["tool_calls"]]
    return out


def _mistral_chunk(chunk: dict[str, Any]) -> dict[str, Any]:
    match chunk:
        case {"type": "thinking", "thinking": [*inner], **rest}:
            texts = "".join(item["text"] for item in inner if item["type"] == "text")
            others = [item for item in inner if item["type"] != "text"]
            return {**rest, "type": "thinking", "thinking": texts, **({"others": others} if others else {})}
        case {"type": "input_audio", "input_audio": str(sound), **rest} if not sound.startswith(("data:", "http")):
            return {**rest, **_shown(sound)}
        case {"type": "document_url", "document_name": str(title), **rest}:
            return {**rest, "type": "document_url", "title": title}
        case _:  # spelt as OpenAI spells it
            return chunk


def _cohere(body: dict[str, Any]) -> dict[str, Any]:
    renamed = {"p": "top_p", "k": "top_k"}
    rest = {renamed.get(key, key): value for key, value in body.items() if key not in {"messages", "strict_tools"}}
    if "strict_tools" in body:
        rest["tools"] = [
            {**tool, "function": {**tool["function"], "strict": body["strict_tools"]}} for tool in rest.get("tools", ())
        ]
    match rest.get("response_format"):
        case {"type": "json_object", "json_schema": dict(schema)}:
            rest["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        case _:  # no schema
            pass
    match rest.get("thinking"):
        case {"token_budget": tokens, **others}:
            rest["thinking"] = {**others, "budget_tokens": tokens}
        case {"type": "enabled", **others}:
            rest["thinking"] = {**others, "type": "adaptive"}
        case _:  # switched off, or nothing is said
            pass
    if isinstance(rest.get("tool_choice"), str):
        rest["tool_choice"] = rest["tool_choice"].lower()
    return {**rest, "messages": [_cohere_message(message) for message in body["messages"]]}


def _cohere_message(message: dict[str, Any]) -> dict[str, Any]:
    out = {("reasoning_content" if key == "tool_plan" else key): value for key, value in message.items()}
    if isinstance(out.get("content"), list):
        out["content"] = [_cohere_part(part) for part in out["content"]]
    return out


def _cohere_part(part: dict[str, Any]) -> dict[str, Any]:
    match part:
        case {"type": "document", "document": {"data": data, **about}, **rest}:
            return {**rest, "type": "text", "text": json.dumps(data, separators=(",", ":"), ensure_ascii=False), **about}
        case _:  # spelt as OpenAI spells it
            return part


def _ollama(body: dict[str, Any]) -> dict[str, Any]:
    options = dict(body.get("options") or {})
    renamed = {"num_predict": "max_tokens"}
    flat = {renamed.get(key, key): value for key, value in options.items()}
    rest = {key: value for key, value in body.items() if key not in {"messages", "options", "format", "think"}}
    match body.get("format"):
        case "json":
            rest["response_format"] = {"type": "json_object"}
        case dict() as schema:
            rest["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        case _:  # "" and null say nothing
            pass
    match body.get("think"):
        case bool() as thinks:
            rest["thinking"] = {"type": "adaptive" if thinks else "disabled"}
        case str() as level:
            rest["reasoning_effort"] = level
        case _:  # nothing is said
            pass
    return {**flat, **rest, "messages": list(_ollama_messages(body["messages"]))}


def _ollama_messages(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """With an id for each call, and for the result that follows in its place; a name that the call has is not said twice."""
    waiting: list[tuple[str, str]] = []
    asked: list[tuple[str, str]] = []
    count = 0
    for message in messages:
        out = {key: value for key, value in message.items() if key not in {"images", "tool_name"}}
        if message.get("images"):
            texts = [{"type": "text", "text": message["content"]}] if message.get("content") else []
            out["content"] = [*texts, *(_shown(image) for image in message["images"])]
        if message.get("tool_calls"):
            out["tool_calls"] = [{**call, "id": f"c{count + at}"} for at, call in enumerate(message["tool_calls"])]
            asked += waiting
            waiting = [(call["id"], call["function"]["name"]) for call in out["tool_calls"]]
            count += len(waiting)
        if message["role"] == "tool":
            asked += waiting
            named = next((call for call in (*waiting, *asked) if call[1] == message.get("tool_name", call[1])), ("", ""))
            waiting = [call for call in waiting if call != named]
            out["tool_call_id"] = named[0]
            if message.get("tool_name", named[1]) != named[1]:
                out["name"] = message["tool_name"]
        yield out


def _shown(image: str) -> dict[str, Any]:
    kind = _sniffed(image)
    if kind.startswith("audio/"):
        return {"type": "input_audio", "input_audio": {"data": image, "format": kind.partition("/")[2]}}
    return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{image}"}}


_MAGIC: Final = {
    b"RIFF": "audio/wav",
    b"ID3": "audio/mp3",
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
}


def _sniffed(payload: str) -> str:
    head = b64decode(payload[:64])
    if head[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), "")


_SPELLINGS: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "mistral": _mistral,
    "cohere": _cohere,
    "ollama": _ollama,
}
