"""Anthropic's Messages by the official client (`anthropic`), its forms for Bedrock and Vertex AI among them.

The client retries on its own as it is set up to (`max_retries`), and knows its timeout.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

import anthropic
from anthropic import BaseModel

from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider, parameters, split
from chatadt.clients._faults import Fault, Trouble, http_fault, transport_fault
from chatadt.clients._how import How
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat

if TYPE_CHECKING:
    from anthropic.lib.bedrock import AnthropicBedrock, AsyncAnthropicBedrock
    from anthropic.lib.vertex import AnthropicVertex, AsyncAnthropicVertex

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "anthropic"

Client: TypeAlias = "anthropic.Anthropic | AnthropicBedrock | AnthropicVertex"
AsyncClient: TypeAlias = "anthropic.AsyncAnthropic | AsyncAnthropicBedrock | AsyncAnthropicVertex"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    create: Any = client.messages.create
    names = parameters(create)
    return Provider.of(DIALECT, how, _catch).chat(lambda body: _plain(create(**split(body, names))))


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    create: Any = client.messages.create
    names = parameters(create)

    def begin(body: Body) -> Opened:
        stream = create(**split(body, names), stream=True)

        def sent() -> Iterator[object]:
            for event in stream:
                yield _plain(event)

        return sent(), stream.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous client as a chat."""
    create: Any = client.messages.create
    names = parameters(create)

    async def ask(body: Body) -> object:
        return _plain(await create(**split(body, names)))

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous client as a chat that streams."""
    create: Any = client.messages.create
    names = parameters(create)

    async def begin(body: Body) -> AsyncOpened:
        stream = await create(**split(body, names), stream=True)

        async def sent() -> AsyncIterator[object]:
            async for event in stream:
                yield _plain(event)

        return sent(), stream.close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _plain(model: Any) -> object:
    """What the client parsed, as the JSON that came. What is no answer it gives as it is."""
    return model.to_dict(mode="json", warnings=False) if isinstance(model, BaseModel) else model


def _catch(dialect: str, error: Exception) -> Fault | None:
    if isinstance(error, anthropic.APITimeoutError):
        return Fault(dialect, str(error), trouble=Trouble.TIMEOUT)
    if isinstance(error, anthropic.APIConnectionError):
        said = f"{error} ({error.__cause__})" if error.__cause__ is not None else str(error)
        return Fault(dialect, said, trouble=Trouble.CONNECTION)
    if isinstance(error, anthropic.APIStatusError):
        return http_fault(dialect, error)
    if isinstance(error, JSONDecodeError):
        return Fault(dialect, error.doc, trouble=Trouble.ANSWER)
    if isinstance(error, ValueError) and "Streaming" in str(error):  # of an answer that may take longer than ten minutes
        return Fault(dialect, str(error), trouble=Trouble.ARGUMENTS)
    return transport_fault(dialect, error)
