"""Writing: what an assistant says, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, assert_never, cast, final

from attrs import frozen

from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import foreign_call
from chatadt.dialects._losses import (
    Block,
    Written,
    as_object,
    foreign,
    foreign_block,
    moved,
    nameless,
    own_or_lost,
    parted,
    rewritten,
    unsaid,
)
from chatadt.dialects._media import has_words
from chatadt.dialects._openai_like.arguments import arguments_as_noted
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = (
    "Voice",
    "call_block",
    "plain_or_parts",
    "spoken",
)


@final
@frozen
class Voice:
    """How a dialect writes what an assistant says: each writer answers the part or the call, and what is lost of it."""

    dialect: str
    takes: str
    """What an assistant says here, in words."""
    text: Callable[[Content.Text], Block]
    request: Callable[[Content.ToolRequest], Written]
    reasoning: Callable[[Content.Reasoning], Iterator[Block | Loss]]
    has_parts: bool = True
    """Whether there are parts, among which one that only this dialect knows can stand."""


def spoken(message: Message.Assistant, voice: Voice, losses: list[Loss]) -> tuple[list[Block], list[Block]]:
    """The parts and the tool calls of an assistant's message."""
    parts: list[Block] = []
    calls: list[Block] = []
    content: Any
    for index, content in enumerate(message.contents):
        if content.__class__ is Content.Text and content.extras is NO_EXTRAS and not calls:
            parts.append({"type": "text", "text": content.text})
            continue
        if content.__class__ is Content.ToolRequest:
            called = voice.request(content)
            if called.__class__ is dict:
                calls.append(cast("Block", called))
            else:
                calls += parted(called, losses, f".contents[{index}]")
            losses += [loss.under(f".contents[{index}]") for loss in foreign_call(content, voice.dialect)]
            continue
        said = parted(_said(content, voice), losses, f".contents[{index}]")
        if said and isinstance(content, Content.Custom) and (call := _own_call(said[0])) is not None:
            calls.append(call)
        elif said:
            if calls:
                reason = "tool calls stand after everything else"
                losses.append(moved("contents", type(content).__name__, reason, path=f".contents[{index}]"))
            parts += said
    losses += nameless(message, "message")
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, voice.dialect)
    return parts, calls


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


def _said(content: Said, voice: Voice) -> Iterator[Block | Loss]:
    match content:
        case Content.Text():
            yield voice.text(content)
        case Content.Reasoning():
            yield from voice.reasoning(content)
        case Content.Refusal():
            yield {"type": "text", "text": content.text}
            yield rewritten("refusal", content.text, "a refusal stands as text")
        case Content.Audio(transcript=str() as transcript) if has_words(transcript):
            yield {"type": "text", "text": transcript}
            yield rewritten("audio", document(content), "an assistant says no audio: its transcript stands for it")
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, f"an assistant message has {voice.takes} only", kind=kind)
            return
        case Content.Custom():
            yield own_or_lost(content, voice.dialect, takes=dict) if voice.has_parts else foreign_block(content)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, voice.dialect)


def _own_call(value: Any) -> Any:
    """A call that was kept verbatim, or None where a value is none."""
    match value:
        case {"$tool_call": call, **rest} if not rest:
            return call
        case _:
            return None


def plain_or_parts(parts: list[Block]) -> str | list[Block]:
    """A string where one text that has nothing but its text stands alone."""
    match parts:
        case [{"type": "text", "text": str() as text, **rest}] if not rest:
            return text
        case _:
            return parts


def call_block(content: Content.ToolRequest, write: Callable[[Content.ToolRequest], Block], dialect: str) -> Block:
    """A tool call; its index and its arguments as `tool_call_reader` noted them."""
    call = write(content)
    if content.extras is not NO_EXTRAS and dialect in content.extras:
        notes = content.extras.of(dialect)
        if "$index" in notes:
            call["index"] = notes["$index"]
        call["function"]["arguments"] = _arguments(content.arguments, notes)
    return call


def _arguments(arguments: Arguments.T, notes: Block) -> Any:
    match arguments:
        case Arguments.Parsed(json=found) if notes.get("$arguments") == "object" and (value := as_object(found)) is not None:
            return value
        case Arguments.Parsed() | Arguments.Malformed():
            return arguments_as_noted(arguments, notes)
        case _:
            assert_never(arguments)
