"""Requests that a given dialect can say: written without a loss, accepted by its server's rules, and read back as they were.

Every word in the shape that the dialect's reader would give it. Ids, names and media types follow the dialect's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from attrs import evolve, frozen
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.content import Arguments, Content, Detail
from chatadt.dialects._dialect import Rules, Spelling
from chatadt.dialects._media import file_reference
from chatadt.dialects.anthropic.rules import RULES as ANTHROPIC
from chatadt.dialects.openai_chat.rules import RULES as OPENAI_CHAT
from chatadt.json import Extras
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.strategies._conversations import ANYTHING, Vocabulary, histories
from chatadt.strategies._data import either, few, maybe, objects, schemas, texts
from chatadt.strategies._words import arguments
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("SPEECHES", "Speech", "requests")


@frozen(repr=False)
class Speech:
    """What a dialect can say: the vocabulary of its conversations, its parameters, and how the two come to agree in one request."""

    vocabulary: Vocabulary
    params: SearchStrategy[ModelParams]
    agree: Callable[[ChatRequest], ChatRequest]


def requests(dialect: str) -> SearchStrategy[ChatRequest]:
    """Requests that say only what `dialect` can say, in the form in which its reader gives them.

    `write_request` of such a request has no losses, and `read_request` of what it wrote is the request again.
    Raises ValueError for a dialect that has no strategy.
    """
    speech = SPEECHES.get(dialect)
    if speech is None:
        raise ValueError(f"expected a dialect that has a strategy ({', '.join(SPEECHES)}), got {dialect!r}")
    return st.builds(ChatRequest, histories(speech.vocabulary), speech.params).map(speech.agree)


# --- what they share -----------------------------------------------------------------------------------------------------------

_URLS: Final = st.sampled_from(("https://example.org/cat.png", "http://example.org/a?b=c&d=%20", "https://example.org/\u00e9"))
_PLAIN: Final = st.builds(Content.Text, texts(blank=False))
_SPOKEN_NAMES: Final = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
_COUNTS: Final = st.integers(1, 100_000)
_STOPS: Final = st.lists(texts(blank=False), max_size=3)


def _as_it_is(request: ChatRequest) -> ChatRequest:
    return request


def _by_value(kinds: Iterable[str]) -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Binary, st.binary(max_size=12), st.sampled_from(sorted(kinds)))


def _by_url() -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Ref, _URLS)


def _kept_by(vendor: str) -> SearchStrategy[Resource.T]:
    ids = st.one_of(st.just("file-1"), texts(blank=False))
    return ids.map(lambda found: Resource.Ref(file_reference(vendor, found)))


def _some(strategy: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    return st.lists(strategy, min_size=1, max_size=3)


def _spelt(spelling: Spelling) -> SearchStrategy[str]:
    characters = st.characters(exclude_categories=["Cs"])
    return st.from_regex(spelling.pattern, fullmatch=True, alphabet=characters).filter(spelling.allows)


def _names(rules: Rules) -> SearchStrategy[str]:
    return st.one_of(st.sampled_from(("weather", "get-time", "_", "f2")), _spelt(rules.tool_name))


def _vocabulary(rules: Rules) -> Vocabulary:
    """What follows from the rules alone; contents are text."""
    return evolve(
        ANYTHING,
        instructions=_some(_PLAIN),
        asked=_some(_PLAIN),
        said=few(_PLAIN),
        results={Outcome.OK: _some(_PLAIN)},
        ids=st.one_of(st.integers(0, 999).map(lambda number: f"call_{number:03}"), _spelt(rules.tool_id)),
        tool_names=_names(rules),
        names=st.none(),
        interleaved=False,
        alternating=rules.merges_turns,
        prefilled=all(profile.prefill for profile in rules.models),
    )


# --- OpenAI Chat ---------------------------------------------------------------------------------------------------------------

_OPENAI_INPUTS: Final = either(
    (
        _PLAIN,
        st.builds(Content.Text, texts()),
        st.builds(Content.Image, st.one_of(_by_url(), _by_value(OPENAI_CHAT.media_types["image"])), maybe(st.sampled_from(Detail))),
        st.builds(Content.Audio, _by_value(OPENAI_CHAT.media_types["audio"])),
        st.builds(Content.PDF, _by_value(("application/pdf",)), texts(blank=False)),
        st.builds(Content.File, _kept_by("openai")),
        objects().map(lambda value: Content.Custom("openai_chat", {**value, "type": "video_url"})),
    )
)


_REFUSALS: Final = st.lists(st.builds(Content.Refusal, texts(blank=False)), max_size=1)
_OPENAI_SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(few(_PLAIN), _REFUSALS).map(
    lambda parts: [*parts[0], *parts[1]]
)
"""Texts, then a refusal: the order in which a message of this dialect is read."""

_OPENAI_TOOLS: Final = either(
    (
        st.builds(Tool, _names(OPENAI_CHAT), maybe(texts()), maybe(schemas()), maybe(st.booleans())),
        st.builds(
            ProviderTool,
            st.just("openai_chat"),
            _names(OPENAI_CHAT).map(lambda name: {"type": "custom", "custom": {"name": name, "format": {"type": "text"}}}),
        ),
    )
)

_OPENAI_CHAT: Final = Speech(
    evolve(
        _vocabulary(OPENAI_CHAT),
        asked=_some(_OPENAI_INPUTS),
        said=_OPENAI_SAID,
        arguments=arguments(),
        names=maybe(_SPOKEN_NAMES),
    ),
    st.builds(
        ModelParams,
        model=maybe(st.sampled_from(("gpt-5", "o4-mini", "some/model:latest"))),
        tools=few(_OPENAI_TOOLS),
        tool_choice=maybe(
            either(
                (
                    st.builds(ToolChoice.Auto),
                    st.builds(ToolChoice.Never),
                    st.builds(ToolChoice.Required),
                    st.builds(ToolChoice.One, _names(OPENAI_CHAT)),
                )
            )
        ),
        parallel_tool_calls=maybe(st.booleans()),
        response_format=maybe(
            either(
                (
                    st.builds(ResponseFormat.Text),
                    st.builds(ResponseFormat.JsonObject),
                    st.builds(ResponseFormat.JsonSchema, schemas(), _names(OPENAI_CHAT), maybe(texts()), maybe(st.booleans())),
                )
            )
        ),
        temperature=maybe(st.one_of(st.integers(0, 2), st.floats(0, 2))),
        top_p=maybe(st.floats(0, 1)),
        max_output_tokens=maybe(_COUNTS),
        stop=_STOPS,
        seed=maybe(st.integers(-(2**63), 2**63 - 1)),
        presence_penalty=maybe(st.floats(-2, 2)),
        frequency_penalty=maybe(st.floats(-2, 2)),
        effort=maybe(st.sampled_from(Effort)),
        stream=maybe(st.booleans()),
        user=maybe(texts()),
    ),
    _as_it_is,
)

# --- Anthropic -----------------------------------------------------------------------------------------------------------------

_ANTHROPIC_MEDIA: Final = either(
    (
        st.builds(Content.Image, st.one_of(_by_url(), _kept_by("anthropic"), _by_value(ANTHROPIC.media_types["image"]))),
        st.builds(Content.PDF, st.one_of(_by_url(), _by_value(("application/pdf",))), maybe(texts(blank=False))),
        st.builds(Content.File, _kept_by("anthropic"), maybe(texts(blank=False))),
        objects().map(lambda value: Content.Custom("anthropic", {**value, "type": "search_result"})),
    )
)
_CACHED: Final = Extras({"anthropic": {"cache_control": {"type": "ephemeral"}}})


_SIGNED: Final = texts(blank=False).map(lambda signature: Extras({"anthropic": {"signature": signature}}))
_HIDDEN: Final = texts(blank=False).map(lambda data: Extras({"anthropic": {"data": data, "$type": "redacted_thinking"}}))
_THOUGHTS: Final = st.lists(
    st.one_of(st.builds(Content.Reasoning, texts(blank=False), _SIGNED), st.builds(Content.Reasoning, st.just(""), _HIDDEN)),
    max_size=2,
)

_ANTHROPIC_SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(_THOUGHTS, _some(_PLAIN)).map(
    lambda parts: [*parts[0], *parts[1]]
)
"""Thinking with its signature, then texts: the order that the server asks for."""

_ANTHROPIC_RESULTS: Final[Mapping[Outcome, SearchStrategy[list[Content.Input]]]] = {
    Outcome.OK: _some(st.one_of(_PLAIN, _ANTHROPIC_MEDIA)),
    Outcome.ERROR: _some(_PLAIN),  # a failed result takes text only
}

_ANTHROPIC_CHOICES: Final[SearchStrategy[ToolChoice.T]] = st.one_of(
    st.builds(ToolChoice.Auto),
    st.builds(ToolChoice.Never),
    st.builds(ToolChoice.Required),
    st.builds(ToolChoice.One, _names(ANTHROPIC)),
)
_ANTHROPIC_THINKING: Final[SearchStrategy[Thinking.T]] = st.one_of(
    st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, st.integers(1_024, 32_000))
)


def _as_read(params: ModelParams) -> ModelParams:
    """Only a tool choice says whether tools are called in parallel, and a note says that sampling was asked for on the wire."""
    sampled = any(value is not None for value in (params.temperature, params.top_p, params.top_k))
    says = isinstance(params.tool_choice, ToolChoice.Auto | ToolChoice.Required | ToolChoice.One)
    parallel = params.parallel_tool_calls if says else None
    asked = evolve(params, parallel_tool_calls=parallel)
    if not sampled:
        return asked
    # the newest models take no sampling parameters any more
    return evolve(asked, model="claude-3-5-sonnet-20241022", extras={"anthropic": {"$sampling": True}})


_ANTHROPIC_PARAMS: Final = st.builds(
    ModelParams,
    model=maybe(st.sampled_from(("claude-opus-4-8", "claude-3-5-haiku-latest"))),
    tools=few(st.builds(Tool, _names(ANTHROPIC), maybe(texts(blank=False)), schemas(), maybe(st.booleans()))),
    tool_choice=maybe(_ANTHROPIC_CHOICES),
    parallel_tool_calls=maybe(st.booleans()),
    response_format=maybe(st.builds(ResponseFormat.JsonSchema, schemas())),
    temperature=maybe(st.floats(0, 1)),
    top_p=maybe(st.floats(0, 1)),
    top_k=maybe(_COUNTS),
    max_output_tokens=_COUNTS,
    stop=_STOPS,
    thinking=maybe(_ANTHROPIC_THINKING),
    effort=maybe(st.sampled_from((Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH, Effort.MAX))),
    stream=maybe(st.booleans()),
    user=maybe(texts()),
).map(_as_read)


def _without_a_budget_in_an_open_loop(request: ChatRequest) -> ChatRequest:
    """A tool loop that goes on with a budget for thinking must have begun with a thought."""
    last = next((message for message in reversed(request.messages) if not isinstance(message, Message.ToolResult)), None)
    thoughtless = isinstance(last, Message.Assistant) and not isinstance(last.contents[0], Content.Reasoning)
    if thoughtless and isinstance(request.params.thinking, Thinking.Budget):
        return evolve(request, params=evolve(request.params, thinking=None))
    return request


_ANTHROPIC: Final = Speech(
    evolve(
        _vocabulary(ANTHROPIC),
        instructions=_some(st.one_of(_PLAIN, st.builds(Content.Text, texts(blank=False), st.just(_CACHED)))),
        asked=_some(st.one_of(_PLAIN, _ANTHROPIC_MEDIA)),
        said=_ANTHROPIC_SAID,
        results=_ANTHROPIC_RESULTS,
        arguments=st.builds(Arguments.Parsed, objects()),
    ),
    _ANTHROPIC_PARAMS,
    _without_a_budget_in_an_open_loop,
)

SPEECHES: Final[Mapping[str, Speech]] = {"openai_chat": _OPENAI_CHAT, "anthropic": _ANTHROPIC}
"""By name of a dialect: what it can say."""
