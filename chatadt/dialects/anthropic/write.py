"""The words -> Anthropic JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from typing import Any, Final, assert_never, cast

import orjson

from chatadt._wire import restore
from chatadt.chat import ChatRequest
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import Asked, foreign_call, misnamed_result
from chatadt.dialects._codec import OK
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    Block,
    Splice,
    as_fragment,
    as_object,
    blocks_of,
    foreign,
    foreign_message,
    moved,
    nameless,
    omitted,
    relocate,
    rewritten,
    vanished,
)
from chatadt.dialects._turns import Turns
from chatadt.dialects.anthropic.blocks import input_block, instruction_block, output_block
from chatadt.dialects.anthropic.codec import NAME
from chatadt.dialects.anthropic.media import no_detail, plain_source
from chatadt.dialects.anthropic.params import write_params
from chatadt.dialects.anthropic.rules import RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss
from chatadt.message import Message, Outcome

__all__ = ("assistant_blocks", "encode_request", "write_request")


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    losses: list[Loss] = []
    return Converted(_written(request, target, as_object, losses), tuple(losses))


def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
    """Write a request body as JSON: what `write_request` writes, tool arguments as the text that they came with."""
    losses: list[Loss] = []
    try:
        return Converted(orjson.dumps(_written(request, target, as_fragment, losses)), tuple(losses))
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return encoded(write_request)(request, target)


def _written(request: ChatRequest, target: Target, splice: Splice, losses: list[Loss]) -> Block:
    """The body; what it cannot say is added to `losses`."""
    model = request.params.model if target.model is None else target.model
    body = write_params(request.params, model, losses)
    if losses:
        relocate(losses, 0, "$.params")
    turns = Turns(NAME, RULES, model, target.inline_system)
    messages, index = request.messages, 0
    asked = Asked(messages)
    while (index := _write_plainly(messages, index, turns, splice, losses, asked)) < len(messages):
        known = len(losses)
        _add(messages[index], turns, losses)
        relocate(losses, known, f"$.messages[{index}]")
        losses += misnamed_result(messages[index], index, asked)
        index += 1
    turns.wait_no_longer()
    if turns.system is not None:
        body["system"] = turns.system
    body["messages"] = turns.written
    return body


# --- the short way --------------------------------------------------------------------------------------------------------------


def _write_plainly(
    messages: tuple[Message.T, ...], start: int, turns: Turns, splice: Splice, losses: list[Loss], asked: Asked
) -> int:
    """Write messages as nearly all are, of texts, tool requests and images; return the index of the first other one.

    Each call goes to `asked`, where the name of its result is looked up. The long way writes the same (see
    `dialects._plain`; everything stands in one place here, because this is the path that every gate of speed goes by).
    """
    role, open_blocks, written = turns.role, turns.content, turns.written
    index = start
    message: Any
    for message in messages[start:] if not (turns.behind or turns.folded) else ():
        kind = message.__class__
        if kind is _RESULT:  # of each kind by itself: the interpreter finds a field faster where it is always one of the same class
            if message.extras is not NO_EXTRAS or message.outcome is not OK:
                break
            contents, speaker = message.contents, "user"
        elif kind is _ASSISTANT:
            if message.extras is not NO_EXTRAS or message.name is not None:
                break
            contents, speaker = message.contents, "assistant"
        elif kind is _USER:
            if message.extras is not NO_EXTRAS or message.name is not None:
                break
            contents, speaker = message.contents, "user"
        elif kind is _CUSTOM_MESSAGE or written or message.extras is not NO_EXTRAS:
            break
        else:
            contents, speaker = message.contents, "system"
        if len(contents) == 1 and (content := contents[0]).__class__ is _TEXT and content.extras is NO_EXTRAS:
            blocks: list[Block] | None = [{"type": "text", "text": content.text}]
        else:
            blocks = _plain_blocks(contents, splice, losses, index, kind is not _ASSISTANT, asked)
        if blocks is None:
            break
        if kind is _RESULT:
            blocks = [{"type": "tool_result", "tool_use_id": message.id, "content": blocks}]
            if (tool := message.tool) is not None:
                call = asked.get(message.id)
                if call is None or call.name != tool or asked.repeats:
                    losses += misnamed_result(message, index, asked)
        index += 1
        if speaker == "system":
            if turns.system is None:
                turns.system = blocks
            else:
                turns.system += blocks
            continue
        if speaker == role:
            open_blocks += blocks
        else:
            role, open_blocks = speaker, blocks
            written.append({"role": role, "content": blocks})
    turns.role, turns.content = role, open_blocks
    return index


def _plain_blocks(
    contents: tuple[Any, ...], splice: Splice, losses: list[Loss], index: int, shows: bool, asked: Asked
) -> list[Block] | None:
    """The blocks of texts, tool requests and images; None, and no losses, where there is anything else, or nothing.

    `index` is that of the message, for the paths of losses; `shows` says whether its speaker says images.
    """
    blocks: list[Block] = []
    known = len(losses)
    for content in contents:
        kind = content.__class__
        extras = NO_EXTRAS
        block: Block | None = None
        if kind is _TEXT:
            extras = content.extras
            block = {"type": "text", "text": content.text}
        elif kind is _REQUEST:
            extras, arguments = content.extras, content.arguments
            value = splice(arguments.json) if arguments.__class__ is _PARSED else None
            if value is not None:
                if asked.setdefault(content.id, content) is not content:
                    asked.repeats = True
                    asked[content.id] = content
                block = {"type": "tool_use", "id": content.id, "name": content.name, "input": value}
        elif kind is _IMAGE and shows and (source := plain_source(content.resource)) is not None:
            extras = content.extras
            block = {"type": "image", "source": source}
            if content.detail is not None:
                losses.append(no_detail(content.detail, f"$.messages[{index}].contents[{len(blocks)}].detail"))
        if block is None or (extras is not NO_EXTRAS and NAME in extras):  # what is the dialect's own the long way puts back
            del losses[known:]
            return None
        if extras is not NO_EXTRAS:
            path = f"$.messages[{index}].contents[{len(blocks)}]"
            losses += (
                foreign(extras, NAME, path) if kind is not _REQUEST else [loss.under(path) for loss in foreign_call(content, NAME)]
            )
        blocks.append(block)
    return blocks or None


_TEXT: Final = Content.Text
_REQUEST: Final = Content.ToolRequest
_IMAGE: Final = Content.Image
_PARSED: Final = Arguments.Parsed
_RESULT: Final = Message.ToolResult
_ASSISTANT: Final = Message.Assistant
_USER: Final = Message.User
_CUSTOM_MESSAGE: Final = Message.Custom


# --- messages ------------------------------------------------------------------------------------------------------------------


def _add(message: Message.T, turns: Turns, losses: list[Loss]) -> None:
    """Write one message the long way."""
    match message:
        case Message.ToolResult():
            turns.say("user", [_result(message, turns.behind, losses)], message)
        case Message.Assistant():
            turns.wait_no_longer()
            turns.say("assistant", assistant_blocks(message, losses), message)
        case Message.User():
            if turns.behind:
                turns.wait_no_longer()
            turns.say("user", _user(message, losses), message)
        case Message.System():
            _system(message, turns, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                turns.stand_alone(attributes.value)
            else:
                losses.append(foreign_message(message))
        case _:
            assert_never(message)


def _system(message: Message.System, turns: Turns, losses: list[Loss]) -> None:
    blocks = blocks_of(message.contents, instruction_block, losses)
    if not blocks and message.contents:
        losses += vanished(message)
        return
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    turns.instruct(message, blocks, losses)


def _user(message: Message.User, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, input_block, losses)
    if not blocks and message.contents:
        blocks = [{"type": "text", "text": omitted(message.contents, losses)}]
    losses += nameless(message, "turn")
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def assistant_blocks(message: Message.Assistant, losses: list[Loss]) -> list[Block]:
    """The blocks of a message; its losses are added to `losses`."""
    blocks = blocks_of(message.contents, output_block, losses)
    if not blocks and message.contents:
        losses += vanished(message)
        return blocks
    losses += nameless(message, "turn")
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return blocks


def _result(message: Message.ToolResult, behind: list[Block], losses: list[Loss]) -> Block:
    out: Block = {"type": "tool_result", "tool_use_id": message.id}
    blocks = blocks_of(message.contents, input_block, losses)
    if message.outcome is not OK:
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
