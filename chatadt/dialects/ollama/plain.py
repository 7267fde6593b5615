"""The short way through Ollama's messages: texts, calls and results that name their tool.

The long way is in `read` (see `dialects._plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chatadt.content import Content
from chatadt.dialects._codec import plain_assistant, plain_request, plain_result, plain_text
from chatadt.dialects._plain import is_tool_name
from chatadt.dialects.ollama.ties import Ties
from chatadt.error import Unexpected
from chatadt.json import dump
from chatadt.message import Message

__all__ = ("plain_messages",)


def plain_messages(values: Any, by_role: Mapping[Any, Callable[[Any], Message.T]]) -> tuple[Message.T, ...] | None:
    """The messages, with an id for each call and each result; `by_role` reads those of users and systems.

    None where a call or a result says more, or something cannot be read: the long way says what it is.
    """
    if values.__class__ is not list:
        return None
    ties = Ties()
    messages: list[Message.T] = []
    try:
        for value in values:
            role = value["role"]
            if role == "assistant":
                message: Message.T | None = _plain_assistant(value, ties)
            elif role == "tool":
                message = _plain_result(value, ties)
            else:
                message = by_role[role](value)
            if message is None:
                return None
            messages.append(message)
    except (KeyError, TypeError, ValueError, AttributeError, Unexpected):
        return None
    return tuple(messages)


def _plain_assistant(value: dict[str, Any], ties: Ties) -> Message.Assistant | None:
    content = value["content"]
    if content.__class__ is not str:
        return None
    ties.turn()
    if len(value) == 2:
        return plain_assistant((plain_text(content),))
    calls = value["tool_calls"]
    if len(value) != 3 or calls.__class__ is not list or not calls:
        return None
    said: list[Content.Output] = [plain_text(content)] if content else []
    for call in calls:
        function = call["function"]
        name, arguments = function["name"], function["arguments"]
        if len(call) != 1 or len(function) != 2 or arguments.__class__ is not dict or not is_tool_name(name):
            return None
        said.append(plain_request(ties.ask(name), name, dump(arguments)))
    return plain_assistant(tuple(said))


def _plain_result(value: dict[str, Any], ties: Ties) -> Message.ToolResult | None:
    content, tool = value["content"], value["tool_name"]
    if len(value) != 3 or content.__class__ is not str or not is_tool_name(tool):
        return None
    return plain_result(ties.answer(tool), tool, content)
