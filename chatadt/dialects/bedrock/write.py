"""The words -> Converse JSON: the case picks the key of the block, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar, assert_never, cast

from chatadt._hooks import restore, unstructuring
from chatadt.chat import ChatRequest
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    Block,
    Written,
    arguments_object,
    dropped,
    invented,
    moved,
    parted,
    relocate,
    rewritten,
    unsaid,
)
from chatadt.dialects._media import locator
from chatadt.dialects.bedrock.blobs import with_bytes
from chatadt.dialects.bedrock.codec import CLAUDE, CODEC, NAME
from chatadt.dialects.bedrock.marks import beside, others, points
from chatadt.dialects.bedrock.media import audio_block, document_block, image_block, is_noted, video_block
from chatadt.dialects.bedrock.params import write_params
from chatadt.dialects.bedrock.rules import RULES, may_be_claude
from chatadt.dialects.bedrock.turns import NEW_TURN, TURN
from chatadt.json import NO_EXTRAS, Extras, parse
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message, Outcome

__all__ = ("encode_request", "write_request")

C = TypeVar("C", bound=Content.T)


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`. Media are base64, or bytes as they came."""
    written = _written(request, target)
    return Converted(with_bytes(written.value), written.losses) if is_noted(request.params.extras, "$bytes") else written


