"""Cohere answers: the body of an answer of POST /v2/chat, read and written.

Source: the response types in the official SDK (`cohere.v2.types.v2chat_response`, 7.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chatadt._cut import with_cut_call
from chatadt._wire import restore
from chatadt.chat import ChatResponse, Metadata, StopKind, StopReason
from chatadt.dialects._answers import (
    answering,
    metadata_lost,
    other_lost,
    parted_rest,
    restore_role,
    role_of,
    stop_by,
    stop_lost,
    without,
)
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._codec import at
from chatadt.dialects._cut_calls import cut_calls_lost
from chatadt.dialects._losses import Block, dropped, invented, relocate
from chatadt.dialects.cohere.codec import NAME
from chatadt.dialects.cohere.read import read_assistant
from chatadt.dialects.cohere.rules import RULES
from chatadt.dialects.cohere.usage import read_usage, write_usage
from chatadt.dialects.cohere.write import write_assistant
from chatadt.error import Unexpected
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("NO_ID", "read_response", "stop_of", "write_message", "write_response")

NO_ID: Final = "00000000-0000-0000-0000-000000000000"

_KINDS: Final[Mapping[str, StopKind]] = {
    "COMPLETE": StopKind.END,
    "STOP_SEQUENCE": StopKind.STOP_SEQUENCE,
    "MAX_TOKENS": StopKind.LENGTH,
    "TOOL_CALL": StopKind.TOOL_CALLS,
    "ERROR": StopKind.ERROR,
    "TIMEOUT": StopKind.ERROR,
}
_WORDS: Final[Mapping[StopKind, str]] = {
    StopKind.END: "COMPLETE",
    StopKind.STOP_SEQUENCE: "STOP_SEQUENCE",
    StopKind.LENGTH: "MAX_TOKENS",
    StopKind.TOOL_CALLS: "TOOL_CALL",
    StopKind.ERROR: "ERROR",
}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.CONTEXT_OVERFLOW: "MAX_TOKENS",
    StopKind.INTERRUPTED: "ERROR",
    StopKind.CANCELLED: "ERROR",
    StopKind.MALFORMED_TOOL_CALL: "ERROR",
}


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with a message", body)
    if "message" not in body:
        raise Unexpected.missing("a message", ".message")
    told = body["message"]
    if told.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", told, ".message")
    message = at(".message", read_assistant, {**told, "role": "assistant"})
    id_ = body.get("id") if body.get("id").__class__ is str else None
    usage = read_usage(body.get("usage"))
    stop = stop_of(body.get("finish_reason"), asks=bool(message.tool_requests))
    says_why = stop is not None and stop.raw is not None
    used = {"message", *(["id"] if id_ else []), *(["usage"] if usage else []), *(["finish_reason"] if says_why else [])}
    notes: dict[str, Any] = {} if told.get("role") == "assistant" else {"$role": role_of(told, ".message.role")}
    notes |= {"$string": True} if told.get("content").__class__ is str else {}
    fields = {**parted_rest({key: value for key, value in body.items() if key not in used}), **notes}
    metadata = Metadata(id=id_, usage=usage, stop=stop, extras={NAME: fields or {"$own": True}})
    return ChatResponse(with_cut_call(message, stop), metadata)


def stop_of(word: Any, *, asks: bool) -> StopReason | None:
    """Why the model stopped: its word for it, and whether it calls tools; None where nothing says so."""
    return stop_by(_KINDS, word if word.__class__ is str else None, asks=asks)


# --- writing -------------------------------------------------------------------------------------------------------------------


def _write_response(response: ChatResponse) -> Converted[Block]:
    losses: list[Loss] = []
    metadata = response.metadata
    own = metadata.extras.of(NAME)
    is_home = NAME in metadata.extras
    message = write_message(response.message, losses, as_string=bool(own.get("$string")))
    relocate(losses, 0, "$.message")
    losses += [other_lost(choice, index) for index, choice in enumerate(response.others)]
    restore_role(message, own)
    asks = bool(response.message.tool_requests)
    word, found = _word(metadata.stop, is_home, asks=asks)
    cut = cut_calls_lost(response.message.contents, stop_of(word, asks=asks))
    losses += [loss.under("$.message") for loss in cut]
    known = len(losses)
    losses += found
    body: Block = {} if metadata.id is None else {"id": metadata.id}
    if metadata.id is None and not is_home:
        losses.append(invented("the id", f"an answer has one: {NO_ID!r}"))
        body["id"] = NO_ID
    body |= {"message": message, **({} if word is None else {"finish_reason": word})}
    if metadata.usage is not None:
        body["usage"] = write_usage(metadata.usage, losses)
    if metadata.model is not None:
        losses.append(dropped("the model", metadata.model, "an answer does not name it", weight=Weight.DETAIL, path=".model"))
    losses += metadata_lost(metadata, NAME)
    restore(body, without(metadata.extras, NAME, "events"), NAME)
    relocate(losses, known, "$.metadata")
    return Converted(body, tuple(losses))


def write_message(message: Message.Assistant, losses: list[Loss], *, as_string: bool = False) -> Block:
    """The message of an answer, whose content is a list, but where a server said a string."""
    out = write_assistant(message, losses) or {"role": "assistant"}
    content: Any = out.get("content")
    if content.__class__ is str and not as_string:
        out["content"] = [{"type": "text", "text": content}]
    return out


def _word(stop: StopReason | None, is_home: bool, *, asks: bool) -> tuple[str | None, list[Loss]]:
    """The `finish_reason` of a stop reason, and what is lost; None where the dialect itself had none."""
    if is_home and stop == stop_of(None if stop is None else stop.raw, asks=asks):
        return None if stop is None else stop.raw, []
    kind = StopKind.END if stop is None else stop.kind
    word = _WORDS.get(kind) or _NEAREST.get(kind, "COMPLETE")
    return word, list(stop_lost(stop, word, kind in _WORDS))


def _is_answer(body: dict[str, Any]) -> bool:
    return body.get("message").__class__ is dict


read_response: Final = answering(NAME, _response, _is_answer)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""

write_response: Final = identifying(NAME, RULES.tool_id, _write_response)
"""Write the body of an answer: total, with every loss reported at its path in `response`."""
