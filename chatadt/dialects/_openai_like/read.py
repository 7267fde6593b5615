"""Reading: the body, a message by its role, its contents, its tool calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, assert_never

from attrs import evolve

from chatadt._wire import UNKNOWN, Wire, each, json, leftover, string
from chatadt.chat import ChatRequest, ModelParams
from chatadt.content import NO_ARGUMENTS, Content, Detail
from chatadt.dialects._codec import at, noted, plain_text, tool_name
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = (
    "as_spelt",
    "by_role",
    "canonical",
    "folding",
    "image_reader",
    "image_wires",
    "keeping_empty",
    "parts_of",
    "plain_content",
    "request_reader",
    "said_and_asked",
    "some_id",
    "some_name",
    "tool_call_reader",
    "type_of",
)

M = TypeVar("M", Message.System, Message.User, Message.ToolResult)


def request_reader(
    messages: Callable[[Any], tuple[Message.T, ...]], params: Callable[[dict[str, Any]], ModelParams]
) -> Callable[[Any], ChatRequest]:
    """A reader of request bodies: `messages` reads the list of messages, `params` everything else."""

    def read(body: Any) -> ChatRequest:
        if body.__class__ is not dict:
            raise Unexpected.of("an object with messages", body)
        if "messages" not in body:
            raise Unexpected.missing("a list of messages", ".messages")
        return ChatRequest.trusted(at(".messages", messages, body["messages"]), params(body))

    return read


def by_role(dialect: str, readers: Mapping[Any, Callable[[Any], Message.T]]) -> Callable[[Any], Message.T]:
    """A reader of one message: its role picks the reader; of a role that nobody reads it is kept verbatim."""

    def read(value: Any) -> Message.T:
        try:
            known = readers[value["role"]]
        except (KeyError, TypeError):
            return other(value)
        return known(value)

    def other(value: Any) -> Message.T:
        if value.__class__ is not dict:
            raise Unexpected.of("a message, which is an object", value)
        if value.get("role").__class__ is not str:
            raise Unexpected.of(f"a role ({', '.join(readers)})", value.get("role"), ".role")
        return Message.Custom(json(value), dialect)

    return read


def keeping_empty(dialect: str, read: Callable[[Any], M]) -> Callable[[Any], M]:
    """A reader of messages that notes how the contents stood where there are none."""

    def message(value: Any) -> M:
        found = read(value)
        return found if found.contents else noted(found, dialect, "$content", value["content"])

    return message


def type_of(value: Any, known: str) -> Any:
    """The type of a content part; `known` lists those that a message may have, for the error where there is none."""
    if value.__class__ is not dict:
        raise Unexpected.of("a content part, which is an object", value)
    try:
        return value["type"]
    except KeyError:
        raise Unexpected.missing(f"the type of a content part ({known})", ".type") from None


def said_and_asked(
    value: dict[str, Any], part: Callable[[Any], Content.Output], call: Callable[[Any], Content.Output]
) -> tuple[tuple[Content.Output, ...], tuple[Content.Output, ...], int]:
    """What an assistant's message says in `content` and asks for in `tool_calls`, and how many of the two keys that used up."""
    content: Any = value.get("content")
    calls: Any = value.get("tool_calls")
    said: tuple[Content.Output, ...] = ()
    if content.__class__ is str:
        said = (plain_text(content),)
    elif content is not None:
        said = at(".content", lambda items: each(part, parts_of(items)), content)
    asked = () if calls is None else at(".tool_calls", lambda items: each(call, items), calls)
    return said, asked, bool(said) + bool(asked)


def parts_of(value: Any) -> Any:
    """A list of content parts. That of one plain text may also be its string, which is read elsewhere."""
    if value.__class__ is not list:
        raise Unexpected.of("a string or a list of content parts", value)
    return value


