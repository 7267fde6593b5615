"""The same dialect in and out is the identity on recorded traffic, up to the spellings that the dialect's page calls the same."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest
from returns.result import Failure, Success

from chatadt import DIALECTS, convert
from chatadt.dialects import Dialect
from chatadt.error import ConversionError
from chatadt.result import closed

from .corpus import all_bodies, present, recorded, recordings, report
from .values import compact, leaves, place, same

UNREADABLE: Final[dict[str, str]] = {}
"""By id, why no reader could honour a body that a provider accepted."""

NAMES: Final = ("openai_chat", "anthropic")


def _round_trip(dialect: Dialect, body: Any) -> tuple[Any, str]:
    """What comes back, and why it does not; losses on the way to the same dialect are a failure as well."""
    match closed(dialect.read_request(body)):
        case Success(request):
            written = dialect.write_request(request)
            return written.value, "; ".join(map(str, written.losses))
        case Failure(error):
            return None, str(error)


def _difference(one: Any, other: Any) -> str:
    """The first places where two values differ."""
    before, after = {(place(w), compact(leaf)) for w, leaf in leaves(one)}, {(place(w), compact(leaf)) for w, leaf in leaves(other)}
    return f"lost {sorted(before - after)[:3]}, got {sorted(after - before)[:3]}"[:400]


@present
@pytest.mark.parametrize("name", NAMES)
def test_what_was_read_is_written_back(name: str) -> None:
    dialect, bodies = DIALECTS[name], recorded(name, "request")
    failures: list[str] = []
    exact = 0
    for row in bodies:
        if row.id in UNREADABLE:
            continue
        back, why = _round_trip(dialect, row.body)
        exact += same(back, row.body)
        if why or not same(dialect.canonical(back), dialect.canonical(row.body)):
            failures.append(f"{row.id} {why or _difference(dialect.canonical(row.body), dialect.canonical(back))}")
    print(f"\n{name}: {len(bodies)} bodies, {exact} equal without canonical, {len(failures)} not equal with it")
    assert bodies
    assert not failures, report(f"{name} does not come back", failures, len(bodies))


@present
@pytest.mark.parametrize("name", NAMES)
def test_refused_and_handwritten_bodies_come_back_or_are_refused(name: str) -> None:
    """A body that the provider refused is a failure with a reason, or comes back as it was."""
    rest = [row for row in recordings(name, "request") if not row.is_recorded]
    dialect = DIALECTS[name]
    failures = [
        f"{row.id} {_difference(dialect.canonical(row.body), dialect.canonical(back))}"
        for row in rest
        for back, why in [_round_trip(dialect, row.body)]
        if not why and not same(dialect.canonical(back), dialect.canonical(row.body))
    ]
    assert rest
    assert not failures, report(f"{name} changes", failures, len(rest))


@present
def test_every_exception_is_a_body_that_is_there_and_that_no_reader_honours() -> None:
    """The list of exceptions cannot outlive its reasons."""
    rows = {row.id: row for name in NAMES for row in recorded(name, "request")}
    readable = [each for each in UNREADABLE if not _round_trip(DIALECTS[rows[each].family], rows[each].body)[1]]
    assert readable == []


@present
@pytest.mark.parametrize("name", NAMES)
def test_canonical_is_idempotent_and_leaves_its_input_alone(name: str) -> None:
    canonical = DIALECTS[name].canonical
    failures: list[str] = []
    for row in recorded(name, "request"):
        before = compact(row.body)
        once = canonical(row.body)
        if not same(once, canonical(once)):
            failures.append(f"{row.id} twice is not once")
        if compact(row.body) != before:
            failures.append(f"{row.id} was changed in place")
    assert not failures, report(f"canonical of {name}", failures, len(recorded(name, "request")))


@present
@pytest.mark.parametrize("name", NAMES)
def test_no_body_of_any_family_and_kind_makes_a_reader_raise(name: str) -> None:
    """Reading is total, and whatever it reads can be written."""
    failures: list[str] = []
    count = 0
    for row in all_bodies():
        count += 1
        try:
            _round_trip(DIALECTS[name], row.body)
        except Exception as error:
            failures.append(f"{row.id} ({row.family} {row.kind}) {type(error).__name__}: {error}")
    assert count
    assert not failures, report(f"{name} raises", failures, count)


@present
@pytest.mark.parametrize("name", NAMES)
def test_convert_to_the_same_dialect_is_the_identity_where_it_succeeds(name: str) -> None:
    """Under the default policy a body that breaks one of the provider's rules is refused; the table shows which and how often."""
    dialect, bodies = DIALECTS[name], recorded(name, "request")
    failures: list[str] = []
    refused: Counter[str] = Counter()
    for row in bodies:
        match closed(convert(row.body, name, name)):
            case Success(converted):
                if not same(dialect.canonical(converted.value), dialect.canonical(row.body)):
                    failures.append(f"{row.id} {_difference(dialect.canonical(row.body), dialect.canonical(converted.value))}")
            case Failure(ConversionError.Invalid(_, violations)):
                refused.update({violation.rule for violation in violations})
            case Failure(error):
                failures.append(f"{row.id} {error}")
    print(f"\n{name} to itself: {len(bodies)} bodies; refused by rule: {dict(refused.most_common())}")
    assert bodies
    assert not failures, report(f"{name} to itself", failures, len(bodies))
