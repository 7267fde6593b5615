"""The recorded traffic, as bodies with an id. It is not part of the project: CHATADT_WIRE names its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, final

import pytest
from attrs import frozen

__all__ = ("FAMILIES", "WIRE", "Recording", "all_bodies", "present", "read_file", "recorded", "recordings", "report", "sample")

_ROOT: Final = Path(__file__).parents[2]
WIRE: Final = Path(os.environ.get("CHATADT_WIRE", _ROOT.parent / "shared" / "wire"))

present: Final = pytest.mark.skipif(not WIRE.is_dir(), reason=f"no recorded traffic at {WIRE}: set CHATADT_WIRE to its folder")


@final
@frozen
class Recording:
    """One body that went over the wire, and what its recorder said of it."""

    id: str
    dialect: str
    family: str
    kind: str
    origin: str
    status: int
    body: Any
    request_id: str | None = None

    @property
    def is_recorded(self) -> bool:
        """Whether a real call is behind it which the provider did not refuse."""
        return self.origin != "handwritten" and self.status < 400


def _read(line: str) -> Recording:
    row = json.loads(line)  # the standard library keeps the lone surrogates that stand as escapes
    status = (row.get("meta") or {}).get("status") or 0
    return Recording(
        row["id"], row["dialect"], row["family"], row["kind"], row["origin"], status, row["body"], row.get("request_id")
    )


def read_file(path: Path) -> Iterator[Recording]:
    """The recordings of one file, a line each."""
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from map(_read, file)  # splitlines() would cut at U+2028, which a body may hold


@cache
def _of_kind(kind: str) -> tuple[Recording, ...]:
    return tuple(row for path in sorted(WIRE.glob(f"*.{kind}.jsonl")) for row in read_file(path))


FAMILIES: Final = {"bedrock": "bedrock_converse", "cohere": "cohere_v2", "mistral": "openai_chat"}
"""By dialect: its wire format, where that has another name."""
_AMONG_OTHERS: Final = frozenset({"mistral"})
"""Dialects whose traffic stands among that of the format from which they come."""


@cache
def recordings(family: str, kind: str) -> tuple[Recording, ...]:
    """Every body of one wire format (or of the dialect that has it) and kind, handwritten and refused ones too."""
    rows = (row for row in _of_kind(kind) if row.family == FAMILIES.get(family, family))
    return tuple(row for row in rows if family not in _AMONG_OTHERS or row.dialect == family)


def sample(family: str, kind: str, size: int | None) -> tuple[Recording, ...]:
    """About `size` of the recordings, evenly spread and the same every time; all of them for None."""
    rows = recordings(family, kind)
    return rows if size is None else rows[:: -(-len(rows) // size)]


@cache
def recorded(family: str, kind: str) -> tuple[Recording, ...]:
    """The bodies of real calls that the provider accepted."""
    return tuple(row for row in recordings(family, kind) if row.is_recorded)


def all_bodies() -> Iterator[Recording]:
    """Every body of every wire format and kind, a file at a time."""
    for path in sorted(WIRE.glob("*.jsonl")):
        yield from read_file(path)


def report(title: str, failures: list[str], of: int, shown: int = 20) -> str:
    """A headline and the first failures, for an assertion to print."""
    rest = [f"… and {len(failures) - shown} more"] if len(failures) > shown else []
    return "\n  ".join([f"{title}: {len(failures)} of {of}", *failures[:shown], *rest])
