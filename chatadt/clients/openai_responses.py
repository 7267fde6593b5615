"""OpenAI's Responses by the official client (`openai`)."""

from __future__ import annotations

from typing import Any, Final, Unpack

from openai import AsyncOpenAI, OpenAI

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider, keywords
from chatadt.clients._how import How
from chatadt.clients._openai import async_events_of, catch, events_of
from chatadt.clients._reading import parsed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "openai_responses"
REQUIRED: Final = ("model", "input")


def chat(client: OpenAI, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    create: Any = client.responses.with_raw_response.create
    return Provider.of(DIALECT, how, catch).chat(lambda body: parsed(create(**keywords(body, *REQUIRED)).content))


def streaming_chat(client: OpenAI, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    create: Any = client.responses.create

    def begin(body: Body) -> Opened:
        return events_of(create(**keywords(body, *REQUIRED), stream=True))

    return Provider.of(DIALECT, how, catch).streaming_chat(begin)


def async_chat(client: AsyncOpenAI, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous client as a chat."""
    create: Any = client.responses.with_raw_response.create

    async def ask(body: Body) -> object:
        return parsed((await create(**keywords(body, *REQUIRED))).content)

    return Provider.of(DIALECT, how, catch).async_chat(ask)


def async_streaming_chat(client: AsyncOpenAI, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous client as a chat that streams."""
    create: Any = client.responses.create

    async def begin(body: Body) -> AsyncOpened:
        return async_events_of(await create(**keywords(body, *REQUIRED), stream=True))

    return Provider.of(DIALECT, how, catch).async_streaming_chat(begin)
