"""Gemini in and out is the identity on recorded traffic; reading takes anything and changes nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from typing import Any, Final

import pytest
from returns.result import Failure, Success

from chatadt import convert, laws
from chatadt.dialects.gemini import DIALECT
from chatadt.error import ConversionError
from chatadt.result import closed
from tests.wire.corpus import all_bodies, present, recorded, recordings, report
from tests.wire.values import compact, leaves, place, same

pytestmark = [present]


def _round_trip(body: Any) -> tuple[Any, str]:
    """What comes back, and why it does not; losses on the way home are a failure as well."""
    match closed(DIALECT.read_request(body)):
        case Success(request):
            written = DIALECT.write_request(request)
            return written.value, "; ".join(map(str, written.losses))
        case Failure(error):
            return None, str(error)


def _difference(one: Any, other: Any) -> str:
    before, after = {(place(w), compact(leaf)) for w, leaf in leaves(one)}, {(place(w), compact(leaf)) for w, leaf in leaves(other)}
    return f"lost {sorted(before - after)[:3]}, got {sorted(after - before)[:3]}"[:300]


def test_what_was_read_is_written_back_exactly() -> None:
    """Every recorded body, to the last key: both spellings of names, both alphabets of base64, objects where lists are meant."""
    bodies = recorded("gemini", "request")
    failures = [
        f"{row.id} {why or _difference(row.body, back)}"
        for row in bodies
        for back, why in [_round_trip(row.body)]
        if why or not same(back, row.body)
    ]
    assert len(bodies) == 500
    assert not failures, report("gemini does not come back", failures, len(bodies))


def test_refused_and_handwritten_bodies_come_back_too() -> None:
    rest = [row for row in recordings("gemini", "request") if not row.is_recorded]
    failures = [row.id for row in rest if not same(_round_trip(row.body)[0], row.body)]
    assert rest
    assert not failures, report("gemini changes", failures, len(rest))


def test_canonical_is_idempotent_and_leaves_its_input_alone() -> None:
    for row in recorded("gemini", "request"):
        before = compact(row.body)
        once = DIALECT.canonical(row.body)
        assert same(once, DIALECT.canonical(once)), row.id
        assert compact(row.body) == before, row.id


CAMEL: Final = {
    "contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}]}],
    "generationConfig": {"topP": 0.5, "thinkingConfig": {"includeThoughts": True}},
    "tools": [{"functionDeclarations": [{"name": "f_g", "parametersJsonSchema": {"type": "object", "a_b": 1}}]}],
}
SPELT_OTHERWISE: Final = (
    {
        "contents": [{"role": "user", "parts": [{"inline_data": {"mime_type": "image/png", "data": "iVBORw0KGgo="}}]}],
        "generation_config": {"top_p": 0.5, "thinking_config": {"include_thoughts": True}},
        "tools": [{"function_declarations": [{"name": "f_g", "parameters_json_schema": {"type": "object", "a_b": 1}}]}],
    },
    {
        "contents": {"role": "user", "parts": {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}},
        "generationConfig": CAMEL["generationConfig"],
        "tools": {"functionDeclarations": {"name": "f_g", "parametersJsonSchema": {"type": "object", "a_b": 1}}},
    },
    {**CAMEL, "systemInstruction": None, "cachedContent": None},
)


@pytest.mark.parametrize("body", SPELT_OTHERWISE)
def test_canonical_folds_what_the_page_says(body: Any) -> None:
    assert DIALECT.canonical(body) == CAMEL
    assert DIALECT.canonical(_round_trip(body)[0]) == CAMEL


@pytest.mark.parametrize("change", [{"cachedContent": "a"}, {"generationConfig": {"topP": 0.6}}, {"contents": []}, {"tools": [{}]}])
def test_canonical_folds_nothing_else(change: dict[str, Any]) -> None:
    assert DIALECT.canonical({**CAMEL, **change}) != CAMEL


def test_no_body_of_any_family_and_kind_makes_the_reader_raise() -> None:
    """Reading is total, and whatever it reads can be written."""
    count = 0
    for row in all_bodies():
        count += 1
        before = compact(row.body) if count % 20 == 0 else None
        _round_trip(row.body)
        assert before is None or compact(row.body) == before
    assert count > 5_000


STRANGE: Final = (None, True, 0, -1, 1.5, "", "x", [], [None], {}, {"a": None}, [[]], {"parts": 5}, "\ud800", 10**40)


def _mutations(body: Any, chance: random.Random, count: int) -> Iterator[Any]:
    """The body with one value somewhere replaced, or one key taken away."""
    places = [where for where, _ in leaves(body) for where in [where[:end] for end in range(1, len(where) + 1)]]
    for _ in range(count if places else 0):
        changed = deepcopy(body)
        *above, last = chance.choice(places)
        inner = reduce(lambda value, step: value[step], above, changed)
        if isinstance(inner, dict) and chance.random() < 0.3:
            del inner[last]
        else:
            inner[last] = deepcopy(chance.choice(STRANGE))
        yield changed


def test_no_mutation_of_recorded_traffic_makes_the_reader_raise_or_the_way_home_lossy() -> None:
    """A changed body is unreadable with a path, or it comes back as it was changed."""
    chance = random.Random(7)
    read = 0
    failures: list[str] = []
    for row in recorded("gemini", "request")[::4]:
        for changed in _mutations(row.body, chance, 12):
            before = compact(changed)
            laws.answers(DIALECT, changed)
            back, why = _round_trip(changed)
            assert compact(changed) == before
            if back is None:
                assert "$" in why
            else:
                read += 1
                if why or not same(DIALECT.canonical(back), DIALECT.canonical(changed)):
                    failures.append(f"{row.id} {why or _difference(DIALECT.canonical(changed), DIALECT.canonical(back))}")
    assert read > 300
    assert not failures, report("changed bodies do not come back", failures, read)


def test_convert_to_itself_is_the_identity_where_it_succeeds() -> None:
    """Under the default policy a body that breaks a rule which is more than spelling is refused."""
    refused: Counter[str] = Counter()
    for row in recorded("gemini", "request"):
        match closed(convert(row.body, DIALECT, DIALECT)):
            case Success(converted):
                assert same(converted.value, row.body), row.id
            case Failure(ConversionError.Invalid(_, violations)):
                refused.update({violation.rule for violation in violations})
            case Failure(error):
                pytest.fail(f"{row.id} {error}")
    assert not refused
