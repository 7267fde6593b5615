"""A medium by reference or by value.

Data URLs follow RFC 2397, base64 RFC 4648 (standard alphabet, padded), media types RFC 6838.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias, cast, final
from urllib.parse import unquote, unquote_to_bytes

from attrs import field, frozen

from chatadt._sum import Sum, terse
from chatadt.json import NO_EXTRAS, Extras, to_extras

__all__ = ("Resource", "check_base64", "sniff", "sniff_base64")

_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?=\S)")
_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

MAGIC: Final[tuple[tuple[int, bytes, str], ...]] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftypheix", "image/heic"),
    (4, b"ftypmif1", "image/heif"),
    (0, b"%PDF-", "application/pdf"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AIFF", "audio/aiff"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"\xff\xf1", "audio/aac"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"\x00\x00\x01\xba", "video/mpeg"),
)
"""Offset, bytes and media type of the formats that providers accept; the first that fits is taken."""


def sniff(content: bytes) -> str | None:
    """The media type that the first bytes of `content` show, or None when they show none that a provider accepts."""
    for at, magic, kind in MAGIC:
        if content.startswith(magic, at):
            return kind
    return None


def sniff_base64(content: str) -> str | None:
    """As `sniff`, of bytes that stand as base64."""
    return sniff(b64decode(content[:64]))


def check_base64(text: str) -> str:
    """Return `text` when it is padded standard base64; else raise ValueError that says where it is not. Nothing is decoded."""
    if not text.isascii():
        raise ValueError(f"base64 is ASCII, got {_first_outside(text)}")
    if len(text) % 4:
        raise ValueError(f"base64 comes in groups of 4 characters, got {len(text)}: cut off, or without its padding")
    body = text.encode()
    padding = 2 if body.endswith(b"==") else 1 if body.endswith(b"=") else 0
    if len(body.translate(None, _ALPHABET)) != padding:
        raise ValueError(f"base64 has letters, digits, + and / (and = at its end), got {_first_outside(text)}")
    return text


def _first_outside(text: str) -> str:
    body = text.rstrip("=")
    at = next((at for at, character in enumerate(body) if character.encode("utf-8", "replace") not in _ALPHABET), len(body))
    return f"{text[at]!r} at character {at}"


def _base64(value: str | bytes) -> str:
    if isinstance(value, str):
        return check_base64(value)
    if isinstance(cast("object", value), bytes):
        return b64encode(value).decode()
    raise TypeError(f"the content of Resource.Binary is base64 text, or bytes to be encoded, got {value!r}")


def _uri(value: str) -> str:
    if not isinstance(cast("object", value), str):
        raise TypeError(f"the uri of Resource.Ref is a string, got {value!r}")
    if not value or value.isspace():
        raise ValueError("the uri of Resource.Ref is blank: give a URL (http, data, gs, s3) or the urn of a provider's file")
    return value


def _mime_type(value: str | None) -> str | None:
    if value is None:
        return None
    if not isinstance(cast("object", value), str):
        raise TypeError(f"a MIME type is a string, got {value!r}")
    if not value or value.isspace():
        raise ValueError("the MIME type is empty: give one such as 'image/png', or None when it is not known")
    return value


@final
class Resource(metaclass=Sum):
    """A medium by reference or by value; `Resource.T` is the closed union of the two."""

    @final
    @frozen(repr=False)
    class Ref:
        """A medium that lives elsewhere: an http, data, gs or s3 URL, or the urn of a file that a provider keeps."""

        uri: str = field(converter=_uri)
        mime_type: str | None = field(default=None, converter=_mime_type)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Binary:
        """A medium by value: base64 text as it came, checked once. Bytes given to the constructor are encoded."""

        content: str = field(converter=_base64)
        mime_type: str | None = field(default=None, converter=_mime_type)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

        @staticmethod
        def trusted(content: str, mime_type: str | None, extras: Extras) -> Resource.Binary:
            """The medium of fields that are known to be right: base64 that has been checked, a MIME type that is not blank."""
            self = object.__new__(Resource.Binary)
            _set_content(self, content)
            _set_mime_type(self, mime_type)
            _set_extras(self, extras)
            return self

        @property
        def bytes(self) -> bytes:
            """The medium itself, decoded on each call."""
            return b64decode(self.content)

    T: TypeAlias = Ref | Binary

    @staticmethod
    def of(
        source: bytes | str | Path, mime_type: str | None = None, *, read: Callable[[Path], bytes] = Path.read_bytes
    ) -> Resource.T:
        """The resource of some bytes, of a data URL, of an http(s), gs, s3 or urn reference, or of a file.

        Bytes and files become `Binary`, their media type sniffed unless given; a data URL becomes `Binary`; any other URL `Ref`.
        A file's bytes come through `read`, the only step outside this pure module; its OSError is the caller's.
        Raises ValueError for a string that is none of these, or for broken base64.
        """
        if isinstance(source, str):
            return _of_text(source, mime_type)
        if not isinstance(cast("object", source), bytes | Path):
            raise TypeError(f"a resource is made of bytes, a URL or a pathlib.Path, got {source!r}")
        content = read(source) if isinstance(source, Path) else source
        return Resource.Binary(content, mime_type or sniff(content))


_set_content: Final = cast("Any", Resource.Binary).content.__set__
_set_mime_type: Final = cast("Any", Resource.Binary).mime_type.__set__
_set_extras: Final = cast("Any", Resource.Binary).extras.__set__


def _of_text(source: str, mime_type: str | None) -> Resource.T:
    found = _URL.match(source)
    if found is None or (found["scheme"].lower() != "data" and any(map(str.isspace, source))):
        raise ValueError(
            f"expected a URL (data:, http:, https:, gs:, s3:, urn:), got {source[:60]!r}: for a file give a pathlib.Path"
        )
    if found["scheme"].lower() != "data":
        return Resource.Ref(source, mime_type)
    rest = source[found.end() :]
    header, comma, content = rest.partition(",")
    if not comma:
        raise ValueError(f"expected a data URL with a comma before its content, got {source[:60]!r} (RFC 2397)")
    is_base64 = header.lower().endswith(";base64")
    kind = mime_type or (header[: -len(";base64")] if is_base64 else header) or None
    if is_base64:
        return Resource.Binary(unquote(content) if "%" in content else content, kind)
    return Resource.Binary(unquote_to_bytes(content), kind)
