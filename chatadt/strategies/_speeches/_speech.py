"""What the strategies of all dialects share: what a speech is, and words that many of them say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from attrs import evolve, frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, ModelParams, Thinking
from chatadt.content import Content
from chatadt.dialects._choices import has_tools
from chatadt.dialects._dialect import Rules, Spelling
from chatadt.dialects._media import file_reference
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.strategies._conversations import ANYTHING, Vocabulary
from chatadt.strategies._data import few, texts
from chatadt.tool import Tool, ToolChoice

__all__ = (
    "COUNTS",
    "PLAIN",
    "SPOKEN_NAMES",
    "STOPS",
    "URLS",
    "Speech",
    "about_tools",
    "as_it_is",
    "by_url",
    "by_value",
    "in_call_order",
    "kept_by",
    "names",
    "some",
    "spelt",
    "unforced",
    "vocabulary",
    "with_thinking_that_fits",
)


@frozen(repr=False)
class Speech:
    """What a dialect can say: the vocabulary of its conversations, its parameters, and how the two come to agree in one request."""

    vocabulary: Vocabulary
    params: SearchStrategy[ModelParams]
    agree: Callable[[ChatRequest], ChatRequest]


URLS: Final = st.sampled_from(("https://example.org/cat.png", "http://example.org/a?b=c&d=%20", "https://example.org/\u00e9"))
PLAIN: Final = st.builds(Content.Text, texts(blank=False))
SPOKEN_NAMES: Final = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
COUNTS: Final = st.integers(1, 100_000)
STOPS: Final = st.lists(texts(blank=False), max_size=3)


def as_it_is(request: ChatRequest) -> ChatRequest:
    return request


def by_value(kinds: Iterable[str]) -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Binary, st.binary(min_size=1, max_size=12), st.sampled_from(sorted(kinds)))


def by_url() -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Ref, URLS)


def kept_by(vendor: str) -> SearchStrategy[Resource.T]:
    ids = st.one_of(st.just("file-1"), texts(blank=False))
    return ids.map(lambda found: Resource.Ref(file_reference(vendor, found)))


def some(strategy: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    return st.lists(strategy, min_size=1, max_size=3)


def spelt(spelling: Spelling) -> SearchStrategy[str]:
    characters = st.characters(exclude_categories=["Cs"])
    return st.from_regex(spelling.pattern, fullmatch=True, alphabet=characters).filter(spelling.allows)


def names(rules: Rules) -> SearchStrategy[str]:
    """Names of tools as the rules want them spelt."""
    common = [name for name in ("weather", "get-time", "_", "f2") if rules.tool_name.allows(name)]
    return st.one_of(st.sampled_from(common), spelt(rules.tool_name).filter(_is_not_blank))


def _is_not_blank(text: str) -> bool:
    return not text.isspace() and text != ""


def _ids(rules: Rules) -> SearchStrategy[str]:
    numbered = [st.integers(0, 999).map(lambda number: f"call_{number:03}")] if rules.tool_id.allows("call_000") else []
    return st.one_of(*numbered, spelt(rules.tool_id))


def vocabulary(rules: Rules) -> Vocabulary:
    """What follows from the rules alone; contents are text."""
    return evolve(
        ANYTHING,
        instructions=some(PLAIN),
        asked=some(PLAIN),
        said=few(PLAIN),
        results={Outcome.OK: some(PLAIN)},
        ids=_ids(rules),
        tool_names=names(rules),
        names=st.none(),
        interleaved=False,
        alternating=rules.merges_turns,
        prefilled=not rules.last_user and all(profile.prefill for profile in rules.models),
    )


def in_call_order(messages: Iterable[Message.T]) -> Iterator[Message.T]:
    """The messages, the results behind each assistant message in the order of its calls."""
    order: dict[str, int] = {}
    run: list[Message.ToolResult] = []
    for message in messages:
        if isinstance(message, Message.ToolResult):
            run.append(message)
            continue
        yield from sorted(run, key=lambda result: order[result.id])
        run = []
        if isinstance(message, Message.Assistant):
            order |= {call.id: len(order) + index for index, call in enumerate(message.tool_requests)}
        yield message
    yield from sorted(run, key=lambda result: order[result.id])


def unforced(params: ModelParams) -> ModelParams:
    """The parameters without a forced tool where the model is to think, which some servers refuse."""
    forces = isinstance(params.tool_choice, ToolChoice.Required | ToolChoice.One)
    thinks = isinstance(params.thinking, Thinking.Adaptive | Thinking.Budget)
    return evolve(params, tool_choice=None) if forces and thinks else params


def with_thinking_that_fits(request: ChatRequest) -> ChatRequest:
    """The request as a Claude takes it: a tool loop that goes on with a budget for thinking has begun with a thought, and an answer
    may be longer than what is thought.
    """
    params = request.params
    last = next((message for message in reversed(request.messages) if not isinstance(message, Message.ToolResult)), None)
    thoughtless = isinstance(last, Message.Assistant) and not isinstance(last.contents[0], Content.Reasoning)
    if isinstance(params.thinking, Thinking.Budget):
        most = params.max_output_tokens
        longer = params if most is None else evolve(params, max_output_tokens=params.thinking.tokens + most)
        params = evolve(params, thinking=None) if thoughtless else longer
    return evolve(request, params=params)


def about_tools(params: ModelParams, dialect: str) -> ModelParams:
    """The parameters in which nothing is said of tools that are not there: how they are called, and which of them."""
    names = [tool.name for tool in params.tools if isinstance(tool, Tool)]
    choice = params.tool_choice
    if isinstance(choice, ToolChoice.One):
        choice = ToolChoice.One(names[0]) if names else None
    if has_tools(params, dialect):
        return evolve(params, tool_choice=choice)
    return evolve(params, tool_choice=None, parallel_tool_calls=None)
