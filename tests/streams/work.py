"""How much work something is, counted and not timed, so that it is the same on every machine and every day.

Three things are counted that a program cannot hide: the lines that run, the bytes that are held for a moment (copies and joins of
what came before), and the characters that are parsed as JSON.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any, Final, NamedTuple

from chatadt import json

__all__ = ("Work", "grown", "work_of")

Steps = Callable[[], Iterator[object]]
"""Work in steps, each of which takes a piece of what comes in."""


class Work(NamedTuple):
    """What some steps took."""

    lines: int
    held: int
    parsed: int


LEAST: Final = Work(2_000, 200_000, 20_000)
"""So little of each says nothing."""


def lines_of(steps: Steps) -> int:
    """The lines of Python that run. A step of a comprehension or of a generator counts as one."""
    count = 0

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in steps():
            pass
    finally:
        sys.settrace(before)
    return count


def held_by(steps: Steps) -> int:
    """The bytes that steps hold for a moment, and give back."""
    total = 0
    tracemalloc.start()
    try:
        running = iter(steps())
        while True:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            if next(running, None) is None:
                return total
            after, peak = tracemalloc.get_traced_memory()
            total += peak - max(before, after)
    finally:
        tracemalloc.stop()


def parsed_by(steps: Steps) -> int:
    """The characters of JSON that are parsed, or only looked at."""
    total = 0
    inner = {name: getattr(json, name) for name in ("parse", "why_not_json")}

    def counting(known: Callable[..., Any]) -> Callable[..., Any]:
        def counted(text: Any, *more: Any) -> Any:
            nonlocal total
            total += len(text)
            return known(text, *more)

        return counted

    places = [
        (module, name, known)
        for module in [*sys.modules.values()]
        if module.__name__.startswith("chatadt")
        for name, known in inner.items()
        if module.__dict__.get(name) is known
    ]
    for module, name, known in places:
        setattr(module, name, counting(known))
    try:
        for _ in steps():
            pass
    finally:
        for module, name, known in places:
            setattr(module, name, known)
    return total


def work_of(steps: Steps) -> Work:
    """All that is counted of some steps."""
    return Work(lines_of(steps), held_by(steps), parsed_by(steps))


def grown(few: Work, many: Work) -> dict[str, float]:
    """How many times as much each is; 0 for what is next to nothing."""
    pairs: Iterable[tuple[str, int, int, int]] = zip(Work._fields, few, many, LEAST, strict=True)
    return {name: later / max(first, 1) if later > least else 0.0 for name, first, later, least in pairs}
