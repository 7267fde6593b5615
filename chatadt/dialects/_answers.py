"""What the readers and writers of answers share: errors in place of answers, stop reasons, and what no dialect says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve
from returns.result import Failure, Result

from chatadt._cut import BROKE_OFF
from chatadt._wire import UNKNOWN, leftover
from chatadt.chat import ChatResponse, Choice, Metadata, ProviderError, StopKind, StopReason, Usage
from chatadt.codec import document
from chatadt.delta import Delta
from chatadt.dialects._codec import reading
from chatadt.dialects._losses import dropped, fields_said, foreign, invented, rewritten
from chatadt.dialects._spelling import object_of
from chatadt.error import ConversionError, Unexpected
from chatadt.json import NO_EXTRAS, Extras, dump
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = (
    "Known",
    "answering",
    "beside_error",
    "count",
    "counts_lost",
    "error_lost",
    "event_lost",
    "foreign_metadata",
    "metadata_lost",
    "other_lost",
    "parted_rest",
    "provider_error",
    "restore_role",
    "role_of",
    "speaker_lost",
    "stop_by",
    "stop_lost",
    "unless_kept",
    "without",
)

Known = Mapping[str, StopKind]
"""By a dialect's word for why a model stopped: what it means."""


def answering(
    dialect: str, read: Callable[[Any], ChatResponse], is_answer: Callable[[dict[str, Any]], bool]
) -> Callable[[object], Result[ChatResponse, ConversionError.T]]:
    """The door of a reader of answers: an error of the provider is `Refused`, what is no answer at all `Unreadable`."""
    door = reading(dialect, read)

    def read_response(body: object) -> Result[ChatResponse, ConversionError.T]:
        value: Any = body
        if value.__class__ is dict and not is_answer(value):
            try:
                error = provider_error(value, dialect)
            except (TypeError, ValueError, RecursionError):  # what no JSON holds stands in the place of its message
                return door(body)
            if error is not None:
                return Failure(ConversionError.Refused(dialect, error))
        return door(body)

    return read_response


def provider_error(value: Any, dialect: str) -> ProviderError | None:
    """The error that a body or an event tells; None where it tells none. What else it says is in the extras."""
    match value:
        case {"error": {"message": str() as message}}:
            return ProviderError(message, _code(value["error"]), beside_error(value, dialect))
        case {"error": str() as message} | {"message": str() as message} | {"detail": str() as message}:
            return ProviderError(message, _code(value), beside_error(value, dialect))
        case {"detail": [*details]}:
            return ProviderError(dump(details), _code(value), beside_error(value, dialect))
        case _:
            return None


def beside_error(value: Any, dialect: str) -> Extras:
    """All that a body or an event tells of an error; nothing where some of it is what no JSON holds, as the infinity of 1e999 is:
    its words and its code matter more.
    """
    try:
        return leftover(value, dialect)
    except (Unexpected, TypeError, ValueError, RecursionError):
        return NO_EXTRAS


def _code(value: dict[str, Any]) -> str | None:
    found = (value.get(key) for key in ("code", "error_type", "type"))
    return next((str(word) for word in found if isinstance(word, str | int)), None)


def count(value: Any) -> Any:
    """Read a number of tokens; what is none stays where it is."""
    return value if value.__class__ is int else UNKNOWN


def parted_rest(rest: Mapping[str, Any]) -> dict[str, Any]:
    """What no word took, apart from what says nothing, which is a matter of spelling and no loss."""
    said = {f"${key}" if key.startswith("$") else key: value for key, value in rest.items() if value is not None}
    kept = {key: value for key, value in rest.items() if value is None}
    return {**said, "$kept": kept} if kept else said


