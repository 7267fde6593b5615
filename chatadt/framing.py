"""How the events of a dialect stand on the wire: a row of data for each dialect, and the bytes of a stream that is framed so.

`DIALECTS[name].framing` is the framing of the provider's server, which its official client expects. Sources: those clients, and
the providers' pages on streaming.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Final, Protocol, assert_never, final

from attrs import field, frozen

from chatadt import aws_events, ndjson, sse
from chatadt._closing import async_closing, closing
from chatadt._sum import Named
from chatadt.json import dump

__all__ = ("AWS", "LINES", "NAMED", "NAMELESS", "Carrier", "Framing", "Hearer")


class Carrier(Named):
    """What carries events: the value is the media type of a body of them."""

    SERVER_SENT = "text/event-stream"
    LINES = "application/x-ndjson"
    AWS = "application/vnd.amazon.eventstream"


class Hearer(Protocol):
    """Hears the events of one stream, and knows whether the message that they say has come to its end."""

    def hear(self, event: Any) -> None:
        """Hear the next event."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it ended: that it broke off, or failed, is no end."""
        ...


@final
@frozen
class Framing:
    """How events stand on the wire. `has_names`: server-sent events have names. `terminator` is the data of what follows the last
    event, None where nothing does. It is said only where the message has ended, which `hearer` knows: a stream that breaks off,
    or that an error ends, goes without it.
    """

    carrier: Carrier
    has_names: bool = False
    terminator: str | None = None
    hearer: Callable[[], Hearer] | None = field(default=None, repr=False)

    @property
    def media_type(self) -> str:
        """The Content-Type of a response whose body is such a stream."""
        return self.carrier.value

    def encode(self, events: Iterable[Any]) -> Iterator[bytes]:
        """The bytes of events as `write_stream` gives them, and of the terminator where there is one and the message has ended."""
        encoder = _Encoder(self)
        with closing(events):
            for event in events:
                yield encoder.bytes_of(event)
        yield from encoder.end()

    async def async_encode(self, events: AsyncIterable[Any]) -> AsyncIterator[bytes]:
        """The same of asynchronous events."""
        encoder = _Encoder(self)
        async with async_closing(events):
            async for event in events:
                yield encoder.bytes_of(event)
        for piece in encoder.end():
            yield piece

    def events(self, chunks: Iterable[bytes], unfinished: list[str] | None = None) -> Iterator[Any]:
        """The events of a stream of bytes as `read_stream` takes them. Whatever comes, nothing raises but for want of botocore.

        What the end of the stream cuts off is added to `unfinished`, if a list is given; but a line that it cuts off is a text.
        """
        match self.carrier:
            case Carrier.SERVER_SENT:
                return sse.events(chunks, unfinished)
            case Carrier.LINES:
                return ndjson.events(chunks)
            case Carrier.AWS:
                return aws_events.events(chunks, unfinished)
            case _:
                assert_never(self.carrier)

    def async_events(self, chunks: AsyncIterable[bytes], unfinished: list[str] | None = None) -> AsyncIterator[Any]:
        """The same of an asynchronous stream of bytes."""
        match self.carrier:
            case Carrier.SERVER_SENT:
                return sse.async_events(chunks, unfinished)
            case Carrier.LINES:
                return ndjson.async_events(chunks)
            case Carrier.AWS:
                return aws_events.async_events(chunks, unfinished)
            case _:
                assert_never(self.carrier)


@final
class _Encoder:
    """A stream whose events become bytes."""

    __slots__ = ("_framing", "_hearer")

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._hearer = None if framing.hearer is None else framing.hearer()

    def bytes_of(self, event: Any) -> bytes:
        if self._hearer is not None:
            self._hearer.hear(event)
        match self._framing.carrier:
            case Carrier.SERVER_SENT if self._framing.has_names:
                return b"".join(sse.encode((event,)))
            case Carrier.SERVER_SENT:
                return sse.frame(dump(event))
            case Carrier.LINES:
                return b"".join(ndjson.encode((event,)))
            case Carrier.AWS:
                return b"".join(aws_events.encode((event,)))
            case _:
                assert_never(self._framing.carrier)

    def end(self) -> Iterator[bytes]:
        mark = self._framing.terminator
        if mark is not None and (self._hearer is None or self._hearer.is_over):
            yield sse.frame(mark)


NAMELESS: Final = Framing(Carrier.SERVER_SENT)
"""Server-sent events without names: nothing follows the last one."""
NAMED: Final = Framing(Carrier.SERVER_SENT, has_names=True)
"""Server-sent events with names: nothing follows the last one."""
LINES: Final = Framing(Carrier.LINES)
"""A line of JSON for each event."""
AWS: Final = Framing(Carrier.AWS)
"""AWS event streams."""
