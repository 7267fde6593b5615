"""What exact error paths cost: against the same library, loaded a second time with the handlers taken out of its readers.

"Without any error handling" is not a guess here. Readers are generated as source text, and a second copy of the package is made
whose generated readers have lost every `try` and `except`, whose lists are read by a bare comprehension, and whose door does not
catch. It still refuses wrong types: what it lacks is all that finds out where they are.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

import orjson

from benchmarks.corpus import spoilt
from benchmarks.measure import Candidate, Ratio, measure

Read = Callable[[bytes], Any]

EVERY: Final = 10
"""One conversation in so many is bad."""

_TRY: Final = re.compile(r"^(\s*)try: ")
_EXCEPT: Final = re.compile(r"^\s*except ")


def cost(
    read: Callable[[bytes], Any], bare: Callable[[bytes], Any], lines: Sequence[bytes], rounds: int
) -> tuple[Ratio, Ratio, str]:
    """On clean data and on one bad conversation in ten, over reading clean data with no error handling; and one such error.

    The parsing of JSON is taken off both sides: it would flatter the ratios.
    """
    bad = spoilt(lines, EVERY)
    failures = [answer.failure() for line, before in zip(bad, lines, strict=True) if line != before for answer in (read(line),)]
    if len(failures) != len(lines) // EVERY:
        raise AssertionError(f"{len(lines) // EVERY} conversations are bad, {len(failures)} were refused")
    names = {"parse": orjson.loads, "read": read, "bare": bare}
    candidates = {name: Candidate(work, lines) for name, work in names.items()}
    times = measure({**candidates, "bad": Candidate(read, bad)}, rounds)
    return times.ratio("read", "bare", less="parse"), times.ratio("bad", "bare", less="parse"), str(failures[0])


def unguarded() -> tuple[ModuleType, list[int]]:
    """A second copy of chatadt without handlers, and how many were taken out so far (some readers are made at their first use)."""
    first = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "chatadt"}
    try:
        packages = {name: _hollow(name, first[name]) for name in ("chatadt", "chatadt.dialects")}
        sys.modules.update(packages)  # so that the two modules can be changed before anything is made with them
        removed = _strip()
        for name in packages:
            del sys.modules[name]
        return importlib.import_module("chatadt"), removed
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "chatadt"]:
            del sys.modules[name]
        sys.modules.update(first)


def _hollow(name: str, package: ModuleType) -> ModuleType:
    """A package that finds its modules and has run nothing."""
    hollow = ModuleType(name)
    hollow.__path__ = list(package.__path__)
    return hollow


def _strip() -> list[int]:
    from returns.result import Success

    hooks: Any = importlib.import_module("chatadt._hooks")
    wire: Any = importlib.import_module("chatadt._wire")
    compiled = hooks._compiled
    removed = [0]

    def compiled_bare(name: str, parameters: str, body: list[str], scope: dict[str, Any]) -> Callable[..., Any]:
        removed[0] += sum(1 for line in body if _EXCEPT.match(line))
        return compiled(name, parameters, [_TRY.sub(r"\1", line) for line in body if not _EXCEPT.match(line)], scope)

    def each_bare(read: Callable[[Any], Any], items: Any) -> tuple[Any, ...]:
        if items.__class__ is not list:
            raise wire.Unexpected.of("a list", items)
        return tuple([read(item) for item in items])

    hooks._compiled = compiled_bare
    wire.each = each_bare
    shared: Any = importlib.import_module("chatadt.dialects._codec")
    shared.reading = lambda _, read: lambda body: Success(read(body))
    return removed