def unless_kept(spelling: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that every body has, where a body of one's own did not have others in their place."""
    return {key: value for key, value in spelling.items() if key not in own and key not in object_of(own, "$kept")}


def stop_by(kinds: Known, raw: str | None, *, asks: bool, refuses: bool = False) -> StopReason | None:
    """Why the model stopped: its word for it, and whether the message calls tools or refuses. None where nothing says so."""
    kind = None if raw is None else kinds.get(raw, StopKind.OTHER)
    if kind in (None, StopKind.END) and asks:
        kind = StopKind.TOOL_CALLS
    elif kind is StopKind.END and refuses:
        kind = StopKind.REFUSAL
    return None if kind is None else StopReason(kind, raw)


def role_of(message: Mapping[str, Any], path: str) -> list[Any]:
    """The role that the message of an answer has, in a list, if it has one. Raises `Unexpected` for what is no text."""
    role = message.get("role")
    if role is not None and role.__class__ is not str:
        raise Unexpected.of("a role, which is a text", role, path)
    return [role] if "role" in message else []


def restore_role(message: dict[str, Any], notes: Mapping[str, Any]) -> None:
    """Give a message the role that it had, if it was another one, or none."""
    match notes.get("$role"):
        case [role]:
            message["role"] = role
        case []:
            message.pop("role", None)
        case _:  # it was the assistant's
            pass


def without(extras: Extras, dialect: str, *keys: str) -> Extras:
    """The extras without some of the fields of a dialect."""
    own = {key: value for key, value in extras.of(dialect).items() if key not in keys}
    return Extras({**{name: value for name, value in extras.items() if name != dialect}, dialect: own})


# --- losses --------------------------------------------------------------------------------------------------------------------


def stop_lost(stop: StopReason | None, word: str, is_exact: bool) -> Iterator[Loss]:
    """The loss of a stop reason that stands as `word`."""
    if stop is None:
        yield invented("the stop reason", f"there must be one: {word}", path=".stop")
    elif not is_exact:
        partly = "the answer is not complete" if stop.kind in BROKE_OFF else "it is the nearest"
        yield rewritten("the stop reason", stop.raw or stop.kind.value, f"there is no such reason: {word}, {partly}", path=".stop")


def metadata_lost(metadata: Metadata, dialect: str) -> Iterator[Loss]:
    """What other dialects said of an answer, and the error that broke it off: an answer has no place for one."""
    if metadata.error is not None:
        reason = "an answer is an answer or an error"
        yield dropped("the error", document(ChatResponse(_NOTHING, Metadata(error=metadata.error))), reason, path=".error")
    yield from foreign_metadata(metadata, dialect)


def foreign_metadata(metadata: Metadata, dialect: str) -> Iterator[Loss]:
    """What other dialects said of an answer. Events that a fold has kept are missed where they hold a text."""
    for loss in foreign(metadata.extras, dialect):
        is_missed = loss.what.startswith(_EVENTS) and loss.original is not None and _holds_text(loss.original.value)
        unknown = f"they were read as {loss.what[:-1].replace('(', 'of ')}, and are none that are known"
        yield evolve(loss, weight=Weight.CONTENT, reason=unknown) if is_missed else loss


_EVENTS: Final = "events ("
"""How the loss of events begins that a fold has kept."""


def other_lost(choice: Choice, index: int) -> Loss:
    """The loss of a further choice."""
    return dropped(
        "a further choice",
        document(ChatResponse(choice.message, Metadata(stop=choice.stop, extras=choice.extras))),
        "an answer has one message only",
        path=f"$.others[{index}]",
    )


def speaker_lost(speaker: Delta.Speaker) -> Iterator[Loss]:
    """What a stream says of a message for which its events have no place."""
    if speaker.name is not None:
        reason = "a message has no name"
        yield dropped("the name of the assistant", speaker.name, reason, weight=Weight.DETAIL, path="$.message.name")
    yield from (loss.under("$.message") for loss in foreign(speaker.extras, ""))


def error_lost(error: ProviderError, dialect: str) -> Iterator[Loss]:
    """What another dialect said of an error beyond its message and code: these stand in the event, or have a loss of their own."""
    for name, said in error.extras.documents:
        for key, value in fields_said(said) if name != dialect else ():
            rest = _beyond({key: value.value}, error)
            if rest:
                yield dropped(f"{key} ({name})", rest[key], f"only {name} knows this field", weight=Weight.DETAIL)


def _beyond(said: Mapping[str, Any], error: ProviderError) -> dict[str, Any]:
    """The fields that say more than the message, the code, and that it is an error."""
    rest: dict[str, Any] = {}
    for key, value in said.items():
        if value.__class__ is dict:
            rest |= {key: inner} if (inner := _beyond(value, error)) else {}
        elif value is not None and not _is_told(key, value, error):
            rest[key] = value
    return rest


def _is_told(key: str, value: Any, error: ProviderError) -> bool:
    if value.__class__ is list:
        return dump(value) == error.message
    return str(value) in (error.message, error.code) or (key in ("type", "object") and value == "error")


def event_lost(event: Delta.Custom, dialect: str) -> Loss:
    """The loss of an event that only another dialect knows, or that is none. One that holds a text is missed."""
    reason = (
        "an event is an object"
        if event.dialect == dialect
        else f"it was read as one of {event.dialect}, where it has no known meaning"
    )
    weight = Weight.CONTENT if _holds_text(event.value.value) else Weight.DETAIL
    return dropped("an event", event.value, reason, weight=weight, path="$")


_TEXTS: Final = frozenset({"arguments", "content", "delta", "input", "partial_json", "refusal", "text", "thinking", "transcript"})
"""Under which keys events of any dialect hold what a model says."""


def _holds_text(event: Any) -> bool:
    waiting: list[tuple[str, Any]] = [("", event)]
    while waiting:
        key, value = waiting.pop()
        if value.__class__ is dict:
            waiting += value.items()
        elif value.__class__ is list:
            waiting += ((key, item) for item in value)
        elif value.__class__ is str and key in _TEXTS and value.strip():
            return True
    return False


def counts_lost(usage: Usage, *names: str, reason: str = "there is no field for this count") -> Iterator[Loss]:
    """The counts of tokens for which there is no field, or no place."""
    for name in names:
        value = getattr(usage, name)
        if value is not None:
            yield dropped(f"the count {name}", {name: value}, reason, weight=Weight.DETAIL, path=f".{name}")


_NOTHING: Final = Message.Assistant(())
