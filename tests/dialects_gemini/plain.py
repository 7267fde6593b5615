"""Requests without what a program said in the dialect's own name: its extras stand beside the fields that they might contradict."""

from __future__ import annotations

import json
from typing import Any

from chatadt import ChatRequest, dumps, loads

__all__ = ("without_own_extras",)


def without_own_extras(request: ChatRequest) -> ChatRequest:
    """The request without extras of Gemini; those of others stay."""
    plain = loads(json.dumps(_without(json.loads(dumps(request))))).unwrap()
    assert isinstance(plain, ChatRequest)
    return plain


def _without(value: Any) -> Any:
    match value:
        case {"type": "custom" | "provider_tool"}:
            return value
        case {"extras": dict(extras), **rest}:
            others = {name: said for name, said in extras.items() if name != "gemini"}
            return {**_without(rest), **({"extras": others} if others else {})}
        case dict():
            return {key: _without(item) for key, item in value.items()}
        case list():
            return [_without(item) for item in value]
        case _:  # a scalar
            return value
