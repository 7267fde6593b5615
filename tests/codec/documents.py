"""Words of every kind that stands as a document of its own, odder than `chatadt.strategies` makes them, and how to break them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve, fields, has
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import strategies
from chatadt.chat import ChatRequest, ChatResponse, Metadata, ModelParams, Usage
from chatadt.codec import Document
from chatadt.content import Arguments, Content
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message
from chatadt.resource import Resource

HALVES: Final = st.text(st.characters(min_codepoint=0xD7FE, max_codepoint=0xE001), min_size=1, max_size=3).map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
"""Text that is mostly lone surrogates: UTF-8 has no bytes for them. Two that make a pair are one character, as they are in JSON."""

ODD_TEXTS: Final = st.one_of(strategies.texts(), HALVES, st.integers(0, 31).map(chr))

ODD_ARGUMENTS: Final = st.one_of(
    strategies.arguments(),
    st.builds(Arguments.Malformed, st.one_of(ODD_TEXTS, strategies.documents().map(lambda found: found.text)), ODD_TEXTS),
    HALVES.map(lambda text: Arguments.Parsed(Json.of({text: text}))),
    st.sampled_from((' {"a": 1}\n', "null", "5", '"x"', "[]", '{"a":1,"a":2}', str(10**400))).map(Arguments.of),
)

ODD_CONTENTS: Final[Mapping[type, SearchStrategy[Any]]] = {
    Content.Text: st.builds(Content.Text, ODD_TEXTS),
    Content.Reasoning: st.builds(Content.Reasoning, ODD_TEXTS, strategies.extras()),
    Content.ToolRequest: st.builds(Content.ToolRequest, ODD_TEXTS, strategies.tool_names(), ODD_ARGUMENTS, strategies.extras()),
    Content.Custom: st.builds(Content.Custom, ODD_TEXTS, strategies.documents()),
    Content.File: st.builds(Content.File, st.builds(Resource.Ref, HALVES), st.none() | ODD_TEXTS),
}

MESSAGES: Final = st.one_of(
    strategies.messages(), st.lists(st.one_of(*ODD_CONTENTS.values()), max_size=3).map(lambda found: Message.Assistant(found))
)

KINDS: Final[Mapping[str, SearchStrategy[Any]]] = {
    "History": st.one_of(strategies.histories(), st.lists(MESSAGES, max_size=4).map(History)),
    "ChatRequest": st.one_of(
        strategies.chat_requests(), st.builds(ChatRequest, st.lists(MESSAGES, max_size=3), strategies.params())
    ),
    "ChatResponse": st.one_of(
        strategies.chat_responses(), MESSAGES.filter(lambda found: type(found) is Message.Assistant).map(lambda m: ChatResponse(m))
    ),
    "ModelParams": strategies.params(),
    "Tool or ProviderTool": strategies.tool_definitions(),
    **{f"ToolChoice.{case.__name__}": strategy for case, strategy in strategies.TOOL_CHOICES.items()},
    **{f"Message.{case.__name__}": strategy for case, strategy in strategies.MESSAGES.items()},
    **{f"Content.{case.__name__}": strategy for case, strategy in strategies.CONTENTS.items()},
    **{f"odd Content.{case.__name__}": strategy for case, strategy in ODD_CONTENTS.items()},
    "Resource": strategies.resources(),
}
"""By name: the words of one kind."""

DOCUMENTS: Final[SearchStrategy[Document]] = st.one_of(*KINDS.values())


def rebuilt(word: Any) -> Any:
    """The same word, all of it made again by the constructors, which check what they are given."""
    if isinstance(word, tuple):
        return tuple(rebuilt(item) for item in word)
    if not has(type(word)) or isinstance(word, Json | Mapping):
        return word
    return evolve(word, **{field.name: rebuilt(getattr(word, field.name)) for field in fields(type(word)) if field.init})


PUT_INSTEAD: Final[tuple[Any, ...]] = (None, True, 5, 1.5, "x", "", [], {})

Path = tuple[str | int, ...]


def broken(value: Any) -> Iterator[Any]:
    """The value with one node replaced, one key or item taken out or one key added, in every way and place."""
    return (put(value, path, other) for path, here in nodes(value) for other in otherwise(here))


@st.composite
def broken_once(draw: st.DrawFn, value: Any) -> Any:
    """One of `broken(value)`."""
    path, here = draw(st.sampled_from(list(nodes(value))))
    return put(value, path, draw(st.sampled_from(list(otherwise(here)))))


def nodes(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    children: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        yield from nodes(child, (*path, step))


def otherwise(here: Any) -> Iterator[Any]:
    yield from (other for other in PUT_INSTEAD if not same(other, here))
    if isinstance(here, dict):
        yield {**here, "unheard_of": 1}
        yield from ({name: kept for name, kept in here.items() if name != key} for key in here)
    elif isinstance(here, list):
        yield from (here[:at] + here[at + 1 :] for at in range(len(here)))


def put(value: Any, path: Path, other: Any) -> Any:
    match path:
        case (str(key), *rest):
            return {**value, key: put(value[key], tuple(rest), other)}
        case (int(at), *rest):
            return [*value[:at], put(value[at], tuple(rest), other), *value[at + 1 :]]
        case _:
            return other


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same one; 1 and true are not."""
    return text(left) == text(right)


def text(value: Any) -> str:
    """JSON text of any depth that Python follows."""
    return json.dumps(value)


USUAL: Final[tuple[Document, ...]] = (
    History().system("Be brief.").user([Content.Image(Resource.Ref("urn:cat", "image/png"))], name="ann"),
    Message.Assistant([Content.Reasoning("hm"), Content.ToolRequest("1", "look", {"at": "cat"})]),
    Message.ToolResult("1", "look", [Content.PDF(Resource.Binary("QUJD"), "cat.pdf")]),
    ChatRequest(
        [Message.Custom(Json.of({"role": "critic"}), "nobody")],
        ModelParams(model="m", temperature=0.5, top_k=3, stop=["x"], extras={"nobody": {"a": 1}}),
    ),
    ChatResponse(Message.Assistant([Content.Refusal("no")]), Metadata(id="1", usage=Usage(input=1))),
)
"""Documents with a bit of everything, to be broken in every place."""
