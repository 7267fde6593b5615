"""Functions from a chat to a chat: what each adds, and that it adds nothing else."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any, Final

import pytest
from attrs import evolve
from hypothesis import given
from returns.result import Failure, Success

from chatadt import (
    Action,
    ChatRequest,
    ChatResponse,
    Content,
    History,
    Loss,
    Message,
    ModelParams,
    ProviderError,
    Weight,
    check,
    loads,
    strategies,
)
from chatadt.clients import (
    Chat,
    ChatError,
    aimed,
    async_aimed,
    async_fallback,
    async_logged,
    async_run_tools,
    echo,
    fallback,
    faults,
    in_thread,
    log_losses,
    logged,
    run_tools,
    scripted,
    streamed,
    whole,
)
from chatadt.clients.retrying import async_retry, retry

WORDS = ProviderError("no")
LIMITED, BROKEN, INVALID = ChatError.RateLimited(WORDS, retry_after=7.5), ChatError.Broken(WORDS), ChatError.Invalid(WORDS)
REQUEST = ChatRequest(History().user("hi"), ModelParams(model="gpt-5"))


def counted(chat: Chat) -> tuple[Chat, list[ChatRequest]]:
    seen: list[ChatRequest] = []

    def counting(request: ChatRequest) -> Any:
        seen.append(request)
        return chat(request)

    return counting, seen


def text(answer: Any) -> str:
    said: ChatResponse = answer.unwrap()
    return said.message.text


def later(chat: Callable[[ChatRequest], Any], request: ChatRequest = REQUEST) -> Any:
    async def asked() -> Any:
        return await chat(request)

    return asyncio.run(asked())


# Retry.


def test_what_may_pass_is_asked_again_until_there_is_an_answer() -> None:
    waited: list[float] = []
    assert text(retry(scripted(LIMITED, LIMITED, "Hello."), sleep=waited.append)(REQUEST)) == "Hello."
    assert waited == [7.5, 7.5]


def test_it_never_waits_longer_than_it_may() -> None:
    waited: list[float] = []
    retry(scripted(LIMITED, "Hello."), longest=2.0, sleep=waited.append)(REQUEST)
    assert waited == [2.0]


def test_where_nobody_says_how_long_the_wait_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "uniform", lambda least, most: 0.5)
    waited: list[float] = []
    retry(scripted(BROKEN, BROKEN, BROKEN, "Hello."), attempts=4, sleep=waited.append)(REQUEST)
    assert waited == [1.5, 2.5, 4.5]


def test_the_last_failure_stands() -> None:
    chat, seen = counted(scripted(BROKEN, BROKEN, LIMITED, "too late"))
    assert retry(chat, sleep=lambda seconds: None)(REQUEST) == Failure(LIMITED)
    assert len(seen) == 3


@pytest.mark.parametrize(
    "error", [INVALID, ChatError.RateLimited(ProviderError("quota", "insufficient_quota")), ChatError.TooLong(WORDS)]
)
def test_what_does_not_pass_is_not_asked_again(error: ChatError.T) -> None:
    chat, seen = counted(scripted(error, "never"))
    assert retry(chat, sleep=lambda seconds: None)(REQUEST) == Failure(error)
    assert len(seen) == 1


def test_the_asynchronous_retry_does_the_same() -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    assert text(later(async_retry(in_thread(scripted(LIMITED, "Hello.")), sleep=sleep))) == "Hello."
    assert later(async_retry(in_thread(scripted(LIMITED, BROKEN)), attempts=2, sleep=sleep)) == Failure(BROKEN)
    assert waited == [7.5, 7.5]


def test_a_stream_is_opened_again() -> None:
    streaming = retry(streamed(scripted(LIMITED, "Hello.")), sleep=lambda seconds: None)
    assert text(whole(streaming)(REQUEST)) == "Hello."


def test_less_than_one_attempt_is_a_mistake() -> None:
    for combinator in (retry, async_retry):
        with pytest.raises(ValueError, match="attempt"):
            combinator(echo(), attempts=0)  # type: ignore[operator]


# Another provider.


def test_the_first_that_answers_is_heard() -> None:
    last, seen = counted(scripted("never"))
    assert text(fallback(scripted(BROKEN), scripted(INVALID), scripted("Hello."), last)(REQUEST)) == "Hello."
    assert seen == []


def test_where_none_answers_the_last_failure_stands() -> None:
    assert fallback(scripted(BROKEN), scripted(INVALID))(REQUEST) == Failure(INVALID)
    assert later(async_fallback(in_thread(scripted(BROKEN)), in_thread(scripted(INVALID)))) == Failure(INVALID)


def test_it_falls_back_only_when_it_is_told_to() -> None:
    other, seen = counted(scripted("never"))
    assert fallback(scripted(INVALID), other, when=lambda error: error == BROKEN)(REQUEST) == Failure(INVALID)
    assert seen == []


def test_the_history_is_carried_over_mended_for_the_other_provider_and_what_that_loses_is_told() -> None:
    call = Content.ToolRequest("functions.weather:0", "weather", {})
    history = History().assistant("Welcome.").user("hi").assistant([call]).user("And now?")
    other, seen = counted(scripted("Hello."))
    losses: list[Loss] = []
    there = aimed(other, "anthropic", model="claude-opus-4-8", report=losses.extend)
    assert text(fallback(scripted(BROKEN), there)(evolve(REQUEST, messages=history))) == "Hello."
    assert check(seen[0], "anthropic") == ()
    assert seen[0].params.model == "claude-opus-4-8"
    assert {"functions.weather:0" in str(loss.original) for loss in losses} == {True, False}
    assert Message.User("And now?") in seen[0].messages


def test_the_asynchronous_one_does_the_same() -> None:
    losses: list[Loss] = []
    there = async_aimed(in_thread(echo()), "anthropic", model="claude-opus-4-8", report=losses.extend)
    orphan = evolve(REQUEST, messages=(Message.ToolResult("c1", "weather", "sunny"), *REQUEST.messages))
    assert text(later(async_fallback(in_thread(scripted(BROKEN)), there), orphan)) == "hi"
    assert [loss.path for loss in losses] == ["$.messages[0]"]


@given(strategies.chat_requests())
def test_what_is_aimed_at_a_provider_is_taken_by_it(request: ChatRequest) -> None:
    chat, seen = counted(echo())
    for dialect in ("anthropic", "openai_chat", "gemini"):
        aimed(chat, dialect, report=lambda losses: None)(request)
        assert check(seen[-1], dialect) == ()


# Logs, faults.


def test_a_call_is_logged_without_what_was_said(caplog: pytest.LogCaptureFixture) -> None:
    moments = iter([0.0, 1.5])
    with caplog.at_level(logging.INFO, "chatadt.clients"):
        logged(scripted("A secret."), clock=lambda: next(moments))(REQUEST)
    assert [record.getMessage() for record in caplog.records] == [
        "asking gpt-5, 1 messages, 0 tools",
        "answered in 1.50 s, stop end, None tokens",
    ]


def test_a_failure_is_logged_as_a_warning_and_contents_where_they_are_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "chatadt.clients"):
        later(async_logged(in_thread(faults(scripted("A secret."), {0: BROKEN})), contents=True))
        logged(scripted("A secret."), contents=True)(REQUEST)
        logged(streamed(scripted("A secret.")))(REQUEST)
    levels = [record.levelname for record in caplog.records]
    assert levels == ["INFO", "WARNING", "INFO", "INFO", "INFO", "INFO"]
    assert "the provider failed: no" in caplog.records[1].getMessage()
    assert "A secret." in caplog.records[3].getMessage()
    assert "A secret." not in caplog.records[5].getMessage()


ODD: Final = "Grüße\nINFO forged\r\x85\u2028\u202e\x7f\x1b[2J\ud800"
PLAIN: Final = r"Grüße\nINFO forged\r\u0085\u2028\u202e\u007f\u001b[2J\ud800"


def test_whatever_was_said_a_line_of_the_log_stays_one(caplog: pytest.LogCaptureFixture) -> None:
    request = ChatRequest(History().user(ODD), ModelParams(model=ODD))
    with caplog.at_level(logging.INFO, "chatadt.clients"):
        logged(scripted(ChatError.Broken(ProviderError(ODD))))(request)
        logged(scripted(ODD), contents=True)(request)
        log_losses((Loss("$.params", ODD, Action.DROPPED, None, ODD, Weight.DETAIL),))
    lines = [record.getMessage() for record in caplog.records]
    assert lines[:2] == [f"asking {PLAIN}, 1 messages, 0 tools", f"no answer in 0.00 s: the provider failed: {PLAIN}"]
    assert len(lines) == 5
    assert all(line.isprintable() for line in lines)
    assert loads(lines[2].partition(": ")[2]) == Success(request)
    assert loads(lines[3].partition(": ")[2]).unwrap().message.text == ODD  # type: ignore[union-attr]


def test_a_call_that_raises_is_logged_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    def chat(request: ChatRequest) -> Any:
        raise RuntimeError("a secret")

    async def gone(request: ChatRequest) -> Any:
        raise asyncio.CancelledError

    with caplog.at_level(logging.INFO, "chatadt.clients"):
        with pytest.raises(RuntimeError, match="a secret"):
            logged(chat)(REQUEST)
        with pytest.raises(asyncio.CancelledError):
            later(async_logged(gone))
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        f"no answer in 0.00 s: the call raised {name}" for name in ("RuntimeError", "CancelledError")
    ]


# What may not be said.


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, float("nan"), "3"])
def test_a_number_of_attempts_is_an_integer_of_at_least_one(wrong: Any) -> None:
    for make in (retry, async_retry):
        with pytest.raises((TypeError, ValueError), match="expected at least one attempt, an integer, got"):
            make(scripted(), attempts=wrong)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), True, None, "3"])
def test_the_longest_wait_is_a_number_of_seconds(wrong: Any) -> None:
    for make in (retry, async_retry):
        with pytest.raises((TypeError, ValueError), match="expected 0 seconds or more as the longest wait, got"):
            make(scripted(), longest=wrong)


@pytest.mark.parametrize("wrong", [0, 2.5, True])
def test_a_bound_and_a_number_of_workers_are_integers_of_at_least_one(wrong: Any) -> None:
    for make in (run_tools, async_run_tools):
        with pytest.raises((TypeError, ValueError), match="expected a bound of at least 1, an integer, got"):
            make(scripted(), [], bound=wrong)
    with pytest.raises((TypeError, ValueError), match="expected at least one worker, an integer, got"):
        run_tools(scripted(), [], workers=wrong)


@pytest.mark.parametrize("case", [ChatError.RateLimited, ChatError.Broken])
def test_nobody_is_told_to_wait_less_than_no_time(case: Any) -> None:
    assert case(WORDS, retry_after=0).retry_after == 0
    with pytest.raises(ValueError, match=r"retry_after of ChatError\.\w+ is 0 seconds or more, got -5\.0"):
        case(WORDS, retry_after=-5.0)


def test_faults_come_when_they_are_told_to() -> None:
    failing = faults(echo(), {0: BROKEN, 2: INVALID})
    assert [isinstance(failing(REQUEST), Success) for _ in range(4)] == [False, True, False, True]
