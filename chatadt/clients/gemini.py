"""Gemini, of the Gemini API and of Vertex AI, by the official client (`google-genai`).

The body of a request goes as `extra_body` of the HTTP options, so that the client changes nothing of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, Unpack

from google.genai import Client, errors, types

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
    return Provider.of(DIALECT, how, _catch).chat(lambda body: _parsed(ask(**_keywords(body, whole=True))))


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams. Of a chunk comes what this version of the client has words for."""
    ask: Any = client.models.generate_content_stream

    def begin(body: Body) -> Opened:
        chunks = ask(**_keywords(body, whole=False))
        first = next(chunks, None)  # the client sends nothing before it is asked for a chunk

        def sent() -> Iterator[object]:
            if first is not None:
                yield _plain(first)
            for chunk in chunks:
                yield _plain(chunk)

        return sent(), chunks.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: Client, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous side of the client as a chat."""
    ask: Any = client.aio.models.generate_content

    async def asked(body: Body) -> object:
        return _parsed(await ask(**_keywords(body, whole=True)))

    return Provider.of(DIALECT, how, _catch).async_chat(asked)


def async_streaming_chat(client: Client, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous side of the client as a chat that streams."""
    ask: Any = client.aio.models.generate_content_stream

    async def begin(body: Body) -> AsyncOpened:
        chunks = await ask(**_keywords(body, whole=False))
        first = await anext(chunks, None)

        async def sent() -> AsyncIterator[object]:
            if first is not None:
                yield _plain(first)
            async for chunk in chunks:
                yield _plain(chunk)

        return sent(), chunks.aclose

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _keywords(body: Body, *, whole: bool) -> dict[str, Any]:
    sent = {key: value for key, value in body.items() if key != "model"}
    options = types.HttpOptions(extra_body=sent)
    config = types.GenerateContentConfig(http_options=options, should_return_http_response=whole or None)
    return {"model": body.get("model"), "contents": "…", "config": config}  # the contents of `extra_body` take their place


def _parsed(response: types.GenerateContentResponse) -> object:
    text = response.sdk_http_response.body if response.sdk_http_response is not None else None
    try:
        return parse(text or "")
    except ValueError:
        return text


def _plain(chunk: types.GenerateContentResponse) -> object:
    """A chunk as the JSON that came: the client makes bytes of base64, and writes it in the alphabet of URLs."""
    said = chunk.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"sdk_http_response"}, warnings=False)
    return _spelt(said)


def _spelt(value: Any) -> Any:
    if value.__class__ is list:
        return [_spelt(item) for item in value]
    if value.__class__ is not dict:
        return value
    return {key: _base64(item) if _is_bytes(key, value) else _spelt(item) for key, item in value.items()}


def _is_bytes(key: str, parent: Any) -> bool:
    return isinstance(parent[key], str) and (key == "thoughtSignature" or (key == "data" and "mimeType" in parent))


def _base64(text: str) -> str:
    return text.replace("-", "+").replace("_", "/")


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, errors.APIError):
        told: Any = error
        return http_fault(dialect, error, body=told.details)
    if isinstance(error, AttributeError | TypeError | ValueError) and stumbled(error, "google.genai", "pydantic", "json"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
