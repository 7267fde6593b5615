"""Each adapter with its official SDK, before a server that plays recorded bodies: nothing is changed on the way, there or back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import pytest
from attrs import evolve
from returns.result import Failure, Success

from chatadt import DIALECTS, ChatRequest, Message, ModelParams, fold
from chatadt.clients import ChatError
from chatadt.clients._how import written
from tests.clients.loopback import Loopback, json_reply, loopback
from tests.clients.stages import WIRES, Wire
from tests.wire.corpus import WIRE, Recording, present, read_file, recorded, report

pytestmark = present

FAMILIES: Final[Mapping[str, str]] = {"bedrock": "bedrock_converse", "cohere": "cohere_v2"}
"""By dialect: what the corpus calls its family, where the names differ."""

MOST: Final = 15
"""Bodies of one kind: every so many, so that all recorders are among them."""

REQUEST: Final = ChatRequest([Message.User("hi")], ModelParams(model="some-model", max_output_tokens=10))

FEWEST: Final[Mapping[str, Mapping[str, int]]] = {"ollama": {"request": 15, "response": 10, "stream": 5}}
"""By dialect and kind: how many bodies a test is about at the least, where fewer were recorded than of others."""

each_wire = pytest.mark.parametrize("name", WIRES)


def sample(name: str, kind: str) -> Iterator[Recording]:
    family = FAMILIES.get(name, name)
    every = [row for row in recorded(family, kind) if name != "bedrock" or row.dialect == family]  # InvokeModel is not Converse
    return iter(every[:: max(1, len(every) // MOST)])


def fewest(name: str, kind: str) -> int:
    return FEWEST.get(name, {"request": 14, "response": 14, "stream": 11})[kind]


@each_wire
def test_a_recorded_answer_is_read_as_it_was_sent(name: str) -> None:
    wire, wrong, count = WIRES[name], list[str](), 0
    read: Any = DIALECTS[name].read_response
    with loopback() as server:
        forms = wire.forms(server.url)
        for row in sample(name, "response"):
            expected = read(row.body)
            if isinstance(expected, Failure):
                continue
            server.will(wire.whole(row.body))
            count += 1
            if forms.chat(REQUEST) != expected:
                wrong.append(row.id)
        forms.close()
    assert count >= fewest(name, "response")
    assert not wrong, report("read otherwise than it was sent", wrong, count)


@each_wire
def test_a_recorded_stream_is_read_as_it_was_sent(name: str) -> None:
    wire, wrong, count = WIRES[name], list[str](), 0
    read: Any = DIALECTS[name].read_stream
    with loopback() as server:
        forms = wire.forms(server.url)
        for row in sample(name, "stream"):
            events = [event for event in row.body if isinstance(event, dict)]
            server.will(wire.stream(events))
            count += 1
            if forms.streaming(REQUEST).map(fold) != Success(fold(read(events))):
                wrong.append(row.id)
        forms.close()
    assert count >= fewest(name, "stream")
    assert not wrong, report("read otherwise than it was sent", wrong, count)


@each_wire
def test_the_asynchronous_client_reads_what_was_recorded_as_it_was_sent(name: str) -> None:
    wire, wrong, count = WIRES[name], list[str](), 0
    read: Any = DIALECTS[name].read_response
    read_stream: Any = DIALECTS[name].read_stream

    async def ask(server: Loopback) -> None:
        nonlocal count
        chat, streaming, close = wire.forms(server.url).later()
        for row in sample(name, "response"):
            expected = read(row.body)
            if isinstance(expected, Success):
                server.will(wire.whole(row.body))
                wrong.extend([row.id] if await chat(REQUEST) != expected else [])
                count += 1
        for row in sample(name, "stream"):
            events = [event for event in row.body if isinstance(event, dict)]
            server.will(wire.stream(events))
            answer = fold([delta async for delta in (await streaming(REQUEST)).unwrap()])
            wrong.extend([row.id] if answer != fold(read_stream(events)) else [])
            count += 1
        await close()

    with loopback() as server:
        asyncio.run(ask(server))
    assert count >= fewest(name, "response") + fewest(name, "stream")
    assert not wrong, report("read otherwise than it was sent", wrong, count)


@each_wire
@pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")  # of models that were recorded long ago
def test_a_recorded_request_is_sent_as_it_is_written(name: str) -> None:
    wire, wrong, count = WIRES[name], list[str](), 0
    with loopback() as server:
        forms = wire.forms(server.url)
        for row in sample(name, "request"):
            request = DIALECTS[name].read_request(row.body)
            if isinstance(request, Failure):
                continue
            asked = named(request.unwrap())
            body = written(asked, DIALECTS[name], {"policy": "lenient", "report": lambda losses: None}).unwrap().body
            got = sent(wire, server, forms, asked)
            wrong += [row.id] if got != as_json({**in_body(body, IN_URL.get(name)), **wire.beside}) else []
            count += 1
        forms.close()
    assert count >= fewest(name, "request")
    assert not wrong, report("sent otherwise than it was written", wrong, count)


def named(request: ChatRequest) -> ChatRequest:
    params = request.params
    return request if params.model else evolve(request, params=evolve(params, model="some-model"))


def sent(wire: Wire, server: Loopback, forms: Any, request: ChatRequest) -> Any:
    """What the server got for a request; None where nothing was sent."""
    server.asked.clear()
    server.will(json_reply({"error": {"message": "no", "type": "invalid_request_error"}}, 400))
    forms.lenient(request)
    return server.asked[0].body if server.asked else None


IN_URL: Final[Mapping[str, str]] = {"gemini": "model", "bedrock": "modelId"}
"""By dialect: the field that goes into the URL."""


def in_body(body: Any, in_url: str | None) -> Any:
    return {key: value for key, value in body.items() if key != in_url}


def as_json(body: Any) -> Any:
    return json.loads(json.dumps(body))


ERRORS: Final[Mapping[str, type]] = {
    "invalid_api_key": ChatError.Unauthorized,
    "authentication_error": ChatError.Unauthorized,
    "permission_error": ChatError.Unauthorized,
    "insufficient_quota": ChatError.RateLimited,
    "RESOURCE_EXHAUSTED": ChatError.RateLimited,
    "context_length_exceeded": ChatError.TooLong,
    "content_filter": ChatError.Filtered,
    "not_found_error": ChatError.Invalid,
    "model_not_found": ChatError.Invalid,
}
"""By the provider's own code: the case that it is, said here by people."""

