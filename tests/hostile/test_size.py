"""Big input: the cost grows with the work, in time and in memory."""

from __future__ import annotations

import gc
import subprocess
import sys
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
    """At most six copies at a time; fifteen where orjson parses or writes it: it reserves twelve, and uses hardly one. It parses
    arguments, and writes an image that is too large for Anthropic as the original of a loss.
    """
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
    reserved = any(body is BIG_BODIES[name][1] for name in ("arguments of openai_chat", "an image of openai_chat"))
    assert peak < (15 if reserved else 6) * len(BIG)


RESIDENT: Final = """
import resource
from chatadt import convert

def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

arguments = '{"a":"' + "a" * (50 * 1024 * 1024) + '"}'
call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
asked = [{"role": "user", "content": "a"}, {"role": "assistant", "content": None, "tool_calls": [call]}]
body = {"messages": [*asked, {"role": "tool", "tool_call_id": "c", "content": "b"}]}
before = resident()
assert convert(body, "openai_chat", "anthropic").unwrap().losses == ()
print((resident() - before) / len(arguments))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
def test_arguments_of_50_mb_take_three_copies_of_real_memory() -> None:
    """The peak that the tracer sees holds what orjson reserves and does not touch; a process of its own shows what is used."""
    run = subprocess.run([sys.executable, "-c", RESIDENT], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 3


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


MOST: Final = 9
"""From 500 to 2,000 calls linear work takes 4 times as long and quadratic work 16 times: 9 is between."""


def seconds(work: Callable[[], object]) -> float:
    """The time of one run; the garbage collector of a big process is none of the work."""
    gc.disable()
    started = time.process_time()
    work()
    took = time.process_time() - started
    gc.enable()
    return took


def growth(small: Callable[[], object], big: Callable[[], object]) -> float:
    """How many times longer the big work takes, by the least times of two to eight runs: what else runs only adds to a time."""
    short, long = seconds(small), seconds(big)
    for _ in range(7):
        short, long = min(short, seconds(small)), min(long, seconds(big))
        if long <= MOST * max(short, 5e-4):
            break
    return long / max(short, 5e-4)


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
    small, big = (ChatRequest([Message.User("go"), *CONVERSATIONS[name](count)]) for count in (500, 2_000))
    shorter = works(small, dialect)
    ratios = {work: growth(shorter[work], run) for work, run in works(big, dialect).items()}
    assert {work: round(ratio, 1) for work, ratio in ratios.items() if ratio > MOST} == {}


@pytest.mark.parametrize("dialect", OTHER)
def test_two_thousand_calls_in_a_turn_come_across(dialect: str) -> None:
    request = ChatRequest([Message.User("go"), called(2_000), *answered(range(2_000))])
    body = DIALECTS[dialect].write_request(request).value
    converted = convert(body, dialect, OTHER[dialect], policy=Policy.LENIENT).unwrap()
    again = DIALECTS[OTHER[dialect]].read_request(converted.value).unwrap()
    assert again.messages == DIALECTS[dialect].read_request(body).unwrap().messages
