"""A chunk that says another piece of the text is read by a short way: what the long way reads of any stream, it reads too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from chatadt import DIALECTS, Delta

LIKE_OPENAI: Final = ("openai_chat", "mistral")


def chunk(delta: object, *, choice: dict[str, Any] | None = None, without: Sequence[str] = (), **fields: object) -> dict[str, Any]:
    told = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None, **(choice or {})}
    kept = {key: value for key, value in told.items() if key not in without}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [kept], **fields}


def piece(text: str = "more ", **changes: Any) -> dict[str, Any]:
    return chunk({"content": text}, **changes)


CHUNKS: Final[dict[str, Any]] = {
    "another piece": piece(),
    "no reason and no probabilities": piece(without=("logprobs", "finish_reason")),
    "no reason": piece(without=("finish_reason",)),
    "no probabilities": piece(without=("logprobs",)),
    "padding": piece(obfuscation="x8"),
    "other padding": piece(obfuscation="y"),
    "padding in the choice": piece(choice={"obfuscation": "x"}),
    "a later time": piece(created=2),
    "another model": piece(model="n"),
    "another message": piece(id="c2"),
    "a fingerprint": piece(system_fingerprint="fp"),
    "usage": piece(usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}),
    "no usage": piece(usage=None),
    "probabilities": piece(choice={"logprobs": {"content": [{"token": "a", "logprob": -1.0, "bytes": None, "top_logprobs": []}]}}),
    "probabilities and no reason": piece(choice={"logprobs": {"content": []}}, without=("finish_reason",)),
    "a reason": piece(choice={"finish_reason": "stop"}),
    "a reason and no probabilities": piece(choice={"finish_reason": "stop"}, without=("logprobs",)),
    "another choice": piece(choice={"index": 1}),
    "another choice, and no more": piece(choice={"index": 1}, without=("logprobs", "finish_reason")),
    "a number that is none": piece(choice={"index": None}),
    "more about the choice": piece(choice={"content_filter_results": {"hate": {"filtered": False}}}),
    "more about the choice, and less": piece(choice={"stop_reason": 5}, without=("logprobs",)),
    "more about the choice in the place of both": piece(choice={"a": 1, "b": 2}, without=("logprobs", "finish_reason")),
    "one more about the choice": piece(choice={"a": 1}, without=("logprobs", "finish_reason")),
    "a role": chunk({"role": "assistant", "content": "more "}),
    "a refusal": chunk({"refusal": "no"}),
    "an empty piece": piece(""),
    "no piece": chunk({"content": None}),
    "parts": chunk({"content": [{"type": "text", "text": "more "}]}),
    "nothing": chunk({}),
    "no delta": chunk(None),
    "a call": chunk({"tool_calls": [{"index": 0, "id": "t1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}),
    "thought": chunk({"reasoning_content": "hm"}),
    "no choice": {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []},
    "two choices": {**piece(), "choices": [*piece()["choices"], {"index": 1, "delta": {"content": "b"}}]},
    "choices that are none": {**piece(), "choices": {"a": 1}},
    "a choice that is none": {**piece(), "choices": ["a"]},
    "an error": {"error": {"message": "overloaded", "code": "overloaded"}},
    "an error beside a piece": piece(error={"message": "overloaded", "code": "overloaded"}),
    "the end": "[DONE]",
    "a name": {"event": "message", "data": piece()},
    "no event": None,
}


def read(dialect: str, events: Sequence[Any], *, shortly: bool) -> list[Delta.T]:
    reader: Any = DIALECTS[dialect].read_stream
    step, end = reader.begin()
    one = step if shortly else step.__self__._slowly
    return [*(delta for event in events for delta in one(event)), *end()]


def streams() -> Iterator[list[Any]]:
    first = chunk({"role": "assistant", "content": ""})
    for event in CHUNKS.values():
        yield [event, piece(), piece()]
        yield [first, event, event]
        yield [event, event]
        yield [first, event, piece(), event]
        yield [first, piece("a"), piece("b"), event, piece("c"), event, piece("d")]


@pytest.mark.parametrize("dialect", LIKE_OPENAI)
def test_the_short_way_reads_what_the_long_way_reads(dialect: str) -> None:
    for events in streams():
        assert read(dialect, events, shortly=True) == read(dialect, events, shortly=False), events


@pytest.mark.parametrize("dialect", LIKE_OPENAI)
@given(st.lists(st.sampled_from(list(CHUNKS)), max_size=8))
def test_the_short_way_reads_what_the_long_way_reads_of_any_stream(dialect: str, names: list[str]) -> None:
    events = [CHUNKS[name] for name in names]
    assert read(dialect, events, shortly=True) == read(dialect, events, shortly=False)


def test_the_short_way_is_taken() -> None:
    reader: Any = DIALECTS["openai_chat"].read_stream
    step, _ = reader.begin()
    step(chunk({"role": "assistant", "content": ""}))
    step(piece())
    assert isinstance(step(piece()), tuple)  # the long way makes lists
    assert isinstance(step(piece(obfuscation="x")), tuple)
