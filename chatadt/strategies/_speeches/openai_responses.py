"""What OpenAI Responses can say."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.content import Content, Detail
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.json import Extras
from chatadt.message import Outcome
from chatadt.resource import Resource
from chatadt.strategies._conversations import ANYTHING
from chatadt.strategies._data import either, few, maybe, objects, schemas, texts
from chatadt.strategies._speeches._speech import (
    Speech,
    about_tools,
    as_it_is,
)
from chatadt.strategies._words import arguments
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("SPEECH",)

_PLAIN: Final = st.builds(Content.Text, texts())
_NAMES: Final = st.from_regex(RULES.tool_name.pattern, fullmatch=True).filter(RULES.tool_name.allows)
_IDS: Final = st.from_regex(RULES.tool_id.pattern, fullmatch=True).filter(RULES.tool_id.allows)
_KEPT: Final = texts(blank=False).map(lambda id_: Resource.Ref("urn:chatadt:openai:file:" + id_.encode().hex()))
_URL: Final = st.sampled_from(("https://example.org/a", "http://example.org/a?b=c.pdf", "https://example.org/\u00e9"))
_PDF_URL: Final = st.sampled_from(("https://example.org/a.pdf", "https://example.org/A.PDF?b=c"))


def _valued(*kinds: str) -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Binary, st.binary(min_size=1, max_size=12), st.sampled_from(kinds))


def _own(**fields: Any) -> Extras:
    return Extras({NAME: fields})


_ASKED: Final[SearchStrategy[Content.Input]] = either(
    (
        _PLAIN,
        st.builds(
            Content.Image,
            st.one_of(st.builds(Resource.Ref, _URL), _KEPT, _valued(*sorted(RULES.media_types["image"]))),
            st.sampled_from(Detail),
        ),
        st.builds(Content.PDF, st.builds(Resource.Ref, _PDF_URL)),
        st.builds(Content.PDF, _valued("application/pdf"), texts(blank=False)),
        st.builds(Content.File, st.one_of(st.builds(Resource.Ref, _URL), _KEPT)),
        st.builds(Content.File, _valued("text/plain", "application/zip"), texts(blank=False)),
        objects().map(lambda value: Content.Custom(NAME, {**value, "type": "input_x"})),
    )
)
_THOUGHTS: Final = st.one_of(
    st.builds(Content.Reasoning, texts(), texts().map(lambda id_: _own(item={"id": id_}))),
    st.just(Content.Reasoning("", _own(item={"encrypted_content": "E"}, **{"$silent": True}))),
    st.builds(Content.Reasoning, texts(), st.just(_own(**{"$item": "new"}))),
)
_SPOKEN: Final[SearchStrategy[Content.Output]] = either(
    (
        _THOUGHTS,
        st.builds(Content.Text, texts(), texts().map(lambda id_: _own(item={"id": id_}, **{"$item": "list"}))),
        st.builds(Content.Refusal, texts(), st.just(_own(item={"phase": "commentary"}, **{"$item": "list"}))),
        objects().map(lambda value: Content.Custom(NAME, {**value, "type": "web_search_call"})),
    )
)
_ANSWER: Final[SearchStrategy[list[Content.Output]]] = st.lists(either((_PLAIN, st.builds(Content.Refusal, texts()))), max_size=2)
_SEPARATOR: Final[Content.Output] = Content.Custom(NAME, {"type": "mcp_call"})
_SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(few(_SPOKEN), _ANSWER).map(
    lambda said: [*said[0], *([_SEPARATOR] if said[0] else []), *said[1]]
)
"""Items that say what they are, then a message as a writer would have it, apart from a message before it."""

_TOOLS: Final = either(
    (
        st.builds(Tool, _NAMES, maybe(texts()), maybe(schemas()), maybe(st.booleans())),
        objects().map(lambda value: ProviderTool(NAME, {**value, "type": "web_search"})),
    )
)
_FORMATS: Final = either(
    (
        st.builds(ResponseFormat.Text),
        st.builds(ResponseFormat.JsonObject),
        st.builds(ResponseFormat.JsonSchema, schemas(), _NAMES, maybe(texts()), maybe(st.booleans())),
    )
)
_CHOICES: Final = either(
    (st.builds(ToolChoice.Auto), st.builds(ToolChoice.Never), st.builds(ToolChoice.Required), st.builds(ToolChoice.One, _NAMES))
)
_PARAMS: Final = st.builds(
    ModelParams,
    model=maybe(st.sampled_from(("gpt-5", "o4-mini"))),
    tools=few(_TOOLS),
    tool_choice=maybe(_CHOICES),
    parallel_tool_calls=maybe(st.booleans()),
    response_format=maybe(_FORMATS),
    temperature=maybe(st.floats(0, 2)),
    top_p=maybe(st.floats(0, 1)),
    max_output_tokens=maybe(st.integers(16, 99_999)),
    effort=maybe(st.sampled_from(Effort)),
    stream=maybe(st.booleans()),
    user=maybe(texts()),
    extras=st.sampled_from(({}, {NAME: {"store": False}})),
).map(lambda params: about_tools(params, NAME))

_VOCABULARY: Final = evolve(
    ANYTHING,
    instructions=st.lists(_PLAIN, min_size=1, max_size=3),
    asked=st.lists(_ASKED, min_size=1, max_size=3),
    said=_SAID.filter(bool),
    results={Outcome.OK: st.lists(_ASKED, min_size=1, max_size=3)},
    ids=_IDS,
    tool_names=_NAMES,
    arguments=arguments(),
    names=st.none(),
    interleaved=False,
    alternating=True,
)

SPEECH: Final = Speech(_VOCABULARY, _PARAMS, as_it_is)
