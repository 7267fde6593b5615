"""AWS event streams: bytes into events, and events into bytes, over plain iterables.

This is the binary framing of Bedrock's ConverseStream and InvokeModelWithResponseStream (application/vnd.amazon.eventstream): a
prelude of two lengths and their CRC32, headers, a payload, and the CRC32 of all before. botocore reads the frames, and is loaded
when a `Parser` is made: install the extra `bedrock`. Nothing is needed to write them.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from importlib import import_module
from struct import pack, unpack
from typing import Any, Final, final
from zlib import crc32

from chatadt._closing import async_closing, closing
from chatadt.json import dump, parse

__all__ = ("Parser", "async_events", "encode", "events", "frame", "is_framed", "is_named")

_PRELUDE: Final = 12
_SMALLEST: Final = 16
"""The bytes of a frame without headers and payload."""
_STRING: Final = 7
"""The type of a header that is a string; all headers of these services are."""
_CHUNK: Final = "chunk"
"""The name of an event of InvokeModel, whose payload holds the model's own event as base64."""
_PADDING: Final = "p"


def is_framed(head: bytes) -> bool:
    """Whether bytes begin with the prelude of a frame."""
    if len(head) < _PRELUDE:
        return False
    total, headers, checksum = unpack(">III", head[:_PRELUDE])
    return bool(crc32(head[:8]) == checksum and total >= headers + _SMALLEST)


@final
class Parser:
    """Takes bytes as they come, cut anywhere, and gives the events that are complete, in the form in which boto3 has them.

    An exception in the stream is an event under its name. Bytes that are no frames are such an event as well, `eventStreamError`,
    and the last one, for nobody knows where another frame would begin. Raises ImportError where botocore is not installed.
    """

    __slots__ = ("_buffer", "_held", "_is_broken", "_rest", "_wanted")

    def __init__(self) -> None:
        self._buffer = _botocore().EventStreamBuffer()
        self._held: list[bytes] = []  # of a prelude, or of the rest of a frame
        self._wanted = _PRELUDE  # the bytes that it still lacks
        self._is_broken = False
        self._rest = 0  # bytes of a frame that is not complete

    def feed(self, data: bytes) -> Iterator[Any]:
        """The events that these bytes complete. A frame that the end of the stream cuts off is no event."""
        start = 0
        while start < len(data) and not self._is_broken:
            piece = data[start : start + self._wanted]
            start += len(piece)
            self._wanted -= len(piece)
            self._rest += len(piece)
            self._held.append(piece)
            if not self._wanted:
                yield from self._complete()

    @property
    def unfinished(self) -> str:
        """What came of a frame that is not complete, in words; nothing where there is none. After the last bytes it is lost."""
        return f"{self._rest} bytes of a frame" if self._rest and not self._is_broken else ""

    def _complete(self) -> Iterator[Any]:
        """Give botocore a whole prelude, or all that it lacks of a frame: it copies what it holds whenever it is given more."""
        whole = b"".join(self._held)
        self._held = []
        try:
            self._buffer.add_data(whole)
            message = next(self._buffer, None)
            if message is None:  # that was the prelude, and it is sound
                self._wanted = int.from_bytes(whole[:4], "big") - _PRELUDE
                return
            if message.prelude.total_length < _SMALLEST:
                raise ValueError(f"a frame of {message.prelude.total_length} bytes")
            self._wanted, self._rest = _PRELUDE, 0
            yield _event(message.headers, bytes(message.payload))
        except Exception as error:  # botocore has no one class for what it raises of broken bytes
            self._is_broken = True
            yield {"_message_type": "error", "eventStreamError": {"message": f"the bytes are no event stream: {error}"}}


def _botocore() -> Any:
    try:
        return import_module("botocore.eventstream")
    except ImportError as error:
        raise ImportError("AWS event streams are read by botocore: install it, or the extra chatadt[bedrock]") from error


