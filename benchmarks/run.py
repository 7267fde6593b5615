"""`python -m benchmarks`: the table of what chatadt costs now, each row with its first target."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

import orjson
from returns.primitives.exceptions import UnwrapFailedError

import chatadt
from benchmarks import errors, folds, imports, peers, streams
from benchmarks.corpus import CONVERSATIONS, anthropic_lines, figures, openai_lines, own_lines
from benchmarks.measure import ROUNDS, Candidate, Ratio, measure
from benchmarks.pairs import times_the_first
from benchmarks.work import Work, across, converting, missing, own_json, parse_and_write
from chatadt.dialects import FOLDERS


@dataclass(frozen=True)
class Row:
    """One line of the table; `met` is None where there is no target or nothing could be measured."""

    work: str
    measured: str
    target: str = ""
    met: bool | None = None


@dataclass(frozen=True)
class Line:
    """One conversion to be timed, against the floor of the same bytes."""

    work: str
    does: Work
    lines: Sequence[bytes]
    most: float | None


SLOWEST: Final = 1.5
"""How many times as long as OpenAI Chat to Anthropic any other pair may take."""
BUSY: Final = 1.3
"""A load above this means that something else ran beside the benchmark."""
FLOOR_NOTE: Final = "x orjson loads + dumps of the same bytes"


def at_most(work: str, ratio: Ratio, most: float | None) -> Row:
    """A row whose ratio should not be above `most`."""
    return Row(work, str(ratio), f"<= {most}" if most else "", ratio.median <= most if most else None)


def at_least(work: str, ratio: Ratio, least: float | None) -> Row:
    """A row whose ratio should not be below `least`."""
    return Row(work, f"{ratio}", f">= {least}" if least else "", ratio.median >= least if least else None)


def conversions(lines: Sequence[bytes], rounds: int) -> Iterator[Row]:
    """Bytes to the ADT to bytes, all candidates of one corpus in the same rounds."""
    count = len(lines)
    messages = sum(len(orjson.loads(line)["messages"]) for line in lines)
    theirs, own, whole = anthropic_lines(lines), own_lines(lines), openai_lines(count, tools=True)
    timed = (
        Line("OpenAI -> ADT -> Anthropic", across("openai_chat", "anthropic"), lines, 2.5),
        Line("  the same by chatadt.convert (rules, policy)", converting("openai_chat", "anthropic"), lines, None),
        Line("  the same with tool definitions and parameters", across("openai_chat", "anthropic"), whole, None),
        Line("Anthropic -> ADT -> OpenAI", across("anthropic", "openai_chat"), theirs, None),
        Line("OpenAI -> ADT -> OpenAI", across("openai_chat", "openai_chat"), lines, None),
        Line("Anthropic -> ADT -> Anthropic", across("anthropic", "anthropic"), theirs, None),
        Line("own JSON -> ADT -> own JSON", own_json, own, 2.5),
    )
    broken = {line.work: why for line in timed if (why := fault(lines, line))}
    floors = {f"floor {id(corpus)}": Candidate(parse_and_write, corpus) for corpus in (lines, whole, theirs, own)}
    sound = [line for line in timed if line.work not in broken]
    times = measure({**floors, **{line.work: Candidate(line.does, line.lines) for line in sound}}, rounds)
    for line in timed:
        if line.work in broken:
            yield Row(line.work, f"not timed: {broken[line.work]}", f"<= {line.most}" if line.most else "", False)
        else:
            row = at_most(line.work, times.ratio(line.work, f"floor {id(line.lines)}"), line.most)
            yield Row(row.work, f"{row.measured}, {1e6 * times.best(line.work) / messages:.1f} µs a message", row.target, row.met)


def pairs(lines: Sequence[bytes], rounds: int) -> Iterator[Row]:
    """A row for each source: what its targets cost, the slowest of them against the target."""
    ratios = times_the_first(lines, rounds)
    for source in FOLDERS:
        found = {target: ratio for (origin, target), ratio in ratios.items() if origin == source}
        slowest = max(found.values(), key=lambda ratio: ratio.median)
        said = ", ".join(f"{target} {ratio.median:.2f}" for target, ratio in found.items())
        yield at_most(f"{source}, to its slowest", slowest, SLOWEST)
        yield Row(f"  {said}", "")


def fault(lines: Sequence[bytes], line: Line) -> str:
    """Why a conversion is not worth timing: it fails, or its answers lack something that the bodies say. Empty when it is."""
    try:
        answers = [line.does(each) for each in line.lines]
    except UnwrapFailedError as error:
        return f"it fails: {error.halted_container.failure()}"
    lost = missing(lines, answers)
    return f"{len(lost)} things are lost, such as {lost[0]}" if lost else ""


def error_paths(lines: Sequence[bytes], rounds: int) -> Iterator[Row]:
    """The cost of saying exactly what is wrong and where."""
    bare, removed = errors.unguarded()
    read = {"own JSON": _own_reader, "OpenAI": _openai_reader}
    for name, corpus in (("own JSON", own_lines(lines)), ("OpenAI", lines)):
        clean, bad, example = errors.cost(read[name](chatadt), read[name](bare), corpus, rounds)
        yield at_most(f"exact error paths, {name}: on clean data", clean, 1.03)
        yield at_most(f"exact error paths, {name}: at 10 % bad", bad, 1.5)
        yield Row(f"  such as: {example}", "")
    yield Row(f"  against a copy of chatadt without its {removed[0]} handlers; parsing of JSON taken off both", "")


def folding(rounds: int) -> Iterator[Row]:
    """What a delta of a long stream costs, and whether the length of the stream matters."""
    sizes = ", ".join(f"{size:,}" for size in streams.SIZES)
    for name, costs in streams.costs(rounds):
        yield Row(f"fold of {name}, of {sizes}", ", ".join(f"{cost:.3f}" for cost in costs) + " µs a delta", "<= 1", costs[1] <= 1)
        yield at_most(f"  a delta among {streams.SIZES[-1]:,}, x one among {streams.SIZES[0]:,}", streams.growth(name, rounds), 4)
    yield Row("Folding.feed, and a look at what changed", f"{streams.feeding(10_000, rounds):.3f} µs a delta")
    yield at_most("stream OpenAI -> Anthropic, x orjson of the same events", streams.translation(rounds), 3)


def folding_beside(python: Any, why: str, rounds: int) -> Iterator[Row]:
    """What a delta costs where others fold, in one process with ours, at each size."""
    try:
        found = folds.ask(python, min(rounds, 3)) if python else ()
    except RuntimeError as error:
        found, why = (), str(error)
    if not found:
        yield Row("other folds", f"not measured: {why}")
    for row in found:
        costs = ", ".join("(too long)" if cost is None else f"{cost:,.2f}" for cost in row.costs)
        said = f"not measured: {row.failure}" if row.failure else f"{costs} µs a delta"
        yield Row(f"{row.stream}: {row.fold} {row.version}".rstrip(), said)


def _own_reader(package: Any) -> Callable[[bytes], Any]:
    read: Callable[[bytes], Any] = package.loads
    return read


def _openai_reader(package: Any) -> Callable[[bytes], Any]:
    read = package.DIALECTS["openai_chat"].read_request
    return lambda line: read(orjson.loads(line))


def importing(python: str, langchain: bool) -> Iterator[Row]:
    """What `import chatadt` costs and brings in."""
    loaded = imports.modules("chatadt", python)
    brought = imports.packages(loaded)
    unwanted = sorted(imports.UNWANTED & set(brought))
    said = f"{len(loaded)} modules, of {', '.join(brought)}" + (f"; unwanted: {', '.join(unwanted)}" if unwanted else "")
    yield Row("import chatadt: what it brings in", said, "no wire, test or CLI library", not unwanted)
    if langchain:
        ratio, ours, theirs = imports.compared("chatadt", "langchain_core.messages", python)
        work = f"import chatadt, x import langchain_core.messages ({theirs * 1e3:.0f} ms)"
        yield Row(work, f"{ratio}, {ours * 1e3:.0f} ms", "(later: <= 0.33)")
    else:
        shortest = min(imports.seconds("chatadt", python) for _ in range(imports.ROUNDS))
        yield Row("import chatadt", f"{shortest * 1e3:.0f} ms; langchain_core is not installed, so there is no ratio")


TARGETS: Final[dict[str, float]] = {
    "litellm anthropic_messages_pt": 2,
    "LangChain _format_messages, as shipped": 8,
    "LangChain _format_messages, type hints cached": 3,
    "pydantic-ai, its JSON -> Anthropic": 3,
}


def beside_peers(python: Any, why: str, count: int, rounds: int) -> Iterator[Row]:
    """chatadt's OpenAI -> Anthropic against what other libraries do for it, each pair in one process."""
    for name in peers.PEERS:
        report = peers.ask(python, name, count=count, rounds=rounds) if python else peers.Report(name, failure=why)
        if report.failure:
            yield Row(name, f"not measured: {report.failure}")
            continue
        for row in report.rows:
            found = at_least(f"{row.name} ({report.version})", row.times_ours, TARGETS.get(row.name))
            yield Row(found.work, f"{found.measured}, {row.times_floor.median:.1f} x the floor", found.target, found.met)
            if row.note:
                yield Row(f"  {row.note}", "")


