"""Bedrock's Converse by `boto3`, of which the client is that of `bedrock-runtime`.

The client has no asynchronous form: the asynchronous chats call it in threads. Of answers comes what its service
model has words for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any, Final, Unpack

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.dialects.bedrock import with_bytes

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "bedrock"


def chat(client: Any, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    return Provider.of(DIALECT, how, _catch).chat(lambda body: _plain(client.converse(**with_bytes(body))))


def streaming_chat(client: Any, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""

    def begin(body: Body) -> Opened:
        stream = client.converse_stream(**with_bytes(body))["stream"]
        return iter(stream), stream.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Any, **how: Unpack[How]) -> AsyncChat:
    """The client as an asynchronous chat, which waits in a thread."""

    async def ask(body: Body) -> object:
        return _plain(await asyncio.to_thread(lambda: client.converse(**with_bytes(body))))

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: Any, **how: Unpack[How]) -> AsyncStreamingChat:
    """The client as an asynchronous chat that streams, which waits for each event in a thread."""

    async def begin(body: Body) -> AsyncOpened:
        answer = await asyncio.to_thread(lambda: client.converse_stream(**with_bytes(body)))
        stream = answer["stream"]
        events = iter(stream)

        async def sent() -> AsyncIterator[object]:
            while (event := await asyncio.to_thread(next, events, None)) is not None:
                yield event

        async def close() -> None:
            stream.close()

        return sent(), close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _plain(answer: Any) -> object:
    return {key: value for key, value in answer.items() if key != "ResponseMetadata"}


_ERRORS: Final[Any] = import_module("botocore.exceptions")  # botocore has no types
_PARSERS: Final[Any] = import_module("botocore.parsers")
_TROUBLES: Final[tuple[tuple[Trouble, tuple[type[Exception], ...]], ...]] = (
    (Trouble.TIMEOUT, (_ERRORS.ReadTimeoutError, _ERRORS.ConnectTimeoutError)),
    (Trouble.CONNECTION, (_ERRORS.HTTPClientError, _ERRORS.ConnectionError)),
    (Trouble.ARGUMENTS, (_ERRORS.ParamValidationError,)),
    (Trouble.ANSWER, (_PARSERS.ResponseParserError,)),
)


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, _ERRORS.ClientError):
        told: Any = error
        said, met = told.response.get("Error", {}), told.response.get("ResponseMetadata", {})
        body = {"message": said.get("Message"), "__type": said.get("Code")}
        headers = {key.lower(): value for key, value in met.get("HTTPHeaders", {}).items()}
        return Fault(dialect, str(error), met.get("HTTPStatusCode"), said.get("Code"), headers, body)
    for trouble, cases in _TROUBLES:
        if isinstance(error, cases):
            return Fault(dialect, str(error), trouble=trouble)
    if isinstance(error, AttributeError | TypeError) and stumbled(error, "botocore"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
