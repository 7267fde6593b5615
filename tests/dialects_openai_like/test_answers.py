"""Recorded answers of Mistral, Cohere and Ollama come home, and cross to OpenAI Chat, to Anthropic and back."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import pytest
from returns.result import Success
from wire.answers import stop_told
from wire.corpus import WIRE, Recording, all_bodies, present, read_file, report
from wire.evidence import Reported
from wire.ledger import lies, silent
from wire.values import compact, same

from chatadt import DIALECTS, ConversionError, Policy, StopKind, convert

from .answers import FIRST_TWO, NAMES, as_request, complaints, recorded_answers, said_beside, stop_word, tokens

pytestmark = [present]

PAIRS: Final = (
    *product(NAMES, FIRST_TWO),
    *product(FIRST_TWO, NAMES),
    *((one, other) for one, other in product(NAMES, NAMES) if one != other),
)
COUNTS: Final = {"mistral": 40, "cohere": 40, "ollama": 10}
by_name = pytest.mark.parametrize("name", NAMES)
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)


@by_name
def test_an_answer_comes_home_as_it_was(name: str) -> None:
    """100 %, without an exception."""
    rows, failures = recorded_answers(name, "response"), list[str]()
    canonical = DIALECTS[name].canonical
    for row in rows:
        written = convert(row.body, name, name, kind="response", policy=Policy.STRICT)
        if not isinstance(written, Success) or not same(canonical(written.unwrap().value), canonical(row.body)):
            failures.append(f"{row.id} {written}")
    exact = sum(same(convert(row.body, name, name, kind="response").unwrap().value, row.body) for row in rows)
    print(f"\n{name}: {len(rows)} answers, {len(failures)} do not come home, {exact} to the letter")
    assert len(rows) >= COUNTS[name]
    assert not failures, report(f"{name} does not come home", failures, len(rows))


@by_name
def test_a_recorded_error_is_refused_with_the_providers_words(name: str) -> None:
    rows = [row for row in read_file(WIRE / "errors.jsonl") if row.dialect in (name, f"{name}_v2")]
    bodies = [*(row.body for row in rows), {"error": "model 'x' not found"}, {"detail": [{"loc": ["body"], "msg": "bad"}]}]
    assert len(bodies) >= 2
    for body in bodies:
        error = convert(body, name, name, kind="response").failure()
        assert isinstance(error, ConversionError.Refused), f"{body} {error}"
        assert error.error.message in (compact(body), *body.values()) or error.error.message in compact(body)
        assert same(error.error.extras.of(name), body)


def test_the_code_of_a_refusal_is_kept() -> None:
    error = convert(
        {"id": "x", "message": "too many", "error_type": "TOO_MANY_TOKENS"}, "cohere", "cohere", kind="response"
    ).failure()
    assert isinstance(error, ConversionError.Refused)
    assert error.error.code == "TOO_MANY_TOKENS"


@by_name
def test_no_body_of_any_family_and_kind_makes_a_reader_of_answers_raise(name: str) -> None:
    failures: list[str] = []
    for row in all_bodies():
        try:
            convert(row.body, name, name, kind="response")
        except Exception as error:
            failures.append(f"{row.id} ({row.family} {row.kind}) {type(error).__name__}: {error}")
    assert not failures, report(f"{name} raises", failures, 1)


# Crossing.


class Crossed(NamedTuple):
    """An answer, what it became, and the losses."""

    row: Recording
    value: Any
    losses: tuple[Reported, ...]


@cache
def crossed(source: str, target: str) -> tuple[Crossed, ...]:
    return tuple(_crossed(row, source, target) for row in recorded_answers(source, "response"))


def _crossed(row: Recording, source: str, target: str) -> Crossed:
    converted = convert(row.body, source, target, kind="response", policy=Policy.LENIENT).unwrap()
    told = (
        Reported(each.path, each.what, each.action.value, None if each.original is None else each.original.value)
        for each in converted.losses
    )
    return Crossed(row, converted.value, tuple(told))


@each_way
def test_every_answer_crosses_and_is_valid_there(source: str, target: str) -> None:
    results = crossed(source, target)
    failures = [f"{one.row.id} {found[0]}" for one in results if (found := complaints(target, one.value))]
    assert results
    assert not failures, report(f"{source} to {target} is not of the type", failures, len(results))


@each_way
def test_nothing_that_an_answer_says_is_lost_in_silence(source: str, target: str) -> None:
    results = crossed(source, target)
    failures = [
        f"{one.row.id} {missing}"
        for one in results
        for missing in silent(as_request(source, one.row.body), as_request(target, one.value), one.losses)
    ]
    assert not failures, report(f"{source} to {target} loses in silence", failures, len(results))


@each_way
def test_no_loss_of_an_answer_names_what_survived(source: str, target: str) -> None:
    results = crossed(source, target)
    failures = [
        f"{one.row.id} {lie}"
        for one in results
        for lie in lies(
            as_request(source, one.row.body),
            as_request(target, one.value),
            [loss for loss in one.losses if not loss.path.startswith("$.metadata.usage")],  # usage has a test of its own
        )
    ]
    assert any(one.losses for one in results)
    assert not failures, report(f"{source} to {target} reports what is still there", failures, len(results))


@each_way
def test_each_count_of_tokens_crosses_inclusive_or_a_loss_tells_of_it(source: str, target: str) -> None:
    failures: list[str] = []
    for one in crossed(source, target):
        before, after = tokens(source, one.row.body), tokens(target, one.value)
        told = {loss.what.removeprefix("the count ") for loss in one.losses}
        if any(after.get(key) != value for key, value in before.items() if key not in told):
            failures.append(f"{one.row.id} {before} became {after}")
        if any(key not in before and value for key, value in after.items()):
            failures.append(f"{one.row.id} {before} became {after}")
    assert not failures, report(f"{source} to {target} counts otherwise", failures, len(crossed(source, target)))


SAME: Final = {
    "end_turn": "end", "stop": "end", "COMPLETE": "end", "eos": "end", "eos_token": "end",
    "max_tokens": "length", "length": "length", "MAX_TOKENS": "length",
    "tool_use": "calls", "tool_calls": "calls", "function_call": "calls", "TOOL_CALL": "calls",
    "stop_sequence": "sequence", "STOP_SEQUENCE": "sequence",
    "ERROR": "error", "error": "error",
    "model_length": "context", "model_context_window_exceeded": "context",
}  # fmt: skip
"""By word for why a model stopped: what it means."""


@each_way
def test_each_stop_reason_crosses_or_a_loss_tells_of_it(source: str, target: str) -> None:
    failures: list[str] = []
    for one in crossed(source, target):
        asks = '"tool_use"' in compact(one.value) or '"tool_calls"' in compact(one.value)
        before, after = stop_word(source, one.row.body), stop_word(target, one.value)
        meant = [*(SAME.get(word, word) for word in (before, after))]
        meant = ["calls" if asks and word in ("end", "", None) else word for word in meant]
        refuses = "refusal" in compact(one.row.body)
        if meant[0] != meant[1] and not refuses and not stop_told(before, after, asks, one.losses):
            failures.append(f"{one.row.id} {before!r} became {after!r}")
    assert not failures, report(f"{source} to {target}", failures, len(crossed(source, target)))


@each_way
def test_what_is_invented_in_an_answer_is_told(source: str, target: str) -> None:
    failures: list[str] = []
    for one in crossed(source, target):
        told = {loss.what for loss in one.losses if loss.action == "invented"}
        said = {compact(value) for _, value in said_beside(source, one.row.body)}
        new = [key for key, value in said_beside(target, one.value) if compact(value) not in said]
        failures += [f"{one.row.id} {key}" for key in new if f"the {key}" not in told]
    assert not failures, report(f"{source} to {target} invents in silence", failures, len(crossed(source, target)))


@by_name
def test_the_ledger_of_answers_sees_a_planted_drop(name: str) -> None:
    found = 0
    for one in crossed(name, "openai_chat"):
        message = one.value["choices"][0]["message"]
        if isinstance(message["content"], str) and len(message["content"]) > 10:
            kept, message["content"] = message["content"], ""
            found += bool(silent(as_request(name, one.row.body), as_request("openai_chat", one.value), one.losses))
            message["content"] = kept
    assert found >= 4


# What a reader makes of words and counts.


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "model_length"}]}, StopKind.CONTEXT_OVERFLOW),
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "error"}]}, StopKind.ERROR),
        ("mistral", {"choices": [{"index": 0, "message": {}, "finish_reason": "new"}]}, StopKind.OTHER),
        ("cohere", {"message": {}, "finish_reason": "STOP_SEQUENCE"}, StopKind.STOP_SEQUENCE),
        ("cohere", {"message": {}, "finish_reason": "MAX_TOKENS"}, StopKind.LENGTH),
        ("cohere", {"message": {}, "finish_reason": "TIMEOUT"}, StopKind.ERROR),
        ("ollama", {"message": {}, "done_reason": "load"}, StopKind.OTHER),
        ("ollama", {"message": {}, "done_reason": "length"}, StopKind.LENGTH),
        ("ollama", {"message": {"tool_calls": [{"function": {"name": "f"}}]}, "done_reason": "stop"}, StopKind.TOOL_CALLS),
    ],
)
def test_a_word_for_why_a_model_stopped_is_read_and_comes_home(name: str, body: dict[str, Any], kind: StopKind) -> None:
    read, write = DIALECTS[name].read_response, DIALECTS[name].write_response
    assert read is not None
    assert write is not None
    response = read(body).unwrap()
    assert response.metadata.stop is not None
    assert response.metadata.stop.kind is kind
    written = write(response)
    assert (stop_word(name, written.value), written.losses) == (stop_word(name, body), ())


def test_cached_tokens_of_mistral_are_read_from_either_place_and_go_back_to_it() -> None:
    for usage in ({"num_cached_tokens": 3}, {"prompt_tokens_details": {"cached_tokens": 3}}):
        body = {
            "choices": [],
            "object": "chat.completion",
            "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6, **usage},
        }
        read, write = DIALECTS["mistral"].read_response, DIALECTS["mistral"].write_response
        assert read is not None
        assert write is not None
        response = read(body).unwrap()
        assert response.metadata.usage is not None
        assert response.metadata.usage.cache_read == 3
        assert write(response).value == body
