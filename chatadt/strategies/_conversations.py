"""Well-formed conversations, and the requests that hold them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, ModelParams
from chatadt.content import Arguments, Content
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.strategies._data import few, identifiers, tool_names
from chatadt.strategies._words import arguments, inputs, instructions, messages, names, params, said

__all__ = ("ANYTHING", "Vocabulary", "chat_requests", "histories")


@frozen(kw_only=True, repr=False)
class Vocabulary:
    """What the messages of a well-formed conversation are made of.

    `said` is what an assistant says besides its tool requests, which follow it unless `interleaved`; `results` has the contents of
    a tool result by its outcome. `ANYTHING` says all that the words can say; `attrs.evolve` makes a vocabulary that says less.
    """

    instructions: SearchStrategy[Iterable[Content.Text | Content.Custom]]
    asked: SearchStrategy[Iterable[Content.Input]]
    said: SearchStrategy[Iterable[Content.Output]]
    results: Mapping[Outcome, SearchStrategy[Iterable[Content.Input]]]
    ids: SearchStrategy[str]
    tool_names: SearchStrategy[str]
    arguments: SearchStrategy[Arguments.T]
    names: SearchStrategy[str | None]
    interleaved: bool
    alternating: bool
    """Whether two messages of one role in a row would become one."""
    prefilled: bool
    """Whether the last word may be an assistant's, for the model to go on with."""


ANYTHING: Final = Vocabulary(
    instructions=few(instructions()),
    asked=few(inputs()),
    said=few(said()),
    results=dict.fromkeys(Outcome, few(inputs())),
    ids=identifiers(),
    tool_names=tool_names(),
    arguments=arguments(),
    names=names(),
    interleaved=True,
    alternating=False,
    prefilled=True,
)
"""The vocabulary that has every word."""


@st.composite
def histories(draw: st.DrawFn, vocabulary: Vocabulary = ANYTHING, *, max_turns: int = 5) -> History:
    """Well-formed conversations of at most `max_turns` turns after an optional system message, the first of them a user's.

    The ids of tool requests are unique, and each request is answered by one result, which names its tool, directly after the
    message that holds it, in any order among the results of that message.
    """
    turns: list[Message.T] = [Message.System(draw(vocabulary.instructions))] if draw(st.booleans()) else []
    turns.append(_user(draw, vocabulary))
    taken: set[str] = set()
    for _ in range(draw(st.integers(0, max_turns - 1))):
        turns.extend([_user(draw, vocabulary)] if _asks_next(draw, vocabulary, turns[-1]) else _exchange(draw, vocabulary, taken))
    if isinstance(turns[-1], Message.Assistant) and not vocabulary.prefilled:
        turns.append(_user(draw, vocabulary))
    return History(turns)


def _asks_next(draw: st.DrawFn, vocabulary: Vocabulary, last: Message.T) -> bool:
    """Whether a user speaks after `last`."""
    if vocabulary.alternating and not isinstance(last, Message.ToolResult):
        return isinstance(last, Message.Assistant)
    return draw(st.booleans())


def _user(draw: st.DrawFn, vocabulary: Vocabulary) -> Message.User:
    return Message.User(draw(vocabulary.asked), draw(vocabulary.names))


def _exchange(draw: st.DrawFn, vocabulary: Vocabulary, taken: set[str]) -> list[Message.T]:
    """An assistant message, and a result for each of its tool requests."""
    requests = [_request(draw, vocabulary, taken) for _ in range(draw(st.sampled_from((1, 2, 0, 3))))]
    said = [*draw(vocabulary.said), *requests]
    told = Message.Assistant(draw(st.permutations(said)) if vocabulary.interleaved else said, draw(vocabulary.names))
    return [told, *(_result(draw, vocabulary, request) for request in draw(st.permutations(requests)))]


def _request(draw: st.DrawFn, vocabulary: Vocabulary, taken: set[str]) -> Content.ToolRequest:
    fresh = draw(vocabulary.ids.filter(lambda id_: id_ not in taken))
    taken.add(fresh)
    return Content.ToolRequest(fresh, draw(vocabulary.tool_names), draw(vocabulary.arguments))


def _result(draw: st.DrawFn, vocabulary: Vocabulary, request: Content.ToolRequest) -> Message.ToolResult:
    outcome = draw(st.sampled_from(list(vocabulary.results)))
    return Message.ToolResult(request.id, request.name, draw(vocabulary.results[outcome]), outcome)


def chat_requests() -> SearchStrategy[ChatRequest]:
    """Requests: well-formed conversations (mostly), or any messages in any order; with any parameters."""
    conversation = st.one_of(histories(), histories(), st.lists(messages(), max_size=4))
    return st.builds(ChatRequest, conversation, st.one_of(st.just(ModelParams()), params()))
