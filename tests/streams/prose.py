"""The texts that bodies and events say, found without any reader of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from .accumulators import prose_of_bedrock

__all__ = ("prose", "texts")

_PROSE: Final = frozenset(
    f"response.{kind}.delta" for kind in ("output_text", "refusal", "reasoning_text", "reasoning_summary_text")
)


def texts(value: Any) -> Iterator[str]:
    """Every string of a value, and those of the JSON that a string is."""
    match value:
        case dict():
            for inner in value.values():
                yield from texts(inner)
        case list():
            for inner in value:
                yield from texts(inner)
        case str():
            yield value
            if value[:1] in ("{", "["):
                try:
                    yield from texts(json.loads(value))
                except ValueError:
                    return
        case _:
            return


def prose(event: Any) -> Any:
    """The texts of an event of any dialect: what a person would miss."""
    match event:
        case {"data": {"delta": {"type": "text_delta" | "thinking_delta"} as said}}:
            return {key: value for key, value in said.items() if key != "type"}
        case {"data": {"type": str() as kind, "delta": str() as text}} if kind in _PROSE:
            return text
        case {"data": {"type": "content-delta", "delta": {"message": {"content": {**said}}}}} | {
            "type": "content-delta",
            "delta": {"message": {"content": {**said}}},
        }:
            return [said.get("text"), said.get("thinking")]
        case {"candidates": [{"content": {"parts": [*parts]}}]}:
            return [part["text"] for part in parts if "text" in part]
        case {"choices": [{"delta": {**said}}]}:
            content = said.get("content")
            parts = [part.get("text") for part in content if part.get("type") == "text"] if isinstance(content, list) else [content]
            return [*(said.get(key) for key in ("reasoning", "reasoning_content", "refusal")), *parts]
        case {"contentBlockDelta": _}:
            return prose_of_bedrock(event)
        case {"message": {**said}, "done": _}:
            return [said.get("content"), said.get("thinking")]
        case _:
            return None
