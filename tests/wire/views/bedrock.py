"""Answers of Converse, whole and in events, by the service model of the SDK."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import pytest
from dialects_bedrock.adapter import as_known
from dialects_bedrock.judge import patterns, with_bytes

from ._said import fields_but

__all__ = ("accumulated", "as_request", "complaints", "event_complaints", "prose", "said_beside", "stop_in", "tokens", "usage_in")

_LOOKED_AT: Final = frozenset({"output", "usage", "stopReason"})


def as_request(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer as the ledger reads a history; its other fields stand beside."""
    message = body["output"]["message"]
    return {**as_known({"messages": [{**message, "content": [*map(_plain, message["content"])]}]}), **dict(said_beside(body))}


def _plain(block: dict[str, Any]) -> dict[str, Any]:
    """A block without the word that says of a call that it is for the caller to answer; what a server's own tool gave, as it is."""
    match block:
        case {"toolResult": result}:
            return {"server_tool_result": result}
        case {"toolUse": {"type": "tool_use", **rest}}:
            return {"toolUse": rest}
        case _:
            return block


def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an answer says besides its message, its usage and why it stopped."""
    return fields_but(body, _LOOKED_AT)


def usage_in(body: Mapping[str, Any]) -> Any:
    """The counts, as the answer has them."""
    return body.get("usage")


def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]:
    """The tokens that `usage` counts, inclusive; None where a count is not said."""
    read = usage.get("cacheReadInputTokens", usage.get("cacheReadInputTokenCount"))
    write = usage.get("cacheWriteInputTokens", usage.get("cacheWriteInputTokenCount"))
    told = usage.get("inputTokens")
    return {
        "input": None if told is None else told + (read or 0) + (write or 0),
        "output": usage.get("outputTokens"),
        "cache_read": read,
        "cache_write": write,
    }


def stop_in(body: Mapping[str, Any]) -> Any:
    """Why the model stopped, in the provider's word."""
    return body.get("stopReason")


# --- types ----------------------------------------------------------------------------------------------------------------------


@cache
def _model() -> Any:
    loaders = pytest.importorskip("botocore.loaders", reason="botocore is the judge of Converse: install it")
    model = pytest.importorskip("botocore.model")
    return model.ServiceModel(loaders.Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")


def complaints(body: Any) -> list[str]:
    """What the service model has against an answer of Converse: types, members, patterns and enumerations."""
    return _against(_model().operation_model("Converse").output_shape, body)


def event_complaints(event: Any) -> list[str]:
    """What the service model has against an event of ConverseStream."""
    return _against(_model().operation_model("ConverseStream").output_shape.members["stream"], event)


def _against(shape: Any, value: Any) -> list[str]:
    validate = pytest.importorskip("botocore.validate")
    whole = with_bytes(value, shape)
    report = validate.ParamValidator().validate(whole, shape)
    if report.has_errors():
        return [report.generate_report()]
    several = [f"{[*value]} in one event"] if getattr(shape, "is_tagged_union", False) and len(value) != 1 else []
    return several + [f"{path}: {what}" for path, what in patterns(whole, shape, "$")]


# --- streams --------------------------------------------------------------------------------------------------------------------


def accumulated(events: list[Any]) -> dict[str, Any]:
    """The answer that events say, put together by the service model: pieces by the number of their block."""
    blocks: dict[int, dict[str, Any]] = {}
    body: dict[str, Any] = {}
    for event in events:
        for name, said in event.items():
            match name, said:
                case "contentBlockStart", {"contentBlockIndex": index, "start": start}:
                    blocks[index] = {kind: dict(inner) for kind, inner in start.items()}
                case "contentBlockDelta", {"contentBlockIndex": index, "delta": piece}:
                    _grow(blocks.setdefault(index, {}), piece)
                case "messageStop" | "metadata", dict():
                    body |= said
                case _:
                    continue
    content = [_finished(blocks[index]) for index in sorted(blocks)]
    if "amazon-bedrock-invocationMetrics" in {name for event in events for name in event}:
        content = _joined(content)
    return {**body, "output": {"message": {"role": "assistant", "content": content}}}


def _joined(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of a Nova, which InvokeModel closes after each piece of a text, with one text for all that follow each other."""
    joined: list[dict[str, Any]] = []
    for block in content:
        if joined and joined[-1].keys() == block.keys() == {"text"}:
            joined[-1] = {"text": joined[-1]["text"] + block["text"]}
        else:
            joined.append(block)
    return joined


def _grow(block: dict[str, Any], piece: dict[str, Any]) -> None:
    match piece:
        case {"text": text}:
            block["text"] = block.get("text", "") + text
        case {"toolUse": {"input": text}}:
            call = block.setdefault("toolUse", {})
            call["input"] = call.get("input", "") + text
        case {"reasoningContent": {"redactedContent": hidden}}:
            inner = block.setdefault("reasoningContent", {})
            before = b64decode(inner.get("redactedContent", ""))
            inner["redactedContent"] = b64encode(before + b64decode(hidden)).decode()
        case {"reasoningContent": {**said}}:
            told = block.setdefault("reasoningContent", {}).setdefault("reasoningText", {})
            for key, text in said.items():
                told[key] = told.get(key, "") + text
        case {"citation": citation}:
            block.setdefault("citations", []).append(citation)
        case {"toolResult": results}:
            block.setdefault("toolResult", {}).setdefault("content", []).extend(results)
        case {"image": image}:
            block.setdefault("image", {}).update(image)
        case _:
            raise ValueError(f"no such piece: {piece}")


def _finished(block: dict[str, Any]) -> dict[str, Any]:

    match block:
        case {"toolUse": {**call}}:
            text = call.get("input", "")
            try:
                return {"toolUse": {**call, "input": json.loads(text) if text else {}}}
            except ValueError as error:
                raise ValueError(f"Unable to parse tool parameter JSON: {text!r}") from error
        case {"citations": citations}:
            return {"citationsContent": {"content": [{"text": block.get("text", "")}], "citations": citations}}
        case _:
            return block


def prose(event: Any) -> Any:
    """The texts of an event: what a person would miss."""
    match event:
        case {"contentBlockDelta": {"delta": {"text": str() as text}}}:
            return [text]
        case {"contentBlockDelta": {"delta": {"reasoningContent": {"text": str() as text}}}}:
            return [text]
        case _:
            return None
