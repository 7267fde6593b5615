"""What writers of all dialects share: how a loss is said, and how blocks and losses are parted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar, assert_never, cast

import orjson
from attrs import evolve

from chatadt._wire import is_note, wire_key
from chatadt.chat import ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._marks import BEDROCK, CLAUDE, CONTROL, POINT, control_of, points_of
from chatadt.dialects._twice import says_twice
from chatadt.json import NO_EXTRAS, Extras, Json, dump
from chatadt.loss import Action, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, ToolChoice

__all__ = (
    "MEDIUM",
    "TURN",
    "Block",
    "Splice",
    "Written",
    "arguments_object",
    "as_fragment",
    "as_object",
    "blocks_of",
    "dropped",
    "fields_said",
    "foreign",
    "foreign_block",
    "foreign_message",
    "invented",
    "lost",
    "moved",
    "nameless",
    "nameless_call",
    "omitted",
    "own_or_lost",
    "parted",
    "relocate",
    "rewritten",
    "silent",
    "unsaid",
    "untyped",
    "vanished",
)

C = TypeVar("C", bound=Content.T)

_TEXT: Final = Content.Text

Block: TypeAlias = "dict[str, Any]"
"""A JSON object of the wire."""

Written: TypeAlias = "Block | Iterable[Block | Loss]"
"""What a writer of one content answers: its block, where nothing is lost; else blocks and losses."""


TURN: Final = "$turn"
"""The note that holds the fields of a turn, of which a message is only a part."""
MEDIUM: Final = "$medium"
"""The note that holds the fields of a medium which stand beside its source, of which the resource is made."""


_new: Final = object.__new__
_set_path, _set_what, _set_action, _set_original, _set_reason, _set_weight = (
    getattr(Loss, name).__set__ for name in ("path", "what", "action", "original", "reason", "weight")
)


def relocate(losses: list[Loss], start: int, prefix: str) -> None:
    """Continue the paths of the losses from `start` on to the left. Nobody has seen these yet."""
    for index in range(start, len(losses)):
        loss = losses[index]
        _set_path(loss, prefix + loss.path)


def parted(written: Written, losses: list[Loss], path: str = "") -> list[Block]:
    """Part what a writer yields: the blocks are returned, the losses added to `losses` with `path` before theirs."""
    blocks: list[Block] = []
    for item in [cast("Block", written)] if isinstance(written, dict) else written:
        if isinstance(item, Loss):
            _set_path(item, path + item.path)  # nobody has seen it yet
            losses.append(item)
        else:
            blocks.append(item)
    return blocks


def blocks_of(contents: tuple[C, ...], write: Callable[[C], Written], losses: list[Loss]) -> list[Block]:
    """The blocks of some contents, each written by `write`; their losses are added to `losses`.

    Plain text, which is nearly everything, is the same block in every dialect that uses this and takes the short way.
    """
    content: Any
    if len(contents) == 1 and (content := contents[0]).__class__ is _TEXT and content.extras is NO_EXTRAS:
        return [{"type": "text", "text": content.text}]
    blocks: list[Block] = []
    for index, content in enumerate(contents):
        if content.__class__ is _TEXT and content.extras is NO_EXTRAS:
            blocks.append({"type": "text", "text": content.text})
        else:
            written = write(content)
            if written.__class__ is dict:
                blocks.append(cast("Block", written))
            else:
                blocks += parted(written, losses, f".contents[{index}]")
    return blocks


# --- losses --------------------------------------------------------------------------------------------------------------------


# To look a member up in its enumeration costs twice what it costs to write a slot.
_DROPPED: Final = Action.DROPPED
_REWRITTEN: Final = Action.REWRITTEN
_DETAIL: Final = Weight.DETAIL


def dropped(what: str, original: object, reason: str, *, weight: Weight = Weight.CONTENT, path: str = "") -> Loss:
    """Something that is gone."""
    return _loss(_DROPPED, what, original, reason, weight, path)


def unsaid(content: Content.T, reason: str, *, kind: str | None = None) -> Loss:
    """A content that is gone altogether: its original holds all of it."""
    return dropped(kind or type(content).__name__.lower(), document(content), reason)


def silent(path: str = "") -> Loss:
    """The loss of reasoning of another dialect that has no text, which nobody sees."""
    return dropped("reasoning", "", "reasoning of another model without a text says nothing", weight=Weight.DETAIL, path=path)


def own_or_lost(word: Owned, dialect: str, path: str = "", *, takes: type = object) -> Any:
    """What only one dialect knows: its value where that is `dialect` and takes such a value, or else a loss."""
    what, known, weight = _OWNED[word.__class__]
    if word.dialect != dialect and isinstance(word, Content.Custom):
        return foreign_block(word, path)
    if word.dialect != dialect:
        return dropped(what, word.value, f"only {word.dialect} {known}", weight=weight, path=path)
    value = word.value.value
    return value if isinstance(value, takes) else dropped(what, word.value, f"{what} is an object", weight=weight, path=path)


def foreign_block(content: Content.Custom, path: str = "") -> Loss:
    """The loss of a block that only another dialect knows, or of what is left of a call without a name."""
    call = _nameless(content.value.value) if content.dialect == "chatadt" else None
    if call is not None:
        return nameless_call(**call, path=path)
    return dropped("a block", content.value, f"only {content.dialect} knows this block", path=path)


def nameless_call(*, id: str | None, name: str, arguments: str, extras: object = None, path: str = "") -> Loss:
    """The loss of a call of which nobody said what is called: no dialect can say one, and its arguments belong to no other."""
    told = {"id": id, "name": name, "arguments": arguments, **({"extras": extras} if extras else {})}
    return dropped("a tool request without a name", told, "a call names its tool", path=path)


def _nameless(value: Any) -> dict[str, Any] | None:
    """What is known of a call without a name, as the fold of a stream keeps it."""
    match value:
        case {"type": "tool_request", "id": _, "name": str(), "arguments": str(), **rest} if rest.keys() <= {"extras"}:
            return {key: item for key, item in value.items() if key != "type"}
        case _:
            return None


Owned: TypeAlias = Content.Custom | ProviderTool | ToolChoice.Custom | ResponseFormat.Custom | Thinking.Custom

_OWNED: Final[Mapping[type[Owned], tuple[str, str, Weight]]] = {
    Content.Custom: ("a block", "knows this block", Weight.CONTENT),
    ProviderTool: ("a tool", "has this tool", Weight.CONTENT),
    ToolChoice.Custom: ("the tool choice", "knows this choice", Weight.DETAIL),
    ResponseFormat.Custom: ("the response format", "knows this format", Weight.CONTENT),
    Thinking.Custom: ("thinking", "knows this setting", Weight.DETAIL),
}
"""By what only its owner knows: what it is, what its owner does, and how much the loss of it weighs."""


def foreign_message(message: Message.Custom) -> Loss:
    """The loss of a message that only another dialect knows."""
    return dropped("a message", message.attributes, f"only {message.dialect or 'its own dialect'} knows this message")


def vanished(message: Message.System | Message.Assistant) -> Iterator[Loss]:
    """What a message says beside its contents, when nothing of these could be said and it is left out."""
    has_name = isinstance(message, Message.Assistant) and message.name is not None
    if has_name or any(foreign(message.extras, "")):
        yield dropped(
            "a message",
            document(evolve(message, contents=())),
            "nothing of its contents can be said, so it is left out",
            weight=Weight.DETAIL,
        )


def nameless(message: Message.User | Message.Assistant, unit: str) -> tuple[Loss, ...]:
    """The loss of a speaker's name, where what a message becomes, a message or a turn, has none."""
    if message.name is None:
        return ()
    what = f"the name of the {type(message).__name__.lower()}"
    return (dropped(what, message.name, f"a {unit} has no name", weight=Weight.DETAIL, path=".name"),)