def busy() -> float:
    """How many processes wanted a processor, on average over the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def show(title: str, rows: Iterator[Row]) -> list[Row]:
    """Print rows as they come."""
    print(f"\n{title}")
    shown: list[Row] = []
    for row in rows:
        met = {True: "met", False: "NOT MET", None: ""}[row.met]
        print(f"  {row.work:<62} {row.measured:<46} {row.target:<24} {met}".rstrip(), flush=True)
        shown.append(row)
    return shown


def main() -> int:
    """Print the table. Exit 0; with --check, 1 when a first target is not met."""
    parser = argparse.ArgumentParser(prog="benchmarks", description="What chatadt costs, as ratios in one run on one thread.")
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--no-peers", action="store_true", help="leave out the other libraries, and the environment they need")
    parser.add_argument("--check", action="store_true", help="exit 1 when a first target is not met")
    chosen = parser.parse_args()
    lines = openai_lines(chosen.conversations)
    print(
        f"chatadt {chatadt.__version__} on CPython {platform.python_version()} ({platform.machine()}), orjson {version('orjson')}, "
        f"attrs {version('attrs')}, cattrs {version('cattrs')}; one thread, CPU time"
    )
    print("corpus: " + ", ".join(f"{value} {name}" for name, value in figures(lines).items()))
    print(f"each figure: median over {chosen.rounds} rounds of the ratio inside one round (and the middle half of them)")
    python, why = (None, "--no-peers") if chosen.no_peers else peers.prepare()
    rows = show(FLOOR_NOTE, conversions(lines, chosen.rounds))
    rows += show("x OpenAI -> Anthropic, of the same conversations", pairs(lines[: len(lines) // 4], chosen.rounds))
    rows += show("x reading clean data with no error handling", error_paths(lines, chosen.rounds))
    rows += show("streams", folding(chosen.rounds))
    sizes = ", ".join(f"{size:,}" for size in streams.SIZES)
    rows += show(f"folding {sizes} deltas, beside others", folding_beside(python, why, chosen.rounds))
    rows += show(
        "how many times faster chatadt's OpenAI -> Anthropic is than",
        beside_peers(python, why, chosen.conversations, chosen.rounds),
    )
    rows += show("import, in fresh interpreters", importing(str(python or sys.executable), python is not None))
    if (load := busy()) > BUSY:
        print(
            f"\nother work ran on this machine (load {load:.1f}), which slows an interpreter more than orjson: ratios are too high"
        )
    missed = [row.work.strip() for row in rows if row.met is False]
    judged = sum(row.met is not None for row in rows)
    print(f"\n{judged - len(missed)} of {judged} targets met" + (f"; not met: {'; '.join(missed)}" if missed else ""))
    return 1 if chosen.check and missed else 0
