"""Every law holds of every dialect."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, Final

import pytest
from dialects.test_features import EXAMPLES
from hypothesis import assume, given

from chatadt import DIALECTS, ChatRequest, Content, Extras, Message, ModelParams, Outcome, Resource, ToolChoice, laws

from .given import NAMES, examples, fixed, sided
from .plainer import breaks_the_writer, plainer

ABOUT_ANYTHING: Final = frozenset({"writes", "purity of writing", "checks", "repairs"})
"""Laws of requests that hold even where a request quotes the dialect's own words, whatever those are."""


def sides(names: Iterable[str] = NAMES) -> list[Any]:
    """Each law with each dialect; a law about no dialect once."""
    return [
        pytest.param(law, name, id=f"{title}-{name}")
        for title, law in laws.LAWS.items()
        for name in (tuple(names) if sided(law) else NAMES[:1])
    ]


@pytest.mark.parametrize(("law", "name"), sides())
def test_the_law_holds(law: Callable[..., None], name: str) -> None:
    dialect = DIALECTS[name]
    title = next(title for title, known in laws.LAWS.items() if known is law)

    @given(examples(law, dialect))
    def check(example: Any) -> None:
        if isinstance(example, ChatRequest) and {"request", "conversation"} & set(inspect.signature(law).parameters):
            assume(not breaks_the_writer(example, name))
            if title not in ABOUT_ANYTHING:
                example = plainer(example, name)
        law(*fixed(law, dialect), example)

    check()


def result(content: Any, outcome: Outcome = Outcome.ERROR) -> ChatRequest:
    return ChatRequest([Message.Assistant([Content.ToolRequest("c", "f", {})]), Message.ToolResult("c", "f", [content], outcome)])


def asks(content: Content.Input) -> ChatRequest:
    return ChatRequest([Message.User([content])])


CSV: Final = Resource.Binary(b"a,b", "text/csv")
TYPED: Final = Resource.Ref("https://example.org/cat", "image/png")
NOTED: Final = Content.Audio(Resource.Binary(b"a", extras=Extras({"gemini": {"a": "b"}})), "hello")
SPOKEN: Final = Content.Audio(Resource.Binary(b"a", "audio/aac"), "hello")

ONCE_BROKEN: Final = {
    "a tool choice that is no object": (
        "writes",
        "anthropic",
        ChatRequest([], ModelParams(tool_choice=ToolChoice.Custom("anthropic", 1), parallel_tool_calls=False)),  # type: ignore[arg-type]
    ),
    "a part of an assistant that is no object": (
        "writes",
        "openai_chat",
        ChatRequest([Message.Assistant([Content.Custom("openai_chat", None)])]),
    ),
    "a refusal before a text": (
        "order",
        "openai_chat",
        ChatRequest([Message.Assistant([Content.Refusal("no"), Content.Text("because")])]),
    ),
    "the media type of a text that has a name": ("honesty", "openai_chat", asks(Content.File(CSV, "a.csv"))),
    "the media type of an image by URL, openai_chat": ("honesty", "openai_chat", asks(Content.Image(TYPED))),
    "the media type of an image by URL, anthropic": ("honesty", "anthropic", asks(Content.Image(TYPED))),
    "the media type of a PDF that is none": ("honesty", "anthropic", asks(Content.PDF(CSV))),
    "what another dialect said of spoken audio, openai_chat": ("honesty", "openai_chat", ChatRequest([Message.Assistant([NOTED])])),
    "what another dialect said of spoken audio, anthropic": ("honesty", "anthropic", ChatRequest([Message.Assistant([NOTED])])),
    "the transcript of audio that is replayed by its id": (
        "honesty",
        "openai_chat",
        ChatRequest([Message.Assistant([Content.Audio(Resource.Ref("urn:chatadt:openai:file:audio_1"), "hello")])]),
    ),
    "the media type of spoken audio, openai_chat": ("honesty", "openai_chat", ChatRequest([Message.Assistant([SPOKEN])])),
    "the media type of spoken audio, anthropic": ("honesty", "anthropic", ChatRequest([Message.Assistant([SPOKEN])])),
    "the name of an assistant of whom nothing could be said": (
        "honesty",
        "openai_chat",
        ChatRequest([Message.Assistant([Content.Reasoning("hm")], "bob")]),
    ),
    "the extras of a system message of which nothing could be said": (
        "honesty",
        "anthropic",
        ChatRequest([Message.System([Content.Custom("gemini", {"a": 1})], Extras({"gemini": {"b": 2}}))]),
    ),
    "the order of the results of one tool, where calls have no ids": (
        "pairing",
        "ollama",
        ChatRequest(
            [
                Message.Assistant([Content.ToolRequest("a", "f", {}), Content.ToolRequest("b", "f", {})]),
                Message.ToolResult("b", "f", "second"),
                Message.ToolResult("a", "f", "first"),
            ]
        ),
    ),
    "the tool of a result without a call, openai_chat": (
        "honesty",
        "openai_chat",
        ChatRequest([Message.ToolResult("c", "f", "4")]),
    ),
    "the tool of a result without a call, anthropic": ("honesty", "anthropic", ChatRequest([Message.ToolResult("c", "f", "4")])),
}
"""What broke a law once: law, dialect and example."""


