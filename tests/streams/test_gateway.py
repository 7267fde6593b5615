"""The server of docs/how-to/serve-another-dialect.md, run as the page has it, between real sockets and the official clients."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import anthropic
import httpx
import openai
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from wire.corpus import present, recordings

from chatadt import DIALECTS, fold, sse

PAGE: Final = Path(__file__).parents[2] / "docs" / "how-to" / "serve-another-dialect.md"
SECONDS: Final = 20.0


@cache
def gateway() -> Callable[..., Starlette]:
    """What the page defines."""
    names: dict[str, Any] = {}
    exec("\n\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)), names)
    return names["gateway"]


# A provider that is none.

TEXT: Final = ("Hel", "lo, ", "wörld.")
ARGUMENTS: Final = {"city": "Köln"}


def anthropic_event(**data: Any) -> dict[str, Any]:
    return {"event": data["type"], "data": data}


BEGUN: Final = anthropic_event(
    type="message_start",
    message={
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-8",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 1},
    },
)
OPENED: Final = anthropic_event(type="content_block_start", index=0, content_block={"type": "text", "text": ""})


def said_by_claude(text: str) -> dict[str, Any]:
    return anthropic_event(type="content_block_delta", index=0, delta={"type": "text_delta", "text": text})


CLAUDE: Final = [
    BEGUN,
    OPENED,
    anthropic_event(type="ping"),
    *map(said_by_claude, TEXT),
    anthropic_event(type="content_block_stop", index=0),
    anthropic_event(
        type="content_block_start", index=1, content_block={"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}
    ),
    *(
        anthropic_event(type="content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": piece})
        for piece in ('{"ci', 'ty": "Köln"}')
    ),
    anthropic_event(type="content_block_stop", index=1),
    anthropic_event(type="message_delta", delta={"stop_reason": "tool_use", "stop_sequence": None}, usage={"output_tokens": 7}),
    anthropic_event(type="message_stop"),
]


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5"}
    return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


CALL: Final = {"index": 0, "id": "toolu_1", "type": "function", "function": {"name": "weather", "arguments": ""}}
GPT: Final = [
    chunk({"role": "assistant", "content": ""}),
    *(chunk({"content": text}) for text in TEXT),
    chunk({"tool_calls": [CALL]}),
    *(chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in ('{"ci', 'ty": "Köln"}')),
    chunk({}, "tool_calls"),
    {**chunk({}), "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16}},
]
EVENTS: Final = {"anthropic": CLAUDE, "openai_chat": GPT}


def framed(dialect: str, events: list[Any]) -> bytes:
    return b"".join(sse.encode(events, done=dialect == "openai_chat"))


class Provider:
    """A server that answers what it is told to, and remembers what it was asked."""

    def __init__(self, dialect: str, play: Callable[[Any], Response] | None = None) -> None:
        self.dialect = dialect
        self.asked: list[Any] = []
        self.play = play or self.answer
        self.app = Starlette(routes=[Route("/", self.serve, methods=["POST"])])

    async def serve(self, request: Request) -> Response:
        self.asked.append(await request.json())
        return self.play(self.asked[-1])

    def answer(self, body: Any) -> Response:
        events = EVENTS[self.dialect]
        if body.get("stream"):
            data = framed(self.dialect, events)
            pieces = (data[at : at + 50] for at in range(0, len(data), 50))  # which no event ends with
            return StreamingResponse(pieces, media_type="text/event-stream; charset=utf-8")
        dialect = DIALECTS[self.dialect]
        return JSONResponse(dialect.write_response(fold(dialect.read_stream(events))).value)  # type: ignore[misc]


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """The address of an app on a free port of this machine."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="none", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            until(lambda: server.started or not thread.is_alive())
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(SECONDS)


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; it is an error if it never does."""
    end = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.005)


PATHS: Final = {"openai_chat": "/v1/chat/completions", "anthropic": "/v1/messages", "openai_responses": "/v1/responses"}
OTHER: Final = {"openai_chat": "anthropic", "anthropic": "openai_chat", "openai_responses": "anthropic"}
by_served = pytest.mark.parametrize("served", PATHS)


@contextmanager
def between(served: str, provider: Provider) -> Iterator[str]:
    """The address of the page's server, before a provider."""
    with (
        serving(provider.app) as there,
        serving(gateway()(served, PATHS[served], provider.dialect, there, "some-model", {"x-api-key": "k"})) as here,
    ):
        yield here


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


