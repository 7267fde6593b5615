"""The loop that lets a model call tools.

A tool's trouble is an answer to the model, never an exception of the loop: what it raises, a denial, arguments that are no JSON or
do not fit, a name that there is not, all become results, so that the conversation stays one that every provider takes.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never, final

from attrs import evolve, frozen
from returns.result import Failure, Success

from chatadt._cut import cuts_off
from chatadt._sum import Sum, terse
from chatadt.chat import ChatRequest, ChatResponse, ProviderError, StopKind
from chatadt.checks.spelling import derive
from chatadt.clients._calls import AsyncDeny, AsyncRunnable, Calls, Denied, Deny, Runnable, Runner
from chatadt.clients._numbers import at_least_one
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncChat, Chat
from chatadt.content import Content
from chatadt.dialects import DIALECTS
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.result import closed
from chatadt.tool import Tool, ToolChoice
from chatadt.transforms import close_calls

__all__ = ("AsyncDeny", "AsyncRunnable", "Denied", "Deny", "Run", "Runnable", "Runner", "async_run_tools", "run_tools")


@final
class Run(metaclass=Sum):
    """How a loop of tool calls ended; `Run.T` is the closed union of the cases.

    `history` is the whole conversation, that of the request and all that came after: whatever happened, every call in it has its
    result, so that it can go on. `responses` are the answers of the model as they came, in order.
    """

    @final
    @frozen(repr=False)
    class Finished:
        """The model has said what it had to say, or as much as it may: the stop reason of the last answer says which."""

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
        """There was no answer, or the last one broke off, because of `error`; what was said until then stands."""

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
    at once in threads; their results stand in the order of the calls. `deny` is asked before each call; where it raises, the call
    is not made, and the model is told. `on_step` is told the request as it stands after each answer and its results, to store it or
    to look at it.

    Calls of an answer that broke off are not made, nor is the one that a cut off answer ends with (its stop reason is LENGTH, say:
    it may not be whole), nor are those that the request left open: they get a result that says so. A call whose id the
    conversation has already, or that has none, gets another, in its result as well. A tool choice that forces a call holds for the
    first answer only; where it names several tools to choose from, the model goes on to choose from these.

    Raises ValueError for two tools of one name, and for a `bound` or `workers` below 1, TypeError for one that is no integer. The
    run raises TypeError where `deny` gives something else than a text or None, and where `on_step` is asynchronous.
    """
    known = _by_name(tools)
    loop, making = _Loop(known, bound), Calls(known, deny)
    at_least_one(workers, "at least one worker")

    def run(request: ChatRequest) -> Run.T:
        asked, responses = loop.first(request), list[ChatResponse]()
        while True:
            match closed(chat(asked)):
                case Failure(error):
                    return Run.Failed(History(asked.messages), tuple(responses), error)
                case Success(response):
                    responses.append(response)
                    said = _told_apart(response.message, asked.messages)
                    calls, undone = loop.parted(said, responses)
                    results = [*making.results(calls, workers), *undone]
                    asked = _following(asked, _spoken(response, said), results)
                    if inspect.isawaitable(on_step(asked)):
                        raise TypeError(f"on_step is asynchronous, {on_step!r}: only async_run_tools awaits it")
                    if (ended := loop.ended(asked, responses)) is not None:
                        return ended

    return run


def async_run_tools(
    chat: AsyncChat,
    tools: Iterable[Runnable | AsyncRunnable],
    *,
    bound: int = 10,
    deny: Deny | AsyncDeny = _allow,
    on_step: Callable[[ChatRequest], object] = _look_away,
) -> Callable[[ChatRequest], Awaitable[Run.T]]:
    """The asynchronous twin of `run_tools`: the calls of one answer are made at once, those of a `Runnable` in threads.

    `deny`, which is asked in a thread, and `on_step` may be asynchronous: they are awaited. What is cancelled inside a tool is an
    error that the model is told; when the run is cancelled, its calls are.
    """
    known = _by_name(tools)
    loop, making = _Loop(known, bound), Calls(known, deny)

    async def run(request: ChatRequest) -> Run.T:
        asked, responses = loop.first(request), list[ChatResponse]()
        while True:
            match closed(await chat(asked)):
                case Failure(error):
                    return Run.Failed(History(asked.messages), tuple(responses), error)
                case Success(response):
                    responses.append(response)
                    said = _told_apart(response.message, asked.messages)
                    calls, undone = loop.parted(said, responses)
                    results = [*await making.async_results(calls), *undone]
                    asked = _following(asked, _spoken(response, said), results)
                    if inspect.isawaitable(seen := on_step(asked)):
                        await seen
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


