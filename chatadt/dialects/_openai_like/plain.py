"""The short way through messages like OpenAI Chat's: those that say a text, calls of functions, or both, as nearly all do.

The long way is in each dialect's `read` (see `dialects._plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orjson import JSONDecodeError, loads

from chatadt.content import Content
from chatadt.dialects._calls import name_result
from chatadt.dialects._codec import plain_assistant, plain_request, plain_result, plain_text, text_of_assistant, text_of_user
from chatadt.dialects._plain import Names
from chatadt.error import Unexpected
from chatadt.message import Message

__all__ = ("plain_messages",)


def plain_messages(
    values: Any, by_role: Mapping[Any, Callable[[Any], Message.T]], *, null_is_nothing: bool
) -> tuple[Message.T, ...] | None:
    """The messages, their results under the names of the tools; `by_role` reads those that say more.

    `null_is_nothing` says whether a content of null beside calls is no more than no content at all, for which others have a note.
    None where something is no message, has another role, or cannot be read: the long way says what it is.
    """
    if values.__class__ is not list:
        return None
    names: Names = {}
    messages: list[Message.T] = []
    try:
        for value in values:
            role, content = value["role"], value.get("content")
            message: Message.T | None = None
            if role == "tool":
                if content.__class__ is str and len(value) == 3 and (id_ := value["tool_call_id"]).__class__ is str and id_:
                    message = plain_result(id_, names.get(id_), content)
            elif role == "assistant":
                message = _plain_assistant(value, content, names, null_is_nothing)
            elif role == "user" and content.__class__ is str and len(value) == 2:
                message = text_of_user(content)
            if message is None:
                message = by_role[role](value)
                if message.__class__ is not Message.User:
                    name_result(message, names)
            messages.append(message)
    except (KeyError, TypeError, AttributeError, Unexpected):
        return None
    return tuple(messages)


def _plain_assistant(value: dict[str, Any], content: Any, names: Names, null_is_nothing: bool) -> Message.Assistant | None:
    """The message, if it says nothing but a text, calls of functions, or both; the name of each call goes to `names`."""
    keys = len(value)
    if "tool_calls" not in value:
        return text_of_assistant(content) if keys == 2 and content.__class__ is str else None
    if content.__class__ is str:
        asked = _plain_calls(value["tool_calls"], names) if keys == 3 else None
        return plain_assistant((plain_text(content), *asked)) if asked else None
    is_alone = content is None and (keys == 2 or (keys == 3 and null_is_nothing and "content" in value))
    asked = _plain_calls(value["tool_calls"], names) if is_alone else None
    return plain_assistant(tuple(asked)) if asked else None


def _plain_calls(calls: Any, names: Names) -> list[Content.ToolRequest] | None:
    """Calls of functions with arguments that are JSON. None when there is anything else to say of one of them."""
    if calls.__class__ is not list:
        return None
    asked: list[Content.ToolRequest] = []
    for call in calls:
        function = call["function"]
        id_, name, arguments = call["id"], function["name"], function["arguments"]
        if call["type"] != "function" or len(call) != 3 or len(function) != 2:
            return None
        if id_.__class__ is not str or not id_ or arguments.__class__ is not str:
            return None
        if name.__class__ is not str or not name or name.isspace():  # as `is_tool_name` has it
            return None
        try:
            loads(arguments)
        except JSONDecodeError:
            return None
        if names.setdefault(id_, name) != name:
            return None  # the long way knows which of them a result answers
        asked.append(plain_request(id_, name, arguments))
    return asked
