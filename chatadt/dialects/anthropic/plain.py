"""The short way through Anthropic's turns: texts, calls and results; any other block is read as the long way reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from chatadt.content import Content
from chatadt.dialects._calls import name_result
from chatadt.dialects._codec import plain_request, plain_result, plain_text
from chatadt.dialects._plain import Names, plain_turns
from chatadt.json import dump
from chatadt.message import Message

__all__ = ("plain_messages",)


def plain_messages(
    values: Any,
    read_said: Callable[[Any], Content.Output],
    read_told: Callable[[Any], Content.Input],
    read_result: Callable[[Any], Message.ToolResult],
) -> tuple[Message.T, ...] | None:
    """The messages of turns, read with the readers of what the model says, what the user says, and of results."""

    def said(blocks: list[Any], names: Names) -> tuple[Content.Output, ...] | None:
        contents: list[Content.Output] = []
        for block in blocks:
            kind = block["type"]
            if kind == "text" and len(block) == 2 and (text := block["text"]).__class__ is str:
                contents.append(plain_text(text))
                continue
            content: Any = (_plain_call(block) if kind == "tool_use" else None) or read_said(block)
            if content.__class__ is _REQUEST and names.setdefault(content.id, content.name) != content.name:
                return None  # the long way knows which of them a result answers
            contents.append(content)
        return tuple(contents)

    def told(block: Any, names: Names) -> Content.Input | Message.ToolResult:
        kind = block["type"]
        if kind == "text" and len(block) == 2 and (text := block["text"]).__class__ is str:
            return plain_text(text)
        if kind != "tool_result":
            return read_told(block)
        result = _plain_result(block, names)
        if result is None:
            result = read_result(block)
            name_result(result, names)
        return result

    return plain_turns(values, ("assistant", "content"), said, told)


_REQUEST: Final = Content.ToolRequest


def _plain_call(block: Any) -> Content.ToolRequest | None:
    id_, name, arguments = block["id"], block["name"], block["input"]
    if len(block) != 4 or id_.__class__ is not str or arguments.__class__ is not dict:
        return None
    if name.__class__ is not str or not name or name.isspace():  # as `is_tool_name` has it
        return None
    return plain_request(id_, name, dump(arguments))


def _plain_result(block: Any, names: Names) -> Message.ToolResult | None:
    id_, content = block["tool_use_id"], block.get("content")
    if len(block) != 3 or id_.__class__ is not str or content.__class__ is not list or len(content) != 1:
        return None
    only = content[0]
    if only["type"] != "text" or len(only) != 2 or (text := only["text"]).__class__ is not str:
        return None
    return plain_result(id_, names.get(id_), text)
