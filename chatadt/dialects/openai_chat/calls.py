"""OpenAI Chat JSON -> what the model asks for: calls of functions and of custom tools, and the deprecated single call."""

from __future__ import annotations

from typing import Any, Final, cast

from chatadt._hooks import structuring
from chatadt._wire import each, json, leftover, string
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import at, noted, tool_name
from chatadt.dialects.openai_chat.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.json import Json

__all__ = ("function_call", "tool_calls")


def tool_calls(value: Any) -> tuple[Content.Output, ...]:
    """Calls of any kind. One that there is no word for is a Custom of `{"$tool_call": …}`."""
    return each(_tool_call, value)


def _tool_call(value: Any) -> Content.Output:
    if value.__class__ is not dict:
        raise Unexpected.of("a tool call, which is an object", value)
    match value.get("type"):
        case "function":
            request = _tool_request(value)
        case None if "type" not in value:
            request = noted(_tool_request({**value, "type": "function"}), NAME, "$absent", ["type"])
        case "custom":
            return _custom_call(value)
        case _:
            return Content.Custom(NAME, json({"$tool_call": json(value).value}))
    if request.arguments is not NO_ARGUMENTS:
        return request
    return noted(request, NAME, "$arguments", value["function"]["arguments"])  # nothing at all, which means {}


def _custom_call(value: dict[str, Any]) -> Content.ToolRequest:
    """A call of a tool that takes text: its arguments are that text, as a JSON string."""
    call = value.get("custom")
    if call.__class__ is not dict:
        raise Unexpected.of("an object with name and input", call, ".custom")
    fields = cast("dict[str, Any]", call)
    arguments = Arguments.Parsed(Json.of(at(".custom.input", string, fields.get("input"))))
    rest: dict[str, Any] = {key: item for key, item in value.items() if key not in ("id", "type", "custom")}
    inner = {key: item for key, item in fields.items() if key not in ("name", "input")}
    extras = leftover({**rest, **({"custom": inner} if inner else {})}, NAME, {"$type": "custom"})
    id_, name = at(".id", string, value.get("id")), at(".custom.name", tool_name, fields.get("name"))
    return Content.ToolRequest(id_, name, arguments, extras)


def function_call(value: Any) -> Content.ToolRequest:
    """The deprecated single call: it has no id."""
    if value.__class__ is not dict:
        raise Unexpected.of("an object with name and arguments", value)
    text = at(".arguments", string, value.get("arguments"))
    rest = {key: item for key, item in value.items() if key not in ("name", "arguments")}
    notes: dict[str, Any] = {"$function_call": True, "$arguments": text} if not text.strip() else {"$function_call": True}
    extras = leftover({"function_call": json(rest).value} if rest else {}, NAME, notes)
    return Content.ToolRequest("", at(".name", tool_name, value.get("name")), text, extras)


_tool_request: Final = structuring(CODEC, Content.ToolRequest)