@final
@frozen
class _Loop:
    tools: Mapping[str, Runnable | AsyncRunnable]
    bound: int

    def __attrs_post_init__(self) -> None:
        at_least_one(self.bound, "a bound of at least 1")

    def first(self, request: ChatRequest) -> ChatRequest:
        """The request with the definitions of the tools, and without open calls."""
        there = {tool.name for tool in request.params.tools if isinstance(tool, Tool)}
        more = [runnable.tool for name, runnable in self.tools.items() if name not in there]
        params = evolve(request.params, tools=(*request.params.tools, *more)) if more else request.params
        return ChatRequest(_CLOSED(History(request.messages)), params)

    def parted(
        self, said: Message.Assistant, responses: Sequence[ChatResponse]
    ) -> tuple[Sequence[Content.ToolRequest], list[Message.ToolResult]]:
        """The calls that are to be made, and the results of those behind them that are not."""
        calls, stop = said.tool_requests, responses[-1].metadata.stop
        if _broke_off(responses[-1]) is not None:
            return (), _undone(calls, "the answer with this call broke off.", Outcome.ERROR)
        if len(responses) >= self.bound:
            why = f"the model was asked {self.bound} times, and may not be asked again."
            return (), _undone(calls, why, Outcome.DENIED)
        if stop is not None and cuts_off(stop) and calls and said.contents[-1] is calls[-1]:
            why = f"the answer ended in the middle of this call, or right behind it ({stop.kind.value}). Call again."
            return calls[:-1], _undone(calls[-1:], why, Outcome.ERROR)
        return calls, []

    def ended(self, request: ChatRequest, responses: list[ChatResponse]) -> Run.T | None:
        """How the run ended; None where the model waits for something: results, or to be asked again after a pause."""
        history, last = History(request.messages), responses[-1]
        if (error := _broke_off(last)) is not None:
            return Run.Failed(history, tuple(responses), error)
        if not last.message.tool_requests and (last.metadata.stop is None or last.metadata.stop.kind is not StopKind.PAUSED):
            return Run.Finished(history, tuple(responses))
        return Run.Bounded(history, tuple(responses)) if len(responses) >= self.bound else None


def _following(request: ChatRequest, said: tuple[Message.T, ...], results: Sequence[Message.ToolResult]) -> ChatRequest:
    """The request that goes on from an answer."""
    choice = _unforced(request.params.tool_choice)
    return ChatRequest((*request.messages, *said, *results), evolve(request.params, tool_choice=choice))


_CLOSED: Final = close_calls()


def _undone(calls: Iterable[Content.ToolRequest], why: str, outcome: Outcome) -> list[Message.ToolResult]:
    return [Message.ToolResult(call.id, call.name, f"This was not done: {why}", outcome) for call in calls]


# --- answers that broke off ----------------------------------------------------------------------------------------------------

_BROKEN: Final[Mapping[StopKind, Callable[[ProviderError], ChatError.T]]] = {
    StopKind.ERROR: ChatError.Broken,
    StopKind.CANCELLED: ChatError.Broken,
    StopKind.INTERRUPTED: ChatError.Unreachable,
}
"""By why an answer ended too early: the error that it stands for."""


def _broke_off(response: ChatResponse) -> ChatError.T | None:
    """Why an answer broke off; None for one that did not."""
    stop, error = response.metadata.stop, response.metadata.error
    case = None if stop is None else _BROKEN.get(stop.kind)
    if error is not None:
        return (case or ChatError.Broken)(error)
    raw = None if stop is None else stop.raw
    return None if case is None else case(ProviderError("the answer broke off before its end", raw))


def _spoken(response: ChatResponse, said: Message.Assistant) -> tuple[Message.Assistant, ...]:
    """The answer as a history holds it: none that broke off before it said anything, which no provider takes."""
    says_nothing = all(isinstance(content, Content.Text) and not content.text.strip() for content in said.contents)
    return () if says_nothing and _broke_off(response) is not None else (said,)


# --- ids and choices -----------------------------------------------------------------------------------------------------------

_SPELLING: Final = DIALECTS["mistral"].rules.tool_id
"""That of the strictest provider: an id that is spelt so, every provider takes."""


def _told_apart(said: Message.Assistant, messages: Iterable[Message.T]) -> Message.Assistant:
    """What the model said, with an id of its own for each call, within the whole conversation."""
    if not said.tool_requests:
        return said
    taken = {""} | {call.id for message in messages if isinstance(message, Message.Assistant) for call in message.tool_requests}
    contents: list[Content.Output] = []
    for content in said.contents:
        if isinstance(content, Content.ToolRequest):
            if content.id in taken:
                content = evolve(content, id=derive(content.id, _SPELLING, taken))
            taken.add(content.id)
        contents.append(content)
    return evolve(said, contents=contents)


def _unforced(choice: ToolChoice.T | None) -> ToolChoice.T | None:
    """What is left of a tool choice once it was followed: whether calls may be made, and of which tools."""
    match choice:
        case None | ToolChoice.Auto() | ToolChoice.Never():
            return choice
        case ToolChoice.Required() | ToolChoice.One():
            return None
        case ToolChoice.Custom(dialect=dialect, value=document):
            said = _at_will(document.value)
            return None if said is None else ToolChoice.Custom(dialect, said)
        case _:
            assert_never(choice)


def _at_will(said: Any) -> Any:
    """A choice that only a dialect knows, without its force; None where nothing else is in it: it names what must be called."""
    match said:
        case {"mode": mode}:
            return {**said, "mode": "auto" if mode == "required" else mode}
        case {"type": "allowed_tools", "allowed_tools": {"mode": _} as allowed}:
            return {**said, "allowed_tools": _at_will(allowed)}
        case dict():
            return None
        case _:  # a word that says how, and no tool
            return said
