"""How streams are read and written: a step at a time, over iterables and asynchronous ones alike."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias, cast, final

from attrs import field, frozen

from chatadt._closing import async_closing, closing
from chatadt.chat import StopKind
from chatadt.delta import Delta
from chatadt.loss import Loss

__all__ = ("Event", "Reading", "StreamReader", "StreamWriter", "Writing", "is_end", "text_delta", "unwrapped")

Event: TypeAlias = "dict[str, Any]"
"""One event of a stream as plain JSON: the object that it carries, or its name and that object where events have names."""

Reading: TypeAlias = "tuple[Callable[[object], Iterable[Delta.T]], Callable[[], Iterable[Delta.T]]]"
"""A stream that is being read: what an event says, and what is left to say when there are no more."""

Writing: TypeAlias = "tuple[Callable[[Delta.T], Iterable[Event | Loss]], Callable[[], Iterable[Event | Loss]]]"
"""A stream that is being written: the events of a delta, and those at the end, with what is lost among them."""


@final
@frozen
class StreamReader:
    """Reads a stream lazily: `read(events)` gives deltas, `read.over(events)` does so for an asynchronous iterable.
    Who closes the generator of the deltas closes that of the events as well.

    An event is a decoded JSON object, or `{"event": name, "data": object}`. Whatever comes is answered with deltas; nothing raises.
    `begin` is for programs that get their events one by one: it gives a step and what to call at the end.
    """

    begin: Callable[[], Reading] = field(repr=False)

    def __call__(self, events: Iterable[object]) -> Iterator[Delta.T]:
        """The deltas of a stream, each event's as soon as it is there."""
        step, end = self.begin()
        with closing(events):
            for event in events:
                yield from step(event)
        yield from end()

    async def over(self, events: AsyncIterable[object]) -> AsyncIterator[Delta.T]:
        """The deltas of an asynchronous stream."""
        step, end = self.begin()
        async with async_closing(events):
            async for event in events:
                for delta in step(event):
                    yield delta
        for delta in end():
            yield delta


@final
@frozen
class StreamWriter:
    """Writes a stream lazily: `write(deltas)` gives events, `write.over(deltas)` does so for an asynchronous iterable.
    Who closes the generator of the events closes that of the deltas as well.

    What the dialect cannot say is added to `losses`, if a list is given, at its path in the answer that the stream folds to.
    """

    begin: Callable[[], Writing] = field(repr=False)

    def __call__(self, deltas: Iterable[Delta.T], losses: list[Loss] | None = None) -> Iterator[Event]:
        """The events of a stream, each delta's as soon as it can be said."""
        step, end = self.begin()
        with closing(deltas):
            for delta in deltas:
                for item in step(delta):
                    if not isinstance(item, Loss):
                        yield item
                    elif losses is not None:
                        losses.append(item)
        yield from _events(end(), losses)

    async def over(self, deltas: AsyncIterable[Delta.T], losses: list[Loss] | None = None) -> AsyncIterator[Event]:
        """The events of an asynchronous stream."""
        step, end = self.begin()
        async with async_closing(deltas):
            async for delta in deltas:
                for event in _events(step(delta), losses):
                    yield event
        for event in _events(end(), losses):
            yield event


def _events(written: Iterable[Event | Loss], losses: list[Loss] | None) -> Iterator[Event]:
    for item in written:
        if not isinstance(item, Loss):
            yield item
        elif losses is not None:
            losses.append(item)


_new: Final = object.__new__
_TEXT: Final = cast("Any", Delta.Text)
_set_index: Final = _TEXT.index.__set__
_set_text: Final = _TEXT.text.__set__
_set_choice: Final = _TEXT.choice.__set__


def text_delta(index: int, text: str) -> Delta.Text:
    """A piece of a text of the first choice, of values that are known to be right: the checks are left out."""
    delta = _new(Delta.Text)
    _set_index(delta, index)
    _set_text(delta, text)
    _set_choice(delta, 0)
    return delta


def is_end(stop: Delta.Stop) -> bool:
    """Whether a delta says that a message ended; one that it was interrupted says no more than that it has no end."""
    return stop.reason is None or stop.reason.kind is not StopKind.INTERRUPTED or stop.reason.raw is not None


_NAMED: Final = frozenset({"event", "data"})


def unwrapped(event: object) -> object:
    """The object that an event carries, without its name."""
    if event.__class__ is dict and cast("Event", event).keys() == _NAMED:
        return cast("Event", event)["data"]
    return event
