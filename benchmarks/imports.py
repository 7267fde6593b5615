"""What `import chatadt` costs, and what it brings in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.measure import Ratio, spread

ROUNDS: Final = 9
_WIRE_TEST_CLI: Final = """
openai anthropic google boto3 botocore mistralai cohere ollama groq together litellm langchain_core pydantic httpx
httpx2 requests aiohttp urllib3 hypothesis typer click rich tqdm jsonschema pytest
"""
UNWANTED: Final = frozenset(_WIRE_TEST_CLI.split())
"""Libraries of the wire, of tests and of the command line, by the name that is imported."""

_TIMED: Final = "import time; begin = time.process_time(); import {module}; print(time.process_time() - begin)"
_LISTED: Final = "import sys, json; before = set(sys.modules); import {module}; print(json.dumps(list(set(sys.modules) - before)))"


def modules(module: str, python: str = sys.executable) -> tuple[str, ...]:
    """All modules that `import module` loads in a fresh interpreter."""
    return tuple(sorted(json.loads(_fresh(python, _LISTED.format(module=module)))))


def packages(loaded: tuple[str, ...]) -> tuple[str, ...]:
    """The installed packages among loaded modules: neither the standard library nor compiled-in names."""
    return tuple(sorted({name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"chatadt"}))


def seconds(module: str, python: str = sys.executable) -> float:
    """CPU seconds of `import module` in a fresh interpreter, its start not counted."""
    return float(_fresh(python, _TIMED.format(module=module)))


def compared(module: str, other: str, python: str) -> tuple[Ratio, float, float]:
    """`module` over `other` in pairs of fresh interpreters, and the shortest time of each; a first pair fills the caches."""
    pairs = [(seconds(module, python), seconds(other, python)) for _ in range(ROUNDS + 1)][1:]
    return spread([ours / theirs for ours, theirs in pairs]), min(ours for ours, _ in pairs), min(theirs for _, theirs in pairs)


def _fresh(python: str, program: str) -> str:
    folder = Path(__file__).resolve().parents[1]
    return subprocess.run([python, "-c", program], cwd=folder, capture_output=True, text=True, check=True).stdout
