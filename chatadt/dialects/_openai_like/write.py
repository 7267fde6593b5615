"""Writing: the messages, and what anyone says in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias, TypeVar, assert_never, final

from attrs import frozen

from chatadt._wire import restore
from chatadt.content import Content, Detail
from chatadt.dialects._calls import Asked
from chatadt.dialects._codec import OK
from chatadt.dialects._losses import (
    Block,
    blocks_of,
    dropped,
    foreign,
    foreign_message,
    moved,
    nameless,
    omitted,
    parted,
    relocate,
    rewritten,
    unsaid,
)
from chatadt.dialects._media import data_url, mistyped
from chatadt.dialects._spelling import one_of
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource, sniff_base64

__all__ = (
    "Teller",
    "as_text",
    "complete_result",
    "content_of",
    "image_part",
    "is_text",
    "media_type_lost",
    "outcome_lost",
    "parted_result",
    "put_behind",
    "system_writer",
    "text_of_file",
    "user_writer",
    "write_messages",
)

C = TypeVar("C", bound=Content.T)


Answer: TypeAlias = "Callable[[Message.ToolResult, str | None, list[Block], list[Loss]], Block]"
"""Writes a tool result, given the name of the tool that its call names; what cannot stay in it is added to the blocks."""


@final
@frozen
class Teller:
    """How a dialect writes the message of each speaker; None where nothing of a message can be said."""

    dialect: str
    system: Callable[[Message.System, list[Loss]], Block | None]
    user: Callable[[Message.User, list[Loss]], Block]
    assistant: Callable[[Message.Assistant, list[Loss]], Block | None]
    result: Answer


def write_messages(messages: Sequence[Message.T], teller: Teller, losses: list[Loss]) -> list[Block]:
    """The messages of a body. What cannot stay in its tool result stands in a user message behind the last result of the turn."""
    out: list[Block] = []
    waiting: list[Block] = []
    asked = Asked(messages)
    known = len(losses)
    for index, message in enumerate(messages):
        if waiting and not isinstance(message, Message.ToolResult):
            out.append({"role": "user", "content": waiting})
            waiting = []
        match message:
            case Message.User():
                written: Block | None = teller.user(message, losses)
            case Message.Assistant():
                written = teller.assistant(message, losses)
                asked.hear(message)
            case Message.ToolResult():
                call = asked.called(message.id, index)
                written = teller.result(message, None if call is None else call.name, waiting, losses)
            case Message.System():
                written = teller.system(message, losses)
            case Message.Custom(attributes=attributes, dialect=dialect):
                written = attributes.value if dialect == teller.dialect else None
                losses += () if dialect == teller.dialect else (foreign_message(message),)
            case _:
                assert_never(message)
        if written is not None:
            out.append(written)
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
            known = len(losses)
    if waiting:
        out.append({"role": "user", "content": waiting})
    return out


def system_writer(
    dialect: str, write: Callable[[Message.System], Block], part: Callable[[Content.Input], Iterable[Block | Loss]]
) -> Callable[[Message.System, list[Loss]], Block | None]:
    """A writer of system messages; None where nothing of one can be said."""

    def system(message: Message.System, losses: list[Loss]) -> Block | None:
        out = write(message)
        out["content"] = content_of(message.contents, part, message.extras, dialect, losses)
        if message.extras is not NO_EXTRAS:
            losses += foreign(message.extras, dialect)
        return None if out["content"] is None and message.contents else out

    return system


def user_writer(
    dialect: str, write: Callable[[Message.User], Block], part: Callable[[Content.Input], Iterable[Block | Loss]]
) -> Callable[[Message.User, list[Loss]], Block]:
    """A writer of user messages, which have no name."""

    def user(message: Message.User, losses: list[Loss]) -> Block:
        out = write(message)
        content = content_of(message.contents, part, message.extras, dialect, losses)
        out["content"] = omitted(message.contents, losses) if content is None and message.contents else content
        losses += nameless(message, "message")
        if message.extras is not NO_EXTRAS:
            losses += foreign(message.extras, dialect)
        return out

    return user


_IN_RESULT_ONLY: Final = "in a tool result only text is taken, so it stands in a user message after the results"


def complete_result(
    out: Block,
    message: Message.ToolResult,
    stays: Callable[[Content.Input], bool],
    write: Callable[[Content.Input], Iterable[Block | Loss]],
    dialect: str,
    waiting: list[Block],
    losses: list[Loss],
) -> None:
    """Give `out` the contents of a tool result; those which do not stay in it are added to `waiting`."""
    if len(message.contents) == 1 and message.extras is NO_EXTRAS and message.outcome is OK:
        only = message.contents[0]
        if isinstance(only, Content.Text) and only.extras is NO_EXTRAS and stays(only):  # as nearly all are
            out["content"] = only.text
            return
    inside, outside = parted_result(message.contents, stays)
    content = content_of(inside, write, message.extras, dialect, losses) if inside or not outside else None
    moved_on = put_behind(outside, write, waiting, losses)
    out["content"] = omitted(message.contents, losses, moved_on) if content is None and message.contents else content
    losses += outcome_lost(message)
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, dialect)


def parted_result(
    contents: tuple[Content.Input, ...], stays: Callable[[Content.Input], bool]
) -> tuple[tuple[Content.Input, ...], list[tuple[int, Content.Input]]]:
    """The contents that a tool result takes, and the others with their index."""
    outside = [(index, content) for index, content in enumerate(contents) if not stays(content)]
    return (tuple(filter(stays, contents)) if outside else contents), outside


def put_behind(
    outside: list[tuple[int, Content.Input]],
    write: Callable[[Content.Input], Iterable[Block | Loss]],
    waiting: list[Block],
    losses: list[Loss],
) -> frozenset[str]:
    """Add what does not stay in a tool result to what waits for its end; the kinds of what could be said there."""
    kinds: set[str] = set()
    for index, part in outside:
        path = f".contents[{index}]"
        if blocks := parted(write(part), losses, path):
            kinds.add(kind := type(part).__name__.lower())
            losses.append(moved(f"{kind} of a tool result", _noun(part), _IN_RESULT_ONLY, path=path))
            waiting += blocks
    return frozenset(kinds)


def outcome_lost(message: Message.ToolResult) -> tuple[Loss, ...]:
    """The loss of how a tool call ended, where a result has no flag for it."""
    if message.outcome is OK:
        return ()
    reason = "a tool message has no error flag"
    return (dropped("the outcome", message.outcome.value, reason, weight=Weight.DETAIL, path=".outcome"),)


def is_text(content: Content.Input) -> bool:
    """Whether a content stays in a tool result that takes text only; what is the dialect's own is its own business."""
    match content:
        case Content.Text() | Content.Custom():
            return True
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return False
        case _:
            assert_never(content)


