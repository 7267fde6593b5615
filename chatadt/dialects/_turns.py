"""Turns of the wire that hold several messages, for dialects in which no two turns in a row have one role.

A user turn may hold tool results and other blocks: each result is a message of its own, each run of other blocks a user message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, assert_never

from attrs import evolve

from chatadt._wire import json, leftover, restore
from chatadt.content import Content
from chatadt.dialects._codec import noted, plain_user
from chatadt.dialects._dialect import Rules
from chatadt.dialects._losses import TURN, Block, moved
from chatadt.dialects._spelling import object_of
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("INLINE", "Turn", "Turns", "opened", "parted_turn", "why_moved", "with_rest")

_NEW_TURN: Final = "$new_turn"
"""The note on a message that opened a turn although the turn before has the same role."""
INLINE: Final = "$inline"
"""The note on a system message that stood among the turns."""
Turn: TypeAlias = tuple[Message.T, ...]
Parted: TypeAlias = tuple[Message.User | Message.ToolResult, ...]


# --- reading -------------------------------------------------------------------------------------------------------------------


def parted_turn(items: Iterable[Any]) -> Parted:
    """The messages of a user's turn, made of tool results and of contents."""
    items = tuple(items)
    if all(item.__class__ is Message.ToolResult for item in items):
        return items
    messages: list[Message.User | Message.ToolResult] = []
    run: list[Content.Input] = []
    for item in items:
        if item.__class__ is Message.ToolResult:
            if run:
                messages.append(plain_user(tuple(run)))
                run = []
            messages.append(item)
        else:
            run.append(item)
    return (*messages, plain_user(tuple(run))) if run else tuple(messages)


def with_rest(messages: Parted, rest: Mapping[str, Any], dialect: str) -> Parted:
    """The messages of a turn, the first of them with the further fields that the turn has."""
    if not rest:
        return messages
    first, *others = messages
    match first:
        case Message.ToolResult():  # which has fields of its own
            return (noted(first, dialect, TURN, json(rest).value), *others)
        case Message.User():  # of which nothing was left over
            return (evolve(first, extras=leftover(rest, dialect)), *others)
        case _:
            assert_never(first)


def opened(turns: tuple[Turn, ...], dialect: str) -> tuple[Turn, ...]:
    """Mark the turns that follow one of the same role, which a writer would otherwise make one."""
    roles = [_ROLES[turn[0].__class__] for turn in turns]
    again = [index for index in range(1, len(roles)) if roles[index] is not None and roles[index] == roles[index - 1]]
    if not again:
        return turns
    marked = list(turns)
    for index in again:
        first, *rest = turns[index]
        marked[index] = (noted(first, dialect, _NEW_TURN, True), *rest)
    return tuple(marked)


_ROLES: Final[Mapping[type[Message.T], str | None]] = {
    Message.User: "user",
    Message.ToolResult: "user",
    Message.Assistant: "assistant",
    Message.System: None,
    Message.Custom: None,
}
"""By message: the role of a turn that it opens."""


# --- writing -------------------------------------------------------------------------------------------------------------------


def why_moved(role: str) -> str:
    """Why a system message is not where it was, and where it is, when the turn before it is one of `role`."""
    place = "stands in the user turn that it came behind" if role == "user" else "leads the next user turn"
    return f"a system message stands at the beginning: this one {place}"


class Turns:
    """The turns written so far, the system prompt, and what waits for its place among them."""

    __slots__ = ("behind", "content", "dialect", "folded", "inline", "model", "role", "rules", "system", "written")

    def __init__(self, dialect: str, rules: Rules, model: str | None, inline: bool | None) -> None:
        self.dialect = dialect
        self.rules = rules
        self.model = model
        self.inline = inline  # whether the model takes system messages inside the conversation; None to go by its name
        self.system: list[Block] | None = None
        self.written: list[Block] = []
        self.role = ""  # of the turn that is open
        self.content: list[Block] = []  # of the turn that is open
        self.behind: list[Block] = []  # what tool results do not take: it stands behind all results of the turn
        self.folded: list[Block] = []  # system texts that stand at the head of the next user turn

    def say(self, role: str, blocks: list[Block], message: Message.User | Message.Assistant | Message.ToolResult) -> None:
        """Add what a message says to the turn that is open, or to one of its own; nothing of a message of which nothing is left."""
        if self.folded and role == "user":
            if self.role == "user":
                self.content += self.folded
            else:
                blocks = self.folded + blocks
            self.folded = []
        if message.extras is NO_EXTRAS:
            if blocks or not message.contents:
                self.open_or_go_on(role, blocks)
            return
        if message.extras.of(self.dialect).get(_NEW_TURN):
            self.role = ""
        if blocks or not message.contents:
            self.open_or_go_on(role, blocks)
            self._restore(message)

    def open_or_go_on(self, role: str, blocks: list[Block]) -> None:
        """Add blocks to the turn that is open, if it has this role, or else to one that is opened."""
        if role == self.role:
            self.content += blocks
        else:
            self.role, self.content = role, blocks
            self.written.append({"role": role, "content": blocks})

    def _restore(self, message: Message.User | Message.Assistant | Message.ToolResult) -> None:
        """Give the turn back the fields that it had; those of a tool result are in its block already."""
        match message:
            case Message.User() | Message.Assistant():
                restore(self.written[-1], message.extras, self.dialect)
            case Message.ToolResult():
                fields = object_of(message.extras.of(self.dialect), TURN)
                self.written[-1].update({key: item for key, item in fields.items() if key not in ("role", "content")})
            case _:
                assert_never(message)

    def wait_no_longer(self) -> None:
        """Say what waits: the turn that it belongs to ends here."""
        if self.behind or self.folded:
            waiting = self.behind + self.folded
            self.behind, self.folded = [], []
            self.open_or_go_on("user", waiting)

    def stand_alone(self, turn: Block, role: str = "") -> None:
        """Add a whole turn. Only what has its role may be added to it; with no role, nothing is."""
        self.wait_no_longer()
        self.written.append(turn)
        self.role = role

    def instruct(self, message: Message.System, blocks: list[Block], losses: list[Loss]) -> None:
        """Put the blocks of a system message where the model takes them: before the turns, among them, or in the next user turn."""
        noted_inline = message.extras is not NO_EXTRAS and message.extras.of(self.dialect).get(INLINE)
        if not self.written and not noted_inline:
            if self.system is None:
                self.system = []
            self.system += blocks
        elif self.role == "system" and message.extras is NO_EXTRAS:
            self.written[-1]["content"] += blocks  # a second system message in a row is the same turn
        elif noted_inline or (self._takes_inline() and self.role == "user" and not self.folded):
            turn: Block = {"role": "system", "content": blocks}
            restore(turn, message.extras, self.dialect)
            self.stand_alone(turn, "system")
        else:
            losses.append(moved("a system message", message.text, why_moved(self.role)))
            self.folded += blocks

    def _takes_inline(self) -> bool:
        return self.rules.profile(self.model).inline_system if self.inline is None else self.inline
