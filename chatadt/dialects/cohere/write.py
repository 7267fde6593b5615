"""The words -> Cohere JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import unstructuring
from chatadt._wire import leftover, restore
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._dialect import NO_TARGET, Target
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, relocate, rewritten, unsaid
from chatadt.dialects._openai_like.assistant import Voice, call_block, plain_or_parts, spoken
from chatadt.dialects._openai_like.write import (
    Teller,
    as_text,
    complete_result,
    image_part,
    system_writer,
    text_of_file,
    user_writer,
    write_messages,
)
from chatadt.dialects._spelling import list_of, object_of
from chatadt.dialects.cohere.codec import CODEC, NAME, PLAN
from chatadt.dialects.cohere.params import write_params
from chatadt.dialects.cohere.rules import RULES
from chatadt.json import NO_EXTRAS, parse
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("write_assistant", "write_request")

_IMAGES: Final = RULES.media_types["image"]

_PLANNED: Final = f"${PLAN}"
"""Marks what is written of a plan until it finds its place in the message."""


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    del target  # every model of this dialect is written alike
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    body["messages"] = write_messages(request.messages, _TELLER, losses)
    return Converted(body, tuple(losses))


# --- messages ------------------------------------------------------------------------------------------------------------------


def _result(message: Message.ToolResult, called: str | None, waiting: list[Block], losses: list[Loss]) -> Block:
    out = _write_result(message)
    own = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    out.pop("documents", None)
    complete_result(out, message, _stays, _input, NAME, waiting, losses)
    if "$documents" in own and out["content"]:
        kept = object_of(own, "documents")
        abouts = {index: object_of(kept, index) for index in list_of(own, "$documents", str)}
        out["content"] = _with_documents(out["content"], abouts)
    if message.tool is not None and message.tool != called:
        reason = "a result has no name but that of its call"
        losses.append(dropped("the name of the tool", message.tool, reason, weight=Weight.DETAIL, path=".tool"))
    return out


def _with_documents(content: Any, abouts: Mapping[str, Block]) -> Any:
    """The content of a result, its documents standing as the objects that they were, as long as their texts are some."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return plain_or_parts([_document(part, abouts.get(str(index))) for index, part in enumerate(parts)])


def _document(part: Any, about: Block | None) -> Any:
    match part:
        case {"type": "text", "text": str() as text} if about is not None and (data := _object(text)) is not None:
            block: Block = {"type": "document", "document": {"data": data}}
            restore(block, leftover(about, NAME), NAME)
            return block
        case _:
            return part


def _stays(content: Content.Input) -> bool:
    """Whether a content stands in its result, be it as a loss: nothing but an image finds a place elsewhere."""
    return not isinstance(content, Content.Image)


def write_assistant(message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    parts, calls = spoken(message, _VOICE, losses)
    if message.contents and not parts and not calls:
        return None
    out = _unstructure_assistant(message)
    said = [part for part in parts if not _is_plan(part)]
    if plans := [part[_PLANNED] for part in parts if _is_plan(part)]:
        out[PLAN] = "\n\n".join(plans)
    if len(plans) > 1:
        losses.append(rewritten("reasoning", plans, "a message has one plan: they are joined"))
    if said:
        out["content"] = plain_or_parts(said)
    if calls:
        out["tool_calls"] = calls
    return out


def _is_plan(part: Any) -> bool:
    return part.__class__ is dict and part.keys() == {_PLANNED} and part[_PLANNED].__class__ is str


def _request(content: Content.ToolRequest) -> Block:
    return call_block(content, _write_request, NAME)


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    """A thinking item, or the plan that it was; reasoning without text, such as an encrypted one, cannot be said."""
    own = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    if own.get("$key") == PLAN:
        yield {_PLANNED: content.text}
    elif content.text or NAME in content.extras:
        yield _write_reasoning(content)
    else:
        yield dropped("reasoning", content.text, "it has no text that could be shown", weight=Weight.DETAIL)


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of a user message, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_part(content, NAME, _IMAGES)
        case Content.File() if (text := text_of_file(content)) is not None:
            yield from as_text(content, NAME)
            yield {"type": "text", "text": text}
        case Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _object(text: str) -> Block | None:
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if value.__class__ is dict else None


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_unstructure_assistant: Final = unstructuring(CODEC, Message.Assistant)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
_VOICE: Final = Voice(NAME, "text, thinking and tool calls", _write_text, _request, _reasoning)
_TELLER: Final = Teller(
    NAME,
    system=system_writer(NAME, unstructuring(CODEC, Message.System), _input),
    user=user_writer(NAME, unstructuring(CODEC, Message.User), _input),
    assistant=write_assistant,
    result=_result,
)
