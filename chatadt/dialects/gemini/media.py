"""Media of Gemini: inlineData and fileData, in turns and inside tool results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, assert_never

from chatadt._wire import restore
from chatadt.content import Content
from chatadt.dialects._losses import Block, dropped, foreign, invented, rewritten
from chatadt.dialects._media import file_id, media_type
from chatadt.dialects._spelling import list_of
from chatadt.dialects.gemini.codec import NAME, VENDOR
from chatadt.dialects.gemini.rules import FETCHED, IN_RESULTS, TEXTUAL, is_film, kind_of, media_type_of_url, taken_as, takes
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource

__all__ = ("Medium", "fits_a_result", "medium_part", "why_not")

Medium: TypeAlias = Content.Image | Content.Audio | Content.Video | Content.PDF | Content.File

_TO_URL_SAFE: Final = str.maketrans("+/", "-_")
_USUAL: Final = {
    Content.Image: "image/jpeg",
    Content.Audio: "audio/mpeg",
    Content.Video: "video/mp4",
    Content.PDF: "application/pdf",
    Content.File: "text/plain",
}
"""The media type that is named where nothing tells which one it is; the server goes by what it fetches."""


def why_not(content: Medium) -> str | None:
    """Why a medium cannot be said, or None when it can."""
    resource = content.resource
    if _notes(resource).get("$own"):
        return None
    match resource:
        case Resource.Ref(uri=uri):
            is_taken = uri.startswith(FETCHED) or file_id(resource, VENDOR) is not None
            return None if is_taken else "a file is taken by an http(s) or gs URL, or by value: fetch it first"
        case Resource.Binary():
            if _type_of(content, resource) is not None:
                return None
            return f"it is taken as {', '.join(taken_as(type(content)))}, not {media_type(resource) or 'of an unknown format'}"
        case _:
            assert_never(resource)


def fits_a_result(content: Medium) -> bool:
    """Whether a medium may stand inside a tool result, of a model that takes media there."""
    if content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$in_result"):
        return True
    match content.resource:
        case Resource.Ref():
            return True
        case Resource.Binary() as resource:
            return _type_of(content, resource) in IN_RESULTS
        case _:
            assert_never(content.resource)


def medium_part(content: Medium) -> Iterator[Block | Loss]:
    """The part of a medium that can be said, and what is lost."""
    resource = content.resource
    match resource:
        case Resource.Binary():
            yield from _about_type(content, _type_of(content, resource))
            part: Block = {"inlineData": _inline(content, resource)}
        case Resource.Ref():
            media = resource.mime_type or _guessed(content, resource)
            if media is not None and resource.mime_type is None:
                yield invented("a media type", f"a file needs one: {media} is said", path=".resource.mime_type")
            part = {"fileData": _by_reference(content, resource, media)}
        case _:
            assert_never(resource)
    if content.extras is not NO_EXTRAS:
        restore(part, content.extras, NAME)
        yield from foreign(content.extras, NAME)
    yield part
    yield from foreign(resource.extras, NAME, ".resource")
    yield from _details(content)


def _inline(content: Medium, resource: Resource.Binary) -> Block:
    notes = _notes(resource)
    data = resource.content
    unusual = list_of(notes, "$data", str)
    data = data.translate(_TO_URL_SAFE) if "url_safe" in unusual else data
    data = data.rstrip("=") if "unpadded" in unusual else data
    media = resource.mime_type if notes.get("$own") else _type_of(content, resource)
    return _finished(content, resource, {"data": data} if media is None else {"mimeType": media, "data": data})


def _by_reference(content: Medium, resource: Resource.Ref, media: str | None) -> Block:
    uri = file_id(resource, VENDOR) or resource.uri
    return _finished(content, resource, {"fileUri": uri} if media is None else {"mimeType": media, "fileUri": uri})


def _finished(content: Medium, resource: Resource.T, fields: Block) -> Block:
    if isinstance(content, Content.PDF | Content.File) and content.name is not None and _notes(resource).get("$named"):
        fields["displayName"] = content.name
    restore(fields, resource.extras, NAME)
    return fields


def _type_of(content: Medium, resource: Resource.Binary) -> str | None:
    """The media type under which a medium by value is taken, or None when it is not."""
    kind = type(content)
    if takes(kind, resource.mime_type) or _notes(resource).get("$own"):
        return resource.mime_type
    if isinstance(content, Content.PDF):
        return "application/pdf"
    media = media_type(resource)
    if media is not None and isinstance(content, Content.File):
        is_text = media in TEXTUAL or media.startswith("text/")
        # a file may be what another kind of content says: an image that nobody called so
        return media if takes(kind_of(media, ""), media) else "text/plain" if is_text else None
    return media if takes(kind, media) else None


def _about_type(content: Medium, media: str | None) -> Iterator[Loss]:
    said = content.resource.mime_type
    if said is not None and media is not None and media != said:
        yield rewritten("the media type", said, f"it is taken as {media}", path=".resource.mime_type")


def _guessed(content: Medium, resource: Resource.Ref) -> str | None:
    """The media type of a file whose word does not say it; None where it need not be said."""
    kind = type(content)
    if _notes(resource).get("$own") or (isinstance(content, Content.Video) and is_film(resource.uri)):
        return None
    told = media_type_of_url(resource.uri)
    return told if told is not None and kind_of(told, "") is kind else _USUAL[kind]


def _details(content: Medium) -> Iterator[Loss]:
    """What a medium has besides itself, and a part has not."""
    match content:
        case Content.Image(detail=detail) if detail is not None:
            yield dropped("the detail", detail.value, "an image has no detail", weight=Weight.DETAIL, path=".detail")
        case Content.Audio(transcript=transcript) if transcript is not None:
            reason = "audio has no transcript"
            yield dropped("the transcript", transcript, reason, weight=Weight.DETAIL, path=".transcript")
        case Content.PDF(name=name) | Content.File(name=name) if name is not None and not _notes(content.resource).get("$named"):
            yield dropped("the name", name, "a document has no name", weight=Weight.DETAIL, path=".name")
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return
        case _:
            assert_never(content)


def _notes(resource: Resource.T) -> dict[str, Any]:
    return {} if resource.extras is NO_EXTRAS else resource.extras.of(NAME)
