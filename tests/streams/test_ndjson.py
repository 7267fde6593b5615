"""Newline-delimited JSON, however the bytes are cut; and back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st
from wire.corpus import present, recordings

from chatadt import DIALECTS, fold, ndjson

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(VALUES, max_size=5), st.integers(1, 7))
def test_what_was_encoded_is_parsed_again_wherever_it_is_cut(values: list[Any], size: int) -> None:
    data = b"".join(ndjson.encode(values))
    assert data.count(b"\n") == len(values)
    assert list(ndjson.events(data[at : at + size] for at in range(0, len(data), size))) == values


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1}\n{"b":2}\n', [{"a": 1}, {"b": 2}]),
        (b'{"a":1}\r\n\r\n \n{"b":2}', [{"a": 1}, {"b": 2}]),
        (b'\xef\xbb\xbf{"a":1}\n', [{"a": 1}]),
        ('{"a":"\u2028\x85"}\n'.encode(), [{"a": "\u2028\x85"}]),
        (b'{"a":1}\n{"b":\n{"c":3}\n', [{"a": 1}, '{"b":', {"c": 3}]),
        (b"", []),
    ],
)
def test_lines_are_values_and_a_broken_one_is_the_text_that_it_is(data: bytes, expected: list[Any]) -> None:
    assert list(ndjson.events([data])) == expected
    assert list(ndjson.events(bytes([byte]) for byte in data)) == expected


@given(st.binary(max_size=40))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    list(ndjson.events([data]))


def test_lines_too_deep_to_follow_are_texts() -> None:
    deep = "[" * 100_000
    assert list(ndjson.events([deep.encode()])) == [deep]


def test_a_line_is_given_as_soon_as_it_is_complete() -> None:
    asked = 0

    def chunks() -> Iterator[bytes]:
        nonlocal asked
        for chunk in (b'{"a":', b'1}\n{"b"', b":2}\n"):
            asked += 1
            yield chunk

    assert next(ndjson.events(chunks())) == {"a": 1}
    assert asked == 2


@present
def test_a_recorded_stream_goes_through_bytes_and_back() -> None:
    async def chunks(data: bytes) -> AsyncIterator[bytes]:
        for at in range(0, len(data), 100):
            await asyncio.sleep(0)
            yield data[at : at + 100]

    async def over(data: bytes) -> list[Any]:
        return [event async for event in ndjson.async_events(chunks(data))]

    read, write = DIALECTS["ollama"].read_stream, DIALECTS["ollama"].write_stream
    assert read is not None
    assert write is not None
    rows = recordings("ollama", "stream")
    assert len(rows) >= 5
    for row in rows:
        data = b"".join(json.dumps(event).encode() + b"\n" for event in row.body)
        assert asyncio.run(over(data)) == row.body
        sent = b"".join(ndjson.encode(write(read(ndjson.events([data])))))
        assert fold(read(ndjson.events([sent]))) == fold(read(row.body))


def test_a_broken_line_stops_no_stream() -> None:
    read = DIALECTS["ollama"].read_stream
    assert read is not None
    data = b'{"message":{"content":"a"}}\n{"mess\n{"message":{"content":"b"},"done":true}\n'
    answer = fold(read(ndjson.events([data])))
    assert answer.message.text == "ab"
    assert answer.metadata.extras.of("ollama")["events"] == ['{"mess']
