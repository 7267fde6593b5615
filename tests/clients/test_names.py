"""Names of tools that a server does not take: it is asked under others, and the answer comes back under those of the caller."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final

import openai
import pytest
from attrs import evolve
from hypothesis import given, strategies as st
from returns.result import Failure, Result, Success

from chatadt import (
    DIALECTS,
    ChatRequest,
    ChatResponse,
    Choice,
    Content,
    Delta,
    Message,
    Metadata,
    ModelParams,
    StopKind,
    StopReason,
    Tool,
    ToolChoice,
    deltas_of,
    fold,
)
from chatadt.clients import (
    AsyncDeltas,
    ChatError,
    Deltas,
    aimed,
    async_aimed,
    async_whole,
    in_thread,
    openai_chat,
    run_tools,
    scripted,
    streamed,
    whole,
)
from chatadt.clients._names import own_names
from chatadt.clients.functions import tool
from chatadt.laws import recut
from tests.clients.loopback import Loopback, loopback
from tests.clients.stages import WIRES
from tests.clients.test_contract import same

OWN: Final = "my tool.x"
"""A name that no server of those below takes."""

STRICT: Final = [name for name in WIRES if not DIALECTS[name].rules.tool_name.allows(OWN)]
each_wire = pytest.mark.parametrize("name", STRICT)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with loopback() as found:
        yield found


def sent_name(name: str, request: ChatRequest) -> str:
    """The name under which the first tool goes to a server."""
    seen: list[ChatRequest] = []

    def model(asked: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        seen.append(asked)
        return scripted("ok")(asked)

    aimed(model, name, report=lambda losses: None)(request)
    (first, *_) = seen[0].params.tools
    assert isinstance(first, Tool)
    return first.name


CALLED: Final = (
    Message.User("hi"),
    Message.Assistant([Content.ToolRequest("call_old1", OWN, {}), Content.ToolRequest("call_old2", "other", {})]),
    Message.ToolResult("call_old1", OWN, "sunny"),
    Message.ToolResult("call_old2", "other", "rain"),
    Message.User("again"),
)
SCHEMA: Final[Any] = {"type": "object", "properties": {}}
ASKED: Final = ChatRequest(
    CALLED,
    ModelParams(
        model="some-model",
        tools=[Tool(OWN, "Tells.", SCHEMA), Tool("other", "Tells.", SCHEMA)],
        tool_choice=ToolChoice.One(OWN),
        max_output_tokens=100,
    ),
)


def answer_with(*names: str) -> ChatResponse:
    calls = [Content.ToolRequest(f"call_{number}", name, {"a": number}) for number, name in enumerate(names)]
    return ChatResponse(Message.Assistant(["I look.", *calls]), Metadata(model="some-model", stop=StopReason(StopKind.TOOL_CALLS)))


@each_wire
def test_an_adapter_answers_under_the_names_of_the_caller(name: str, server: Loopback) -> None:
    wire = WIRES[name]
    forms = wire.forms(server.url)
    new = sent_name(name, ASKED)
    write, write_stream = DIALECTS[name].write_response, DIALECTS[name].write_stream
    assert write is not None
    assert write_stream is not None
    said, expected = answer_with(new, "other"), answer_with(OWN, "other")
    body, events = write(said).value, list(write_stream(recut(deltas_of(said), 3)))

    server.will(wire.whole(body), wire.stream(events))
    assert same(forms.chat(ASKED).unwrap(), expected)
    assert same(fold(forms.streaming(ASKED).unwrap()), expected)

    async def later() -> tuple[ChatResponse, ChatResponse]:
        chat, streaming, close = forms.later()
        server.will(wire.whole(body), wire.stream(events))
        answers = (await chat(ASKED)).unwrap(), (await async_whole(streaming)(ASKED)).unwrap()
        await close()
        return answers

    assert all(same(answer, expected) for answer in asyncio.run(later()))
    for asked in server.asked:
        assert OWN not in json.dumps(asked.body)
        assert json.dumps(asked.body).count(new) >= 2
    forms.close()


def test_a_tool_is_found_whatever_its_name_is_to_the_provider() -> None:
    def told(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        if len(request.messages) > 1:
            return scripted("end")(request)
        (first,) = request.params.tools
        assert isinstance(first, Tool)
        return scripted(Message.Assistant([Content.ToolRequest("a1", first.name, {})]))(request)

    def answer() -> int:
        return 42

    for chat in (aimed(told, "openai_chat"), whole(aimed(streamed(told), "anthropic"))):
        history = run_tools(chat, [tool(answer, name=OWN)])(ChatRequest([Message.User("q")])).history
        assert history[1] == Message.Assistant([Content.ToolRequest("a1", OWN, {})])
        assert history[2] == Message.ToolResult("a1", OWN, "42")


def test_a_new_name_is_never_that_of_another_tool() -> None:
    new = sent_name("openai_chat", ASKED)
    request = evolve(ASKED, params=evolve(ASKED.params, tools=[Tool(OWN), Tool("my tool x"), Tool(new), Tool("other")]))
    seen: list[str] = []

    def model(asked: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        seen.extend(tool.name for tool in asked.params.tools if isinstance(tool, Tool))
        return Success(answer_with(*seen))

    got = aimed(model, "openai_chat")(request).unwrap()
    assert len(set(seen)) == 4
    assert seen[2:] == [new, "other"]
    assert [call.name for call in got.message.tool_requests] == [OWN, "my tool x", new, "other"]


@pytest.mark.parametrize(
    ("dialect", "choice"),
    [
        (
            "openai_chat",
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": OWN}}]},
            },
        ),
        ("openai_responses", {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": OWN}]}),
    ],
)
def test_a_choice_of_some_tools_names_them_as_they_are_sent(dialect: str, choice: Any, server: Loopback) -> None:
    request = evolve(ASKED, params=evolve(ASKED.params, tool_choice=ToolChoice.Custom(dialect, choice)))
    forms = WIRES[dialect].forms(server.url)
    server.will(WIRES[dialect].whole({}))
    forms.chat(request)
    new = sent_name(dialect, request)
    assert server.asked[0].body["tool_choice"] == json.loads(json.dumps(choice).replace(OWN, new))
    forms.close()


def test_a_choice_of_some_tools_of_gemini_names_them_as_they_are_sent(server: Loopback) -> None:
    own = {"gemini": {"allowedFunctionNames": [OWN, "other"]}}
    request = evolve(ASKED, params=evolve(ASKED.params, tool_choice=ToolChoice.Required(own)))
    forms = WIRES["gemini"].forms(server.url)
    server.will(WIRES["gemini"].whole({}))
    forms.chat(request)
    allowed = server.asked[0].body["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"]
    assert allowed == [sent_name("gemini", request), "other"]
    forms.close()


def test_a_policy_that_allows_no_loss_still_refuses_a_name(server: Loopback) -> None:

    client = openai.OpenAI(api_key="none", base_url=server.url)
    match openai_chat.chat(client, policy="strict")(ASKED):
        case Failure(ChatError.Unsayable() as error):
            assert "tool name" in str(error)
        case other:
            pytest.fail(repr(other))
    assert server.asked == []


def test_losses_of_names_are_reported_once() -> None:
    told: list[Any] = []
    aimed(scripted("ok"), "openai_chat", report=told.extend)(ASKED)
    assert [loss.path for loss in told if loss.what == "tool name"] == [
        "$.params.tools[0].name",
        "$.params.tool_choice.name",
        "$.messages[1].contents[0].name",
        "$.messages[2].tool",
    ]


# --- streams -------------------------------------------------------------------------------------------------------------------

NAMES: Final = {"my_tool_1": OWN, "my_tool_12": "another tool", "x": "y z"}


@st.composite
def called(draw: st.DrawFn) -> ChatResponse:
    names = st.sampled_from([*NAMES, "my_tool", "my", "weather", "my_tool_3"])
    said = answer_with(*draw(st.lists(names, max_size=4)))
    further = answer_with(*draw(st.lists(names, max_size=2)))
    return evolve(said, others=[Choice(further.message)])


def in_pieces(deltas: Iterable[Delta.T], size: int) -> Iterator[Delta.T]:
    """Deltas whose names come in pieces, before any arguments."""
    for delta in deltas:
        if isinstance(delta, Delta.ToolRequest):
            for start in range(0, len(delta.name), size):
                yield Delta.ToolRequest(
                    delta.index, "", None if start else delta.id, delta.name[start : start + size], delta.choice
                )
            yield evolve(delta, name="", id=None)
        else:
            yield delta


def turned(response: ChatResponse) -> ChatResponse:
    def message(said: Message.Assistant) -> Message.Assistant:
        contents = (
            evolve(content, name=NAMES.get(content.name, content.name)) if isinstance(content, Content.ToolRequest) else content
            for content in said.contents
        )
        return evolve(said, contents=list(contents))

    others = [evolve(choice, message=message(choice.message)) for choice in response.others]
    return evolve(response, message=message(response.message), others=others)


@given(called(), st.integers(1, 12))
def test_names_are_turned_back_in_whole_answers_and_in_streams_of_any_pieces(said: ChatResponse, size: int) -> None:
    assert own_names(NAMES)(said) == turned(said)
    for deltas in (deltas_of(said), in_pieces(deltas_of(said), size), recut(deltas_of(said), size)):
        assert fold(own_names(NAMES)(Deltas(iter(list(deltas))))) == turned(said)


def test_a_name_that_is_cut_off_is_told_as_far_as_it_came() -> None:
    pieces = [Delta.Start(), Delta.ToolRequest(0, "", "c1", "my_to")]
    assert list(own_names(NAMES)(Deltas(iter(pieces)))) == [
        Delta.Start(),
        Delta.ToolRequest(0, "", "c1", ""),
        Delta.ToolRequest(0, name="my_to"),
    ]


def test_a_stream_under_other_names_is_closed_with_its_source() -> None:
    closings: list[str] = []
    deltas = own_names(NAMES)(Deltas(deltas_of(answer_with("x")), lambda: closings.append("now")))
    next(deltas)
    deltas.close()
    assert closings
    assert list(deltas) == []


def test_the_asynchronous_twin_turns_names_back() -> None:
    def first_name(request: ChatRequest) -> str:
        first = request.params.tools[0]
        assert isinstance(first, Tool)
        return first.name

    def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return Success(answer_with(first_name(request)))

    async def streaming(request: ChatRequest) -> Result[AsyncDeltas, ChatError.T]:
        async def each() -> AsyncIterator[Delta.T]:
            for delta in deltas_of(answer_with(first_name(request))):
                yield delta

        return Success(AsyncDeltas(each()))

    async def answers() -> list[ChatResponse]:
        calls = async_whole(async_aimed(streaming, "openai_chat")), async_aimed(in_thread(chat), "mistral")
        return [(await call(ASKED)).unwrap() for call in calls]

    assert all(same(answer, answer_with(OWN)) for answer in asyncio.run(answers()))
