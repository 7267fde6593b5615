"""Runs the examples of a page, in the order in which they stand, in a folder of their own that has a copy of `examples/`.

A block of `python` is run, or checked line by line where it has prompts. A block of `console` is a session: after each `$ command`
stands what it prints, `...` for whatever is not worth showing. Blocks of other languages are for reading.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, Phase, settings
from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

__all__ = ("has_examples", "run")

ROOT: Final = Path(__file__).parent.parent
FLAGS: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS: Final = 60


def has_examples(page: Path) -> bool:
    """Whether there is anything to run in a page."""
    return next(iter(_document(page).examples()), None) is not None


def run(page: Path) -> None:
    """Run the examples of a page. Raises what Python raises, or sybil's failure, where one does not do what the page says."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        with chdir(folder), _few_examples():
            for example in _document(page).examples():
                example.evaluate()


@contextmanager
def _few_examples() -> Iterator[None]:
    """Let the property tests of a page be quick: what they find need not be the smallest there is."""
    before = settings.get_current_profile_name()
    settings.load_profile("docs")
    try:
        yield
    finally:
        settings.load_profile(before)


settings.register_profile(
    "docs",
    max_examples=50,
    phases=(Phase.explicit, Phase.generate),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def _document(page: Path) -> Document:
    python, console = PythonCodeBlockParser(doctest_optionflags=FLAGS), CodeBlockParser("console", evaluate_session)
    parsers: list[Callable[[Document], Iterable[Region]]] = [python, console, SkipParser()]
    return Sybil(parsers).parse(page)


def evaluate_session(example: Example) -> str | None:
    """What a session printed instead of what the page says, or None where it printed that."""
    for command, expected in _commands(str(example.parsed)):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode or not doctest.OutputChecker().check_output(expected, done.stdout, FLAGS):
            return f"$ {command}\nexpected:\n{expected}\ngot, with exit code {done.returncode}:\n{done.stdout}"
    return None


_COMMAND: Final = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n?(?P<output>(?:(?!\$ ).*\n?)*)", re.MULTILINE)


def _commands(session: str) -> Iterator[tuple[str, str]]:
    if not session.startswith("$ "):
        raise ValueError(f"a session begins with `$ ` and a command, got {session[:60]!r}")
    for found in _COMMAND.finditer(session):
        yield found["command"], found["output"]
