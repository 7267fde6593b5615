"""A Responses body told again in the field names that the ledger knows: what is said is the same, only the spelling is another.

It knows the wire and nothing of the library. Whatever has no counterpart keeps its own fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ("as_chat",)

_FIELDS: Final[Mapping[str, str]] = {"max_output_tokens": "max_completion_tokens"}
_KEPT_APART: Final = ("input", "instructions", "tools", "tool_choice", "text", "reasoning")


def as_chat(body: dict[str, Any]) -> dict[str, Any]:
    """The body as the ledger reads it."""
    told = {_FIELDS.get(field, field): value for field, value in body.items() if field not in _KEPT_APART}
    told["messages"] = [*_instructions(body.get("instructions")), *_messages(body.get("input"))]
    if body.get("tools"):
        told["tools"] = [_tool(tool) for tool in body["tools"]]
    match body.get("tool_choice"):
        case None:
            pass
        case {"type": "function", "name": str(name), **rest}:
            told["tool_choice"] = {"type": "function", "function": {"name": name, **rest}}
        case other:
            told["tool_choice"] = other
    told |= _text(body.get("text")) | _reasoning(body.get("reasoning"))
    return told


def _instructions(text: Any) -> list[dict[str, Any]]:
    return [] if text is None else [{"role": "system", "content": text}]


def _messages(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [_message(item) for item in given or ()]


def _message(item: Any) -> Any:
    match item:
        case {"type": "function_call", "call_id": str(id_), "name": name, "arguments": arguments, **rest}:
            call = {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
            return {"role": "assistant", "tool_calls": [call], **rest}
        case {"type": "custom_tool_call", "call_id": str(id_), "name": name, "input": text, **rest}:
            return {
                "role": "assistant",
                "tool_calls": [{"id": id_, "type": "custom", "custom": {"name": name, "text": text}}],
                **rest,
            }
        case {"type": "function_call_output" | "custom_tool_call_output", "call_id": str(id_), "output": output, **rest}:
            return {"role": "tool", "tool_call_id": id_, "content": _content(output), **rest}
        case {"type": "reasoning", "summary": [*summary], **rest}:
            return {"role": "assistant", **rest, "reasoning": summary, "content": rest.get("content")}
        case {"role": str(), "content": content}:
            usual = {"type": "message", "status": "completed"}
            return {**{key: value for key, value in item.items() if usual.get(key) != value}, "content": _content(content)}
        case _:  # an item that nobody else has: a value of its own
            return {"role": "assistant", "item": item}


def _content(content: Any) -> Any:
    return [_part(part) for part in content] if isinstance(content, list) else content


def _part(part: Any) -> Any:
    match part:
        case {"type": "input_text" | "output_text", **rest}:
            return {"type": "text", **{key: value for key, value in rest.items() if value != []}}
        case {"type": "input_image", "image_url": str(url), **rest}:
            detail = {"detail": rest.pop("detail")} if "detail" in rest else {}
            return {"type": "image_url", "image_url": {"url": url, **detail}, **rest}
        case {"type": "input_file", **rest}:
            named = {key: rest.pop(key) for key in ("file_data", "file_id", "filename") if key in rest}
            url = {"url": rest.pop("file_url")} if "file_url" in rest else {}
            return {"type": "file", "file": {**named, **url}, **rest}
        case _:  # a refusal, or a part that nobody else has
            return part


def _tool(tool: Any) -> Any:
    match tool:
        case {"type": "function", **rest}:
            apart = {key: rest.pop(key) for key in list(rest) if key not in {"name", "description", "parameters", "strict"}}
            return {"type": "function", "function": {key: value for key, value in rest.items() if value is not None}, **apart}
        case _:  # a tool that only this provider has
            return {"type": str(tool.get("type")), "definition": tool}


def _text(text: Any) -> dict[str, Any]:
    match text:
        case {"format": {"type": "json_schema", **form}, **rest}:
            told: dict[str, Any] = {"response_format": {"type": "json_schema", "json_schema": form}}
        case {"format": dict(form), **rest}:
            told = {"response_format": form}
        case dict():
            told, rest = {}, text
        case _:  # null, or nothing
            return {}
    return told | ({"text": rest} if rest else {})


def _reasoning(reasoning: Any) -> dict[str, Any]:
    return {"reasoning": reasoning} if isinstance(reasoning, dict) else {}
