"""What OpenAI Chat can say."""

from __future__ import annotations

from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.content import Content, Detail
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.strategies._data import either, few, maybe, objects, schemas, texts
from chatadt.strategies._speeches._openai_like import something_said
from chatadt.strategies._speeches._speech import (
    COUNTS,
    PLAIN,
    SPOKEN_NAMES,
    STOPS,
    Speech,
    about_tools,
    by_url,
    by_value,
    kept_by,
    names,
    some,
    vocabulary,
)
from chatadt.strategies._words import arguments
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("SPEECH",)

_INPUTS: Final = either(
    (
        PLAIN,
        st.builds(Content.Text, texts()),
        st.builds(Content.Image, st.one_of(by_url(), by_value(RULES.media_types["image"])), maybe(st.sampled_from(Detail))),
        st.builds(Content.Audio, by_value(RULES.media_types["audio"])),
        st.builds(Content.PDF, by_value(("application/pdf",)), texts(blank=False)),
        st.builds(Content.File, kept_by("openai")),
        objects().map(lambda value: Content.Custom("openai_chat", {**value, "type": "video_url"})),
    )
)


_REFUSALS: Final = st.lists(st.builds(Content.Refusal, texts(blank=False)), max_size=1)
_SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(few(PLAIN), _REFUSALS).map(lambda parts: [*parts[0], *parts[1]])
"""Texts, then a refusal: the order in which a message of this dialect is read."""

_TOOLS: Final = either(
    (
        st.builds(Tool, names(RULES), maybe(texts()), maybe(schemas()), maybe(st.booleans())),
        st.builds(
            ProviderTool,
            st.just("openai_chat"),
            names(RULES).map(lambda name: {"type": "custom", "custom": {"name": name, "format": {"type": "text"}}}),
        ),
    )
)

SPEECH: Final = Speech(
    evolve(
        vocabulary(RULES),
        asked=some(_INPUTS),
        said=_SAID,
        arguments=arguments(),
        names=maybe(SPOKEN_NAMES),
    ),
    st.builds(
        ModelParams,
        model=maybe(st.sampled_from(("gpt-5", "o4-mini", "some/model:latest"))),
        tools=few(_TOOLS),
        tool_choice=maybe(
            either(
                (
                    st.builds(ToolChoice.Auto),
                    st.builds(ToolChoice.Never),
                    st.builds(ToolChoice.Required),
                    st.builds(ToolChoice.One, names(RULES)),
                )
            )
        ),
        parallel_tool_calls=maybe(st.booleans()),
        response_format=maybe(
            either(
                (
                    st.builds(ResponseFormat.Text),
                    st.builds(ResponseFormat.JsonObject),
                    st.builds(ResponseFormat.JsonSchema, schemas(), names(RULES), maybe(texts()), maybe(st.booleans())),
                )
            )
        ),
        temperature=maybe(st.one_of(st.integers(0, 2), st.floats(0, 2))),
        top_p=maybe(st.floats(0, 1)),
        max_output_tokens=maybe(COUNTS),
        stop=STOPS,
        seed=maybe(st.integers(-(2**63), 2**63 - 1)),
        presence_penalty=maybe(st.floats(-2, 2)),
        frequency_penalty=maybe(st.floats(-2, 2)),
        effort=maybe(st.sampled_from(Effort)),
        stream=maybe(st.booleans()),
        user=maybe(texts()),
    ).map(lambda params: about_tools(params, "openai_chat")),
    something_said,
)
