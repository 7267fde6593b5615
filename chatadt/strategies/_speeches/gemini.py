"""What Gemini can say, to its newest models."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects._media import file_reference
from chatadt.dialects.gemini.rules import RULES
from chatadt.json import Extras
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.strategies._conversations import ANYTHING
from chatadt.strategies._data import maybe, objects, schemas, texts
from chatadt.strategies._speeches._speech import COUNTS, PLAIN, Speech, about_tools, in_call_order
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("SPEECH",)

_SIGNED: Final = ("c2ln", "CsoB-_8=")
_SIGNATURES: Final = st.sampled_from(_SIGNED).map(lambda said: Extras({"gemini": {"thoughtSignature": said}}))
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
    by_value = st.builds(Resource.Binary, st.binary(min_size=1, max_size=12), st.sampled_from(kinds))
    by_url = st.builds(Resource.Ref, st.sampled_from(_SCHEMES), st.sampled_from(kinds))
    return st.builds(case, st.one_of(by_value, by_url))


_MEDIA: Final = st.one_of(
    _media(Content.Image, sorted(RULES.media_types["image"])),
    _media(Content.Audio, sorted(RULES.media_types["audio"])),
    _media(Content.Video, sorted(RULES.media_types["video"])),
    _media(Content.PDF, ["application/pdf"]),
    _media(Content.File, ["text/plain", "text/csv"]),
)
_CODE: Final = texts().map(lambda code: Content.Custom("gemini", {"executableCode": {"code": code, "language": "PYTHON"}}))
_INPUTS: Final = st.one_of(PLAIN, _MEDIA, _CODE)
_SHOWN: Final = st.one_of(_media(Content.Image, ["image/png", "image/webp"]), _media(Content.PDF, ["application/pdf"])).map(
    lambda medium: evolve(medium, extras=_INSIDE)
)
_THOUGHTS: Final = st.builds(Content.Reasoning, texts(blank=False), st.one_of(st.just(Extras()), _SIGNATURES))
_SAID: Final = st.lists(st.one_of(PLAIN, _THOUGHTS, _MEDIA, _CODE), max_size=3)

_VOCABULARY: Final = evolve(
    ANYTHING,
    instructions=st.lists(PLAIN, min_size=1, max_size=2),
    asked=st.lists(_INPUTS, min_size=1, max_size=3),
    said=_SAID,
    results={
        Outcome.OK: st.one_of(st.tuples(PLAIN), st.just(()), st.tuples(PLAIN, _SHOWN), st.tuples(_SHOWN)),
        Outcome.ERROR: st.one_of(st.tuples(PLAIN), st.just(())),
    },
    ids=st.one_of(st.integers(0, 999).map(lambda number: f"call_{number:03}"), texts(blank=False)),
    tool_names=_FIT,
    arguments=st.builds(Arguments.Parsed, objects()),
    names=st.none(),
    interleaved=True,
    alternating=True,
    prefilled=True,
)


_THINKING: Final[SearchStrategy[tuple[Any, Any]]] = st.one_of(
    st.tuples(st.one_of(st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, COUNTS)), st.none()),
    st.tuples(st.none(), maybe(st.sampled_from((Effort.MINIMAL, Effort.LOW, Effort.MEDIUM, Effort.HIGH)))),
)


def _thinking(params: ModelParams, both: tuple[Any, Any]) -> ModelParams:
    """A budget or a level."""
    return evolve(params, thinking=both[0], effort=both[1])


_CHOICES: Final = st.one_of(
    st.none(),
    st.builds(ToolChoice.Auto),
    st.builds(ToolChoice.Never),
    st.builds(ToolChoice.Required),
    st.builds(ToolChoice.One, _FIT),
)
_PARAMS: Final = st.builds(
    ModelParams,
    tools=st.lists(
        st.one_of(
            st.builds(Tool, _FIT, maybe(texts()), maybe(schemas())),
            st.just(ProviderTool("gemini", {"googleSearch": {}})),
        ),
        max_size=3,
    ),
    tool_choice=_CHOICES,
    response_format=maybe(
        st.one_of(
            st.builds(ResponseFormat.Text), st.builds(ResponseFormat.JsonObject), st.builds(ResponseFormat.JsonSchema, schemas())
        )
    ),
    temperature=maybe(st.floats(0, 2)),
    top_p=maybe(st.floats(0, 1)),
    top_k=maybe(COUNTS),
    max_output_tokens=maybe(COUNTS),
    stop=st.lists(texts(blank=False), max_size=3),
    seed=maybe(st.integers(-(2**31), 2**31 - 1)),
    presence_penalty=maybe(st.floats(-2, 2)),
    frequency_penalty=maybe(st.floats(-2, 2)),
)

_NOTES: Final = (*(Extras({"gemini": {"thoughtSignature": said}}) for said in _SIGNED), Extras({"gemini": {"$unsigned": True}}))


def _agree(request: ChatRequest) -> ChatRequest:
    """Sign the first call of each message, let no message be empty, and choose among tools where there are some."""
    return ChatRequest(map(_signed, in_call_order(request.messages)), about_tools(request.params, "gemini"))


def _signed(message: Message.T) -> Message.T:
    if isinstance(message, Message.Assistant) and not message.contents:
        return evolve(message, contents=["well"])
    if not isinstance(message, Message.Assistant) or not message.tool_requests:
        return message
    at = next(index for index, content in enumerate(message.contents) if isinstance(content, Content.ToolRequest))
    first: Any = message.contents[at]
    signed = evolve(first, extras=_NOTES[len(first.id) % len(_NOTES)])
    return evolve(message, contents=(*message.contents[:at], signed, *message.contents[at + 1 :]))


SPEECH: Final = Speech(_VOCABULARY, st.builds(_thinking, _PARAMS, _THINKING), _agree)
