"""The format stands still: what is written today is read for ever, and is written the same.

The files of golden/ are written anew with CHATADT_UPDATE_GOLDEN=1; what differs is a change of the format and needs a new version.
Those of golden/http4k/ are written by hand, as http4k's own encoder would write them.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

import pytest
from returns.result import Success

from chatadt._template_converter import ALL_CASES
from chatadt.codec import dumps, loads
from chatadt.json import dump, parse

from .golden_words import HTTP4K, WRITTEN

GOLDEN: Final = Path(__file__).parent / "golden"


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.skipif("CHATADT_UPDATE_GOLDEN" not in os.environ, reason="CHATADT_UPDATE_GOLDEN is not set")
def test_write_the_golden_files_anew() -> None:
    for name, word in WRITTEN.items():
        (GOLDEN / f"{name}.json").write_text(json.dumps(parse(dumps(word)), indent=2) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_written_as_ever(name: str) -> None:
    assert dumps(WRITTEN[name]).decode() == dump(parse(golden(name)))


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_read_as_ever(name: str) -> None:
    assert loads(golden(name)) == loads(golden(name).encode()) == Success(WRITTEN[name])


@pytest.mark.parametrize("name", HTTP4K)
def test_what_http4k_writes_is_read(name: str) -> None:
    assert loads(golden(f"http4k/{name}")) == Success(HTTP4K[name])


def test_every_golden_file_belongs_to_a_word() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(WRITTEN)
    assert {path.stem for path in (GOLDEN / "http4k").glob("*.json")} == set(HTTP4K)


def test_every_tag_stands_in_a_golden_file() -> None:
    written = "".join(golden(name) for name in WRITTEN)
    for union, cases in ALL_CASES.items():
        for tag in cases:
            assert f'"type": "{tag}"' in written, (union, tag)
