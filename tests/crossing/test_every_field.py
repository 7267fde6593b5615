"""Each word of every documented field, of every dialect and every variant, is said in each other one, or named by a loss."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Loss, Policy, convert

from .every_field import BODIES, named, with_words

each_dialect = pytest.mark.parametrize("source", DIALECTS)
PAIRS: Final = tuple(permutations(DIALECTS, 2))


def missed(value: Any, losses: tuple[Loss, ...], words: dict[str, str]) -> list[str]:
    """The words that neither the output says nor the losses."""
    told = [(loss.what, "" if loss.original is None else loss.original.text) for loss in losses]
    said = json.dumps([value, told])
    return [where for where, word in words.items() if not named(word, said)]


@each_dialect
def test_no_word_of_any_field_is_lost_in_silence(source: str) -> None:
    found: list[str] = []
    for body in BODIES[source]:
        filled, words = with_words(body)
        for target in DIALECTS:
            out = convert(filled, source, target, policy=Policy.LENIENT).unwrap()
            found += [f"{source} to {target}: {where}" for where in missed(out.value, out.losses, words)]
    assert found == []


@each_dialect
def test_at_home_every_word_stays_without_a_loss(source: str) -> None:
    dialect = DIALECTS[source]
    for body in BODIES[source]:
        filled, words = with_words(body)
        written = dialect.write_request(dialect.read_request(filled).unwrap())
        assert written.losses == ()
        assert missed(written.value, (), words) == []


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_count_misses_what_a_loss_no_longer_names(source: str, target: str) -> None:
    """The count is alive: between any two dialects some word is named by a loss only."""
    alone = 0
    for body in BODIES[source]:
        filled, words = with_words(body)
        out = convert(filled, source, target, policy=Policy.LENIENT).unwrap()
        alone += bool(missed(out.value, (), words))
    assert alone or {source, target} <= {"openai_chat", "azure"}


def test_a_detail_of_reasoning_and_what_is_readable_beside_it_are_named_where_they_are_not_said() -> None:
    details = [{"type": "reasoning.text", "text": "DETAIL", "id": "RID", "index": 7}]
    spoken = {"role": "assistant", "content": "a", "reasoning": "READABLE", "reasoning_details": details}
    asked = {"role": "user", "content": "q"}
    lost = convert({"messages": [asked, spoken, asked]}, "openrouter", "cohere", policy="lenient").unwrap()
    assert lost.value["messages"][1]["content"][:2] == [
        {"type": "thinking", "thinking": "READABLE"},
        {"type": "thinking", "thinking": "DETAIL"},
    ]
    assert [(loss.what, loss.original and loss.original.value) for loss in lost.losses] == [
        ("id (openrouter)", "RID"),
        ("index (openrouter)", 7),
    ]


def test_readable_reasoning_that_says_what_the_details_say_is_said_once() -> None:
    details = [{"type": "reasoning.text", "text": text, "index": index} for index, text in enumerate(("one ", "two"))]
    spoken = {"role": "assistant", "content": "a", "reasoning": "one two", "reasoning_details": details}
    request = DIALECTS["openrouter"].read_request({"messages": [spoken]}).unwrap()
    assert [content.text for content in request.messages[0].contents if hasattr(content, "text")] == ["one ", "two", "a"]


def test_a_loss_names_a_key_as_it_stands_on_the_wire() -> None:
    spoken = {"role": "assistant", "audio": {"id": "a", "$at_end": "x"}}
    said = {"messages": [spoken, {"role": "user", "content": "q"}]}
    lost = convert(said, "openai_chat", "openai_chat", policy="lenient").unwrap()
    assert [loss.what for loss in lost.losses] == ["$at_end of the audio"]
