"""Recorded requests cross from and to the two first dialects: answered, valid there, in order, and with nothing lost in silence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import pytest
from returns.result import Failure, Success

from chatadt import Loss, Message, Policy, check, convert
from chatadt.dialects import Dialect
from chatadt.dialects.bedrock import DIALECT
from chatadt.error import ConversionError
from chatadt.result import closed
from tests.wire.corpus import Recording, present, recorded, report
from tests.wire.evidence import Reported
from tests.wire.ledger import invented, lies, reordered, silent
from tests.wire.oracles import JUDGES

from .adapter import as_known
from .judge import complaints

pytestmark = [present]

MISLABELLED: Final = {"46bf646a0b2b9c0d": "a png that its sender called a jpeg, which Converse took"}
"""By id: what the judge of the other side has against a body, and rightly."""

SAMPLE: Final = 200


class Crossed(NamedTuple):
    row: Recording
    value: Any
    losses: tuple[Loss, ...]
    error: ConversionError.T | None

    @property
    def reported(self) -> list[Reported]:
        return [Reported(loss.path, loss.what, loss.action.value, loss.original and loss.original.value) for loss in self.losses]


def _sample(family: str) -> tuple[Recording, ...]:
    """About two hundred, spread over all of them."""
    rows = recorded(family, "request")
    return rows[:: max(1, round(len(rows) / SAMPLE))]


@cache
def _crossed(source: str, target: str, policy: Policy = Policy.LENIENT) -> tuple[Crossed, ...]:
    return tuple(_cross(row, source, target, policy) for row in _sample("bedrock_converse" if source == "bedrock" else source))


def _cross(row: Recording, source: str, target: str, policy: Policy) -> Crossed:
    match closed(convert(row.body, _dialect(source), _dialect(target), policy=policy)):
        case Success(converted):
            return Crossed(row, converted.value, converted.losses, None)
        case Failure(error):
            return Crossed(row, None, (), error)


def _dialect(name: str) -> str | Dialect:
    return DIALECT if name == "bedrock" else name


def _as_known(name: str, body: Any) -> Any:
    return as_known(body) if name == "bedrock" else _thinking_first(body)


def _thinking_first(value: Any) -> Any:
    """A thought before its signature, whatever the order of the keys: that order means nothing."""
    match value:
        case {"thinking": str() as thought, **rest}:
            return {"thinking": thought, **rest}
        case dict():
            return {key: _thinking_first(item) for key, item in value.items()}
        case list():
            return [_thinking_first(item) for item in value]
        case _:
            return value


def _judged(target: str, one: Crossed) -> list[Any]:
    if target == "bedrock":
        return complaints(one.value, knows_first_user=bool(check([Message.Assistant("a"), Message.User("b")], DIALECT)))
    # a body that names neither model nor length goes to where the URL has the one, and a default is the other
    return JUDGES[target]({"model": "m", **({"max_tokens": 1} if target == "anthropic" else {}), **one.value})


PAIRS: Final = (("openai_chat", "bedrock"), ("anthropic", "bedrock"), ("bedrock", "openai_chat"), ("bedrock", "anthropic"))
each_way = pytest.mark.parametrize(("source", "target"), PAIRS)


@each_way
def test_every_body_crosses_under_lenient_and_some_under_faithful(source: str, target: str) -> None:
    results = _crossed(source, target)
    failures = [f"{one.row.id} {one.error}" for one in results if one.error is not None]
    faithful = sum(one.error is None for one in _crossed(source, target, Policy.FAITHFUL))
    print(f"\n{source} to {target}: {len(results)} bodies, {len(results) - len(failures)} lenient, {faithful} faithful")
    assert len(results) > SAMPLE * 0.9
    assert not failures, report(f"{source} to {target}", failures, len(results))
    assert faithful > len(results) * 0.7


@each_way
def test_what_comes_out_is_valid_for_its_provider(source: str, target: str) -> None:
    results = _crossed(source, target)
    found = {one.row.id: complaint for one in results for complaint in _judged(target, one)[:1]}
    failures = [f"{id} {complaint}" for id, complaint in found.items() if id not in MISLABELLED]
    assert not failures, report(f"{source} to {target} is refused", failures, len(results))


QUESTIONS: Final[dict[str, Callable[..., list[Any]]]] = {
    "lost in silence": silent,
    "invented in silence": invented,
    "named as lost though it is there": lies,
    "in another order": reordered,
}


@each_way
@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is(question: str, source: str, target: str) -> None:
    failures = [
        f"{one.row.id} {found}"
        for one in _crossed(source, target)
        for found in QUESTIONS[question](_as_known(source, one.row.body), _as_known(target, one.value), one.reported)
    ]
    assert not failures, report(f"{source} to {target}: {question}", failures, SAMPLE)


@each_way
def test_the_count_sees_a_text_that_is_taken_away(source: str, target: str) -> None:
    """The answer of the ledger is no accident of the adapter: without the last turn of the output, something is missing."""
    results = [one for one in _crossed(source, target) if one.value.get("messages")]
    unseen = [
        one.row.id
        for one in results
        if not silent(
            _as_known(source, one.row.body),
            _as_known(target, {**one.value, "messages": one.value["messages"][:-1]}),
            one.reported,
        )
    ]
    assert len(unseen) < len(results) / 20, unseen
