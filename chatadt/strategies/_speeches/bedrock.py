"""What Converse of Amazon Bedrock can say."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects.bedrock.codec import WRITTEN
from chatadt.dialects.bedrock.rules import RULES
from chatadt.json import Extras, Json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.strategies._conversations import ANYTHING
from chatadt.strategies._data import maybe, objects, schemas, texts
from chatadt.strategies._speeches._speech import (
    PLAIN,
    Speech,
    about_tools,
    some,
    unforced,
    with_thinking_that_fits,
)
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("SPEECH",)

_WORDS: Final = texts(blank=False)
_IDS: Final = st.from_regex(r"[a-zA-Z0-9_.:-]{1,64}", fullmatch=True)
_NAMES: Final = st.from_regex(r"[a-zA-Z0-9_-]{1,64}", fullmatch=True)
_FILE_NAMES: Final = st.one_of(st.just("Report (1) [a]-b"), st.just("policy"))
_POINT: Final = {"type": "default"}
_CONTROL: Final = {"type": "ephemeral"}
_MARKED: Final = Extras({"bedrock": {"$cachePoints": [_POINT]}, "anthropic": {"cache_control": _CONTROL}})
_CITED: Final = Extras({"bedrock": {"$type": "citationsContent", "citations": [{"title": "a"}]}})
_GUARDED: Final = Extras({"bedrock": {"$type": "guardContent", "qualifiers": ["query"]}})

_TEXTS: Final = st.one_of(
    PLAIN, PLAIN, st.builds(Content.Text, _WORDS, st.just(_MARKED)), st.builds(Content.Text, _WORDS, st.just(_GUARDED))
)


def _medium(kind: str) -> SearchStrategy[Resource.T]:
    media = st.sampled_from(sorted(media for media in WRITTEN[kind] if media != "application/pdf"))
    return st.one_of(
        st.builds(Resource.Binary, st.binary(min_size=1, max_size=12), media),
        st.builds(Resource.Ref, st.just("s3://bucket/a"), media),
        st.builds(
            Resource.Ref, st.just("s3://bucket/a"), media, st.just(Extras({"bedrock": {"s3Location": {"bucketOwner": "1" * 12}}}))
        ),
    )


_PDFS: Final = st.one_of(
    st.builds(Resource.Binary, st.just(b"%PDF-"), st.just("application/pdf")),
    st.builds(Resource.Ref, st.just("s3://bucket/a.pdf"), st.just("application/pdf")),
)
_AS_TEXT: Final = _WORDS.map(lambda text: Resource.Binary(text.encode(), "text/plain", Extras({"bedrock": {"$source": "text"}})))
_SEEN: Final = st.one_of(
    st.builds(Content.Image, _medium("image")),
    st.builds(Content.Video, _medium("video")),
    st.builds(Content.PDF, _PDFS, _FILE_NAMES),
    st.builds(Content.File, st.one_of(_medium("document"), _AS_TEXT), _FILE_NAMES),
    objects().map(lambda value: Content.Custom("bedrock", {"searchResult": value})),
)
_HEARD: Final = st.builds(Content.Audio, _medium("audio"))
_JSON: Final = objects().map(lambda value: Content.Text(Json.of(value).text, Extras({"bedrock": {"$type": "json"}})))

_THOUGHTS: Final = st.one_of(
    st.builds(Content.Reasoning, _WORDS, _WORDS.map(lambda text: Extras({"anthropic": {"signature": text}}))),
    st.builds(Content.Reasoning, _WORDS, st.just(Extras({"bedrock": {"$unsigned": True}}))),
    st.builds(Content.Reasoning, st.just(""), st.just(Extras({"anthropic": {"$type": "redacted_thinking", "data": "EtkE+/="}}))),
)
_SAID: Final = st.tuples(
    st.lists(_THOUGHTS, max_size=2), some(st.one_of(PLAIN, st.builds(Content.Text, _WORDS, st.just(_CITED))))
).map(lambda parts: [*parts[0], *parts[1]])

_VOCABULARY: Final = evolve(
    ANYTHING,
    instructions=some(_TEXTS),
    asked=some(st.one_of(_TEXTS, _SEEN, _HEARD)),
    said=_SAID,
    results={outcome: some(st.one_of(PLAIN, _SEEN, _JSON)) for outcome in (Outcome.OK, Outcome.ERROR)},
    ids=_IDS,
    tool_names=_NAMES,
    arguments=st.builds(Arguments.Parsed, objects()),
    names=st.none(),
    interleaved=False,
    alternating=True,
    prefilled=False,
)

_THINKING: Final[SearchStrategy[Thinking.T]] = st.one_of(
    st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, st.integers(1_024, 32_000))
)
_CHOICES: Final[SearchStrategy[ToolChoice.T]] = st.one_of(
    st.builds(ToolChoice.Auto), st.builds(ToolChoice.Required), st.builds(ToolChoice.One, _NAMES)
)
_TOOLS: Final = st.one_of(
    st.builds(Tool, _NAMES, st.one_of(st.none(), _WORDS), schemas(), st.one_of(st.none(), st.booleans())),
    st.builds(Tool, _NAMES, st.none(), schemas(), st.none(), st.just(_MARKED)),
    st.just(ProviderTool("bedrock", {"systemTool": {"name": "nova_grounding"}})),
)


_PARAMS: Final = st.builds(
    ModelParams,
    model=maybe(st.sampled_from(("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic.claude-3-haiku-20240307-v1:0"))),
    tools=st.lists(_TOOLS, max_size=3),
    tool_choice=maybe(_CHOICES),
    response_format=maybe(
        st.builds(ResponseFormat.JsonSchema, schemas(), maybe(_WORDS), maybe(_WORDS)),
    ),
    temperature=maybe(st.floats(0, 1)),
    top_p=maybe(st.floats(0, 1)),
    top_k=maybe(st.integers(1, 500)),
    max_output_tokens=maybe(st.integers(1, 100_000)),
    stop=st.lists(_WORDS, max_size=3),
    thinking=maybe(_THINKING),
    effort=maybe(st.sampled_from((Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.XHIGH, Effort.MAX))),
)


def _with_few_marks(request: ChatRequest) -> ChatRequest:
    """Without the marks of the messages where there are more than are counted."""
    marked = [word for message in request.messages if not isinstance(message, Message.Custom) for word in message.contents]
    tools = sum(isinstance(tool, Tool) and tool.extras == _MARKED for tool in request.params.tools)
    if tools + sum(isinstance(word, Content.Text) and word.extras == _MARKED for word in marked) <= (RULES.cache_marks_said or 0):
        return request
    return evolve(request, messages=[_unmarked(message) for message in request.messages])


def _unmarked(message: Message.T) -> Message.T:
    if isinstance(message, Message.Custom):
        return message
    contents: list[Any] = [
        Content.Text(word.text) if isinstance(word, Content.Text) and word.extras == _MARKED else word for word in message.contents
    ]
    return evolve(message, contents=contents)


def _with_documents_that_fit(request: ChatRequest) -> ChatRequest:
    """With no more documents than are counted, each with a name of its own and, where a user shows it, a text beside it."""
    names: list[str] = []
    return evolve(request, messages=[_with_named_documents(message, names) for message in request.messages])


def _with_named_documents(message: Message.T, names: list[str]) -> Message.T:
    if isinstance(message, Message.Custom) or not any(isinstance(word, Content.PDF | Content.File) for word in message.contents):
        return message
    contents: list[Any] = []
    for word in message.contents:
        if not isinstance(word, Content.PDF | Content.File):
            contents.append(word)
        elif len(names) < RULES.most["document"]:
            names.append(f"{word.name} {len(names)}")
            contents.append(evolve(word, name=names[-1]))
    is_told = not isinstance(message, Message.User) or any(isinstance(word, Content.Text) for word in contents)
    return evolve(message, contents=contents if contents and is_told else [*contents, Content.Text("read")])


def _agree(request: ChatRequest) -> ChatRequest:
    """With a tool where tools were used, no more marks than are counted, and with the notes that the reader makes."""
    request = with_thinking_that_fits(_with_documents_that_fit(_with_few_marks(request)))
    params = unforced(request.params)
    called = [call.name for message in request.messages if isinstance(message, Message.Assistant) for call in message.tool_requests]
    if called and not params.tools:
        params = evolve(params, tools=[Tool(called[0], None, {"type": "object"})])
    params = about_tools(params, "bedrock")
    notes: dict[str, Any] = {}
    if params.model is not None and any(value is not None for value in (params.temperature, params.top_p, params.top_k)):
        notes["$sampling"] = True
    return evolve(request, params=evolve(params, extras={"bedrock": notes} if notes else {}))


SPEECH: Final = Speech(_VOCABULARY, _PARAMS, _agree)
