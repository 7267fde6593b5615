"""Every feature of a dialect is read to the right word, written back as it was, and crosses to the other dialect as it should."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

import pytest

from chatadt import DIALECTS
from chatadt.dialects import Dialect, Target

from . import anthropic_examples, openai_chat_examples
from .examples import Example, in_order, lost_of, plain

EXAMPLES: Final = {"openai_chat": openai_chat_examples.EXAMPLES, "anthropic": anthropic_examples.EXAMPLES}
OTHER: Final = {"openai_chat": "anthropic", "anthropic": "openai_chat"}

every_example = pytest.mark.parametrize(
    ("dialect", "example"),
    [
        pytest.param(DIALECTS[name], example, id=f"{name}-{example.name}")
        for name, examples in EXAMPLES.items()
        for example in examples
    ],
)


@every_example
def test_it_is_read_to_its_word(dialect: Dialect, example: Example) -> None:
    request = dialect.read_request(deepcopy(example.body)).unwrap()
    assert plain(request) == plain(example.request)


@every_example
def test_it_is_written_back_as_it_was_and_without_a_loss(dialect: Dialect, example: Example) -> None:
    written = dialect.write_request(dialect.read_request(deepcopy(example.body)).unwrap())
    assert dialect.canonical(written.value) == dialect.canonical(example.body)
    assert written.losses == ()


@every_example
def test_it_crosses_to_the_other_dialect_with_its_losses(dialect: Dialect, example: Example) -> None:
    other = DIALECTS[OTHER[dialect.name]]
    written = other.write_request(dialect.read_request(deepcopy(example.body)).unwrap(), Target(""))
    assert lost_of(written.losses) == in_order(example.losses)
    assert other.canonical(written.value) == other.canonical(example.becomes)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_a_dialect_have_names_of_their_own(name: str) -> None:
    names = [example.name for example in EXAMPLES[name]]
    assert len(set(names)) == len(names)
