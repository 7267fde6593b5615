"""Anthropic answers: the body of a `message`, read and written.

Source: the response types of POST /v1/messages in the official SDK (`anthropic.types`, 2.14).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve

from chatadt._wire import restore
from chatadt.chat import ChatResponse, Metadata, StopKind, StopReason
from chatadt.content import Content
from chatadt.dialects._answers import answering, metadata_lost, other_lost, parted_rest, stop_lost, unless_kept, without
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._losses import Block, invented, relocate
from chatadt.dialects.anthropic.codec import NAME
from chatadt.dialects.anthropic.read import _assistant as read_message
from chatadt.dialects.anthropic.rules import RULES
from chatadt.dialects.anthropic.usage import read_usage, write_usage
from chatadt.dialects.anthropic.write import assistant_blocks
from chatadt.error import Unexpected
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = (
    "KINDS",
    "NO_ID",
    "NO_MODEL",
    "read_response",
    "signed",
    "stop_of",
    "stop_word",
    "write_response",
)

NO_ID: Final = "msg_0"
NO_MODEL: Final = "unknown"

KINDS: Final[Mapping[str, StopKind]] = {
    "end_turn": StopKind.END,
    "max_tokens": StopKind.LENGTH,
    "model_context_window_exceeded": StopKind.CONTEXT_OVERFLOW,
    "stop_sequence": StopKind.STOP_SEQUENCE,
    "tool_use": StopKind.TOOL_CALLS,
    "pause_turn": StopKind.PAUSED,
    "refusal": StopKind.REFUSAL,
}
"""By `stop_reason`: what it means."""

_WORDS: Final[Mapping[StopKind, str]] = {kind: word for word, kind in KINDS.items()}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.CONTENT_FILTER: "refusal",
    StopKind.ERROR: "max_tokens",
    StopKind.INTERRUPTED: "max_tokens",
    StopKind.CANCELLED: "max_tokens",
}
_SPELLING: Final = {"type": "message", "role": "assistant"}


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with content", body)
    if "content" not in body:
        raise Unexpected.missing("a list of content blocks", ".content")
    if body["content"].__class__ is not list:
        raise Unexpected.of("a list of content blocks", body["content"], ".content")
    message = read_message({"role": "assistant", "content": body["content"]})
    known = {key: body[key] for key in ("id", "model") if body.get(key).__class__ is str}
    usage = read_usage(body.get("usage"))
    stop = stop_of(body.get("stop_reason"))
    used = {*known, "content", *(["usage"] if usage else []), *(["stop_reason"] if stop else [])}
    rest = {key: value for key, value in body.items() if key not in used and (key, value) not in _SPELLING.items()}
    absent = [key for key in _SPELLING if key not in body]
    fields = {**parted_rest(rest), **({"$absent": absent} if absent else {})}
    return ChatResponse(message, Metadata(**known, usage=usage, stop=stop, extras={NAME: fields or {"$own": True}}))


def stop_of(word: Any) -> StopReason | None:
    """Why the model stopped; None where it is not said."""
    return StopReason(KINDS.get(word, StopKind.OTHER), word) if word.__class__ is str else None


# --- writing -------------------------------------------------------------------------------------------------------------------


def _write_response(response: ChatResponse) -> Converted[Block]:
    losses: list[Loss] = []
    content = assistant_blocks(signed(response.message, losses), losses)
    relocate(losses, 0, "$.message")
    losses += [other_lost(choice, index) for index, choice in enumerate(response.others)]
    known = len(losses)
    metadata = response.metadata
    is_home = NAME in metadata.extras
    word, found = stop_word(metadata.stop, is_home)
    losses += found
    body: Block = {**unless_kept(_SPELLING, metadata.extras.of(NAME)), "content": content}
    body |= {key: value for key, value in (("id", metadata.id), ("model", metadata.model)) if value is not None}
    body |= {} if word is None else {"stop_reason": word}
    if metadata.usage is not None:
        body["usage"] = write_usage(metadata.usage, losses, is_home=is_home)
    losses += metadata_lost(metadata, NAME)
    if is_home:
        restore(body, without(metadata.extras, NAME, "events"), NAME)
    else:
        body = {"stop_reason": None, "stop_sequence": None, **_invented(body, losses), **body}
    relocate(losses, known, "$.metadata")
    return Converted(body, tuple(losses))


def _invented(body: Block, losses: list[Loss]) -> Block:
    """What every answer has, where nobody said it."""
    made: Block = {"id": NO_ID, "model": NO_MODEL, "usage": {"input_tokens": 0, "output_tokens": 0}}
    losses += [invented(f"the {key}", f"an answer has one: {value!r}") for key, value in made.items() if key not in body]
    return made


def stop_word(stop: StopReason | None, is_home: bool) -> tuple[str | None, list[Loss]]:
    """The `stop_reason` of a stop reason, and what is lost."""
    if stop is None or (is_home and stop == stop_of(stop.raw)):
        return None if stop is None else stop.raw, []
    word = _WORDS.get(stop.kind) or _NEAREST.get(stop.kind, "end_turn")
    return word, list(stop_lost(stop, word, stop.kind in _WORDS))


def signed(message: Message.Assistant, losses: list[Loss]) -> Message.Assistant:
    """The message whose reasoning from elsewhere has an empty signature: a client shows it, the provider would not take it back."""
    contents = tuple(_signed(content) for content in message.contents)
    for index, (content, told) in enumerate(zip(contents, message.contents, strict=True)):
        if content is not told:
            losses.append(invented("a signature", "thinking has one: it is empty", path=f".contents[{index}]"))
    return evolve(message, contents=contents)


def _signed(content: Content.Output) -> Content.Output:
    if isinstance(content, Content.Reasoning) and content.text and NAME not in content.extras:
        return evolve(content, extras=content.extras.having(NAME, {"signature": ""}))
    return content


read_response: Final = answering(NAME, _response, lambda body: "content" in body)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""

write_response: Final = identifying(NAME, RULES.tool_id, _write_response)
"""Write the body of an answer: total, with every loss reported at its path in `response`."""