# The official clients.

HELLO: Final = [{"role": "user", "content": "How is the weather in Köln?"}]
TO_OPENAI: Final[dict[str, Any]] = {"model": "gpt-5", "messages": HELLO}
TO_RESPONSES: Final[dict[str, Any]] = {"model": "gpt-5", "input": HELLO}
TO_ANTHROPIC: Final[dict[str, Any]] = {"model": "claude-opus-4-8", "messages": HELLO, "max_tokens": 100}
EXPECTED: Final = ("Hello, wörld.", "toolu_1", "weather", ARGUMENTS, "tool_calls", 9, 7)
"""The text, the id, name and arguments of the call, why the model stopped, and the tokens in and out."""


def of_chat(answer: Any) -> Any:
    (choice,) = answer.choices
    (call,) = choice.message.tool_calls
    told = choice.message.content, call.id, call.function.name, json.loads(call.function.arguments), choice.finish_reason
    return *told, answer.usage.prompt_tokens, answer.usage.completion_tokens


def of_messages(answer: Any) -> Any:
    text, call = answer.content
    stop = {"tool_use": "tool_calls"}[answer.stop_reason]
    return text.text, call.id, call.name, call.input, stop, answer.usage.input_tokens, answer.usage.output_tokens


def of_responses(answer: Any) -> Any:
    (call,) = [item for item in answer.output if item.type == "function_call"]
    stop = {"completed": "tool_calls"}[answer.status]
    told = answer.output_text, call.call_id, call.name, json.loads(call.arguments), stop
    return *told, answer.usage.input_tokens, answer.usage.output_tokens


def asked_whole(served: str, address: str) -> Any:
    match served:
        case "openai_chat":
            with openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
                return of_chat(client.chat.completions.create(**TO_OPENAI))
        case "openai_responses":
            with openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
                return of_responses(client.responses.create(**TO_RESPONSES))
        case _:
            with anthropic.Anthropic(base_url=address, api_key="k", max_retries=0) as client:
                return of_messages(client.messages.create(**TO_ANTHROPIC))


def asked_in_pieces(served: str, address: str) -> Any:
    match served:
        case "openai_chat":
            with (
                openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.chat.completions.stream(**TO_OPENAI, stream_options={"include_usage": True}) as stream,
            ):
                return of_chat(stream.get_final_completion())
        case "openai_responses":
            with (
                openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.responses.stream(**TO_RESPONSES) as stream,
            ):
                return of_responses(stream.get_final_response())
        case _:
            with (
                anthropic.Anthropic(base_url=address, api_key="k", max_retries=0) as client,
                client.messages.stream(**TO_ANTHROPIC) as stream,
            ):
                return of_messages(stream.get_final_message())


async def asked_whole_later(served: str, address: str) -> Any:
    match served:
        case "openai_chat":
            async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
                return of_chat(await client.chat.completions.create(**TO_OPENAI))
        case "openai_responses":
            async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
                return of_responses(await client.responses.create(**TO_RESPONSES))
        case _:
            async with anthropic.AsyncAnthropic(base_url=address, api_key="k", max_retries=0) as client:
                return of_messages(await client.messages.create(**TO_ANTHROPIC))


async def asked_in_pieces_later(served: str, address: str) -> Any:
    match served:
        case "openai_chat":
            async with (
                openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.chat.completions.stream(**TO_OPENAI, stream_options={"include_usage": True}) as stream,
            ):
                return of_chat(await stream.get_final_completion())
        case "openai_responses":
            async with (
                openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.responses.stream(**TO_RESPONSES) as stream,
            ):
                return of_responses(await stream.get_final_response())
        case _:
            async with (
                anthropic.AsyncAnthropic(base_url=address, api_key="k", max_retries=0) as client,
                client.messages.stream(**TO_ANTHROPIC) as stream,
            ):
                return of_messages(await stream.get_final_message())


