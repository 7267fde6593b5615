"""The words: media, contents, messages, parameters, requests and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import (
    ChatResponse,
    Choice,
    Effort,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    StopKind,
    StopReason,
    Thinking,
    Usage,
)
from chatadt.content import Arguments, Content, Detail
from chatadt.json import Json
from chatadt.message import Message, Outcome
from chatadt.resource import MAGIC, Resource
from chatadt.strategies._data import (
    DIALECTS,
    documents,
    either,
    extras,
    few,
    identifiers,
    maybe,
    objects,
    schemas,
    texts,
    tool_names,
)
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = (
    "CONTENTS",
    "MESSAGES",
    "RESPONSE_FORMATS",
    "THINKING",
    "TOOL_CHOICES",
    "arguments",
    "chat_responses",
    "choices",
    "contents",
    "inputs",
    "instructions",
    "messages",
    "metadata",
    "names",
    "outputs",
    "params",
    "resources",
    "said",
    "tool_choices",
    "tool_definitions",
    "tools",
)

_MEDIA_TYPES: Final = tuple(sorted({kind for _, _, kind in MAGIC} | {"application/octet-stream", "text/plain", "text/csv"}))
_URLS: Final = (
    "https://example.org/cat.png",
    "http://example.org/a b?c=d&e=%20#f",
    "gs://bucket/cat.png",
    "s3://bucket/cat.png",
    "urn:chatadt:openai:file:file-1",
    "data:text/plain,hello",
)

# --- media and contents


def resources() -> SearchStrategy[Resource.T]:
    """Media by reference and by value, their media type known or not; the bytes may begin as that type's do."""
    return st.one_of(_refs(), _binaries())


def arguments() -> SearchStrategy[Arguments.T]:
    """Arguments that are a JSON object (mostly), some other JSON, or text that was cut off."""
    text = objects().map(lambda value: Json.of(value).text)
    cut = text.flatmap(lambda whole: st.integers(1, max(1, len(whole) - 1)).map(lambda end: whole[:end]))
    parsed = st.builds(Arguments.Parsed, st.one_of(objects().map(Json.of), objects().map(Json.of), documents()))
    return st.one_of(parsed, parsed, cut.map(Arguments.of))


def _refs() -> SearchStrategy[Resource.Ref]:
    return st.builds(Resource.Ref, st.one_of(st.sampled_from(_URLS), texts(blank=False)), _media_types(), extras())


def _binaries() -> SearchStrategy[Resource.Binary]:
    known = st.sampled_from(MAGIC).flatmap(
        lambda magic: st.builds(
            Resource.Binary, st.binary(max_size=8).map(lambda rest: b"\0" * magic[0] + magic[1] + rest), st.just(magic[2])
        )
    )
    return st.one_of(known, st.builds(Resource.Binary, st.binary(max_size=12), _media_types(), extras()))


def _media_types() -> SearchStrategy[str | None]:
    return st.one_of(st.none(), st.sampled_from(_MEDIA_TYPES))


CONTENTS: Final[Mapping[type, SearchStrategy[Content.T]]] = {
    Content.Text: st.builds(Content.Text, texts(), extras()),
    Content.Image: st.builds(Content.Image, resources(), maybe(st.sampled_from(Detail)), extras()),
    Content.Audio: st.builds(Content.Audio, resources(), maybe(texts()), extras()),
    Content.Video: st.builds(Content.Video, resources(), extras()),
    Content.PDF: st.builds(Content.PDF, resources(), maybe(texts()), extras()),
    Content.File: st.builds(Content.File, resources(), maybe(texts()), extras()),
    Content.Custom: st.builds(Content.Custom, st.sampled_from(DIALECTS), documents()),
    Content.Reasoning: st.builds(Content.Reasoning, texts(), extras()),
    Content.Refusal: st.builds(Content.Refusal, texts(), extras()),
    Content.ToolRequest: st.builds(Content.ToolRequest, identifiers(), tool_names(), arguments(), extras()),
}
"""By case of `Content.T`: the strategy of that case."""


def contents() -> SearchStrategy[Content.T]:
    """Any content, of every case alike."""
    return either(CONTENTS.values())


def inputs() -> SearchStrategy[Content.Input]:
    """Any content that a user message or a tool result can hold."""
    cases: list[SearchStrategy[Any]] = [CONTENTS[case] for case in get_args(Content.Input)]
    return either(cases)


def outputs() -> SearchStrategy[Content.Output]:
    """Any content that an assistant message can hold."""
    return contents()


def said() -> SearchStrategy[Content.Output]:
    """Any content that an assistant message can hold but a tool request."""
    return either(strategy for case, strategy in CONTENTS.items() if case is not Content.ToolRequest)


def instructions() -> SearchStrategy[Content.Text | Content.Custom]:
    """Any content that a system message can hold, most of it text."""
    text: SearchStrategy[Any] = CONTENTS[Content.Text]
    custom: SearchStrategy[Any] = CONTENTS[Content.Custom]
    return st.one_of(text, text, custom)


# --- messages


def names() -> SearchStrategy[str | None]:
    """Names of speakers, most of whom have none."""
    return st.one_of(st.none(), st.none(), texts())


MESSAGES: Final[Mapping[type, SearchStrategy[Message.T]]] = {
    Message.System: st.builds(Message.System, few(instructions()), extras()),
    Message.User: st.builds(Message.User, few(inputs()), names(), extras()),
    Message.Assistant: st.builds(Message.Assistant, few(outputs()), names(), extras()),
    Message.ToolResult: st.builds(
        Message.ToolResult, identifiers(), maybe(tool_names()), few(inputs()), st.sampled_from(Outcome), extras()
    ),
    Message.Custom: st.builds(Message.Custom, documents(), maybe(st.sampled_from(DIALECTS))),
}
"""By case of `Message.T`: the strategy of that case."""


