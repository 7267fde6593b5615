"""The words -> Mistral JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any, Final, assert_never

from chatadt._hooks import unstructuring
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._dialect import NO_TARGET, Target
from chatadt.dialects._losses import Block, dropped, foreign, invented, own_or_lost, relocate, unsaid
from chatadt.dialects._openai_like.assistant import Voice, call_block, plain_or_parts, spoken
from chatadt.dialects._openai_like.write import (
    Teller,
    complete_result,
    image_part,
    system_writer,
    user_writer,
    write_messages,
)
from chatadt.dialects.mistral.codec import CODEC, IN_RESULT, NAME, thought_of
from chatadt.dialects.mistral.media import audio_chunk, document_chunk
from chatadt.dialects.mistral.params import write_params
from chatadt.dialects.mistral.rules import RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("write_assistant", "write_request")

_IMAGES: Final = RULES.media_types["image"]

_ACKNOWLEDGED: Final = "OK"
"""What an invented assistant message says between a tool result and a user message."""


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    messages = write_messages(request.messages, _TELLER, losses)
    if target.prefill and messages and _role(messages[-1]) == "assistant":
        messages[-1]["prefix"] = True
    body["messages"] = _in_strict_order(messages, losses) if target.strict_order else messages
    return Converted(body, tuple(losses))


def _in_strict_order(messages: list[Block], losses: list[Loss]) -> list[Block]:
    """Put an assistant message between a tool result and a user message, as servers with an old tokenizer want it."""
    ordered: list[Block] = []
    for message in messages:
        if ordered and _role(ordered[-1]) == "tool" and _role(message) == "user":
            reason = "a user message is not taken directly behind a tool result"
            losses.append(invented("an assistant message", reason, path=f"$.messages[{len(ordered)}]"))
            ordered.append({"role": "assistant", "content": _ACKNOWLEDGED})
        ordered.append(message)
    return ordered


def _role(message: Any) -> Any:
    match message:
        case {"role": role}:
            return role
        case _:
            return None


# --- messages ------------------------------------------------------------------------------------------------------------------


def _result(message: Message.ToolResult, called: str | None, waiting: list[Block], losses: list[Loss]) -> Block:
    out = _write_result(message)
    complete_result(out, message, _stays, _input, NAME, waiting, losses)
    if message.tool is not None and (message.tool != called or message.extras.of(NAME).get("$named")):
        out["name"] = message.tool
    return out


def _stays(content: Content.Input) -> bool:
    """Whether a content stays in its result: a medium only where it came from one, for only the newest models take it there."""
    if isinstance(content, Content.Text | Content.Custom):
        return True
    return content.extras is not NO_EXTRAS and bool(content.extras.of(NAME).get(IN_RESULT))


# --- the assistant -------------------------------------------------------------------------------------------------------------


def write_assistant(message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    chunks, calls = spoken(message, _VOICE, losses)
    if message.contents and not chunks and not calls:
        return None
    out = _unstructure_assistant(message)
    if chunks:
        out["content"] = plain_or_parts(chunks)
    if calls:
        out["tool_calls"] = calls
    if message.extras is not NO_EXTRAS and "$prefix" in message.extras.of(NAME):
        out.setdefault("prefix", False)
    return out


def _request(content: Content.ToolRequest) -> Block:
    return call_block(content, _write_request, NAME)


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    """A thinking chunk; reasoning that has no text, such as another provider's encrypted one, cannot be said."""
    if not content.text and NAME not in content.extras:
        yield dropped("reasoning", content.text, "it has no text that could be shown", weight=Weight.DETAIL)
        return
    own = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    block = _write_reasoning(content)
    block["thinking"] = _thinking(content.text, own.get("thinking"), own.get("$lengths"))
    yield block


def _thinking(text: str, chunks: Any, lengths: Any) -> list[Block]:
    """The chunks of a thinking chunk: as they were, if the text is still what they said together."""
    match chunks, lengths:
        case [*found], _ if thought_of(found) == text:
            return found
        case None, [*found] if all(map(_is_length, found)) and sum(found) == len(text):
            return [{"type": "text", "text": text[start:end]} for start, end in pairwise([0, *accumulate(found)])]
        case _:
            return [{"type": "text", "text": text}]


def _is_length(value: Any) -> bool:
    return value.__class__ is int and value >= 0


# --- chunks --------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The chunk of a user message, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_part(content, NAME, _IMAGES)
        case Content.Audio():
            yield from audio_chunk(content)
        case Content.Video():
            yield unsaid(content, "there is no video content")
            return
        case Content.PDF() | Content.File():
            yield from document_chunk(content)
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


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
