"""A Converse request as the ledger reads one: each thing that it says, in the shape that the ledger knows for it.

The ledger knows two wire formats. This spells a third as one of them, key by key, and knows nothing of the library: a medium
becomes its payload and its media type, a mark of the cache the attribute that stands for it.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any, Final

from tests.wire.values import decoded, utf8

__all__ = ("as_known",)

_MEDIA: Final = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html",
    "txt": "text/plain",
    "md": "text/markdown",
    "mp3": "audio/mpeg",
    "mov": "video/quicktime",
    "mkv": "video/x-matroska",
}
_MARK: Final = {"type": "ephemeral"}


def as_known(body: dict[str, Any]) -> dict[str, Any]:
    """What a Converse request says, as an Anthropic request would say it."""
    known: dict[str, Any] = {"messages": [_turn(message) for message in body.get("messages", [])]}
    if body.get("system"):
        known["system"] = list(_blocks(body["system"]))
    known |= _parameters(body)
    known |= _tools(body.get("toolConfig") or {})
    return known


def _turn(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "content": list(_blocks(message["content"]))}


def _blocks(blocks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        yield from _block(block)


def _block(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for kind, inner in block.items():
        match kind, inner:
            case "text", _:
                yield {"type": "text", "text": inner}
            case "image" | "document" | "video" | "audio", {"source": dict()}:
                yield _medium(kind, inner)
            case "toolUse", {"toolUseId": id, "name": name, "input": arguments, **rest}:
                yield {"type": "tool_use", "id": id, "name": name, "input": arguments, **rest}
            case "toolResult", _:
                yield _result(inner)
            case "reasoningContent", {"reasoningText": {"text": text, **signed}}:
                yield {"type": "thinking", "thinking": text, **signed}
            case "reasoningContent", {"redactedContent": hidden}:
                yield {"type": "redacted_thinking", "data": b64decode(hidden).decode("latin-1")}
            case "guardContent", {"text": {"text": text, **rest}}:
                yield {"type": "text", "text": text, **rest}
            case "citationsContent", {"content": [{"text": text}], **rest}:
                yield {"type": "text", "text": text, **rest}
            case "cachePoint", _:
                yield {"cache_control": {**inner, **_MARK}}
            case "json", _:
                yield {"type": "text", "text": json.dumps(inner, separators=(",", ":"), ensure_ascii=False)}
            case _:  # a block that only Converse has
                yield {kind: inner}


def _medium(kind: str, inner: dict[str, Any]) -> dict[str, Any]:
    source, form = inner["source"], inner.get("format", "")
    more = {key: item for key, item in inner.items() if key not in {"source", "format", "name"}}
    named = {"title": inner["name"]} if "name" in inner else {}
    media = _MEDIA.get(form, f"{kind}/{form}")
    match source:
        case {"bytes": data}:
            said = {"type": "base64", "media_type": media, "data": data}
            if media.startswith("text/") and (text := utf8(data)) is not None:
                said = {"type": "text", "media_type": "text/plain", "data": text}
        case {"s3Location": {"uri": uri, **owner}}:
            said = {"type": "url", "url": uri, **owner}
        case {"text": text}:
            said = {"type": "text", "media_type": "text/plain", "data": text}
        case _:
            said = source
    return {"source": said, **named, **more}


def _result(inner: dict[str, Any]) -> dict[str, Any]:
    more = {key: item for key, item in inner.items() if key not in {"toolUseId", "content", "status"}}
    error = {"is_error": True} if inner.get("status") == "error" else {}
    return {"type": "tool_result", "tool_use_id": inner["toolUseId"], "content": list(_blocks(inner["content"])), **error, **more}


def _parameters(body: dict[str, Any]) -> dict[str, Any]:
    config, output = body.get("inferenceConfig") or {}, body.get("outputConfig") or {}
    fields = body.get("additionalModelRequestFields") or {}
    known: dict[str, Any] = {
        "model": body.get("modelId"),
        "max_tokens": config.get("maxTokens", config.get("max_new_tokens")),
        "temperature": config.get("temperature"),
        "top_p": config.get("topP"),
        "stop_sequences": config.get("stopSequences"),
        "top_k": config.get("topK", fields.get("top_k", (fields.get("inferenceConfig") or {}).get("topK"))),
        "thinking": fields.get("thinking", fields.get("reasoning_config")),
    }
    effort = output.get("effort") or (fields.get("output_config") or {}).get("effort")
    if effort:
        known["reasoning_effort"] = effort
    match output.get("textFormat"):
        case {"type": "json_schema", "structure": {"jsonSchema": {"schema": schema, **named}}}:
            known["output_config"] = {"format": {"type": "json_schema", "schema": decoded(schema), **named}}
        case None:
            pass
        case other:
            known["output_config"] = {"format": other}
    taken = {"top_k", "thinking", "reasoning_config", "output_config", "inferenceConfig"}
    rest = {key: item for key, item in fields.items() if key not in taken}
    others = {"messages", "system", "toolConfig", "modelId", "inferenceConfig", "outputConfig", "additionalModelRequestFields"}
    return {**known, **rest, **{key: item for key, item in body.items() if key not in others}}


def _tools(config: dict[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {"tools": [inner for tool in config.get("tools") or [] for inner in _tool(tool)]}
    match config.get("toolChoice"):
        case {"auto": _}:
            known["tool_choice"] = {"type": "auto"}
        case {"any": _}:
            known["tool_choice"] = {"type": "any"}
        case {"tool": {"name": name}}:
            known["tool_choice"] = {"type": "tool", "name": name}
        case other:
            known["tool_choice"] = other
    return known if known["tools"] else {key: item for key, item in known.items() if key != "tools" and item is not None}


def _tool(tool: dict[str, Any]) -> Iterator[dict[str, Any]]:
    match tool:
        case {"toolSpec": {"inputSchema": {"json": schema}, **rest}}:
            yield {**rest, "input_schema": schema}
        case {"cachePoint": point}:
            yield {"cache_control": {**point, **_MARK}}
        case _:
            yield tool
