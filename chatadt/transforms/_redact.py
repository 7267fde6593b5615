"""Histories without what nobody should read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeVar, assert_never, cast

from attrs import evolve

from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.history import History
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.transforms._exchanges import Transform
from chatadt.transforms._pairs import links, parted
from chatadt.transforms._spellings import Span, replaced, respelt, spans
from chatadt.transforms._text_media import with_text

__all__ = ("Kind", "redact")

Kind: TypeAlias = type[Content.T] | type[Message.ToolResult]
"""What can be taken out as a whole: a case of `Content`, or `Message.ToolResult`."""

W = TypeVar("W")

_Clean: TypeAlias = Callable[[str], str]


def redact(*patterns: str | re.Pattern[str], kinds: Collection[Kind] = (), marker: str = "[redacted]") -> Transform:
    """Put `marker` in the place of whatever a pattern finds, and of whole kinds of contents.

    Patterns (regular expressions) are looked for in all that was said: text, reasoning, refusals, transcripts, names of speakers
    and files, addresses, text files by value, and the strings, numbers and keys of arguments, of extras and of what only a dialect
    knows. They see through escapes of JSON, percent-encoding and character references of HTML, up to four one upon the other. A
    text that is JSON stays JSON, and keeps its keys apart, unless a pattern finds what reaches beyond one string or number of it.

    Ids, names of tools and other media are left alone, and what can only be base64: a medium that only a dialect knows, or a
    signature. Nothing is found that begins in one content and ends in another.

    Of `kinds`, a content becomes a text that is the marker; of a tool request the arguments become empty, of a tool result the
    contents become the marker, so that the two still belong together. The result of a call that only a dialect knows goes with it.
    Reasoning that was changed has no signature any more: the extras of that content go.

    Raises TypeError or ValueError for what is no pattern, no kind or no marker: what was meant to go would stay.
    """
    found, taken = [_pattern(pattern) for pattern in patterns], _kinds(kinds)
    if not isinstance(cast("object", marker), str):
        raise TypeError(f"the marker is a string, got {marker!r}")

    def find(text: str) -> Iterator[Span]:
        return (match.span() for pattern in found for match in pattern.finditer(text) if match.group())

    def clean(text: str) -> str:
        return replaced(text, spans(text, find), marker)

    def redacted(history: History) -> History:
        ids = frozenset(link.id for link in links(history.messages))
        messages = [_message(message, clean, taken, marker, ids) for message in history]
        same = all(one is other for one, other in zip(messages, history, strict=True))
        return history if same else History(parted(history.messages, messages))

    return redacted


def _pattern(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    given = cast("object", pattern.pattern if isinstance(pattern, re.Pattern) else pattern)
    if not isinstance(given, str):
        raise TypeError(f"a pattern is a string or a pattern of strings, got {pattern!r}")
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"expected a regular expression, got {pattern!r}: {error}") from None


def _kinds(kinds: Collection[Kind]) -> frozenset[Kind]:
    given = cast("object", kinds)
    if isinstance(given, type) or not isinstance(given, Iterable):
        raise TypeError(f"kinds are a collection, got {kinds!r}: put it into a list")
    found = frozenset(kinds)
    for kind in found:
        if kind not in _ALL_KINDS:
            raise TypeError(f"a kind is a case of Content, or Message.ToolResult, got {kind!r}")
    return found


_ALL_KINDS: Final = frozenset({*Content.T.__args__, Message.ToolResult})


def _message(message: Message.T, clean: _Clean, kinds: Collection[Kind], marker: str, ids: frozenset[str]) -> Message.T:
    match message:
        case Message.Custom():
            return _changed(message, attributes=_json(message.attributes, clean, ids))
        case Message.ToolResult():
            is_whole = Message.ToolResult in kinds and message.contents
            contents = (Content.Text(marker),) if is_whole else _contents(message.contents, clean, kinds, marker, ids)
            return _changed(message, contents=contents, extras=_extras(message.extras, clean))
        case Message.System():
            contents = _contents(message.contents, clean, kinds, marker, ids)
            return _changed(message, contents=contents, extras=_extras(message.extras, clean))
        case Message.User() | Message.Assistant():
            contents = _contents(message.contents, clean, kinds, marker, ids)
            return _changed(message, contents=contents, name=_maybe(message.name, clean), extras=_extras(message.extras, clean))
        case _:
            assert_never(message)


def _contents(
    contents: tuple[Content.T, ...], clean: _Clean, kinds: Collection[Kind], marker: str, ids: frozenset[str]
) -> tuple[Content.T, ...]:
    return tuple(_taken_out(content, marker) if type(content) in kinds else _content(content, clean, ids) for content in contents)


def _taken_out(content: Content.T, marker: str) -> Content.T:
    """What stands in the place of a content of a kind that is taken out."""
    match content:
        case Content.ToolRequest():
            return _changed(content, arguments=NO_ARGUMENTS, extras=NO_EXTRAS)
        case (
            Content.Text()
            | Content.Image()
            | Content.Audio()
            | Content.Video()
            | Content.PDF()
            | Content.File()
            | Content.Custom()
            | Content.Reasoning()
            | Content.Refusal()
        ):
            return content if content == Content.Text(marker) else Content.Text(marker)
        case _:
            assert_never(content)


def _content(content: Content.T, clean: _Clean, ids: frozenset[str]) -> Content.T:
    match content:
        case Content.Text() | Content.Refusal():
            return _changed(content, text=clean(content.text), extras=_extras(content.extras, clean))
        case Content.Reasoning():
            text, extras = clean(content.text), _extras(content.extras, clean)
            return _changed(content, text=text, extras=extras if (text, extras) == (content.text, content.extras) else NO_EXTRAS)
        case Content.Image() | Content.Video():
            return _changed(content, resource=_resource(content.resource, clean), extras=_extras(content.extras, clean))
        case Content.Audio():
            transcript = _maybe(content.transcript, clean)
            resource = _resource(content.resource, clean)
            return _changed(content, resource=resource, transcript=transcript, extras=_extras(content.extras, clean))
        case Content.PDF() | Content.File():
            resource, name = _resource(content.resource, clean), _maybe(content.name, clean)
            return _changed(content, resource=resource, name=name, extras=_extras(content.extras, clean))
        case Content.ToolRequest():
            return _changed(content, arguments=_arguments(content.arguments, clean), extras=_extras(content.extras, clean))
        case Content.Custom():
            return _changed(content, value=_json(content.value, clean, ids))
        case _:
            assert_never(content)


def _arguments(arguments: Arguments.T, clean: _Clean) -> Arguments.T:
    match arguments:
        case Arguments.Parsed():
            return _changed(arguments, json=_json(arguments.json, clean))
        case Arguments.Malformed():
            return _changed(arguments, text=clean(arguments.text), why=clean(arguments.why))
        case _:
            assert_never(arguments)


def _resource(resource: Resource.T, clean: _Clean) -> Resource.T:
    match resource:
        case Resource.Ref():
            uri = clean(_data_url(resource.uri, clean))
            return _changed(resource, uri=uri if uri.strip() else _GONE, extras=_extras(resource.extras, clean))
        case Resource.Binary():
            return _changed(with_text(resource, clean), extras=_extras(resource.extras, clean))
        case _:
            assert_never(resource)


_GONE: Final = "urn:chatadt:redacted"
"""An address may not be blank."""


def _data_url(uri: str, clean: _Clean) -> str:
    """The address; one that holds a text, with that cleaned."""
    if uri[:5].lower() != "data:":
        return uri
    try:
        held = Resource.of(uri)
    except ValueError:
        return uri
    if not isinstance(held, Resource.Binary):
        return uri
    cleaned = with_text(evolve(held, mime_type=held.mime_type or "text/plain"), clean)
    return uri if cleaned.content == held.content else f"data:{held.mime_type or ''};base64,{cleaned.content}"


def _maybe(text: str | None, clean: _Clean) -> str | None:
    return None if text is None else clean(text)


def _extras(extras: Extras, clean: _Clean) -> Extras:
    if not extras:
        return extras
    cleaned = {dialect: _json(document, clean, notes=True) for dialect, document in extras.items()}
    return extras if all(cleaned[dialect] is document for dialect, document in extras.items()) else Extras(cleaned)


_ENCODED: Final = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}")
"""What can only be base64, and says nothing to who reads it: to change a letter of a signature is to break it."""


def _json(document: Json, clean: _Clean, ids: frozenset[str] = frozenset(), *, notes: bool = False) -> Json:
    """The document with its strings, keys and numbers cleaned, all else as it was.

    A string that is one of `ids` stays: by it a call and its result are matched.
    With `notes`, keys that begin with `$` stay: they are not what anyone said, but what this library noted about how it was spelt.
    """

    def cleaned(token: re.Match[str], said: str) -> str:
        is_note = notes and token["colon"] and said.startswith("$") and not said.startswith("$$")
        stays = is_note or (token["number"] is None and (said in ids or _ENCODED.fullmatch(said)))
        return said if stays else clean(said)

    text = respelt(document.text, cleaned)
    return document if text == document.text else Json(text)


def _changed(word: W, **fields: object) -> W:
    """The word with other fields, itself where none of them differs."""
    case: Any = word
    return word if all(getattr(case, name) == value for name, value in fields.items()) else cast("W", evolve(case, **fields))
