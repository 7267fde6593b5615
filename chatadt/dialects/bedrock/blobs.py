"""Media as bytes, which the SDK wants (boto3), and as base64, which stands in JSON: the same body either way.

Only what the service model calls a blob is touched: arguments, schemas and results that look like one stay as they are. A body is a
request, an answer, or one event of a stream.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

__all__ = ("as_base64", "has_bytes", "joined_base64", "with_base64", "with_bytes")

Change: TypeAlias = "Callable[[Any], Any]"

_PLACES: Final = (
    *((kind, "source", "bytes") for kind in ("image", "document", "video", "audio")),
    ("guardContent", "image", "source", "bytes"),
    ("reasoningContent", "redactedContent"),
)
"""Where in a block, or in a piece of one, a blob stands."""


def with_bytes(body: dict[str, Any]) -> dict[str, Any]:
    """A body as `boto3` takes and gives it: base64 text becomes bytes. The body itself is not changed; what is no base64 stays."""
    return _changed(body, _decoded)


def with_base64(body: dict[str, Any]) -> dict[str, Any]:
    """A body as JSON can say it: bytes become base64 text. The body itself is not changed."""
    return _changed(body, _encoded)


def has_bytes(body: object) -> bool:
    """Whether bytes stand anywhere in a body where they may stand."""
    found: list[bytes] = []

    def look(value: Any) -> Any:
        if value.__class__ is bytes:
            found.append(value)
        return value

    if isinstance(body, dict):
        _changed(cast("dict[str, Any]", body), look)
    return bool(found)


def _decoded(value: Any) -> Any:
    try:
        return b64decode(value, validate=True) if isinstance(value, str) else value
    except (NotBase64, ValueError):
        return value


def _encoded(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value


def _changed(body: dict[str, Any], change: Change) -> dict[str, Any]:
    inside: dict[str, Callable[[Any, Change], Any]] = {"messages": _turn, "system": _block}
    lists = {key: each for key, each in inside.items() if isinstance(body.get(key), list)}
    changed: Any = {**body, **{key: [each(item, change) for item in body[key]] for key, each in lists.items()}}
    changed = _at(changed, _MESSAGE, lambda value: _turn(value, change))
    return cast("dict[str, Any]", _at(changed, _DELTA, lambda value: _block(value, change)))


_MESSAGE: Final = ("output", "message")
_DELTA: Final = ("contentBlockDelta", "delta")


def _turn(message: Any, change: Change) -> Any:
    match message:
        case {"content": [*blocks]}:
            return {**message, "content": [_block(block, change) for block in blocks]}
        case _:
            return message


def _block(block: Any, change: Change) -> Any:
    changed: Any = block
    match block:
        case {"toolResult": {"content": [*blocks]} as result}:
            return {**block, "toolResult": {**result, "content": [_block(inner, change) for inner in blocks]}}
        case {"text": _}:
            return block
        case dict():
            for place in _PLACES:
                changed = _at(changed, place, change)
            return changed
        case _:
            return changed


def _at(value: Any, place: tuple[str, ...], change: Change) -> Any:
    """The value with what stands at `place` changed, if anything does."""
    if not place:
        return change(value)
    key, *rest = place
    if value.__class__ is not dict or key not in value:
        return value
    return {**value, key: _at(value[key], tuple(rest), change)}


def as_base64(value: Any) -> Any:
    """A value with all bytes in it as base64; the value itself where it has none."""
    match value:
        case bytes():
            return b64encode(value).decode()
        case {**items}:
            return {key: as_base64(item) for key, item in items.items()}
        case [*inner]:
            return [*map(as_base64, inner)]
        case _:
            return value


def joined_base64(pieces: Sequence[str]) -> str:
    """The base64 of what the pieces say together; where one of them is none, the pieces as they are."""
    if len(pieces) == 1:
        return pieces[0]
    try:
        return b64encode(b"".join(b64decode(piece, validate=True) for piece in pieces)).decode()
    except ValueError:
        return "".join(pieces)
