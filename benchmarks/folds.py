"""How the streams of others fold, beside ours in the same process: microseconds a delta at each size.

`python -m benchmarks.folds` runs in the environment of the peers and prints JSON; `ask` runs it there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from importlib.metadata import version
from operator import add
from pathlib import Path
from typing import Any, Final

from benchmarks.streams import SIZES, STREAMS, seconds
from chatadt import Delta, fold

__all__ = ("Folded", "ask")

TEXT: Final = "token "
PIECE: Final = '"abc", '
PATIENCE: Final = 100.0
"""Seconds that a fold may be expected to take, were it quadratic; a longer one is not measured."""

Fold = tuple[Callable[[int], Sequence[Any]], Callable[[Sequence[Any]], str]]
"""What makes a stream of a size, before the clock starts; and its fold, which answers all the text that it holds."""


@dataclass(frozen=True)
class Folded:
    """By size: the microseconds that a delta costs, None where that would take too long; or why there is nothing."""

    fold: str
    stream: str
    version: str = ""
    costs: tuple[float | None, ...] = ()
    failure: str = ""


# --- this part runs in the environment of the peers -------------------------------------------------------------------------------


def _ours(kind: str) -> Fold:
    def text(deltas: Sequence[Any]) -> str:
        (content,) = fold(deltas).message.contents
        return content.text if kind == "text deltas" else content.arguments.text  # type: ignore[union-attr]

    begun: list[Delta.T] = [] if kind == "text deltas" else [Delta.ToolRequest(0, "", "c", "f")]
    return lambda size: [*begun, *(STREAMS[kind](number) for number in range(size))], text


def _langchain(kind: str) -> Fold:
    from langchain_core.messages import AIMessageChunk

    def chunk(number: int) -> AIMessageChunk:
        if kind == "text deltas":
            return AIMessageChunk(content=TEXT)
        named = {"name": "f", "id": "c"} if number == 0 else {"name": None, "id": None}
        return AIMessageChunk(content="", tool_call_chunks=[{**named, "args": PIECE, "index": 0}])  # type: ignore[list-item,typeddict-item]

    def text(chunks: Sequence[Any]) -> str:
        whole = reduce(add, chunks)
        return str(whole.content) if kind == "text deltas" else str(whole.tool_call_chunks[0]["args"])

    return lambda size: [chunk(number) for number in range(size)], text


def _openai(kind: str) -> Fold:
    from openai.lib.streaming.chat import ChatCompletionStreamState
    from openai.types.chat import ChatCompletionChunk

    def chunk(number: int) -> ChatCompletionChunk:
        named = {"id": "c", "type": "function"} if number == 0 else {}
        function = {"arguments": PIECE, **({"name": "f"} if number == 0 else {})}
        said = {"content": TEXT} if kind == "text deltas" else {"tool_calls": [{"index": 0, **named, "function": function}]}
        base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return ChatCompletionChunk.model_validate({**base, "choices": [{"index": 0, "delta": said, "finish_reason": None}]})

    def text(chunks: Sequence[Any]) -> str:
        state: Any = ChatCompletionStreamState()
        for each in chunks:
            state.handle_chunk(each)
        message = state.current_completion_snapshot.choices[0].message
        return str(message.content if kind == "text deltas" else message.tool_calls[0].function.arguments)

    return lambda size: [chunk(number) for number in range(size)], text


FOLDS: Final[Mapping[str, tuple[str, Callable[[str], Fold]]]] = {
    "chatadt fold": ("chatadt", _ours),
    "langchain-core AIMessageChunk +": ("langchain-core", _langchain),
    "openai ChatCompletionStreamState": ("openai", _openai),
}
"""By name: the distribution that it comes from, and how it folds a kind of stream."""


def _measured(name: str, kind: str, rounds: int) -> Folded:
    distribution, prepare = FOLDS[name]
    try:
        make, text = prepare(kind)
        costs = tuple(_costs(make, text, TEXT if kind == "text deltas" else PIECE, rounds))
    except Exception as error:  # whatever a peer raises: its row says so
        return Folded(name, kind, failure=f"{type(error).__name__}: {error}".splitlines()[0])
    return Folded(name, kind, version(distribution), costs)


def _costs(make: Callable[[int], Sequence[Any]], text: Callable[[Sequence[Any]], str], piece: str, rounds: int) -> Any:
    before = 0.0
    for size in SIZES:
        if before * 100 > PATIENCE:
            before = float("inf")
            yield None
            continue
        stream = make(size)

        def work(stream: Sequence[Any] = stream, expected: str = piece * size) -> None:
            if text(stream) != expected:
                raise ValueError("the fold lacks some of the text")

        before = seconds(work, rounds if before < 0.05 else 1)
        yield 1e6 * before / size


def _main() -> int:
    parser = argparse.ArgumentParser(description="Fold long streams, in the environment that has the peers.")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print(json.dumps([asdict(_measured(name, kind, chosen.rounds)) for kind in STREAMS for name in FOLDS]))
    return 0


# --- this part runs in the project's own --------------------------------------------------------------------------------------


def ask(python: Path, rounds: int) -> tuple[Folded, ...]:
    """What folds cost, measured in one process of the environment of the peers. RuntimeError where that fails."""
    command = [str(python), "-m", "benchmarks.folds", "--rounds", str(rounds)]
    done = subprocess.run(command, cwd=Path(__file__).resolve().parent.parent, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return tuple(Folded(**{**row, "costs": tuple(row["costs"])}) for row in json.loads(done.stdout))


if __name__ == "__main__":
    sys.exit(_main())
