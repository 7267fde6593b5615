"""What Cohere can say."""

from __future__ import annotations

from typing import Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ModelParams, ResponseFormat, Thinking
from chatadt.content import Content
from chatadt.dialects.cohere.rules import RULES
from chatadt.strategies._data import maybe, schemas
from chatadt.strategies._speeches._openai_like import SAMPLING, images, something_said, tools, words
from chatadt.strategies._speeches._speech import PLAIN, Speech, about_tools, some, vocabulary
from chatadt.strategies._words import arguments
from chatadt.tool import ToolChoice

__all__ = ("SPEECH",)

_THINKING: Final[SearchStrategy[Thinking.T]] = st.one_of(
    st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, st.integers(1, 400))
)
SPEECH: Final = Speech(
    evolve(
        vocabulary(RULES),
        arguments=arguments(),
        asked=some(st.one_of(PLAIN, images())),
        said=st.lists(st.one_of(PLAIN, st.builds(Content.Reasoning, words())), max_size=3),
    ),
    st.one_of(st.none(), st.booleans())
    .flatmap(
        lambda strict: st.builds(
            ModelParams,
            **SAMPLING,
            tools=tools(RULES, st.just(strict)),
            tool_choice=maybe(st.one_of(st.builds(ToolChoice.Never), st.builds(ToolChoice.Required))),
            response_format=maybe(
                st.one_of(
                    st.builds(ResponseFormat.Text),
                    st.builds(ResponseFormat.JsonObject),
                    st.builds(ResponseFormat.JsonSchema, schemas()),
                )
            ),
            thinking=maybe(_THINKING),
        )
    )
    .map(lambda params: about_tools(params, "cohere")),
    something_said,
)
