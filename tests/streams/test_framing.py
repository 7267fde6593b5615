"""How each dialect's events stand on the wire, and where a stream is said to have ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Delta, StopKind, StopReason, Usage, sse
from chatadt.chat import ProviderError
from chatadt.dialects import VARIANTS
from chatadt.framing import Carrier

DONE: Final = sse.frame(sse.DONE)
FACTS: Final[dict[str, tuple[Carrier, bool, str | None]]] = {
    "openai_chat": (Carrier.SERVER_SENT, False, "[DONE]"),
    "openai_responses": (Carrier.SERVER_SENT, True, None),
    "anthropic": (Carrier.SERVER_SENT, True, None),
    "gemini": (Carrier.SERVER_SENT, False, None),
    "bedrock": (Carrier.AWS, False, None),
    "mistral": (Carrier.SERVER_SENT, False, "[DONE]"),
    "cohere": (Carrier.SERVER_SENT, True, None),
    "ollama": (Carrier.LINES, False, None),
    **dict.fromkeys(VARIANTS, (Carrier.SERVER_SENT, False, "[DONE]")),
}
"""By dialect: what carries its events, whether they have names, and what follows the last one (dialects.md, section 5)."""

START: Final = Delta.Start("m", "c")
TEXT: Final = Delta.Text(0, "Hel\nlo.")
END: Final = Delta.Stop(StopReason(StopKind.END))
ERROR: Final = Delta.Failed(ProviderError("Overloaded", "overloaded_error"))
COUNTED: Final = Delta.Tokens(Usage(input=5, output=2))
CALL: Final = Delta.ToolRequest(1, id="t", name="now")
SECOND: Final = (Delta.Text(0, "b", 1), Delta.Stop(StopReason(StopKind.END), 1))

ENDED: Final[dict[str, list[Delta.T]]] = {
    "a text": [START, TEXT, END],
    "counts last": [START, TEXT, END, COUNTED],
    "a call without arguments": [START, TEXT, CALL, Delta.Stop(StopReason(StopKind.TOOL_CALLS))],
    "it was too long": [START, TEXT, Delta.Stop(StopReason(StopKind.LENGTH))],
    "two messages": [START, TEXT, END, Delta.Start("n", "c"), TEXT, END],
    "two choices": [START, TEXT, *SECOND, END],
}
BROKEN: Final[dict[str, list[Delta.T]]] = {
    "nothing": [],
    "a beginning": [START],
    "a text": [START, TEXT],
    "counts": [START, TEXT, COUNTED],
    "an error": [START, TEXT, ERROR],
    "an error at once": [ERROR],
    "an error after the end": [START, TEXT, END, ERROR],
    "a second message": [START, TEXT, END, Delta.Start("n", "c"), TEXT],
    "that it was interrupted": [START, TEXT, Delta.Stop(StopReason(StopKind.INTERRUPTED))],
}

by_name = pytest.mark.parametrize("name", DIALECTS)


def events_of(name: str, deltas: list[Delta.T]) -> list[Any]:
    write: Any = DIALECTS[name].write_stream
    return list(write(deltas))


def test_each_dialect_is_framed_as_its_server_does() -> None:
    framings = {name: DIALECTS[name].framing for name in DIALECTS}
    assert {name: (each.carrier, each.has_names, each.terminator) for name, each in framings.items()} == FACTS


@by_name
@pytest.mark.parametrize("told", [*ENDED.values(), *BROKEN.values()], ids=[*ENDED, *(f"only {name}" for name in BROKEN)])
def test_what_is_framed_is_read_again(name: str, told: list[Delta.T]) -> None:
    framing = DIALECTS[name].framing
    events = events_of(name, told)
    data = b"".join(framing.encode(events))
    cut: list[str] = []
    read = list(framing.events((data[at : at + 7] for at in range(0, len(data), 7)), cut))
    assert [{key: value for key, value in event.items() if key != "_message_type"} for event in read] == events
    assert cut == []


@by_name
@pytest.mark.parametrize("told", ENDED.values(), ids=ENDED)
def test_the_end_is_said_once_where_the_message_ended(name: str, told: list[Delta.T]) -> None:
    framing = DIALECTS[name].framing
    data = b"".join(framing.encode(events_of(name, told)))
    assert data.count(DONE) == (framing.terminator is not None)
    assert data.endswith(DONE) is (framing.terminator is not None)


@by_name
@pytest.mark.parametrize("told", BROKEN.values(), ids=BROKEN)
def test_the_end_is_not_said_of_what_did_not_end(name: str, told: list[Delta.T]) -> None:
    assert b"[DONE]" not in b"".join(DIALECTS[name].framing.encode(events_of(name, told)))


@pytest.mark.parametrize("name", [name for name in DIALECTS if DIALECTS[name].framing.terminator])
def test_one_choice_that_breaks_off_is_no_end(name: str) -> None:
    told = [START, TEXT, Delta.Text(0, "b", 1), END]
    assert b"[DONE]" not in b"".join(DIALECTS[name].framing.encode(events_of(name, told)))


@by_name
def test_asynchronous_events_and_bytes_are_framed_alike(name: str) -> None:
    framing = DIALECTS[name].framing
    events = events_of(name, [START, TEXT, END])
    data = b"".join(framing.encode(events))

    async def later(items: list[Any]) -> AsyncIterator[Any]:
        for item in items:
            yield item

    async def both() -> tuple[bytes, list[Any]]:
        return (
            b"".join([piece async for piece in framing.async_encode(later(events))]),
            [event async for event in framing.async_events(later([data]))],
        )

    assert asyncio.run(both()) == (data, events)


def test_only_an_event_of_a_dialect_whose_events_have_names_has_one() -> None:
    event = {"event": "x", "data": {"choices": []}}
    assert b"".join(DIALECTS["anthropic"].framing.encode([event])) == b'event: x\ndata: {"choices":[]}\n\n'
    assert b"".join(DIALECTS["openai_chat"].framing.encode([event])) == b'data: {"event":"x","data":{"choices":[]}}\n\n'
