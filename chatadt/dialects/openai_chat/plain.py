"""The short way through OpenAI Chat messages: those that say a text, calls of functions, or both, as nearly all do.

The long way (`read`) reads the same of them; this one takes two thirds of the time (benchmarks/README.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orjson import JSONDecodeError, loads

from chatadt.content import Content
from chatadt.dialects._calls import name_result
from chatadt.dialects._codec import plain_assistant, plain_request, plain_result, plain_text
from chatadt.error import Unexpected
from chatadt.message import Message

__all__ = ("plain_messages",)


def plain_messages(values: Any, by_role: Mapping[Any, Callable[[Any], Message.T]]) -> tuple[Message.T, ...] | None:
    """The messages, their results under the names of the tools; `by_role` reads those that say more.

    None where something is no message, has another role, or cannot be read: the long way says what it is.
    """
    if values.__class__ is not list:
        return None
    names: dict[str, str] = {}
    messages: list[Message.T] = []
    try:
        for value in values:
            role, content = value["role"], value.get("content")
            message: Message.T | None = None
            if role == "tool":
                if content.__class__ is str and len(value) == 3 and (id_ := value["tool_call_id"]).__class__ is str:
                    message = plain_result(id_, names.get(id_), content)
            elif role == "assistant":
                message = _plain_assistant(value, content, names)
            if message is None:
                message = by_role[role](value)
                if message.__class__ is not Message.User:
                    name_result(message, names)
            messages.append(message)
    except (KeyError, TypeError, AttributeError, Unexpected):
        return None
    return tuple(messages)


def _plain_assistant(value: dict[str, Any], content: Any, names: dict[str, str]) -> Message.Assistant | None:
    """The message, if it says nothing but a text, calls of functions, or both; the name of each call goes to `names`."""
    if len(value) == 2 and content.__class__ is str:
        return plain_assistant((plain_text(content),))
    if len(value) == 3 and "content" in value:
        asked = _plain_calls(value.get("tool_calls"), names)
        if asked and content is None:
            return plain_assistant(tuple(asked))
        if asked and content.__class__ is str:
            return plain_assistant((plain_text(content), *asked))
    return None


def _plain_calls(calls: Any, names: dict[str, str]) -> list[Content.ToolRequest] | None:
    """Calls of functions with arguments that are JSON. None when there is anything else to say of one of them."""
    if calls.__class__ is not list:
        return None
    asked: list[Content.ToolRequest] = []
    for call in calls:
        function = call["function"]
        id_, name, arguments = call["id"], function["name"], function["arguments"]
        if call["type"] != "function" or len(call) != 3 or len(function) != 2:
            return None
        if id_.__class__ is not str or name.__class__ is not str or not name or name.isspace() or arguments.__class__ is not str:
            return None
        try:
            loads(arguments)
        except JSONDecodeError:
            return None
        names[id_] = name
        asked.append(plain_request(id_, name, arguments))
    return asked
