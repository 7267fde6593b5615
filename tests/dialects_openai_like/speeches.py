"""What Mistral, Cohere and Ollama can say, in the form in which their readers give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import ChatRequest, Content, Effort, Extras, Message, ModelParams, Outcome, Resource, ResponseFormat, Thinking, Tool
from chatadt.content import Arguments, Detail
from chatadt.dialects._media import file_reference
from chatadt.strategies import ANYTHING, Vocabulary, arguments, histories, objects, schemas, texts
from chatadt.tool import ToolChoice

__all__ = ("sayable",)

_TEXT: Final = texts(blank=False)
_PLAIN: Final = st.builds(Content.Text, _TEXT)
_URLS: Final = st.sampled_from(("https://example.org/cat.png", "http://example.org/a?b=c&d=%20"))
_BY_URL: Final = st.builds(Resource.Ref, _URLS)
_PNG: Final = Resource.Binary("iVBORw0KGgo=", "image/png")
_WAV: Final = Resource.Binary("UklGRgAAAABXQVZF", "audio/wav")
_COUNTS: Final = st.integers(1, 400)
_NAMES: Final = st.from_regex(r"[a-zA-Z0-9_-]{1,12}", fullmatch=True)
_IDS: Final = st.from_regex(r"[a-zA-Z0-9]{9}", fullmatch=True)


def _maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


def _some(strategy: SearchStrategy[Any], least: int = 1) -> SearchStrategy[list[Any]]:
    return st.lists(strategy, min_size=least, max_size=3)


_BASE: Final = evolve(
    ANYTHING,
    instructions=_some(_PLAIN),
    asked=_some(_PLAIN),
    said=_some(_PLAIN, 0),
    results={Outcome.OK: _some(_PLAIN)},
    ids=_IDS,
    tool_names=_NAMES,
    arguments=arguments(),
    names=st.none(),
    interleaved=False,
    alternating=False,
    prefilled=False,
)
_SAMPLING: Final[Mapping[str, SearchStrategy[Any]]] = {
    "model": _maybe(st.sampled_from(("a", "some/model:latest"))),
    "temperature": _maybe(st.floats(0, 1)),
    "top_p": _maybe(st.floats(0.1, 0.9)),
    "top_k": _maybe(_COUNTS),
    "max_output_tokens": _maybe(_COUNTS),
    "stop": st.lists(_TEXT, max_size=3),
    "seed": _maybe(st.integers(0, 2**53)),
    "presence_penalty": _maybe(st.floats(0, 1)),
    "frequency_penalty": _maybe(st.floats(0, 1)),
    "stream": _maybe(st.booleans()),
}


def _tools(strict: SearchStrategy[Any]) -> SearchStrategy[list[Tool]]:
    return st.lists(st.builds(Tool, _NAMES, _maybe(texts()), schemas(), strict), max_size=3)


# --- Mistral -------------------------------------------------------------------------------------------------------------------

_DETAILS: Final = _maybe(st.sampled_from((Detail.AUTO, Detail.LOW, Detail.HIGH)))
_IMAGES: Final = st.builds(Content.Image, st.one_of(_BY_URL, st.just(_PNG)), _DETAILS)
_SIGNED: Final = texts(blank=False).map(lambda signature: Extras({"mistral": {"signature": signature}}))
_MISTRAL_SAID: Final = _some(
    st.one_of(_PLAIN, st.builds(Content.Reasoning, _TEXT), st.builds(Content.Reasoning, _TEXT, _SIGNED)), 0
)
_MISTRAL_ASKED: Final = _some(
    st.one_of(
        _PLAIN,
        _IMAGES,
        st.builds(Content.Audio, st.one_of(_BY_URL, st.just(_WAV))),
        st.builds(Content.PDF, st.one_of(_BY_URL, st.just(Resource.Binary("JVBERi0=", "application/pdf"))), _maybe(_TEXT)),
        st.builds(Content.File, _TEXT.map(lambda found: Resource.Ref(file_reference("mistral", found)))),
        objects().map(lambda value: Content.Custom("mistral", {**value, "type": "reference"})),
    )
)
_MISTRAL: Final = (
    evolve(_BASE, asked=_MISTRAL_ASKED, said=_MISTRAL_SAID),
    st.builds(
        ModelParams,
        **_SAMPLING,
        tools=_tools(_maybe(st.booleans())),
        tool_choice=_maybe(
            st.one_of(st.builds(ToolChoice.Never), st.builds(ToolChoice.Required), st.builds(ToolChoice.One, _NAMES))
        ),
        parallel_tool_calls=_maybe(st.booleans()),
        response_format=_maybe(
            st.one_of(
                st.builds(ResponseFormat.Text),
                st.builds(ResponseFormat.JsonObject),
                st.builds(ResponseFormat.JsonSchema, schemas(), _NAMES, _maybe(texts()), _maybe(st.booleans())),
            )
        ),
        effort=_maybe(st.sampled_from(Effort)),
    ),
)

# --- Cohere --------------------------------------------------------------------------------------------------------------------

_COHERE: Final = (
    evolve(
        _BASE,
        asked=_some(st.one_of(_PLAIN, _IMAGES)),
        said=_some(st.one_of(_PLAIN, st.builds(Content.Reasoning, _TEXT)), 0),
        ids=_NAMES,
    ),
    st.one_of(st.none(), st.booleans()).flatmap(
        lambda strict: st.builds(
            ModelParams,
            **_SAMPLING,
            tools=_tools(st.just(strict)),
            tool_choice=_maybe(st.one_of(st.builds(ToolChoice.Never), st.builds(ToolChoice.Required))),
            response_format=_maybe(
                st.one_of(
                    st.builds(ResponseFormat.Text),
                    st.builds(ResponseFormat.JsonObject),
                    st.builds(ResponseFormat.JsonSchema, schemas()),
                )
            ),
            thinking=_maybe(st.one_of(st.builds(Thinking.Off), st.builds(Thinking.Adaptive), st.builds(Thinking.Budget, _COUNTS))),
        )
    ),
)

# --- Ollama --------------------------------------------------------------------------------------------------------------------

_SHOWN: Final = st.sampled_from((Content.Image(_PNG), Content.Audio(_WAV)))
_ONE_TEXT: Final = st.lists(_PLAIN, max_size=1)
_ONE_THOUGHT: Final = st.lists(st.builds(Content.Reasoning, _TEXT), max_size=1)


def _then(first: SearchStrategy[list[Any]], second: SearchStrategy[list[Any]]) -> SearchStrategy[list[Any]]:
    return st.tuples(first, second).map(lambda parts: [*parts[0], *parts[1]])


_OLLAMA_TOLD: Final = _then(_ONE_TEXT, st.lists(_SHOWN, max_size=2)).filter(bool)
_THINKS: Final[Mapping[str, SearchStrategy[Any]]] = {
    "thinking": _maybe(st.one_of(st.builds(Thinking.Off), st.builds(Thinking.Adaptive))),
    "effort": st.none(),
}
_TRIES: Final[Mapping[str, SearchStrategy[Any]]] = {
    "thinking": st.none(),
    "effort": st.sampled_from((Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.MAX)),
}
_OLLAMA: Final = (
    evolve(
        _BASE,
        instructions=_PLAIN.map(lambda text: [text]),
        asked=_OLLAMA_TOLD,
        said=_then(_ONE_THOUGHT, _ONE_TEXT),
        results={Outcome.OK: _OLLAMA_TOLD},
        arguments=st.builds(Arguments.Parsed, objects()),
    ),
    st.sampled_from((_THINKS, _TRIES)).flatmap(
        lambda thinks: st.builds(
            ModelParams,
            **_SAMPLING,
            **thinks,
            tools=_tools(st.none()),
            response_format=_maybe(
                st.one_of(st.builds(ResponseFormat.JsonObject), st.builds(ResponseFormat.JsonSchema, schemas()))
            ),
        )
    ),
)


def _numbered(request: ChatRequest) -> ChatRequest:
    """The request with the ids that calls have by their place, and each result directly behind the ones before it."""
    ids: dict[str, str] = {}
    for message in request.messages:
        if isinstance(message, Message.Assistant):
            ids |= {call.id: f"call_{len(ids) + at}" for at, call in enumerate(message.tool_requests)}
    order = {new: at for at, new in enumerate(ids.values())}
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
            case _:
                messages.append(message)
    return evolve(request, messages=list(_results_in_order(messages, order)))


def _results_in_order(messages: list[Message.T], order: Mapping[str, int]) -> list[Message.T]:
    out: list[Message.T] = []
    run: list[Message.ToolResult] = []
    for message in [*messages, None]:
        if isinstance(message, Message.ToolResult):
            run.append(message)
            continue
        out += sorted(run, key=lambda result: order[result.id])
        run = []
        out += [] if message is None else [message]
    return out


def _something_said(request: ChatRequest) -> ChatRequest:
    """Without assistants who say nothing, which no server takes."""
    kept = [message for message in request.messages if message.contents or not isinstance(message, Message.Assistant)]  # type: ignore[union-attr]
    return evolve(request, messages=kept)


_SPEECHES: Final[Mapping[str, tuple[Vocabulary, SearchStrategy[ModelParams], Callable[[ChatRequest], ChatRequest]]]] = {
    "mistral": (*_MISTRAL, _something_said),
    "cohere": (*_COHERE, _something_said),
    "ollama": (*_OLLAMA, lambda request: _numbered(_something_said(request))),
}


def sayable(name: str) -> SearchStrategy[ChatRequest]:
    """Requests that a dialect writes without a loss, and reads back as they were."""
    vocabulary, params, agree = _SPEECHES[name]
    return st.builds(ChatRequest, histories(vocabulary), params).map(agree)
