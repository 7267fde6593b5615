"""Examples for every law: by the name of a parameter, the strategy that fills it for a dialect."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import DIALECTS, ChatRequest, laws, strategies
from chatadt.dialects import Dialect
from chatadt.templates import Syntax

__all__ = ("NAMES", "OTHER", "examples", "fixed", "sided")

NAMES: Final = tuple(strategies.SPEECHES)
"""The dialects of which it is known what they can say."""
OTHER: Final = dict(zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True))
"""To which dialect each of them is converted."""

WORDS: Final = st.one_of(
    strategies.chat_requests(),
    strategies.histories(),
    strategies.messages(),
    strategies.contents(),
    strategies.chat_responses(),
    strategies.templates(*Syntax),
)


def bodies(dialect: Dialect) -> SearchStrategy[Any]:
    """Bodies that the dialect's writer wrote: of what it can say, and of a conversation of any kind."""
    sayable = strategies.requests(dialect.name) if dialect.name in NAMES else conversations()
    return st.one_of(sayable, conversations().filter(lambda request: not laws.quotes(request, dialect.name))).map(
        lambda request: dialect.write_request(request).value
    )


def conversations() -> SearchStrategy[ChatRequest]:
    return st.builds(ChatRequest, strategies.histories())


FILLED: Final[dict[str, Callable[[Dialect], SearchStrategy[Any]]]] = {
    "value": lambda _: st.one_of(strategies.json(), strategies.objects().map(lambda value: {**value, "messages": [value]})),
    "body": bodies,
    "request": lambda _: strategies.chat_requests(),
    "sayable": lambda dialect: strategies.requests(dialect.name),
    "conversation": lambda _: conversations(),
    "word": lambda _: WORDS,
    "response": lambda _: strategies.chat_responses(),
    "stream": lambda _: strategies.streams(),
    "prompt": lambda _: strategies.prompts(),
    "filling": lambda _: strategies.templates_and_fillings(*Syntax),
}


def examples(law: Callable[..., None], dialect: Dialect) -> SearchStrategy[Any]:
    """Examples for the last parameter of a law, the only one that is no dialect."""
    return FILLED[list(inspect.signature(law).parameters)[-1]](dialect)


def fixed(law: Callable[..., None], dialect: Dialect) -> tuple[Dialect, ...]:
    """The dialects that a law takes before its example."""
    match list(inspect.signature(law).parameters)[:-1]:
        case []:
            return ()
        case ["dialect"]:
            return (dialect,)
        case ["source", "target"]:
            return (dialect, DIALECTS[OTHER[dialect.name]])
        case other:
            raise ValueError(f"expected a law of a dialect, or of a source and a target, got {other}")


def sided(law: Callable[..., None]) -> bool:
    """Whether a law is about a dialect at all."""
    return len(inspect.signature(law).parameters) > 1