@by_served
def test_the_official_clients_get_the_answer_whole_and_in_pieces_sync_and_async(served: str) -> None:
    provider = Provider(OTHER[served])
    with between(served, provider) as address:
        assert asked_whole(served, address) == EXPECTED
        assert asked_in_pieces(served, address) == EXPECTED
        assert asyncio.run(asked_whole_later(served, address)) == EXPECTED
        assert asyncio.run(asked_in_pieces_later(served, address)) == EXPECTED
    assert [asked["model"] for asked in provider.asked] == ["some-model"] * 4
    assert [bool(asked.get("stream")) for asked in provider.asked] == [False, True, False, True]


@present
@by_served
def test_recorded_streams_reach_the_official_clients(served: str) -> None:
    """Those of one text, which a person would compare by eye."""
    source = OTHER[served]
    texts = {row.id: fold(DIALECTS[source].read_stream(row.body)) for row in recordings(source, "stream")}  # type: ignore[misc]
    plain = [
        row
        for row in recordings(source, "stream")
        if not texts[row.id].metadata.error and len(texts[row.id].message.contents) == 1 and texts[row.id].message.text
    ][:5]
    assert len(plain) == 5
    replies = (Response(framed(source, list(row.body)), media_type="text/event-stream") for row in plain)
    with between(served, Provider(source, lambda _: next(replies))) as address:
        for row in plain:
            assert "".join(hearing(served, address)) == texts[row.id].message.text, row.id


def hearing(served: str, address: str) -> Iterator[str]:
    """The texts of a stream, as its client gives them."""
    match served:
        case "openai_chat":
            with (
                openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.chat.completions.create(**TO_OPENAI, stream=True) as stream,
            ):
                for chunk in stream:
                    yield from (choice.delta.content for choice in chunk.choices if choice.delta.content)
        case "openai_responses":
            with (
                openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client,
                client.responses.create(**TO_RESPONSES, stream=True) as stream,
            ):
                yield from (event.delta for event in stream if event.type == "response.output_text.delta")
        case _:
            with (
                anthropic.Anthropic(base_url=address, api_key="k", max_retries=0) as client,
                client.messages.stream(**TO_ANTHROPIC) as stream,
            ):
                yield from stream.text_stream


# What it says that it does.


class Slow(Provider):
    """A provider that says one text, and then nothing until it is told to, or goes on without end."""

    def __init__(self, dialect: str, *, talks: bool = False) -> None:
        super().__init__(dialect, lambda _: StreamingResponse(self.events(), media_type="text/event-stream"))
        self.talks = talks
        self.told = self.closed = False
        self.count = 0

    async def events(self) -> AsyncIterator[bytes]:
        first = {"anthropic": [BEGUN, OPENED, said_by_claude("one")], "openai_chat": [chunk({"content": "one"})]}[self.dialect]
        more = {"anthropic": said_by_claude("two"), "openai_chat": chunk({"content": "two"})}[self.dialect]
        try:
            for event in first:
                yield framed("", [event])
            while self.talks or not self.told:
                await asyncio.sleep(0.005)
                if self.talks:
                    self.count += 1
                    yield framed("", [more])
            yield framed("", [more])
        finally:
            self.closed = True


@by_served
def test_an_event_goes_out_before_the_next_one_came(served: str) -> None:
    provider = Slow(OTHER[served])
    with between(served, provider) as address:
        texts = hearing(served, address)
        assert next(texts) == "one"
        assert not provider.told
        provider.told = True
        assert next(texts) == "two"
        texts.close()  # type: ignore[attr-defined]


@by_served
@pytest.mark.parametrize("talks", [False, True], ids=["while nothing comes", "while much comes"])
def test_a_client_that_goes_away_stops_the_reading(served: str, talks: bool) -> None:
    provider = Slow(OTHER[served], talks=talks)
    with between(served, provider) as address:
        texts = hearing(served, address)
        assert next(texts) == "one"
        assert not provider.closed
        texts.close()  # type: ignore[attr-defined]
        until(lambda: provider.closed)
    assert provider.count < SECONDS / 0.005


OVERLOADED: Final = {"type": "error", "error": {"type": "overloaded_error", "message": "Too much to do"}}


@by_served
def test_an_error_keeps_its_status_and_its_message(served: str) -> None:
    provider = Provider(OTHER[served], lambda _: JSONResponse(OVERLOADED, 529))
    with between(served, provider) as address:
        for ask in (asked_whole, asked_in_pieces):
            with pytest.raises((openai.APIStatusError, anthropic.APIStatusError), match="Too much to do") as raised:
                ask(served, address)
            assert raised.value.status_code == 529


