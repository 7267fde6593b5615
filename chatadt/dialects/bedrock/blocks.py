"""Blocks: one content of a message, as the key that tells its kind and what stands under it, and what is lost."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, Final, TypeVar, assert_never, cast, final

from attrs import frozen

from chatadt._hooks import unstructuring
from chatadt._wire import fields_of
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import foreign_call, free_form_lost
from chatadt.dialects._losses import (
    Block,
    Splice,
    Written,
    arguments_object,
    dropped,
    foreign,
    own_or_lost,
    parted,
    relocate,
    rewritten,
    unsaid,
)
from chatadt.dialects._media import has_words
from chatadt.dialects._openai_like.arguments import input_text
from chatadt.dialects._spelling import list_of
from chatadt.dialects.bedrock.codec import CALL, CLAUDE, CODEC, NAME
from chatadt.dialects.bedrock.marks import beside, others, points
from chatadt.dialects.bedrock.media import audio_block, document_block, image_block, is_noted, video_block
from chatadt.json import NO_EXTRAS, Extras, parse
from chatadt.loss import Loss, Weight

__all__ = ("Output", "beyond", "blocks_of", "input_block", "marked", "result_block")

C = TypeVar("C", bound=Content.T)
_REQUEST: Final = Content.ToolRequest


def blocks_of(contents: tuple[C, ...], write: Callable[[C], Written], losses: list[Loss], *, marks: bool = True) -> list[Block]:
    """The blocks of some contents, each with its mark behind it if there may be `marks`; their losses are added to `losses`."""
    blocks: list[Block] = []
    content: Any
    for index, content in enumerate(contents):
        if content.__class__ is _TEXT and content.extras is NO_EXTRAS:
            blocks.append({"text": content.text})
            continue
        written = write(content)
        path = f".contents[{index}]"
        is_bare = content.__class__ is not Content.Custom and _is_bare(content.extras)
        if content.__class__ is _REQUEST and is_bare:
            blocks += parted(written, losses, path)
            losses += [loss.under(path) for loss in foreign_call(content, NAME)]
            continue
        if written.__class__ is dict and is_bare:
            blocks.append(cast("Block", written))
            losses += foreign(content.extras, NAME, path)
            continue
        said = parted(written, losses, path)
        if said and marks and not isinstance(content, Content.Custom):
            said = marked(said, content.extras)
        blocks += said
        known = len(losses)
        losses += beyond(content, bool(said), marks)
        relocate(losses, known, path)
    return blocks


def _is_bare(extras: Extras) -> bool:
    return extras is NO_EXTRAS or not _MARKING.intersection(extras)


def marked(said: list[Block], extras: Extras) -> list[Block]:
    """What was said, with the marks of the prompt cache that a word had."""
    if extras is NO_EXTRAS:
        return said
    found = list(points(extras))
    if beside(extras) and len(found) == 1:
        return [*said[:-1], {**said[-1], **found[0]}]
    return said + found


def beyond(content: Content.T, said: bool, marks: bool) -> Iterator[Loss]:
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
        case Content.ToolRequest(extras=extras):
            yield from others(extras, marks=marks)
            yield from free_form_lost(extras, NAME, input_text(content.arguments))
        case Content.Text(extras=extras) | Content.Refusal(extras=extras):
            yield from others(extras, marks=marks)
        case _:
            assert_never(content)


def input_block(content: Content.Input) -> Written:
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
            return (own_or_lost(content, NAME, takes=dict),)
        case _:
            assert_never(content)


@final
@frozen
class Output:
    """How a model's contents are written: `signed` says whether what Claude signed is taken, `media` whether media are."""

    signed: bool
    splice: Splice
    media: bool = False

    def block(self, content: Content.Output) -> Written:
        """The block of an assistant's content, and what is lost."""
        match content:
            case Content.ToolRequest():
                return self._request(content)
            case Content.Text():
                return (_text(content),)
            case Content.Reasoning():
                return (_reasoning(content, self.signed),)
            case Content.Refusal(text=text):
                return {"text": text}, rewritten("refusal", text, "a refusal stands as text")
            case Content.Audio(transcript=str() as transcript) if has_words(transcript):
                reason = "an assistant says no audio: its transcript stands for it"
                return {"text": transcript}, rewritten("audio", document(content), reason)
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() if self.media:
                return input_block(content)
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                kind = f"{type(content).__name__.lower()} of an assistant"
                return (unsaid(content, "an assistant says text and tool calls only", kind=kind),)
            case Content.Custom():
                return (own_or_lost(content, NAME, takes=dict),)
            case _:
                assert_never(content)

    def _request(self, content: Content.ToolRequest) -> Written:
        call = _write_request(content)
        if content.extras.of(NAME).get("$type") == CALL:
            call["type"] = CALL
        arguments = content.arguments
        value = self.splice(arguments.json) if isinstance(arguments, Arguments.Parsed) else None
        if value is not None:
            call["input"] = value
            return {"toolUse": call}
        call["input"], loss = arguments_object(content)
        said: Any = arguments.json.value if isinstance(arguments, Arguments.Parsed) else {}
        if said.__class__ is not dict and is_noted(content.extras, "$own"):
            call["input"], loss = said, None
        return ({"toolUse": call},) if loss is None else ({"toolUse": call}, loss)


def _text(content: Content.Text) -> Block:
    """The block of a text, as what it was read from."""
    own = content.extras.of(NAME)
    said = dict(fields_of(own))
    match own.get("$type"):
        case "guardContent":
            return {"guardContent": {"text": {"text": content.text, **said}}}
        case "citationsContent":
            return {"citationsContent": {"content": [{"text": text} for text in _pieces(content.text, own)], **said}}
        case _:
            return _write_text(content)


def _pieces(text: str, own: Block) -> list[str]:
    """The pieces in which a text with sources stood, unless it was changed since."""
    sizes = list_of(own, "$pieces", int)
    if sum(sizes) != len(text) or not sizes or min(sizes) < 0:
        return [text]
    ends = list(accumulate(sizes))
    return [text[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def result_block(content: Content.Text) -> Block:
    """The block of a text of a tool result: what was read from JSON is JSON again, unless it is none any more."""
    if content.extras.of(NAME).get("$type") != "json":
        return _text(content)
    try:
        return {"json": parse(content.text)}
    except ValueError:
        return {"text": content.text}


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
_MARKING: Final = frozenset({CLAUDE, NAME})
"""Who says marks of the prompt cache."""
_write_text: Final = unstructuring(CODEC, Content.Text)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
