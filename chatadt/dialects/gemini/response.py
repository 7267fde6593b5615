"""Gemini answers: a `GenerateContentResponse`, read and written.

What a body says of its first candidate besides its content is kept under `candidates` among the extras of the metadata, that of the
others in theirs. A prompt that was blocked is an answer without contents that a filter stopped.
Source: the response types of generateContent in the official SDK (`google.genai.types`, 3.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from returns.result import Result

from chatadt._wire import each, restore
from chatadt.chat import ChatResponse, Choice, Metadata, StopKind, StopReason
from chatadt.dialects._answers import answering, metadata_lost, parted_rest, role_of, stop_lost, without
from chatadt.dialects._codec import at
from chatadt.dialects._losses import Block, as_object, dropped, foreign, nameless, relocate
from chatadt.dialects._spelling import list_of, object_of
from chatadt.dialects.gemini.codec import NAME, camel, has_snake, in_camel, in_snake
from chatadt.dialects.gemini.ids import identified
from chatadt.dialects.gemini.parts import Said, parts_of
from chatadt.dialects.gemini.read import _model_turn as read_message
from chatadt.dialects.gemini.rules import ANSWERING
from chatadt.dialects.gemini.usage import read_usage, write_usage
from chatadt.error import ConversionError, Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = (
    "FIELDS",
    "blocked",
    "call_prefix",
    "finish_word",
    "read_response",
    "said",
    "stop_of",
    "word_of",
    "write_response",
)

FIELDS: Final = frozenset({"candidates", "promptFeedback", "usageMetadata", "responseId", "modelVersion", "createTime"})
"""The fields by which an answer is known."""
_TELLING: Final = frozenset({"candidates", "promptFeedback", "usageMetadata", "prompt_feedback", "usage_metadata"})

_FILTERED: Final = (
    *("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"),
    *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"),
)
_MALFORMED: Final = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE")

KINDS: Final[Mapping[str, StopKind]] = {
    "STOP": StopKind.END,
    "MAX_TOKENS": StopKind.LENGTH,
    **dict.fromkeys(_FILTERED, StopKind.CONTENT_FILTER),
    **dict.fromkeys(_MALFORMED, StopKind.MALFORMED_TOOL_CALL),
    "MALFORMED_RESPONSE": StopKind.ERROR,
    "CONTINUATION": StopKind.PAUSED,
}
"""By `finishReason`: what it means; any other is OTHER."""

_NUMBERED: Final[Mapping[int, str]] = {1: "STOP", 2: "MAX_TOKENS", 3: "SAFETY", 4: "RECITATION", 5: "OTHER"}
"""By number, as some clients write enums: the reasons of which the Gemini API and Vertex AI have the same one."""

_WORDS: Final[Mapping[StopKind, str]] = {
    StopKind.END: "STOP",
    StopKind.LENGTH: "MAX_TOKENS",
    StopKind.TOOL_CALLS: "STOP",
    StopKind.CONTENT_FILTER: "SAFETY",
    StopKind.PAUSED: "CONTINUATION",
    StopKind.MALFORMED_TOOL_CALL: "MALFORMED_FUNCTION_CALL",
    StopKind.OTHER: "OTHER",
}
_NEAREST: Final[Mapping[StopKind, str]] = {
    StopKind.CONTEXT_OVERFLOW: "MAX_TOKENS",
    StopKind.STOP_SEQUENCE: "STOP",
    StopKind.REFUSAL: "SAFETY",
}


def _response(body: Any) -> ChatResponse:
    if body.__class__ is not dict:
        raise Unexpected.of("an answer, which is an object with candidates", body)
    seen: dict[str, str] = {}
    folded: dict[str, Any] = in_camel(body, seen) if has_snake(body) else body
    if _TELLING.isdisjoint(folded):
        raise Unexpected.missing("a list of candidates", ".candidates")
    listed = folded.get("candidates")
    id_, model = (word if (word := folded.get(key)).__class__ is str else None for key in ("responseId", "modelVersion"))
    numbered = [] if listed is None else [*enumerate(at(".candidates", _listed, listed))]
    choices = at(".candidates", _choices, [(number, value, call_prefix(id_)) for number, value in numbered])
    usage = read_usage(folded.get("usageMetadata"))
    used = {key for key, word in (("responseId", id_), ("modelVersion", model), ("usageMetadata", usage)) if word is not None}
    used |= {"candidates"} if choices or listed == [] else set()
    rest = {key: value for key, value in folded.items() if key not in used}
    first = choices[0] if choices else Choice(Message.Assistant(()), blocked(folded.get("promptFeedback")))
    own = first.extras.of(NAME)
    told = {key: value for key, value in own.items() if not key.startswith("$")}
    notes = {key: value for key, value in own.items() if key.startswith("$")}
    fields = {**parted_rest(rest), **({"candidates": told} if told else {}), **({"$candidates": notes} if notes else {})}
    fields |= {"$snake": sorted(seen.values())} if seen else {}
    fields |= {} if choices else {"$none": "list" if listed == [] else "absent"}
    metadata = Metadata(id=id_, model=model, usage=usage, stop=first.stop, extras={NAME: fields or {"$own": True}})
    return ChatResponse(first.message, metadata, choices[1:])


def _listed(value: Any) -> Any:
    if value.__class__ is not list:
        raise Unexpected.of("a list of candidates", value)
    return value


def _choices(values: list[tuple[int, Any, str]]) -> tuple[Choice, ...]:
    return each(_choice, values)


def _choice(numbered: tuple[int, Any, str]) -> Choice:
    number, value, prefix = numbered
    if value.__class__ is not dict:
        raise Unexpected.of("a candidate, which is an object", value)
    content = value.get("content")
    message = Message.Assistant(()) if content is None else at(".content", said, content)
    (message,) = cast("tuple[Message.Assistant]", identified((message,), prefix))
    word = word_of(value.get("finishReason"))
    used = {*([] if content is None else ["content"]), *([] if word is None else ["finishReason"])}
    used |= {"index"} if value.get("index") == number and value["index"].__class__ is int else set()
    notes: dict[str, Any] = {}
    absent = [key for key in ("content", "index") if key not in value]
    notes |= {"$absent": absent} if absent else {}
    notes |= {"$number": value["finishReason"]} if value.get("finishReason").__class__ is int else {}
    notes |= {} if content is None or content.get("role") == "model" else {"$role": role_of(content, ".content.role")}
    rest = {key: item for key, item in value.items() if key not in used}
    return Choice(message, stop_of(word, asks=bool(message.tool_requests)), {NAME: {**parted_rest(rest), **notes}})


def said(content: Any) -> Message.Assistant:
    """The message that the content of a candidate is, whatever its role."""
    if content.__class__ is not dict:
        raise Unexpected.of("a content, which is an object with parts", content)
    return read_message({**content, "role": "model"})


def call_prefix(id_: str | None) -> str:
    """How the ids of calls begin that have none: with the id of the answer, so that no other answer has the same."""
    return "call_" if not id_ else f"call_{id_}_"


def word_of(value: Any) -> str | None:
    """The word for why a candidate is done, which some clients write as the number that it has; None where there is none."""
    if value.__class__ is int:
        return _NUMBERED.get(value, str(value))
    return value if value.__class__ is str and value else None


def stop_of(word: str | None, *, asks: bool) -> StopReason | None:
    """Why the model stopped: its word for it, and whether the message calls tools. None where nothing says so."""
    if word is None:
        return None
    kind = KINDS.get(word, StopKind.OTHER)
    return StopReason(StopKind.TOOL_CALLS if kind is StopKind.END and asks else kind, word)


def blocked(feedback: Any) -> StopReason | None:
    """Why a prompt was not answered; None where it was not blocked."""
    word = word_of(feedback.get("blockReason")) if feedback.__class__ is dict else None
    return None if word is None else StopReason(StopKind.CONTENT_FILTER, word)


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_response(response: ChatResponse) -> Converted[Block]:
    """Write the body of an answer: total, with every loss reported at its path in `response`."""
    losses: list[Loss] = []
    metadata = response.metadata
    own = metadata.extras.of(NAME)
    is_home = NAME in metadata.extras
    about = {**object_of(own, "candidates"), **object_of(own, "$candidates")}
    first = Choice(response.message, metadata.stop, {NAME: about} if about else NO_EXTRAS)
    candidates: list[Block] = []
    has_none = "$none" in own and not response.message.contents and not response.others
    if not (has_none and metadata.stop == blocked(own.get("promptFeedback"))):
        candidates.append(_candidate(first, 0, is_home, losses, "$", "$.metadata"))
    for index, choice in enumerate(response.others):
        path = f"$.others[{index}]"
        candidates.append(_candidate(choice, index + 1, is_home, losses, path, path))
        losses += foreign(choice.extras, NAME, path)
    body: Block = {"candidates": candidates} if candidates or own.get("$none") == "list" else {}
    known = len(losses)
    if metadata.usage is not None:
        body["usageMetadata"] = write_usage(metadata.usage, losses, is_home=is_home)
    body |= {key: value for key, value in (("modelVersion", metadata.model), ("responseId", metadata.id)) if value is not None}
    losses += metadata_lost(metadata, NAME)
    relocate(losses, known, "$.metadata")
    restore(body, without(metadata.extras, NAME, "candidates", "events"), NAME)
    if "$snake" in own:
        body = in_snake(body, {camel(name): name for name in list_of(own, "$snake", str)})
    return Converted(body, tuple(losses))


def _candidate(choice: Choice, index: int, is_home: bool, losses: list[Loss], path: str, about: str) -> Block:
    notes, message = choice.extras.of(NAME), choice.message
    known = len(losses)
    content = _content(message, notes, losses)
    relocate(losses, known, f"{path}.message")
    word, found = finish_word(choice.stop, is_home, asks=bool(message.tool_requests))
    losses += [loss.under(about) for loss in found]
    missing = {*list_of(notes, "$absent", str), *object_of(notes, "$kept")}
    is_told = bool(content.get("parts")) or "content" not in missing
    out: Block = {"content": content} if is_told else {}
    if word is not None:
        is_number = notes.get("$number").__class__ is int and word_of(notes["$number"]) == word
        out["finishReason"] = notes["$number"] if is_number else word
    if "index" not in missing and "index" not in notes:
        out["index"] = index
    restore(out, choice.extras, NAME)
    return {"content": content, **out} if is_told else out


def _content(message: Message.Assistant, notes: Block, losses: list[Loss]) -> Block:
    parts = parts_of(message.contents, Said(ANSWERING, False, as_object).part, losses)
    losses += [*nameless(message, "turn"), *foreign(message.extras, NAME)]
    content: Block = {"role": "model", "parts": parts}
    role = notes.get("$role")
    if isinstance(role, list):
        content = {"parts": parts} if not role else {"role": role[0], "parts": parts}
    restore(content, message.extras, NAME)
    return {**content, "parts": parts} if parts else content


def finish_word(stop: StopReason | None, is_home: bool, *, asks: bool) -> tuple[str | None, list[Loss]]:
    """The `finishReason` of a stop reason, and what is lost; None where there is none: a candidate need not have one."""
    if stop is None:
        return None, []
    if is_home and stop == stop_of(stop.raw, asks=asks):
        return stop.raw, []
    if stop.kind is StopKind.INTERRUPTED:
        reason = "an answer that is not complete has none"
        return None, [dropped("the stop reason", stop.raw or stop.kind.value, reason, weight=Weight.DETAIL, path=".stop")]
    word = _WORDS.get(stop.kind) or _NEAREST.get(stop.kind, "OTHER")
    back = stop_of(word, asks=asks)
    return word, list(stop_lost(stop, word, back is not None and back.kind is stop.kind))


_read: Final = answering(NAME, _response, lambda body: not _TELLING.isdisjoint(body))


def read_response(body: object) -> Result[ChatResponse, ConversionError.T]:
    """Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises.

    An error may stand in a list, as a server frames it that was asked for a stream.
    """
    value: Any = body
    return _read(value[0] if value.__class__ is list and len(value) == 1 and _is_error(value[0]) else body)


def _is_error(value: Any) -> bool:
    return value.__class__ is dict and "error" in value and _TELLING.isdisjoint(value)
