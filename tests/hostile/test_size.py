"""Big input: the cost grows with the work, in time and in memory."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import pytest
from returns.result import Success

from chatadt import DIALECTS, ChatRequest, Content, Message, Policy, check, convert, dumps, loads, repair

MEGABYTES: Final = 50
BIG: Final = "a" * (MEGABYTES * 1024 * 1024)

OTHER: Final = {"openai_chat": "anthropic", "anthropic": "openai_chat"}
BIG_BODIES: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "a text of openai_chat": ("openai_chat", lambda big: {"messages": [{"role": "user", "content": big}]}),
    "an image of openai_chat": (
        "openai_chat",
        lambda big: {
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{big}"}}]},
            ]
        },
    ),
    "arguments of openai_chat": (
        "openai_chat",
        lambda big: {
            "messages": [
                {"role": "user", "content": "a"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": f'{{"a":"{big}"}}'}}],
                },
                {"role": "tool", "tool_call_id": "c", "content": "b"},
            ]
        },
    ),
    "a text of anthropic": ("anthropic", lambda big: {"max_tokens": 1, "messages": [{"role": "user", "content": big}]}),
    "an image of anthropic": (
        "anthropic",
        lambda big: {
            "max_tokens": 1,
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": big}}],
                }
            ],
        },
    ),
}


@pytest.mark.parametrize(("source", "body"), BIG_BODIES.values(), ids=BIG_BODIES)
def test_a_string_of_50_mb_crosses_in_bounded_time_and_memory(source: str, body: Callable[[str], Any]) -> None:
    """At most six copies at a time, of arguments (which are text here and an object there) sixteen."""
    given = body(BIG)
    gc.collect()
    tracemalloc.start()
    started = time.process_time()
    answer = convert(given, source, OTHER[source], policy=Policy.LENIENT)
    took = time.process_time() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(answer, Success)
    assert took < 5
    assert peak < (16 if body is BIG_BODIES["arguments of openai_chat"][1] else 6) * len(BIG)


def test_a_document_of_50_mb_is_read_and_written() -> None:
    word = Message.User(BIG)
    started = time.process_time()
    assert loads(dumps(word)) == Success(word)
    assert time.process_time() - started < 5


def test_a_wrong_string_of_50_mb_is_shown_in_short() -> None:
    body = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:;base64," + BIG + "!"}}]}]}
    started = time.process_time()
    error = DIALECTS["openai_chat"].read_request(body).failure()
    assert time.process_time() - started < 5
    assert len(str(error)) < 500


# --- many calls ----------------------------------------------------------------------------------------------------------------


def called(count: int, id_: Callable[[int], str] = lambda number: f"call_{number}") -> Message.Assistant:
    return Message.Assistant([Content.ToolRequest(id_(number), "f", f'{{"n":{number}}}') for number in range(count)])


def answered(numbers: range, id_: Callable[[int], str] = lambda number: f"call_{number}") -> list[Message.T]:
    return [Message.ToolResult(id_(number), "f", str(number)) for number in numbers]


def cycles(count: int) -> list[Message.T]:
    """Each call in a turn of its own, and its result too late."""
    found: list[Message.T] = []
    for number in range(count):
        found += [called(1, lambda _, n=number: f"call_{n}"), Message.User("and?"), *answered(range(number, number + 1))]  # type: ignore[misc]
    return found


CONVERSATIONS: Final[dict[str, Callable[[int], list[Message.T]]]] = {
    "in order": lambda count: [called(count), *answered(range(count))],
    "in reverse": lambda count: [called(count), *answered(range(count - 1, -1, -1))],
    "unanswered": lambda count: [called(count)],
    "without a call": lambda count: answered(range(count)),
    "late": lambda count: [called(count), Message.User("wait"), *answered(range(count))],
    "each in a turn, late": cycles,
    "with ids that are not taken": lambda count: [
        called(count, lambda n: f"call {n}"),
        *answered(range(count), lambda n: f"call {n}"),
    ],
    "with ids that are too long": lambda count: [
        called(count, lambda n: f"{'x' * 70}{n}"),
        *answered(range(count), lambda n: f"{'x' * 70}{n}"),
    ],
    "with one id": lambda count: [called(count, lambda _: "c"), *answered(range(count), lambda _: "c")],
    "with blank ids": lambda count: [called(count, lambda _: ""), *answered(range(count), lambda _: "")],
}


def seconds(work: Callable[[], object]) -> float:
    """The least time of two runs; the garbage collector of a big process is none of the work."""
    took: list[float] = []
    for _ in range(2):
        gc.disable()
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
        gc.enable()
    return min(took)


def works(request: ChatRequest, dialect: str) -> dict[str, Callable[[], object]]:
    body = DIALECTS[dialect].write_request(request).value
    return {
        "write": lambda: DIALECTS[dialect].write_request(request),
        "read": lambda: DIALECTS[dialect].read_request(body),
        "check": lambda: check(request, dialect),
        "repair": lambda: repair(request, dialect),
        "convert": lambda: convert(body, dialect, OTHER[dialect], policy=Policy.LENIENT),
        "dumps": lambda: dumps(request),
    }


@pytest.mark.parametrize("dialect", OTHER)
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_the_time_for_thousands_of_tool_calls_is_linear(name: str, dialect: str) -> None:
    """From 500 to 2,000 calls linear work takes 4 times as long and quadratic work 16 times: 9 is between."""
    small, big = (ChatRequest([Message.User("go"), *CONVERSATIONS[name](count)]) for count in (500, 2_000))
    ratios = {}
    for work, run in works(big, dialect).items():
        long, short = seconds(run), seconds(works(small, dialect)[work])
        ratios[work] = long / max(short, 5e-4)
    assert {work: round(ratio, 1) for work, ratio in ratios.items() if ratio > 12} == {}


@pytest.mark.parametrize("dialect", OTHER)
def test_two_thousand_calls_in_a_turn_come_across(dialect: str) -> None:
    request = ChatRequest([Message.User("go"), called(2_000), *answered(range(2_000))])
    body = DIALECTS[dialect].write_request(request).value
    converted = convert(body, dialect, OTHER[dialect], policy=Policy.LENIENT).unwrap()
    again = DIALECTS[OTHER[dialect]].read_request(converted.value).unwrap()
    assert again.messages == DIALECTS[dialect].read_request(body).unwrap().messages