BY_STATUS: Final[Mapping[int, tuple[type, ...]]] = {
    400: (ChatError.Invalid, ChatError.TooLong, ChatError.Filtered, ChatError.Unauthorized, ChatError.RateLimited),
    401: (ChatError.Unauthorized,),
    403: (ChatError.Unauthorized,),
    404: (ChatError.Invalid,),
    429: (ChatError.RateLimited,),
}


@each_wire
def test_a_recorded_error_is_a_failure_of_the_right_case_in_the_words_of_the_provider(name: str) -> None:
    wire, count = WIRES[name], 0
    if not errors(FAMILIES.get(name, name)):
        pytest.skip(f"no error of {name} was recorded")
    with loopback() as server:
        forms = wire.forms(server.url)
        for row in errors(FAMILIES.get(name, name)):
            if row.status < 400 or not isinstance(row.body, dict):
                continue
            for form in (forms.chat, forms.streaming):
                server.will(json_reply(row.body, row.status))
                match cast("Any", form)(REQUEST):
                    case Failure(error):
                        assert isinstance(error, BY_STATUS[row.status]), (row.id, error)
                        assert isinstance(error, ERRORS.get(error.error.code or "", object)), (row.id, error)
                        assert error.error.message in json.dumps(row.body, ensure_ascii=False).replace('\\"', '"').replace(
                            "\\n", "\n"
                        )
                    case Success(answer):
                        pytest.fail(f"{row.id}: {answer!r}")
            count += 1
        forms.close()
    assert count >= 2


def errors(family: str) -> list[Recording]:
    return [row for row in read_file(WIRE / "errors.jsonl") if row.family == family]
