"""Gemini, of the Gemini API and of Vertex AI, by the official client (`google-genai`).

The body of a request goes as `extra_body` of the HTTP options, so that the client changes nothing of it, and an answer is that of
the HTTP response. Of a stream the client gives what its types know, and no response: it is read below them, where the client has
its chunks as JSON.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, Unpack, cast

from google.genai import Client, errors, types
from google.genai._transformers import t_model

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, http_fault, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.json import parse

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "gemini"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    ask: Any = client.models.generate_content
    return Provider.of(DIALECT, how, _catch).chat(lambda body: _parsed(ask(**_keywords(body))))


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    api: Any = cast("Any", client)._api_client

    def begin(body: Body) -> Opened:
        chunks = api.request_streamed("post", *_post(api, body))
        first = next(chunks, None)  # the client sends nothing before it is asked for a chunk

        def sent() -> Iterator[object]:
            if first is not None:
                yield parse(first.body)
            for chunk in chunks:
                yield parse(chunk.body)

        return sent(), chunks.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Client, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous side of the client as a chat."""
    ask: Any = client.aio.models.generate_content

    async def asked(body: Body) -> object:
        return _parsed(await ask(**_keywords(body)))

    return Provider.of(DIALECT, how, _catch).async_chat(asked)


def async_streaming_chat(client: Client, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous side of the client as a chat that streams."""
    api: Any = cast("Any", client)._api_client

    async def begin(body: Body) -> AsyncOpened:
        chunks = await api.async_request_streamed("post", *_post(api, body))
        first = await anext(chunks, None)

        async def sent() -> AsyncIterator[object]:
            if first is not None:
                yield parse(first.body)
            async for chunk in chunks:
                yield parse(chunk.body)

        return sent(), chunks.aclose

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _keywords(body: Body) -> dict[str, Any]:
    options = types.HttpOptions(extra_body=_without_model(body))
    config = types.GenerateContentConfig(http_options=options, should_return_http_response=True)
    return {"model": body["model"], "contents": "…", "config": config}  # the contents of `extra_body` take their place


def _post(api: Any, body: Body) -> tuple[str, Body]:
    return f"{t_model(api, body['model'])}:streamGenerateContent?alt=sse", _without_model(body)


def _without_model(body: Body) -> Body:
    return {key: value for key, value in body.items() if key != "model"}


def _parsed(response: types.GenerateContentResponse) -> object:
    text = response.sdk_http_response.body if response.sdk_http_response is not None else None
    try:
        return parse(text or "")
    except ValueError:
        return text


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, errors.APIError):
        told: Any = error
        return http_fault(dialect, error, body=told.details)
    if isinstance(error, AttributeError | TypeError | ValueError) and stumbled(error, "google.genai", "pydantic", "json"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
