"""Anthropic's Messages by the official client (`anthropic`), its forms for Bedrock and Vertex AI among them.

The client retries on its own as it is set up to (`max_retries`), and knows its timeout.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

import anthropic
from anthropic import BaseModel

from chatadt import aws_events, sse
from chatadt._closing import async_closing, closing
from chatadt.clients._adapter import AsyncOpened, Body, Opened, Provider, keywords
from chatadt.clients._faults import Fault, Trouble, http_fault, transport_fault
from chatadt.clients._how import How
from chatadt.clients._reading import async_framed, framed
from chatadt.clients.function import AsyncChat, AsyncStreamingChat, Chat, StreamingChat
from chatadt.framing import Carrier

if TYPE_CHECKING:
    from anthropic.lib.bedrock import AnthropicBedrock, AsyncAnthropicBedrock
    from anthropic.lib.vertex import AnthropicVertex, AsyncAnthropicVertex

__all__ = ("async_chat", "async_streaming_chat", "chat", "streaming_chat")

DIALECT: Final = "anthropic"

_REQUIRED: Final = ("model", "messages", "max_tokens")

Client: TypeAlias = "anthropic.Anthropic | AnthropicBedrock | AnthropicVertex"
AsyncClient: TypeAlias = "anthropic.AsyncAnthropic | AsyncAnthropicBedrock | AsyncAnthropicVertex"


def chat(client: Client, **how: Unpack[How]) -> Chat:
    """The client as a chat. Raises ValueError for a dialect that there is not."""
    create: Any = client.messages.create
    return Provider.of(DIALECT, how, _catch).chat(lambda body: _plain(create(**keywords(body, *_REQUIRED))))


def streaming_chat(client: Client, **how: Unpack[How]) -> StreamingChat:
    """The client as a chat that streams."""
    create: Any = client.messages.create

    def begin(body: Body) -> Opened:
        stream = create(**keywords(body, *_REQUIRED), stream=True)
        find = _aws_events if _is_of_aws(stream) else sse.events
        return framed(find, stream.response.iter_bytes()), stream.close

    return Provider.of(DIALECT, how, _catch).streaming_chat(begin)


def async_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncChat:
    """The asynchronous client as a chat."""
    create: Any = client.messages.create

    async def ask(body: Body) -> object:
        return _plain(await create(**keywords(body, *_REQUIRED)))

    return Provider.of(DIALECT, how, _catch).async_chat(ask)


def async_streaming_chat(client: AsyncClient, **how: Unpack[How]) -> AsyncStreamingChat:
    """The asynchronous client as a chat that streams."""
    create: Any = client.messages.create

    async def begin(body: Body) -> AsyncOpened:
        stream = await create(**keywords(body, *_REQUIRED), stream=True)
        find = _async_aws_events if _is_of_aws(stream) else sse.async_events
        return async_framed(find, stream.response.aiter_bytes()), stream.close

    return Provider.of(DIALECT, how, _catch).async_streaming_chat(begin)


def _plain(model: Any) -> object:
    """What the client parsed, as the JSON that came. What is no answer it gives as it is."""
    return model.to_dict(mode="json", warnings=False) if isinstance(model, BaseModel) else model


def _is_of_aws(stream: Any) -> bool:
    """Whether a stream comes in the frames of Bedrock, as those of its client do."""
    return str(stream.response.headers.get("content-type", "")).startswith(Carrier.AWS.value)


def _aws_events(chunks: Iterable[bytes]) -> Iterator[object]:
    with closing(aws_events.events(chunks)) as events:
        for event in events:
            yield _in_own_words(event)


async def _async_aws_events(chunks: AsyncIterable[bytes]) -> AsyncIterator[object]:
    async with async_closing(aws_events.async_events(chunks)) as events:
        async for event in events:
            yield _in_own_words(event)


def _in_own_words(event: Any) -> object:
    """The event; an exception of Bedrock as the error that Anthropic would say."""
    if event.__class__ is not dict or event.get("_message_type") is None:
        return event
    for code, said in event.items():
        if said.__class__ is dict:
            return {"type": "error", "error": {"type": code, "message": said.get("message", code)}}
    return event


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
