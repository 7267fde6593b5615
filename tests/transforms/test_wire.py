"""Recorded requests, read as histories: the laws of transforms hold there too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from returns.result import Success
from wire.corpus import present, recorded, report

from chatadt import DIALECTS, History, laws
from chatadt.result import closed
from chatadt.transforms import by_kind, cost_of, exchanges, externalise, fit, inline, validate

from .given import ALWAYS, TRANSFORMS

FAMILIES: Final = {
    "openai_chat": "openai_chat",
    "openai_responses": "openai_responses",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "bedrock": "bedrock_converse",
    "ollama": "ollama",
    "mistral": "openai_chat",
    "cohere": "cohere_v2",
}
"""By dialect: the family of the recordings that it reads, for Mistral those of its own among them."""
SAMPLE: Final = 40
"""Requests of each dialect: the longest, a quarter of them, and others evenly."""


@cache
def histories() -> tuple[tuple[str, History], ...]:
    return tuple(_read())


def _read() -> Iterator[tuple[str, History]]:
    for dialect, family in FAMILIES.items():
        found: list[tuple[str, History]] = []
        for row in recorded(family, "request"):
            if (row.dialect == "mistral") is not (dialect == "mistral"):
                continue
            match closed(DIALECTS[dialect].read_request(row.body)):
                case Success(request):
                    found.append((f"{dialect} {row.id}", History(request.messages)))
                case _:  # what no reader reads is the business of other tests
                    pass
        found.sort(key=lambda pair: -len(pair[1]))
        long, rest = found[: SAMPLE // 4], found[SAMPLE // 4 :]
        yield from long
        yield from rest[:: max(1, len(rest) // (SAMPLE - len(long)))]


def _broken(law: Any, *example: Any) -> str | None:
    try:
        law(*example)
    except laws.Broken as broken:
        return str(broken)[:300]
    return None


@present
def test_the_laws_hold_of_recorded_conversations() -> None:
    sample = histories()
    failures = [
        f"{id_} {name} {title}: {why}"
        for id_, history in sample
        for name, known in TRANSFORMS.items()
        for title in (*ALWAYS, *known.laws)
        if (why := _broken(laws.LAWS_OF_TRANSFORMS[title], known.transform, history)) is not None
    ]
    failures += [f"{id_} partition: {why}" for id_, history in sample if (why := _broken(laws.partition, history)) is not None]
    for id_, history in sample:
        store: dict[str, bytes] = {}
        budget = cost_of(history) // 2
        others = (
            _broken(laws.restoring, externalise(store.__setitem__), inline(store.get), history),
            _broken(laws.budgets, fit(budget), history, budget, by_kind()),
            _broken(laws.differences, history, history[len(history) // 2 :]),
        )
        failures += [f"{id_} {why}" for why in others if why is not None]
    sound = sum(not validate(history) for _, history in sample)
    turns = sum(len(exchanges(history)) for _, history in sample)
    print(f"\n{len(sample)} conversations, {turns} exchanges, {sound} of them with nothing wrong, {len(failures)} failures")
    assert len({id_.split()[0] for id_, _ in sample}) == len(FAMILIES)
    assert sound > len(sample) // 2
    assert not failures, report("laws of transforms", failures, len(sample))


@present
def test_recorded_conversations_that_are_not_valid_are_told_where() -> None:
    wrong = [(id_, violation) for id_, history in histories() for violation in validate(history)]
    print("", *(f"{id_} {violation}" for id_, violation in wrong), sep="\n")
    assert all(violation.what and violation.path.startswith("$.messages[") for _, violation in wrong)
