"""The tokens that each dialect and variant counts, row by row of dialects.md, section 7: read, written home, and for others."""

from __future__ import annotations

from typing import Any, Final

import pytest
from attrs import evolve, frozen

from chatadt import DIALECTS, ChatResponse, Delta, Message, Metadata, StopKind, StopReason, Usage, fold
from chatadt.dialects import FOLDERS, VARIANTS
from chatadt.json import NO_EXTRAS


@frozen
class Row:
    """What a server says, and what it means; `own` says that the server would say it so of a usage that came from elsewhere."""

    name: str
    wire: dict[str, Any]
    usage: Usage
    own: bool = True


def chat(input: int, output: int, **beside: Any) -> dict[str, Any]:
    return {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output, **beside}


def details(**counts: int) -> dict[str, Any]:
    """The details of OpenAI Chat."""
    places = {"cached_tokens": "prompt", "cache_write_tokens": "prompt", "reasoning_tokens": "completion"}
    told: dict[str, Any] = {}
    for name, count in counts.items():
        told.setdefault(f"{places[name]}_tokens_details", {})[name] = count
    return told


CACHED: Final = Usage(input=10, output=5, cache_read=4, cache_write=2, reasoning=3)
INCLUSIVE: Final = chat(10, 5, **details(cached_tokens=4, cache_write_tokens=2, reasoning_tokens=3))
OTHERWISE: Final = frozenset({"deepseek", "xai"})
HITS: Final = {"prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 6}

ROWS: Final = (
    *(Row(name, INCLUSIVE, CACHED) for name in ("openai_chat", *VARIANTS) if name not in OTHERWISE),
    Row(
        "openai_responses",
        {
            "input_tokens": 10,
            "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
            "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 3},
            "total_tokens": 15,
        },
        CACHED,
    ),
    Row(
        "anthropic",
        {
            "input_tokens": 4,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 2,
            "output_tokens": 5,
            "output_tokens_details": {"thinking_tokens": 3},
        },
        CACHED,
    ),
    Row(
        "bedrock",
        {"inputTokens": 4, "cacheReadInputTokens": 4, "cacheWriteInputTokens": 2, "outputTokens": 5, "totalTokens": 15},
        evolve(CACHED, reasoning=None),
    ),
    Row(
        "gemini",
        {
            "promptTokenCount": 10,
            "cachedContentTokenCount": 4,
            "candidatesTokenCount": 2,
            "thoughtsTokenCount": 3,
            "totalTokenCount": 15,
        },
        evolve(CACHED, cache_write=None),
    ),
    Row(
        "gemini",
        {"promptTokenCount": 8, "toolUsePromptTokenCount": 2, "candidatesTokenCount": 5, "totalTokenCount": 15},
        Usage(input=10, output=5),
        own=False,
    ),
    Row("ollama", {"prompt_eval_count": 10, "eval_count": 5}, Usage(input=10, output=5)),
    Row("mistral", chat(10, 5, **details(cached_tokens=4)), Usage(input=10, output=5, cache_read=4)),
    Row("mistral", chat(10, 5, num_cached_tokens=4), Usage(input=10, output=5, cache_read=4), own=False),
    Row(
        "cohere",
        {"tokens": {"input_tokens": 10, "output_tokens": 5}, "cached_tokens": 4},
        Usage(input=10, output=5, cache_read=4),
    ),
    Row("deepseek", chat(10, 5, **HITS, **details(cached_tokens=4, reasoning_tokens=3)), evolve(CACHED, cache_write=None)),
    Row("deepseek", chat(10, 5, **HITS, **details(reasoning_tokens=3)), evolve(CACHED, cache_write=None), own=False),
    Row("deepseek", chat(10, 5, **{**HITS, "prompt_cache_miss_tokens": 7}), Usage(input=10, output=5, cache_read=4), own=False),
    Row("deepseek", chat(10, 5, **details(cached_tokens=4)), Usage(input=10, output=5, cache_read=4), own=False),
    Row("deepseek", chat(10, 5, prompt_cache_hit_tokens=4), Usage(input=10, output=5, cache_read=4), own=False),
    Row("deepseek", chat(10, 5), Usage(input=10, output=5)),
    Row("xai", {**chat(10, 2, **details(reasoning_tokens=3)), "total_tokens": 15}, Usage(input=10, output=5, reasoning=3)),
    Row(
        "xai",
        {"prompt_tokens": 10, "completion_tokens": 5, **details(reasoning_tokens=20)},
        Usage(input=10, output=25, reasoning=20),
        own=False,
    ),
    Row("xai", chat(10, 5, **details(reasoning_tokens=20)), Usage(input=10, output=25, reasoning=20), own=False),
    Row("xai", chat(10, 5, **details(reasoning_tokens=3)), Usage(input=10, output=5, reasoning=3), own=False),
    Row("xai", chat(3, 5, **details(cached_tokens=4)), Usage(input=7, output=5, cache_read=4), own=False),
    Row("xai", chat(10, 5, **details(cached_tokens=4)), Usage(input=10, output=5, cache_read=4)),
)

by_row = pytest.mark.parametrize("row", ROWS, ids=[f"{at}-{row.name}" for at, row in enumerate(ROWS)])


def body_with(name: str, wire: dict[str, Any]) -> dict[str, Any]:
    """An answer of a dialect with this usage, which has nothing to say."""
    write: Any = DIALECTS[name].write_response
    body: dict[str, Any] = write(ChatResponse(Message.Assistant("hi"), Metadata(id="m", model="c", stop=END))).value
    if name == "ollama":
        return {**body, **wire}
    return {**body, {"gemini": "usageMetadata"}.get(name, "usage"): wire}


END: Final = StopReason(StopKind.END)


def wire_of(name: str, body: dict[str, Any]) -> dict[str, Any]:
    if name == "ollama":
        return {key: value for key, value in body.items() if key.endswith("_count")}
    found: dict[str, Any] = body[{"gemini": "usageMetadata"}.get(name, "usage")]
    return found


def read(row: Row) -> Usage:
    response: Any = DIALECTS[row.name].read_response(body_with(row.name, row.wire)).unwrap()  # type: ignore[misc]
    found: Usage = response.metadata.usage
    return found


def test_each_dialect_has_a_row() -> None:
    assert {row.name for row in ROWS} == {*FOLDERS, *VARIANTS}


@by_row
def test_what_a_server_counts_is_read_inclusively(row: Row) -> None:
    assert evolve(read(row), extras=NO_EXTRAS) == row.usage


@by_row
def test_it_goes_home_as_it_came(row: Row) -> None:
    dialect: Any = DIALECTS[row.name]
    body = body_with(row.name, row.wire)
    written = dialect.write_response(dialect.read_response(body).unwrap())
    assert (wire_of(row.name, written.value), written.losses) == (row.wire, ())
    events = list(dialect.write_stream([Delta.Start("m", "c"), Delta.Text(0, "hi"), Delta.Tokens(read(row)), Delta.Stop(END)]))
    again: Any = fold(dialect.read_stream(events)).metadata.usage
    assert evolve(again, extras=NO_EXTRAS) == row.usage


@by_row
def test_a_usage_of_elsewhere_is_written_as_the_server_counts(row: Row) -> None:
    if not row.own:
        pytest.skip("a server may say it so, but says it otherwise where it can")
    dialect: Any = DIALECTS[row.name]
    response = ChatResponse(Message.Assistant("hi"), Metadata(id="m", model="c", usage=row.usage, stop=END))
    written = dialect.write_response(response)
    assert {key: value for key, value in wire_of(row.name, written.value).items() if value} == row.wire
    assert not [loss for loss in written.losses if "usage" in loss.path and loss.action.value != "invented"]


def test_counts_of_gemini_that_a_later_chunk_leaves_out_are_gone_but_for_what_was_cached() -> None:
    def chunk(text: str, **counts: int) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}], "usageMetadata": counts}

    first = chunk("a", promptTokenCount=87, candidatesTokenCount=21, cachedContentTokenCount=9, totalTokenCount=108)
    for more in ([], [chunk("b", promptTokenCount=87, candidatesTokenCount=22, totalTokenCount=109)]):
        last = chunk("c", promptTokenCount=87, thoughtsTokenCount=78, totalTokenCount=165)
        read_stream: Any = DIALECTS["gemini"].read_stream
        usage = fold(read_stream([first, *more, last])).metadata.usage
        assert usage is not None
        assert evolve(usage, extras=NO_EXTRAS) == Usage(input=87, output=78, reasoning=78, cache_read=9)
        assert usage.total == 165


def test_a_stream_of_cohere_that_breaks_off_has_no_end_and_tells_that_its_counts_are_lost() -> None:
    losses: list[Any] = []
    write: Any = DIALECTS["cohere"].write_stream
    told = [Delta.Start("m", "c"), Delta.Text(0, "hi"), Delta.Tokens(Usage(input=5, output=1))]
    events = list(write(told, losses))
    assert "message-end" not in [event["event"] for event in events]
    counts = {loss.path: loss.what for loss in losses if loss.path.startswith("$.metadata.usage")}
    assert counts == {f"$.metadata.usage.{name}": f"the count {name}" for name in ("input", "output")}
    read_stream: Any = DIALECTS["cohere"].read_stream
    assert fold(read_stream(events)).metadata.stop == StopReason(StopKind.INTERRUPTED)
    ended = list(write([*told, Delta.Stop(END)]))
    assert ended[-1]["data"]["delta"] == {"finish_reason": "COMPLETE", "usage": {"tokens": {"input_tokens": 5, "output_tokens": 1}}}
