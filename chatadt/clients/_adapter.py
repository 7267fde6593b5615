"""What all adapters share: a request is written, sent by an SDK's client, and what comes back is read; what was raised is told."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, TypeAlias, cast, final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients._faults import Catch, Fault, error_of, fault_of_body, provider_error, unreadable
from chatadt.clients._how import How, dialect_of, written
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, AsyncDeltas, AsyncStreamingChat, Chat, Deltas, StreamingChat
from chatadt.delta import Delta
from chatadt.dialects._dialect import Dialect
from chatadt.dialects._stream import Reading
from chatadt.error import ConversionError
from chatadt.json import parse
from chatadt.result import closed

__all__ = ("AsyncOpened", "Body", "Opened", "Provider", "parameters", "parsed", "split")

Body: TypeAlias = "dict[str, Any]"
"""A request as the dialect writes it."""

Opened: TypeAlias = tuple[Iterator[object], Callable[[], None]]
"""A stream that has begun: its events as plain JSON, and what closes its connection."""

AsyncOpened: TypeAlias = tuple[AsyncIterator[object], Callable[[], Awaitable[None]]]
"""The asynchronous twin of `Opened`."""


def parameters(function: Callable[..., object]) -> frozenset[str]:
    """The names of the parameters that a function of an SDK has."""
    return frozenset(inspect.signature(function).parameters)


def split(body: Body, names: frozenset[str]) -> Body:
    """The keyword arguments that send a body: what has none of `names` goes under `extra_body`."""
    others = {key: value for key, value in body.items() if key not in names}
    known = {key: value for key, value in body.items() if key in names}
    return {**known, "extra_body": others} if others else known


def parsed(response: Any) -> object:
    """The body of a response of an HTTP client, as it came: parsed where it is JSON."""
    try:
        return parse(response.content)
    except ValueError:
        return str(response.text)


@final
@frozen
class Provider:
    """A dialect, how requests are written in it, and what the exceptions of its SDK mean."""

    dialect: Dialect
    how: How
    catch: Catch

    @staticmethod
    def of(usual: str, how: How, catch: Callable[[str, Exception], Fault | None]) -> Provider:
        """The provider of an adapter whose dialect is `usual` unless `how` names a variant of it."""
        dialect = dialect_of(how, usual)
        return Provider(dialect, how, lambda error: catch(dialect.name, error))

    def chat(self, ask: Callable[[Body], object]) -> Chat:
        """The chat that sends bodies by `ask`, which gives the body of the answer."""

        def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(body):
                    try:
                        answer = ask(body)
                    except Exception as error:
                        return self._failure(error)
                    return _read(self.dialect, answer)
                case Failure(unsayable):
                    return Failure(unsayable)

        return chat

    def async_chat(self, ask: Callable[[Body], Awaitable[object]]) -> AsyncChat:
        """The asynchronous twin of `chat`."""

        async def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(body):
                    try:
                        answer = await ask(body)
                    except Exception as error:
                        return self._failure(error)
                    return _read(self.dialect, answer)
                case Failure(unsayable):
                    return Failure(unsayable)

        return chat

    def streaming_chat(self, begin: Callable[[Body], Opened]) -> StreamingChat:
        """The chat that sends bodies by `begin`, which gives the events of the answer."""

        def streaming(request: ChatRequest) -> Result[Deltas, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(body):
                    try:
                        events, close = begin(body)
                    except Exception as error:
                        return self._failure(error)
                    return Success(Deltas(self._deltas(events), close))
                case Failure(unsayable):
                    return Failure(unsayable)

        return streaming

    def async_streaming_chat(self, begin: Callable[[Body], Awaitable[AsyncOpened]]) -> AsyncStreamingChat:
        """The asynchronous twin of `streaming_chat`."""

        async def streaming(request: ChatRequest) -> Result[AsyncDeltas, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(body):
                    try:
                        events, close = await begin(body)
                    except Exception as error:
                        return self._failure(error)
                    return Success(AsyncDeltas(self._async_deltas(events), close))
                case Failure(unsayable):
                    return Failure(unsayable)

        return streaming

    def _failure(self, error: Exception) -> Failure[ChatError.T]:
        """What the provider, or the network, did. A mistake of the program is raised again."""
        fault = self.catch(error)
        if fault is None:
            raise error
        return Failure(error_of(fault))

    def _deltas(self, events: Iterator[object]) -> Iterator[Delta.T]:
        step, end = self._reading()
        try:
            for event in events:
                yield from step(event)
        except Exception as error:
            yield from self._broken(step, error)
        yield from end()

    async def _async_deltas(self, events: AsyncIterator[object]) -> AsyncIterator[Delta.T]:
        step, end = self._reading()
        try:
            async for event in events:
                for delta in step(event):
                    yield delta
        except Exception as error:
            for delta in self._broken(step, error):
                yield delta
        for delta in end():
            yield delta

    def _reading(self) -> Reading:
        if self.dialect.read_stream is None:
            raise TypeError(f"the dialect {self.dialect.name} reads no streams")
        return self.dialect.read_stream.begin()

    def _broken(self, step: Callable[[object], Any], error: Exception) -> Iterator[Delta.T]:
        """What is said of a stream that broke off: the provider's own words as its dialect reads them, or those of the network."""
        fault = self.catch(error)
        if fault is None:
            raise error
        said = [cast("Delta.T", delta) for delta in step(fault.body)] if fault.body.__class__ is dict else []
        if not any(isinstance(delta, Delta.Failed) for delta in said):
            said = [Delta.Failed(provider_error(fault))]
        yield from said


def _read(dialect: Dialect, answer: object) -> Result[ChatResponse, ChatError.T]:
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
