"""The schema says what `loads` takes of our own spelling: it is up to date, takes all that `dumps` writes, and refuses alike."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson
import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from returns.pipeline import is_successful

from chatadt._template_converter import ALL_CASES
from chatadt.codec import Document, dumps, loads
from chatadt.json import parse
from chatadt.schema import PATH, json_schema

from .documents import DOCUMENTS, USUAL, broken, broken_once, same, text

VALIDATOR: Final = Draft202012Validator(json_schema())


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_the_shipped_file_is_up_to_date() -> None:
    """After a change of the types: `python -m chatadt.schema`."""
    assert json.loads(PATH.read_text(encoding="utf-8")) == json_schema()


def test_it_is_made_afresh_and_yours_to_change() -> None:
    json_schema()["$defs"].clear()
    json_schema()["$defs"]["Content.Text"]["properties"].clear()
    assert json_schema() == VALIDATOR.schema


def test_it_has_every_case_of_every_union_with_its_tag() -> None:
    for cases in ALL_CASES.values():
        for tag, case in cases.items():
            assert json_schema()["$defs"][case.__qualname__]["properties"]["type"] == {"const": tag}


def test_nothing_is_defined_in_vain() -> None:
    written = PATH.read_text(encoding="utf-8")
    for name in json_schema()["$defs"]:
        assert f'"#/$defs/{name}"' in written


@given(DOCUMENTS)
def test_it_takes_whatever_dumps_writes(word: Document) -> None:
    VALIDATOR.validate(parse(dumps(word)))


@given(DOCUMENTS, st.data())
def test_it_takes_a_broken_document_just_when_loads_does(word: Document, data: st.DataObject) -> None:
    whole = parse(dumps(word))
    other = data.draw(broken_once(whole))
    assert VALIDATOR.is_valid(other) == is_successful(loads(text(other)))


@pytest.mark.parametrize("word", USUAL, ids=lambda word: type(word).__name__)
def test_documents_with_a_bit_of_everything_are_refused_alike_in_every_place(word: Document) -> None:
    refused = 0
    for other in broken(orjson.loads(dumps(word))):
        takes = VALIDATOR.is_valid(other)
        assert takes == is_successful(loads(text(other))), text(other)
        refused += not takes
    assert refused > 30


@pytest.mark.parametrize(
    "document", [None, 5, "x", {}, {"type": "x"}, {"chatadt": 2, "messages": []}, [5], {"messages": [], "x": 1}]
)
def test_what_is_no_document_is_refused_by_both(document: Any) -> None:
    assert not VALIDATOR.is_valid(document)
    assert not is_successful(loads(text(document)))


def test_breaking_breaks() -> None:
    for word in USUAL:
        whole = orjson.loads(dumps(word))
        assert not any(same(other, whole) for other in broken(whole))
