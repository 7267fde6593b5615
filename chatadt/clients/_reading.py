"""What came back, as it is read: a whole body, the events of a stream, and whether a stream begins to answer at all."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Any, TypeAlias, assert_never, final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt._closing import async_closing, closing
from chatadt.chat import ChatResponse
from chatadt.clients._faults import error_of, error_of_answer, fault_of_body, unreadable
from chatadt.clients.error import ChatError
from chatadt.delta import Delta
from chatadt.dialects._dialect import Dialect
from chatadt.error import ConversionError
from chatadt.fold import deltas_of
from chatadt.json import parse
from chatadt.result import closed

__all__ = ("AsyncFramed", "Beginning", "Framed", "Whole", "async_framed", "framed", "parsed", "read_answer")

Framed: TypeAlias = "Callable[[Iterable[bytes]], Iterator[Any]]"
"""What finds the events in a body."""

AsyncFramed: TypeAlias = "Callable[[AsyncIterable[bytes]], AsyncIterator[Any]]"
"""The asynchronous twin of `Framed`."""


def parsed(body: bytes | str) -> object:
    """A body, parsed where it is JSON; else the text that it is."""
    try:
        return parse(body)
    except ValueError:
        return body if isinstance(body, str) else body.decode("utf-8", "replace")


def read_answer(dialect: Dialect, answer: object) -> Result[ChatResponse, ChatError.T]:
    """The answer that a body is; a Failure where it is an error, or none."""
    if dialect.read_response is None:
        raise TypeError(f"the dialect {dialect.name} reads no answers")
    if answer.__class__ is not dict:
        return Failure(unreadable(dialect.name, answer))
    match closed(dialect.read_response(answer)):
        case Success(response):
            return Success(response)
        case Failure(ConversionError.Refused() as refused):
            return Failure(error_of(fault_of_body(dialect.name, refused.error, answer)))
        case Failure(error):
            return Failure(ChatError.Unreadable(error))


# --- bodies of streams ---------------------------------------------------------------------------------------------------------


@final
@frozen
class Whole:
    """The last of the events of a body that holds none: the body. Some servers, and what stands before them, answer so."""

    body: object


def framed(find: Framed, chunks: Iterable[bytes]) -> Iterator[object]:
    """The events of a body. Of one in which no object is found, what was found instead, and then the body."""
    heard: list[bytes] = []
    is_silent = True

    def listening() -> Iterator[bytes]:
        with closing(chunks):
            for chunk in chunks:
                if is_silent:
                    heard.append(chunk)
                yield chunk

    with closing(find(listening())) as events:
        for event in events:
            if is_silent and event.__class__ is dict:
                is_silent = False
                heard.clear()
            yield event
    if is_silent:
        yield Whole(parsed(b"".join(heard)))


async def async_framed(find: AsyncFramed, chunks: AsyncIterable[bytes]) -> AsyncIterator[object]:
    """The asynchronous twin of `framed`."""
    heard: list[bytes] = []
    is_silent = True

    async def listening() -> AsyncIterator[bytes]:
        async with async_closing(chunks):
            async for chunk in chunks:
                if is_silent:
                    heard.append(chunk)
                yield chunk

    async with async_closing(find(listening())) as events:
        async for event in events:
            if is_silent and event.__class__ is dict:
                is_silent = False
                heard.clear()
            yield event
    if is_silent:
        yield Whole(parsed(b"".join(heard)))


# --- beginnings ----------------------------------------------------------------------------------------------------------------


@final
class Beginning:
    """A stream as far as it must be heard to know whether it answers: until an event that is an object says something."""

    def __init__(self, dialect: Dialect) -> None:
        if dialect.read_stream is None:
            raise TypeError(f"the dialect {dialect.name} reads no streams")
        self.step, self.end = dialect.read_stream.begin()
        self.is_over = False
        """Whether there is nothing more to hear."""
        self._dialect = dialect
        self._first: list[Delta.T] = []
        self._whole: Whole | None = None

    def hear(self, event: object) -> bool:
        """Hear the next event: whether that is enough."""
        if isinstance(event, Whole):
            self._whole, self.is_over = event, True
            return True
        said = tuple(self.step(event))
        self._first += said
        return bool(said) and event.__class__ is dict

    def hear_end(self) -> None:
        """Hear that no event follows, where none has been enough."""
        if not self.is_over:
            self._first += self.end()
            self.is_over = True

    def outcome(self) -> Result[tuple[Delta.T, ...], ChatError.T]:
        """The deltas so far; or why there is no answer, where that is all that was said."""
        if self._whole is not None:
            return read_answer(self._dialect, self._whole.body).map(lambda answer: tuple(deltas_of(answer)))
        failed = next((delta.error for delta in self._first if isinstance(delta, Delta.Failed)), None)
        if failed is not None and not any(_answers(delta) for delta in self._first):
            return Failure(error_of_answer(self._dialect.name, failed))
        strange = [delta.value.value for delta in self._first if isinstance(delta, Delta.Custom)]
        if self.is_over and len(strange) == len(self._first):
            return Failure(unreadable(self._dialect.name, strange))
        return Success(tuple(self._first))


def _answers(delta: Delta.T) -> bool:
    """Whether a delta holds something of a message."""
    match delta:
        case Delta.Text(text=text) | Delta.Reasoning(text=text) | Delta.Refusal(text=text):
            return bool(text)
        case Delta.ToolRequest() | Delta.Block():
            return True
        case Delta.BlockExtras() | Delta.Speaker() | Delta.Answer() | Delta.Tokens():
            return False
        case Delta.Start() | Delta.Stop() | Delta.Failed() | Delta.Custom():
            return False
        case _:
            assert_never(delta)