def _noun(content: Content.Input) -> str:
    match content:
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.resource.uri if isinstance(content.resource, Resource.Ref) else content.resource.mime_type or "a medium"
        case Content.Text() | Content.Custom():
            return "a text"
        case _:
            assert_never(content)


# --- contents ------------------------------------------------------------------------------------------------------------------


def content_of(
    contents: tuple[C, ...], write: Callable[[C], Iterable[Block | Loss]], extras: Extras, dialect: str, losses: list[Loss]
) -> Any:
    """The `content` of a message that has `extras`: a string when there is one plain text and nothing else, or a list of parts.

    Where there are no contents, it is what stood there when the message was read, or an empty string; None where there are some
    and nothing of them can be said.
    """
    if not contents:
        return one_of(extras.of(dialect), "$content", ("", None, []), "") if extras is not NO_EXTRAS else ""
    alone: Any = contents[0] if len(contents) == 1 else None
    if alone.__class__ is Content.Text and alone.extras is NO_EXTRAS:
        return alone.text
    return blocks_of(contents, write, losses) or None


def image_part(content: Content.Image, dialect: str, taken: frozenset[str]) -> Iterator[Block | Loss]:
    """The part of an image, and what is lost; nothing but a loss where it cannot be said."""
    resource = content.resource
    match resource:
        case Resource.Binary():
            if (why := mistyped(resource, taken, dialect)) is not None:
                yield unsaid(content, why)
                return
            url = data_url(resource, dialect)
        case Resource.Ref(uri=uri):
            if not uri.startswith(("http://", "https://")) and dialect not in resource.extras and dialect not in content.extras:
                yield unsaid(content, "an image is taken by an http(s) URL or by value: fetch it first")
                return
            url = uri
            yield from media_type_lost(resource)
        case _:
            assert_never(resource)
    yield from foreign(resource.extras, dialect)
    if content.extras is not NO_EXTRAS and content.extras.of(dialect).get("$image_url") == "string":
        block: Block = {"type": "image_url", "image_url": url}
    else:
        block = {"type": "image_url", "image_url": {"url": url}}
        if content.detail is not None:
            block["image_url"]["detail"] = _DETAILS.get(content.detail, content.detail).value
            if content.detail in _DETAILS:
                yield rewritten("the detail", content.detail.value, "there is no such detail: high is the nearest", path=".detail")
    restore(block, content.extras, dialect)
    yield block


_DETAILS: Final = {Detail.ORIGINAL: Detail.HIGH}
"""Details that there are not, and the ones that are near."""


def media_type_lost(resource: Resource.T) -> Iterator[Loss]:
    """The loss of a media type that is not said: of a medium by URL, or of bare base64, of which the first bytes say what it is."""
    what, path = "the media type", ".resource.mime_type"
    match resource:
        case Resource.Ref():
            if resource.mime_type is not None:
                yield dropped(what, resource.mime_type, "a URL has no media type", weight=Weight.DETAIL, path=path)
            return
        case Resource.Binary():
            shown = sniff_base64(resource.content)
        case _:
            assert_never(resource)
    if resource.mime_type in (None, shown):
        return
    if shown is None:
        reason = "it stands as bare base64, and its first bytes do not say what it is"
        yield dropped(what, resource.mime_type, reason, weight=Weight.DETAIL, path=path)
    else:
        yield rewritten(what, resource.mime_type, f"it stands as bare base64, and its first bytes say {shown}", path=path)


def text_of_file(content: Content.File) -> str | None:
    """The text of a file that is by value and text, or None."""
    match content.resource:
        case Resource.Binary(mime_type=str() as kind) if kind.startswith("text/"):
            try:
                return content.resource.bytes.decode()
            except UnicodeDecodeError:
                return None
        case Resource.Binary() | Resource.Ref():
            return None
        case _:
            assert_never(content.resource)


def as_text(content: Content.File, dialect: str) -> Iterator[Loss]:
    """What is lost of a file where its text stands for it: what it is called, and what was said of its bytes."""
    about = {"name": content.name, "media_type": content.resource.mime_type}
    yield rewritten("file", about, "a text file is no document here: its text stands for it")
    yield from foreign(content.resource.extras, dialect)
