"""Gemini, of the Gemini API and of Vertex AI, by the official client (`google-genai`).

The client's own calls give of a stream what its types know, and add to some requests. So requests go below them, through what the
client sends all its requests by, as they are written, and answers come as they were sent. Address, key, project, timeout and
retries are those of the client.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Final, Unpack, cast
from urllib.parse import quote

from google.genai import Client, errors
from google.genai._transformers import t_model

from chatadt._closing import async_closing, closing
from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, http_fault, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import async_framed, framed, parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.sse import async_events, events

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "gemini"

_WHOLE: Final = "generateContent"
_STREAM: Final = "streamGenerateContent?alt=sse"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""

    def ask(body: Body) -> object:
        api = _api(client)
        return parsed(api.request(*_post(api, body, _WHOLE)).body or "")

    return Provider.of(DIALECT, how, _catch).chat(ask)


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""

    def begin(body: Body) -> Opened:
        api = _api(client)
        response = api._request(api._build_request(*_post(api, body, _STREAM)), stream=True).response_stream
        chunks = response.iter_bytes() if hasattr(response, "iter_bytes") else response.iter_content(None)  # of `requests`
        return framed(events, _holding(chunks, client)), response.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Client, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous side of the client as a chat."""

    async def ask(body: Body) -> object:
        api = _api(client)
        return parsed((await api.async_request(*_post(api, body, _WHOLE))).body or "")

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: Client, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous side of the client as a chat that streams."""

    async def begin(body: Body) -> AsyncOpened:
        api = _api(client)
        response = (await api._async_request(api._build_request(*_post(api, body, _STREAM)), stream=True)).response_stream
        chunks = response.aiter_bytes() if hasattr(response, "aiter_bytes") else response.content.iter_any()  # of `aiohttp`

        async def close() -> None:
            if hasattr(response, "aclose"):
                await response.aclose()
            else:
                response.close()

        return async_framed(async_events, _async_holding(chunks, client)), close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _holding(chunks: Iterable[bytes], _client: Client) -> Iterator[bytes]:
    """The bytes of a stream; as long as they are read, this holds the client, which hangs up when nobody holds it."""
    with closing(chunks):
        yield from chunks


async def _async_holding(chunks: AsyncIterable[bytes], _client: Client) -> AsyncIterator[bytes]:
    async with async_closing(chunks):
        async for chunk in chunks:
            yield chunk


def _api(client: Client) -> Any:
    return cast("Any", client)._api_client


def _post(api: Any, body: Body, verb: str) -> tuple[str, str, Body]:
    """The method, the path, which names the model, and the body."""
    path = quote(t_model(api, body["model"]), safe="/:@", errors="replace")
    return "post", f"{path}:{verb}", {key: value for key, value in body.items() if key != "model"}


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, errors.APIError):
        told: Any = error
        return http_fault(dialect, error, body=told.details)
    if isinstance(error, ValueError) and stumbled(error, "google.genai._transformers"):  # over the name of the model
        return Fault(dialect, str(error), trouble=Trouble.ARGUMENTS)
    if isinstance(error, AttributeError | TypeError | ValueError) and stumbled(error, "google.genai", "pydantic", "json"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
