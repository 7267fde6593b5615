"""Chats without a provider, for tests, examples and dry runs: they keep the contract that the adapters keep.

`streamed` makes them stream, `in_thread` makes them asynchronous.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TypeAlias, TypeVar, assert_never

from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest, ChatResponse, Metadata, StopKind, StopReason
from chatadt.clients.error import ChatError
from chatadt.clients.function import Call, Chat
from chatadt.message import Message

__all__ = ("Line", "echo", "faults", "scripted")

A = TypeVar("A")

Line: TypeAlias = str | Message.Assistant | ChatResponse | ChatError.T
"""One line of a script: a text, a message, a whole answer, or the error that stands in its place."""


def scripted(*lines: Line) -> Chat:
    """A chat that says its lines, one a call, whatever it is asked; after the last it answers `Unrecorded`."""
    waiting = iter(lines)
    lock = Lock()

    def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        with lock:
            line = next(waiting, None)
        if line is None:
            return Failure(ChatError.Unrecorded(f"the script has {len(lines)} lines, and all of them were said"))
        return _said(line, request)

    return chat


def echo() -> Chat:
    """A chat that says the text of the last message again."""

    def chat(request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
        return _said(request.messages[-1].text if request.messages else "", request)

    return chat


def faults(call: Call[A], errors: Mapping[int, ChatError.T]) -> Call[A]:
    """The call, which fails those times whose numbers (from 0) `errors` has."""
    lock = Lock()
    made = 0

    def failing_call(request: ChatRequest) -> Result[A, ChatError.T]:
        nonlocal made
        with lock:
            error = errors.get(made)
            made += 1
        return call(request) if error is None else Failure(error)

    return failing_call


def _said(line: Line, request: ChatRequest) -> Result[ChatResponse, ChatError.T]:
    match line:
        case str():
            return _said(Message.Assistant(line), request)
        case Message.Assistant():
            kind = StopKind.TOOL_CALLS if line.tool_requests else StopKind.END
            return Success(ChatResponse(line, Metadata(model=request.params.model, stop=StopReason(kind))))
        case ChatResponse():
            return Success(line)
        case (
            ChatError.RateLimited()
            | ChatError.Unauthorized()
            | ChatError.Invalid()
            | ChatError.TooLong()
            | ChatError.Filtered()
            | ChatError.TimedOut()
            | ChatError.Unreachable()
            | ChatError.Broken()
            | ChatError.Unsayable()
            | ChatError.Unreadable()
            | ChatError.Unrecorded()
        ):
            return Failure(line)
        case _:
            assert_never(line)
