"""A dialect is a value: it is a key, it is copied, and it goes to another process."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from attrs import evolve

from chatadt import DIALECTS
from chatadt.dialects._dialect import Dialect


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_of_the_library_is_hashed_pickled_and_copied_as_itself(name: str) -> None:
    dialect = DIALECTS[name]
    assert {dialect: 1}[dialect] == 1
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(dialect, protocol)) is dialect
    assert copy.copy(dialect) is copy.deepcopy(dialect) is dialect


def test_one_of_your_own_is_equal_to_its_like_and_no_other_is_taken_for_it() -> None:
    own = evolve(DIALECTS["openai_chat"], page="")
    assert own != DIALECTS["openai_chat"]
    assert hash(own) == hash(evolve(own))
    assert copy.copy(own) == own
    assert len({own, evolve(own), DIALECTS["openai_chat"]}) == 2
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(own)


def test_a_dialect_goes_to_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_name_of, DIALECTS["gemini"]).result(60) == "gemini"


def _name_of(dialect: Dialect) -> str:
    return dialect.name
