"""Turns of the wire that hold several messages: tool results and what else stood among them, and turns of one role in a row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, assert_never

from chatadt.content import Content
from chatadt.dialects._codec import noted
from chatadt.message import Message

__all__ = ("NEW_TURN", "TURN", "Turn", "opened", "parted_turn")

NEW_TURN = "$new_turn"
"""The note on a message that opened a turn although the turn before has the same role."""
TURN = "$turn"
"""The note on a tool result that opened a turn: further fields of the turn."""

Turn: TypeAlias = tuple[Message.T, ...]


def parted_turn(items: Iterable[Any]) -> Turn:
    """The messages of a user's turn: each result is one of its own, each run of other contents a user's."""
    messages: list[Message.T] = []
    run: list[Content.Input] = []
    for item in items:
        if isinstance(item, Message.ToolResult):
            if run:
                messages.append(Message.User(run))
                run = []
            messages.append(item)
        else:
            run.append(item)
    return (*messages, Message.User(run)) if run else tuple(messages)


def opened(turns: tuple[Turn, ...], dialect: str) -> tuple[Turn, ...]:
    """Mark the turns that follow one of the same role, which a writer would otherwise make one."""
    marked = list(turns)
    for index in range(1, len(turns)):
        role = _role(turns[index])
        if role is not None and role == _role(turns[index - 1]):
            first, *rest = turns[index]
            marked[index] = (first if isinstance(first, Message.Custom) else noted(first, dialect, NEW_TURN, True), *rest)
    return tuple(marked)


def _role(turn: Turn) -> str | None:
    match turn[0]:
        case Message.User() | Message.ToolResult():
            return "user"
        case Message.Assistant():
            return "assistant"
        case Message.System() | Message.Custom():
            return None
        case _:
            assert_never(turn[0])
