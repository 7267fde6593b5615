"""Server-sent events as the WHATWG standard parses them, however the bytes are cut; and back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from wire.corpus import present, recordings

from chatadt import DIALECTS, fold, sse
from chatadt.sse import Parser

STANDARD: Final[dict[str, tuple[bytes, list[tuple[str, str]]]]] = {
    "one event of two lines": (b"data: YHOO\ndata: +2\ndata: 10\n\n", [("", "YHOO\n+2\n10")]),
    "a comment, an id, an event without data after the colon": (
        b": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        [("", "first event"), ("", "second event"), ("", " third event")],
    ),
    "a field without a colon, and an event that is cut off": (b"data\n\ndata\ndata\n\ndata:", [("", ""), ("", "\n")]),
    "one space after the colon is no part of the data": (b"data:test\n\ndata: test\n\n", [("", "test"), ("", "test")]),
    "names last for one event": (b"event: add\ndata: 73\n\ndata: 1\n\n", [("add", "73"), ("", "1")]),
    "an event without data is none, and takes its name with it": (b"event: ping\n\ndata: 1\n\n", [("", "1")]),
    "lines end in every way": (b"data: a\r\ndata: b\rdata: c\n\r\n", [("", "a\nb\nc")]),
    "two carriage returns are two ends": (b"data: a\r\rdata: b\r\r", [("", "a"), ("", "b")]),
    "a byte order mark at the beginning, and nowhere else": (b"\xef\xbb\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n", [("", "a")]),
    "fields that the standard does not know": (b"retry: 10\nfoo: bar\ndata: a\nData: b\n\n", [("", "a")]),
    "what is not UTF-8 is replaced": (b"data: \xff\n\n", [("", "\ufffd")]),
    "a line separator of Unicode ends no line": ("data: a\u2028b\x85c\n\n".encode(), [("", "a\u2028b\x85c")]),
}
"""From the standard's own examples, and from what it says beside them."""


def parsed(chunks: list[bytes]) -> list[tuple[str, str]]:
    parser = Parser()
    return [event for chunk in chunks for event in parser.feed(chunk)] + list(parser.feed(b"", is_last=True))


@pytest.mark.parametrize("name", STANDARD)
def test_it_parses_as_the_standard_says(name: str) -> None:
    data, expected = STANDARD[name]
    assert parsed([data]) == expected


@pytest.mark.parametrize("name", STANDARD)
def test_where_the_bytes_are_cut_makes_no_difference(name: str) -> None:
    data, expected = STANDARD[name]
    assert parsed([bytes([byte]) for byte in data]) == expected
    for at in range(len(data)):
        assert parsed([data[:at], data[at:]]) == expected


@given(
    st.lists(st.tuples(st.sampled_from(["", "a", "message_stop"]), st.text(st.characters(exclude_categories=["Cs"])))),
    st.integers(1, 7),
)
def test_what_was_framed_is_parsed_again(told: list[tuple[str, str]], size: int) -> None:
    data = b"".join(sse.frame(text, name) for name, text in told)
    normal = [(name, text.replace("\r\n", "\n").replace("\r", "\n")) for name, text in told]
    assert parsed([data[at : at + size] for at in range(0, len(data), size)]) == normal


@given(st.lists(st.binary(max_size=20)))
def test_no_bytes_make_it_raise(chunks: list[bytes]) -> None:
    list(sse.events(chunks))


def test_done_is_no_event_and_data_that_is_no_json_stays_text() -> None:
    assert list(sse.events([b'data: {"a": 1}\n\ndata: oops\n\nevent: e\ndata: [1]\n\ndata: [DONE]\n\n'])) == [
        {"a": 1},
        "oops",
        {"event": "e", "data": [1]},
    ]


def test_the_end_is_marked_where_it_is_asked_for() -> None:
    assert list(sse.encode([{"a": 1}], done=True)) == [b'data: {"a":1}\n\n', b"data: [DONE]\n\n"]


@present
@pytest.mark.parametrize("name", ["openai_chat", "anthropic", "openai_responses"])
def test_a_recorded_stream_goes_over_the_wire_and_folds_to_the_same(name: str) -> None:
    for row in recordings(name, "stream")[::10]:
        data = b"".join(sse.encode(row.body, done=True))
        chunks = [data[at : at + 77] for at in range(0, len(data), 77)]
        assert list(sse.events(chunks)) == row.body
        assert list(asyncio.run(collected(chunks))) == row.body
        assert fold(DIALECTS[name].read_stream(sse.events(chunks))) == fold(DIALECTS[name].read_stream(row.body))


async def collected(chunks: list[bytes]) -> list[Any]:
    async def slowly() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    return [event async for event in sse.async_events(slowly())]


def test_events_are_given_as_soon_as_they_are_complete() -> None:
    def chunks() -> Iterator[bytes]:
        yield b"data: 1\n\n"
        raise AssertionError("nobody asked for more")

    assert next(sse.events(chunks())) == 1


def unfinished(data: bytes) -> str:
    """What the end of a stream cuts off, however its bytes come: whole, one by one, or asynchronously."""
    whole, pieces, later = list[str](), list[str](), list[str]()

    async def chunks() -> AsyncIterator[bytes]:
        yield data

    async def hear() -> None:
        async for _ in sse.async_events(chunks(), later):
            pass

    list(sse.events([data], whole))
    list(sse.events((bytes([byte]) for byte in data), pieces))
    asyncio.run(hear())
    assert whole == pieces == later
    return "".join(whole)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (b'data: {"a": 1}\n', 'data: {"a": 1}'),
        (b'data: {"a": 1}', 'data: {"a": 1}'),
        (b"event: message_stop\ndata: {}\n", "event: message_stop\ndata: {}"),
        (b"event: message_stop\n", "event: message_stop"),
        (b"data: a\r\ndata: b\r", "data: a\ndata: b"),
        (b"da", "da"),
    ],
)
def test_who_asks_is_told_of_an_event_that_the_end_cuts_off(rest: bytes, expected: str) -> None:
    assert unfinished(b"data: 1\n\n" + rest) == expected


@pytest.mark.parametrize("rest", [b"", b"\n\n", b": bye", b"id: 1\n", b"id", b"retry: 7", b"data: [DONE]", b"data:[DONE]\n"])
def test_what_says_nothing_is_not_cut_off(rest: bytes) -> None:
    assert unfinished(b"data: 1\n\n" + rest) == ""


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_line_where_the_data_of_an_event_begins_is_known(size: int) -> None:
    data = b": hi\n\nevent: a\ndata: 1\r\ndata: 2\n\n\ndata: 3\n\n"
    parser = sse.Parser()
    found = [(text, parser.line) for at in range(0, len(data), size) for _, text in parser.feed(data[at : at + size])]
    assert found == [("1\n2", 4), ("3", 8)]


def test_bytes_that_are_not_utf8_are_replaced_unless_one_asks_for_them() -> None:
    assert list(sse.Parser().feed(b"data: \xff\n\n")) == [("", "\ufffd")]
    assert list(sse.Parser("surrogateescape").feed(b"data: \xff\n\n")) == [("", "\udcff")]
