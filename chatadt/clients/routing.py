"""To another provider: a chat for requests of any origin, and one that falls back to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.check import repair
from chatadt.clients._how import Report, dialect_of, log_losses, with_tool_names
from chatadt.clients._names import Names, own_names
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncCall, Call
from chatadt.dialects._dialect import Dialect
from chatadt.result import closed

__all__ = ("When", "aimed", "async_aimed", "async_fallback", "fallback", "is_passing", "is_providers")

A = TypeVar("A")

When: TypeAlias = Callable[[ChatError.T], bool]
"""Whether an error is one after which something else is tried."""


def is_passing(error: ChatError.T) -> bool:
    """Whether the same request may be answered later: for `retry`. A quota that is used up does not come back by waiting."""
    if isinstance(error, ChatError.RateLimited):
        return error.error.code != "insufficient_quota"
    return isinstance(error, ChatError.TimedOut | ChatError.Unreachable | ChatError.Broken)


def is_providers(error: ChatError.T) -> bool:
    """Whether another provider may answer the same request: for `fallback`. All errors but that of a recording."""
    return not isinstance(error, ChatError.Unrecorded)


def aimed(call: Call[A], dialect: str | Dialect, *, model: str | None = None, report: Report = log_losses) -> Call[A]:
    """The call, for requests that were meant for another provider: each is mended by `repair` until the server of `dialect` takes
    it, and asks for `model`, where one is named. What that loses is told to `report`; what the adapter loses, to its own.

    Where names of tools are not taken and others are sent, the answer comes back under those of the request, whole or streamed.
    Raises ValueError for a dialect that there is not.
    """
    aim = _aim(dialect, model, report)

    def call_aimed(request: ChatRequest) -> Result[A, ChatError.T]:
        sent, names = aim(request)
        return call(sent).map(own_names(names))

    return call_aimed


def async_aimed(
    call: AsyncCall[A], dialect: str | Dialect, *, model: str | None = None, report: Report = log_losses
) -> AsyncCall[A]:
    """The asynchronous twin of `aimed`."""
    aim = _aim(dialect, model, report)

    async def call_aimed(request: ChatRequest) -> Result[A, ChatError.T]:
        sent, names = aim(request)
        return (await call(sent)).map(own_names(names))

    return call_aimed


def _aim(dialect: str | Dialect, model: str | None, report: Report) -> Callable[[ChatRequest], tuple[ChatRequest, Names]]:
    known = dialect_of({"dialect": dialect}, "")

    def aim(request: ChatRequest) -> tuple[ChatRequest, Names]:
        asked = request if model is None else evolve(request, params=evolve(request.params, model=model))
        respelt, names = with_tool_names(asked, known)
        mended = repair(respelt.value, known)
        if losses := (*respelt.losses, *mended.losses):
            report(losses)
        return mended.value, names

    return aim


def fallback(first: Call[A], *others: Call[A], when: When = is_providers) -> Call[A]:
    """The first call; where it fails, the next one, with the same request, and so on: the first answer, or the last failure.

    `when` says after which errors another is tried. A call of another provider takes the history over where it is `aimed`.
    """

    def call(request: ChatRequest) -> Result[A, ChatError.T]:
        answer = first(request)
        for other in others:
            match closed(answer):
                case Success():
                    return answer
                case Failure(error):
                    if not when(error):
                        return answer
                    answer = other(request)
        return answer

    return call


def async_fallback(first: AsyncCall[A], *others: AsyncCall[A], when: When = is_providers) -> AsyncCall[A]:
    """The asynchronous twin of `fallback`."""

    async def call(request: ChatRequest) -> Result[A, ChatError.T]:
        answer = await first(request)
        for other in others:
            match closed(answer):
                case Success():
                    return answer
                case Failure(error):
                    if not when(error):
                        return answer
                    answer = await other(request)
        return answer

    return call
