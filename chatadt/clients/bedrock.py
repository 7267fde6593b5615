"""Bedrock's Converse by `boto3`, of which the client is that of `bedrock-runtime`.

The client has no asynchronous form: the asynchronous chats call it in threads. It gives of answers what its service model has words
for, so they are read as it hands them to those who listen to its events: a handler of `before-parse`, which does nothing for calls
that are not an adapter's, is registered with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final, Unpack

from chatadt.aws_events import events
from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.dialects.bedrock import with_bytes

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "bedrock"


def chat(client: Any, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    _listen(client)
    return Provider.of(DIALECT, how, _catch).chat(lambda body: parsed(_asked(client.converse, body)))


def streaming_chat(client: Any, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    _listen(client)

    def begin(body: Body) -> Opened:
        raw = _asked(client.converse_stream, body)
        return events(raw.stream()), raw.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Any, **how: Unpack[How]) -> AsyncChat:
    """The client as an asynchronous chat, which waits in a thread."""
    _listen(client)

    async def ask(body: Body) -> object:
        return parsed(await asyncio.to_thread(_asked, client.converse, body))

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: Any, **how: Unpack[How]) -> AsyncStreamingChat:
    """The client as an asynchronous chat that streams, which waits for each event in a thread."""
    _listen(client)

    async def begin(body: Body) -> AsyncOpened:
        raw = await asyncio.to_thread(_asked, client.converse_stream, body)
        told = events(raw.stream())

        async def sent() -> AsyncIterator[object]:
            while (event := await asyncio.to_thread(next, told, None)) is not None:
                yield event

        async def close() -> None:
            raw.close()

        return sent(), close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


_HEARD: Final[ContextVar[dict[str, Any] | None]] = ContextVar("chatadt_bedrock", default=None)
"""Where the call of an adapter wants its response."""


def _listen(client: Any) -> None:
    client.meta.events.register("before-parse.bedrock-runtime", _hear, unique_id="chatadt")


def _hear(response_dict: dict[str, Any], **_others: Any) -> None:
    heard = _HEARD.get()
    if heard is not None:
        heard.update(response_dict)


def _asked(call: Callable[..., object], body: Body) -> Any:
    """What the server sent: bytes, or a stream of them. What the client cannot parse of an answer is let go."""
    if "self" in body:  # the one field that its functions cannot be given
        raise _ERRORS.ParamValidationError(report='Unknown parameter in input: "self"')
    heard: dict[str, Any] = {}
    token = _HEARD.set(heard)
    try:
        call(**with_bytes(body))
    except Exception:
        if not heard or heard["status_code"] >= 300:
            raise
    finally:
        _HEARD.reset(token)
    if not heard:
        raise TypeError("expected a client that asks a server, got one that answers itself, as botocore's Stubber lets it")
    return heard["body"]


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
