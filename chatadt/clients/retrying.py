"""Try again: what fails for now is asked again after a while, by tenacity (the extra `retry`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from returns.result import Failure, Result
from tenacity import AsyncRetrying, RetryCallState, Retrying, retry_if_result, stop_after_attempt, wait_exponential_jitter

from chatadt.chat import ChatRequest
from chatadt.clients._numbers import at_least_one, seconds
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncCall, Call
from chatadt.clients.routing import When, is_passing

__all__ = ("async_retry", "retry")

A = TypeVar("A")


def retry(
    call: Call[A],
    *,
    attempts: int = 3,
    longest: float = 60.0,
    when: When = is_passing,
    sleep: Callable[[float], None] = time.sleep,
) -> Call[A]:
    """The call, made up to `attempts` times while it fails with an error that `when` says may pass; then its last failure.

    Between two calls it waits as long as the provider says, or from one second on twice as long each time with some chance added,
    but never more than `longest` seconds: who is told to wait longer asks too early. A stream is opened again, but never begun
    again in its middle. Clients of SDKs retry on their own too: say `max_retries=0` there, or the two multiply. Raises TypeError or
    ValueError for what is no number of attempts (1 or more) or of seconds (0 or more).
    """
    at_least_one(attempts, "at least one attempt")
    seconds(longest, "the longest wait")

    def retrying(request: ChatRequest) -> Result[A, ChatError.T]:
        again = Retrying(
            stop=stop_after_attempt(attempts),
            wait=_waits(longest),
            retry=retry_if_result(_fails(when)),
            retry_error_callback=_last,
            sleep=sleep,
        )
        return again(call, request)

    return retrying


def async_retry(
    call: AsyncCall[A],
    *,
    attempts: int = 3,
    longest: float = 60.0,
    when: When = is_passing,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> AsyncCall[A]:
    """The asynchronous twin of `retry`."""
    at_least_one(attempts, "at least one attempt")
    seconds(longest, "the longest wait")

    async def once(request: ChatRequest) -> Result[A, ChatError.T]:
        return await call(request)

    async def retrying(request: ChatRequest) -> Result[A, ChatError.T]:
        again = AsyncRetrying(
            stop=stop_after_attempt(attempts),
            wait=_waits(longest),
            retry=retry_if_result(_fails(when)),
            retry_error_callback=_last,
            sleep=sleep,
        )
        return await again(once, request)

    return retrying


def _fails(when: When) -> Callable[[Result[Any, ChatError.T]], bool]:
    def fails(result: Result[Any, ChatError.T]) -> bool:
        return isinstance(result, Failure) and when(result.failure())

    return fails


def _waits(longest: float) -> Callable[[RetryCallState], float]:
    grows = wait_exponential_jitter(initial=1.0, max=longest)

    def wait(state: RetryCallState) -> float:
        error = _error(state)
        if isinstance(error, ChatError.RateLimited | ChatError.Broken) and error.retry_after is not None:
            return min(float(error.retry_after), longest)
        return grows(state)

    return wait


def _last(state: RetryCallState) -> Any:
    return state.outcome.result() if state.outcome is not None else None


def _error(state: RetryCallState) -> ChatError.T | None:
    """What the last attempt failed with."""
    last = _last(state)
    return cast("Failure[ChatError.T]", last).failure() if isinstance(last, Failure) else None
