"""The names that Ollama has for the words.

Source: the request types of POST /api/chat in the official SDK (`ollama`, 0.6) and in the server (`api/types.go`), which knows ids
of calls that the SDK does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cattrs import Converter

from chatadt._hooks import register
from chatadt._wire import Wire, json, same
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import parsed, tool_name
from chatadt.dialects._openai_like.read import some_id, some_name
from chatadt.dialects._openai_like.tools import DEFINITION
from chatadt.error import Unexpected
from chatadt.message import Message
from chatadt.tool import Tool

__all__ = ("CODEC", "NAME", "register_messages")

NAME: Final = "ollama"


def _arguments(value: Any) -> Arguments.T:
    if value.__class__ is not dict:
        raise Unexpected.of("an object", value)
    return parsed(json(value))


CODEC: Final = Converter()

register(
    CODEC,
    Content.ToolRequest,
    {
        "id": Wire("id", some_id, None, optional=True, default=""),
        "name": Wire("function.name", tool_name, same),
        "arguments": Wire("function.arguments", _arguments, None, optional=True, default=NO_ARGUMENTS),
    },
    dialect=NAME,
)
register(CODEC, Tool, DEFINITION, dialect=NAME, tag=("type", "function"))


def register_messages(contents: Mapping[type, Any]) -> None:
    """Complete the codec with the readers of contents, which are made in read.py."""
    for case, role, keys in (
        (Message.System, "system", ("content",)),
        (Message.User, "user", ("content", "images")),
        (Message.Assistant, "assistant", ("content", "thinking", "tool_calls")),
    ):
        register(CODEC, case, {"contents": Wire(read=contents[case], maybe=keys)}, dialect=NAME, tag=("role", role))
    result = {
        "id": Wire("tool_call_id", some_id, None, optional=True, default=""),
        "tool": Wire("tool_name", some_name, None, optional=True, default=None),
        "contents": Wire(read=contents[Message.ToolResult], maybe=("content", "images")),
    }
    register(CODEC, Message.ToolResult, result, dialect=NAME, tag=("role", "tool"))
