"""Media moved out of a history into a store, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final, assert_never, cast, final

from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from chatadt._sum import terse
from chatadt.content import Content
from chatadt.history import History
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.transforms._contents import map_contents
from chatadt.transforms._exchanges import Transform

__all__ = ("Missing", "address_of", "externalise", "inline")

_ADDRESS: Final = "urn:chatadt:sha256:"
_LAST: Final = {0: re.compile(""), 1: re.compile(r"[AEIMQUYcgkosw048]=\Z"), 2: re.compile(r"[AQgw]==\Z")}
"""By padding: how base64 ends as every encoder writes it (RFC 4648, section 3.5)."""


def address_of(content: bytes) -> str:
    """The address of some bytes: a urn that holds their SHA-256."""
    return _ADDRESS + sha256(content).hexdigest()


def externalise(put: Callable[[str, bytes], object], *, least: int = 0) -> Transform:
    """Move the media that a history holds by value into a store, and leave a reference to each by its address (`address_of`).

    `put` is called once for each medium with its address and its bytes; `dict.__setitem__` will do, and what it raises is yours.
    Media of less than `least` bytes stay. So does base64 that no encoder writes, because it would not come back as it was, and what
    only a dialect knows. `inline` takes all of it back.
    """

    def externalised(history: History) -> History:
        known: set[str] = set()

        def outside(resource: Resource.T) -> Resource.T:
            match resource:
                case Resource.Ref():
                    return resource
                case Resource.Binary(content=text):
                    padding = text[-2:].count("=")
                    if len(text) // 4 * 3 - padding < least or not _LAST[padding].search(text):
                        return resource
                    content = resource.bytes
                    address = address_of(content)
                    if address not in known:
                        put(address, content)
                        known.add(address)
                    return Resource.Ref(address, resource.mime_type, resource.extras)
                case _:
                    assert_never(resource)

        return _with_resources(outside)(history)

    return externalised


@final
@frozen(repr=False)
class Missing:
    """References that the store does not have, or for which it gave other bytes than were put there: by path, their addresses."""

    absent: tuple[tuple[str, str], ...]
    altered: tuple[tuple[str, str], ...]
    __repr__ = terse

    def __str__(self) -> str:
        lines = [
            *(f"expected the bytes of {uri}, got nothing from the store at {path}" for path, uri in self.absent),
            *(
                f"expected the bytes of {uri}, got others from the store (their hash differs) at {path}"
                for path, uri in self.altered
            ),
        ]
        return "\n".join(lines)


def inline(get: Callable[[str], bytes | None]) -> Callable[[History], Result[History, Missing]]:
    """Take the media that `externalise` moved out back from the store; other references stay.

    `get` is called once for each address and answers its bytes, None where it has none; `dict.get` will do. The failure, `Missing`,
    names every reference that cannot be taken back.
    """

    def inlined(history: History) -> Result[History, Missing]:
        wanted = [(path, uri) for path, uri in _references(history) if uri.startswith(_ADDRESS)]
        found = {uri: get(uri) for uri in dict.fromkeys(uri for _, uri in wanted)}
        absent = tuple((path, uri) for path, uri in wanted if found[uri] is None)
        altered = tuple((path, uri) for path, uri in wanted if (content := found[uri]) is not None and address_of(content) != uri)
        if absent or altered:
            return Failure(Missing(absent, altered))
        encoded = {uri: Resource.Binary(content) for uri, content in found.items() if content is not None}

        def inside(resource: Resource.T) -> Resource.T:
            match resource:
                case Resource.Binary():
                    return resource
                case Resource.Ref(uri=uri):
                    binary = encoded.get(uri)
                    return resource if binary is None else evolve(binary, mime_type=resource.mime_type, extras=resource.extras)
                case _:
                    assert_never(resource)

        return Success(_with_resources(inside)(history))

    return inlined


def _with_resources(change: Callable[[Resource.T], Resource.T]) -> Transform:
    def changed(content: Content.T) -> Content.T:
        match content:
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                resource = change(content.resource)
                return content if resource is content.resource else cast("Content.T", evolve(content, resource=resource))
            case Content.Text() | Content.Reasoning() | Content.Refusal() | Content.ToolRequest() | Content.Custom():
                return content
            case _:
                assert_never(content)

    return map_contents(changed)


def _references(history: History) -> Iterator[tuple[str, str]]:
    """The path and the address of each medium by reference."""
    for index, message in enumerate(history):
        for place, content in enumerate(() if isinstance(message, Message.Custom) else message.contents):
            match content:
                case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
                    if isinstance(content.resource, Resource.Ref):
                        yield f"$.messages[{index}].contents[{place}].resource", content.resource.uri
                case Content.Text() | Content.Reasoning() | Content.Refusal() | Content.ToolRequest() | Content.Custom():
                    pass
                case _:
                    assert_never(content)
