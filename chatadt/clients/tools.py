"""Tools that run: a definition for the model, and what to do when it is called; and the loop that lets a model call them.

A tool's trouble is an answer to the model, never an exception of the loop: what it raises, a denial, arguments that are no JSON or
do not fit, a name that there is not, all become results, so that the conversation stays one that every provider takes.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import evolve, field, frozen
from returns.result import Failure, Success

from chatadt._sum import Sum, holds, terse
from chatadt.chat import ChatRequest, ChatResponse, StopKind
from chatadt.checks._unicode import whole
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, Chat
from chatadt.content import Arguments, Content
from chatadt.history import History
from chatadt.json import dump
from chatadt.message import Message, Outcome
from chatadt.result import closed
from chatadt.tool import Tool, ToolChoice

__all__ = ("AsyncRunnable", "Denied", "Deny", "Run", "Runnable", "Runner", "async_run_tools", "run_tools")

Runner: TypeAlias = Callable[[dict[str, Any]], object]
"""What a tool does with its arguments. It gives a text, a content, an iterable of these, or anything that JSON can say."""

Deny: TypeAlias = Callable[[Content.ToolRequest], str | None]
"""Why a call may not be made, in words for the model; None where it may. A person can be asked here."""


class Denied(Exception):
    """Raised by a tool that may not do what it is asked; `why` is told to the model."""

    def __init__(self, why: str = "This is not allowed.") -> None:
        super().__init__(why)


@final
@frozen(repr=False)
class Runnable:
    """A tool and what it does. `run` is given the arguments as a fresh dict; what it raises is told to the model."""

    tool: Tool = field(validator=holds("a Tool", Tool))
    run: Runner = field()
    __repr__ = terse


@final
@frozen(repr=False)
class AsyncRunnable:
    """The asynchronous twin of `Runnable`."""

    tool: Tool = field(validator=holds("a Tool", Tool))
    run: Callable[[dict[str, Any]], Awaitable[object]] = field()
    __repr__ = terse


@final
class Run(metaclass=Sum):
    """How a loop of tool calls ended; `Run.T` is the closed union of the cases.

    `history` is the whole conversation, that of the request and all that came after: whatever happened, every call in it has its
    result, so that it can go on. `responses` are the answers of the model, in order.
    """

    @final
    @frozen(repr=False)
    class Finished:
        """The model has said what it had to say."""

        history: History
        responses: tuple[ChatResponse, ...]
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Bounded:
        """The model was asked as often as it may be, and wants more; its last calls are answered as denied."""

        history: History
        responses: tuple[ChatResponse, ...]
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Failed:
        """There was no answer, because of `error`; what came before stands."""

        history: History
        responses: tuple[ChatResponse, ...]
        error: ChatError.T
        __repr__ = terse

    T: TypeAlias = Finished | Bounded | Failed


def _allow(_: Content.ToolRequest) -> None:
    return None


def _look_away(_: ChatRequest) -> None:
    return None


def run_tools(
    chat: Chat,
    tools: Iterable[Runnable],
    *,
    bound: int = 10,
    deny: Deny = _allow,
    workers: int = 1,
    on_step: Callable[[ChatRequest], object] = _look_away,
) -> Callable[[ChatRequest], Run.T]:
    """Ask the model, call the tools that it wants, give it the results, and again, until it stops or was asked `bound` times.

    The tools' definitions are added to those of the request. Calls of one answer are made one after another, or with more `workers`
    at once in threads; their results stand in the order of the calls. `deny` is asked before each call. `on_step` is told the
    request as it stands after each answer and its results, to store it or to look at it. A tool choice that forces a call holds for
    the first answer only. Raises ValueError for two tools of one name, and for a `bound` or `workers` below 1.
    """
    loop = _Loop(_by_name(tools), bound, deny)
    if workers < 1:
        raise ValueError(f"expected at least one worker, got {workers}")

    def answered(calls: tuple[Content.ToolRequest, ...]) -> list[Message.ToolResult]:
        if workers == 1 or len(calls) < 2:
            return [loop.result(call) for call in calls]
        with ThreadPoolExecutor(min(workers, len(calls))) as pool:
            return list(pool.map(loop.result, calls))

    def run(request: ChatRequest) -> Run.T:
        asked, responses = loop.first(request), list[ChatResponse]()
        while True:
            match closed(chat(asked)):
                case Failure(error):
                    return Run.Failed(History(asked.messages), tuple(responses), error)
                case Success(response):
                    responses.append(response)
                    calls = response.message.tool_requests
                    asked = loop.following(asked, response, loop.bounded(calls) if len(responses) >= bound else answered(calls))
                    on_step(asked)
                    if (ended := loop.ended(asked, responses)) is not None:
                        return ended

    return run


def async_run_tools(
    chat: AsyncChat,
    tools: Iterable[Runnable | AsyncRunnable],
    *,
    bound: int = 10,
    deny: Deny = _allow,
    on_step: Callable[[ChatRequest], object] = _look_away,
) -> Callable[[ChatRequest], Awaitable[Run.T]]:
    """The asynchronous twin of `run_tools`: the calls of one answer are made at once, those of a `Runnable` in threads."""
    loop = _Loop(_by_name(tools), bound, deny)

    async def run(request: ChatRequest) -> Run.T:
        asked, responses = loop.first(request), list[ChatResponse]()
        while True:
            match closed(await chat(asked)):
                case Failure(error):
                    return Run.Failed(History(asked.messages), tuple(responses), error)
                case Success(response):
                    responses.append(response)
                    calls = response.message.tool_requests
                    is_last = len(responses) >= bound
                    results = loop.bounded(calls) if is_last else list(await asyncio.gather(*map(loop.async_result, calls)))
                    asked = loop.following(asked, response, results)
                    on_step(asked)
                    if (ended := loop.ended(asked, responses)) is not None:
                        return ended

    return run


def _by_name(tools: Iterable[Runnable | AsyncRunnable]) -> dict[str, Runnable | AsyncRunnable]:
    known: dict[str, Runnable | AsyncRunnable] = {}
    for runnable in tools:
        if runnable.tool.name in known:
            raise ValueError(f"expected tools with different names, got {runnable.tool.name!r} twice")
        known[runnable.tool.name] = runnable
    return known


# --- one step ------------------------------------------------------------------------------------------------------------------

_FORCING: Final = (ToolChoice.Required, ToolChoice.One)


@final
@frozen
class _Loop:
    tools: Mapping[str, Runnable | AsyncRunnable]
    bound: int
    deny: Deny

    def __attrs_post_init__(self) -> None:
        if self.bound < 1:
            raise ValueError(f"expected a bound of at least 1, got {self.bound}")

    def first(self, request: ChatRequest) -> ChatRequest:
        """The request with the definitions of the tools."""
        there = {tool.name for tool in request.params.tools if isinstance(tool, Tool)}
        more = [runnable.tool for name, runnable in self.tools.items() if name not in there]
        return evolve(request, params=evolve(request.params, tools=(*request.params.tools, *more))) if more else request

    def following(self, request: ChatRequest, response: ChatResponse, results: list[Message.ToolResult]) -> ChatRequest:
        """The request that goes on from an answer."""
        params = request.params
        if isinstance(params.tool_choice, _FORCING):
            params = evolve(params, tool_choice=None)
        return ChatRequest((*request.messages, response.message, *results), params)

    def ended(self, request: ChatRequest, responses: list[ChatResponse]) -> Run.T | None:
        """How the run ended; None where the model waits for something: results, or to be asked again after a pause."""
        said, stop = responses[-1].message, responses[-1].metadata.stop
        if not said.tool_requests and (stop is None or stop.kind is not StopKind.PAUSED):
            return Run.Finished(History(request.messages), tuple(responses))
        return Run.Bounded(History(request.messages), tuple(responses)) if len(responses) >= self.bound else None

    def bounded(self, calls: tuple[Content.ToolRequest, ...]) -> list[Message.ToolResult]:
        """The results of calls that are no longer made."""
        why = f"This was not done: the model was asked {self.bound} times, and may not be asked again."
        return [Message.ToolResult(call.id, call.name, why, Outcome.DENIED) for call in calls]

    def result(self, call: Content.ToolRequest) -> Message.ToolResult:
        """Make one call."""
        try:
            made = self._made(call)
            return made if isinstance(made, Message.ToolResult) else _told(call, made)
        except Exception as error:
            return _failed(call, error)

    async def async_result(self, call: Content.ToolRequest) -> Message.ToolResult:
        """Make one call, in a thread where its tool is not asynchronous."""
        runnable = self.tools.get(call.name)
        if not isinstance(runnable, AsyncRunnable):
            return await asyncio.to_thread(self.result, call)
        try:
            made = await asyncio.to_thread(self._made, call)
            return made if isinstance(made, Message.ToolResult) else _told(call, await cast("Awaitable[object]", made))
        except Exception as error:
            return _failed(call, error)

    def _made(self, call: Content.ToolRequest) -> object:
        """What the tool gives, or the result that stands in its place."""
        runnable = self.tools.get(call.name)
        if runnable is None:
            return _error(call, f"There is no tool {call.name!r}. There are: {', '.join(self.tools) or 'none'}.")
        match call.arguments:
            case Arguments.Malformed(why=why):
                return _error(call, f"The arguments are no JSON ({why}). Call again with a JSON object.")
            case Arguments.Parsed(json=document):
                arguments: Any = document.value
            case _:
                assert_never(call.arguments)
        if not isinstance(arguments, dict):
            return _error(call, f"The arguments are a {type(arguments).__name__}. Call again with a JSON object.")
        if (denial := self.deny(call)) is not None:
            return Message.ToolResult(call.id, call.name, _text(denial), Outcome.DENIED)
        return runnable.run(cast("dict[str, Any]", arguments))


def _error(call: Content.ToolRequest, text: str) -> Message.ToolResult:
    return Message.ToolResult(call.id, call.name, _text(text), Outcome.ERROR)


def _failed(call: Content.ToolRequest, error: Exception) -> Message.ToolResult:
    if isinstance(error, Denied):
        return Message.ToolResult(call.id, call.name, _text(str(error)), Outcome.DENIED)
    return _error(call, f"{type(error).__name__}: {error}")


def _told(call: Content.ToolRequest, given: object) -> Message.ToolResult:
    """The result that says what a tool gave."""
    if inspect.isawaitable(given):
        raise TypeError(f"the tool {call.name} is asynchronous: make it an AsyncRunnable, and run it by async_run_tools")
    return Message.ToolResult(call.id, call.name, _contents(given))


_INPUT: Final = cast("Any", Content.Input)


def _contents(given: object) -> tuple[Content.Input, ...]:
    if isinstance(given, str):
        return (Content.Text(_text(given)),)
    if isinstance(given, _INPUT):
        return (cast("Content.Input", given),)
    items: list[object] = [*cast("list[object]", given)] if isinstance(given, list | tuple) else []
    if items and all(isinstance(item, _INPUT) for item in items):
        return tuple(cast("list[Content.Input]", items))
    return (Content.Text(dump(items if isinstance(given, list | tuple) else given)),)


def _text(text: str) -> str:
    """A text that every provider takes: not blank, and without halves of surrogate pairs."""
    return whole(text) if text and not text.isspace() else "(nothing)"
