"""What the adapters of OpenAI's client share: answers and streams as they came, exceptions."""

from __future__ import annotations

from typing import Any

import openai

from chatadt.clients._adapter import AsyncOpened, Opened
from chatadt.clients._faults import Fault, Trouble, http_fault, transport_fault
from chatadt.clients._reading import async_framed, framed
from chatadt.sse import async_events, events

__all__ = ("async_events_of", "catch", "events_of")


def events_of(stream: Any) -> Opened:
    """The events of a stream as the server sent them, and what closes it."""
    return framed(events, stream.response.iter_bytes()), stream.close


def async_events_of(stream: Any) -> AsyncOpened:
    """The asynchronous twin of `events_of`."""
    return async_framed(async_events, stream.response.aiter_bytes()), stream.close


def catch(dialect: str, error: Exception) -> Fault | None:
    """What an exception of the client, or of HTTP below it, says."""
    if isinstance(error, openai.APITimeoutError):
        return Fault(dialect, str(error), trouble=Trouble.TIMEOUT)
    if isinstance(error, openai.APIConnectionError):
        return Fault(dialect, _cause(error), trouble=Trouble.CONNECTION)
    if isinstance(error, openai.APIStatusError):
        return http_fault(dialect, error)
    if isinstance(error, openai.APIError):
        return Fault(dialect, error.message, code=error.code, body={"error": error.body})
    return transport_fault(dialect, error)


def _cause(error: Exception) -> str:
    return f"{error} ({error.__cause__})" if error.__cause__ is not None else str(error)
