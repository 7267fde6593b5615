"""What http4k writes, in this library's names: `toolRequests`, `mimeType`, the text of a system message, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

__all__ = ("from_http4k",)


def from_http4k(value: Any) -> Any:
    """The same JSON in this library's names; what is not http4k's stays as it is, as do its parameters and its metadata."""
    match value:
        case list():
            return [_word(item) for item in cast("Iterable[Any]", value)]
        case {"messages": list()}:
            return {**value, "messages": from_http4k(value["messages"])}
        case {"message": message}:
            return {**value, "message": _word(message)}
        case _:
            return _word(value)


def _word(value: Any) -> Any:
    rest: dict[str, Any] = {**value} if value.__class__ is dict else {}
    match value:
        case {"type": "system" | "tool", "text": text} if "contents" not in value:
            del rest["text"]
            rest["contents"] = [{"type": "text", "text": text}]
        case {"type": "user" | "assistant", "contents": list()} if "toolRequests" not in value:
            rest["contents"] = from_http4k(value["contents"])
        case {"type": "assistant", "toolRequests": [*requests]} if {item.__class__ for item in requests} <= {dict}:
            # Contents and requests stand apart: in which order they were said nobody wrote down.
            said, asked = value.get("contents", []), cast("list[dict[str, Any]]", rest.pop("toolRequests"))
            requested = [dict[str, Any](type="tool_request", arguments={}) | request for request in asked]
            rest["contents"] = [*from_http4k(said), *requested] if said.__class__ is list else said
        case {"type": "image", "image": resource} if "resource" not in value:
            del rest["image"]
            rest["resource"] = _word(resource)
            rest |= {"detail": detail.lower()} if (detail := value.get("detail")) in ("Low", "High", "Auto") else {}
        case {"type": "audio" | "video" | "pdf" | "custom" as tag, "resource": resource}:
            rest |= {"type": "file" if tag == "custom" else tag, "resource": _word(resource)}
        case {"type": "ref" | "binary", "mimeType": kind} if "mime_type" not in value:
            del rest["mimeType"]
            rest["mime_type"] = kind
        case _:
            return value
    return rest
