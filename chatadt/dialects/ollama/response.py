"""Ollama answers: the body of an answer of POST /api/chat, read and written. Its counts and durations stand beside the message.

Source: `ChatResponse` in the official SDK (`ollama`, 0.6) and in the server (`api/types.go`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from chatadt._wire import restore
from chatadt.chat import ChatResponse, Metadata, StopKind, StopReason, Usage
from chatadt.dialects._answers import (
    answering,
    counts_lost,
    metadata_lost,
    other_lost,
    parted_rest,
    restore_role,
    role_of,
    stop_by,
    stop_lost,
    unless_kept,
    without,
)
from chatadt.dialects._codec import at
from chatadt.dialects._losses import Block, dropped, foreign, invented, relocate
from chatadt.dialects.ollama.codec import NAME
from chatadt.dialects.ollama.read import read_answer
from chatadt.dialects.ollama.write import write_answer
from chatadt.error import Unexpected
from chatadt.loss import Converted, Loss, Weight

__all__ = ("COUNTS", "NO_MODEL", "NO_TIME", "read_response", "stop_of", "usage_of", "write_response")

NO_MODEL: Final = "unknown"
NO_TIME: Final = "1970-01-01T00:00:00Z"

COUNTS: Final = {"input": "prompt_eval_count", "output": "eval_count"}
"""By count of the usage: the field of an answer."""

_KINDS: Final[Mapping[str, StopKind]] = {"stop": StopKind.END, "length": StopKind.LENGTH}
_WORDS: Final[Mapping[StopKind, str]] = {StopKind.END: "stop", StopKind.LENGTH: "length"}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.CONTEXT_OVERFLOW: "length",
    StopKind.ERROR: "length",
    StopKind.INTERRUPTED: "length",
    StopKind.CANCELLED: "length",
}
_SPELLING: Final = {"done": True}


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with a message", body)
    if "message" not in body:
        raise Unexpected.missing("a message", ".message")
    told = body["message"]
    if told.__class__ is not dict:
        raise Unexpected.of("a message, which is an object", told, ".message")
    message = at(".message", read_answer, {**told, "role": "assistant"})
    model = body.get("model") if body.get("model").__class__ is str else None
    usage = usage_of(body)
    stop = stop_of(body.get("done_reason"), asks=bool(message.tool_requests))
    says_why = stop is not None and stop.raw is not None
    used = {"message", *(["model"] if model is not None else []), *(["done_reason"] if says_why else [])}
    used |= {key for key in COUNTS.values() if body.get(key).__class__ is int}
    rest = {key: value for key, value in body.items() if key not in used and (key != "done" or value is not True)}
    notes: dict[str, Any] = {} if "done" in body else {"$absent": ["done"]}
    notes |= {} if told.get("role") == "assistant" else {"$role": role_of(told, ".message.role")}
    fields = {**parted_rest(rest), **notes}
    return ChatResponse(message, Metadata(model=model, usage=usage, stop=stop, extras={NAME: fields or {"$own": True}}))


def usage_of(body: Mapping[str, Any]) -> Usage | None:
    """The tokens that an answer counts; None where it counts none. What the model thought is among the output."""
    found = {word: body[key] for word, key in COUNTS.items() if body.get(key).__class__ is int}
    return Usage(**found) if found else None


def stop_of(word: Any, *, asks: bool) -> StopReason | None:
    """Why the model stopped: its word for it, and whether it calls tools; None where nothing says so."""
    return stop_by(_KINDS, word if word.__class__ is str else None, asks=asks)


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_response(response: ChatResponse) -> Converted[Block]:
    """Write the body of an answer: total, with every loss reported at its path in `response`."""
    losses: list[Loss] = []
    metadata = response.metadata
    own = metadata.extras.of(NAME)
    is_home = NAME in metadata.extras
    message = write_answer(response.message, losses)
    relocate(losses, 0, "$.message")
    losses += [other_lost(choice, index) for index, choice in enumerate(response.others)]
    restore_role(message, own)
    known = len(losses)
    body: Block = {} if metadata.model is None else {"model": metadata.model}
    if not is_home:
        body = {**_invented(body, losses), **body}
    word, found = _word(metadata.stop, is_home, asks=bool(response.message.tool_requests))
    losses += found
    body |= {"message": message, **unless_kept(_SPELLING, own), **({} if word is None else {"done_reason": word})}
    if metadata.usage is not None:
        body |= _counts(metadata.usage, losses)
    if metadata.id is not None:
        losses.append(dropped("the id", metadata.id, "an answer has none", weight=Weight.DETAIL, path=".id"))
    losses += metadata_lost(metadata, NAME)
    restore(body, without(metadata.extras, NAME, "events"), NAME)
    relocate(losses, known, "$.metadata")
    return Converted(body, tuple(losses))


def _invented(body: Block, losses: list[Loss]) -> Block:
    """What every answer has, where nobody said it."""
    made = {"model": NO_MODEL, "created_at": NO_TIME}
    losses += [invented(f"the {key}", f"an answer has one: {value!r}") for key, value in made.items() if key not in body]
    return made


def _counts(usage: Usage, losses: list[Loss]) -> Block:
    found = [
        *counts_lost(usage, "cache_read", "cache_write", "reasoning", "audio_input", "audio_output"),
        *foreign(usage.extras, NAME),
    ]
    losses += [loss.under(".usage") for loss in found]
    return {key: value for word, key in COUNTS.items() if (value := getattr(usage, word)) is not None}


def _word(stop: StopReason | None, is_home: bool, *, asks: bool) -> tuple[str | None, list[Loss]]:
    """The `done_reason` of a stop reason, and what is lost; None where the dialect itself had none."""
    if is_home and stop == stop_of(None if stop is None else stop.raw, asks=asks):
        return None if stop is None else stop.raw, []
    kind = StopKind.END if stop is None else stop.kind
    said = kind is StopKind.TOOL_CALLS and asks
    word = "stop" if said else _WORDS.get(kind) or _NEAREST.get(kind, "stop")
    return word, list(stop_lost(stop, word, said or kind in _WORDS))


def _is_answer(body: dict[str, Any]) -> bool:
    return body.get("message").__class__ is dict


read_response: Final = answering(NAME, _response, _is_answer)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""
