"""The names that Cohere has for the words.

Source: the request types of POST /v2/chat in the official SDK (`cohere.types`, `cohere.v2`, 7.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cattrs import Converter

from chatadt._hooks import register
from chatadt._wire import Wire, integer, json, plain_json, same, string
from chatadt.chat import ResponseFormat, Thinking
from chatadt.content import Content
from chatadt.dialects._codec import arguments_of, tool_name, unread
from chatadt.dialects._media import image_of_url
from chatadt.dialects._openai_like.arguments import arguments_text
from chatadt.dialects._openai_like.read import image_wires
from chatadt.dialects._openai_like.tools import DEFINITION
from chatadt.dialects.cohere.rules import RULES
from chatadt.message import Message
from chatadt.tool import Tool

__all__ = ("CODEC", "NAME", "PLAN", "image_of", "register_messages")

NAME: Final = "cohere"

PLAN: Final = "tool_plan"
"""Where an assistant's message has what the model thought before it called its tools."""

image_of: Final = image_of_url(NAME, RULES.media_types["image"])
"""Reads the URL of an image."""


CODEC: Final = Converter()

for _case, _tag, _wires in (
    (Content.Text, ("type", "text"), {"text": Wire("text", string, same)}),
    (Content.Reasoning, ("type", "thinking"), {"text": Wire("thinking", string, same)}),
    (Content.Image, ("type", "image_url"), image_wires(image_of)),
    (
        Content.ToolRequest,
        ("type", "function"),
        {
            "id": Wire("id", string, same),
            "name": Wire("function.name", tool_name, same),
            "arguments": Wire("function.arguments", arguments_of, arguments_text),
            "index": unread("index"),
        },
    ),
    (Tool, ("type", "function"), DEFINITION),
    (ResponseFormat.Text, ("type", "text"), {}),
    (ResponseFormat.JsonObject, ("type", "json_object"), {}),
    (ResponseFormat.JsonSchema, ("type", "json_object"), {"schema": Wire("json_schema", json, plain_json)}),
    (Thinking.Off, ("type", "disabled"), {}),
    (Thinking.Adaptive, ("type", "enabled"), {}),
    (Thinking.Budget, ("type", "enabled"), {"tokens": Wire("token_budget", integer, same)}),
):
    register(CODEC, _case, _wires, dialect=NAME, tag=_tag)


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made by `match` in read.py."""
    for case, role in ((Message.System, "system"), (Message.User, "user")):
        register(CODEC, case, {"contents": Wire("content", contents[case], None, plain=True)}, dialect=NAME, tag=("role", role))
    said = Wire(read=contents[Message.Assistant], maybe=("content", "tool_calls", PLAN))
    register(CODEC, Message.Assistant, {"contents": said}, dialect=NAME, tag=("role", "assistant"))
    result = {
        "id": Wire("tool_call_id", string, same),
        "contents": Wire("content", contents[Message.ToolResult], None, plain=True),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("role", "tool"))
