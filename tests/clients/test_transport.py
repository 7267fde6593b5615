"""What the network does to a chat: it is late, breaks, is not there; and what a chat does to it: it hangs up when it is told to."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pytest
from attrs import evolve
from returns.result import Failure

from chatadt import DIALECTS, ChatRequest, Content, Delta, Message, ModelParams, ProviderError, StopKind, deltas_of, fold
from chatadt.clients import ChatError, Deltas
from chatadt.laws import recut
from tests.clients.loopback import Loopback, Reply, json_reply, loopback
from tests.clients.stages import WIRES, Wire
from tests.clients.test_contract import REQUEST, SAID

each_wire = pytest.mark.parametrize("name", WIRES)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as found:
        yield found


def first_events(wire: Wire, count: int = 4, **other: bool) -> Reply:
    """A stream that says its first events, and then nothing more that matters."""
    write = DIALECTS[wire.dialect].write_stream
    assert write is not None
    return wire.stream(list(write(recut(deltas_of(SAID), 2)))[:count], **other)


@each_wire
def test_to_close_a_stream_closes_the_connection(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    server.will(first_events(wire, hangs=True))
    with forms.streaming(REQUEST).unwrap() as deltas:
        assert isinstance(next(deltas), Delta.Start)
        assert not server.gone.is_set()
    assert server.gone.wait(5)
    forms.close()


class Own(Exception):
    """What a reader of a stream may raise."""


LEAVINGS: Final = ("breaks off", "closes before it reads", "raises")


@each_wire
@pytest.mark.parametrize("how", LEAVINGS)
def test_to_leave_an_asynchronous_stream_closes_the_connection_and_says_nothing(
    name: str, how: str, server: Loopback, capfd: pytest.CaptureFixture[str]
) -> None:
    wire = WIRES[name]

    async def leave() -> bool:
        server.will(first_events(wire, hangs=True))
        _, streaming, close = wire.forms(server.url).later()
        deltas = (await streaming(REQUEST)).unwrap()
        with suppress(Own):
            async with deltas:
                if how != LEAVINGS[1]:
                    await anext(deltas)
                if how == LEAVINGS[2]:
                    raise Own
        assert [delta async for delta in deltas] == []
        is_gone = await asyncio.to_thread(server.gone.wait, 5)
        await close()
        return is_gone

    assert asyncio.run(leave())
    gc.collect()
    assert capfd.readouterr().err == ""


@each_wire
def test_a_closed_stream_has_no_more_deltas(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    server.will(first_events(wire))
    deltas = forms.streaming(REQUEST).unwrap()
    next(deltas)
    deltas.close()
    assert list(deltas) == []
    forms.close()


def test_to_close_deltas_closes_the_generator_that_they_come_from() -> None:
    said: list[str] = []

    def generated() -> Iterator[Delta.T]:
        try:
            yield Delta.Text(0, "a")
            yield Delta.Text(0, "b")
        finally:
            said.append("closed")

    deltas = Deltas(generated())
    next(deltas)
    deltas.close()
    assert said == ["closed"]
    assert list(deltas) == []


@each_wire
def test_a_cancelled_task_closes_the_connection_of_its_stream(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    server.will(first_events(wire, hangs=True))

    async def read(began: asyncio.Event) -> None:
        _, streaming, close = wire.forms(server.url).later()
        try:
            async with (await streaming(REQUEST)).unwrap() as deltas:
                async for _ in deltas:
                    began.set()
        finally:
            await close()

    async def cancel() -> bool:
        began = asyncio.Event()
        task = asyncio.create_task(read(began))
        await asyncio.wait_for(began.wait(), 5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.to_thread(server.gone.wait, 5)

    assert asyncio.run(cancel())


@each_wire
def test_a_stream_whose_connection_breaks_says_so_and_keeps_what_came(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    server.will(first_events(wire, breaks=True))
    answer = fold(forms.streaming(REQUEST).unwrap())
    assert answer.metadata.error is not None
    assert answer.metadata.error.code == "connection"
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.ERROR
    forms.close()


@each_wire
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")  # no one closes it
def test_a_chat_and_its_stream_hold_the_client_that_nobody_else_holds(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    write, write_stream = DIALECTS[wire.dialect].write_response, DIALECTS[wire.dialect].write_stream
    assert write is not None
    assert write_stream is not None
    chat = wire.forms(server.url).chat
    gc.collect()
    server.will(wire.whole(write(SAID).value), wire.stream(write_stream(deltas_of(SAID))))
    assert chat(REQUEST).unwrap().message.text == SAID.message.text
    deltas = wire.forms(server.url).streaming(REQUEST).unwrap()
    gc.collect()
    assert fold(deltas).message.text == SAID.message.text
    del chat, deltas
    gc.collect()  # here, where the warning of the socket is expected


@each_wire
def test_where_nobody_listens_the_provider_is_unreachable(name: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    forms = WIRES[name].forms(url)
    for form in (forms.chat, forms.streaming):
        assert isinstance(form(REQUEST).failure(), ChatError.Unreachable)
    forms.close()


@each_wire
def test_an_answer_that_is_late_is_timed_out(name: str, server: Loopback) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        forms = WIRES[name].hasty(f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert isinstance(forms.chat(REQUEST).failure(), ChatError.TimedOut)
        forms.close()


@each_wire
@pytest.mark.parametrize("body", [b"<html>Welcome to the proxy</html>", b"[1, 2]", b"{}", b'"text"'])
def test_an_answer_that_is_none_is_unreadable(name: str, body: bytes, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    server.will(Reply(200, body))
    failure = forms.chat(REQUEST).failure()
    assert isinstance(failure, ChatError.Unreadable)
    assert str(failure)
    forms.close()


@each_wire
def test_what_cannot_be_said_is_never_sent(name: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    foreign = Message.User(["hi", Content.Custom("elsewhere", {"type": "hologram"})])
    failure = forms.chat(ChatRequest([foreign], REQUEST.params)).failure()
    assert isinstance(failure, ChatError.Unsayable)
    assert "elsewhere" in str(failure)
    assert server.asked == []
    forms.close()


@pytest.mark.parametrize("name", [name for name in WIRES if name != "ollama"])  # which takes a call that nobody answered
def test_a_call_without_its_result_is_never_sent(name: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    unanswered = Message.Assistant([Content.ToolRequest("c1", "weather", {})])
    failure = forms.chat(ChatRequest([Message.User("hi"), unanswered, Message.User("well?")], REQUEST.params)).failure()
    assert isinstance(failure, ChatError.Unsayable)
    assert "no tool result" in str(failure)
    assert server.asked == []
    forms.close()


@each_wire
@pytest.mark.parametrize("form", ["chat", "streaming"])
def test_the_model_is_asked_by_its_name_and_nothing_is_told_to_be_lost(
    name: str, form: str, server: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chatadt.clients")
    forms = WIRES[name].forms(server.url)
    server.will(json_reply({}, 400))
    getattr(forms, form)(ChatRequest([Message.User("hi")], REQUEST.params))
    assert "some-model" in server.asked[0].path + json.dumps(server.asked[0].body)
    assert caplog.messages == []
    forms.close()


NEW: Final = {"newest": {"deep": [1, None, {"text": "ü"}], "sure": True}}
"""A field that no client knows."""


@each_wire
def test_a_field_newer_than_the_client_is_sent_or_refused_by_it_and_never_dropped(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    request = evolve(REQUEST, params=evolve(REQUEST.params, extras={name: NEW}))
    for form in (forms.chat, forms.streaming):
        server.will(json_reply({}, 400))
        failure = form(request).failure()
        if name == "bedrock":
            assert isinstance(failure, ChatError.Invalid)
            assert "newest" in str(failure)
            assert server.asked == []
        else:
            assert server.asked.pop().body["newest"] == NEW["newest"]
    forms.close()


@each_wire
def test_a_field_newer_than_the_client_is_read(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    write, read = DIALECTS[wire.dialect].write_response, DIALECTS[wire.dialect].read_response
    assert write is not None
    assert read is not None
    body = {**write(SAID).value, **NEW}
    forms = wire.forms(server.url)
    server.will(wire.whole(body))
    answer = forms.chat(REQUEST).unwrap()
    assert answer == read(body).unwrap()
    assert answer.metadata.extras.of(name)["newest"] == NEW["newest"]
    forms.close()


@each_wire
def test_a_request_that_names_no_model_is_never_sent(name: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    failure = forms.chat(evolve(REQUEST, params=ModelParams())).failure()
    assert "$.params.model" in str(failure)
    assert server.asked == []
    forms.close()


@each_wire
def test_the_body_of_an_error_stands_in_its_extras(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    status, body = wire.errors[ChatError.Invalid]
    server.will(json_reply(body, status))
    match forms.chat(REQUEST):
        case Failure(ChatError.Invalid(error=ProviderError() as error)):
            assert error.extras.of(name) == body
        case other:
            pytest.fail(repr(other))
    forms.close()
