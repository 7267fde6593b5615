"""How it is measured: CPU time, candidates in turn, ratios inside one round, the median over rounds."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final

ROUNDS: Final = 21


@dataclass(frozen=True)
class Candidate:
    """One way to do a piece of work on each line of a corpus; `during` surrounds a whole pass, outside the time that is taken."""

    work: Callable[[bytes], object]
    lines: Sequence[bytes]
    during: Callable[[], AbstractContextManager[Any]] = nullcontext


@dataclass(frozen=True)
class Ratio:
    """How many times as long one candidate took as another: the median over rounds, and the middle half of them."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}-{self.high:.2f})"


@dataclass(frozen=True)
class Times:
    """The CPU seconds that each candidate took in each round; position by position they belong to one round."""

    seconds: Mapping[str, Sequence[float]] = field(repr=False)

    def ratio(self, name: str, floor: str, *, less: str | None = None) -> Ratio:
        """`name` over `floor`; with `less`, what both share (such as the parsing of JSON) is taken off both, round by round."""
        shared = self.seconds[less] if less else [0.0] * len(self.seconds[name])
        return spread([(a - c) / (b - c) for a, b, c in zip(self.seconds[name], self.seconds[floor], shared, strict=True)])

    def best(self, name: str) -> float:
        """The shortest pass of `name`, in seconds."""
        return min(self.seconds[name])


def spread(ratios: Sequence[float]) -> Ratio:
    """The median and the quartiles."""
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Ratio(median, low, high)


def measure(candidates: Mapping[str, Candidate], rounds: int = ROUNDS) -> Times:
    """Run all candidates in every round, each round beginning with another one; the first round warms up and does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    names = list(candidates)
    for turn in range(rounds + 1):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            taken = _pass(candidates[name])
            if turn:
                seconds[name].append(taken)
    return Times(seconds)


def _pass(candidate: Candidate) -> float:
    work, lines = candidate.work, candidate.lines
    with candidate.during():
        begin = process_time()
        for line in lines:
            work(line)  # what it answers is dropped here, as a stream of conversations would be
        return process_time() - begin
