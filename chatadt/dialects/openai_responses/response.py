"""OpenAI Responses answers: the body of a `response`, read and written.

All items of an answer are one message. Those of a server's own tools are in it verbatim, where they stood.
Source: the response types of POST /v1/responses in the official SDK (`openai.types.responses`, 3.57).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

from chatadt._cut import with_cut_call
from chatadt._wire import each, restore
from chatadt.chat import ChatResponse, Metadata, ProviderError, StopKind, StopReason
from chatadt.content import Content
from chatadt.dialects._answers import (
    answering,
    error_lost,
    foreign_metadata,
    other_lost,
    parted_rest,
    provider_error,
    stop_lost,
    unless_kept,
    without,
)
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._codec import at, plain_assistant
from chatadt.dialects._cut_calls import cut_calls_lost
from chatadt.dialects._losses import Block, foreign, invented, nameless, relocate, rewritten
from chatadt.dialects._spelling import object_of
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.dialects.openai_responses.said import Said, custom_call, function_call, grouped, reasoning, said, spoken
from chatadt.dialects.openai_responses.turn import write_turn
from chatadt.dialects.openai_responses.usage import read_usage, write_usage
from chatadt.error import Unexpected
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = (
    "ERROR_CODES",
    "IN_PROGRESS",
    "NO_ID",
    "PREFIXES",
    "Told",
    "identified",
    "kind_of",
    "read_item",
    "read_metadata",
    "read_response",
    "stop_of",
    "write_metadata",
    "write_response",
)

NO_ID: Final = "resp_0"
NO_MODEL: Final = "unknown"
IN_PROGRESS: Final = "in_progress"
_OBJECT: Final = "response"
_INCOMPLETE: Final = "incomplete"

_KINDS: Final[Mapping[str, StopKind]] = {
    "completed": StopKind.END,
    "complete": StopKind.END,
    "failed": StopKind.ERROR,
    "cancelled": StopKind.CANCELLED,
    "queued": StopKind.PAUSED,
    IN_PROGRESS: StopKind.PAUSED,
    "max_output_tokens": StopKind.LENGTH,
    "content_filter": StopKind.CONTENT_FILTER,
    "max_messages": StopKind.OTHER,
    "steered": StopKind.OTHER,
}
"""By `status`, or by the reason why an answer is incomplete: what it means, where the message does not say more."""

_REASONS: Final = frozenset({"max_output_tokens", "content_filter", "max_messages", "steered"})

_WORDS: Final[Mapping[StopKind, str]] = {
    StopKind.END: "completed",
    StopKind.LENGTH: "max_output_tokens",
    StopKind.CONTENT_FILTER: "content_filter",
    StopKind.ERROR: "failed",
    StopKind.CANCELLED: "cancelled",
}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.REFUSAL: "content_filter",
    StopKind.CONTEXT_OVERFLOW: "max_output_tokens",
    StopKind.INTERRUPTED: _INCOMPLETE,
    StopKind.PAUSED: _INCOMPLETE,
    StopKind.MALFORMED_TOOL_CALL: _INCOMPLETE,
}

ERROR_CODES: Final = frozenset(
    {
        *("server_error", "rate_limit_exceeded", "invalid_prompt", "data_residency_mismatch", "bio_policy"),
        *("misalignment_policy_violation", "vector_store_timeout", "invalid_image", "invalid_image_format"),
        *("invalid_base64_image", "invalid_image_url", "image_too_large", "image_too_small", "image_parse_error"),
        *("image_content_policy_violation", "invalid_image_mode", "image_file_too_large", "unsupported_image_media_type"),
        *("empty_image_file", "failed_to_download_image", "image_file_not_found"),
    }
)
"""What may be wrong with an answer that failed."""


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with an output", body)
    if "output" not in body:
        raise Unexpected.missing("a list of items", ".output")
    message = at(".output", _message, body["output"])
    metadata = read_metadata(body, Told.by(message))
    return ChatResponse(with_cut_call(message, metadata.stop), metadata)


def _message(items: Any) -> Message.Assistant:
    if items.__class__ is not list:
        raise Unexpected.of("a list of items", items)
    messages = (message for message in grouped(each(read_item, items)) if isinstance(message, Message.Assistant))
    return next(messages, plain_assistant(()))


def read_item(value: Any) -> Said:
    """An item of an answer: all of them are said by the model or its server."""
    if value.__class__ is not dict:
        raise Unexpected.of("an item, which is an object", value)
    kind = value.get("type")
    if kind == "message" and value.get("role", "assistant") == "assistant":
        return spoken(value) if "role" in value else said(value)
    read = _BY_TYPE.get(kind) if kind.__class__ is str else None
    return said(value) if read is None else read(value)


_BY_TYPE: Final[Mapping[str, Callable[[Any], Said]]] = {
    "function_call": function_call,
    "custom_tool_call": custom_call,
    "reasoning": reasoning,
}


@frozen
class Told:
    """What of a message bears on why the model stopped: whether it calls tools, and whether it refuses."""

    asks: bool = False
    refuses: bool = False

    @staticmethod
    def by(message: Message.Assistant) -> Told:
        """What a message tells."""
        refuses = any(isinstance(content, Content.Refusal) for content in message.contents)
        return Told(bool(message.tool_requests), refuses)


def read_metadata(body: dict[str, Any], told: Told) -> Metadata:
    """What a body says besides its items."""
    known = {key: body[key] for key in ("id", "model") if body.get(key).__class__ is str}
    usage = read_usage(body.get("usage"))
    stop = stop_of(body.get("status"), body.get("incomplete_details"), told)
    error = provider_error({"error": body.get("error")}, NAME) if body.get("error").__class__ is dict else None
    used = {*known, "output", *(["usage"] if usage else []), *(["error"] if error else [])}
    used |= {"object"} if body.get("object") == _OBJECT else set[str]()
    used |= {"status"} if stop is not None and stop.raw is not None else set[str]()
    rest = {key: value for key, value in body.items() if key not in used}
    if stop is not None and stop.raw in _REASONS:
        details = {key: value for key, value in rest.pop("incomplete_details").items() if key != "reason"}
        rest |= {"incomplete_details": details} if details else {}
    absent = {} if "object" in body else {"$absent": ["object"]}
    fields = {**parted_rest(rest), **absent}
    return Metadata(**known, usage=usage, stop=stop, error=error, extras={NAME: fields or {"$own": True}})


def stop_of(status: Any, details: Any, told: Told) -> StopReason | None:
    """Why the model stopped: the status, or the reason why the answer is incomplete. None where nothing says so."""
    raw = status if status.__class__ is str and status and status not in _REASONS else None
    if raw == _INCOMPLETE and details.__class__ is dict and _is_reason(details.get("reason")):
        raw = details["reason"]
    return _stop_by(raw, told)


def _is_reason(value: Any) -> bool:
    return value.__class__ is str and value in _REASONS


def _stop_by(raw: str | None, told: Told) -> StopReason | None:
    kind = None if raw is None else _KINDS.get(raw, StopKind.OTHER)
    if kind in (None, StopKind.END) and told.asks:
        kind = StopKind.TOOL_CALLS
    elif kind is StopKind.END and told.refuses:
        kind = StopKind.REFUSAL
    return None if kind is None else StopReason(kind, raw)


# --- writing -------------------------------------------------------------------------------------------------------------------


def _write_response(response: ChatResponse) -> Converted[Block]:
    losses: list[Loss] = []
    message = response.message
    items = write_turn(message.contents, losses, answers=True)
    losses += [*nameless(message, "message"), *foreign(message.extras, "")]
    is_home = NAME in response.metadata.extras
    losses += [] if is_home else identified(items)
    relocate(losses, 0, "$.message")
    losses += [other_lost(choice, index) for index, choice in enumerate(response.others)]
    known, told = len(losses), Told.by(message)
    body = write_metadata(response.metadata, items, told, losses)
    relocate(losses, known, "$.metadata")
    read = stop_of(body.get("status"), body.get("incomplete_details"), told)
    losses += [loss.under("$.message") for loss in cut_calls_lost(message.contents, read)]
    return Converted(body, tuple(losses))


def kind_of(item: Block) -> str:
    """The type of an item; empty where none stands there: an item of the dialect's own is any object."""
    kind: Any = item.get("type")
    return kind if isinstance(kind, str) else ""


