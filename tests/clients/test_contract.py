"""What every chat owes its caller, whoever answers: the adapters before a real server, and the fakes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from returns.result import Failure, Success

from chatadt import (
    ChatRequest,
    ChatResponse,
    Content,
    Delta,
    History,
    Message,
    Metadata,
    ModelParams,
    ProviderError,
    StopKind,
    StopReason,
    Tool,
    dumps,
    fold,
)
from chatadt.clients import ChatError
from tests.clients.stages import STAGES, Stage, stage


@pytest.fixture(params=STAGES)
def on(request: pytest.FixtureRequest) -> Iterator[Stage]:
    with stage(request.param) as found:
        yield found


WEATHER = Tool("weather", "Tells the weather.", {"type": "object", "properties": {"city": {"type": "string"}}})
REQUEST = ChatRequest(
    History().system("Be brief.").user("How is the weather in Vienna?"),
    ModelParams(model="some-model", tools=[WEATHER], max_output_tokens=100),
)
SAID = ChatResponse(
    Message.Assistant(["It is sunny ☀."]),
    Metadata(id="a1", model="some-model", stop=StopReason(StopKind.END)),
)
CALLS = ChatResponse(
    Message.Assistant(
        [
            "I look.",
            Content.ToolRequest("call_1", "weather", {"city": "Vienna"}),
            Content.ToolRequest("call_2", "weather", {"city": "Graz"}),
        ]
    ),
    Metadata(id="a2", model="some-model", stop=StopReason(StopKind.TOOL_CALLS)),
)
ANSWERS = pytest.mark.parametrize("answer", [SAID, CALLS], ids=["text", "calls"])
WORDS = ProviderError("no")
ERRORS = pytest.mark.parametrize(
    "error",
    [
        ChatError.RateLimited(WORDS, retry_after=7.0),
        ChatError.Unauthorized(WORDS),
        ChatError.Invalid(WORDS),
        ChatError.TooLong(WORDS),
        ChatError.Filtered(WORDS),
        ChatError.Broken(WORDS),
    ],
    ids=lambda error: type(error).__name__,
)


def same(got: ChatResponse, expected: ChatResponse) -> bool:
    def core(response: ChatResponse) -> object:
        said = [
            (content.name, content.arguments) if isinstance(content, Content.ToolRequest) else getattr(content, "text", content)
            for content in response.message.contents
        ]
        return said, response.metadata.stop and response.metadata.stop.kind

    return core(got) == core(expected)


@ANSWERS
def test_an_answer_comes_in_words(on: Stage, answer: ChatResponse) -> None:
    on.will(answer)
    assert same(on.ask(REQUEST).unwrap(), answer)


@ANSWERS
def test_a_streamed_answer_folds_to_the_words(on: Stage, answer: ChatResponse) -> None:
    on.will(answer, streams=True)
    with on.stream(REQUEST).unwrap() as deltas:
        assert same(fold(deltas), answer)


@ANSWERS
def test_the_asynchronous_chat_answers_the_same(on: Stage, answer: ChatResponse) -> None:
    on.will(answer)
    assert same(on.ask_later(REQUEST).unwrap(), answer)


@ANSWERS
def test_the_asynchronous_stream_folds_to_the_same(on: Stage, answer: ChatResponse) -> None:
    on.will(answer, streams=True)
    assert same(fold(on.stream_later(REQUEST).unwrap()), answer)


@ERRORS
def test_an_error_of_the_provider_is_a_failure_of_its_case(on: Stage, error: ChatError.T) -> None:
    if not on.can_say(error):
        pytest.skip(f"no such error of {on.name} is known")
    for form in (on.ask, on.stream, on.ask_later, on.stream_later):
        on.will(error)
        match form(REQUEST):
            case Failure(got):
                assert type(got) is type(error)
                assert getattr(got, "retry_after", None) == getattr(error, "retry_after", None)
                assert got.error.message
                assert str(got)
            case other:
                pytest.fail(f"expected a Failure, got {other!r}")


def test_a_call_changes_no_request(on: Stage) -> None:
    before = dumps(REQUEST)
    on.will(SAID)
    on.ask(REQUEST)
    assert dumps(REQUEST) == before


def test_an_answer_goes_back_into_the_conversation(on: Stage) -> None:
    on.will(CALLS)
    said = on.ask(REQUEST).unwrap().message
    results = [Message.ToolResult(call.id, call.name, "sunny") for call in said.tool_requests]
    on.will(SAID)
    again = on.ask(ChatRequest((*REQUEST.messages, said, *results), REQUEST.params))
    assert same(again.unwrap(), SAID)


def test_a_stream_can_be_left_at_any_time(on: Stage) -> None:
    on.will(SAID, streams=True)
    deltas = on.stream(REQUEST).unwrap()
    assert isinstance(next(deltas), Delta.T)
    deltas.close()
    deltas.close()


def test_one_call_after_another_is_answered_in_order(on: Stage) -> None:
    on.will(CALLS)
    assert same(on.ask(REQUEST).unwrap(), CALLS)
    on.will(SAID)
    assert isinstance(on.ask(REQUEST), Success)
