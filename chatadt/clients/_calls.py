"""Tools that run, and one call of them: whatever goes wrong in it becomes a result for the model."""

from __future__ import annotations

import asyncio
import inspect
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, Final, TypeAlias, cast, final

from attrs import evolve, field, frozen
from returns.result import Failure, Result, Success

from chatadt._sum import holds, terse
from chatadt.checks._unicode import whole
from chatadt.content import Arguments, Content
from chatadt.json import dump
from chatadt.message import Message, Outcome
from chatadt.result import closed
from chatadt.tool import Tool

__all__ = ("AsyncDeny", "AsyncRunnable", "Calls", "Denied", "Deny", "Runnable", "Runner")

Runner: TypeAlias = Callable[[dict[str, Any]], object]
"""What a tool does with its arguments. It gives a text, a content, a list of contents, or anything that JSON can say."""

Deny: TypeAlias = Callable[[Content.ToolRequest], str | None]
"""Why a call may not be made, in words for the model; None where it may. A person can be asked here."""

AsyncDeny: TypeAlias = Callable[[Content.ToolRequest], Awaitable[str | None]]
"""The asynchronous twin of `Deny`."""


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
@frozen
class Calls:
    """How calls are made: of `tools`, by name, and unless `deny` says why not."""

    tools: Mapping[str, Runnable | AsyncRunnable]
    deny: Deny | AsyncDeny

    def results(self, calls: Sequence[Content.ToolRequest], workers: int) -> list[Message.ToolResult]:
        """Make calls, one after another or in as many threads; each sees the context variables of the caller."""
        if workers == 1 or len(calls) < 2:
            return [self._result(call) for call in calls]
        contexts = [copy_context() for _ in calls]

        def result(context: Context, call: Content.ToolRequest) -> Message.ToolResult:
            return context.run(self._result, call)

        with ThreadPoolExecutor(min(workers, len(calls))) as pool:
            return list(pool.map(result, contexts, calls))

    async def async_results(self, calls: Sequence[Content.ToolRequest]) -> list[Message.ToolResult]:
        """Make calls at once. Where one ends the run, or the run is cancelled, the others are cancelled before it ends."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._async_result(call)) for call in calls]
        except BaseExceptionGroup as raised:  # the first, as `results` raises it
            raise raised.exceptions[0] from None
        # the run goes on, so what cancelled a call came from inside its tool
        return [
            _failed(call, CancelledError()) if task.cancelled() else task.result() for call, task in zip(calls, tasks, strict=True)
        ]

    def _result(self, call: Content.ToolRequest) -> Message.ToolResult:
        opened = self._opened(call)
        if isinstance(opened, Message.ToolResult):
            return opened
        return _denied(call, _tried(self.deny, call)) or _made(call, *opened)

    async def _async_result(self, call: Content.ToolRequest) -> Message.ToolResult:
        opened = self._opened(call)
        if isinstance(opened, Message.ToolResult):
            return opened
        asked = await asyncio.to_thread(_tried, self.deny, call)
        if (denied := _denied(call, await _async_tried(asked))) is not None:
            return denied
        runnable, arguments = opened
        if isinstance(runnable, Runnable):
            return await asyncio.to_thread(_made, call, runnable, arguments)
        try:
            return _told(call, await runnable.run(arguments))
        except Exception as error:
            return _failed(call, error)

    def _opened(self, call: Content.ToolRequest) -> tuple[Runnable | AsyncRunnable, dict[str, Any]] | Message.ToolResult:
        """The tool that is called and its arguments, or why there are none."""
        runnable = self.tools.get(call.name)
        if runnable is None:
            return _error(call, f"There is no tool {call.name!r}. There are: {', '.join(self.tools) or 'none'}.")
        if isinstance(call.arguments, Arguments.Malformed):
            return _error(call, f"The arguments are no JSON ({call.arguments.why}). Call again with a JSON object.")
        arguments: Any = call.arguments.json.value
        if not isinstance(arguments, dict):
            return _error(call, f"The arguments are {_KINDS[type(arguments)]}. Call again with a JSON object.")
        return runnable, cast("dict[str, Any]", arguments)


_KINDS: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
}
"""What JSON calls that which Python has other words for."""


# --- denials -------------------------------------------------------------------------------------------------------------------


def _tried(deny: Deny | AsyncDeny, call: Content.ToolRequest) -> Result[object, BaseException]:
    """What `deny` says, or what it raises: not every exception comes out of a thread as it is."""
    try:
        return Success(deny(call))
    except (Exception, CancelledError) as error:
        return Failure(error)


async def _async_tried(said: Result[object, BaseException]) -> Result[object, BaseException]:
    """What `deny` says, when it was waited for where it is asynchronous."""
    match closed(said):
        case Success(answer):
            try:
                return Success(await answer) if inspect.isawaitable(answer) else said
            except Exception as error:
                return Failure(error)
        case Failure():
            return said


def _denied(call: Content.ToolRequest, said: Result[object, BaseException]) -> Message.ToolResult | None:
    """The result of a call that may not be made. Who could not be asked has not allowed it."""
    match closed(said):
        case Failure(error):
            return _failed(call, error)
        case Success(None):
            return None
        case Success(str() as why):
            return Message.ToolResult(call.id, call.name, _text(why), Outcome.DENIED)
        case Success(other):
            hint = ": only async_run_tools awaits it" if inspect.isawaitable(other) else ""
            raise TypeError(f"expected of deny a text that says why, or None, got {other!r} for a call of {call.name}{hint}")


# --- results -------------------------------------------------------------------------------------------------------------------


def _made(call: Content.ToolRequest, runnable: Runnable | AsyncRunnable, arguments: dict[str, Any]) -> Message.ToolResult:
    try:
        return _told(call, runnable.run(arguments))
    except (Exception, CancelledError) as error:
        return _failed(call, error)


def _error(call: Content.ToolRequest, text: str) -> Message.ToolResult:
    return Message.ToolResult(call.id, call.name, _text(text), Outcome.ERROR)


def _failed(call: Content.ToolRequest, error: BaseException) -> Message.ToolResult:
    words, kind = _words(error), type(error).__name__
    if isinstance(error, Denied):
        return Message.ToolResult(call.id, call.name, _text(words), Outcome.DENIED)
    return _error(call, f"{kind}: {words}" if words else kind)


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an exception of its own making may fail even here
        return ""


def _told(call: Content.ToolRequest, given: object) -> Message.ToolResult:
    """The result that says what a tool gave."""
    if inspect.isawaitable(given):
        raise TypeError(f"the tool {call.name} is asynchronous: make it an AsyncRunnable, and run it by async_run_tools")
    return Message.ToolResult(call.id, call.name, _contents(given))


_INPUT: Final = cast("Any", Content.Input)


def _contents(given: object) -> tuple[Content.Input, ...]:
    if isinstance(given, str):
        return (Content.Text(_text(given)),)
    items: list[object] = [*cast("list[object]", given)] if isinstance(given, list | tuple) else [given]
    if items and all(isinstance(item, _INPUT) for item in items):
        return tuple(_sayable(item) for item in cast("list[Content.Input]", items))
    return (Content.Text(dump(items if isinstance(given, list | tuple) else given)),)


def _sayable(content: Content.Input) -> Content.Input:
    return evolve(content, text=_text(content.text)) if isinstance(content, Content.Text) else content


def _text(text: str) -> str:
    """A text that every provider takes: not blank, and without halves of surrogate pairs."""
    return whole(text) if text and not text.isspace() else "(nothing)"
