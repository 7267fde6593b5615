"""What Mistral can say."""

from __future__ import annotations

from typing import Final

from attrs import evolve
from hypothesis import strategies as st

from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.content import Content
from chatadt.dialects._media import file_reference
from chatadt.dialects.mistral.rules import RULES
from chatadt.json import Extras
from chatadt.resource import Resource
from chatadt.strategies._data import few, maybe, objects, schemas, texts
from chatadt.strategies._speeches._openai_like import BY_URL, SAMPLING, WAV, images, something_said, tools, words
from chatadt.strategies._speeches._speech import PLAIN, Speech, about_tools, names, some, vocabulary
from chatadt.strategies._words import arguments
from chatadt.tool import ToolChoice

__all__ = ("SPEECH",)

_SIGNED: Final = texts(blank=False).map(lambda signature: Extras({"mistral": {"signature": signature}}))
_SAID: Final = few(st.one_of(PLAIN, st.builds(Content.Reasoning, words()), st.builds(Content.Reasoning, words(), _SIGNED)))
_ASKED: Final = some(
    st.one_of(
        PLAIN,
        images(),
        st.builds(Content.Audio, st.one_of(BY_URL, st.just(WAV))),
        st.builds(Content.PDF, st.one_of(BY_URL, st.just(Resource.Binary("JVBERi0=", "application/pdf"))), maybe(words())),
        st.builds(Content.File, words().map(lambda found: Resource.Ref(file_reference("mistral", found)))),
        objects().map(lambda value: Content.Custom("mistral", {**value, "type": "reference"})),
    )
)
SPEECH: Final = Speech(
    evolve(vocabulary(RULES), arguments=arguments(), asked=_ASKED, said=_SAID),
    st.builds(
        ModelParams,
        **SAMPLING,
        tools=tools(RULES, maybe(st.booleans())),
        tool_choice=maybe(
            st.one_of(st.builds(ToolChoice.Never), st.builds(ToolChoice.Required), st.builds(ToolChoice.One, names(RULES)))
        ),
        parallel_tool_calls=maybe(st.booleans()),
        response_format=maybe(
            st.one_of(
                st.builds(ResponseFormat.Text),
                st.builds(ResponseFormat.JsonObject),
                st.builds(ResponseFormat.JsonSchema, schemas(), names(RULES), maybe(texts()), maybe(st.booleans())),
            )
        ),
        effort=maybe(st.sampled_from(Effort)),
    ).map(lambda params: about_tools(params, "mistral")),
    something_said,
)
