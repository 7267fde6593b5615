"""What Ollama can say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.chat import ChatRequest, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.content import Arguments, Content
from chatadt.dialects.ollama.rules import RULES
from chatadt.message import Message, Outcome
from chatadt.strategies._data import maybe, objects, schemas
from chatadt.strategies._speeches._openai_like import PNG, SAMPLING, WAV, something_said, tools, words
from chatadt.strategies._speeches._speech import PLAIN, Speech, in_call_order, vocabulary

__all__ = ("SPEECH",)

_SHOWN: Final = st.sampled_from((Content.Image(PNG), Content.Audio(WAV)))
_ONE_TEXT: Final = st.lists(PLAIN, max_size=1)
_ONE_THOUGHT: Final = st.lists(st.builds(Content.Reasoning, words()), max_size=1)


def _then(first: SearchStrategy[list[Any]], second: SearchStrategy[list[Any]]) -> SearchStrategy[list[Any]]:
    return st.tuples(first, second).map(lambda parts: [*parts[0], *parts[1]])


_TOLD: Final = _then(_ONE_TEXT, st.lists(_SHOWN, max_size=2)).filter(bool)
_THINKS: Final[Mapping[str, SearchStrategy[Any]]] = {
    "thinking": maybe(st.one_of(st.builds(Thinking.Off), st.builds(Thinking.Adaptive))),
    "effort": st.none(),
}
_TRIES: Final[Mapping[str, SearchStrategy[Any]]] = {
    "thinking": st.none(),
    "effort": st.sampled_from((Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.MAX)),
}


def _agree(request: ChatRequest) -> ChatRequest:
    return _numbered(something_said(request))


def _numbered(request: ChatRequest) -> ChatRequest:
    """The request with the ids that calls have by their place, and each result directly behind the ones before it."""
    ids: dict[str, str] = {}
    for message in request.messages:
        if isinstance(message, Message.Assistant):
            ids |= {call.id: f"call_{len(ids) + at}" for at, call in enumerate(message.tool_requests)}
    messages: list[Message.T] = []
    for message in request.messages:
        match message:
            case Message.Assistant():
                contents = [
                    evolve(content, id=ids[content.id]) if isinstance(content, Content.ToolRequest) else content
                    for content in message.contents
                ]
                messages.append(evolve(message, contents=contents))
            case Message.ToolResult():
                messages.append(evolve(message, id=ids[message.id]))
            case Message.System() | Message.User() | Message.Custom():
                messages.append(message)
            case _:
                assert_never(message)
    return evolve(request, messages=in_call_order(messages))


SPEECH: Final = Speech(
    evolve(
        vocabulary(RULES),
        instructions=PLAIN.map(lambda text: [text]),
        asked=_TOLD,
        said=_then(_ONE_THOUGHT, _ONE_TEXT),
        results={Outcome.OK: _TOLD},
        arguments=st.builds(Arguments.Parsed, objects()),
    ),
    st.sampled_from((_THINKS, _TRIES)).flatmap(
        lambda thinks: st.builds(
            ModelParams,
            **SAMPLING,
            **thinks,
            tools=tools(RULES, st.none()),
            response_format=maybe(st.one_of(st.builds(ResponseFormat.JsonObject), st.builds(ResponseFormat.JsonSchema, schemas()))),
        )
    ),
    _agree,
)