@pytest.mark.parametrize(("title", "name", "request_"), ONCE_BROKEN.values(), ids=ONCE_BROKEN)
def test_what_broke_a_law_once_keeps_it(title: str, name: str, request_: ChatRequest) -> None:
    laws.LAWS[title](DIALECTS[name], request_)


LAWS_OF_BODIES: Final = ("answers", "identity", "purity of reading", "policies", "ids")
LAWS_OF_REQUESTS: Final = (
    "writes",
    "honesty",
    "truth",
    "order",
    "idempotence",
    "purity of writing",
    "pairing",
    "checks",
    "repairs",
)
every_feature = pytest.mark.parametrize(
    ("name", "index"),
    [
        pytest.param(name, index, id=f"{name}-{example.name}")
        for name, found in EXAMPLES.items()
        for index, example in enumerate(found)
    ],
)


@every_feature
def test_the_laws_of_bodies_hold_of_every_feature(name: str, index: int) -> None:
    example = EXAMPLES[name][index]
    for title in LAWS_OF_BODIES:
        law = laws.LAWS[title]
        law(*fixed(law, DIALECTS[name]), deepcopy(example.body))


@every_feature
def test_the_laws_of_requests_hold_of_every_feature_in_every_dialect(name: str, index: int) -> None:
    example = EXAMPLES[name][index]
    request = DIALECTS[name].read_request(deepcopy(example.body)).unwrap()
    for other in NAMES:
        for title in LAWS_OF_REQUESTS:
            law, at_home = laws.LAWS[title], other == name
            law(DIALECTS[other], request if at_home or title in ABOUT_ANYTHING else plainer(request, other))


def test_every_law_is_named_and_says_what_it_is_for() -> None:
    functions = {
        value for name in laws.__all__ if inspect.isfunction(value := getattr(laws, name)) and name not in ("quotes", "recut")
    }
    known = {*laws.LAWS.values(), *laws.LAWS_OF_TRANSFORMS.values()}
    assert known == functions
    assert all(inspect.getdoc(law) for law in known)


def test_a_law_takes_the_name_of_a_dialect_or_a_dialect() -> None:
    request = ChatRequest([Message.User("hi")])
    laws.honesty("anthropic", request)
    laws.honesty(DIALECTS["anthropic"], request)
    with pytest.raises(ValueError, match="expected the name of a dialect"):
        laws.honesty("latin", request)


def test_what_is_broken_is_shown_as_given_via_and_got() -> None:
    broken = laws.Broken("order is meaning", given=[1, 2], via="sorting", got=[2, 1])
    assert str(broken) == "order is meaning\n  given [1, 2]\n  via   sorting\n  got   [2, 1]"
    assert len(str(laws.Broken("a law", given="a" * 10_000, via="", got=""))) < 3_000
