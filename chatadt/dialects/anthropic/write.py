"""The words -> Anthropic JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, assert_never, cast

import orjson

from chatadt._hooks import unstructuring
from chatadt._wire import restore
from chatadt.chat import ChatRequest
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import misnamed
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    TURN,
    Block,
    Splice,
    arguments_object,
    as_fragment,
    as_object,
    blocks_of,
    dropped,
    foreign,
    invented,
    moved,
    relocate,
    rewritten,
    unsaid,
    vanished,
)
from chatadt.dialects.anthropic.codec import CODEC, NAME
from chatadt.dialects.anthropic.media import file_block, image_block, no_detail, pdf_block, plain_source
from chatadt.dialects.anthropic.params import write_params
from chatadt.dialects.anthropic.rules import RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message, Outcome

__all__ = ("encode_request", "write_request")


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    return _written(request, target, as_object)


def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
    """Write a request body as JSON: what `write_request` writes, tool arguments as the text that they came with."""
    written = _written(request, target, as_fragment)
    try:
        return Converted(orjson.dumps(written.value), written.losses)
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return encoded(write_request)(request, target)


def _written(request: ChatRequest, target: Target, splice: Splice) -> Converted[Block]:
    losses: list[Loss] = []
    model = request.params.model if target.model is None else target.model
    body = write_params(request.params, model, losses)
    relocate(losses, 0, "$.params")
    turns = _Turns(model, target.inline_system, splice)
    messages, index = request.messages, 0
    while (index := _write_plainly(messages, index, turns, losses)) < len(messages):
        known = len(losses)
        turns.add(messages[index], losses)
        relocate(losses, known, f"$.messages[{index}]")
        index += 1
    losses += misnamed(messages)
    written = turns.end()
    if turns.system is not None:
        body["system"] = turns.system
    body["messages"] = written
    return Converted(body, tuple(losses))


# --- the short way --------------------------------------------------------------------------------------------------------------


def _write_plainly(messages: tuple[Message.T, ...], start: int, turns: _Turns, losses: list[Loss]) -> int:
    """Write messages as nearly all are, of texts, tool requests and images; return the index of the first other one.

    The long way writes the same of them; this one takes half the time (benchmarks/README.md).
    """
    role, open_blocks = turns.role, turns.content
    index = start
    message: Any
    for message in messages[start:] if not (turns.behind or turns.folded) else ():
        kind = message.__class__
        if kind not in _PLAIN or message.extras is not NO_EXTRAS:
            break
        known = len(losses)
        blocks = _plain_blocks(message.contents, turns.splice, losses, -1 if kind is _ASSISTANT else index)
        if blocks is None:
            del losses[known:]
            break
        if kind is _RESULT:
            if message.outcome is not _OK:
                del losses[known:]
                break
            speaker = "user"
            blocks = [{"type": "tool_result", "tool_use_id": message.id, "content": blocks}]
        elif message.name is not None:
            del losses[known:]
            break
        else:
            speaker = "assistant" if kind is _ASSISTANT else "user"
        if speaker == role:
            open_blocks += blocks
        else:
            role, open_blocks = speaker, blocks
            turns.turns.append({"role": role, "content": blocks})
        index += 1
    turns.role, turns.content = role, open_blocks
    return index


def _plain_blocks(contents: tuple[Any, ...], splice: Splice, losses: list[Loss], index: int) -> list[Block] | None:
    """The blocks of texts, tool requests and images; None where there is anything else, or nothing.

    `index` is that of the message, for the paths of losses; below 0 it is an assistant's, who says no images.
    """
    blocks: list[Block] = []
    for content in contents:
        if content.__class__ is _CUSTOM or content.extras is not NO_EXTRAS:
            return None
        kind = content.__class__
        if kind is _TEXT:
            blocks.append({"type": "text", "text": content.text})
        elif kind is _REQUEST and content.arguments.__class__ is _PARSED:
            value = splice(content.arguments.json)
            if value is None:
                return None
            blocks.append({"type": "tool_use", "id": content.id, "name": content.name, "input": value})
        elif kind is _IMAGE and index >= 0 and (source := plain_source(content.resource)) is not None:
            blocks.append({"type": "image", "source": source})
            if content.detail is not None:
                losses.append(no_detail(content.detail, f"$.messages[{index}].contents[{len(blocks) - 1}].detail"))
        else:
            return None
    return blocks or None


_TEXT: Final = Content.Text
_REQUEST: Final = Content.ToolRequest
_CUSTOM: Final = Content.Custom
_IMAGE: Final = Content.Image
_PARSED: Final = Arguments.Parsed
_RESULT: Final = Message.ToolResult
_ASSISTANT: Final = Message.Assistant
_PLAIN: Final = frozenset({Message.ToolResult, Message.Assistant, Message.User})
_OK: Final = Outcome.OK


# --- turns ---------------------------------------------------------------------------------------------------------------------


class _Turns:
    """The turns written so far, and what waits for its place among them."""

    __slots__ = ("behind", "content", "folded", "inline", "model", "role", "splice", "system", "turns")

    def __init__(self, model: str | None, inline: bool | None, splice: Splice) -> None:
        self.splice = splice
        self.model = model
        self.inline = inline  # whether the model takes system messages inside the conversation; None to go by its name
        self.system: list[Block] | None = None
        self.turns: list[Block] = []
        self.role = ""  # of the turn that is open
        self.content: list[Block] = []  # of the turn that is open
        self.behind: list[Block] = []  # media of failed tool results: they stand behind all results of the turn
        self.folded: list[Block] = []  # system texts that stand at the head of the next user turn

    def add(self, message: Message.T, losses: list[Loss]) -> None:
        """Write one message."""
        match message:
            case Message.ToolResult():
                self._say("user", [_result(message, self.behind, losses)], message)
            case Message.Assistant():
                if self.behind or self.folded:
                    self._wait_no_longer()
                self._say("assistant", _assistant(message, losses), message)
            case Message.User():
                if self.behind:
                    self._wait_no_longer()
                self._say("user", _user(message, losses), message)
            case Message.System():
                self._instruct(message, losses)
            case Message.Custom(attributes=attributes, dialect=dialect):
                if dialect == NAME:
                    self._wait_no_longer()
                    self.turns.append(attributes.value)
                    self.role = ""
                else:
                    losses.append(dropped("a message", attributes, f"only {dialect or 'its own dialect'} knows this message"))
            case _:
                assert_never(message)

    def end(self) -> list[Block]:
        """The turns, when there is nothing more to say."""
        self._wait_no_longer()
        return self.turns

    def _wait_no_longer(self) -> None:
        waiting = self.behind + self.folded
        self.behind, self.folded = [], []
        if waiting:
            self._open_or_go_on("user", waiting)

    def _say(self, role: str, blocks: list[Block], message: Message.User | Message.Assistant | Message.ToolResult) -> None:
        if self.folded and role == "user":
            blocks = self.folded + blocks
            self.folded = []
        if message.extras is NO_EXTRAS:
            if blocks or not message.contents:
                self._open_or_go_on(role, blocks)
            return
        notes = message.extras.of(NAME)
        if notes.get("$new_turn"):
            self.role = ""
        if blocks or not message.contents:
            self._open_or_go_on(role, blocks)
            self._restore(message, notes)

    def _open_or_go_on(self, role: str, blocks: list[Block]) -> None:
        if role == self.role:
            self.content += blocks
        else:
            self.role, self.content = role, blocks
            self.turns.append({"role": role, "content": blocks})

    def _restore(self, message: Message.User | Message.Assistant | Message.ToolResult, notes: Block) -> None:
        """Give the turn back the fields that it had; those of a tool result are in its block already."""
        match message:
            case Message.User() | Message.Assistant():
                restore(self.turns[-1], message.extras, NAME)
            case Message.ToolResult():
                if isinstance(turn := notes.get(TURN), dict):
                    self.turns[-1].update(cast("Block", turn))
            case _:
                assert_never(message)

    def _takes_inline(self) -> bool:
        return RULES.profile(self.model).inline_system if self.inline is None else self.inline

    def _instruct(self, message: Message.System, losses: list[Loss]) -> None:
        blocks = blocks_of(message.contents, _instruction, losses)
        if not blocks and message.contents:
            losses += vanished(message)
            return
        if message.extras is not NO_EXTRAS:
            losses += foreign(message.extras, NAME)
        noted = message.extras is not NO_EXTRAS and message.extras.of(NAME).get("$inline")
        if not self.turns and not noted:
            self.system = (self.system or []) + blocks
        elif self.role == "system" and not noted and message.extras is NO_EXTRAS:
            self.turns[-1]["content"] += blocks  # a second system message in a row is the same turn
        elif noted or (self._takes_inline() and self.role == "user" and not self.folded):
            self._wait_no_longer()
            turn: Block = {"role": "system", "content": blocks}
            restore(turn, message.extras, NAME)
            self.turns.append(turn)
            self.role = "system"
        else:
            losses.append(
                moved(
                    "a system message", message.text, "a system message stands at the beginning: this one leads the next user turn"
                )
            )
            self.folded += blocks


# --- messages ------------------------------------------------------------------------------------------------------------------


def _user(message: Message.User, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, _input, losses)
    if not blocks and message.contents:
        kinds = " and ".join(sorted({type(content).__name__.lower() for content in message.contents}))
        blocks = [{"type": "text", "text": f"[{kinds} omitted]"}]
        losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
    if message.name is not None:
        losses.append(dropped("the name of the user", message.name, "a turn has no name", weight=Weight.DETAIL, path=".name"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def _assistant(message: Message.Assistant, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, _output, losses)
    if not blocks and message.contents:
        losses += vanished(message)
        return blocks
    if message.name is not None:
        losses.append(dropped("the name of the assistant", message.name, "a turn has no name", weight=Weight.DETAIL, path=".name"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def _result(message: Message.ToolResult, behind: list[Block], losses: list[Loss]) -> Block:
    out: Block = {"type": "tool_result", "tool_use_id": message.id}
    blocks = blocks_of(message.contents, _input, losses)
    if message.outcome is not Outcome.OK:
        blocks = _failed(message, blocks, behind, losses)
        out["is_error"] = True
    if blocks:
        out["content"] = blocks
    if message.extras is not NO_EXTRAS:
        restore(out, message.extras, NAME)
        losses += foreign(message.extras, NAME)
    return out


def _failed(message: Message.ToolResult, blocks: list[Block], behind: list[Block], losses: list[Loss]) -> list[Block]:
    """The blocks that a failed result takes; the others are put `behind`."""
    for block in blocks:
        if _is_medium(block):
            behind.append(block)
            reason = "a failed result takes text only: it stands behind the results of the turn"
            losses.append(moved(f"{block['type']} of a tool result", block["type"], reason, path=".contents"))
    if message.outcome is Outcome.DENIED:
        losses.append(rewritten("the outcome", "denied", "a result is an error or it is not", path=".outcome"))
    return [block for block in blocks if not _is_medium(block)]


def _is_medium(block: Any) -> bool:
    return isinstance(block, dict) and cast("Block", block).get("type") in ("image", "document")


# --- contents ------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The block of a user's content, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_block(content)
        case Content.PDF():
            yield from pdf_block(content)
        case Content.File():
            yield from file_block(content)
        case Content.Audio() | Content.Video():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _instruction(content: Content.Text | Content.Custom) -> Iterator[Block | Loss]:
    """The block of a system message's content, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
            yield from foreign(content.extras, NAME)
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
        case _:
            assert_never(content)


