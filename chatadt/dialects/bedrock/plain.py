"""The short way through Bedrock's turns: texts, calls and results; any other block is read as the long way reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from chatadt.content import Content
from chatadt.dialects._calls import name_result
from chatadt.dialects._codec import plain_request, plain_result, plain_text
from chatadt.dialects._plain import Names, plain_turns
from chatadt.dialects.bedrock.marks import POINT
from chatadt.json import dump
from chatadt.message import Message

__all__ = ("plain_messages",)


def plain_messages(
    values: Any,
    read_said: Callable[[Any], Content.Output],
    read_told: Callable[[Any], Content.Input | Message.ToolResult],
) -> tuple[Message.T, ...] | None:
    """The messages of turns, read with the readers of what the model says and of what the user says; None where one is marked."""

    def said(blocks: list[Any], names: Names) -> tuple[Content.Output, ...] | None:
        contents: list[Content.Output] = []
        for block in blocks:
            if len(block) == 1 and (text := block.get("text")).__class__ is str:
                contents.append(plain_text(text))
                continue
            if POINT in block:
                return None
            content: Any = (_plain_call(block) if "toolUse" in block else None) or read_said(block)
            if content.__class__ is _REQUEST and names.setdefault(content.id, content.name) != content.name:
                return None  # the long way knows which of them a result answers
            contents.append(content)
        return tuple(contents)

    def told(block: Any, names: Names) -> Content.Input | Message.ToolResult | None:
        if len(block) == 1 and (text := block.get("text")).__class__ is str:
            return plain_text(text)
        if POINT in block:
            return None
        if "toolResult" in block and (result := _plain_result(block, names)) is not None:
            return result
        found = read_told(block)
        name_result(found, names)
        return found

    return plain_turns(values, ("assistant", "content"), said, told)


_REQUEST: Final = Content.ToolRequest


def _plain_call(block: Any) -> Content.ToolRequest | None:
    asked = block["toolUse"]
    id_, name, arguments = asked["toolUseId"], asked["name"], asked["input"]
    if len(block) != 1 or len(asked) != 3 or id_.__class__ is not str or arguments.__class__ is not dict:
        return None
    if name.__class__ is not str or not name or name.isspace():  # as `is_tool_name` has it
        return None
    return plain_request(id_, name, dump(arguments))


def _plain_result(block: Any, names: Names) -> Message.ToolResult | None:
    told = block["toolResult"]
    id_, content = told["toolUseId"], told.get("content")
    if len(block) != 1 or len(told) != 2 or id_.__class__ is not str or content.__class__ is not list or len(content) != 1:
        return None
    text = content[0].get("text")
    return plain_result(id_, names.get(id_), text) if text.__class__ is str and len(content[0]) == 1 else None
