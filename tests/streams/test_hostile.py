"""Streams that broke on the way: every reader takes them, every writer says them, and no text that came is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import pytest
from returns.result import Failure
from wire.corpus import Recording, all_bodies, present, recordings
from wire.views import VIEWS

from chatadt import DIALECTS, convert, dumps, fold_each, laws
from chatadt.dialects import FOLDERS

from .texts import texts

NAMES: Final = tuple(name for name in FOLDERS if DIALECTS[name].read_stream is not None)
by_name = pytest.mark.parametrize("name", NAMES)

LONGEST: Final = 40
"""Events of a stream that is broken at each of them; the cost of that grows with their square."""
RARELY: Final = 21
"""One in so many ways to break a longer stream is looked at, of each kind."""
SAMPLE: Final = 40
"""How many broken streams of a dialect are looked at, but where all are."""


def streams(name: str) -> list[Recording]:
    return [row for row in recordings(name, "stream") if len(row.body) > 3]


def broken(events: list[Any]) -> Iterator[list[Any]]:
    """Every prefix, and each event dropped, doubled, swapped with its neighbour, or replaced by nothing."""
    for at in range(len(events)):
        yield events[:at]
        yield events[:at] + events[at + 1 :]
        yield [*events[: at + 1], *events[at:]]
        yield [*events[:at], *events[at : at + 2][::-1], *events[at + 2 :]]
        yield [*events[:at], {}, *events[at + 1 :]]


def look(name: str, row: Recording, events: list[Any]) -> None:
    """Read it, look for what came, and write it in every dialect."""
    told = tuple(DIALECTS[name].read_stream(events))  # type: ignore[misc]
    said = "\0".join(text for answer in fold_each(told) for text in texts(json.loads(dumps(answer))))
    missing = [text for event in events for text in texts(VIEWS[name].prose(event)) if text not in said]
    assert not missing, f"{row.id} {missing[:3]}"
    for other in NAMES:
        laws.streams_kept(other, told)


@present
@by_name
def test_broken_streams_are_read_and_written_and_no_text_of_theirs_is_lost(name: str) -> None:
    all_of_them = [(row, events) for row in streams(name) if len(row.body) < LONGEST for events in broken(row.body)]
    step = max(1, len(all_of_them) // SAMPLE) | 1  # odd, and so of each kind
    step += 2 * (step % 5 == 0)
    looked = all_of_them[::step]
    assert len(looked) >= SAMPLE // 2
    for row, events in looked:
        look(name, row, events)


@present
@pytest.mark.deep
@by_name
def test_every_broken_stream_is_read_and_written_and_no_text_of_it_is_lost(name: str) -> None:
    for row in streams(name):
        for events in islice(broken(row.body), 0, None, 1 if len(row.body) < LONGEST else RARELY):
            look(name, row, events)


def no_streams(name: str, every: int) -> None:
    for row in islice(all_bodies(), 0, None, every):
        events = row.body if isinstance(row.body, list) else [row.body]
        list(DIALECTS[name].write_stream(DIALECTS[name].read_stream(events)))  # type: ignore[misc]


@present
@by_name
def test_bodies_of_any_family_and_kind_make_no_reader_of_streams_raise(name: str) -> None:
    no_streams(name, 10)


@present
@pytest.mark.deep
@by_name
def test_no_body_of_any_family_and_kind_makes_a_reader_of_streams_raise(name: str) -> None:
    no_streams(name, 1)


def test_what_is_no_list_of_events_is_unreadable() -> None:
    assert isinstance(convert({}, "openai_chat", "anthropic", kind="stream"), Failure)
