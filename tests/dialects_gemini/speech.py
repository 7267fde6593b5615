"""Requests that Gemini can say: every word in the shape in which its reader gives it."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import ChatRequest, Content, Effort, Extras, Message, ModelParams, Outcome, ResponseFormat, Thinking, Tool, ToolChoice
from chatadt.content import Arguments
from chatadt.dialects._media import file_reference
from chatadt.dialects.gemini.rules import RULES
from chatadt.resource import Resource
from chatadt.strategies import ANYTHING, histories, objects, schemas, texts
from chatadt.tool import ProviderTool

__all__ = ("requests",)

_PLAIN: Final = st.builds(Content.Text, texts())
_SIGNATURES: Final = st.sampled_from(("c2ln", "CsoB-_8=")).map(lambda said: Extras({"gemini": {"thoughtSignature": said}}))
_INSIDE: Final = Extras({"gemini": {"$in_result": True}})
_NAMES: Final = st.one_of(
    st.sampled_from(("weather", "_", "get.time:now-2")), st.from_regex(RULES.tool_name.pattern, fullmatch=True)
)
_FIT: Final = _NAMES.filter(RULES.tool_name.allows)
_SCHEMES: Final = (
    "https://example.org/a?b=c",
    "gs://bucket/\u00e9",
    file_reference("google", "https://generativelanguage.googleapis.com/v1beta/files/x"),
)


def _media(case: Any, kinds: list[str]) -> SearchStrategy[Any]:
    by_value = st.builds(Resource.Binary, st.binary(max_size=12), st.sampled_from(kinds))
    by_url = st.builds(Resource.Ref, st.sampled_from(_SCHEMES), st.sampled_from(kinds))
    return st.builds(case, st.one_of(by_value, by_url))


_MEDIA: Final = st.one_of(
    _media(Content.Image, sorted(RULES.media_types["image"])),
    _media(Content.Audio, sorted(RULES.media_types["audio"])),
    _media(Content.Video, sorted(RULES.media_types["video"])),
    _media(Content.PDF, ["application/pdf"]),
    _media(Content.File, ["text/plain", "text/csv"]),
)
_CODE: Final = objects().map(
    lambda value: Content.Custom("gemini", {"executableCode": {"code": "1", "language": "PYTHON", "x": value}})
)
_INPUTS: Final = st.one_of(_PLAIN, _MEDIA, _CODE)
_SHOWN: Final = _media(Content.Image, ["image/png", "image/webp"]).map(lambda image: evolve(image, extras=_INSIDE))
_THOUGHTS: Final = st.builds(Content.Reasoning, texts().filter(bool), st.one_of(st.just(Extras()), _SIGNATURES))
_SAID: Final = st.lists(st.one_of(_PLAIN, _THOUGHTS, _MEDIA, _CODE), max_size=3)

_VOCABULARY: Final = evolve(
    ANYTHING,
    instructions=st.lists(_PLAIN, min_size=1, max_size=2),
    asked=st.lists(_INPUTS, min_size=1, max_size=3),
    said=_SAID,
    results={
        Outcome.OK: st.one_of(st.tuples(_PLAIN), st.just(()), st.tuples(_PLAIN, _SHOWN), st.tuples(_SHOWN)),
        Outcome.ERROR: st.one_of(st.tuples(_PLAIN), st.just(())),
    },
    ids=st.one_of(st.integers(0, 999).map(lambda number: f"call_{number:03}"), texts(blank=False)),
    tool_names=_FIT,
    arguments=st.builds(Arguments.Parsed, objects()),
    names=st.none(),
    interleaved=True,
    alternating=True,
    prefilled=True,
)

_COUNTS: Final = st.integers(1, 100_000)


def _maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


_THINKING: Final[SearchStrategy[tuple[Any, Any]]] = st.one_of(
    st.tuples(st.one_of(st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, _COUNTS)), st.none()),
    st.tuples(st.none(), _maybe(st.sampled_from((Effort.MINIMAL, Effort.LOW, Effort.MEDIUM, Effort.HIGH)))),
)


def _thinking(params: ModelParams, both: tuple[Any, Any]) -> ModelParams:
    """A budget or a level."""
    return evolve(params, thinking=both[0], effort=both[1])


_PARAMS: Final = st.builds(
    ModelParams,
    tools=st.lists(
        st.one_of(
            st.builds(Tool, _FIT, _maybe(texts()), _maybe(schemas())),
            st.just(ProviderTool("gemini", {"googleSearch": {}})),
        ),
        max_size=3,
    ),
    response_format=_maybe(
        st.one_of(
            st.builds(ResponseFormat.Text), st.builds(ResponseFormat.JsonObject), st.builds(ResponseFormat.JsonSchema, schemas())
        )
    ),
    temperature=_maybe(st.floats(0, 2)),
    top_p=_maybe(st.floats(0, 1)),
    top_k=_maybe(_COUNTS),
    max_output_tokens=_maybe(_COUNTS),
    stop=st.lists(texts(blank=False), max_size=3),
    seed=_maybe(st.integers(-(2**31), 2**31 - 1)),
    presence_penalty=_maybe(st.floats(-2, 2)),
    frequency_penalty=_maybe(st.floats(-2, 2)),
)
_CHOICES: Final = st.one_of(
    st.none(),
    st.builds(ToolChoice.Auto),
    st.builds(ToolChoice.Never),
    st.builds(ToolChoice.Required),
    st.builds(ToolChoice.One, _FIT),
)


def _agreed(request: ChatRequest, choice: Any, signatures: list[Extras]) -> ChatRequest:
    """Sign the first call of each message, and choose among tools where there are some."""
    messages = [_signed(message, signatures) for message in request.messages]
    params = evolve(request.params, tool_choice=choice if request.params.tools else None)
    return ChatRequest(messages, params)


def _signed(message: Message.T, signatures: list[Extras]) -> Message.T:
    if not isinstance(message, Message.Assistant) or not message.tool_requests:
        return message
    at = next(index for index, content in enumerate(message.contents) if isinstance(content, Content.ToolRequest))
    first: Any = message.contents[at]
    extras = signatures[len(first.id) % len(signatures)]
    return evolve(message, contents=(*message.contents[:at], evolve(first, extras=extras), *message.contents[at + 1 :]))


def requests() -> SearchStrategy[ChatRequest]:
    """What the writer says without a loss and the reader gives back as it was, for the newest models."""
    params = st.builds(_thinking, _PARAMS, _THINKING)
    plain = st.builds(ChatRequest, histories(_VOCABULARY), params)
    unsigned = Extras({"gemini": {"$unsigned": True}})
    return st.builds(_agreed, plain, _CHOICES, st.lists(st.one_of(_SIGNATURES, st.just(unsigned)), min_size=1, max_size=3))
