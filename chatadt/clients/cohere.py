"""Cohere's v2 by the official client (`cohere`), of which the client is `ClientV2`.

The body of a request goes as `additional_body_parameters` of the request's options, so that the client changes nothing of it, and
answers are read from the raw response. The client retries on its own as it is set up to (`max_retries`), and knows its timeout.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, ExitStack
from typing import Any, Final, Unpack

from cohere import AsyncClientV2, ClientV2
from cohere.core.api_error import ApiError
from cohere.core.parse_error import ParsingError

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider
from chatadt.clients._faults import Fault, Trouble, http_fault, stumbled, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import async_framed, framed, parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.sse import async_events, events

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "cohere"


def chat(client: ClientV2, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    ask: Any = client.with_raw_response.chat
    return Provider.of(DIALECT, how, _catch).chat(lambda body: parsed(ask(**_keywords(body)).response.content))


def streaming_chat(client: ClientV2, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    ask: Any = client.with_raw_response.chat_stream

    def begin(body: Body) -> Opened:
        stack = ExitStack()
        response = stack.enter_context(ask(**_keywords(body))).response
        return framed(events, response.iter_bytes()), stack.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: AsyncClientV2, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous client as a chat."""
    asks: Any = client.with_raw_response.chat

    async def ask(body: Body) -> object:
        return parsed((await asks(**_keywords(body))).response.content)

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: AsyncClientV2, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous client as a chat that streams."""
    ask: Any = client.with_raw_response.chat_stream

    async def begin(body: Body) -> AsyncOpened:
        stack = AsyncExitStack()
        response = (await stack.enter_async_context(ask(**_keywords(body)))).response
        return async_framed(async_events, response.aiter_bytes()), stack.aclose

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _keywords(body: Body) -> dict[str, Any]:
    return {"model": body["model"], "messages": [], "request_options": {"additional_body_parameters": body}}


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, ApiError) and error.status_code is not None and error.status_code >= 400:
        return http_fault(dialect, error)
    if isinstance(error, ApiError | ParsingError):
        return Fault(dialect, str(error.body), trouble=Trouble.ANSWER)
    if isinstance(error, AttributeError | TypeError | ValueError) and stumbled(error, "cohere", "pydantic"):
        return Fault(dialect, str(error), trouble=Trouble.ANSWER)
    return transport_fault(dialect, error)