def _output(content: Content.Output) -> Iterator[Block | Loss]:
    """The block of an assistant's content, and what is lost."""
    return _asked(content) if isinstance(content, Content.ToolRequest) else _said(content)


def _asked(content: Content.ToolRequest) -> Iterator[Block | Loss]:
    arguments, loss = arguments_object(content)
    if loss is not None and isinstance(content.arguments, Arguments.Parsed) and content.extras.of(NAME).get("$own"):
        arguments = content.arguments.json.value
    elif loss is not None:
        yield loss
    yield from foreign(content.extras, NAME)
    block = _write_request(content)
    block["input"] = arguments
    yield block


Said: TypeAlias = (
    Content.Text
    | Content.Image
    | Content.Audio
    | Content.Video
    | Content.PDF
    | Content.File
    | Content.Custom
    | Content.Reasoning
    | Content.Refusal
)


def _said(content: Said) -> Iterator[Block | Loss]:
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Reasoning():
            yield from _reasoning(content)
        case Content.Refusal():
            yield {"type": "text", "text": content.text}
            yield rewritten("refusal", content.text, "a refusal stands as text")
        case Content.Audio(transcript=str() as transcript) if transcript:
            yield {"type": "text", "text": transcript}
            yield rewritten("audio", document(content), "there is no audio content: its transcript stands for it")
            return
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant says text and tool calls only", kind=kind)
            return
        case Content.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("a block", value, f"only {dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    own = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    if own.get("$type") == "redacted_thinking":
        block = {"type": "redacted_thinking"}
        restore(block, content.extras, NAME)
        yield block
    elif NAME in content.extras:
        yield _write_reasoning(content)
    else:
        reason = "a thinking block needs a signature that this provider made"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
