"""What dialects share about media: data URLs, media types, and files that a provider keeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeGuard, assert_never
from urllib.parse import quote, unquote

from attrs import evolve

from chatadt._wire import leftover, string
from chatadt.dialects._losses import invented, rewritten
from chatadt.dialects._spelling import text_of
from chatadt.error import Problem, Unexpected
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss
from chatadt.resource import Resource, check_base64, sniff_base64

__all__ = (
    "MEDIA_TYPE_ALIASES",
    "data_url",
    "file_id",
    "file_reference",
    "has_words",
    "image_of_url",
    "is_web",
    "locator",
    "media_type",
    "mistyped",
    "no_name",
    "resource_of_url",
)

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


_WEB: Final = ("http://", "https://")


def resource_of_url(dialect: str) -> Callable[[Any], Resource.T]:
    """A reader of a URL as a resource: a base64 data URL by value, anything else by reference.

    An address that is not of the web is noted as the dialect's own: no other provider would know what to do with it.
    """

    def read(value: Any) -> Resource.T:
        """Read a URL as a resource."""
        url = string(value)
        if url[:5].lower() == "data:":
            end = url.find(";base64,")
            if end > 0:
                header, content = url[5:end], url[end + 8 :]
                kind = header.partition(";")[0]
                # parameters of the media type are rare: the header is noted where the media type does not say it all
                notes = {} if kind == header and kind and not kind.isspace() else {"$header": header}
                notes |= {} if url.startswith("data:") else {"$scheme": url[:5]}
                extras = leftover({}, dialect, notes) if notes else NO_EXTRAS
                return _by_value(content, kind if kind and not kind.isspace() else None, extras)
        if not url or url.isspace():
            raise Unexpected.of("a URL", url)
        return Resource.Ref(url, extras=NO_EXTRAS if is_web(url) else leftover({}, dialect, {"$own": True}))

    return read


_SHORT_HEADER: Final = 40


def _by_value(content: str, kind: str | None, extras: Extras) -> Resource.Binary:
    try:
        return Resource.Binary.trusted(check_base64(content), kind, extras)
    except ValueError as error:
        raise Unexpected(Problem("", "base64", str(error))) from None


def image_of_url(dialect: str, taken: frozenset[str]) -> Callable[[Any], Resource.T]:
    """A reader of the URL of an image: as `resource_of_url`, and what is by value and of no type that is taken is noted as well."""
    read = resource_of_url(dialect)

    def read_image(value: Any) -> Resource.T:
        if value.__class__ is str and value.startswith("data:"):  # nearly all by value have a header of a type that is taken alone
            end = value.find(";base64,", 0, _SHORT_HEADER)
            if end > 0 and value[5:end] in taken:
                return _by_value(value[end + 8 :], value[5:end], NO_EXTRAS)
        resource = read(value)
        kind = resource.mime_type
        if kind is None or kind in taken or isinstance(resource, Resource.Ref) or media_type(resource) in taken:
            return resource
        return evolve(resource, extras=leftover({}, dialect, {**resource.extras.of(dialect), "$own": True}))

    return read_image


def mistyped(resource: Resource.Binary, taken: frozenset[str], dialect: str) -> str | None:
    """Why an image is not taken by value because of its type, which `dialect` did not say itself; None where it is."""
    kind = media_type(resource)
    if kind in taken or (resource.extras is not NO_EXTRAS and _is_own(resource.extras.of(dialect), kind)):
        return None
    return f"an image is {', '.join(sorted(taken))}, not {kind or 'of an unknown format'}"


def _is_own(notes: Mapping[str, Any], kind: str | None) -> bool:
    """Whether a dialect noted that it gave an image in a type that is not taken, or in none."""
    return bool(notes.get("$own")) or (kind is None and "$header" in notes)


def no_name(name: str | None) -> Loss:
    """The loss of a name that was made up for a file by value which has none, or a blank one."""
    reason = "a file by value needs a name"
    return invented("a file name", reason, path=".name") if name is None else rewritten("a file name", name, reason, path=".name")


def has_words(transcript: str | None) -> TypeGuard[str]:
    """Whether a transcript can stand for what it is of: a blank one says nothing, and blank text is refused by some."""
    return transcript is not None and bool(transcript) and not transcript.isspace()


def is_web(url: str) -> bool:
    """Whether an address is one that any provider can fetch from."""
    return url.lower().startswith(_WEB)


def media_type(resource: Resource.Binary) -> str | None:
    """The registered media type of a medium: its own, or the one that its first bytes show."""
    if resource.mime_type is not None:
        plain = resource.mime_type.partition(";")[0].strip().lower()
        return MEDIA_TYPE_ALIASES.get(plain, plain)
    return sniff_base64(resource.content)


def data_url(resource: Resource.Binary, dialect: str) -> str:
    """The data URL of a medium; its header as `dialect` read it, if it did."""
    header = resource.mime_type or sniff_base64(resource.content) or ""
    scheme = "data:"
    if resource.extras is not NO_EXTRAS:
        own = resource.extras.of(dialect)
        noted, spelt = text_of(own, "$header"), text_of(own, "$scheme")
        if noted is not None and noted.partition(";")[0].strip() == (resource.mime_type or "").strip():
            header = noted
        scheme = spelt if spelt is not None and spelt.lower() == scheme else scheme
    return f"{scheme}{header};base64,{resource.content}"


_FILE: Final = re.compile(r"urn:chatadt:([a-z]+):file:(.+)", re.DOTALL)


def file_reference(vendor: str, id: str) -> str:
    """The urn that stands for a file which `vendor` keeps under `id`."""
    return f"urn:chatadt:{vendor}:file:{quote(id, safe='', errors='surrogatepass')}"


def file_id(resource: Resource.T, vendor: str) -> str | None:
    """The id under which `vendor` keeps the resource, or None when it is not one of its files."""
    if isinstance(resource, Resource.Ref) and (found := _FILE.fullmatch(resource.uri)) and found[1] == vendor:
        return unquote(found[2], errors="surrogatepass")
    return None


def locator(resource: Resource.T) -> str:
    """The medium as one string: its base64, or its URI."""
    match resource:
        case Resource.Ref(uri=uri):
            return uri
        case Resource.Binary(content=content):
            return content
        case _:
            assert_never(resource)
