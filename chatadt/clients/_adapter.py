"""What all adapters share: a request is written, sent by an SDK's client, and what comes back is read; what was raised is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Any, TypeAlias, cast, final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt._closing import async_close, close
from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients._faults import Catch, Fault, error_of, provider_error
from chatadt.clients._how import How, dialect_of, written
from chatadt.clients._names import own_names
from chatadt.clients._reading import Beginning, read_answer
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, AsyncDeltas, AsyncStreamingChat, Chat, Deltas, StreamingChat
from chatadt.delta import Delta
from chatadt.dialects._dialect import Dialect
from chatadt.result import closed

__all__ = ("AsyncOpened", "Body", "Opened", "Provider", "keywords")

Body: TypeAlias = "dict[str, Any]"
"""A request as the dialect writes it."""

Opened: TypeAlias = tuple[Iterator[object], Callable[[], None]]
"""A stream that has begun: its events as plain JSON, and what closes its connection."""

AsyncOpened: TypeAlias = tuple[AsyncIterator[object], Callable[[], Awaitable[None]]]
"""The asynchronous twin of `Opened`."""


def keywords(body: Body, *required: str) -> Body:
    """The keyword arguments that send a body by a function of an SDK: what that requires, and all else as its `extra_body`.

    Under a name of its own, a field might be an option of the SDK: headers, a timeout.
    """
    others = {key: value for key, value in body.items() if key not in required}
    return {**{key: body[key] for key in required if key in body}, "extra_body": others}


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
                case Success(sent):
                    try:
                        answer = ask(sent.body)
                    except Exception as error:
                        return self._failure(error)
                    return read_answer(self.dialect, answer).map(own_names(sent.names))
                case Failure(unsayable):
                    return Failure(unsayable)

        return chat

    def async_chat(self, ask: Callable[[Body], Awaitable[object]]) -> AsyncChat:
        """The asynchronous twin of `chat`."""

        async def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(sent):
                    try:
                        answer = await ask(sent.body)
                    except Exception as error:
                        return self._failure(error)
                    return read_answer(self.dialect, answer).map(own_names(sent.names))
                case Failure(unsayable):
                    return Failure(unsayable)

        return chat

    def streaming_chat(self, begin: Callable[[Body], Opened]) -> StreamingChat:
        """The chat that sends bodies by `begin`, which gives the events of the answer."""

        def streaming(request: ChatRequest) -> Result[Deltas, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(sent):
                    try:
                        events, hang_up = begin(sent.body)
                    except Exception as error:
                        return self._failure(error)
                    return self._begun(events, hang_up).map(own_names(sent.names))
                case Failure(unsayable):
                    return Failure(unsayable)

        return streaming

    def async_streaming_chat(self, begin: Callable[[Body], Awaitable[AsyncOpened]]) -> AsyncStreamingChat:
        """The asynchronous twin of `streaming_chat`."""

        async def streaming(request: ChatRequest) -> Result[AsyncDeltas, ChatError.T]:
            match closed(written(request, self.dialect, self.how)):
                case Success(sent):
                    try:
                        events, hang_up = await begin(sent.body)
                    except Exception as error:
                        return self._failure(error)
                    return (await self._async_begun(events, hang_up)).map(own_names(sent.names))
                case Failure(unsayable):
                    return Failure(unsayable)

        return streaming

    def _failure(self, error: Exception) -> Failure[ChatError.T]:
        """What the provider, or the network, did. A mistake of the program is raised again."""
        fault = self.catch(error)
        if fault is None:
            raise error
        return Failure(error_of(fault))

    def _begun(self, events: Iterator[object], hang_up: Callable[[], None]) -> Result[Deltas, ChatError.T]:
        """The deltas of a stream that begins to answer. The connection of any other is closed."""

        def end() -> None:
            try:
                close(events)
            finally:
                hang_up()

        beginning = Beginning(self.dialect)
        try:
            for event in events:
                if beginning.hear(event):
                    break
            else:
                beginning.hear_end()
        except BaseException as error:
            end()
            if isinstance(error, Exception):
                return self._failure(error)
            raise
        match closed(beginning.outcome()):
            case Success(first):
                return Success(Deltas(self._deltas(beginning, first, events), end))
            case Failure(failed):
                end()
                return Failure(failed)

    async def _async_begun(
        self, events: AsyncIterator[object], hang_up: Callable[[], Awaitable[None]]
    ) -> Result[AsyncDeltas, ChatError.T]:
        """The asynchronous twin of `_begun`."""

        async def end() -> None:
            try:
                await async_close(events)
            finally:
                await hang_up()

        beginning = Beginning(self.dialect)
        try:
            async for event in events:
                if beginning.hear(event):
                    break
            else:
                beginning.hear_end()
        except BaseException as error:
            await end()
            if isinstance(error, Exception):
                return self._failure(error)
            raise
        match closed(beginning.outcome()):
            case Success(first):
                return Success(AsyncDeltas(self._async_deltas(beginning, first, events), end))
            case Failure(failed):
                await end()
                return Failure(failed)

    def _deltas(self, beginning: Beginning, first: Iterable[Delta.T], events: Iterator[object]) -> Iterator[Delta.T]:
        yield from first
        if beginning.is_over:
            return
        try:
            for event in events:
                yield from beginning.step(event)
        except Exception as error:
            yield from self._broken(beginning.step, error)
        yield from beginning.end()

    async def _async_deltas(
        self, beginning: Beginning, first: Iterable[Delta.T], events: AsyncIterator[object]
    ) -> AsyncIterator[Delta.T]:
        for delta in first:
            yield delta
        if beginning.is_over:
            return
        try:
            async for event in events:
                for delta in beginning.step(event):
                    yield delta
        except Exception as error:
            for delta in self._broken(beginning.step, error):
                yield delta
        for delta in beginning.end():
            yield delta

    def _broken(self, step: Callable[[object], Any], error: Exception) -> Iterator[Delta.T]:
        """What is said of a stream that broke off: the provider's own words as its dialect reads them, or those of the network."""
        fault = self.catch(error)
        if fault is None:
            raise error
        said = [cast("Delta.T", delta) for delta in step(fault.body)] if fault.body.__class__ is dict else []
        if not any(isinstance(delta, Delta.Failed) for delta in said):
            said = [Delta.Failed(provider_error(fault))]
        yield from said
