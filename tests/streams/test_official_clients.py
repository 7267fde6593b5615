"""Streams as each dialect's framing writes them, read by the official client of its provider over a socket of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final

import anthropic
import boto3
import cohere
import httpx
import ollama
import openai
import pytest
from botocore.config import Config
from botocore.exceptions import EventStreamError
from google import genai
from mistralai.client import Mistral
from mistralai.client.errors import MistralError

from chatadt import DIALECTS, Delta, StopKind, StopReason, Usage
from chatadt.chat import ProviderError
from tests.clients.loopback import Loopback, Reply, loopback

HELLO: Final[Any] = [{"role": "user", "content": "hi"}]


def asking_openai(url: str) -> Iterator[Any]:
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        for chunk in client.chat.completions.create(model="m", messages=HELLO, stream=True):
            yield from (choice.delta.content for choice in chunk.choices if choice.delta.content)


def asking_responses(url: str) -> Iterator[Any]:
    """Its client gives errors out as events, of its own type."""
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        for event in client.responses.create(model="m", input="hi", stream=True):
            if event.type == "response.output_text.delta":
                yield event.delta
            if isinstance(event, openai.types.responses.ResponseErrorEvent):
                raise GivenOut(event.message)
            if isinstance(event, openai.types.responses.ResponseFailedEvent) and event.response.error:
                raise GivenOut(event.response.error.message)


def asking_anthropic(url: str) -> Iterator[Any]:
    with (
        anthropic.Anthropic(base_url=url, api_key="none", max_retries=0) as client,
        client.messages.stream(model="m", messages=HELLO, max_tokens=9) as stream,
    ):
        yield from stream.text_stream


def asking_gemini(url: str) -> Iterator[Any]:
    retries = genai.types.HttpRetryOptions(attempts=1)
    options = genai.types.HttpOptions(base_url=url, retry_options=retries)
    with closing(genai.Client(api_key="none", http_options=options)) as client:
        yield from (chunk.text for chunk in client.models.generate_content_stream(model="m", contents="hi") if chunk.text)


def asking_bedrock(url: str) -> Iterator[Any]:
    client: Any = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(retries={"total_max_attempts": 1}),
    )
    with closing(client):
        answer = client.converse_stream(modelId="m", messages=[{"role": "user", "content": [{"text": "hi"}]}])
        with closing(answer["stream"]) as stream:
            for event in stream:
                if text := event.get("contentBlockDelta", {}).get("delta", {}).get("text"):
                    yield text


def asking_mistral(url: str) -> Iterator[Any]:
    with Mistral(api_key="none", server_url=url) as client, client.chat.stream(model="m", messages=HELLO) as stream:
        for event in stream:
            yield from (choice.delta.content for choice in event.data.choices if choice.delta.content)


def asking_cohere(url: str) -> Iterator[Any]:
    """Its client gives errors out as what the last event says."""
    with httpx.Client() as carrier:
        client: Any = cohere.ClientV2(api_key="none", base_url=url, httpx_client=carrier)
        for event in client.chat_stream(model="m", messages=HELLO):
            if event.type == "content-delta" and event.delta.message.content.text:
                yield event.delta.message.content.text
            if event.type == "message-end" and event.delta.finish_reason == "ERROR":
                raise GivenOut(event.delta.error)


def asking_ollama(url: str) -> Iterator[Any]:
    client: Any = ollama.Client(url)
    with closing(client._client):
        yield from (part.message.content for part in client.chat("m", HELLO, stream=True) if part.message.content)


class GivenOut(Exception):
    """An error that a client does not raise but gives out as an event of its own type."""


CLIENTS: Final[dict[str, tuple[Callable[[str], Iterator[Any]], type[Exception]]]] = {
    "openai_chat": (asking_openai, openai.APIError),
    "openai_responses": (asking_responses, GivenOut),
    "anthropic": (asking_anthropic, anthropic.APIStatusError),
    "gemini": (asking_gemini, genai.errors.APIError),
    "bedrock": (asking_bedrock, EventStreamError),
    "mistral": (asking_mistral, MistralError),
    "cohere": (asking_cohere, GivenOut),
    "ollama": (asking_ollama, ollama.ResponseError),
}
"""By dialect: what its official client hears of a stream, and how it tells an error in it."""

by_name = pytest.mark.parametrize("name", CLIENTS)
SAID: Final[list[Delta.T]] = [Delta.Start("m", "c"), Delta.Text(0, "Hel"), Delta.Text(0, "lo.")]
END: Final[list[Delta.T]] = [Delta.Tokens(Usage(input=5, output=2)), Delta.Stop(StopReason(StopKind.END))]
CODES: Final = (
    *(None, "overloaded_error", "rate_limit_exceeded", "UNAVAILABLE", "throttlingException", "503", "my own words"),
    *("408", "1", "-5", "1" * 30),
)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as running:
        yield running


def heard(server: Loopback, name: str, deltas: list[Delta.T]) -> Iterator[Any]:
    """What the client hears of a stream."""
    framing = DIALECTS[name].framing
    write: Any = DIALECTS[name].write_stream
    data = b"".join(framing.encode(write(deltas)))
    server.will(Reply(body=data, headers={"content-type": framing.media_type}))
    return CLIENTS[name][0](server.url)


def test_every_folder_has_its_client() -> None:
    from chatadt.dialects import FOLDERS

    assert set(FOLDERS) == CLIENTS.keys()


@by_name
def test_an_answer_is_heard_to_its_end(name: str, server: Loopback) -> None:
    assert "".join(heard(server, name, [*SAID, *END])) == "Hello."


@by_name
def test_what_breaks_off_is_heard_as_far_as_it_came(name: str, server: Loopback) -> None:
    texts: Any = heard(server, name, SAID)
    assert "".join(next(texts) for _ in range(2)) == "Hello."
    texts.close()


@by_name
@pytest.mark.parametrize("code", CODES)
def test_an_error_is_told_as_the_client_tells_errors(name: str, code: str | None, server: Loopback) -> None:
    texts = heard(server, name, [*SAID, Delta.Failed(ProviderError("Too much to do", code))])
    with pytest.raises(CLIENTS[name][1]) as raised:
        list(texts)
    assert "Too much to do" in words_of(raised.value)


@by_name
def test_an_error_of_each_dialect_is_told_as_each_client_tells_errors(name: str, server: Loopback) -> None:
    for source in CLIENTS:
        write: Any = DIALECTS[source].write_stream
        read: Any = DIALECTS[source].read_stream
        deltas = list(read(write([*SAID, Delta.Failed(ProviderError("Too much to do", "overloaded_error"))])))
        with pytest.raises(CLIENTS[name][1]) as raised:
            list(heard(server, name, deltas))
        assert "Too much to do" in words_of(raised.value), source


def words_of(error: Exception) -> str:
    """What an error says, and the event that it is about: Mistral's client quotes only the beginning of that."""
    return f"{error} {getattr(error, 'body', '')}"
