"""Recorded answers come home as they were, and cross to the other dialect: answered, valid there, with nothing lost in silence."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any, Final, NamedTuple

import pytest
from returns.result import Failure, Success

from chatadt import DIALECTS, ConversionError, Policy, convert
from chatadt.result import closed

from .answers import as_request, asks, complaints, said_beside, stop_in, stop_told, tokens, usage_in
from .corpus import FAMILIES, WIRE, Recording, all_bodies, present, read_file, recordings, report, sample
from .evidence import Reported
from .ledger import lies, silent
from .values import compact, same
from .views import NAMES

pytestmark = [present]

PAIRS: Final = tuple(permutations(NAMES, 2))
SIZE: Final = 40
LEAST: Final = {"bedrock": (90, 5), "mistral": (40, 0), "cohere": (39, 0), "ollama": (9, 0)}
"""By dialect: how many answers and errors there are at least, where they are few."""
by_name = pytest.mark.parametrize("name", NAMES)
each_way = pytest.mark.parametrize(
    ("source", "target", "size"),
    [*((*pair, SIZE) for pair in PAIRS), *(pytest.param(*pair, None, marks=pytest.mark.deep) for pair in PAIRS)],
)
"""A sample of each dialect to each other; all that is recorded where deep tests run."""


class Crossed(NamedTuple):
    """An answer, what it became, and the losses."""

    row: Recording
    value: Any
    losses: tuple[Reported, ...]


@cache
def crossed(source: str, target: str, size: int | None) -> tuple[Crossed, ...]:
    """Recorded answers of `source`, converted to `target` under LENIENT."""
    return tuple(_crossed(row, source, target) for row in sample(source, "response", size))


def _crossed(row: Recording, source: str, target: str) -> Crossed:
    match closed(convert(row.body, source, target, kind="response", policy=Policy.LENIENT)):
        case Success(converted):
            losses = converted.losses
            reported = (
                Reported(each.path, each.what, each.action.value, None if each.original is None else each.original.value)
                for each in losses
            )
            return Crossed(row, converted.value, tuple(reported))
        case Failure(error):
            raise AssertionError(f"{row.id} {error}")


@by_name
def test_an_answer_comes_home_as_it_was(name: str) -> None:
    """The handwritten ones too: 100 %, without an exception."""
    rows, canonical = recordings(name, "response"), DIALECTS[name].canonical
    failures: list[str] = []
    for row in rows:
        match closed(convert(row.body, name, name, kind="response", policy=Policy.STRICT)):
            case Success(converted):
                if not same(canonical(converted.value), canonical(row.body)):
                    failures.append(f"{row.id} {compact(converted.value)[:300]}")
            case Failure(error):
                failures.append(f"{row.id} {error}")
    print(f"\n{name}: {len(rows)} answers, {len(failures)} do not come home")
    assert len(rows) > LEAST.get(name, (200, 9))[0]
    assert not failures, report(f"{name} does not come home", failures, len(rows))


@by_name
def test_reading_and_writing_an_answer_changes_no_input(name: str) -> None:
    for row in recordings(name, "response")[::7]:
        before = compact(row.body)
        convert(row.body, name, name, kind="response")
        assert compact(row.body) == before, row.id


@by_name
def test_a_recorded_error_is_refused_with_the_providers_words(name: str) -> None:
    here = [row for row in read_file(WIRE / "errors.jsonl") if row.family == FAMILIES.get(name, name)]
    rows = [row for row in here if name != "mistral" or row.dialect == name]
    assert len(rows) >= LEAST.get(name, (200, 9))[1]
    for row in rows:
        error = convert(row.body, name, name, kind="response").failure()
        assert isinstance(error, ConversionError.Refused), f"{row.id} {error}"
        assert error.error.message in compact(row.body) or error.error.message in str(row.body), row.id
        assert same(error.error.extras.of(name), row.body), row.id


@by_name
def test_no_body_of_any_family_and_kind_makes_a_reader_of_answers_raise(name: str) -> None:
    failures: list[str] = []
    for row in all_bodies():
        try:
            convert(row.body, name, name, kind="response")
        except Exception as error:
            failures.append(f"{row.id} ({row.family} {row.kind}) {type(error).__name__}: {error}")
    assert not failures, report(f"{name} raises", failures, 1)


@each_way
def test_every_answer_crosses_and_is_valid_there(source: str, target: str, size: int | None) -> None:
    results = crossed(source, target, size)
    failures = [f"{one.row.id} {found[0]}" for one in results if (found := complaints(target, one.value))]
    assert results
    assert not failures, report(f"{source} to {target} is not of the type", failures, len(results))


@each_way
def test_nothing_that_an_answer_says_is_lost_in_silence(source: str, target: str, size: int | None) -> None:
    results = crossed(source, target, size)
    failures = [
        f"{one.row.id} {missing}"
        for one in results
        for missing in silent(as_request(source, one.row.body), as_request(target, one.value), one.losses)
    ]
    assert not failures, report(f"{source} to {target} loses in silence", failures, len(results))


@each_way
def test_no_loss_of_an_answer_names_what_survived(source: str, target: str, size: int | None) -> None:
    results = crossed(source, target, size)
    failures = [
        f"{one.row.id} {lie}"
        for one in results
        for lie in lies(
            as_request(source, one.row.body),
            as_request(target, one.value),
            [loss for loss in one.losses if not _is_seen_elsewhere(loss, target, one.value)],
        )
    ]
    assert any(one.losses for one in results)
    assert not failures, report(f"{source} to {target} reports what is still there", failures, len(results))


def _is_seen_elsewhere(loss: Reported, target: str, value: Any) -> bool:
    """Counts have a test of their own; an id that is gone may go on as a part of the ids of calls that have none."""
    is_gone_id = loss.path == "$.metadata.id" and dict(said_beside(target, value)).get("id") != loss.original
    return loss.path.startswith("$.metadata.usage") or is_gone_id


@each_way
def test_each_count_of_tokens_crosses_inclusive(source: str, target: str, size: int | None) -> None:
    failures: list[str] = []
    for one in crossed(source, target, size):
        before, after = tokens(source, usage_in(source, one.row.body)), tokens(target, usage_in(target, one.value))
        told = {loss.what for loss in one.losses}
        if any(after.get(key) != value for key, value in before.items() if f"the count {key}" not in told):
            failures.append(f"{one.row.id} {before} became {after}")
        if any(key not in before and value for key, value in after.items()):
            failures.append(f"{one.row.id} {before} became {after}")
    assert not failures, report(f"{source} to {target} counts otherwise", failures, len(crossed(source, target, size)))


@each_way
def test_each_stop_reason_crosses_or_a_loss_tells_of_it(source: str, target: str, size: int | None) -> None:
    failures: list[str] = []
    for one in crossed(source, target, size):
        before, after = stop_in(source, one.row.body), stop_in(target, one.value)
        if after == "refusal" and before in ("stop", "completed") and '"refusal":"' in compact(one.row.body):
            continue
        if not stop_told(target, before, after, asks(one.value), one.losses):
            failures.append(f"{one.row.id} {before!r} became {after!r}")
    assert not failures, report(f"{source} to {target}", failures, len(crossed(source, target, size)))


@each_way
def test_what_is_invented_in_an_answer_is_told(source: str, target: str, size: int | None) -> None:
    failures: list[str] = []
    for one in crossed(source, target, size):
        told = {loss.what for loss in one.losses if loss.action == "invented"}
        said = {compact(value) for _, value in said_beside(source, one.row.body)}
        new = [key for key, value in said_beside(target, one.value) if compact(value) not in said]
        failures += [f"{one.row.id} {key}" for key in new if f"the {key}" not in told]
    assert not failures, report(f"{source} to {target} invents in silence", failures, len(crossed(source, target, size)))


def test_the_ledger_of_answers_sees_a_planted_drop() -> None:
    found = 0
    for one in crossed("openai_chat", "anthropic", None)[::10]:
        texts = [block for block in one.value["content"] if block["type"] == "text" and len(block["text"]) > 10]
        for block in texts[:1]:
            kept, block["text"] = block["text"], ""
            found += bool(silent(as_request("openai_chat", one.row.body), as_request("anthropic", one.value), one.losses))
            block["text"] = kept
    assert found > 20