def _event(headers: Mapping[str, Any], payload: bytes) -> Any:
    """The event of a frame: its payload under its name, without padding."""
    kind = headers.get(":message-type", "event")
    if kind == "error":
        name = str(headers.get(":error-code", "error"))
        return {"_message_type": "error", name: {"message": str(headers.get(":error-message", name))}}
    value = _payload(payload)
    if kind == "exception":
        return {"_message_type": "exception", str(headers.get(":exception-type", "exception")): value}
    name = str(headers.get(":event-type", "event"))
    match name, value:
        case "chunk", {"bytes": str() as inner}:  # of InvokeModel
            try:
                return _payload(b64decode(inner, validate=True))
            except ValueError:
                return {name: value}
        case _, {"p": str(), **said}:
            return {name: said}
        case _:
            return {name: value}


def _payload(data: bytes) -> Any:
    """The JSON of a payload, or the text that it is where it is none."""
    try:
        return parse(data)
    except ValueError:
        return data.decode("utf-8", "replace")


def events(chunks: Iterable[bytes], unfinished: list[str] | None = None) -> Iterator[Any]:
    """The events of a stream of bytes as `read_stream` takes them. Whatever comes, nothing raises but for want of botocore.

    A frame that the end of the stream cuts off is no event; how much came of it is added to `unfinished`, if a list is given.
    """
    parser = Parser()
    with closing(chunks):
        for chunk in chunks:
            yield from parser.feed(chunk)
    _tell(parser, unfinished)


async def async_events(chunks: AsyncIterable[bytes], unfinished: list[str] | None = None) -> AsyncIterator[Any]:
    """The same of an asynchronous stream of bytes."""
    parser = Parser()
    async with async_closing(chunks):
        async for chunk in chunks:
            for event in parser.feed(chunk):
                yield event
    _tell(parser, unfinished)


def _tell(parser: Parser, unfinished: list[str] | None) -> None:
    if unfinished is not None and parser.unfinished:
        unfinished.append(parser.unfinished)


# --- writing -------------------------------------------------------------------------------------------------------------------


def frame(payload: bytes, headers: Mapping[str, str]) -> bytes:
    """One frame. ValueError for a header whose name has more than 255 bytes, or whose value has more than 65,535."""
    told = b"".join(_header(name, value) for name, value in headers.items())
    prelude = pack(">II", _SMALLEST + len(told) + len(payload), len(told))
    whole = prelude + pack(">I", crc32(prelude)) + told + payload
    return whole + pack(">I", crc32(whole))


def _header(name: str, value: str) -> bytes:
    key, said = name.encode(), value.encode("utf-8", "replace")
    if len(key) > 0xFF or len(said) > 0xFFFF:
        raise ValueError(f"expected a header of at most 255 bytes and a value of at most 65535, got {len(key)} and {len(said)}")
    return pack(">B", len(key)) + key + pack(">BH", _STRING, len(said)) + said


def encode(stream: Iterable[Any], *, invoke: bool = False) -> Iterator[bytes]:
    """The frames of events as `write_stream` of Bedrock gives them; with `invoke` those of InvokeModel, for events of any model.

    An event that is no object with one short key has no name, and is framed as InvokeModel does.
    """
    with closing(stream):
        for event in stream:
            yield _framed(event, invoke)


def _framed(event: Any, invoke: bool) -> bytes:
    kind, name, value = ("event", "", None) if invoke else _parted(event)
    if name:
        return frame(_bytes(value), {f":{kind}-type": name, ":content-type": "application/json", ":message-type": kind})
    chunk = {"bytes": b64encode(_bytes(event)).decode()}
    return frame(_bytes(chunk), {":event-type": _CHUNK, ":content-type": "application/json", ":message-type": "event"})


def is_named(event: Any) -> bool:
    """Whether an event has the form of those that boto3 gives: one key, which is its name."""
    return bool(_parted(event)[1])


def _parted(event: Any) -> tuple[str, str, Any]:
    """Of an event whether it is an exception, its name, and what it says; no name where it has none."""
    said: Any = event
    is_marked = False
    match event:
        case {"_message_type": "exception" | "error", **rest}:
            said, is_marked = rest, True
        case _:
            pass  # an event, or an exception that its name tells
    if said.__class__ is not dict or len(said) != 1:
        return "event", "", None
    name, value = next(iter(said.items()))
    if name.__class__ is not str or len(name) > _LONGEST_NAME:
        return "event", "", None
    return "exception" if is_marked or name.endswith("Exception") else "event", name, value


_LONGEST_NAME: Final = 0xFF


def _bytes(value: Any) -> bytes:
    return dump(value).encode("utf-8", "surrogatepass")