def identified(items: list[Block]) -> list[Loss]:
    """Give the items what every one of an answer has, its id at least; what is invented is a loss."""
    losses: list[Loss] = []
    for index, item in enumerate(items):
        kind = kind_of(item)
        if kind in ("message", "function_call"):
            item.setdefault("status", _INCOMPLETE if item.get("arguments") == "" else "completed")
        if kind in PREFIXES and item.get("id").__class__ is not str:
            item["id"] = f"{PREFIXES[kind]}_{index}"
            losses.append(invented("the id of an item", f"an item has one: {item['id']!r}"))
    return losses


PREFIXES: Final[Mapping[str, str]] = {"message": "msg", "reasoning": "rs", "function_call": "fc", "custom_tool_call": "ctc"}
"""By type of an item: how ids of it begin."""


def write_metadata(metadata: Metadata, items: list[Block], told: Told, losses: list[Loss], *, running: bool = False) -> Block:
    """The body, and losses with paths below the metadata; one that is `running` does not say how it ends."""
    own = metadata.extras.of(NAME)
    is_home = NAME in metadata.extras
    body: Block = {**unless_kept({"object": _OBJECT}, own), "output": items}
    body |= {key: value for key, value in (("id", metadata.id), ("model", metadata.model)) if value is not None}
    body |= {"status": IN_PROGRESS} if running else _status(metadata.stop, is_home, told, losses)
    if metadata.error is not None and not running:
        body["error"] = _error(metadata.error, losses)
    if metadata.usage is not None:
        body["usage"] = write_usage(metadata.usage, losses, is_home=is_home)
    losses += foreign_metadata(metadata, NAME)
    if is_home:
        restore(body, without(metadata.extras, NAME, "events"), NAME)
        return body
    return {**_invented(body, losses), "error": None, "incomplete_details": None, **body}


