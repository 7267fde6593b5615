"""Two speeds: nothing looks for the place of a problem until there is one, and then both ways agree on what is accepted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st
from returns.pipeline import is_successful

from chatadt import _wire, codec
from chatadt.codec import Document, dumps, loads
from chatadt.error import Problem, Unexpected
from chatadt.history import History
from chatadt.json import parse
from chatadt.message import Message

from .documents import DOCUMENTS, broken_once, text


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often something was done that only the search for a place does."""
    counted: Counter[str] = Counter()

    def count(owner: Any, name: str) -> None:
        own = getattr(owner, name)

        def counting(*args: Any, **kwargs: Any) -> Any:
            counted[name] += 1
            return own(*args, **kwargs)

        monkeypatch.setattr(owner, name, counting)

    count(_wire, "_problems")
    count(codec, "_repeated")
    count(codec, "from_http4k")
    count(Unexpected, "under")
    count(Problem, "under")
    return counted


HISTORY = History([Message.User(["hi", f"number {at}"]) for at in range(200)])


def test_the_search_runs_only_on_failure(calls: Counter[str]) -> None:
    written = dumps(HISTORY)
    assert is_successful(loads(written))
    assert is_successful(loads(written.replace(b":", b": ")))
    assert not calls
    assert not is_successful(loads(written.replace(b'"number 150"', b"5")))
    assert calls["_problems"] > 0
    assert calls["_repeated"] == 0


def test_what_is_whole_costs_the_search_nothing(calls: Counter[str]) -> None:
    """Each message is read once more; paths are made for the broken one alone, however long the conversation."""
    written = dumps(HISTORY).replace(b'"number 150"', b"5")
    assert str(loads(written).failure()) == "cannot read chatadt: expected a string, got 5 at $.messages[150].contents[1].text"
    of_all = calls["under"]
    assert not is_successful(loads(dumps(HISTORY[150:151]).replace(b'"number 150"', b"5")))
    assert calls["under"] == 2 * of_all > 0


def test_every_broken_message_is_found() -> None:
    written: Any = orjson.loads(dumps(HISTORY))
    for at in (3, 77, 199):
        written["messages"][at]["contents"][1]["text"] = at
    paths = [problem.path for problem in loads(text(written)).failure().problems]  # type: ignore[union-attr]
    assert paths == [f"$.messages[{at}].contents[1].text" for at in (3, 77, 199)]


@given(DOCUMENTS, st.data())
def test_the_fast_way_and_the_search_agree_on_what_is_accepted(word: Document, data: st.DataObject) -> None:
    whole = parse(dumps(word))
    messages = whole.get("messages") or [{"type": "user", "contents": [whole]}]
    for items in (messages, data.draw(broken_once(messages))):
        if isinstance(items, list):
            found = list(_wire._problems(codec._read_message, items))
            assert refused(items) == found


def refused(items: list[Any]) -> list[Problem]:
    try:
        _wire.each(codec._read_message, items)
    except Unexpected as error:
        return list(error.problems)
    return []
