"""What was read comes home as it was: recorded traffic, and recorded traffic with something broken in it."""

from __future__ import annotations

from copy import deepcopy
from functools import reduce
from random import Random
from typing import Any, Final

from returns.result import Failure, Success
from wire.corpus import Recording, all_bodies, present, recordings, report
from wire.values import compact, leaves, place, same, subtrees

from chatadt.dialects.openai_responses import DIALECT, canonical
from chatadt.result import closed

FAMILY: Final = "openai_responses"
MUTATIONS: Final = 4_000

pytestmark = [present]


def _round_trip(body: Any) -> tuple[Any, str]:
    """What comes back, and why it does not; a loss on the way home is a failure as well."""
    match closed(DIALECT.read_request(body)):
        case Success(request):
            written = DIALECT.write_request(request)
            return written.value, "; ".join(map(str, written.losses))
        case Failure(error):
            return None, str(error)


def _difference(one: Any, other: Any) -> str:
    before, after = {(place(w), compact(leaf)) for w, leaf in leaves(one)}, {(place(w), compact(leaf)) for w, leaf in leaves(other)}
    return f"lost {sorted(before - after)[:3]}, got {sorted(after - before)[:3]}"[:400]


def test_every_body_is_read_and_written_back_without_a_loss() -> None:
    """Those that were refused or written by hand too."""
    bodies = recordings(FAMILY, "request")
    failures: list[str] = []
    exact = 0
    for row in bodies:
        back, why = _round_trip(row.body)
        exact += same(back, row.body)
        if why or not same(canonical(back), canonical(row.body)):
            failures.append(f"{row.id} {why or _difference(canonical(row.body), canonical(back))}")
    print(f"\n{FAMILY}: {len(bodies)} bodies, {exact} equal without canonical, {len(failures)} not equal with it")
    assert len(bodies) > 700
    assert exact > len(bodies) / 2
    assert not failures, report(f"{FAMILY} does not come back", failures, len(bodies))


def test_canonical_is_idempotent_and_leaves_its_input_alone() -> None:
    failures: list[str] = []
    for row in recordings(FAMILY, "request"):
        before = compact(row.body)
        once = canonical(row.body)
        if not same(once, canonical(once)) or compact(row.body) != before:
            failures.append(row.id)
    assert not failures, report("canonical", failures, len(recordings(FAMILY, "request")))


def test_canonical_folds_what_the_page_says_and_nothing_else() -> None:
    part = {"type": "input_text", "text": "a"}
    said = {"input": [{"role": "user", "content": [part]}, {"type": "function_call_output", "call_id": "c", "output": [part]}]}
    assert canonical(said) == {
        "input": [{"role": "user", "content": "a"}, {"type": "function_call_output", "call_id": "c", "output": "a"}]
    }
    for kept in (
        {"input": [{"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}]},
        {"input": [{"role": "user", "content": [{**part, "prompt_cache_breakpoint": {}}]}]},
        {"input": [{"role": "user", "content": [part, part]}]},
        {"input": "a"},
        {"previous_response_id": None},
        [],
    ):
        assert canonical(kept) == kept


def test_no_body_of_any_family_and_kind_makes_reader_or_writer_raise() -> None:
    failures: list[str] = []
    for row in all_bodies():
        try:
            _round_trip(row.body)
        except Exception as error:
            failures.append(f"{row.id} ({row.family} {row.kind}) {type(error).__name__}: {error}")
    assert not failures, report("raises", failures, 1)


def test_a_broken_body_is_refused_or_comes_back_as_it_was() -> None:
    """One to three places of a recorded body removed, replaced, doubled or added to: still nothing is lost, and nothing raises."""
    random = Random(1)
    rows = recordings(FAMILY, "request")
    failures: list[str] = []
    answered = 0
    for _ in range(MUTATIONS):
        row, body = _broken(random, rows)
        before = deepcopy(body)
        match closed(DIALECT.read_request(body)):
            case Failure(error):
                assert str(error)
            case Success(request):
                answered += 1
                written = DIALECT.write_request(request)
                if written.losses or not same(canonical(written.value), canonical(body)):
                    failures.append(f"{row.id} {_difference(canonical(body), canonical(written.value))} {written.losses}")
        assert body == before
    assert answered > MUTATIONS / 3
    assert not failures, report("changes", failures, answered)


_VALUES: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1.5, "", "x", " ", [], {}, ["x"], [{}], [None], {"type": "x"}, {"a": None}),
    *("data:image/bmp;base64,AAAA", "data:;base64,AAAA", "data:x", "gs://a/b", "message", "reasoning", "function_call"),
    *("item_reference", "custom_tool_call", "user", "assistant", "system", "developer", "tool"),
    *([{"type": kind, "text": "t"}] for kind in ("input_text", "output_text", "summary_text", "reasoning_text")),
]
_KEYS: Final = ("item", "extra", "type", "id", "status", "phase", "role", "annotations", "content", "detail", "filename", "file_id")


def _broken(random: Random, rows: tuple[Recording, ...]) -> tuple[Recording, Any]:
    row = random.choice(rows)
    body = deepcopy(row.body)
    for _ in range(random.choice((1, 1, 2, 3))):
        places = [where for where, _ in subtrees(body) if where and not {"parameters", "schema"} & set(where)]
        if places:
            _break(random, body, random.choice(places))
    return row, body


def _break(random: Random, body: Any, where: tuple[str | int, ...]) -> None:
    *above, last = where
    parent = reduce(lambda inner, step: inner[step], above, body)
    chance = random.random()
    if chance < 0.25:
        del parent[last]
    elif chance < 0.8:
        parent[last] = deepcopy(random.choice(_VALUES))
    elif isinstance(parent, dict):
        parent[random.choice(_KEYS)] = deepcopy(random.choice(_VALUES))
    else:
        parent.insert(random.randrange(len(parent) + 1), deepcopy(random.choice(parent)))
