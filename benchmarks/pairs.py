"""Every dialect to every other, beside OpenAI Chat to Anthropic: what a message costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import orjson

from benchmarks.measure import Candidate, Ratio, measure
from benchmarks.work import across
from chatadt import DIALECTS
from chatadt.dialects import FOLDERS

__all__ = ("spoken_by", "times_the_first")

_FIRST = ("openai_chat", "anthropic")


def spoken_by(dialect: str, lines: Sequence[bytes]) -> tuple[bytes, ...]:
    """The request bodies that chatadt makes of OpenAI ones for `dialect`."""
    if dialect == "openai_chat":
        return tuple(lines)
    read, encode = DIALECTS["openai_chat"].read_request, DIALECTS[dialect].encode_request
    return tuple(encode(read(orjson.loads(line)).unwrap()).value for line in lines)


def times_the_first(lines: Sequence[bytes], rounds: int) -> dict[tuple[str, str], Ratio]:
    """By source and target: how many times as long as OpenAI Chat to Anthropic, of the same conversations."""
    spoken = {name: spoken_by(name, lines) for name in FOLDERS}
    candidates = {
        f"{source} -> {target}": Candidate(across(source, target), spoken[source]) for source, target in permutations(FOLDERS, 2)
    }
    times = measure(candidates, rounds)
    first = " -> ".join(_FIRST)
    return {(source, target): times.ratio(f"{source} -> {target}", first) for source, target in permutations(FOLDERS, 2)}
