"""Fields of a request that a client has another use for: they are sent, or refused, and never obeyed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import pytest
from attrs import evolve
from google import genai
from returns.result import Failure

from chatadt import DIALECTS, ChatRequest, Message, ModelParams, deltas_of, fold
from chatadt.clients import ChatError, gemini
from tests.clients.loopback import Asked, Loopback, json_reply, loopback
from tests.clients.stages import WIRES, Forms
from tests.clients.test_contract import REQUEST, SAID

each_wire = pytest.mark.parametrize("name", WIRES)

OPTIONS: Final = (
    "accept_header_override",
    "client",
    "config",
    "extra_body",
    "extra_headers",
    "extra_query",
    "http_headers",
    "http_options",
    "idempotency_key",
    "request_options",
    "retries",
    "self",
    "server_url",
    "timeout",
    "timeout_ms",
    "user_profile_id",
    "workspace_id",
)
"""Keywords of functions of the SDKs, and what these put into headers or addresses."""

VALUES: Final[tuple[Any, ...]] = (
    {"Authorization": "Bearer evil", "model": "expensive", "messages": []},
    0.000001,
    "x",
    5,
    None,
)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as found:
        yield found


def having(name: str, fields: dict[str, Any]) -> ChatRequest:
    return evolve(REQUEST, params=evolve(REQUEST.params, extras={name: fields}))


def later(forms: Forms, which: int, request: ChatRequest) -> Any:
    async def ask() -> Any:
        *calls, close = forms.later()
        try:
            call: Any = calls[which]
            return await call(request)
        finally:
            await close()

    return asyncio.run(ask())


def address(asked: Asked) -> dict[str, str]:
    """What of a request is the client's own."""
    moving = {"content-length", "x-amz-date", "amz-sdk-invocation-id", "authorization" if "amz" in str(asked.headers) else ""}
    return {"path": asked.path, **{key.lower(): value for key, value in asked.headers.items() if key.lower() not in moving}}


@each_wire
@pytest.mark.parametrize("form", ["chat", "streaming", "later", "later streaming"])
def test_no_field_is_an_option_of_the_client(name: str, form: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    calls: dict[str, Callable[[ChatRequest], Any]] = {
        "chat": forms.chat,
        "streaming": forms.streaming,
        "later": partial(later, forms, 0),
        "later streaming": partial(later, forms, 1),
    }
    call = calls[form]
    refusal = json_reply({"error": {"message": "no"}}, 400)
    server.will(refusal)
    call(REQUEST)
    plain = server.asked.pop()
    for value in VALUES:
        fields: dict[str, Any] = {option: value for option in OPTIONS}  # noqa: C420 (its keys are no literals to pyright)
        server.will(refusal)
        failure = call(having(name, fields)).failure()
        assert isinstance(failure, ChatError.Invalid), failure
        if name == "bedrock":  # which knows its fields
            assert server.asked == []
            server.replies.clear()
            continue
        asked = server.asked.pop()
        assert asked.body == {**plain.body, **{key: item for key, item in fields.items() if item is not None or key in asked.body}}
        assert address(asked) == address(plain)
    forms.close()


@pytest.mark.parametrize("field", ["self", "extra_headers", "modelID"])
def test_bedrock_refuses_a_field_that_its_client_does_not_know(field: str, server: Loopback) -> None:
    forms = WIRES["bedrock"].forms(server.url)
    for call in (forms.chat, forms.streaming):
        failure = call(having("bedrock", {field: 5})).failure()
        assert isinstance(failure, ChatError.Invalid)
        assert field in str(failure)
    assert server.asked == []
    forms.close()


@each_wire
@pytest.mark.parametrize("value", [True, False])
def test_whether_an_answer_streams_is_for_the_form_to_say(name: str, value: bool, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    write, write_stream = DIALECTS[name].write_response, DIALECTS[name].write_stream
    assert write is not None
    assert write_stream is not None
    request = having(name, {"stream": value})
    server.will(wire.whole(write(SAID).value), wire.stream(write_stream(deltas_of(SAID))))
    assert forms.chat(request).unwrap().message.text == SAID.message.text
    assert fold(forms.streaming(request).unwrap()).message.text == SAID.message.text
    assert [asked.body.get("stream") for asked in server.asked] in ([None, True], [False, True], [None, None])
    forms.close()


# --- the model in the URL ------------------------------------------------------------------------------------------------------


def asked_for(model: str) -> ChatRequest:
    return ChatRequest([Message.User("hi")], ModelParams(model=model))


@pytest.mark.parametrize("field", ["model", "modelId"])
def test_gemini_is_asked_for_the_model_of_the_request(field: str, server: Loopback) -> None:
    forms = WIRES["gemini"].forms(server.url)
    server.will(json_reply({}, 400))
    request = evolve(REQUEST, params=evolve(REQUEST.params, extras={"gemini": {field: "another"}}))
    assert isinstance(forms.chat(request), Failure)
    assert server.asked[0].path.endswith("/models/some-model:generateContent")
    forms.close()


def test_gemini_is_asked_for_the_model_of_the_adapter_where_a_request_says_another_field(server: Loopback) -> None:
    body = {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "modelId": "x"}
    request = DIALECTS["gemini"].read_request(body).unwrap()
    client = genai.Client(api_key="none", http_options=genai.types.HttpOptions(base_url=server.url))
    server.will(json_reply({}, 400))
    assert isinstance(gemini.chat(client, model="m")(request).failure(), ChatError.Invalid)
    assert server.asked[0].path.endswith("/models/m:generateContent")
    assert server.asked[0].body["modelId"] == "x"


@each_wire
@pytest.mark.parametrize("model", ["m\ud800", "m\n", "m\0", "m#x", "m?alt=y", "a/../b", "..", "m;x", "ü", " "])
def test_a_strange_name_of_a_model_is_sent_or_refused(name: str, model: str, server: Loopback) -> None:
    forms = WIRES[name].forms(server.url)
    for call in (forms.chat, forms.streaming):
        server.will(json_reply({"error": {"message": "no such model"}}, 404))
        failure = call(asked_for(model)).failure()
        assert isinstance(failure, ChatError.Invalid | ChatError.Unsayable), failure
        server.replies.clear()
    for asked in server.asked:
        assert json.dumps(asked.body)
        assert "?" not in asked.path.removesuffix("?alt=sse")
    forms.close()


def test_the_model_in_the_url_of_gemini_is_not_lost(server: Loopback) -> None:
    write = DIALECTS["gemini"].write_response
    assert write is not None
    server.will(json_reply(write(SAID).value))
    client = genai.Client(api_key="none", http_options=genai.types.HttpOptions(base_url=server.url))
    request = ChatRequest([Message.User("q")], ModelParams(model="gemini-3"))
    assert gemini.chat(client, policy="strict")(request).unwrap().message.text == SAID.message.text
    assert "gemini-3" in server.asked[-1].path
    client.close()
