"""Calls that are logged: which model was asked, how much of what came back, and how long that took."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest, ChatResponse
from chatadt.clients.error import ChatError
from chatadt.clients.function import AsyncCall, Call
from chatadt.codec import dumps
from chatadt.result import closed

__all__ = ("async_logged", "logged")

A = TypeVar("A")

_LOG: Final = logging.getLogger("chatadt.clients")


def logged(
    call: Call[A], logger: logging.Logger = _LOG, *, contents: bool = False, clock: Callable[[], float] = time.monotonic
) -> Call[A]:
    """The call, with a line before and after it: for information, or as a warning where it fails.

    What was said is written only where `contents` asks for it, since logs are read by more people than conversations are.
    """

    def logging_call(request: ChatRequest) -> Result[A, ChatError.T]:
        began = clock()
        _before(logger, request, contents)
        answer = call(request)
        _after(logger, answer, clock() - began, contents)
        return answer

    return logging_call


def async_logged(
    call: AsyncCall[A], logger: logging.Logger = _LOG, *, contents: bool = False, clock: Callable[[], float] = time.monotonic
) -> AsyncCall[A]:
    """The asynchronous twin of `logged`."""

    async def logging_call(request: ChatRequest) -> Result[A, ChatError.T]:
        began = clock()
        _before(logger, request, contents)
        answer = await call(request)
        _after(logger, answer, clock() - began, contents)
        return answer

    return logging_call


def _before(logger: logging.Logger, request: ChatRequest, contents: bool) -> None:
    text = f": {_text(request)}" if contents else ""
    logger.info("asking %s, %d messages, %d tools%s", request.params.model, len(request.messages), len(request.params.tools), text)


def _after(logger: logging.Logger, answer: Result[Any, ChatError.T], seconds: float, contents: bool) -> None:
    match closed(answer):
        case Success(ChatResponse() as response):
            stop, usage = response.metadata.stop, response.metadata.usage
            said = f": {_text(response)}" if contents else ""
            reason, tokens = stop and stop.kind.value, usage and usage.total
            logger.info("answered in %.2f s, stop %s, %s tokens%s", seconds, reason, tokens, said)
        case Success():
            logger.info("began to answer in %.2f s", seconds)
        case Failure(error):
            logger.warning("no answer in %.2f s: %s", seconds, error)


def _text(word: ChatRequest | ChatResponse) -> str:
    return dumps(word).decode()
