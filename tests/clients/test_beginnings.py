"""How streams begin: what fails before the answer does is a failure, and nothing that came is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

import pytest
from anthropic.lib.bedrock import AnthropicBedrock
from returns.result import Failure, Result, Success

from chatadt import DIALECTS, ChatResponse, Delta, aws_events, deltas_of, fold
from chatadt.clients import ChatError, anthropic
from chatadt.laws import recut
from tests.clients.loopback import Loopback, Reply, loopback
from tests.clients.stages import WIRES, Forms
from tests.clients.test_contract import REQUEST, SAID

each_wire = pytest.mark.parametrize("name", WIRES)
FORMS: Final = ("now", "later")
each_form = pytest.mark.parametrize("form", FORMS)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as found:
        yield found


def streamed(forms: Forms, form: str) -> Result[ChatResponse, ChatError.T]:
    if form == "now":
        return forms.streaming(REQUEST).map(fold)

    async def ask() -> Any:
        _, streaming, close = forms.later()
        try:
            match await streaming(REQUEST):
                case Success(deltas):
                    return Success(fold([delta async for delta in deltas]))
                case failure:
                    return failure
        finally:
            await close()

    return asyncio.run(ask())


def said(kind: str, message: str, **other: Any) -> dict[str, Any]:
    return {"error": {"type": kind, "message": message, **other}}


OVERLOADED: Final[Mapping[str, Any]] = {
    "openai_chat": said("server_error", "overloaded", code=503),
    "openai_responses": {"type": "error", "code": "server_error", "message": "overloaded", "param": None},
    "anthropic": {"event": "error", "data": {"type": "error", **said("overloaded_error", "overloaded")}},
    "gemini": {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}},
    "bedrock": {"throttlingException": {"message": "overloaded"}},
    "mistral": said("server_error", "overloaded", code=503),
    "cohere": {"message": "overloaded"},
    "ollama": {"error": "overloaded"},
}
"""By dialect: an error as an event."""


def first_events(name: str) -> list[Any]:
    write = DIALECTS[name].write_stream
    assert write is not None
    return list(write(recut(deltas_of(SAID), 2)))


@each_wire
@each_form
def test_an_error_as_the_first_event_is_a_failure_and_the_connection_is_closed(name: str, form: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    server.will(wire.stream([OVERLOADED[name]], hangs=True))
    match streamed(forms, form):
        case Failure(ChatError.Broken(error=error) | ChatError.RateLimited(error=error)):
            assert error.message == "overloaded"
        case other:
            pytest.fail(repr(other))
    assert server.gone.wait(5)
    forms.close()


@each_wire
@each_form
def test_an_error_behind_the_first_words_is_in_the_stream(name: str, form: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    read = DIALECTS[name].read_stream
    assert read is not None
    whole = fold(read(first_events(name)))
    beginning = first_events(name)[: 1 if name in ("gemini", "ollama", "mistral", "openai_chat") else 4]
    server.will(wire.stream([*beginning, OVERLOADED[name]]))
    answer = streamed(forms, form).unwrap()
    assert answer.metadata.error is not None
    assert answer.metadata.error.message == "overloaded"
    assert whole.message.text.startswith(answer.message.text)
    forms.close()


@each_wire
@each_form
def test_a_stream_is_a_success_as_soon_as_it_begins(name: str, form: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    server.will(wire.stream(first_events(name)[:1], hangs=True))
    if form == "now":
        with forms.streaming(REQUEST).unwrap() as deltas:
            assert isinstance(next(deltas), Delta.Start)
    else:

        async def begin() -> None:
            _, streaming, close = forms.later()
            async with (await streaming(REQUEST)).unwrap() as deltas:
                assert isinstance(await anext(deltas), Delta.Start)
            await close()

        asyncio.run(begin())
    forms.close()


JSON: Final = {"content-type": "application/json"}
PAGES: Final = ({"content-type": "text/html"}, {"content-type": "text/event-stream"})


@pytest.mark.parametrize("name", [name for name in WIRES if name != "bedrock"])
@each_form
@pytest.mark.parametrize("indent", [None, 2])
def test_an_error_that_is_no_event_is_a_failure_in_the_words_of_the_provider(
    name: str, form: str, indent: int | None, server: Loopback
) -> None:
    forms = WIRES[name].forms(server.url)
    body = {"error": {"message": "No credits left", "code": 402}}
    server.will(Reply(200, json.dumps(body, indent=indent).encode(), JSON))
    failure = streamed(forms, form).failure()
    assert "No credits left" in str(failure)
    if name not in ("mistral", "cohere", "ollama"):  # of which no error with a status of its own is known
        assert isinstance(failure, ChatError.Unauthorized)
    forms.close()


@each_wire
@each_form
@pytest.mark.parametrize("body", [b"", b"<html>\n<p>Welcome to the proxy</p>\n</html>", b"data: [DONE]\n\n", b"[]", b"\xff\n\n"])
def test_a_body_that_is_no_stream_is_unreadable(name: str, form: str, body: bytes, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    for headers in ({"content-type": "text/html"}, {"content-type": WIRES[name].kind}):
        server.will(Reply(200, body, headers))
        failure = streamed(forms, form).failure()
        if name == "bedrock" and body:
            assert isinstance(failure, ChatError.Unreadable | ChatError.Broken)
        else:
            assert isinstance(failure, ChatError.Unreadable), failure
    forms.close()


@pytest.mark.parametrize("name", [name for name in WIRES if name not in ("bedrock", "gemini", "ollama")])
@each_form
def test_an_answer_that_comes_whole_to_a_streaming_chat_is_the_answer(name: str, form: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    write = DIALECTS[name].write_response
    assert write is not None
    server.will(Reply(200, json.dumps(write(SAID).value).encode(), JSON))
    assert streamed(forms, form).unwrap().message.text == SAID.message.text
    forms.close()


BROKEN_TEXT: Final[Mapping[str, bytes]] = {
    "anthropic": b"event: content_block_delta\ndata: \xff\n\n",
    "ollama": b"\xff\n",
    "bedrock": next(iter(aws_events.encode([{"strange": "x"}]))),
}


@each_wire
@each_form
def test_bytes_that_are_no_text_raise_nothing(name: str, form: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    events = first_events(name)
    strange = BROKEN_TEXT.get(name, b"data: \xff\n\n")
    server.will(Reply(200, headers={"content-type": wire.kind}, chunks=tuple(chain([strange], wire.frames(events), [strange]))))
    assert streamed(forms, form).unwrap().message.text == SAID.message.text
    server.will(Reply(200, headers={"content-type": wire.kind}, chunks=(strange,)))
    match streamed(forms, form):
        case Failure(ChatError.Unreadable()):
            pass
        case Success(answer):  # of an event that is none of the dialect
            assert answer.metadata.extras.of(name)
        case other:
            pytest.fail(repr(other))
    forms.close()


@pytest.mark.parametrize("status", [401, 503])
@each_wire
@each_form
def test_an_error_without_a_body_is_of_the_case_of_its_status(name: str, form: str, status: int, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    server.will(Reply(status, b""))
    assert isinstance(streamed(forms, form).failure(), {401: ChatError.Unauthorized, 503: ChatError.Broken}[status])
    forms.close()


@pytest.mark.parametrize("events", ["said", "failed"])
def test_a_stream_of_anthropic_in_the_frames_of_bedrock_is_read(events: str, server: Loopback) -> None:
    client = AnthropicBedrock(
        aws_access_key="none", aws_secret_key="none", aws_region="us-east-1", base_url=server.url, max_retries=0
    )
    failed = aws_events.encode([{"_message_type": "exception", "throttlingException": {"message": "slow down"}}])
    said = [event["data"] for event in first_events("anthropic")]
    frames = aws_events.encode(said, invoke=True) if events == "said" else failed
    server.will(Reply(200, headers={"content-type": "application/vnd.amazon.eventstream"}, chunks=tuple(frames)))
    match anthropic.streaming_chat(client)(REQUEST).map(fold):
        case Success(answer):
            assert events == "said"
            assert answer.message.text == SAID.message.text
            assert "model" not in server.asked[0].body
        case Failure(ChatError.RateLimited(error=error)):
            assert events == "failed"
            assert error.message == "slow down"
        case other:
            pytest.fail(repr(other))
    client.close()
