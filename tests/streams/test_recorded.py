"""Recorded streams: what they fold to, what comes home, what crosses, and what the official clients make of them."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import Any, Final, NamedTuple

import pytest
from wire.answers import as_request, asks, stop_in, stop_told, tokens, usage_in
from wire.corpus import Recording, present, recordings, report, sample
from wire.evidence import Reported
from wire.ledger import Missing, silent
from wire.views import NAMES, VIEWS

from chatadt import DIALECTS, Arguments, ChatResponse, Content, Delta, Loss, Policy, convert, dumps, fold_each
from chatadt.laws import recut

from .texts import texts

pytestmark = [present]

PAIRS: Final = tuple(permutations(NAMES, 2))
SIZE: Final = 25
LEAST: Final = {"gemini": 90, "bedrock": 20, "mistral": 12, "cohere": 16, "ollama": 4}
"""By dialect: how many streams there are at least to be looked at, where they are few."""
by_name = pytest.mark.parametrize("name", NAMES)
each_way = pytest.mark.parametrize(
    ("source", "target", "size"),
    [*((*pair, SIZE) for pair in PAIRS), *(pytest.param(*pair, None, marks=pytest.mark.deep) for pair in PAIRS)],
)
"""A sample of each dialect to each other; all that is recorded where deep tests run."""


READ: Final[dict[tuple[str, str], tuple[Delta.T, ...]]] = {}
"""By dialect and id: the deltas of a recorded stream, read once."""


def deltas(name: str, row: Recording) -> tuple[Delta.T, ...]:
    if (name, row.id) not in READ:
        READ[name, row.id] = tuple(DIALECTS[name].read_stream(row.body))
    return READ[name, row.id]


def answers(name: str, events: Any) -> list[ChatResponse]:
    return list(fold_each(DIALECTS[name].read_stream(events)))


# Home.


@by_name
def test_a_stream_comes_home_up_to_rechunking(name: str) -> None:
    """The fold of the re-written stream is the fold of the original; nothing is lost. The handwritten ones too, no exceptions."""
    rows = recordings(name, "stream")
    failures: list[str] = []
    for row in rows:
        losses: list[Loss] = []
        events = list(DIALECTS[name].write_stream(deltas(name, row), losses))
        if answers(name, events) != list(fold_each(deltas(name, row))):
            failures.append(f"{row.id} folds otherwise")
        failures += [f"{row.id} {loss}" for loss in losses]
    print(f"\n{name}: {len(rows)} streams, {len(failures)} do not come home")
    assert len(rows) > LEAST.get(name, 130)
    assert not failures, report(f"{name} does not come home", failures, len(rows))


@by_name
@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_a_stream_that_is_cut_otherwise_comes_home_too(name: str, size: int) -> None:
    failures = [
        row.id
        for row in recordings(name, "stream")[::4]
        if answers(name, list(DIALECTS[name].write_stream(recut(deltas(name, row), size)))) != list(fold_each(deltas(name, row)))
    ]
    assert not failures, report(f"{name} cut to {size}", failures, len(recordings(name, "stream")))


@by_name
def test_nothing_that_a_stream_says_is_missing_in_what_it_folds_to(name: str) -> None:
    """Each text of each event stands in the answers, somewhere: found without knowing what the fields mean."""
    failures: list[str] = []
    for row in recordings(name, "stream"):
        told = "\0".join(text for answer in fold_each(deltas(name, row)) for text in texts(json.loads(dumps(answer))))
        missing = {text for event in row.body for text in texts(saying(event)) if text not in told}
        failures += [f"{row.id} {text[:100]!r}" for text in missing]
    assert not failures, report(f"{name} loses in silence", failures, len(recordings(name, "stream")))


SILENT: Final = frozenset(
    {"id", "item_id", "object", "obfuscation", "p", "role", "event", "type", "created", "created_at", "partial_json", "arguments"}
    | {"status", "encrypted_content", "service_tier", "jsonPath", "finishReason"}
)
"""Fields that are padding or spelling, or of which the first or the last counts; pieces of arguments are looked at below."""


def saying(event: Any) -> Any:
    """An event without what its page says is not kept: ids of later chunks, padding, and the message so far beside a delta."""
    if isinstance(event, dict):
        inner = {key: value for key, value in event.items() if key not in SILENT}
        if isinstance(event.get("delta"), dict):
            inner.pop("message", None)
            inner.pop("text", None)
        if isinstance(event.get("input"), str):
            del inner["input"]
        if "redactedContent" in inner:  # which is kept as the text that it is the base64 of
            inner["redactedContent"] = b64decode(inner["redactedContent"]).decode()
        return {key: saying(value) for key, value in inner.items()}
    return [saying(each) for each in event] if isinstance(event, list) else event


# The official clients.


def spoken(answer: ChatResponse) -> list[tuple[str, ...]]:
    """What is said, in the order of kinds: the clients keep texts, refusals and calls apart."""
    told: list[tuple[str, ...]] = []
    for content in answer.message.contents:
        match content:
            case Content.Text() | Content.Refusal() | Content.Reasoning():
                told += [(type(content).__name__, content.text)] if content.text else []
            case Content.ToolRequest():
                told.append(("call", content.id, content.name, arguments(content.arguments)))
            case _:
                told.append((type(content).__name__,))
    return sorted(told, key=lambda each: each[0])


def arguments(value: Arguments.T) -> str:
    match value:
        case Arguments.Parsed(json=document):
            return document.canonical
        case Arguments.Malformed(text=text):
            return text


def facts(answer: ChatResponse) -> dict[str, Any]:
    usage = answer.metadata.usage
    return {
        "said": spoken(answer),
        "id": answer.metadata.id or None,
        "model": answer.metadata.model or None,
        "stop": None if answer.metadata.stop is None else answer.metadata.stop.raw,
        "usage": None if usage is None else (usage.input, usage.output, usage.cache_read, usage.cache_write, usage.reasoning),
    }


EXPLAINED: Final[dict[str, tuple[str, ...]]] = {
    "the first chunk of Azure has an empty id and an empty model, which the client keeps": ("id", "model"),
    "Groq counts in x_groq, where the client does not look": ("usage",),
}
"""Differences that hold for many streams: the client is poorer there, and what it has is None."""

OTHERWISE: Final[dict[str, str]] = {
    "0dc636e9c73e0ad7": "Mistral sends content as lists of chunks; the client joins only what is text",
    "3f883abc1cf1cd32": "the id and the name come on every delta, and the client appends them: 00, llm_versionllm_version",
    "1847372a8663aa40": "a thought that breaks off, of which the client of Responses keeps nothing before its end",
    "743f44aeb4dcf894": "arguments that were cut off: the client completes them, here they are Malformed",
    "370002a2ca564416": "arguments that were cut off: the client of Anthropic completes them, here they are Malformed",
    "7501acbf0e08f490": "edited by hand: the end has a longer text than the pieces, which is kept, kept as final_text",
    "86d0894a0bf960ae": "edited by hand: the end has other arguments than the pieces, which are kept, kept as final_text",
}
"""By id: why the client says something else."""


@by_name
def test_a_stream_folds_to_what_the_official_client_accumulates(name: str) -> None:
    """Where the client takes the stream at all; each difference is explained above."""
    seen: Counter[str] = Counter()
    failures: list[str] = []
    for row in recordings(name, "stream"):
        ours = list(fold_each(deltas(name, row)))
        if len(ours) != 1:
            seen["several messages, of which the client makes one"] += 1
            continue
        try:
            body = VIEWS[name].accumulated(row.body)
        except Exception as error:  # whatever the client raises
            seen[f"the client raises {type(error).__name__}"] += 1
            continue
        theirs, mine = facts(DIALECTS[name].read_response(body).unwrap()), facts(ours[0])
        seen["compared"] += 1
        for key, value in theirs.items():
            poorer = value is None and any(key in keys for keys in EXPLAINED.values())
            if value != mine[key] and not poorer and row.id not in OTHERWISE:
                failures.append(f"{row.id} {row.dialect} {key}: {str(value)[:90]} here {str(mine[key])[:90]}")
    print(f"\n{name}: {dict(seen)}")
    assert seen["compared"] > LEAST.get(name, 130)
    assert not failures, report(f"{name} folds otherwise than the client", failures, seen["compared"])


# Crossing.


class Crossed(NamedTuple):
    """A stream, the events that it became, and the losses."""

    row: Recording
    events: list[Any]
    losses: tuple[Reported, ...]


@cache
def crossed(source: str, target: str, size: int | None) -> tuple[Crossed, ...]:
    return tuple(_crossed(row, source, target) for row in sample(source, "stream", size))


def _crossed(row: Recording, source: str, target: str) -> Crossed:
    converted = convert(row.body, source, target, kind="stream", policy=Policy.LENIENT).unwrap()
    told = (
        Reported(each.path, each.what, each.action.value, None if each.original is None else each.original.value)
        for each in converted.losses
    )
    return Crossed(row, converted.value, tuple(told))


@each_way
def test_each_event_of_a_crossed_stream_is_of_the_official_type(source: str, target: str, size: int | None) -> None:
    failures = [
        f"{one.row.id} {found[0]} {str(event)[:120]}"
        for one in crossed(source, target, size)
        for event in one.events
        if (found := VIEWS[target].event_complaints(event))
    ]
    assert any(one.events for one in crossed(source, target, size))
    assert not failures, report(f"{source} to {target}", failures, len(crossed(source, target, size)))


@each_way
def test_the_official_client_accumulates_every_crossed_stream_of_one_message(source: str, target: str, size: int | None) -> None:
    failures: list[str] = []
    for one in crossed(source, target, size):
        if len(list(fold_each(deltas(source, one.row)))) == 1 and one.events:
            try:
                VIEWS[target].accumulated([event for event in one.events if "error" not in event])
            except Exception as error:  # whatever the client raises
                if "Unable to parse tool parameter JSON" not in str(error):  # it does not take arguments that are Malformed
                    failures.append(f"{one.row.id} {type(error).__name__} {error}")
    assert not failures, report(f"{source} to {target}", failures, len(crossed(source, target, size)))


@each_way
def test_nothing_that_a_stream_says_is_lost_in_silence(source: str, target: str, size: int | None) -> None:
    """Both sides as the official clients accumulate them, where they take the source; ledger and clients know no reader of ours."""
    failures: list[str] = []
    compared = 0
    for one in crossed(source, target, size):
        try:
            before = VIEWS[source].accumulated(one.row.body)
        except Exception:  # whatever the client raises
            continue
        if one.row.id in OTHERWISE or len(list(fold_each(deltas(source, one.row)))) != 1 or not one.events:
            continue
        try:
            after = VIEWS[target].accumulated([event for event in one.events if "error" not in event])
        except ValueError:  # arguments that are Malformed
            continue
        compared += 1
        missing = silent_between(said_of(source, before), said_of(target, after), one.losses)
        failures += [f"{one.row.id} {each}" for each in missing]
        counts = tokens(source, usage_in(source, before))
        told = {loss.what for loss in one.losses}
        kept = {key: value for key, value in counts.items() if value and f"the count {key}" not in told}
        if kept != {key: value for key, value in counts_of(target, after, counts).items() if key in kept}:
            failures.append(f"{one.row.id} {counts} became {tokens(target, usage_in(target, after))}")
        stops = stop_in(source, before), stop_in(target, after)
        refused = stops[0] in ("stop", "completed") and stops[1] == "refusal"
        if not stop_told(target, *stops, asks(after), one.losses) and not refused:
            failures.append(f"{one.row.id} {stops}")
    print(f"\n{source} to {target}: {compared} of {len(crossed(source, target, size))} compared")
    assert compared > 0.4 * len(crossed(source, target, size))
    assert not failures, report(f"{source} to {target} loses in silence", failures, compared)


def silent_between(before: dict[str, Any], after: dict[str, Any], losses: Iterable[Reported]) -> list[Missing]:
    """What is lost in silence."""
    known, parts = tuple(losses), set(texts(after))
    return [each for each in silent(before, after, known) if each.value != "" and not is_cut(each.value, parts, known)]


def is_cut(text: Any, parts: set[str], losses: tuple[Reported, ...]) -> bool:
    """Whether a text stands in several parts: losses quote one after the other all that goes on behind the first."""
    quoted: dict[str, list[str]] = {}
    for loss in losses:
        if loss.action == "rewritten" and isinstance(loss.original, str):
            quoted.setdefault(loss.path, []).append(loss.original)
    return isinstance(text, str) and any(
        parts.issuperset((*further, text.removesuffix("".join(further)))) and text.endswith("".join(further))
        for further in quoted.values()
    )


def said_of(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """The messages of an accumulated answer alone, without fields that the client does not know and appends whatever they mean."""
    request = as_request(name, body)
    unknown = ("parsed", "provider_metadata", "reasoning_details", "channel", "executed_tools", "annotations", "token_id")
    messages = [{key: value for key, value in message.items() if key not in unknown} for message in request["messages"]]
    for message in messages:
        for call in message.get("tool_calls") or ():
            call.pop("index", None)
            (call.get("function") or {}).pop("parsed_arguments", None)
        for block in message["content"] if isinstance(message.get("content"), list) else ():
            block.pop("parsed_output", None)
    return {"messages": messages}


def counts_of(name: str, body: dict[str, Any], like: dict[str, int]) -> dict[str, int]:
    return {key: value for key, value in tokens(name, usage_in(name, body)).items() if value and key in like}


# Lazily, and asynchronously.


@by_name
def test_reading_and_writing_ask_for_no_more_than_they_need(name: str) -> None:
    row = max(recordings(name, "stream"), key=lambda row: sum(isinstance(delta, Delta.Text) for delta in deltas(name, row)))
    asked = 0

    def events() -> Iterator[Any]:
        nonlocal asked
        for event in row.body:
            asked += 1
            yield event

    other = DIALECTS[next(other for other in NAMES if other != name)]
    written = other.write_stream(DIALECTS[name].read_stream(events()))
    for _ in range(5):
        next(written)
    assert asked < 15 < len(row.body)


@by_name
def test_asynchronous_streams_say_the_same(name: str) -> None:
    dialect = DIALECTS[name]

    async def events(row: Recording) -> AsyncIterator[Any]:
        for event in row.body:
            await asyncio.sleep(0)
            yield event

    async def home(row: Recording) -> list[Any]:
        return [event async for event in dialect.write_stream.over(dialect.read_stream.over(events(row)))]

    for row in recordings(name, "stream")[::25]:
        assert asyncio.run(home(row)) == list(dialect.write_stream(dialect.read_stream(row.body)))