def messages() -> SearchStrategy[Message.T]:
    """Any message, of every case alike. A list of them is seldom a well-formed conversation: see `histories`."""
    return either(MESSAGES.values())


# --- requests and answers


def tools() -> SearchStrategy[Tool]:
    """Functions that a model may call."""
    return st.builds(Tool, tool_names(), maybe(texts()), maybe(schemas()), maybe(st.booleans()), extras())


def tool_definitions() -> SearchStrategy[ToolDefinition]:
    """Tools, and those that only a provider knows."""
    return either([tools(), st.builds(ProviderTool, st.sampled_from(DIALECTS), documents())])


def tool_choices() -> SearchStrategy[ToolChoice.T]:
    """Whether a tool must be called, of every case."""
    return either(TOOL_CHOICES.values())


TOOL_CHOICES: Final[Mapping[type, SearchStrategy[ToolChoice.T]]] = {
    ToolChoice.Auto: st.builds(ToolChoice.Auto, extras()),
    ToolChoice.Never: st.builds(ToolChoice.Never, extras()),
    ToolChoice.Required: st.builds(ToolChoice.Required, extras()),
    ToolChoice.One: st.builds(ToolChoice.One, tool_names(), extras()),
    ToolChoice.Custom: st.builds(ToolChoice.Custom, st.sampled_from(DIALECTS), documents()),
}
"""By case of `ToolChoice.T`: the strategy of that case."""

RESPONSE_FORMATS: Final[Mapping[type, SearchStrategy[ResponseFormat.T]]] = {
    ResponseFormat.Text: st.builds(ResponseFormat.Text, extras()),
    ResponseFormat.JsonObject: st.builds(ResponseFormat.JsonObject, extras()),
    ResponseFormat.JsonSchema: st.builds(
        ResponseFormat.JsonSchema, schemas(), maybe(tool_names()), maybe(texts()), maybe(st.booleans()), extras()
    ),
    ResponseFormat.Custom: st.builds(ResponseFormat.Custom, st.sampled_from(DIALECTS), documents()),
}
"""By case of `ResponseFormat.T`: the strategy of that case."""

THINKING: Final[Mapping[type, SearchStrategy[Thinking.T]]] = {
    Thinking.Off: st.builds(Thinking.Off, extras()),
    Thinking.Adaptive: st.builds(Thinking.Adaptive, extras()),
    Thinking.Budget: st.builds(Thinking.Budget, st.integers(0, 100_000), extras()),
    Thinking.Custom: st.builds(Thinking.Custom, st.sampled_from(DIALECTS), documents()),
}
"""By case of `Thinking.T`: the strategy of that case."""

_MODELS: Final = st.sampled_from(("gpt-5", "claude-opus-4-8", "some/model:latest"))
_FRACTIONS: Final = st.one_of(st.integers(0, 2), st.floats(0, 2))
_COUNTS: Final = st.integers(1, 2**40)


def params() -> SearchStrategy[ModelParams]:
    """Parameters of which each is given or left to the provider."""
    return st.builds(
        ModelParams,
        model=maybe(_MODELS),
        tools=few(tool_definitions()),
        tool_choice=maybe(tool_choices()),
        parallel_tool_calls=maybe(st.booleans()),
        response_format=maybe(either(RESPONSE_FORMATS.values())),
        temperature=maybe(_FRACTIONS),
        top_p=maybe(_FRACTIONS),
        top_k=maybe(_COUNTS),
        max_output_tokens=maybe(_COUNTS),
        stop=few(texts()),
        seed=maybe(st.integers(-(2**63), 2**63)),
        presence_penalty=maybe(_FRACTIONS),
        frequency_penalty=maybe(_FRACTIONS),
        thinking=maybe(either(THINKING.values())),
        effort=maybe(st.sampled_from(Effort)),
        stream=maybe(st.booleans()),
        user=maybe(texts()),
        extras=extras(),
    )


def metadata() -> SearchStrategy[Metadata]:
    """What may be known of an answer besides its message."""
    count = maybe(st.integers(0, 2**40))
    counts = dict.fromkeys(("input", "output", "cache_read", "cache_write", "reasoning", "audio_input", "audio_output"), count)
    usage = st.builds(Usage, **counts, extras=extras())
    error = st.builds(ProviderError, texts(), maybe(texts()), extras())
    return st.builds(
        Metadata,
        id=maybe(texts()),
        model=maybe(_MODELS),
        usage=maybe(usage),
        stop=maybe(_stops()),
        error=st.one_of(st.none(), st.none(), error),
        extras=extras(),
    )


def _stops() -> SearchStrategy[StopReason]:
    return st.builds(StopReason, st.sampled_from(StopKind), maybe(texts()))


def chat_responses() -> SearchStrategy[ChatResponse]:
    """Answers of a model, with any metadata; some with further answers beside the first."""
    message: SearchStrategy[Any] = MESSAGES[Message.Assistant]
    return st.builds(ChatResponse, message, metadata(), st.one_of(st.just(()), st.lists(choices(), max_size=2)))


def choices() -> SearchStrategy[Choice]:
    """Further answers to one request."""
    message: SearchStrategy[Any] = MESSAGES[Message.Assistant]
    return st.builds(Choice, message, maybe(_stops()), extras())
