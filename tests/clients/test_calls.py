"""One call of a tool: what goes wrong in it is told to the model, and what goes wrong beside it is told to the program."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from chatadt import ChatRequest, Content, History, Message, Outcome, Tool
from chatadt.clients import AsyncRunnable, Denied, Run, Runnable, Runner, async_run_tools, in_thread, run_tools, scripted

REQUEST = ChatRequest(History().user("How is the weather?"))


def runnable(name: str, run: Runner) -> Runnable:
    return Runnable(Tool(name), run)


def asynchronous(name: str, run: Any) -> AsyncRunnable:
    return AsyncRunnable(Tool(name), run)


def calling(*names: str) -> Any:
    """A model that calls tools and is content with whatever they give."""
    return scripted(Message.Assistant([Content.ToolRequest(str(number), name, {}) for number, name in enumerate(names)]), "Done.")


def told(run: Run.T) -> list[tuple[str, Outcome]]:
    return [(message.text, message.outcome) for message in run.history if isinstance(message, Message.ToolResult)]


async def at_once(tools: Sequence[Runnable | AsyncRunnable], *names: str, **how: Any) -> list[tuple[str, Outcome]]:
    return told(await async_run_tools(in_thread(calling(*names)), tools, **how)(REQUEST))


async def cancelled(_: dict[str, Any]) -> None:
    """What a tool does that waits for something that somebody else has cancelled."""
    waited = asyncio.create_task(asyncio.sleep(10))
    waited.cancel()
    await waited


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class SilentDenial(Denied):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def raising(error: type[BaseException]) -> Callable[[dict[str, Any]], object]:
    def run(_: dict[str, Any]) -> object:
        raise error

    return run


# --- what tools raise ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "result"),
    [
        (Silent, ("Silent", Outcome.ERROR)),
        (SilentDenial, ("(nothing)", Outcome.DENIED)),
        (asyncio.CancelledError, ("CancelledError", Outcome.ERROR)),
        (StopIteration, ("StopIteration", Outcome.ERROR)),
    ],
)
def test_whatever_a_tool_raises_is_told_to_the_model(error: type[BaseException], result: tuple[str, Outcome]) -> None:
    tools = [runnable("raise", raising(error))]
    assert told(run_tools(calling("raise"), tools)(REQUEST)) == [result]
    assert told(run_tools(calling("raise", "raise"), tools, workers=2)(REQUEST)) == [result, result]
    assert asyncio.run(at_once(tools, "raise")) == [result]


def test_what_is_cancelled_inside_a_tool_is_told_to_the_model_and_leaves_the_other_calls_alone() -> None:
    async def slow(_: dict[str, Any]) -> object:
        await asyncio.sleep(0.05)
        return "slow"

    results = asyncio.run(at_once([asynchronous("slow", slow), asynchronous("cancelled", cancelled)], "slow", "cancelled"))
    assert results == [("slow", Outcome.OK), ("CancelledError", Outcome.ERROR)]


def test_no_call_goes_on_when_its_run_is_cancelled() -> None:
    ended: list[str] = []

    async def slow(_: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(10)
        finally:
            ended.append("slow")

    async def go() -> None:
        run = asyncio.create_task(at_once([asynchronous("slow", slow)], "slow", "slow"))
        await asyncio.sleep(0.05)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert ended == ["slow", "slow"]

    asyncio.run(go())


def test_no_call_goes_on_when_another_ends_the_run() -> None:
    class End(BaseException):
        pass

    ended: list[str] = []

    async def slow(_: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(10)
        finally:
            ended.append("slow")

    async def end(_: dict[str, Any]) -> object:
        raise End

    async def go() -> None:
        with pytest.raises(End):
            await at_once([asynchronous("slow", slow), asynchronous("end", end)], "slow", "end")
        assert ended == ["slow"]

    asyncio.run(go())


# --- what tools see and give ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 4])
def test_a_tool_sees_the_context_variables_of_the_caller(workers: int) -> None:
    tenant = contextvars.ContextVar("tenant", default="unset")

    def whose(_: dict[str, Any]) -> str:
        time.sleep(0.01)
        return tenant.get()

    tenant.set("tenant-7")
    run = run_tools(calling("whose", "whose", "whose"), [runnable("whose", whose)], workers=workers)(REQUEST)
    assert [text for text, _ in told(run)] == ["tenant-7"] * 3


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [("null", "null"), ("true", "a boolean"), ("5", "a number"), ("1.5", "a number"), ('"a"', "a string"), ("[]", "an array")],
)
def test_the_model_is_told_in_words_of_json_what_is_no_object(arguments: str, kind: str) -> None:
    script = scripted(Message.Assistant([Content.ToolRequest("1", "f", arguments)]), "Done.")
    run = run_tools(script, [runnable("f", lambda _: "ok")])(REQUEST)
    assert told(run) == [(f"The arguments are {kind}. Call again with a JSON object.", Outcome.ERROR)]


def test_a_result_that_a_tool_makes_itself_does_not_take_the_place_of_its_own() -> None:
    run = run_tools(calling("f"), [runnable("f", lambda _: Message.ToolResult("another", "g", "ok"))])(REQUEST)
    assert [message.id for message in run.history if isinstance(message, Message.ToolResult)] == ["0"]
    assert told(run)[0][1] is Outcome.ERROR


@pytest.mark.parametrize(("given", "text"), [(Content.Text(""), "(nothing)"), ([Content.Text("\ud800a")], "\ufffda")])
def test_texts_that_a_tool_gives_are_such_as_every_provider_takes(given: object, text: str) -> None:
    assert told(run_tools(calling("f"), [runnable("f", lambda _: given)])(REQUEST)) == [(text, Outcome.OK)]


# --- denials -------------------------------------------------------------------------------------------------------------------


def test_an_asynchronous_deny_is_awaited() -> None:
    made: list[object] = []

    async def deny(call: Content.ToolRequest) -> str | None:
        await asyncio.sleep(0)
        return "not you" if call.name == "f" else None

    async def run(arguments: dict[str, Any]) -> object:
        return "ok"

    tools: Sequence[Runnable | AsyncRunnable] = (runnable("f", made.append), asynchronous("g", run))
    assert asyncio.run(at_once(tools, "f", "g", deny=deny)) == [("not you", Outcome.DENIED), ("ok", Outcome.OK)]
    assert made == []


@pytest.mark.parametrize("error", [ConnectionError, asyncio.CancelledError])
def test_no_call_is_made_where_deny_raises(error: type[BaseException]) -> None:
    made: list[object] = []

    def deny(call: Content.ToolRequest) -> str | None:
        raise error

    async def async_deny(call: Content.ToolRequest) -> str | None:
        raise error

    tools = (runnable("f", made.append),)
    result = [(error.__name__, Outcome.ERROR)]
    assert told(run_tools(calling("f"), tools, deny=deny)(REQUEST)) == result
    assert asyncio.run(at_once(tools, "f", deny=deny)) == result
    assert asyncio.run(at_once(tools, "f", deny=async_deny)) == result
    assert made == []


@pytest.mark.parametrize("answer", [True, False, 5])
def test_a_deny_that_gives_neither_a_text_nor_none_is_a_mistake_of_the_program(answer: Any) -> None:
    made: list[object] = []
    tools = (runnable("f", made.append),)

    def deny(call: Content.ToolRequest) -> Any:
        return answer

    with pytest.raises(TypeError, match=f"expected of deny a text that says why, or None, got {answer}"):
        run_tools(calling("f"), tools, deny=deny)(REQUEST)
    with pytest.raises(TypeError, match="expected of deny"):
        asyncio.run(at_once(tools, "f", "f", deny=deny))
    assert made == []


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_an_asynchronous_deny_is_a_mistake_where_nobody_awaits_it() -> None:
    async def deny(call: Content.ToolRequest) -> str | None:
        return None

    how: Any = {"deny": deny}
    with pytest.raises(TypeError, match="async_run_tools"):
        run_tools(calling("f"), [runnable("f", lambda _: "ok")], **how)(REQUEST)
