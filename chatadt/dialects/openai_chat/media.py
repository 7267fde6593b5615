"""Media of OpenAI Chat: images, audio and documents as content parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from chatadt._wire import restore
from chatadt.content import Content
from chatadt.dialects._losses import Block, dropped, foreign, rewritten, unsaid, untyped
from chatadt.dialects._media import data_url, file_id, media_type, mistyped, no_name
from chatadt.dialects._spelling import text_of
from chatadt.dialects.openai_chat.codec import AUDIO_FORMATS, NAME
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource

__all__ = ("audio_part", "document_part", "image_part")

_FORMATS: Final = {media: name for name, media in AUDIO_FORMATS.items()}
_IMAGES: Final = RULES.media_types["image"]
_OWN_AUDIO: Final = frozenset(AUDIO_FORMATS.values())


def image_part(content: Content.Image) -> Iterator[Block | Loss]:
    """The part of an image, and what is lost; nothing but a loss where it cannot be said."""
    match content.resource:
        case Resource.Binary():
            if (why := mistyped(content.resource, _IMAGES, NAME)) is not None:
                yield unsaid(content, why)
                return
            url = data_url(content.resource, NAME)
        case Resource.Ref(uri=uri):
            if not uri.lower().startswith(("http://", "https://")) and not _is_own(content.resource.extras, content.extras):
                yield unsaid(content, "an image is taken by an http(s) URL or by value: fetch it first")
                return
            url = uri
        case _:
            assert_never(content.resource)
    yield from untyped(content.resource)
    yield from foreign(content.resource.extras, NAME)
    if content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$image_url") == "string":
        plain: Block = {"type": "image_url", "image_url": url}
        restore(plain, content.extras, NAME)
        yield plain
        return
    block: Block = {"type": "image_url", "image_url": {"url": url}}
    if content.detail is not None:
        block["image_url"] = {"url": url, "detail": content.detail.value}
    restore(block, content.extras, NAME)
    yield block


def _is_own(*extras: Extras) -> bool:
    return any(NAME in each for each in extras)


def audio_part(content: Content.Audio) -> Iterator[Block | Loss]:
    """The part of audio, and what is lost; nothing but a loss where it cannot be said."""
    match content.resource:
        case Resource.Ref():
            yield unsaid(content, "audio is taken by value only: fetch it first")
            return
        case Resource.Binary():
            media = media_type(content.resource) or ""
            name = _FORMATS.get(media) or (
                media.removeprefix("audio/") if media in _OWN_AUDIO or (media and NAME in content.extras) else None
            )
            if name is None:
                yield unsaid(content, f"audio is taken as wav or mp3, not as {media or 'an unknown format'}")
                return
        case _:
            assert_never(content.resource)
    spelt = text_of(content.extras.of(NAME), "$format") if content.extras is not NO_EXTRAS else None
    is_as_it_was = spelt is not None and f"audio/{spelt}" == content.resource.mime_type
    inner: Block = {"data": content.resource.content, "format": spelt if is_as_it_was else name}
    restore(inner, content.resource.extras, NAME)
    yield from foreign(content.resource.extras, NAME)
    if content.transcript is not None:
        yield dropped("the transcript", content.transcript, "audio of a user has no transcript", weight=Weight.DETAIL)
    block = {"type": "input_audio", "input_audio": inner}
    restore(block, content.extras, NAME)
    yield block


def document_part(content: Content.PDF | Content.File) -> Iterator[Block | Loss]:
    """The part of a document, and what is lost; nothing but a loss where it cannot be said."""
    resource = content.resource
    inner: Block = {}
    match resource:
        case Resource.Binary():
            if isinstance(content, Content.File) and _is_foreign_text(resource):
                reason = "a file is a PDF here: the text of this one stands as text"
                said = {"name": content.name, "mime_type": resource.mime_type}
                yield rewritten("file", {key: value for key, value in said.items() if value is not None}, reason)
                yield from foreign(resource.extras, NAME)
                yield {"type": "text", "text": resource.bytes.decode()}
                return
            inner["file_data"] = data_url(resource, NAME)
        case Resource.Ref(uri=uri):
            if resource.extras is not NO_EXTRAS and resource.extras.of(NAME).get("$file_data"):
                inner["file_data"] = uri
            elif (id_ := file_id(resource, "openai")) is not None:
                inner["file_id"] = id_
            else:
                yield unsaid(content, "chat completions has no file URL: fetch the document, or use the Responses API")
                return
        case _:
            assert_never(resource)
    yield from _name(content, inner)
    restore(inner, resource.extras, NAME)
    yield from untyped(resource)
    yield from foreign(resource.extras, NAME)
    block: Block = {"type": "file", "file": inner}
    restore(block, content.extras, NAME)
    yield block


def _name(content: Content.PDF | Content.File, file: Block) -> Iterator[Loss]:
    """Give a file its name, which one by value must have, and one by its id has not; either as it was where the dialect said it."""
    notes = content.resource.extras.of(NAME)
    name = content.name
    if "file_data" not in file and name is not None and not notes.get("$named"):
        reason = "a file by its id has no name of its own"
        yield dropped("the name of a file", name, reason, weight=Weight.DETAIL, path=".name")
    elif "file_data" in file and not notes.get("$unnamed") and (name is None or not name.strip()):
        file["filename"] = "document.pdf" if isinstance(content, Content.PDF) else "file"
        yield no_name(name)
    elif name is not None:
        file["filename"] = name


def _is_foreign_text(resource: Resource.Binary) -> bool:
    if not (resource.mime_type or "").startswith("text/") or NAME in resource.extras:
        return False
    try:
        resource.bytes.decode()
    except UnicodeDecodeError:
        return False
    return True