@pytest.mark.parametrize("served", ["openai_chat", "anthropic"])  # the client of Responses gives errors out as events
def test_an_error_in_the_middle_is_raised_by_the_client(served: str) -> None:
    error = {"anthropic": {"event": "error", "data": OVERLOADED}, "openai_chat": {"error": OVERLOADED["error"]}}[OTHER[served]]
    data = framed("", [*EVENTS[OTHER[served]][:4], error])
    provider = Provider(OTHER[served], lambda _: Response(data, media_type="text/event-stream"))
    with between(served, provider) as address:
        texts = hearing(served, address)
        assert next(texts) == "Hel"
        with pytest.raises((openai.APIError, anthropic.APIError), match="Too much to do"):
            list(texts)


def test_a_request_that_cannot_be_read_is_refused_with_the_reason() -> None:
    with between("openai_chat", Provider("anthropic")) as address:
        reply = httpx.post(f"{address}/v1/chat/completions", json={"messages": 5})
    assert reply.status_code == 400
    assert "$.messages" in reply.json()["error"]["message"]


def test_an_answer_that_is_none_is_an_error_of_the_server_behind() -> None:
    with between("openai_chat", Provider("anthropic", lambda _: JSONResponse([1]))) as address:
        reply = httpx.post(f"{address}/v1/chat/completions", json=TO_OPENAI)
    assert reply.status_code == 502
    assert "anthropic" in reply.json()["error"]["message"]


def test_a_provider_that_breaks_off_gives_the_client_no_end() -> None:
    data = framed("", CLAUDE[:4])
    provider = Provider("anthropic", lambda _: Response(data, media_type="text/event-stream"))
    with between("openai_chat", provider) as address:
        reply = httpx.post(f"{address}/v1/chat/completions", json=TO_OPENAI)
    choices = [choice for event in sse.events([reply.content]) for choice in event["choices"]]
    assert choices[-1]["delta"]["content"] == "Hel"
    assert {choice["finish_reason"] for choice in choices} == {None}


def test_a_connection_to_the_provider_that_breaks_breaks_the_answer_off() -> None:
    async def events() -> AsyncIterator[bytes]:
        yield framed("", CLAUDE[:4])
        raise OSError("the cable is cut")

    provider = Provider("anthropic", lambda _: StreamingResponse(events(), media_type="text/event-stream"))
    with between("openai_chat", provider) as address, pytest.raises(httpx.RemoteProtocolError):
        httpx.post(f"{address}/v1/chat/completions", json=TO_OPENAI)


@pytest.mark.parametrize("served", ["openai_chat", "anthropic"])
def test_an_error_that_comes_as_a_stream_or_as_a_page_keeps_its_status(served: str) -> None:
    asked = OTHER[served]
    error = {"anthropic": {"event": "error", "data": OVERLOADED}, "openai_chat": {"error": OVERLOADED["error"]}}[asked]
    for status, media_type, body in (
        (529, "text/event-stream", framed("", [error])),
        (502, "text/html", b"<h1>Too much to do</h1>"),
    ):
        provider = Provider(asked, lambda _, reply=(body, status, media_type): Response(reply[0], reply[1], None, reply[2]))
        with between(served, provider) as address:
            for ask in (asked_whole, asked_in_pieces):
                with pytest.raises((openai.APIStatusError, anthropic.APIStatusError), match="Too much to do") as raised:
                    ask(served, address)
                assert raised.value.status_code == status


@pytest.mark.parametrize("broken", [CLAUDE[:4], [*CLAUDE[:4], {"event": "error", "data": OVERLOADED}]], ids=["breaks off", "fails"])
def test_what_does_not_end_is_served_without_the_mark_of_an_end(broken: list[Any]) -> None:
    provider = Provider("anthropic", lambda _: Response(framed("", broken), media_type="text/event-stream"))
    with between("openai_chat", provider) as address:
        assert b"[DONE]" not in httpx.post(f"{address}/v1/chat/completions", json=TO_OPENAI).content
    provider = Provider("anthropic", lambda _: Response(framed("", CLAUDE), media_type="text/event-stream"))
    with between("openai_chat", provider) as address:
        assert httpx.post(f"{address}/v1/chat/completions", json=TO_OPENAI).content.endswith(b"data: [DONE]\n\n")
