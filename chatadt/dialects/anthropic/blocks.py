"""Blocks: one content of a message, by its type, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, assert_never

from chatadt._hooks import unstructuring
from chatadt._wire import restore
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import foreign_call
from chatadt.dialects._losses import Block, arguments_object, dropped, foreign, own_or_lost, rewritten, unsaid
from chatadt.dialects._media import has_words
from chatadt.dialects.anthropic.codec import CODEC, NAME
from chatadt.dialects.anthropic.media import file_block, image_block, pdf_block
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight

__all__ = ("input_block", "instruction_block", "output_block")


def input_block(content: Content.Input) -> Iterator[Block | Loss]:
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
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def instruction_block(content: Content.Text | Content.Custom) -> Iterator[Block | Loss]:
    """The block of a system message's content, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
            yield from foreign(content.extras, NAME)
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
        case _:
            assert_never(content)


def output_block(content: Content.Output) -> Iterator[Block | Loss]:
    """The block of an assistant's content, and what is lost."""
    return _asked(content) if isinstance(content, Content.ToolRequest) else _said(content)


def _asked(content: Content.ToolRequest) -> Iterator[Block | Loss]:
    arguments, loss = arguments_object(content)
    said: Any = content.arguments.json.value if loss is not None and isinstance(content.arguments, Arguments.Parsed) else {}
    if said.__class__ is not dict and content.extras.of(NAME).get("$own"):
        arguments = said
    elif loss is not None:
        yield loss
    yield from foreign_call(content, NAME)
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
        case Content.Audio(transcript=str() as transcript) if has_words(transcript):
            yield {"type": "text", "text": transcript}
            yield rewritten("audio", document(content), "there is no audio content: its transcript stands for it")
            return
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant says text and tool calls only", kind=kind)
            return
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
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
