"""Media of Bedrock Converse: images, documents, video and audio as content blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never

from chatadt._wire import restore
from chatadt.content import Content
from chatadt.dialects._losses import MEDIUM, Block, dropped, invented, rewritten, unsaid
from chatadt.dialects._media import MEDIA_TYPE_ALIASES, media_type
from chatadt.dialects._spelling import object_of
from chatadt.dialects.bedrock.codec import FORMATS, NAME, S3, WRITTEN
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource

__all__ = ("audio_block", "document_block", "image_block", "is_noted", "says_document", "video_block")

Medium: TypeAlias = Content.Image | Content.Video | Content.Audio | Content.PDF | Content.File

_TEXTUAL: Final = frozenset({"application/json", "application/xml", "application/yaml", "application/javascript"})
_SUFFIX: Final = re.compile(r"\.([a-z0-9]+)$")
_ALSO: Final = {"jpg": "jpeg", "htm": "html", "3gp": "three_gp"}
"""Suffixes of files that are not spelt as their format is."""


def is_noted(extras: Extras, note: str) -> bool:
    """Whether a word has a note of this dialect."""
    return extras is not NO_EXTRAS and bool(extras.of(NAME).get(note))


def _is_guarded(extras: Extras) -> bool:
    return extras is not NO_EXTRAS and extras.of(NAME).get("$type") == "guardContent"


# --- blocks --------------------------------------------------------------------------------------------------------------------


def image_block(content: Content.Image) -> Iterator[Block | Loss]:
    """The block of an image, and what is lost; nothing but a loss where it cannot be said."""
    for item in _medium("image", content):
        if isinstance(item, Loss):
            yield item
            continue
        restore(item, content.extras, NAME)
        block: Block = {"image": item}
        yield {"guardContent": block} if _is_guarded(content.extras) else block
        if content.detail is not None:
            yield dropped("the detail", content.detail.value, "an image has no detail", weight=Weight.DETAIL, path=".detail")


def video_block(content: Content.Video) -> Iterator[Block | Loss]:
    """The block of a film, and what is lost; nothing but a loss where it cannot be said."""
    yield from _block("video", content)


def audio_block(content: Content.Audio) -> Iterator[Block | Loss]:
    """The block of audio, and what is lost; nothing but a loss where it cannot be said."""
    said = False
    for item in _block("audio", content):
        said = said or not isinstance(item, Loss)
        yield item
    if said and content.transcript is not None:
        reason = "audio has no transcript"
        yield dropped("the transcript", content.transcript, reason, weight=Weight.DETAIL, path=".transcript")


def document_block(content: Content.PDF | Content.File) -> Iterator[Block | Loss]:
    """The block of a document, and what is lost; nothing but a loss where it cannot be said."""
    for item in _medium("document", content):
        if isinstance(item, Loss):
            yield item
            continue
        name, is_nameless = content.name, is_noted(content.extras, "$nameless")
        if name is not None and (name or is_nameless):
            item["name"] = name
        elif not is_nameless:
            item["name"] = "document"
            reason = "a document must have a name"
            yield invented("a name", reason, path=".name") if name is None else rewritten("a name", name, reason, path=".name")
        restore(item, content.extras, NAME)
        yield {"document": item}


def says_document(content: Content.PDF | Content.File) -> bool:
    """Whether a document has a block, or is nothing but a loss."""
    return any(not isinstance(item, Loss) for item in document_block(content))


def _block(kind: str, content: Content.Video | Content.Audio) -> Iterator[Block | Loss]:
    for item in _medium(kind, content):
        if isinstance(item, Loss):
            yield item
        else:
            restore(item, content.extras, NAME)
            yield {kind: item}


# --- what stands in them -------------------------------------------------------------------------------------------------------


def _medium(kind: str, content: Medium) -> Iterator[Block | Loss]:
    """The format and the source of a medium; nothing but a loss where it cannot be said."""
    resource = content.resource
    own = resource.extras.of(NAME) if resource.extras is not NO_EXTRAS else {}
    media = _media_type(content)
    name = WRITTEN[kind].get(media or "")
    match resource:
        case Resource.Ref(uri=uri):
            if not (uri.startswith(S3) or own.get("$own")):
                yield unsaid(content, f"it is taken by value or from {S3}: fetch it first")
                return
            source: Block = {"s3Location": {"uri": uri}}
            name = name or _format_of(kind, uri)
        case Resource.Binary():
            source = _by_value(resource, own)
            name = name or ("txt" if isinstance(content, Content.File) and _is_text(media) else None)
        case _:
            assert_never(resource)
    given = resource.mime_type
    if "$format" in own:
        block: Block = {"format": own["$format"], "source": source}
    elif "format" in (strange := object_of(own, MEDIUM)):
        block = {"format": strange["format"], "source": source}
    elif own.get("$formatless"):
        block = {"source": source}
    elif name is not None:
        block = {"format": name, "source": source}
        if given is not None and given != FORMATS[kind][name]:
            reason = f"the format is {name}, which stands for {FORMATS[kind][name]}"
            yield rewritten("the media type", given, reason, path=".resource.mime_type")
    else:
        yield unsaid(content, f"{kind} is {', '.join(FORMATS[kind])}, not {given or 'of an unknown format'}")
        return
    restore(source, resource.extras, NAME)
    yield block


def _by_value(resource: Resource.Binary, own: Block) -> Block:
    if own.get("$source") == "text":
        try:
            return {"text": resource.bytes.decode(errors="surrogatepass")}
        except UnicodeDecodeError:
            pass  # the words were changed since they were read
    return {"bytes": resource.content}


def _media_type(content: Medium) -> str | None:
    match content:
        case Content.PDF():
            return "application/pdf"
        case Content.Image() | Content.Video() | Content.Audio() | Content.File():
            match content.resource:
                case Resource.Binary() as resource:
                    return media_type(resource)
                case Resource.Ref(mime_type=mime_type):
                    return MEDIA_TYPE_ALIASES.get(mime_type or "", mime_type)
                case _:
                    assert_never(content.resource)
        case _:
            assert_never(content)


def _is_text(media: str | None) -> bool:
    return media is not None and (media.startswith("text/") or media in _TEXTUAL)


def _format_of(kind: str, uri: str) -> str | None:
    """The format that the name of a file shows."""
    found = _SUFFIX.search(uri.lower())
    name = _ALSO.get(found[1], found[1]) if found else None
    return name if name in FORMATS[kind] else None
