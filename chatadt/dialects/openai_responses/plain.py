"""The short way through the items of OpenAI Responses: texts, calls of functions and their outputs, both ways.

The long way is in `read` and `write` (see `dialects._plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orjson import JSONDecodeError, loads

from chatadt.content import Content
from chatadt.dialects._calls import Asked, says_nothing
from chatadt.dialects._codec import plain_assistant, plain_request, plain_result, plain_text
from chatadt.dialects._losses import Block
from chatadt.dialects._plain import Names, arguments_of, is_plain_text, is_tool_name, says_more
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.error import Unexpected
from chatadt.json import Json
from chatadt.message import Message

__all__ = ("plain_items", "plain_messages")


def plain_messages(values: list[Any], by_role: Mapping[Any, Callable[[Any], Message.T]]) -> tuple[Message.T, ...] | None:
    """The messages of items, those that the model did not say read `by_role`.

    None where any says anything else, or cannot be read: the long way says what it is.
    """
    messages: list[Message.T] = []
    turn: list[Content.Output] = []
    names: Names = {}
    says = False  # whether the last item was a message of the model: nothing would tell the next one from it
    try:
        for item in values:
            kind = item.get("type")
            if kind == "function_call":
                request = _plain_call(item)
                if request is None or names.setdefault(request.id, request.name) != request.name:
                    return None  # of calls with one id, the long way knows which a result answers
                turn.append(request)
                says = False
                continue
            if kind is None and item["role"] == "assistant":
                if says or len(item) != 2 or (text := item["content"]).__class__ is not str:
                    return None
                turn.append(plain_text(text))
                says = True
                continue
            if turn:
                messages.append(plain_assistant(tuple(turn)))
                turn, says = [], False
            if kind is None:
                message: Message.T | None = by_role[item["role"]](item) if "type" not in item else None
            else:
                message = _plain_output(item, names) if kind == "function_call_output" else None
            if message is None:
                return None
            messages.append(message)
    except (KeyError, TypeError, AttributeError, Unexpected):
        return None
    if turn:
        messages.append(plain_assistant(tuple(turn)))
    return tuple(messages)


def _plain_call(item: Any) -> Content.ToolRequest | None:
    id_, name, arguments = item["call_id"], item["name"], item["arguments"]
    if len(item) != 4 or id_.__class__ is not str or arguments.__class__ is not str or not is_tool_name(name):
        return None
    try:
        loads(arguments)
    except JSONDecodeError:
        return None
    return plain_request(id_, name, arguments)


def _plain_output(item: Any, names: Names) -> Message.ToolResult | None:
    id_, output = item["call_id"], item["output"]
    if len(item) != 3 or id_.__class__ is not str or output.__class__ is not str:
        return None
    return plain_result(id_, names.get(id_), output)


def plain_items(message: Any, index: int, asked: Asked) -> list[Block] | None:
    """The items of the message at `index` as nearly all are; None of any other. Its calls go to `asked`."""
    if says_more(message):
        return None
    contents = message.contents
    if isinstance(message, Message.Assistant):
        return _plain_said(message, asked)
    if len(contents) != 1 or not is_plain_text(contents[0]):
        return None
    if not isinstance(message, Message.ToolResult):
        return [{"role": "user", "content": contents[0].text}]
    call = asked.called(message.id, index)
    if call is None or message.tool not in (None, call.name) or not says_nothing(call.extras, NAME):
        return None
    return [{"type": "function_call_output", "call_id": message.id, "output": contents[0].text}]


def _plain_said(message: Any, asked: Asked) -> list[Block] | None:
    items: list[Block] = []
    says = False
    for content in message.contents:
        if is_plain_text(content) and not says:
            items.append({"role": "assistant", "content": content.text})
            says = True
            continue
        arguments = arguments_of(content, NAME, _text_of)
        if arguments is None:
            return None
        items.append({"type": "function_call", "call_id": content.id, "name": content.name, "arguments": arguments})
        says = False
    if items:
        asked.hear(message)
    return items or None


def _text_of(document: Json) -> str:
    return document.text
