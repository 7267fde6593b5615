"""Laws of Mistral, Cohere and Ollama alone: mutations of recorded bodies, and signatures of others."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any, Final

import pytest
from wire.corpus import present

from chatadt import ChatRequest, Content, Message, laws

from .family import FAMILY, accepted

every_dialect = pytest.mark.parametrize("name", FAMILY)

MUTANTS: Final = (None, True, 1, -0.5, "", "x", [], [None], {}, {"type": "text"}, {"type": 5}, [[]], {"role": "user"})


@present
@every_dialect
def test_no_mutation_of_a_recorded_body_makes_a_reader_or_a_writer_raise(name: str) -> None:
    """Any value in any place: answered, written, and where it is read, written back without a loss."""
    dialect, count = FAMILY[name], 0
    for row in accepted(name)[::4]:
        for mutant in _mutants(json.loads(json.dumps(row.body)), 3):
            count += 1
            before = deepcopy(mutant)
            laws.answers(dialect, mutant)
            assert mutant == before
            request = dialect.read_request(mutant).value_or(None)
            if request is not None:
                written = dialect.write_request(request)
                assert written.losses == (), (row.id, mutant)
                assert dialect.canonical(written.value) == dialect.canonical(mutant), (row.id, mutant)
    assert count > 100


def _mutants(value: Any, step: int) -> list[Any]:
    """Copies of a value, each with one place changed; of the places that there are, every `step`th."""
    places = [(where, mutant) for where in _places(value) for mutant in MUTANTS]
    return [_changed(value, where, mutant) for where, mutant in places[::step]]


def _places(value: Any, where: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    deeper = [place for key, item in inner[:6] if key != "parameters" for place in _places(item, (*where, key))]
    return [*([where] if where else []), *deeper]


def _changed(value: Any, where: tuple[Any, ...], mutant: Any) -> Any:
    copy = deepcopy(value)
    target = copy
    for step in where[:-1]:
        target = target[step]
    target[where[-1]] = deepcopy(mutant)
    return copy


def test_the_words_of_another_dialect_are_not_its_own() -> None:
    """A signature of one provider never stands in what another gets."""
    thought = Content.Reasoning("hm", {"anthropic": {"signature": "SIGNED-BY-SOMEBODY"}})  # type: ignore[arg-type]
    request = ChatRequest([Message.User("a"), Message.Assistant([thought, "b"]), Message.User("c")])
    for dialect in FAMILY.values():
        written = dialect.write_request(request)
        assert "SIGNED-BY-SOMEBODY" not in json.dumps(written.value)
        assert "hm" in json.dumps(written.value)
        assert [loss.what for loss in written.losses] == ["signature (anthropic)"]
