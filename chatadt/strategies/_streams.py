"""Streams: deltas of every kind, and streams made of answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatResponse
from chatadt.delta import Delta
from chatadt.fold import deltas_of
from chatadt.laws import recut
from chatadt.strategies._data import DIALECTS, documents, either, extras, maybe, texts
from chatadt.strategies._words import CONTENTS, chat_responses, choices, metadata

__all__ = ("DELTAS", "deltas", "streams")

_INDEX: Final = st.integers(0, 2)
_CHOICE: Final = st.sampled_from((0, 0, 0, 1, 2))
_PIECE: Final = texts(max_size=6)
_CONTENT: Final = either(CONTENTS.values())

DELTAS: Final[Mapping[type, SearchStrategy[Delta.T]]] = {
    Delta.Start: st.builds(Delta.Start, maybe(texts()), maybe(texts()), extras()),
    Delta.Text: st.builds(Delta.Text, _INDEX, _PIECE, _CHOICE),
    Delta.Reasoning: st.builds(Delta.Reasoning, _INDEX, _PIECE, _CHOICE),
    Delta.Refusal: st.builds(Delta.Refusal, _INDEX, _PIECE, _CHOICE),
    Delta.ToolRequest: st.builds(Delta.ToolRequest, _INDEX, _PIECE, maybe(texts()), _PIECE, _CHOICE),
    Delta.Block: st.builds(Delta.Block, _INDEX, _CONTENT, _CHOICE),
    Delta.BlockExtras: st.builds(Delta.BlockExtras, _INDEX, extras(), st.booleans(), _CHOICE),
    Delta.Speaker: st.builds(Delta.Speaker, maybe(texts()), extras(), st.booleans(), _CHOICE),
    Delta.Answer: st.builds(Delta.Answer, extras(), st.booleans(), _CHOICE),
    Delta.Tokens: st.builds(Delta.Tokens, metadata().map(lambda known: known.usage).filter(bool)),
    Delta.Stop: st.builds(Delta.Stop, choices().map(lambda choice: choice.stop), _CHOICE),
    Delta.Failed: st.builds(Delta.Failed, metadata().map(lambda known: known.error).filter(bool)),
    Delta.Custom: st.builds(Delta.Custom, st.sampled_from(DIALECTS), documents()),
}
"""By case of `Delta.T`: the strategy of that case."""


def deltas() -> SearchStrategy[Delta.T]:
    """Any delta, of every case alike."""
    return either(DELTAS.values())


def streams() -> SearchStrategy[tuple[Delta.T, ...]]:
    """Streams: those of answers, their pieces cut somewhere, some broken off; or any deltas in any order."""
    told: SearchStrategy[Any] = st.builds(_told, chat_responses(), st.integers(1, 9), st.sampled_from((0, 0, 1, 2)))
    wild: SearchStrategy[Any] = st.lists(deltas(), max_size=8).map(tuple)
    return st.one_of(told, wild)


def _told(response: ChatResponse, size: int, left_out: int) -> tuple[Delta.T, ...]:
    stream = tuple(recut(deltas_of(response), size))
    return stream[: len(stream) - left_out]
