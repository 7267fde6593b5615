"""What Anthropic can say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects.anthropic.rules import RULES
from chatadt.json import Extras
from chatadt.message import Outcome
from chatadt.strategies._data import either, maybe, objects, schemas, texts
from chatadt.strategies._speeches._speech import (
    COUNTS,
    PLAIN,
    STOPS,
    Speech,
    about_tools,
    by_url,
    by_value,
    kept_by,
    names,
    some,
    unforced,
    vocabulary,
    with_thinking_that_fits,
)
from chatadt.tool import Tool, ToolChoice

__all__ = ("SPEECH",)

_MEDIA: Final = either(
    (
        st.builds(Content.Image, st.one_of(by_url(), kept_by("anthropic"), by_value(RULES.media_types["image"]))),
        st.builds(Content.PDF, st.one_of(by_url(), by_value(("application/pdf",))), maybe(texts(blank=False))),
        st.builds(Content.File, kept_by("anthropic"), maybe(texts(blank=False))),
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

_SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(_THOUGHTS, some(PLAIN)).map(lambda parts: [*parts[0], *parts[1]])
"""Thinking with its signature, then texts: the order that the server asks for."""

_RESULTS: Final[Mapping[Outcome, SearchStrategy[list[Content.Input]]]] = {
    Outcome.OK: some(st.one_of(PLAIN, _MEDIA)),
    Outcome.ERROR: some(PLAIN),  # a failed result takes text only
}

_CHOICES: Final[SearchStrategy[ToolChoice.T]] = st.one_of(
    st.builds(ToolChoice.Auto),
    st.builds(ToolChoice.Never),
    st.builds(ToolChoice.Required),
    st.builds(ToolChoice.One, names(RULES)),
)
_THINKING: Final[SearchStrategy[Thinking.T]] = st.one_of(
    st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, st.integers(1_024, 32_000))
)


def _as_read(params: ModelParams) -> ModelParams:
    """Only a tool choice says whether tools are called in parallel, and a note says that sampling was asked for on the wire."""
    sampled = any(value is not None for value in (params.temperature, params.top_p, params.top_k))
    says = isinstance(params.tool_choice, ToolChoice.Auto | ToolChoice.Required | ToolChoice.One)
    parallel = params.parallel_tool_calls if says else None
    asked = about_tools(evolve(params, parallel_tool_calls=parallel), "anthropic")
    if not sampled:
        return asked
    # the newest models take no sampling parameters any more
    return evolve(asked, model="claude-3-5-sonnet-20241022", extras={"anthropic": {"$sampling": True}})


_PARAMS: Final = (
    st.builds(
        ModelParams,
        model=maybe(st.sampled_from(("claude-opus-4-8", "claude-3-5-haiku-latest"))),
        tools=st.lists(
            st.builds(Tool, names(RULES), maybe(texts(blank=False)), schemas(), maybe(st.booleans())),
            max_size=3,
            unique_by=lambda tool: tool.name,
        ),
        tool_choice=maybe(_CHOICES),
        parallel_tool_calls=maybe(st.booleans()),
        response_format=maybe(st.builds(ResponseFormat.JsonSchema, schemas())),
        temperature=maybe(st.floats(0, 1)),
        top_p=maybe(st.floats(0, 1)),
        top_k=maybe(COUNTS),
        max_output_tokens=COUNTS,
        stop=STOPS,
        thinking=maybe(_THINKING),
        effort=maybe(st.sampled_from((Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH, Effort.MAX))),
        stream=maybe(st.booleans()),
        user=maybe(texts()),
    )
    .map(unforced)
    .map(_as_read)
)


SPEECH: Final = Speech(
    evolve(
        vocabulary(RULES),
        instructions=some(st.one_of(PLAIN, st.builds(Content.Text, texts(blank=False), st.just(_CACHED)))),
        asked=some(st.one_of(PLAIN, _MEDIA)),
        said=_SAID,
        results=_RESULTS,
        arguments=st.builds(Arguments.Parsed, objects()),
    ),
    _PARAMS,
    with_thinking_that_fits,
)