def omitted(contents: tuple[Content.Input, ...], losses: list[Loss], moved_on: Collection[str] = ()) -> str:
    """The text that stands for contents of which nothing could be said here; what `moved_on`, by kind, is in the next message."""
    kinds = sorted({type(content).__name__.lower() for content in contents})
    gone, there = (" and ".join(kind for kind in kinds if (kind in moved_on) is is_there) for is_there in (False, True))
    losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
    return (f"[{gone} omitted]" if gone else "") + (f"[{there}: see the next message]" if there else "")


def untyped(resource: Resource.T) -> Iterator[Loss]:
    """The media type of a medium that goes by reference, where the dialect has no field for it."""
    if isinstance(resource, Resource.Ref) and resource.mime_type is not None:
        reason = "a medium by reference has no media type"
        yield dropped("the media type", resource.mime_type, reason, weight=Weight.DETAIL, path=".resource.mime_type")


def rewritten(what: str, original: object, reason: str, *, weight: Weight = Weight.DETAIL, path: str = "") -> Loss:
    """Something that is there in other words."""
    return _loss(_REWRITTEN, what, original, reason, weight, path)


def moved(what: str, original: object, reason: str, *, weight: Weight = Weight.DETAIL, path: str = "") -> Loss:
    """Something that stands elsewhere."""
    return _loss(Action.MOVED, what, original, reason, weight, path)


def invented(what: str, reason: str, *, path: str = "") -> Loss:
    """Something that nobody said."""
    return _loss(Action.INVENTED, what, None, reason, Weight.DETAIL, path)


def _loss(action: Action, what: str, original: object, reason: str, weight: Weight, path: str) -> Loss:
    return lost(path, what, action, None if original is None else _document(original), reason, weight)


def lost(path: str, what: str, action: Action, original: Json | None, reason: str, weight: Weight) -> Loss:
    """A loss of fields that are known to be right."""
    loss = _new(Loss)
    _set_path(loss, path)
    _set_what(loss, what)
    _set_action(loss, action)
    _set_original(loss, original)
    _set_reason(loss, reason)
    _set_weight(loss, weight)
    return loss


def _document(original: object) -> Json:
    return original if isinstance(original, Json) else Json.of(original)