def _invented(body: Block, losses: list[Loss]) -> Block:
    """What every answer has, where nobody said it."""
    made: Block = {
        "id": NO_ID,
        "created_at": 0,
        "model": NO_MODEL,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    losses += [invented(f"the {key}", f"an answer has one: {value!r}") for key, value in made.items() if key not in body]
    return made


def _status(stop: StopReason | None, is_home: bool, told: Told, losses: list[Loss]) -> Block:
    """The status, and why the answer is incomplete."""
    if is_home and stop == _stop_by(None if stop is None else stop.raw, told):
        return {} if stop is None or stop.raw is None else _said(stop.raw)
    kind = StopKind.END if stop is None else stop.kind
    shown = (kind is StopKind.TOOL_CALLS and told.asks) or (kind is StopKind.REFUSAL and told.refuses)
    word = "completed" if shown else _WORDS.get(kind) or _NEAREST.get(kind, "completed")
    losses += stop_lost(stop, word, shown or kind in _WORDS)
    return _said(word)


def _said(word: str) -> Block:
    return {"status": _INCOMPLETE, "incomplete_details": {"reason": word}} if word in _REASONS else {"status": word}


def _error(error: ProviderError, losses: list[Loss]) -> Block:
    """The error that broke an answer off; an event that told it stands elsewhere."""
    losses += [loss.under(".error") for loss in error_lost(error, NAME)]
    own = object_of(error.extras.of(NAME), "error")
    if own.get("message") == error.message:
        return own
    code = error.code if error.code in ERROR_CODES else "server_error"
    if error.code is None:
        losses.append(invented("the code of the error", f"an error has one: {code}", path=".error"))
    elif code != error.code:
        losses.append(rewritten("the code of the error", error.code, f"there is no such code: {code}", path=".error"))
    return {"code": code, "message": error.message}


read_response: Final = answering(NAME, _response, lambda body: "output" in body)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""

write_response: Final = identifying(NAME, RULES.tool_id, _write_response)
"""Write the body of an answer: total, with every loss reported at its path in `response`."""
