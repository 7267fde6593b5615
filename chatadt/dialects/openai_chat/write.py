"""The words -> OpenAI Chat JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never, cast

from chatadt._hooks import unstructuring
from chatadt._wire import restore
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import misnamed
from chatadt.dialects._codec import OK
from chatadt.dialects._dialect import NO_TARGET, Target
from chatadt.dialects._losses import (
    Block,
    blocks_of,
    foreign,
    foreign_message,
    omitted,
    own_or_lost,
    relocate,
    unsaid,
    vanished,
)
from chatadt.dialects._openai_like.write import outcome_lost, parted_result, put_behind
from chatadt.dialects.openai_chat.assistant import write_assistant
from chatadt.dialects.openai_chat.codec import CODEC, NAME
from chatadt.dialects.openai_chat.media import audio_part, document_part, image_part
from chatadt.dialects.openai_chat.params import write_params
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = ("write_request",)


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    del target  # every model of this dialect is written alike
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    body["messages"] = _messages(request.messages, losses)
    losses += misnamed(request.messages, _is_of_a_function)
    return Converted(body, tuple(losses))


def _messages(messages: tuple[Message.T, ...], losses: list[Loss]) -> list[Block]:
    out: list[Block] = []
    waiting: list[Block] = []  # parts that cannot stay in their tool results: they stand in a user message behind the last one
    known = len(losses)
    for index, message in enumerate(messages):
        if waiting and not isinstance(message, Message.ToolResult):
            out.append({"role": "user", "content": waiting})
            waiting = []
        written = _message(message, waiting, losses)
        if written is not None:
            out.append(written)
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
            known = len(losses)
    if waiting:
        out.append({"role": "user", "content": waiting})
    return out


# --- messages ------------------------------------------------------------------------------------------------------------------


def _message(message: Message.T, waiting: list[Block], losses: list[Loss]) -> Block | None:
    match message:
        case Message.User():
            return _user(message, losses)
        case Message.Assistant():
            return write_assistant(message, losses)
        case Message.ToolResult():
            return _result(message, waiting, losses)
        case Message.System():
            return _system(message, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                return cast("Block", attributes.value)
            losses.append(foreign_message(message))
            return None
        case _:
            assert_never(message)


def _system(message: Message.System, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out = _write_system(message)
    out["content"] = _content(message.contents, losses)
    if out["content"] == [] and message.contents:
        losses += vanished(message)
        return None
    if message.extras is not NO_EXTRAS:
        out["role"] = "developer" if message.extras.of(NAME).get("$role") == "developer" else "system"
        losses += foreign(message.extras, NAME)
    return out


def _user(message: Message.User, losses: list[Loss]) -> Block:
    out = _write_user(message)
    content = _content(message.contents, losses)
    out["content"] = omitted(message.contents, losses) if content == [] and message.contents else content
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return out


def _content(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """A string when there is one plain text and nothing else, or a list of parts."""
    if len(contents) == 1 and isinstance(alone := contents[0], Content.Text) and alone.extras is NO_EXTRAS:
        return alone.text
    return blocks_of(contents, _input, losses)


def _result(message: Message.ToolResult, waiting: list[Block], losses: list[Loss]) -> Block:
    if len(message.contents) == 1 and message.extras is NO_EXTRAS and message.outcome is OK:
        only = message.contents[0]
        if isinstance(only, Content.Text) and only.extras is NO_EXTRAS:  # as nearly all are
            plain = _write_result(message)
            plain["content"] = only.text
            return plain
    notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    out: Block = {"role": "function", "name": message.tool} if _is_of_a_function(message) else _write_result(message)
    inside, outside = parted_result(message.contents, _stays)
    content = _content(inside, losses)
    moved_on = put_behind(outside, _input, waiting, losses)
    if content == [] and message.contents:
        content = omitted(message.contents, losses, moved_on)
    elif content == [] and "$content" not in notes:
        content = ""
    out["content"] = notes["content"] if _is_of_a_function(message) and "content" in notes and not content else content
    if message.extras is not NO_EXTRAS:
        restore(out, message.extras, NAME)
        losses += foreign(message.extras, NAME)
    losses += outcome_lost(message)
    return out


def _is_of_a_function(message: Message.ToolResult) -> bool:
    """Whether a result answers the deprecated function_call: it says its name and no id."""
    return message.extras is not NO_EXTRAS and message.extras.of(NAME).get("$role") == "function"


def _stays(content: Content.Input) -> bool:
    match content:
        case Content.Text() | Content.Custom():
            return True
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.extras is not NO_EXTRAS and bool(content.extras.of(NAME).get("$in_result"))
        case _:
            assert_never(content)


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of a user message, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_part(content)
        case Content.Audio():
            yield from audio_part(content)
        case Content.Video():
            yield unsaid(content, "there is no video content")
            return
        case Content.PDF() | Content.File():
            yield from document_part(content)
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
