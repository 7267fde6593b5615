"""Media of OpenAI Responses: images and documents as parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from chatadt._hooks import unstructuring
from chatadt.content import Content
from chatadt.dialects._losses import Block, dropped, foreign, unsaid
from chatadt.dialects._media import data_url, file_id, media_type, no_name
from chatadt.dialects.openai_responses.codec import CODEC, IMAGE_FILLERS, NAME, VENDOR, filled
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource

__all__ = ("document_part", "image_part")

_IMAGES: Final = RULES.media_types["image"]
_WEB: Final = ("http://", "https://")


def image_part(content: Content.Image) -> Iterator[Block | Loss]:
    """The part of an image, and what is lost; nothing but a loss where it cannot be said."""
    resource = content.resource
    why = _why_no_image(resource)
    if why is not None and not resource.extras.of(NAME).get("$own"):
        yield unsaid(content, why)
        return
    yield from _unsaid_of(resource)
    block = _write_image(content)
    if (id_ := file_id(resource, VENDOR)) is not None:
        block["file_id"] = id_
    else:
        block["image_url"] = _url(resource)
    yield filled(block, IMAGE_FILLERS, content.extras.of(NAME))


def _why_no_image(resource: Resource.T) -> str | None:
    match resource:
        case Resource.Binary():
            media = media_type(resource)
            taken = ", ".join(sorted(_IMAGES))
            return None if media in _IMAGES else f"an image is {taken}, not {media or 'of an unknown format'}"
        case Resource.Ref(uri=uri):
            is_taken = uri.startswith(_WEB) or file_id(resource, VENDOR) is not None
            return None if is_taken else "an image is taken by an http(s) URL or by value: fetch it first"
        case _:
            assert_never(resource)


def document_part(content: Content.PDF | Content.File) -> Iterator[Block | Loss]:
    """The part of a document, and what is lost; nothing but a loss where it cannot be said."""
    resource = content.resource
    notes = resource.extras.of(NAME)
    block = _write_pdf(content) if isinstance(content, Content.PDF) else _write_file(content)
    match resource:
        case Resource.Binary():
            block["file_data"] = data_url(resource, NAME)
            if content.name is not None and (content.name.strip() or notes.get("$unnamed")):
                block["filename"] = content.name
            elif not notes.get("$unnamed"):
                block["filename"] = "document.pdf" if isinstance(content, Content.PDF) else "file"
                yield no_name(content.name)
        case Resource.Ref(uri=uri):
            id_ = file_id(resource, VENDOR)
            if id_ is None and not (uri.startswith(_WEB) or notes.get("$own")):
                yield unsaid(content, "a file is taken by an http(s) URL or by value: fetch it first")
                return
            block |= {"file_url": uri} if id_ is None else {"file_id": id_}
            if content.name is not None and notes.get("$named"):
                block["filename"] = content.name
            elif content.name is not None:
                reason = "a file by reference has no name of its own"
                yield dropped("the name of a file", content.name, reason, weight=Weight.DETAIL, path=".name")
        case _:
            assert_never(resource)
    yield from _unsaid_of(resource)
    yield block


def _unsaid_of(resource: Resource.T) -> Iterator[Loss]:
    """What is lost of a medium that is said."""
    if isinstance(resource, Resource.Ref) and resource.mime_type is not None:
        reason = "an address says nothing of what is there"
        yield dropped("the media type", resource.mime_type, reason, weight=Weight.DETAIL, path=".resource.mime_type")
    yield from foreign(resource.extras, NAME)


def _url(resource: Resource.T) -> str:
    match resource:
        case Resource.Binary():
            return data_url(resource, NAME)
        case Resource.Ref(uri=uri):
            return uri
        case _:
            assert_never(resource)


_write_image: Final = unstructuring(CODEC, Content.Image)
_write_pdf: Final = unstructuring(CODEC, Content.PDF)
_write_file: Final = unstructuring(CODEC, Content.File)
