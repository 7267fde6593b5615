"""AWS event streams: what is framed, botocore reads, and what botocore reads, however it is cut, are the events of a stream."""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from wire.corpus import present, recordings

from chatadt import DIALECTS, StopKind, aws_events, convert, deltas_of, fold, sse
from chatadt.aws_events import Parser, frame, is_framed
from chatadt.dialects.bedrock import with_base64, with_bytes

botocore = pytest.importorskip("botocore.eventstream")
model = pytest.importorskip("botocore.model")
loaders = pytest.importorskip("botocore.loaders")
parsers = pytest.importorskip("botocore.parsers")

EVENTS: Final[list[dict[str, Any]]] = [
    {"messageStart": {"role": "assistant"}},
    {
        "contentBlockDelta": {
            "contentBlockIndex": 0,
            "delta": {"text": "Grüße, 世界 😀"},
        }
    },
    {"contentBlockStop": {"contentBlockIndex": 0}},
    {"messageStop": {"stopReason": "end_turn"}},
    {"metadata": {"usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}, "metrics": {"latencyMs": 5}}},
]
BYTES: Final = b"".join(aws_events.encode(EVENTS))


def read(data: bytes, size: int = 1 << 20) -> list[Any]:
    return list(aws_events.events(data[at : at + size] for at in range(0, len(data), size)))


class Raw:
    """The body of a response, as botocore asks for it."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def stream(self) -> Any:
        yield self.data

    def close(self) -> None:
        return


def as_boto3(data: bytes) -> list[Any]:
    """The events that boto3 gives to a program, by botocore's own parser and the service model."""
    service = model.ServiceModel(loaders.Loader().load_service_model("bedrock-runtime", "service-2"), "bedrock-runtime")
    shape = service.operation_model("ConverseStream").output_shape.members["stream"]
    return list(botocore.EventStream(Raw(data), shape, parsers.EventStreamJSONParser(), "ConverseStream"))


def test_what_is_framed_boto3_gives_to_a_program() -> None:
    assert as_boto3(BYTES) == EVENTS


def test_blobs_of_a_framed_stream_are_bytes_for_a_program() -> None:
    event = {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"redactedContent": "aGlkZGVu"}}}}
    (given_,) = as_boto3(b"".join(aws_events.encode([event])))
    assert given_["contentBlockDelta"]["delta"]["reasoningContent"] == {"redactedContent": b"hidden"}
    assert with_bytes(event) == given_
    assert with_base64(given_) == event
    read_stream = DIALECTS["bedrock"].read_stream
    assert read_stream is not None
    assert list(read_stream([event])) == list(read_stream([given_]))


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 20])
def test_where_the_bytes_are_cut_makes_no_difference(size: int) -> None:
    assert read(BYTES, size) == EVENTS


def test_many_frames_at_once_are_read_in_pieces() -> None:
    assert read(BYTES * 2_000) == EVENTS * 2_000


def test_asynchronous_bytes_say_the_same() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for at in range(0, len(BYTES), 50):
            await asyncio.sleep(0)
            yield BYTES[at : at + 50]

    async def all_events() -> list[Any]:
        return [event async for event in aws_events.async_events(chunks())]

    assert asyncio.run(all_events()) == EVENTS


