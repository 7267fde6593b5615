"""The words -> Converse JSON: the case picks the key of the block, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

import orjson

from chatadt._wire import restore
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import Asked, misnamed_result
from chatadt.dialects._codec import OK
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    Block,
    Splice,
    Written,
    as_fragment,
    as_object,
    foreign_message,
    moved,
    nameless,
    omitted,
    relocate,
    rewritten,
)
from chatadt.dialects._media import locator
from chatadt.dialects._plain import arguments_of, is_plain_text, says_more
from chatadt.dialects._turns import Turns
from chatadt.dialects.bedrock.blobs import with_bytes
from chatadt.dialects.bedrock.blocks import Output, beyond, blocks_of, input_block, marked, result_block
from chatadt.dialects.bedrock.codec import NAME
from chatadt.dialects.bedrock.marks import others
from chatadt.dialects.bedrock.media import audio_block, is_noted
from chatadt.dialects.bedrock.params import write_params
from chatadt.dialects.bedrock.rules import RULES, may_be_claude
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss
from chatadt.message import Message, Outcome

__all__ = ("encode_request", "write_request")


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`. Media are base64, or bytes as they came."""
    written = _written(request, target, as_object)
    return Converted(with_bytes(written.value), written.losses) if is_noted(request.params.extras, "$bytes") else written


def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
    """Write a request body as JSON: what `write_request` writes, media as base64 and tool arguments as the text that they were."""
    written = _written(request, target, as_fragment)
    try:
        return Converted(orjson.dumps(written.value), written.losses)
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return _encode_exactly(request, target)


def _with_base64(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    return _written(request, target, as_object)


_encode_exactly: Final = encoded(_with_base64)


def _written(request: ChatRequest, target: Target, splice: Splice) -> Converted[Block]:
    """The request body with media as base64."""
    losses: list[Loss] = []
    params, messages = request.params, request.messages
    model = params.model if target.model is None else target.model
    body = write_params(params, model, messages, losses)
    relocate(losses, 0, "$.params")
    turns = Turns(NAME, RULES, model, target.inline_system)
    writer = Output(may_be_claude(model), splice)
    known, asked = len(losses), Asked(messages)
    for index, message in enumerate(messages):
        if _add_plainly(message, turns, splice, asked, losses, index):
            known = len(losses)
            continue
        _add(message, turns, writer, losses)
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
        losses += misnamed_result(message, index, asked)
        known = len(losses)
    turns.wait_no_longer()
    if turns.written or not is_noted(params.extras, "$messageless"):
        body["messages"] = turns.written
    if turns.system:
        body["system"] = turns.system
    return Converted(body, tuple(losses))


def _add_plainly(message: Any, turns: Turns, splice: Splice, asked: Asked, losses: list[Loss], index: int) -> bool:
    """Write one message as nearly all are, of texts and tool requests alone, if it is; the long way writes the same.

    `index` is that of the message, for the path of its loss; each call goes to `asked`, where the name of its result is looked up.
    """
    if turns.behind or turns.folded or says_more(message):
        return False
    blocks: list[Block] = []
    for content in message.contents:
        if is_plain_text(content):
            blocks.append({"text": content.text})
            continue
        arguments = arguments_of(content, NAME, splice)
        if arguments is None:
            return False
        blocks.append({"toolUse": {"toolUseId": content.id, "name": content.name, "input": arguments}})
        if asked.setdefault(content.id, content) is not content:
            asked.repeats = True
            asked[content.id] = content
    kind = message.__class__
    if kind is _RESULT:
        turns.open_or_go_on("user", [{"toolResult": {"toolUseId": message.id, "content": blocks}}])
        losses += misnamed_result(message, index, asked)
    else:
        turns.open_or_go_on("assistant" if kind is _ASSISTANT else "user", blocks)
    return True


_RESULT: Final = Message.ToolResult
_ASSISTANT: Final = Message.Assistant


# --- messages ------------------------------------------------------------------------------------------------------------------


def _add(message: Message.T, turns: Turns, writer: Output, losses: list[Loss]) -> None:
    """Write one message."""
    match message:
        case Message.ToolResult():
            turns.say("user", _result(message, turns, losses), message)
        case Message.Assistant():
            turns.wait_no_longer()
            turns.say("assistant", _assistant(message, writer, losses), message)
        case Message.User():
            if turns.behind:
                turns.wait_no_longer()
            turns.say("user", _user(message, losses), message)
        case Message.System():
            blocks = blocks_of(message.contents, input_block, losses)
            losses += others(message.extras)
            if blocks or not message.contents:
                turns.instruct(message, blocks, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                turns.stand_alone(attributes.value)
            else:
                losses.append(foreign_message(message))
        case _:
            assert_never(message)


def _user(message: Message.User, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, input_block, losses)
    if not blocks and message.contents:
        blocks = [{"text": omitted(message.contents, losses)}]
    losses += nameless(message, "turn")
    if message.extras is not NO_EXTRAS:
        losses += others(message.extras)
    return blocks


def _assistant(message: Message.Assistant, writer: Output, losses: list[Loss]) -> list[Block]:
    blocks = blocks_of(message.contents, writer.block, losses)
    losses += nameless(message, "turn")
    if message.extras is not NO_EXTRAS:
        losses += others(message.extras)
    return blocks


def _result(message: Message.ToolResult, turns: Turns, losses: list[Loss]) -> list[Block]:
    told = blocks_of(message.contents, lambda content: _told(content, turns.behind), losses, marks=False)
    out: Block = {"toolUseId": message.id, "content": told}
    if message.outcome is not OK:
        out["status"] = "error"
        if message.outcome is Outcome.DENIED:
            losses.append(rewritten("the outcome", "denied", "a result is an error or it is not", path=".outcome"))
    elif is_noted(message.extras, "$status"):
        out["status"] = "success"
    if message.extras is NO_EXTRAS:
        return [{"toolResult": out}]
    restore(out, message.extras, NAME)
    if not told and is_noted(message.extras, "$contentless"):
        if message.extras.of(NAME)["$contentless"] == "null":
            out["content"] = None
        else:
            del out["content"]
    losses += others(message.extras)
    return marked([{"toolResult": out}], message.extras)


def _told(content: Content.Input, behind: list[Block]) -> Written:
    """The block of what a tool gave back, and what is lost; audio is put `behind` the results."""
    match content:
        case Content.Text():
            return (result_block(content),)
        case Content.Audio():
            return _put_behind(content, behind)
        case Content.Image() | Content.PDF() | Content.File() | Content.Video() | Content.Custom():
            return input_block(content)
        case _:
            assert_never(content)


def _put_behind(content: Content.Audio, behind: list[Block]) -> Iterator[Loss]:
    for item in audio_block(content):
        if isinstance(item, Loss):
            yield item
        else:
            behind.append(item)
            reason = "a tool result takes no audio: it stands behind the results of the turn"
            yield moved("audio of a tool result", locator(content.resource), reason)
            yield from beyond(content, said=True, marks=False)