def tool_call_reader(dialect: str, read: Callable[[Any], Content.ToolRequest]) -> Callable[[Any], Content.Output]:
    """A reader of one tool call; `read` structures it. What is no call of a function is kept verbatim.

    Notes say how the arguments stood where they were an object or nothing at all, and which index the call had.
    """

    def call(value: Any) -> Content.Output:
        if value.__class__ is not dict:
            raise Unexpected.of("a tool call, which is an object", value)
        match value:
            case {"type": "function", "function": {"name": _}}:
                request = read(value)
            case {"function": {"name": _}} if "type" not in value:
                request = read({**value, "type": "function"})
            case _:
                return Content.Custom(dialect, json({"$tool_call": value}))
        arguments = value["function"].get("arguments")
        notes: dict[str, Any] = {} if "type" in value else {"$absent": ["type"]}
        if request.arguments is NO_ARGUMENTS:
            notes["$arguments"] = arguments  # nothing at all, which means {}
        elif arguments.__class__ is dict:
            notes["$arguments"] = "object"
        if "index" in value:
            notes["$index"] = value["index"]
        return evolve(request, extras=request.extras.having(dialect, notes)) if notes else request

    return call


def image_reader(
    dialect: str, read: Callable[[Any], Content.Image], resource_of: Callable[[Any], Resource.T]
) -> Callable[[dict[str, Any]], Content.Image]:
    """A reader of an image part, whose `image_url` is an object (which `read` structures) or the URL itself."""

    def image(value: dict[str, Any]) -> Content.Image:
        url = value.get("image_url")
        if url.__class__ is not str:
            return as_spelt(read(value), dialect)
        rest = {key: item for key, item in value.items() if key not in ("type", "image_url")}
        extras = leftover(rest, dialect, {"$image_url": "string"})
        return as_spelt(Content.Image(at(".image_url", resource_of, url), extras=extras), dialect)

    return image


D = TypeVar("D", Content.Image, Content.PDF)


def as_spelt(medium: D, dialect: str) -> D:
    """The medium, with a note where its URL is one that only its own dialect takes, or a data URL without a media type."""
    match medium.resource:
        case Resource.Ref(uri=uri) if not uri.startswith(("http://", "https://")):
            return noted(medium, dialect, "$anywhere", True)
        case Resource.Binary(mime_type=None) as resource if resource.extras is NO_EXTRAS:
            return evolve(medium, resource=noted(resource, dialect, "$header", ""))
        case Resource.Ref() | Resource.Binary():
            return medium
        case _:
            assert_never(medium.resource)


_DETAILS: Final[Mapping[object, Detail]] = {detail.value: detail for detail in (Detail.AUTO, Detail.LOW, Detail.HIGH)}


def image_wires(resource_of: Callable[[Any], Resource.T]) -> Mapping[str, Wire]:
    """An image whose URL is read by `resource_of`."""
    detail = Wire("image_url.detail", lambda value: _DETAILS.get(string(value), UNKNOWN), _detail_word, optional=True)
    return {"resource": Wire("image_url.url", resource_of, None), "detail": detail}


def _detail_word(value: Detail) -> str:
    return str(value.value)


def some_id(value: Any) -> Any:
    """Read an id that may be missing; an empty one says nothing."""
    return string(value) or UNKNOWN


def some_name(value: Any) -> Any:
    """Read the name of a tool that may be missing; a blank one says nothing."""
    return tool_name(value) if string(value).strip() else UNKNOWN


def folding(message: Callable[[Any], Any]) -> Callable[[object], object]:
    """The canonical form of the bodies of requests and of answers, each message of which `message` folds; nothing else is."""

    def choice(value: Any) -> Any:
        match value:
            case {"message": told}:
                return {**value, "message": message(told)}
            case _:
                return value

    def canonical(body: object) -> object:
        """Fold the spellings that the page calls the same, and nothing else, in the body of a request or of an answer."""
        folded: Any = body
        match folded:
            case {"messages": [*messages]}:
                return {**folded, "messages": [message(item) for item in messages]}
            case {"choices": [*choices]}:
                return {**folded, "choices": [choice(item) for item in choices]}
            case {"message": {**told}}:
                return {**folded, "message": message(told)}
            case _:
                return folded

    return canonical


def plain_content(message: Any) -> Any:
    """Fold `content` that is a list of one text, which has nothing but its text, to that text."""
    match message:
        case {"content": [{"type": "text", "text": str() as text, **rest}]} if not rest:
            return {**message, "content": text}
        case _:
            return message


canonical: Final = folding(plain_content)
"""Fold the contents that are a list of one plain text, and nothing else, in a request body."""
