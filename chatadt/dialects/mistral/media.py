"""Media of Mistral: images, audio and documents as content chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from chatadt._wire import restore
from chatadt.content import Content
from chatadt.dialects._losses import Block, dropped, foreign, unsaid
from chatadt.dialects._media import data_url, file_id, media_type
from chatadt.dialects._openai_like.write import as_text, media_type_lost, text_of_file
from chatadt.dialects._spelling import text_of
from chatadt.dialects.mistral.codec import AUDIO_FORMATS, NAME, VENDOR
from chatadt.dialects.mistral.rules import RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource

__all__ = ("audio_chunk", "document_chunk")

_FORMATS: Final = {media: name for name, media in AUDIO_FORMATS.items()}
_DOCUMENTS: Final = RULES.media_types["document"]


def audio_chunk(content: Content.Audio) -> Iterator[Block | Loss]:
    """The chunk of audio, and what is lost; nothing but a loss where it cannot be said."""
    notes = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    resource = content.resource
    match resource:
        case Resource.Binary():
            given = _by_value(resource, notes)
        case Resource.Ref(uri=uri):
            if not uri.startswith(("http://", "https://")):
                yield unsaid(content, "audio is taken by an http(s) URL or by value: fetch it first")
                return
            given = uri
        case _:
            assert_never(resource)
    if "$input_audio" not in notes:
        yield from media_type_lost(resource)
    yield from foreign(resource.extras, NAME)
    if content.transcript is not None:
        reason = "audio of a user has no transcript"
        yield dropped("the transcript", content.transcript, reason, weight=Weight.DETAIL, path=".transcript")
    block: Block = {"type": "input_audio", "input_audio": given}
    restore(block, content.extras, NAME)
    yield block


def _by_value(resource: Resource.Binary, notes: Block) -> Any:
    """Audio as it stood; bare base64 says no media type."""
    match notes.get("$input_audio"):
        case "object":
            media, spelt = media_type(resource) or "", text_of(notes, "$format")
            is_as_it_was = spelt is not None and f"audio/{spelt}" == resource.mime_type
            name = spelt if is_as_it_was else _FORMATS.get(media, media.removeprefix("audio/"))
            return {"data": resource.content, "format": name}
        case "url":
            return data_url(resource, NAME)
        case _:
            return resource.content


def document_chunk(content: Content.PDF | Content.File) -> Iterator[Block | Loss]:
    """The chunk of a document, and what is lost; nothing but a loss where it cannot be said."""
    own = content.extras.of(NAME).get("$document_url") if content.extras is not NO_EXTRAS else None
    resource = content.resource
    if (id_ := file_id(resource, VENDOR)) is not None and not own:
        yield from _kept_file(content, id_)
        return
    match resource:
        case Resource.Binary():
            if isinstance(content, Content.File) and not own and (text := text_of_file(content)) is not None:
                yield from as_text(content, NAME)
                yield {"type": "text", "text": text}
                return
            if media_type(resource) not in _DOCUMENTS and not own:
                yield unsaid(content, f"a document is {_TAKEN}, not {resource.mime_type or 'of an unknown format'}")
                return
            url = data_url(resource, NAME)
        case Resource.Ref(uri=uri):
            if not uri.startswith(("http://", "https://")) and NAME not in content.extras:
                yield unsaid(content, "a document is taken by an http(s) URL or by value: fetch it first")
                return
            url = uri
            yield from media_type_lost(resource)
        case _:
            assert_never(resource)
    yield from foreign(resource.extras, NAME)
    block: Block = {"type": "document_url", "document_url": url}
    if content.name is not None:
        block["document_name"] = content.name
    restore(block, content.extras, NAME)
    yield block


_TAKEN: Final = "a PDF, a Word or a PowerPoint document"


def _kept_file(content: Content.PDF | Content.File, id_: str) -> Iterator[Block | Loss]:
    """A file that the provider keeps."""
    block: Block = {"type": "file", "file_id": id_}
    restore(block, content.extras, NAME)
    yield block
    yield from media_type_lost(content.resource)
    yield from foreign(content.resource.extras, NAME)
    if content.name is not None:
        yield dropped("the name of the file", content.name, "the provider knows it", weight=Weight.DETAIL, path=".name")
