"""Requests that this dialect can say: written without a loss, and read back as they were."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import (
    ChatRequest,
    Content,
    Effort,
    Extras,
    ModelParams,
    ProviderTool,
    Resource,
    ResponseFormat,
    Tool,
    ToolChoice,
)
from chatadt.content import Detail
from chatadt.dialects.openai_responses import DIALECT
from chatadt.message import Outcome
from chatadt.strategies._conversations import ANYTHING, histories
from chatadt.strategies._data import either, few, maybe, objects, schemas, texts
from chatadt.strategies._words import arguments

__all__ = ("sayable",)

NAME: Final = DIALECT.name
PLAIN: Final = st.builds(Content.Text, texts())
NAMES: Final = st.from_regex(DIALECT.rules.tool_name.pattern, fullmatch=True).filter(DIALECT.rules.tool_name.allows)
IDS: Final = st.from_regex(DIALECT.rules.tool_id.pattern, fullmatch=True).filter(DIALECT.rules.tool_id.allows)
KEPT: Final = texts(blank=False).map(lambda id_: Resource.Ref("urn:chatadt:openai:file:" + id_.encode().hex()))
URL: Final = st.sampled_from(("https://example.org/a", "http://example.org/a?b=c.pdf", "https://example.org/\u00e9"))
PDF_URL: Final = st.sampled_from(("https://example.org/a.pdf", "https://example.org/A.PDF?b=c"))


def _valued(*kinds: str) -> SearchStrategy[Resource.T]:
    return st.builds(Resource.Binary, st.binary(max_size=12), st.sampled_from(kinds))


def own(**fields: Any) -> Extras:
    return Extras({NAME: fields})


ASKED: Final = either(
    (
        PLAIN,
        st.builds(
            Content.Image,
            st.one_of(st.builds(Resource.Ref, URL), KEPT, _valued(*sorted(DIALECT.rules.media_types["image"]))),
            st.sampled_from(Detail),
        ),
        st.builds(Content.PDF, st.builds(Resource.Ref, PDF_URL)),
        st.builds(Content.PDF, _valued("application/pdf"), texts()),
        st.builds(Content.File, st.one_of(st.builds(Resource.Ref, URL), KEPT)),
        st.builds(Content.File, _valued("text/plain", "application/zip"), texts()),
        objects().map(lambda value: Content.Custom(NAME, {**value, "type": "input_x"})),
    )
)
THOUGHTS: Final = st.one_of(
    st.builds(Content.Reasoning, texts(), texts().map(lambda id_: own(item={"id": id_}))),
    st.just(Content.Reasoning("", own(item={"encrypted_content": "E"}, **{"$silent": True}))),
    st.builds(Content.Reasoning, texts(), st.just(own(**{"$item": "new"}))),
)
SPOKEN: Final = either(
    (
        THOUGHTS,
        st.builds(Content.Text, texts(), texts().map(lambda id_: own(item={"id": id_}, **{"$item": "list"}))),
        st.builds(Content.Refusal, texts(), st.just(own(item={"phase": "commentary"}, **{"$item": "list"}))),
        objects().map(lambda value: Content.Custom(NAME, {**value, "type": "web_search_call"})),
    )
)
SAID: Final[SearchStrategy[list[Content.Output]]] = st.tuples(
    st.lists(SPOKEN, max_size=3), st.lists(st.one_of(PLAIN, st.builds(Content.Refusal, texts())), max_size=2)
).map(lambda said: [*said[0], *([Content.Custom(NAME, {"type": "mcp_call"})] if said[0] else []), *said[1]])
"""Items that say what they are, then a message as a writer would have it, apart from a message before it."""

TOOLS: Final = either(
    (
        st.builds(Tool, NAMES, maybe(texts()), maybe(schemas()), maybe(st.booleans())),
        objects().map(lambda value: ProviderTool(NAME, {**value, "type": "web_search"})),
    )
)
FORMATS: Final = either(
    (
        st.builds(ResponseFormat.Text),
        st.builds(ResponseFormat.JsonObject),
        st.builds(ResponseFormat.JsonSchema, schemas(), NAMES, maybe(texts()), maybe(st.booleans())),
    )
)
CHOICES: Final = either(
    (st.builds(ToolChoice.Auto), st.builds(ToolChoice.Never), st.builds(ToolChoice.Required), st.builds(ToolChoice.One, NAMES))
)
PARAMS: Final = st.builds(
    ModelParams,
    model=maybe(st.sampled_from(("gpt-5", "o4-mini"))),
    tools=few(TOOLS),
    tool_choice=maybe(CHOICES),
    parallel_tool_calls=maybe(st.booleans()),
    response_format=maybe(FORMATS),
    temperature=maybe(st.floats(0, 2)),
    top_p=maybe(st.floats(0, 1)),
    max_output_tokens=maybe(st.integers(16, 99_999)),
    effort=maybe(st.sampled_from(Effort)),
    stream=maybe(st.booleans()),
    user=maybe(texts()),
    extras=st.sampled_from(({}, {NAME: {"store": False}})),
)

VOCABULARY: Final = evolve(
    ANYTHING,
    instructions=few(PLAIN),
    asked=few(ASKED),
    said=SAID.filter(bool),
    results={Outcome.OK: st.lists(ASKED, min_size=1, max_size=3)},
    ids=IDS,
    tool_names=NAMES,
    arguments=arguments(),
    names=st.none(),
    interleaved=False,
    alternating=True,
)


def sayable() -> SearchStrategy[ChatRequest]:
    """Well-formed conversations of this dialect's words, with its parameters."""
    return st.builds(ChatRequest, histories(VOCABULARY), PARAMS)