def foreign(extras: Extras, dialect: str, path: str = "") -> list[Loss]:
    """A loss for each field that another dialect had said and `dialect` does not know; notes on spelling are nothing to lose."""
    if extras is NO_EXTRAS:
        return []
    losses = [
        lost(path, f"{key} ({name})", _DROPPED, value, f"only {name} knows this field", _weight(key, value))
        for name, said in extras.documents
        if name != dialect
        for key, value in fields_said(said)
    ]
    points = points_of(extras)
    return losses if points is None or dialect == BEDROCK else _with_points(losses, points, dialect, path)


def _with_points(losses: list[Loss], points: list[dict[str, Any]], dialect: str, path: str) -> list[Loss]:
    """The losses with the marks of the prompt cache as Bedrock said them, in place of the attribute that its reader made of one."""
    attribute = f"{CONTROL} ({CLAUDE})"
    others = [loss for loss in losses if loss.what != attribute]
    unsaid = [point for point in points if dialect != CLAUDE or control_of(point) is None]
    reason = f"only {BEDROCK} knows this field"
    return [*others, *(lost(path, f"{POINT} ({BEDROCK})", _DROPPED, Json.of(point), reason, _DETAIL) for point in unsaid)]


def _weight(key: str, value: Json) -> Weight:
    """How much the loss of a field weighs: what the model was given to read, or to search in, is missed."""
    return _CONTENT if key in _MATERIAL and (key != "documents" or value.text.startswith("[")) else _DETAIL


_CONTENT: Final = Weight.CONTENT
_MATERIAL: Final = frozenset(
    {
        "cachedContent",  # Gemini: the beginning of the conversation
        "context",  # Anthropic and Bedrock: what a document is about
        "documents",  # Cohere: a list of them; what a tool result says beside its documents is an object
        "mcp_servers",  # Anthropic: whose tools the server calls
        "plugins",  # OpenRouter: the same
        "promptVariables",  # Bedrock: what a prompt of the service is filled with
        "search_parameters",  # xAI: that the server searches, and where
        "web_search_options",  # OpenAI Chat: the same
    }
)
"""Fields of any dialect that hold material for the model."""


def fields_said(said: Json) -> tuple[tuple[str, Json], ...]:
    """What a dialect said, each field for itself. What is short is said again and again, such as marks of the prompt cache."""
    return _short_fields(said.text) if len(said.text) <= _SHORT else _fields_of(said)


_SHORT: Final = 100


@lru_cache(maxsize=256)
def _short_fields(text: str) -> tuple[tuple[str, Json], ...]:
    return _fields_of(Json.trusted(text))


def _fields_of(said: Json) -> tuple[tuple[str, Json], ...]:
    own: Any = said.value
    return tuple((key, Json.of(value)) for key, value in _said(own) if value is not None) if own.__class__ is dict else ()


def _said(own: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields that a dialect said, under the names that they have on the wire."""
    for key, value in own.items():
        if key in (TURN, MEDIUM) and isinstance(value, dict):
            yield from cast("Block", value).items()
        elif not is_note(key):
            yield wire_key(key), value


Splice: TypeAlias = "Callable[[Json], Any]"
"""How a JSON object is put into what is written: as plain data, or as its text; None where it is no object."""


def as_object(document: Json) -> dict[str, Any] | None:
    """The object that a document says, as fresh plain data; None where it says a key of an object twice."""
    value = document.value
    return cast("dict[str, Any]", value) if value.__class__ is dict and not says_twice(document.text, value) else None


def as_fragment(document: Json) -> orjson.Fragment | None:
    """The object that a document says, as its text: nothing of it is parsed, or written anew."""
    text = document.text
    return orjson.Fragment(text) if text.startswith("{") or text.lstrip(" \t\r\n").startswith("{") else None


def arguments_object(request: Content.ToolRequest) -> tuple[dict[str, Any], Loss | None]:
    """The arguments as the object that a provider wants, and the loss where they are none."""
    match request.arguments:
        case Arguments.Parsed() as parsed:
            value = parsed.json.value
            if value.__class__ is not dict:
                return _wrapped(request, parsed.json, value)
            return value, _once(parsed.json.text) if says_twice(parsed.json.text, value) else None
        case Arguments.Malformed(text=text, why=why):
            if not text.strip():
                reason = f"nothing came of the arguments of {request.id or request.name} ({why}), and only an object is taken"
                return {}, rewritten("arguments", text, reason, weight=Weight.CONTENT)
            reason = f"the arguments of {request.id or request.name} are not JSON ({why}), and only an object is taken"
            return {"malformed_arguments": text}, rewritten("arguments", text, reason, weight=Weight.CONTENT)
        case _:
            assert_never(request.arguments)


def _once(said: str) -> Loss:
    """The original is the text: as a document it would say the last one only, as most readers of JSON do."""
    return rewritten("arguments", said, "they say a key twice, and an object has it once: the last one stands")


def _wrapped(request: Content.ToolRequest, said: Json, value: object) -> tuple[dict[str, Any], Loss]:
    reason = f"the arguments of {request.id or request.name} are {dump(value)[:60]}, and only an object is taken"
    return {"value": value}, rewritten("arguments", said, reason, weight=Weight.CONTENT)