@given(
    st.binary(max_size=200), st.dictionaries(st.text(max_size=20), st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
)
def test_a_frame_of_any_headers_and_payload_is_what_botocore_reads(payload: bytes, headers: dict[str, str]) -> None:
    headers = {name: value for name, value in headers.items() if name.isascii()}
    buffer = botocore.EventStreamBuffer()
    buffer.add_data(frame(payload, headers))
    (message,) = list(buffer)
    assert (message.payload, message.headers) == (payload, headers)


def test_a_header_that_is_too_long_raises() -> None:
    with pytest.raises(ValueError, match="at most 255 bytes"):
        frame(b"", {"a" * 256: "b"})


def test_padding_is_no_part_of_an_event() -> None:
    headers = {":event-type": "messageStart", ":message-type": "event"}
    assert read(frame(b'{"p":"abcdefgh","role":"assistant"}', headers)) == [{"messageStart": {"role": "assistant"}}]


def test_an_exception_in_the_stream_fails_it_and_comes_home() -> None:
    told = {"message": "Too many requests", "originalStatusCode": 429}
    data = BYTES[: len(BYTES) // 2]
    framed = b"".join(aws_events.encode([*EVENTS[:2], {"modelStreamErrorException": told}]))
    with pytest.raises(botocore.EventStreamError, match="Too many requests"):
        as_boto3(framed)
    answer = fold(DIALECTS["bedrock"].read_stream(read(framed)))  # type: ignore[misc]
    error = answer.metadata.error
    assert error is not None
    assert (error.message, error.code) == ("Too many requests", "modelStreamErrorException")
    assert answer.metadata.stop is not None
    assert answer.metadata.stop.kind is StopKind.ERROR
    assert answer.message.text.startswith("Grüße")
    home = convert(read(framed), "bedrock", "bedrock", kind="stream", policy="strict").unwrap().value
    assert b"".join(aws_events.encode(home)).startswith(framed[:40])
    assert read(b"".join(aws_events.encode(home))) == read(framed)
    assert read(data) == EVENTS[: len(read(data))]


def test_an_error_frame_fails_the_stream() -> None:
    framed = frame(b"", {":message-type": "error", ":error-code": "InternalFailure", ":error-message": "Broken."})
    error = fold(DIALECTS["bedrock"].read_stream(read(framed))).metadata.error  # type: ignore[misc]
    assert error is not None
    assert (error.message, error.code) == ("Broken.", "InternalFailure")


def test_chunks_of_invoke_model_are_the_events_of_the_model() -> None:
    answer = fold(DIALECTS["bedrock"].read_stream(EVENTS))  # type: ignore[misc]
    written = list(DIALECTS["anthropic"].write_stream(deltas_of(answer)))  # type: ignore[misc]
    framed = b"".join(aws_events.encode((event["data"] for event in written), invoke=True))
    assert read(framed) == [event["data"] for event in written]
    inner = {"bytes": base64.b64encode(b'{"type":"ping"}').decode(), "p": "abc"}
    headers = {":event-type": "chunk", ":message-type": "event"}
    assert read(frame(json.dumps(inner).encode(), headers)) == [{"type": "ping"}]


@pytest.mark.parametrize("at", [0, 5, 9, 20, len(BYTES) // 2, len(BYTES) - 2])
def test_a_byte_that_is_wrong_fails_the_stream_and_what_came_before_is_kept(at: int) -> None:
    data = bytearray(BYTES)
    data[at] ^= 0x40
    events = read(bytes(data), 64)
    assert len(events) <= len(EVENTS)
    answer = fold(DIALECTS["bedrock"].read_stream(events))  # type: ignore[misc]
    kept = [event for event in events if "eventStreamError" not in event]
    assert kept == EVENTS[: len(kept)]
    if len(kept) < len(events):
        assert answer.metadata.error is not None
        assert answer.metadata.error.message.startswith("the bytes are no event stream: ")


@given(st.binary(max_size=300))
def test_no_bytes_make_the_parser_raise(data: bytes) -> None:
    for event in Parser().feed(data):
        assert "eventStreamError" in event or is_framed(data)


@given(
    st.recursive(st.none() | st.text(max_size=5) | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_any_event_is_framed_and_read_again(event: Any) -> None:
    (again,) = read(b"".join(aws_events.encode([event])))
    told = dict(again) if isinstance(again, dict) else again
    if isinstance(event, dict) and isinstance(told, dict) and told.get("_message_type") == "exception":
        told.pop("_message_type")
    padded = isinstance(event, dict) and any(isinstance(inner, dict) and "p" in inner for inner in event.values())
    assert told == event or padded


def test_bytes_of_other_forms_are_no_frames() -> None:
    assert is_framed(BYTES)
    for other in (b"", BYTES[:11], b"{}" * 20, b"".join(sse.encode(EVENTS)), bytes(40)):
        assert not is_framed(other)


@present
def test_recorded_streams_come_through_the_frames_as_they_were() -> None:
    rows = recordings("bedrock", "stream")
    assert len(rows) > 20
    for row in rows:
        invoke = row.dialect == "bedrock_invoke_nova"
        assert read(b"".join(aws_events.encode(row.body, invoke=invoke)), 1000) == row.body, row.id


def test_who_reads_no_event_stream_needs_no_botocore() -> None:
    """Neither the package nor the writing of frames loads it; reading says what to install where it is missing."""
    program = """
import sys
sys.modules["botocore"] = None
import chatadt.cli, chatadt.aws_events as aws
assert aws.is_framed(b"".join(aws.encode([{"messageStart": {"role": "assistant"}}])))
try:
    list(aws.events([b""]))
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "AWS event streams are read by botocore: install it, or the extra chatadt[bedrock]"


@pytest.mark.parametrize("size", [1, 50, 1 << 20])
def test_who_asks_is_told_of_a_frame_that_the_end_cuts_off(size: int) -> None:
    last = len(list(aws_events.encode(EVENTS))[-1])

    def unfinished(data: bytes) -> list[str]:
        told: list[str] = []
        list(aws_events.events((data[at : at + size] for at in range(0, len(data), size)), told))
        return told

    assert unfinished(BYTES) == []
    assert unfinished(BYTES[:-1]) == [f"{last - 1} bytes of a frame"]
    assert unfinished(BYTES[:-last]) == []
    assert unfinished(BYTES + b"\0") == ["1 bytes of a frame"]
    assert unfinished(b"x" * 40) == []  # that these are no frames is an event
