"""Ids for calls of Gemini that have none: a server of it tells results by their names and their order.

An id is made up from the place of its call, so that a conversation that grows keeps the ids that it had.
"""

from __future__ import annotations

from collections import deque
from typing import Any, assert_never

from chatadt._sum import changed
from chatadt.content import Content
from chatadt.message import Message

__all__ = ("identified",)


def identified(messages: tuple[Message.T, ...], prefix: str = "call_") -> tuple[Message.T, ...]:
    """Give each call without an id one that says the how manieth it is, and each result without one that of the call it answers."""
    if all(map(_has_ids, messages)):
        return messages
    ids = _Ids(messages, prefix)
    return tuple(ids.identify(message) for message in messages)


def _has_ids(message: Any) -> bool:
    kind = message.__class__  # a match takes twice the time, and every message comes by here
    if kind is Message.ToolResult:
        return bool(message.id)
    if kind is Message.Assistant:
        for content in message.contents:
            if content.__class__ is Content.ToolRequest and not content.id:
                return False
    return True


class _Ids:
    """The ids that are in use, and the calls that wait for their results."""

    __slots__ = ("count", "named", "open", "prefix", "taken")

    def __init__(self, messages: tuple[Message.T, ...], prefix: str) -> None:
        self.prefix = prefix
        self.count = 0
        self.open: dict[str, str] = {}  # the name of each, by id
        self.named: dict[str, deque[str]] = {}  # by name: the ids, some of which may be answered already
        self.taken = {call.id for message in messages if isinstance(message, Message.Assistant) for call in message.tool_requests}
        self.taken |= {message.id for message in messages if isinstance(message, Message.ToolResult)}

    def identify(self, message: Message.T) -> Message.T:
        """The message with ids; its place among the others says which."""
        match message:
            case Message.Assistant():
                return changed(message, "contents", tuple(map(self._asked, message.contents)))
            case Message.ToolResult():
                return self._answered(message)
            case Message.System() | Message.User() | Message.Custom():
                return message
            case _:
                assert_never(message)

    def _asked(self, content: Content.Output) -> Content.Output:
        if not isinstance(content, Content.ToolRequest):
            return content
        call = content if content.id else changed(content, "id", self._fresh())
        self.open[call.id] = call.name
        self.named.setdefault(call.name, deque()).append(call.id)
        return call

    def _answered(self, result: Message.ToolResult) -> Message.ToolResult:
        """The first call that waits under the name is the one that is answered; else the first that waits at all."""
        if result.id:
            self.open.pop(result.id, None)
            return result
        named = self.named.get(result.tool or "", deque())
        while named and self.open.get(named[0]) != result.tool:
            named.popleft()
        answered = named[0] if named else next(iter(self.open), None)
        if answered is None:
            return changed(result, "id", self._fresh())
        del self.open[answered]
        return changed(result, "id", answered)

    def _fresh(self) -> str:
        while True:
            self.count += 1
            if (fresh := f"{self.prefix}{self.count}") not in self.taken:
                return fresh
