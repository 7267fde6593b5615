"""The same dialect in and out is the identity on recorded traffic, up to the spellings that the dialect's page calls the same."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from returns.result import Failure, Success
from wire.corpus import all_bodies, present, report
from wire.values import compact, same

from chatadt import convert
from chatadt.error import ConversionError
from chatadt.result import closed

from .family import FAMILY, accepted, recorded_of

COUNTS: Final = {"mistral": 87, "cohere": 66, "ollama": 17}
EXACT: Final = {"mistral": 73, "cohere": 34, "ollama": 17}
"""How many come back without `canonical`; the others say one text as a list of it."""

every_dialect = pytest.mark.parametrize("name", FAMILY)


def round_trip(name: str, body: Any) -> tuple[Any, str]:
    """What comes back, and why it does not; losses on the way to the same dialect are a failure as well."""
    match closed(FAMILY[name].read_request(body)):
        case Success(request):
            written = FAMILY[name].write_request(request)
            return written.value, "; ".join(map(str, written.losses))
        case Failure(error):
            return None, str(error)


@present
@every_dialect
def test_what_was_read_is_written_back(name: str) -> None:
    canonical, rows = FAMILY[name].canonical, accepted(name)
    failures: list[str] = []
    exact = 0
    for row in rows:
        before = compact(row.body)
        back, why = round_trip(name, row.body)
        exact += same(back, row.body)
        if why or not same(canonical(back), canonical(row.body)) or compact(row.body) != before:
            failures.append(f"{row.id} {why}")
    assert not failures, report(f"{name} does not come back", failures, len(rows))
    assert (len(rows), exact) == (COUNTS[name], EXACT[name])


@present
@every_dialect
def test_a_body_that_the_provider_refused_comes_back_as_well(name: str) -> None:
    canonical = FAMILY[name].canonical
    for row in recorded_of(name):
        back, why = round_trip(name, row.body)
        assert not why
        assert same(canonical(back), canonical(row.body))


@present
@every_dialect
def test_canonical_is_idempotent_and_leaves_its_input_alone(name: str) -> None:
    canonical = FAMILY[name].canonical
    for row in recorded_of(name):
        before = deepcopy(row.body)
        once = canonical(row.body)
        assert row.body == before
        assert same(once, canonical(once))


@present
@every_dialect
def test_convert_to_the_same_dialect_is_the_identity_where_it_succeeds(name: str) -> None:
    dialect = FAMILY[name]
    refused: list[str] = []
    for row in accepted(name):
        match closed(convert(row.body, dialect, dialect)):
            case Success(converted):
                assert same(dialect.canonical(converted.value), dialect.canonical(row.body)), row.id
            case Failure(ConversionError.Invalid(_, violations)):
                refused += [violation.rule for violation in violations]
            case Failure(error):
                pytest.fail(f"{row.id} {error}")
    assert refused == [], "what the provider accepted, the rules refuse"


@present
@every_dialect
def test_no_body_of_any_family_and_kind_makes_a_reader_raise(name: str) -> None:
    count = 0
    for row in all_bodies():
        count += 1
        before = compact(row.body) if count % 50 == 0 else ""
        round_trip(name, row.body)
        assert not before or compact(row.body) == before, row.id
    assert count
