"""Media of Anthropic Messages: images and documents as content blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from chatadt._hooks import unstructuring
from chatadt._wire import restore
from chatadt.content import Content, Detail
from chatadt.dialects._losses import Block, foreign, rewritten, unsaid, untyped
from chatadt.dialects._media import file_id, media_type
from chatadt.dialects.anthropic.codec import CODEC, NAME, VENDOR
from chatadt.dialects.anthropic.rules import RULES
from chatadt.json import NO_EXTRAS, Json
from chatadt.loss import Action, Loss, Weight
from chatadt.resource import Resource

__all__ = ("file_block", "image_block", "no_detail", "pdf_block", "plain_source")

_IMAGES: Final = RULES.media_types["image"]
_DETAILS: Final = {detail: Json.of(detail.value) for detail in Detail}
_TEXTUAL: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/javascript"})


def image_block(content: Content.Image) -> Iterator[Block | Loss]:
    """The block of an image, and what is lost; nothing but a loss where it cannot be said."""
    for item in _image_source(content):
        if isinstance(item, Loss):
            yield item
            continue
        block: Block = {"type": "image", "source": item}
        restore(block, content.extras, NAME)
        yield block
        if content.detail is not None:
            yield no_detail(content.detail, ".detail")


def no_detail(detail: Detail, path: str) -> Loss:
    """The loss of how closely the model should look."""
    return Loss(path, "the detail", Action.DROPPED, _DETAILS[detail], "an image has no detail", Weight.DETAIL)


def plain_source(resource: Resource.T) -> Block | None:
    """The source of an image of which there is nothing else to say; None where there is, or where it cannot be said."""
    if resource.extras is not NO_EXTRAS:
        return None
    if isinstance(resource, Resource.Binary):
        if resource.mime_type not in _IMAGES:
            return None
        return {"type": "base64", "media_type": resource.mime_type, "data": resource.content}
    is_plain = resource.mime_type is None and resource.uri.lower().startswith(("http://", "https://"))
    return {"type": "url", "url": resource.uri} if is_plain else None


def _image_source(content: Content.Image) -> Iterator[Block | Loss]:
    resource = content.resource
    match resource:
        case Resource.Binary():
            is_own = _is_own(resource) and resource.mime_type is not None
            media = resource.mime_type if is_own else media_type(resource)
            if media not in _IMAGES and not is_own:
                taken = ", ".join(sorted(_IMAGES))
                yield unsaid(content, f"an image is {taken}, not {media or 'of an unknown format'}")
                return
            if media != resource.mime_type and resource.mime_type is not None:
                yield rewritten("the media type", resource.mime_type, f"the registered name is {media}", path=".resource.mime_type")
            source = _write_binary(resource)
            source["media_type"] = media
            yield source
        case Resource.Ref():
            yield from _reference(content, resource)
        case _:
            assert_never(resource)
    yield from foreign(resource.extras, NAME)


def _is_own(resource: Resource.T) -> bool:
    """Whether the dialect said it so itself, however little its server may like it."""
    return resource.extras is not NO_EXTRAS and bool(resource.extras.of(NAME).get("$own"))


def _reference(content: Content.Image | Content.PDF | Content.File, resource: Resource.Ref) -> Iterator[Block | Loss]:
    if (id_ := file_id(resource, VENDOR)) is not None and not _is_own(resource):
        source: Block = {"type": "file", "file_id": id_}
        restore(source, resource.extras, NAME)
        yield source
        yield from untyped(resource)
    elif resource.uri.lower().startswith(("http://", "https://")) or NAME in resource.extras:
        yield _write_ref(resource)
        yield from untyped(resource)
    else:
        yield unsaid(content, "it is taken by an http(s) URL or by value: fetch it first")


def pdf_block(content: Content.PDF) -> Iterator[Block | Loss]:
    """The block of a PDF, and what is lost; nothing but a loss where it cannot be said."""
    match content.resource:
        case Resource.Binary() as resource:
            source: Block = {"type": "base64", "media_type": "application/pdf", "data": resource.content}
            if resource.mime_type not in (None, "application/pdf"):
                reason = "a PDF is application/pdf"
                yield rewritten("the media type", resource.mime_type, reason, path=".resource.mime_type")
            restore(source, resource.extras, NAME)
            yield from foreign(resource.extras, NAME)
            yield from _titled(content, source)
        case Resource.Ref() as resource:
            for item in _reference(content, resource):
                if isinstance(item, Loss):
                    yield item
                else:
                    yield from foreign(resource.extras, NAME)
                    yield from _titled(content, item)
        case _:
            assert_never(content.resource)


def file_block(content: Content.File) -> Iterator[Block | Loss]:
    """The block of a file, and what is lost; nothing but a loss where it cannot be said."""
    match content.resource:
        case Resource.Ref() as resource:
            if file_id(resource, VENDOR) is None and NAME not in resource.extras:
                yield unsaid(content, "a document by URL is a PDF: fetch it and say what it is")
                return
            for item in _reference(content, resource):
                if isinstance(item, Loss):
                    yield item
                else:
                    yield from foreign(resource.extras, NAME)
                    yield from _titled(content, item)
        case Resource.Binary() as resource:
            own = resource.extras.of(NAME)
            text = _text_of(resource) if own.get("$source") == "text" or not own.get("$own") else None
            if text is not None:
                source: Block = {"type": "text", "data": text}
                if not own.get("$own"):
                    source["media_type"] = "text/plain"
                elif resource.mime_type is not None:
                    source["media_type"] = resource.mime_type
                if resource.mime_type not in (None, source.get("media_type")):
                    reason = "a document that is text is text/plain"
                    yield rewritten("the media type", resource.mime_type, reason, path=".resource.mime_type")
            elif own.get("$own") and resource.mime_type is not None:
                source = {"type": "base64", "media_type": resource.mime_type, "data": resource.content}
            else:
                yield unsaid(content, f"a document is a PDF or text, not {resource.mime_type or 'of an unknown format'}")
                return
            restore(source, resource.extras, NAME)
            yield from foreign(resource.extras, NAME)
            yield from _titled(content, source)
        case _:
            assert_never(content.resource)


def _text_of(resource: Resource.Binary) -> str | None:
    kind = resource.mime_type or ""
    if not (kind.startswith("text/") or kind in _TEXTUAL or resource.extras.of(NAME).get("$source") == "text"):
        return None
    try:
        is_own = resource.extras.of(NAME).get("$source") == "text"
        return resource.bytes.decode(errors="surrogatepass" if is_own else "strict")
    except UnicodeDecodeError:
        return None


def _titled(content: Content.PDF | Content.File, source: Block) -> Iterator[Block]:
    block: Block = {"type": "document", "source": source}
    if content.name is not None:
        block["title"] = content.name
    restore(block, content.extras, NAME)
    yield block


_write_binary: Final = unstructuring(CODEC, Resource.Binary)
_write_ref: Final = unstructuring(CODEC, Resource.Ref)
