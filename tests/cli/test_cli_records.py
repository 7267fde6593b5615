"""JSON and JSON Lines are told apart by their first lines; lines keep their numbers."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from chatadt.cli._records import Form, Record, records


def read(text: bytes, form: Form | None = None) -> list[Record]:
    return list(records(io.BytesIO(text), form))


ONE_DOCUMENT: dict[str, bytes] = {
    "indented": b'{\n  "a": [\n    1\n  ]\n}\n',
    "a list with an object a line": b'[\n{"a": 1},\n{"a": 2}\n]\n',
    "a list with one object": b'[\n{"a": 1}\n]\n',
    "half indented": b'{"a": 1,\n "b": 2}',
    "blank lines inside": b'{"a": 1,\n\n\n "b": 2}',
    "broken further down": b'{\n  "a": 1,\n  "b": oops\n}\n',
    "cut off": b'{\n  "a": 1,\n',
    "longer than what is looked at": b"[\n" + b'{"a": 1},\n' * 500 + b'{"a": 2}\n]',
    "a long first string": b'{"a": "' + b"x" * 2_000_000 + b'",\n"b": 1}',
    "a NaN in the first line": b'{"a": NaN,\n"b": 1}',
}


@pytest.mark.parametrize("text", ONE_DOCUMENT.values(), ids=ONE_DOCUMENT)
def test_a_document_over_several_lines_is_one_record(text: bytes) -> None:
    assert read(text) == [Record(1, text, Form.DOCUMENT)]


LINES: dict[str, tuple[bytes, list[int]]] = {
    "objects": (b'{"a": 1}\n{"a": 2}\n', [1, 2]),
    "one object": (b'{"a": 1}\n', [1]),
    "no line feed at the end": (b'{"a": 1}\n{"a": 2}', [1, 2]),
    "blank lines": (b'\n\n{"a": 1}\n\n  \n{"a": 2}\n\n', [3, 6]),
    "carriage returns": (b'{"a": 1}\r\n\r\n{"a": 2}\r\n', [1, 3]),
    "the first cut off in a string": (b'{"a": "x\n{"a": 2}\n{"a": 3}\n', [1, 2, 3]),
    "the first cut off between tokens": (b'{"a": [1,\n{"a": 2}\n{"a": 3}\n', [1, 2, 3]),
    "the first two cut off": (b'{"a": [1,\n{"a": 2\n{"a": 3}\n{"a": 4}\n', [1, 2, 3, 4]),
    "the first not JSON": (b"hello\n{}\n", [1, 2]),
    "the first not UTF-8": (b'{"a": "\xff"}\n{}\n', [1, 2]),
    "the first with NaN": (b'{"a": NaN}\n{}\n', [1, 2]),
    "the first 10,000 levels deep": (b"[" * 10_000 + b"]" * 10_000 + b"\n{}\n", [1, 2]),
    "the first of 10,000 digits": (b"1" * 10_000 + b"\n{}\n", [1, 2]),
    "two objects in the first line": (b"{}{}\n{}\n", [1, 2]),
    "a line separator in a string": ('{"a": "x\u2028y\x0bz\x85"}\n{}\n'.encode(), [1, 2]),
}


@pytest.mark.parametrize(("text", "numbers"), LINES.values(), ids=LINES)
def test_json_lines_are_a_record_each(text: bytes, numbers: list[int]) -> None:
    found = read(text)
    assert [record.line for record in found] == numbers
    assert [record.text for record in found] == [text.split(b"\n")[number - 1].rstrip(b"\r") for number in numbers]
    assert {record.form for record in found} == {Form.LINES}


@pytest.mark.parametrize("text", [b'{"a": 1}\n{"a": 2}\n', b'{\n"a": 1}\n'], ids=["lines", "document"])
def test_a_byte_order_mark_is_passed_over(text: bytes) -> None:
    assert read(b"\xef\xbb\xbf" + text) == read(text)


@pytest.mark.parametrize("text", [b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_white_space_has_no_record(text: bytes) -> None:
    assert read(text) == read(text, Form.LINES) == []
    assert len(read(text, Form.DOCUMENT)) == 1


def test_a_form_can_be_forced() -> None:
    lines = b'{"a": 1}\n{"a": 2}\n'
    assert read(lines, Form.DOCUMENT) == [Record(1, lines, Form.DOCUMENT)]
    assert [record.text for record in read(b"[\n1\n]\n", Form.LINES)] == [b"[", b"1", b"]"]


def test_lines_are_read_one_at_a_time() -> None:
    stream = io.BufferedReader(io.BytesIO(b'{"a": 1}\n' * 1_000_000), 1000)  # type: ignore[arg-type]
    found = records(stream)
    next(found)
    assert stream.tell() < 100


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=3), min_size=1, max_size=5))
def test_whatever_is_written_as_json_lines_is_read_as_such(values: list[Any]) -> None:
    text = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)
    assert [json.loads(record.text) for record in read(text)] == values


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5) | st.lists(VALUES, max_size=5))
def test_whatever_is_written_as_one_document_is_read_as_such(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2).encode()
    assert [json.loads(record.text) for record in read(text)] == [value]
