"""The chats that are held to one contract: each adapter before a server that speaks its provider's HTTP, and the fakes.

A stage takes what is to be answered, in words, and has the four forms of its chat.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, final

import anthropic as anthropic_sdk
import boto3
import cohere as cohere_sdk
import httpx
import ollama as ollama_sdk
import openai as openai_sdk
from attrs import field, frozen
from botocore.config import Config
from google import genai
from mistralai.client import Mistral
from returns.result import Failure, Result, Success

from chatadt import DIALECTS, ChatRequest, ChatResponse, Delta, aws_events, deltas_of, ndjson
from chatadt.clients import (
    AsyncChat,
    AsyncDeltas,
    AsyncStreamingChat,
    Chat,
    ChatError,
    Deltas,
    How,
    StreamingChat,
    anthropic,
    bedrock,
    cohere,
    gemini,
    in_thread,
    mistral,
    ollama,
    openai_chat,
    openai_responses,
    scripted,
    streamed,
)
from chatadt.result import closed
from chatadt.sse import encode
from tests.clients.loopback import Loopback, Reply, json_reply, loopback, stream_reply


@final
@frozen
class Forms:
    """The four forms of a chat. The asynchronous ones are made inside their event loop. Clients are closed when they are done."""

    chat: Chat
    streaming: StreamingChat
    lenient: Chat
    """The chat, and whatever is lost on the way to it."""
    close: Callable[[], object]
    later: Callable[[], tuple[AsyncChat, AsyncStreamingChat, Callable[[], Awaitable[object]]]]


HASTE: Final = 0.2
"""Seconds that a hasty client waits."""

LENIENT: Final[How] = {"policy": "lenient", "report": lambda losses: None}


@final
@frozen
class Wire:
    """How one provider speaks HTTP, and the clients for a server at an address."""

    dialect: str
    forms: Callable[[str], Forms]
    """Of an address: the adapters."""
    hasty: Callable[[str], Forms]
    """The same of clients that do not wait long."""
    errors: Mapping[type, tuple[int, Any]]
    """By case of ChatError: the status and the body with which the provider says it."""
    frames: Callable[[Iterable[Any]], Iterator[bytes]] = encode
    kind: str = "text/event-stream"
    filler: bytes = b": waiting\n\n"

    beside: Mapping[str, Any] = field(factory=dict[str, Any])
    """What a request that does not stream says of that, beside the body as it is written."""

    def whole(self, body: object) -> Reply:
        return json_reply(body)

    def stream(self, events: Iterable[Any], **other: Any) -> Reply:
        return stream_reply(self.frames(events), self.kind, filler=self.filler, **other)


def _openai_errors() -> Mapping[type, tuple[int, Any]]:
    def said(message: str, code: str, type: str = "invalid_request_error") -> Any:
        return {"error": {"message": message, "type": type, "param": None, "code": code}}

    return {
        ChatError.RateLimited: (429, said("Rate limit reached.", "rate_limit_exceeded", "tokens")),
        ChatError.Unauthorized: (401, said("Incorrect API key provided: sk-x.", "invalid_api_key")),
        ChatError.Invalid: (400, said("Unsupported value.", "unsupported_value")),
        ChatError.TooLong: (400, said("This model's maximum context length is 8192 tokens.", "context_length_exceeded")),
        ChatError.Filtered: (400, said("The response was filtered.", "content_filter")),
        ChatError.Broken: (503, said("The server is overloaded.", "server_error", "server_error")),
    }


def _anthropic_errors() -> Mapping[type, tuple[int, Any]]:
    def said(kind: str, message: str) -> Any:
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}

    return {
        ChatError.RateLimited: (429, said("rate_limit_error", "This request would exceed your rate limit.")),
        ChatError.Unauthorized: (401, said("authentication_error", "invalid x-api-key")),
        ChatError.Invalid: (400, said("invalid_request_error", "messages.0: Input does not match the expected shape.")),
        ChatError.TooLong: (400, said("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum")),
        ChatError.Filtered: (400, said("invalid_request_error", "Output blocked by content filtering policy")),
        ChatError.Broken: (529, said("overloaded_error", "Overloaded")),
    }


def _openai(module: Any, seconds: float = 5.0) -> Callable[[str], Forms]:
    def forms(url: str) -> Forms:
        options: Any = {"base_url": f"{url}/v1", "api_key": "none", "max_retries": 0, "timeout": seconds}
        client = openai_sdk.OpenAI(**options)

        def later() -> Any:
            asynchronous = openai_sdk.AsyncOpenAI(**options)
            return module.async_chat(asynchronous), module.async_streaming_chat(asynchronous), asynchronous.close

        return Forms(module.chat(client), module.streaming_chat(client), module.chat(client, **LENIENT), client.close, later)

    return forms


def _anthropic(url: str, seconds: float = 5.0) -> Forms:
    options: Any = {"base_url": url, "api_key": "none", "max_retries": 0, "timeout": seconds}
    client = anthropic_sdk.Anthropic(**options)

    def later() -> Any:
        asynchronous = anthropic_sdk.AsyncAnthropic(**options)
        return anthropic.async_chat(asynchronous), anthropic.async_streaming_chat(asynchronous), asynchronous.close

    lenient = anthropic.chat(client, **LENIENT)
    return Forms(anthropic.chat(client), anthropic.streaming_chat(client), lenient, client.close, later)


def _gemini_errors() -> Mapping[type, tuple[int, Any]]:
    def said(code: int, status: str, message: str) -> tuple[int, Any]:
        return code, {"error": {"code": code, "message": message, "status": status}}

    return {
        ChatError.RateLimited: said(429, "RESOURCE_EXHAUSTED", "Resource exhausted."),
        ChatError.Unauthorized: said(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        ChatError.Invalid: said(400, "INVALID_ARGUMENT", "Unable to process the input."),
        ChatError.TooLong: said(400, "INVALID_ARGUMENT", "The input token count (12) exceeds the maximum number of tokens."),
        ChatError.Filtered: said(400, "INVALID_ARGUMENT", "The prompt violates usage policies."),
        ChatError.Broken: said(503, "UNAVAILABLE", "The model is overloaded."),
    }


def _gemini(url: str, seconds: float = 5.0) -> Forms:
    retries = genai.types.HttpRetryOptions(attempts=1)
    options = genai.types.HttpOptions(base_url=url, timeout=int(seconds * 1000), retry_options=retries)
    client = genai.Client(api_key="none", http_options=options)

    def later() -> Any:
        asynchronous = genai.Client(api_key="none", http_options=options)

        async def close() -> None:
            await asynchronous.aio.aclose()
            asynchronous.close()

        return gemini.async_chat(asynchronous), gemini.async_streaming_chat(asynchronous), close

    return Forms(gemini.chat(client), gemini.streaming_chat(client), gemini.chat(client, **LENIENT), client.close, later)


def _bedrock_errors() -> Mapping[type, tuple[int, Any]]:
    return {
        ChatError.RateLimited: (429, {"__type": "ThrottlingException", "message": "Too many requests"}),
        ChatError.Unauthorized: (403, {"__type": "AccessDeniedException", "message": "You don't have access to the model."}),
        ChatError.Invalid: (400, {"__type": "ValidationException", "message": "Malformed input request"}),
        ChatError.TooLong: (400, {"__type": "ValidationException", "message": "Input is too long for requested model."}),
        ChatError.Filtered: (400, {"__type": "ValidationException", "message": "Output blocked by content filtering policy"}),
        ChatError.Broken: (503, {"__type": "ServiceUnavailableException", "message": "Try again"}),
    }


def _bedrock(url: str, seconds: float = 5.0) -> Forms:
    config = Config(retries={"total_max_attempts": 1}, read_timeout=seconds, connect_timeout=seconds)
    client: Any = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=config,
    )

    async def kept() -> None:
        pass

    lenient = bedrock.chat(client, **LENIENT)
    later = bedrock.async_chat(client), bedrock.async_streaming_chat(client), kept
    return Forms(bedrock.chat(client), bedrock.streaming_chat(client), lenient, client.close, lambda: later)


def _mistral_errors() -> Mapping[type, tuple[int, Any]]:
    def said(message: str, code: str) -> Any:
        return {"object": "error", "message": message, "type": "invalid_request_error", "param": None, "code": code}

    return {
        ChatError.RateLimited: (429, said("Requests rate limit exceeded", "1300")),
        ChatError.Unauthorized: (401, {"detail": "Unauthorized"}),
        ChatError.Invalid: (400, said("Expected last role User or Tool", "3230")),
        ChatError.TooLong: (400, said("Prompt is too long: it exceeds the model's context window.", "3051")),
        ChatError.Broken: (503, said("Service unavailable.", "3505")),
    }


def _mistral(url: str, seconds: float = 5.0) -> Forms:
    options: Any = {"api_key": "none", "server_url": url, "timeout_ms": int(seconds * 1000)}
    client = Mistral(**options)

    def later() -> Any:
        asynchronous = Mistral(**options)

        async def close() -> None:
            await asynchronous.__aexit__(None, None, None)

        return mistral.async_chat(asynchronous), mistral.async_streaming_chat(asynchronous), close

    def close() -> None:
        client.__exit__(None, None, None)

    return Forms(mistral.chat(client), mistral.streaming_chat(client), mistral.chat(client, **LENIENT), close, later)


def _cohere_errors() -> Mapping[type, tuple[int, Any]]:
    def said(message: str, **other: str) -> Any:
        return {"id": "e1", "message": message, **other}

    return {
        ChatError.RateLimited: (429, said("You are using a Trial key, which is limited to 20 API calls / minute.")),
        ChatError.Unauthorized: (401, said("invalid api token")),
        ChatError.Invalid: (400, said("invalid request: model 'command-x' is not supported by the chat API")),
        ChatError.TooLong: (400, said("too many tokens: size limit exceeded by 9 tokens.", error_type="TOO_MANY_TOKENS")),
        ChatError.Filtered: (498, said("the request contains a token that is not allowed")),
        ChatError.Broken: (503, said("service unavailable")),
    }


def _cohere(url: str, seconds: float = 5.0) -> Forms:
    options: Any = {"api_key": "none", "base_url": url, "timeout": seconds, "max_retries": 0}
    http = httpx.Client(timeout=seconds)
    client = cohere_sdk.ClientV2(**options, httpx_client=http)

    def later() -> Any:
        asynchronous = httpx.AsyncClient(timeout=seconds)
        client = cohere_sdk.AsyncClientV2(**options, httpx_client=asynchronous)
        return cohere.async_chat(client), cohere.async_streaming_chat(client), asynchronous.aclose

    return Forms(cohere.chat(client), cohere.streaming_chat(client), cohere.chat(client, **LENIENT), http.close, later)


def _ollama_errors() -> Mapping[type, tuple[int, Any]]:
    return {
        ChatError.RateLimited: (429, {"error": "you (me) have reached your hourly usage limit"}),
        ChatError.Unauthorized: (401, {"error": "unauthorized"}),
        ChatError.Invalid: (404, {"error": "model 'some-model' not found"}),
        ChatError.TooLong: (400, {"error": "the input length exceeds the context length"}),
        ChatError.Broken: (500, {"error": "llama runner process has terminated: exit status 2"}),
    }


def _ollama(url: str, seconds: float = 5.0) -> Forms:
    client = ollama_sdk.Client(url, timeout=seconds)

    def later() -> Any:
        asynchronous = ollama_sdk.AsyncClient(url, timeout=seconds)
        return ollama.async_chat(asynchronous), ollama.async_streaming_chat(asynchronous), asynchronous.close

    return Forms(ollama.chat(client), ollama.streaming_chat(client), ollama.chat(client, **LENIENT), client.close, later)


def done(events: Iterable[Any]) -> Iterator[bytes]:
    return encode(events, done=True)


WIRES: Final[Mapping[str, Wire]] = {
    "openai_chat": Wire("openai_chat", _openai(openai_chat), _openai(openai_chat, HASTE), _openai_errors(), done),
    "openai_responses": Wire("openai_responses", _openai(openai_responses), _openai(openai_responses, HASTE), _openai_errors()),
    "gemini": Wire("gemini", _gemini, partial(_gemini, seconds=HASTE), _gemini_errors()),
    "bedrock": Wire(
        "bedrock",
        _bedrock,
        partial(_bedrock, seconds=HASTE),
        _bedrock_errors(),
        aws_events.encode,
        "application/vnd.amazon.eventstream",
        next(iter(aws_events.encode([{"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": " "}}}]))),
    ),
    "mistral": Wire("mistral", _mistral, partial(_mistral, seconds=HASTE), _mistral_errors(), done),
    "cohere": Wire("cohere", _cohere, partial(_cohere, seconds=HASTE), _cohere_errors(), done, beside={"stream": False}),
    "ollama": Wire(
        "ollama",
        _ollama,
        partial(_ollama, seconds=HASTE),
        _ollama_errors(),
        ndjson.encode,
        "application/x-ndjson",
        next(iter(ndjson.encode([{"message": {"role": "assistant", "content": " "}, "done": False}]))),
        beside={"stream": False},
    ),
    "anthropic": Wire("anthropic", _anthropic, partial(_anthropic, seconds=HASTE), _anthropic_errors()),
}
"""By dialect: its provider."""


@final
class Stage:
    """Chats, and how to say what they will answer next."""

    def __init__(self, name: str, wire: Wire | None, server: Loopback | None) -> None:
        self.name, self.wire, self.server = name, wire, server
        self._lines: list[ChatResponse | ChatError.T] = []
        self.forms = self._fake() if wire is None or server is None else wire.forms(server.url)

    def will(self, line: ChatResponse | ChatError.T, *, streams: bool = False) -> None:
        """Answer the next call so."""
        self._lines.append(line)
        if self.server is not None and self.wire is not None:
            self.server.will(self._reply(self.wire, line, streams))

    def can_say(self, error: ChatError.T) -> bool:
        """Whether it is known how the provider says such an error."""
        return self.wire is None or type(error) in self.wire.errors

    def _reply(self, wire: Wire, line: ChatResponse | ChatError.T, streams: bool) -> Reply:
        if not isinstance(line, ChatResponse):
            status, body = wire.errors[type(line)]
            wait = getattr(line, "retry_after", None)
            return json_reply(body, status, {} if wait is None else {"retry-after": f"{wait:g}"})
        dialect = DIALECTS[wire.dialect]
        assert dialect.write_response is not None
        assert dialect.write_stream is not None
        if streams:
            return wire.stream(dialect.write_stream(deltas_of(line)))
        return wire.whole(dialect.write_response(line).value)

    def ask(self, request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return self.forms.chat(request)

    def stream(self, request: ChatRequest) -> Result[Deltas, ChatError.T]:
        return self.forms.streaming(request)

    def ask_later(self, request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        async def asked() -> Result[ChatResponse, ChatError.T]:
            chat, _, close = self.forms.later()
            try:
                return await chat(request)
            finally:
                await close()

        return asyncio.run(asked())

    def stream_later(self, request: ChatRequest) -> Result[list[Delta.T], ChatError.T]:
        """The deltas of the asynchronous stream, all of them."""

        async def asked() -> Result[list[Delta.T], ChatError.T]:
            _, streaming, close = self.forms.later()
            try:
                match closed(await streaming(request)):
                    case Success(deltas):
                        return Success([delta async for delta in deltas])
                    case Failure(error):
                        return Failure(error)
            finally:
                await close()

        return asyncio.run(asked())

    def _fake(self) -> Forms:
        def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
            return scripted(self._lines.pop(0))(request)

        async def nothing() -> None:
            pass

        return Forms(chat, streamed(chat), chat, list, lambda: (in_thread(chat), _lazily(in_thread(streamed(chat))), nothing))


def _lazily(call: Callable[[ChatRequest], Awaitable[Result[Deltas, ChatError.T]]]) -> AsyncStreamingChat:
    async def streaming(request: ChatRequest) -> Result[AsyncDeltas, ChatError.T]:
        return (await call(request)).map(lambda deltas: AsyncDeltas(_each(deltas)))

    return streaming


async def _each(deltas: Iterable[Any]) -> AsyncIterator[Any]:
    for delta in deltas:
        yield delta


STAGES: Final = ("scripted", *WIRES)


@contextmanager
def stage(name: str) -> Iterator[Stage]:
    if name not in WIRES:
        yield Stage(name, None, None)
        return
    with loopback() as server:
        here = Stage(name, WIRES[name], server)
        try:
            yield here
        finally:
            here.forms.close()
