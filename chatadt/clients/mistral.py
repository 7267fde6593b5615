"""Mistral by the official client (`mistralai`).

The client's own `chat.complete` takes what its types know, and respells it. So the adapter calls it over an HTTP client of its own,
which the SDK provides for (`HttpClient` in its documentation): that sends the body as it is written, by the HTTP client of the
user's client, and keeps the answer as it came. Address, key, timeout, retries and hooks are those of the user's client.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Final, Unpack, final

from mistralai.client import Mistral
from mistralai.client.chat import Chat as Calls
from mistralai.client.errors import MistralError, NoResponseError, ResponseValidationError

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, http_fault, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import async_framed, framed, parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.framing import Carrier
from chatadt.json import dump
from chatadt.sse import async_events, events

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "mistral"


def chat(client: Mistral, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""

    def ask(body: Body) -> object:
        http = _Http(client.sdk_configuration.client, body)
        try:
            _calls(client, http).complete(**_model(body))
        except ResponseValidationError as error:
            _pass(error)
        return parsed(http.answer.content)

    return Provider.of(DIALECT, how, _catch).chat(ask)


def streaming_chat(client: Mistral, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""

    def begin(body: Body) -> Opened:
        http = _Http(client.sdk_configuration.client, {**body, "stream": True})
        try:
            stream = _calls(client, http).stream(**_model(body))
        except MistralError as error:
            _pass(error)
            return framed(events, (http.answer.content,)), http.answer.close
        return framed(events, stream.response.iter_bytes()), stream.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Mistral, **how: Unpack[How]) -> AsyncChat:
    """The client, asked asynchronously, as a chat."""

    async def ask(body: Body) -> object:
        http = _AsyncHttp(client.sdk_configuration.async_client, body)
        try:
            await _calls(client, http).complete_async(**_model(body))
        except ResponseValidationError as error:
            _pass(error)
        return parsed(http.answer.content)

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: Mistral, **how: Unpack[How]) -> AsyncStreamingChat:
    """The client, asked asynchronously, as a chat that streams."""

    async def begin(body: Body) -> AsyncOpened:
        http = _AsyncHttp(client.sdk_configuration.async_client, {**body, "stream": True})
        try:
            stream = await _calls(client, http).stream_async(**_model(body))
        except MistralError as error:
            _pass(error)
            return async_framed(async_events, http.answer.aiter_bytes()), http.answer.aclose
        return async_framed(async_events, stream.response.aiter_bytes()), stream.close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _calls(client: Mistral, http: Any) -> Calls:
    """The client's calls, over another HTTP client, and as it is set up for the rest; the client itself is left as it is."""
    configuration = copy(client.sdk_configuration)
    configuration.client = configuration.async_client = http
    return Calls(configuration, parent_ref=client)


def _model(body: Body) -> dict[str, Any]:
    return {"model": body["model"], "messages": []}  # the body of `_Http` takes their place


def _pass(error: MistralError) -> None:
    """Let go what the client says of an answer that is newer than its types, or is no stream: the adapter reads it itself."""
    if error.status_code >= 400:
        raise error


class _Sender:
    """What builds requests with one body, whatever the client has made of its arguments."""

    def __init__(self, http: Any, body: Body) -> None:
        self._http = http
        self._text = dump(body)
        self.answer: Any = None
        """The response, as soon as there is one."""

    def build_request(self, method: str, url: Any, **others: Any) -> Any:
        return self._http.build_request(method, url, **{**others, "content": self._text})


def _streams(response: Any) -> bool:
    """Whether a response is a stream. The client wants to see the text of any other, and has not read it where that is empty."""
    return str(response.headers.get("content-type", "")).startswith(Carrier.SERVER_SENT.value)


@final
class _Http(_Sender):
    def send(self, request: Any, **others: Any) -> Any:
        self.answer = self._http.send(request, **others)
        if not _streams(self.answer):
            self.answer.read()
        return self.answer


@final
class _AsyncHttp(_Sender):
    async def send(self, request: Any, **others: Any) -> Any:
        self.answer = await self._http.send(request, **others)
        if not _streams(self.answer):
            await self.answer.aread()
        return self.answer


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, MistralError):
        return http_fault(dialect, error) if error.status_code >= 400 else Fault(dialect, error.body, trouble=Trouble.ANSWER)
    if isinstance(error, NoResponseError):
        return Fault(dialect, str(error), trouble=Trouble.CONNECTION)
    return transport_fault(dialect, error)
