"""Chat as a function: from a request to an answer, or to why there is none.

`Call[A]` and its asynchronous twin are the two shapes; a `Chat` answers whole, a `StreamingChat` piece by piece. Whatever has one
of these types is a chat, a function of a test as well as an adapter, and combinators take one and give one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TypeAlias, TypeVar, final

from returns.result import Failure, Result, Success

from chatadt._closing import async_close, close
from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients.error import ChatError
from chatadt.delta import Delta
from chatadt.fold import Folding, deltas_of, fold
from chatadt.result import closed

__all__ = (
    "AsyncCall",
    "AsyncChat",
    "AsyncDeltas",
    "AsyncStreamingChat",
    "Call",
    "Chat",
    "Deltas",
    "StreamingChat",
    "async_whole",
    "async_with_params",
    "in_thread",
    "streamed",
    "whole",
    "with_params",
)

A = TypeVar("A")


def _done() -> None:
    """There is no connection that would have to be closed."""


@final
class Deltas(Iterator[Delta.T]):
    """A streamed answer that comes in. To close it, or to leave its `with` block, ends the connection; so does its end.

    A stream that breaks off says so in a `Delta.Failed`: to iterate raises nothing that the network can cause. Of one that is
    closed there are no more deltas.
    """

    def __init__(self, deltas: Iterator[Delta.T], close: Callable[[], None] = _done) -> None:
        self._deltas, self._hang_up, self._is_closed = deltas, close, False

    def __iter__(self) -> Deltas:
        return self

    def __next__(self) -> Delta.T:
        if self._is_closed:
            raise StopIteration
        try:
            return next(self._deltas)
        except BaseException:  # the end, too
            self.close()
            raise

    def close(self) -> None:
        """End the connection, and close the deltas where they are a generator; to do it twice does no harm."""
        self._is_closed = True
        try:
            close(self._deltas)
        finally:
            self._hang_up()

    def __enter__(self) -> Deltas:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


async def _async_done() -> None:
    """There is no connection that would have to be closed."""


@final
class AsyncDeltas(AsyncIterator[Delta.T]):
    """The asynchronous twin of `Deltas`; a task that is cancelled while it waits for a delta ends the connection as well."""

    def __init__(self, deltas: AsyncIterator[Delta.T], close: Callable[[], Awaitable[None]] = _async_done) -> None:
        self._deltas, self._hang_up, self._is_closed = deltas, close, False

    def __aiter__(self) -> AsyncDeltas:
        return self

    async def __anext__(self) -> Delta.T:
        if self._is_closed:
            raise StopAsyncIteration
        try:
            return await anext(self._deltas)
        except BaseException:  # the end, and a cancellation, too
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the connection, and close the deltas where they are a generator; to do it twice does no harm."""
        self._is_closed = True
        try:
            await async_close(self._deltas)
        finally:
            await self._hang_up()

    async def __aenter__(self) -> AsyncDeltas:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()


Call: TypeAlias = Callable[[ChatRequest], Result[A, ChatError.T]]
"""What a request is put to. It answers every request, and raises only for mistakes of the program."""

AsyncCall: TypeAlias = Callable[[ChatRequest], Awaitable[Result[A, ChatError.T]]]
"""The asynchronous twin of `Call`."""

Chat: TypeAlias = Call[ChatResponse]
"""A model that answers whole."""

StreamingChat: TypeAlias = Call[Deltas]
"""A model that answers piece by piece. It is called when the answer begins: what fails before that is a Failure."""

AsyncChat: TypeAlias = AsyncCall[ChatResponse]
"""The asynchronous twin of `Chat`."""

AsyncStreamingChat: TypeAlias = AsyncCall[AsyncDeltas]
"""The asynchronous twin of `StreamingChat`."""


def streamed(chat: Chat) -> StreamingChat:
    """The chat as one that streams: the answer is there at once, in as many deltas as it has parts."""

    def streaming(request: ChatRequest) -> Result[Deltas, ChatError.T]:
        return chat(request).map(lambda response: Deltas(deltas_of(response)))

    return streaming


def whole(streaming: StreamingChat) -> Chat:
    """The streaming chat as one that answers whole. An answer that broke off is one whose stop reason says so."""

    def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return streaming(request).map(fold)

    return chat


def async_whole(streaming: AsyncStreamingChat) -> AsyncChat:
    """The asynchronous twin of `whole`."""

    async def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        match closed(await streaming(request)):
            case Success(deltas):
                folding = Folding()
                async for delta in deltas:
                    folding.feed(delta)
                return Success(folding.response())
            case Failure(error):
                return Failure(error)

    return chat


def in_thread(call: Call[A]) -> AsyncCall[A]:
    """The call as an asynchronous one, made in a thread: for a client that has no asynchronous form.

    A task that is cancelled no longer waits for it, but the thread goes on until the call returns.
    """

    async def asynchronous(request: ChatRequest) -> Result[A, ChatError.T]:
        return await asyncio.to_thread(call, request)

    return asynchronous


def with_params(call: Call[A], change: Callable[[ChatRequest], ChatRequest]) -> Call[A]:
    """The call of a changed request: `with_params(chat, lambda request: evolve(request, params=...))`."""
    return lambda request: call(change(request))


def async_with_params(call: AsyncCall[A], change: Callable[[ChatRequest], ChatRequest]) -> AsyncCall[A]:
    """The asynchronous twin of `with_params`."""
    return lambda request: call(change(request))
