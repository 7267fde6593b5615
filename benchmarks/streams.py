"""What folding and translating streams costs: microseconds a delta, linear or not, and ratios to the JSON of the same events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import process_time
from typing import Any, Final

import orjson

from benchmarks.measure import Candidate, Ratio, measure, spread
from chatadt import DIALECTS, Delta, fold
from chatadt.fold import Folding

__all__ = ("SIZES", "STREAMS", "costs", "feeding", "growth", "seconds", "translation")

SIZES: Final = (1_000, 10_000, 100_000)

STREAMS: Final[Mapping[str, Callable[[int], Delta.T]]] = {
    "text deltas": lambda _: Delta.Text(0, "token "),
    "tool-argument deltas": lambda _: Delta.ToolRequest(0, '"abc", '),
}
"""One long block each, which is where a fold that is not linear shows."""


def seconds(work: Callable[[], object], rounds: int) -> float:
    """CPU seconds of the shortest of the rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def fold_cost(name: str, size: int, rounds: int) -> float:
    """Microseconds that a delta of a stream of `size` costs in `fold`: the shortest of the rounds."""
    stream = [STREAMS[name](number) for number in range(size)]
    return 1e6 * seconds(lambda: fold(stream), rounds) / size


def growth(name: str, rounds: int) -> Ratio:
    """How much more a delta costs in a stream of 100,000 than in one of 1,000: 1 where a fold is linear, 100 where quadratic."""
    small, large = ([STREAMS[name](number) for number in range(size)] for size in (SIZES[0], SIZES[-1]))
    ratios: list[float] = []
    for _ in range(rounds):
        few = seconds(lambda: [fold(small) for _ in range(20)], 1) / (20 * len(small))
        ratios.append(seconds(lambda: fold(large), 1) / len(large) / few)
    return spread(ratios)


def feeding(size: int, rounds: int) -> float:
    """Microseconds that a delta costs where it is fed alone and what changed is looked at."""
    stream = [STREAMS["text deltas"](number) for number in range(size)]

    def work() -> None:
        coming = Folding()
        for delta in stream:
            block = coming.feed(delta)
            assert block is not None

    return 1e6 * seconds(work, rounds) / size


def chunks(size: int) -> list[bytes]:
    """An OpenAI stream of text, as servers send it."""
    base: dict[str, Any] = {"id": "c1", "object": "chat.completion.chunk", "created": 1785328431, "model": "gpt-5"}
    said = [{"role": "assistant", "content": ""}, *({"content": f"token {number} "} for number in range(size))]
    events = [{**base, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}]} for delta in said]
    return [orjson.dumps(event) for event in events]


def translation(rounds: int, size: int = 2_000) -> Ratio:
    """OpenAI -> Anthropic, event by event, over orjson loads + dumps of the same events."""
    lines = [b"\n".join(chunks(size))]
    read, write = DIALECTS["openai_chat"].read_stream, DIALECTS["anthropic"].write_stream
    if read is None or write is None:
        raise ValueError("expected both dialects to have streams")

    def translate(line: bytes) -> int:
        return sum(len(orjson.dumps(event)) for event in write(read(map(orjson.loads, line.split(b"\n")))))

    def floor(line: bytes) -> int:
        return sum(len(orjson.dumps(orjson.loads(each))) for each in line.split(b"\n"))

    times = measure({"floor": Candidate(floor, lines), "translate": Candidate(translate, lines)}, rounds)
    return times.ratio("translate", "floor")


def costs(rounds: int) -> Iterator[tuple[str, Sequence[float]]]:
    """For each kind of stream: microseconds a delta at each size."""
    for name in STREAMS:
        yield name, [fold_cost(name, size, rounds) for size in SIZES]