def _written(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """The request body with media as base64."""
    losses: list[Loss] = []
    params, messages = request.params, request.messages
    model = params.model if target.model is None else target.model
    body = write_params(params, model, any(map(_calls, messages)), losses)
    relocate(losses, 0, "$.params")
    turns = _Turns(model, target.inline_system)
    known = len(losses)
    for index, message in enumerate(messages):
        turns.add(message, losses)
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
            known = len(losses)
    said = turns.end()
    if said or not is_noted(params.extras, "$messageless"):
        body["messages"] = said
    if turns.system:
        body["system"] = turns.system
    return Converted(body, tuple(losses))


encode_request: Final = encoded(_written)
"""Write a request body as JSON bytes, its media as base64."""


def _calls(message: Message.T) -> bool:
    """Whether a message calls a tool, or answers a call."""
    return isinstance(message, Message.ToolResult) or (isinstance(message, Message.Assistant) and bool(message.tool_requests))


# --- turns ---------------------------------------------------------------------------------------------------------------------


class _Turns:
    """The turns written so far, and what waits for its place among them."""

    __slots__ = ("behind", "called", "content", "folded", "inline", "model", "role", "system", "turns")

    def __init__(self, model: str | None, inline: bool | None) -> None:
        self.model = model
        self.inline = inline  # whether the model takes system messages inside the conversation; None to go by its name
        self.called: dict[str, str] = {}  # by the id of a call: the name of its tool
        self.system: list[Block] = []
        self.turns: list[Block] = []
        self.role = ""  # of the turn that is open
        self.content: list[Block] = []  # of the turn that is open
        self.behind: list[Block] = []  # what a tool result does not take: it stands behind all results of the turn
        self.folded: list[Block] = []  # system texts that stand at the head of the next user turn

    def add(self, message: Message.T, losses: list[Loss]) -> None:
        """Write one message."""
        match message:
            case Message.ToolResult():
                self._say("user", self._result(message, losses), message)
            case Message.Assistant():
                self._wait_no_longer()
                self._say("assistant", self._assistant(message, losses), message)
            case Message.User():
                if self.behind:
                    self._wait_no_longer()
                self._say("user", self._user(message, losses), message)
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
        if is_noted(message.extras, NEW_TURN):
            self.role = ""
        if blocks or not message.contents:
            self._open_or_go_on(role, blocks)
            if message.extras is not NO_EXTRAS:
                self._restore(message)

    def _restore(self, message: Message.User | Message.Assistant | Message.ToolResult) -> None:
        """Give the turn back the fields that it had; those of a tool result are in its block already."""
        match message:
            case Message.User() | Message.Assistant():
                restore(self.turns[-1], message.extras, NAME)
            case Message.ToolResult():
                self.turns[-1].update(message.extras.of(NAME).get(TURN, {}))
            case _:
                assert_never(message)

    def _open_or_go_on(self, role: str, blocks: list[Block]) -> None:
        if role == self.role:
            self.content += blocks
        else:
            self.role, self.content = role, blocks
            self.turns.append({"role": role, "content": blocks})

    def _takes_inline(self) -> bool:
        return RULES.profile(self.model).inline_system if self.inline is None else self.inline

    def _instruct(self, message: Message.System, losses: list[Loss]) -> None:
        blocks = _blocks(message.contents, self._input, losses)
        losses += others(message.extras)
        if not blocks and message.contents:
            return
        noted = is_noted(message.extras, "$inline")
        if not self.turns and not noted:
            self.system += blocks
        elif noted or (self._takes_inline() and self.role == "user" and not self.folded):
            self._wait_no_longer()
            turn: Block = {"role": "system", "content": blocks}
            restore(turn, message.extras, NAME)
            self.turns.append(turn)
            self.role = "system"
        else:
            reason = "a system message stands at the beginning: this one leads the next user turn"
            losses.append(moved("a system message", message.text, reason))
            self.folded += blocks

    # --- messages

    def _user(self, message: Message.User, losses: list[Loss]) -> list[Block]:
        blocks = _blocks(message.contents, self._input, losses)
        if not blocks and message.contents:
            kinds = " and ".join(sorted({type(content).__name__.lower() for content in message.contents}))
            blocks = [{"text": f"[{kinds} omitted]"}]
            losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
        if message.name is not None:
            losses.append(dropped("the name of the user", message.name, "a turn has no name", weight=Weight.DETAIL, path=".name"))
        if message.extras is not NO_EXTRAS:
            losses += others(message.extras)
        return blocks

    def _assistant(self, message: Message.Assistant, losses: list[Loss]) -> list[Block]:
        blocks = _blocks(message.contents, self._output, losses)
        if message.name is not None:
            reason = "a turn has no name"
            losses.append(dropped("the name of the assistant", message.name, reason, weight=Weight.DETAIL, path=".name"))
        if message.extras is not NO_EXTRAS:
            losses += others(message.extras)
        return blocks

    def _result(self, message: Message.ToolResult, losses: list[Loss]) -> list[Block]:
        out: Block = {"toolUseId": message.id, "content": _blocks(message.contents, self._told, losses, marks=False)}
        if message.outcome is not Outcome.OK:
            out["status"] = "error"
            if message.outcome is Outcome.DENIED:
                losses.append(rewritten("the outcome", "denied", "a result is an error or it is not", path=".outcome"))
        elif is_noted(message.extras, "$status"):
            out["status"] = "success"
        if message.tool is not None and message.tool != self.called.get(message.id):
            reason = "a result tells its tool by the call that it answers"
            losses.append(dropped("the name of the tool", message.tool, reason, weight=Weight.DETAIL, path=".tool"))
        if message.extras is NO_EXTRAS:
            return [{"toolResult": out}]
        restore(out, message.extras, NAME)
        if not out["content"] and is_noted(message.extras, "$contentless"):
            del out["content"]
        losses += others(message.extras)
        return _marked([{"toolResult": out}], message.extras)

    # --- contents

    def _input(self, content: Content.Input) -> Written:
        """The block of a user's content, and what is lost."""
        match content:
            case Content.Text():
                return (_text(content),)
            case Content.Image():
                return image_block(content)
            case Content.PDF() | Content.File():
                return document_block(content)
            case Content.Video():
                return video_block(content)
            case Content.Audio():
                return audio_block(content)
            case Content.Custom():
                return (_custom(content),)
            case _:
                assert_never(content)

    def _told(self, content: Content.Input) -> Written:
        """The block of what a tool gave back, and what is lost; audio is put behind the results."""
        match content:
            case Content.Text():
                return (_document_of(content),)
            case Content.Audio():
                return self._put_behind(content)
            case Content.Image() | Content.PDF() | Content.File() | Content.Video() | Content.Custom():
                return self._input(content)
            case _:
                assert_never(content)

    def _put_behind(self, content: Content.Audio) -> Iterator[Loss]:
        for item in audio_block(content):
            if isinstance(item, Loss):
                yield item
            else:
                self.behind.append(item)
                reason = "a tool result takes no audio: it stands behind the results of the turn"
                yield moved("audio of a tool result", locator(content.resource), reason)
                yield from _beyond(content, said=True, marks=False)

    def _output(self, content: Content.Output) -> Written:
        """The block of an assistant's content, and what is lost."""
        match content:
            case Content.ToolRequest():
                self.called[content.id] = content.name
                return _request(content)
            case Content.Text():
                return (_text(content),)
            case Content.Reasoning():
                return (_reasoning(content, may_be_claude(self.model)),)
            case Content.Refusal(text=text):
                return {"text": text}, rewritten("refusal", text, "a refusal stands as text")
            case Content.Audio(transcript=str() as transcript) if transcript:
                reason = "an assistant says no audio: its transcript stands for it"
                return {"text": transcript}, rewritten("audio", document(content), reason)
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                kind = f"{type(content).__name__.lower()} of an assistant"
                return (unsaid(content, "an assistant says text and tool calls only", kind=kind),)
            case Content.Custom():
                return (_custom(content),)
            case _:
                assert_never(content)


def _blocks(contents: tuple[C, ...], write: Callable[[C], Written], losses: list[Loss], *, marks: bool = True) -> list[Block]:
    """The blocks of some contents, each with its mark behind it if there may be `marks`; their losses are added to `losses`."""
    blocks: list[Block] = []
    content: Any
    for index, content in enumerate(contents):
        if content.__class__ is _TEXT and content.extras is NO_EXTRAS:
            blocks.append({"text": content.text})
            continue
        written = write(content)
        if written.__class__ is dict:
            blocks.append(cast("Block", written))
            continue
        path = f".contents[{index}]"
        said = parted(written, losses, path)
        if said and marks and not isinstance(content, Content.Custom):
            said = _marked(said, content.extras)
        blocks += said
        losses += (loss.under(path) for loss in _beyond(content, bool(said), marks))
    return blocks


def _marked(said: list[Block], extras: Extras) -> list[Block]:
    if extras is NO_EXTRAS:
        return said
    found = list(points(extras))
    if beside(extras) and len(found) == 1:
        return [*said[:-1], {**said[-1], **found[0]}]
    return said + found


def _beyond(content: Content.T, said: bool, marks: bool) -> Iterator[Loss]:
    """A loss for what other dialects said about a content; one that is gone altogether is lost with all of it."""
    match content:
        case Content.Custom():
            return
        case Content.Reasoning(extras=extras):
            yield from others(extras, *(("signature", "data") if said else ()), marks=marks)
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            if said:
                yield from others(content.resource.extras, marks=False)
                yield from others(content.extras, marks=marks)
        case Content.Text(extras=extras) | Content.Refusal(extras=extras) | Content.ToolRequest(extras=extras):
            yield from others(extras, marks=marks)
        case _:
            assert_never(content)


def _text(content: Content.Text) -> Block:
    """The block of a text, as what it was read from."""
    own = content.extras.of(NAME)
    said = {key: item for key, item in own.items() if not key.startswith("$")}
    match own.get("$type"):
        case "guardContent":
            return {"guardContent": {"text": {"text": content.text, **said}}}
        case "citationsContent":
            return {"citationsContent": {"content": [{"text": content.text}], **said}}
        case _:
            return _write_text(content)


def _document_of(content: Content.Text) -> Block:
    """The block of a result that was JSON; one that is no JSON any more is text."""
    if content.extras.of(NAME).get("$type") != "json":
        return _text(content)
    try:
        return {"json": parse(content.text)}
    except ValueError:
        return {"text": content.text}


def _custom(content: Content.Custom) -> Block | Loss:
    if content.dialect == NAME:
        block: Block = content.value.value
        return block
    return dropped("a block", content.value, f"only {content.dialect} knows this block")


def _request(content: Content.ToolRequest) -> Written:
    call = _write_request(content)
    arguments = content.arguments
    value = parse(arguments.json.text) if isinstance(arguments, Arguments.Parsed) else None
    if value.__class__ is dict:
        call["input"] = value
        return {"toolUse": call} if content.extras is NO_EXTRAS else ({"toolUse": call},)
    call["input"], loss = arguments_object(content)
    return ({"toolUse": call},) if loss is None else ({"toolUse": call}, loss)


def _reasoning(content: Content.Reasoning, signed: bool) -> Block | Loss:
    own, claude = content.extras.of(NAME), content.extras.of(CLAUDE) if signed else {}
    match own, claude:
        case {"redactedContent": hidden}, _:
            return {"reasoningContent": {"redactedContent": hidden}}
        case _, {"$type": "redacted_thinking", "data": str() as data}:
            return {"reasoningContent": {"redactedContent": b64encode(data.encode()).decode()}}
        case ({"signature": str() as signature}, _) | (_, {"signature": str() as signature}) if signature:
            return {"reasoningContent": {"reasoningText": {"text": content.text, "signature": signature}}}
        case {"$unsigned": True}, _:
            return {"reasoningContent": {"reasoningText": {"text": content.text}}}
        case _:
            reason = "reasoning is taken back only with the signature of the model"
            return dropped("reasoning", content.text, reason, weight=Weight.DETAIL)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_TEXT: Final = Content.Text
_write_text: Final = unstructuring(CODEC, Content.Text)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
