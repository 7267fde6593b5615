"""Ollama by the official client (`ollama`).

The client's own `chat` keeps only what its types know: it would send a tool without most of its JSON Schema, and give answers
without the ids of calls. So requests go through the HTTP client that it is made of, which knows the address, the headers and the
timeout, as they are written, and answers come as they were sent.
"""

from __future__ import annotations

from typing import Any, Final, Unpack, cast

import httpx
from ollama import AsyncClient, Client

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, http_fault, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import async_framed, framed, parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.json import dump
from chatadt.ndjson import async_events, events

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "ollama"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    http: httpx.Client = cast("Any", client)._client

    def ask(body: Body) -> object:
        return parsed(http.send(_asked(http, body, streams=False)).raise_for_status().content)

    return Provider.of(DIALECT, how, _catch).chat(ask)


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    http: httpx.Client = cast("Any", client)._client

    def begin(body: Body) -> Opened:
        response = http.send(_asked(http, body, streams=True), stream=True)
        if not response.is_success:
            response.read()
        return framed(events, response.raise_for_status().iter_bytes()), response.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous client as a chat."""
    http: httpx.AsyncClient = cast("Any", client)._client

    async def ask(body: Body) -> object:
        return parsed((await http.send(_asked(http, body, streams=False))).raise_for_status().content)

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous client as a chat that streams."""
    http: httpx.AsyncClient = cast("Any", client)._client

    async def begin(body: Body) -> AsyncOpened:
        response = await http.send(_asked(http, body, streams=True), stream=True)
        if not response.is_success:
            await response.aread()
        return async_framed(async_events, response.raise_for_status().aiter_bytes()), response.aclose

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _asked(http: httpx.Client | httpx.AsyncClient, body: Body, *, streams: bool) -> httpx.Request:
    sent: dict[str, Any] = {**body, "stream": streams}  # a server that is not told streams
    return http.build_request("POST", "/api/chat", content=dump(sent))


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, httpx.HTTPStatusError):
        return http_fault(dialect, error)
    return transport_fault(dialect, error)
