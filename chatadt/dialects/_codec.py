"""What the codecs, readers and writers of all dialects share."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar, assert_never, cast
from urllib.parse import quote, unquote

import orjson
from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt._hooks import QUICK, leftover, string
from chatadt.codec import document
from chatadt.content import Arguments, Content, arguments_of_text
from chatadt.error import ConversionError, Problem, Unexpected
from chatadt.json import NO_EXTRAS, Extras, Json, dump
from chatadt.loss import Action, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource, check_base64, sniff

__all__ = (
    "MEDIA_TYPE_ALIASES",
    "Block",
    "T",
    "Written",
    "arguments_object",
    "arguments_of",
    "at",
    "base64",
    "blocks_of",
    "data_url",
    "dropped",
    "file_id",
    "file_reference",
    "foreign",
    "invented",
    "media_type",
    "moved",
    "name_results",
    "noted",
    "one_text",
    "parted",
    "plain_text",
    "reading",
    "relocate",
    "resource_of_url",
    "rewritten",
    "tool_name",
    "unsaid",
)

T = TypeVar("T")
C = TypeVar("C", bound=Content.T)


Block: TypeAlias = "dict[str, Any]"
"""A JSON object of the wire."""
Written: TypeAlias = "Block | Iterable[Block | Loss]"
"""What a writer of one content answers: its block, where nothing is lost; else blocks and losses."""

MEDIA_TYPE_ALIASES: Final[Mapping[str, str]] = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/mp3": "audio/mpeg",
    "application/x-pdf": "application/pdf",
}
"""Names in common use that servers refuse, and the registered ones."""


def reading(dialect: str, read: Callable[[Any], T]) -> Callable[[object], Result[T, ConversionError.T]]:
    """The door of a reader: answers a Result, whatever comes in."""

    def door(body: object) -> Result[T, ConversionError.T]:
        try:
            return Success(read(body))
        except Unexpected as error:
            return Failure(ConversionError.Unreadable(dialect, error.under("$").problems))
        except RecursionError:
            problem = Problem("$", "JSON that can be followed", "more levels than this interpreter has stack for")
            return Failure(ConversionError.Unreadable(dialect, (problem,)))

    return door


_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult
_REQUEST: Final = Content.ToolRequest
_new: Final = object.__new__
_CASE_TEXT: Final = Content.Text
_TEXT: Final = cast("Any", Content.Text)
_set_text: Final = _TEXT.text.__set__
_set_extras: Final = _TEXT.extras.__set__
_set_tool: Final = cast("Any", Message.ToolResult).tool.__set__


def plain_text(value: str) -> Content.Text:
    """A text of a string that is known to be one."""
    text = _new(Content.Text)
    _set_text(text, value)
    _set_extras(text, NO_EXTRAS)
    return text


def one_text(value: str) -> tuple[Content.Text]:
    """The contents that a string stands for."""
    text = _new(Content.Text)
    _set_text(text, value)
    _set_extras(text, NO_EXTRAS)
    return (text,)


def name_results(messages: tuple[Message.T, ...]) -> tuple[Message.T, ...]:
    """Give each freshly read tool result that has no tool name the name that its request has. Nobody has seen the messages yet."""
    names: dict[str, str] = {}
    message: Any
    for message in messages:
        kind = message.__class__
        if kind is _ASSISTANT:
            for content in message.contents:
                if content.__class__ is _REQUEST:
                    names[content.id] = content.name
        elif kind is _RESULT and message.tool is None:
            _set_tool(message, names.get(message.id))
    return messages


def at(path: str, read: Callable[[Any], T], value: Any) -> T:
    """Read a value; the paths of its problems begin with `path`."""
    try:
        return read(value)
    except Unexpected as error:
        raise error.under(path) from None


def noted(word: T, dialect: str, note: str, value: object) -> T:
    """A word that has extras, with a note of `dialect` on how it was spelt."""
    noting: Any = word
    return cast("T", evolve(noting, extras=noting.extras.having(dialect, {note: value})))


# --- leaves --------------------------------------------------------------------------------------------------------------------


def tool_name(value: Any) -> str:
    """Read the name of a tool: a string that is not blank."""
    if value.__class__ is not str or not value or value.isspace():
        raise Unexpected.of("the name of a tool", value)
    return str(value)


def base64(value: Any) -> str:
    """Read padded standard base64, checked and not decoded."""
    try:
        return check_base64(string(value))
    except ValueError as error:
        raise Unexpected(Problem("", "base64", str(error))) from None


QUICK[tool_name] = "{0}.__class__ is str and {0} and not {0}.isspace()"


def arguments_of(value: Any) -> Arguments.T:
    """Read tool arguments that stand as JSON text. A text that is no JSON is kept as it is."""
    if value.__class__ is not str:
        raise Unexpected.of("a string of JSON", value)
    try:
        orjson.loads(value)
    except orjson.JSONDecodeError:
        return arguments_of_text(value)
    document, parsed = _new(Json), _new(Arguments.Parsed)
    _set_json_text(document, value)
    _set_json(parsed, document)
    return parsed


_set_json_text: Final = cast("Any", Json).text.__set__
_set_json: Final = cast("Any", Arguments.Parsed).json.__set__


def resource_of_url(dialect: str) -> Callable[[Any], Resource.T]:
    """A reader of a URL as a resource: a base64 data URL by value, anything else by reference."""

    def read(value: Any) -> Resource.T:
        url = string(value)
        if url[:5] == "data:":
            header, marker, content = url[5:].partition(";base64,")
            if marker:
                kind = header.partition(";")[0]
                # parameters of the media type are rare: the header is noted where the media type does not say it all
                extras = NO_EXTRAS if kind == header else leftover({"$header": header}, dialect)
                try:
                    return Resource.Binary(content, kind or None, extras)
                except ValueError as error:
                    raise Unexpected(Problem("", "base64", str(error))) from None
        if not url or url.isspace():
            raise Unexpected.of("a URL", url)
        return Resource.Ref(url)

    return read


def media_type(resource: Resource.Binary) -> str | None:
    """The registered media type of a medium: its own, or the one that its first bytes show."""
    if resource.mime_type is not None:
        plain = resource.mime_type.partition(";")[0].strip().lower()
        return MEDIA_TYPE_ALIASES.get(plain, plain)
    return sniff(b64decode(resource.content[:64]))


def data_url(resource: Resource.Binary, dialect: str) -> str:
    """The data URL of a medium; its header as `dialect` read it, if it did."""
    header = resource.mime_type or sniff(b64decode(resource.content[:64])) or ""
    if resource.extras is not NO_EXTRAS:
        header = resource.extras.of(dialect).get("$header", header)
    return f"data:{header};base64,{resource.content}"


_FILE: Final = re.compile(r"urn:chatadt:([a-z]+):file:(.+)", re.DOTALL)


def file_reference(vendor: str, id: str) -> str:
    """The urn that stands for a file which `vendor` keeps under `id`."""
    return f"urn:chatadt:{vendor}:file:{quote(id, safe='')}"


def file_id(resource: Resource.T, vendor: str) -> str | None:
    """The id under which `vendor` keeps the resource, or None when it is not one of its files."""
    if isinstance(resource, Resource.Ref) and (found := _FILE.fullmatch(resource.uri)) and found[1] == vendor:
        return unquote(found[2])
    return None


# --- writing -------------------------------------------------------------------------------------------------------------------


def relocate(losses: list[Loss], start: int, prefix: str) -> None:
    """Continue the paths of the losses from `start` on to the left."""
    for index in range(start, len(losses)):
        losses[index] = losses[index].under(prefix)


def parted(written: Written, losses: list[Loss], path: str = "") -> list[Block]:
    """Part what a writer yields: the blocks are returned, the losses added to `losses` with `path` before theirs."""
    blocks: list[Block] = []
    for item in [cast("Block", written)] if isinstance(written, dict) else written:
        if isinstance(item, Loss):
            losses.append(item.under(path))
        else:
            blocks.append(item)
    return blocks


def blocks_of(contents: tuple[C, ...], write: Callable[[C], Written], losses: list[Loss]) -> list[Block]:
    """The blocks of some contents, each written by `write`; their losses are added to `losses`.

    Plain text, which is nearly everything, is the same block in every dialect that uses this and takes the short way.
    """
    blocks: list[Block] = []
    index = 0
    content: Any
    for content in contents:
        if content.__class__ is _CASE_TEXT and content.extras is NO_EXTRAS:
            blocks.append({"type": "text", "text": content.text})
        else:
            written = write(content)
            if written.__class__ is dict:
                blocks.append(cast("Block", written))
            else:
                blocks += parted(written, losses, f".contents[{index}]")
        index += 1  # noqa: SIM113 (enumerate costs as much as the rest of the loop)
    return blocks


# --- losses --------------------------------------------------------------------------------------------------------------------


def _loss(action: Action, what: str, original: object, reason: str, weight: Weight, path: str) -> Loss:
    return Loss(path, what, action, None if original is None else _document(original), reason, weight)


def _document(original: object) -> Json:
    return original if isinstance(original, Json) else Json.of(original)


def dropped(what: str, original: object, reason: str, *, weight: Weight = Weight.CONTENT, path: str = "") -> Loss:
    """Something that is gone."""
    return _loss(Action.DROPPED, what, original, reason, weight, path)


def unsaid(content: Content.T, reason: str, *, kind: str | None = None) -> Loss:
    """A content that is gone altogether: its original holds all of it."""
    return dropped(kind or type(content).__name__.lower(), document(content), reason)


def rewritten(what: str, original: object, reason: str, *, weight: Weight = Weight.DETAIL, path: str = "") -> Loss:
    """Something that is there in other words."""
    return _loss(Action.REWRITTEN, what, original, reason, weight, path)


def moved(what: str, original: object, reason: str, *, weight: Weight = Weight.DETAIL, path: str = "") -> Loss:
    """Something that stands elsewhere."""
    return _loss(Action.MOVED, what, original, reason, weight, path)


def invented(what: str, reason: str, *, path: str = "") -> Loss:
    """Something that nobody said."""
    return _loss(Action.INVENTED, what, None, reason, Weight.DETAIL, path)


def foreign(extras: Extras, dialect: str, path: str = "") -> Iterator[Loss]:
    """A loss for each field that another dialect had said and `dialect` does not know; notes on spelling are nothing to lose."""
    for name, document in extras.items():
        if name != dialect:
            for key, value in extras.of(name).items():
                if value is not None and not key.startswith("$"):
                    yield dropped(f"{key} ({name})", value, f"only {name} knows this field", weight=Weight.DETAIL, path=path)


def arguments_object(request: Content.ToolRequest) -> tuple[dict[str, Any], Loss | None]:
    """The arguments as the object that a provider wants, and the loss where they are none."""
    match request.arguments:
        case Arguments.Parsed(json=said):
            value = said.value
            if value.__class__ is dict:
                return value, None
            reason = f"the arguments of {request.id or request.name} are {dump(value)[:60]}, and only an object is taken"
            return {"value": value}, rewritten("arguments", said, reason, weight=Weight.CONTENT)
        case Arguments.Malformed(text=text, why=why):
            reason = f"the arguments of {request.id or request.name} are not JSON ({why}), and only an object is taken"
            return {"malformed_arguments": text}, rewritten("arguments", text, reason, weight=Weight.CONTENT)
        case _:
            assert_never(request.arguments)
