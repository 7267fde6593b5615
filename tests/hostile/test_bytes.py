"""Own JSON from outside: whatever the bytes are, `loads` answers, and its error leads to the place."""

from __future__ import annotations

import json
from typing import Final

import pytest
from hypothesis import given, strategies as st
from returns.result import Failure, Success

from chatadt import DIALECTS, ConversionError, dumps, loads

from .bodies import BODIES, nodes, place, replaced
from .test_shapes import SHAPES, SURROGATES

NOT_JSON: Final = {
    "nothing": b"",
    "white space": b" \n",
    "half an object": b'{"messages": [',
    "two documents": b"[] []",
    "NaN": b'[{"type": "text", "text": NaN}]',
    "Infinity": b"[-Infinity]",
    "a number beyond a double": b"1e999",
    "bytes that are no UTF-8": b'"\xff"',
    "UTF-16": '{"messages": []}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf[]",
    "a comment": b"[] // none",
    "single quotes": b"{'messages': []}",
    "10,000 lists": b"[" * 10_000 + b"]" * 10_000,
    "10,000 objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "10,000 lists in a message": b'{"messages":[{"type":"user","contents":' + b"[" * 10_000 + b"]" * 10_000 + b"}]}",
    "100,000 open brackets": b"[" * 100_000,
}


@pytest.mark.parametrize("data", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_no_json_is_said_to_be_none(data: bytes) -> None:
    error = loads(data).failure()
    assert isinstance(error, ConversionError.Unreadable)
    assert str(error)


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(data: bytes) -> None:
    assert isinstance(loads(data), Success | Failure)


@given(st.text(max_size=200))
def test_any_text_is_answered(data: str) -> None:
    assert isinstance(loads(data), Success | Failure)


@pytest.mark.parametrize("name", BODIES)
def test_a_wrong_value_in_own_json_is_named_or_kept(name: str) -> None:
    dialect, body = BODIES[name]
    document = json.loads(dumps(DIALECTS[dialect].read_request(body).unwrap()))
    wrong: list[str] = []
    for where in nodes(document):
        for value in (*SHAPES, *SURROGATES):
            changed = replaced(document, where, value)
            match loads(json.dumps(changed)):
                case Failure(ConversionError.Unreadable(problems=problems)):
                    path = place(where)
                    if not any(found.path.startswith(path) or path.startswith(found.path) for found in problems):
                        wrong.append(f"{path} = {value!r}: {problems}")
                case Success(word):
                    assert loads(dumps(word)) == Success(word)
                case other:
                    pytest.fail(f"{place(where)} = {value!r}: {other}")
    assert wrong == []


def test_a_key_that_stands_twice_is_named() -> None:
    """RFC 8259 leaves it open which of the two counts, so neither is taken in silence."""
    error = loads(b'{"type": "text", "text": "a", "text": "b"}').failure()
    assert "text" in str(error)
