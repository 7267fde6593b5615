"""To another provider: a chat for requests of any origin, and one that falls back to others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.check import repair
from chatadt.clients._how import Report, log_losses
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
    """
    change = _aim(dialect, model, report)
    return lambda request: call(change(request))


def async_aimed(
    call: AsyncCall[A], dialect: str | Dialect, *, model: str | None = None, report: Report = log_losses
) -> AsyncCall[A]:
    """The asynchronous twin of `aimed`."""
    change = _aim(dialect, model, report)
    return lambda request: call(change(request))


def _aim(dialect: str | Dialect, model: str | None, report: Report) -> Callable[[ChatRequest], ChatRequest]:
    def change(request: ChatRequest) -> ChatRequest:
        asked = request if model is None else evolve(request, params=evolve(request.params, model=model))
        mended = repair(asked, dialect)
        if mended.losses:
            report(mended.losses)
        return mended.value

    return change


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
