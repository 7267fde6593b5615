"""Gemini, of the Gemini API and of Vertex AI, by the official client (`google-genai`).

The client's own calls give of a stream what its types know, and add to some requests. So requests go below them, through what the
client sends all its requests by, as they are written, and answers come as they were sent. Address, key, project, timeout and
retries are those of the client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, Unpack, cast

from google.genai import Client, errors
from google.genai._transformers import t_model

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, http_fault, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.json import parse

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "gemini"

_WHOLE: Final = "generateContent"
_STREAM: Final = "streamGenerateContent?alt=sse"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""

    def ask(body: Body) -> object:
        api = _api(client)
        return _parsed(api.request(*_post(api, body, _WHOLE)))

    return Provider.of(DIALECT, how, _catch).chat(ask)


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""

    def begin(body: Body) -> Opened:
        api = _api(client)
        chunks = api.request_streamed(*_post(api, body, _STREAM))
        first = next(chunks, None)  # the client sends nothing before it is asked for a chunk
        return _each(first, chunks, client), chunks.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Client, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous side of the client as a chat."""

    async def ask(body: Body) -> object:
        api = _api(client)
        return _parsed(await api.async_request(*_post(api, body, _WHOLE)))

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: Client, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous side of the client as a chat that streams."""

    async def begin(body: Body) -> AsyncOpened:
        api = _api(client)
        chunks = await api.async_request_streamed(*_post(api, body, _STREAM))
        return _async_each(await anext(chunks, None), chunks, client), chunks.aclose

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _each(first: Any, chunks: Iterator[Any], _client: Client) -> Iterator[object]:
    """What a stream says; as long as it is read, it holds the client, which hangs up when nobody holds it."""
    if first is not None:
        yield _parsed(first)
    for chunk in chunks:
        yield _parsed(chunk)


async def _async_each(first: Any, chunks: AsyncIterator[Any], _client: Client) -> AsyncIterator[object]:
    if first is not None:
        yield _parsed(first)
    async for chunk in chunks:
        yield _parsed(chunk)


def _api(client: Client) -> Any:
    return cast("Any", client)._api_client


def _post(api: Any, body: Body, verb: str) -> tuple[str, str, Body]:
    """The method, the path, which names the model, and the body."""
    return "post", f"{t_model(api, body['model'])}:{verb}", {key: value for key, value in body.items() if key != "model"}


def _parsed(response: Any) -> object:
    try:
        return parse(response.body or "")
    except ValueError:
        return response.body


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, errors.APIError):
        told: Any = error
        return http_fault(dialect, error, body=told.details)
    if isinstance(error, ValueError) and stumbled(error, "google.genai._transformers"):  # over the name of the model
        return Fault(dialect, str(error), trouble=Trouble.ARGUMENTS)
    if isinstance(error, AttributeError | TypeError | ValueError) and stumbled(error, "google.genai", "pydantic", "json"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
