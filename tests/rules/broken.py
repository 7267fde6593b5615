"""Conversations that were well-formed until something happened to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st

from chatadt import ChatRequest, Content, Message, ModelParams, Resource, ResponseFormat, Thinking, Tool, ToolChoice, strategies
from rules.servers import NAME

Messages = list[Message.T]

_IMAGE: Final = Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/png")
_PDF: Final = Resource.Binary(b"%PDF-1.7", "application/pdf")
_MARK: Final = {NAME: {"cache_control": {"type": "ephemeral"}}}

POINT: Final = Content.Custom(NAME, {"point": {}})

INTRUDERS: Final[tuple[Message.T, ...]] = (
    Message.System("Be brief."),
    Message.System([]),
    Message.System("  "),
    Message.User([]),
    Message.User(" \n"),
    Message.User("half \ud83d"),
    Message.User("hello ", name="a b"),
    Message.User([Content.Image(_IMAGE)]),
    Message.User([Content.Image(Resource.Ref("https://example.org/a.png")), Content.Image(Resource.Binary(b"BM", "image/bmp"))]),
    Message.User([Content.PDF(_PDF, "a_b  c.pdf"), Content.PDF(_PDF)]),
    Message.User([Content.PDF(_PDF, "a_b  c.pdf"), "read"]),
    Message.User([Content.Text("marked", _MARK), Content.Text("marked too", _MARK)]),
    Message.Assistant([]),
    Message.Assistant(" "),
    Message.Assistant("The answer is "),
    Message.Assistant("Go on: ", extras={NAME: {"prefix": True}}),
    Message.Assistant([Content.ToolRequest("", "weather.today", {})]),
    Message.Assistant([Content.ToolRequest("x", "f", {"half": "\ud83d"}), Content.ToolRequest("x", "1g", {})]),
    Message.ToolResult("x", None, "a result"),
    Message.ToolResult("", "f", "another result"),
    Message.Custom({"role": "nobody"}, NAME),
    Message.Custom({"role": "keeper"}, NAME),
    Message.Custom({"role": "nobody"}, "elsewhere"),
    Message.User([POINT, "points", POINT, POINT]),
    Message.User([POINT]),
    Message.User([Content.Text("pointed", {NAME: {"$points": [1, 2]}}), POINT, Content.Custom(NAME, {"call": "x"})]),
    Message.Assistant([Content.Custom(NAME, {"call": "x"}), Content.Custom(NAME, {"call": 1}), Content.Custom(NAME, [])]),
    Message.Assistant([Content.Reasoning("hm", {NAME: {"signature": "s", "cache_control": {}}})]),
    Message.Assistant([Content.Reasoning("hm", {NAME: {"cache_control": {"type": "ephemeral"}}}), " ", Content.Image(_IMAGE)]),
    Message.Assistant([Content.Reasoning("hm", {NAME: {"signature": "s"}}), Content.ToolRequest("y", "f", {})]),
    Message.User([Content.Image(Resource.Binary(b"\x89PNG\r\n\x1a\n", "image/jpeg"))]),
)
"""What may stand anywhere."""

_EPHEMERAL: Final = {"cache_control": {"type": "ephemeral"}}
_CACHE_POINT: Final = Content.Custom("bedrock", {"cachePoint": {"type": "default"}})
_ITEM: Final = {"openai_responses": {"item": {"id": "rs_1", "type": "reasoning", "summary": []}}}

OWN_WORDS: Final[tuple[Message.T, ...]] = (
    Message.User([_CACHE_POINT]),
    Message.User(["points", _CACHE_POINT, _CACHE_POINT]),
    Message.System([_CACHE_POINT]),
    Message.Assistant([_CACHE_POINT]),
    Message.Assistant([Content.Reasoning("hm", {"anthropic": _EPHEMERAL})]),
    Message.Assistant([Content.Reasoning("hm", {"anthropic": {"signature": "c2ln", **_EPHEMERAL}}), " "]),
    Message.Assistant([Content.Reasoning("", {"anthropic": {"data": "ZW5j", "$redacted": True}})]),
    Message.Assistant([Content.Reasoning("hm", {"bedrock": {"signature": "c2ln"}}), Content.Refusal("no ")]),
    Message.Assistant([Content.Reasoning("hm", _ITEM)]),
    Message.Assistant([Content.ToolRequest("y", "f", {}), Content.Reasoning("hm", _ITEM)]),
    Message.Assistant([Content.Refusal("no "), Content.Image(Resource.Ref("urn:chatadt:elsewhere:file:1"))]),
    Message.Custom(5, "openai_responses"),
    Message.Custom({"type": "item_reference", "id": "msg_1"}, "openai_responses"),
    Message.ToolResult("y", "f", []),
)
"""What may stand anywhere and is said in the words of a server that exists."""

IDS: Final = ("", "x", "y", "a b", "call_1", "call_1_", "AAAAAAAA1", "x" * 70, "half \ud83d")
"""Few, so that they meet."""


def _drop(draw: st.DrawFn, messages: Messages) -> Messages:
    place = draw(st.integers(0, len(messages) - 1))
    return messages[:place] + messages[place + 1 :]


def _double(draw: st.DrawFn, messages: Messages) -> Messages:
    place, again = draw(st.integers(0, len(messages) - 1)), draw(st.integers(0, len(messages)))
    return [*messages[:again], messages[place], *messages[again:]]


def _move(draw: st.DrawFn, messages: Messages) -> Messages:
    place, there = draw(st.integers(0, len(messages) - 1)), draw(st.integers(0, len(messages) - 1))
    rest = messages[:place] + messages[place + 1 :]
    return [*rest[:there], messages[place], *rest[there:]]


def _intrude(draw: st.DrawFn, messages: Messages) -> Messages:
    place = draw(st.integers(0, len(messages)))
    return [*messages[:place], draw(st.sampled_from(INTRUDERS)), *messages[place:]]


def _delay(draw: st.DrawFn, messages: Messages) -> Messages:
    """All results behind everything else."""
    results = [message for message in messages if isinstance(message, Message.ToolResult)]
    return [message for message in messages if not isinstance(message, Message.ToolResult)] + draw(st.permutations(results))


def _confuse(draw: st.DrawFn, messages: Messages) -> Messages:
    """Few ids for many calls: each goes the same way in its call and its result."""
    few: dict[str, str] = {}

    def confused(id_: str) -> str:
        if id_ not in few:
            few[id_] = draw(st.sampled_from(IDS))
        return few[id_]

    return [_with_ids(message, confused) for message in messages]


def _with_ids(message: Message.T, renamed: Callable[[str], str]) -> Message.T:
    match message:
        case Message.Assistant():
            contents: list[Any] = [
                evolve(c, id=renamed(c.id)) if isinstance(c, Content.ToolRequest) else c for c in message.contents
            ]
            return evolve(message, contents=contents)
        case Message.ToolResult():
            return evolve(message, id=renamed(message.id))
        case _:
            return message


ACCIDENTS: Final[Mapping[str, Callable[[st.DrawFn, Messages], Messages]]] = {
    "dropped": _drop,
    "doubled": _double,
    "moved": _move,
    "intruded": _intrude,
    "intruded again": _intrude,
    "delayed": _delay,
    "confused": _confuse,
}


@st.composite
def accidents(draw: st.DrawFn) -> list[Message.T]:
    """Well-formed conversations to which up to six things happened."""
    messages: Messages = list(draw(strategies.histories()))
    for name in draw(st.lists(st.sampled_from(sorted(ACCIDENTS)), max_size=6)):
        if messages or name.startswith("intruded"):
            messages = ACCIDENTS[name](draw, messages)
    return messages


def strangers() -> st.SearchStrategy[list[Message.T]]:
    """A few messages that nobody would put together, so that what one rule mends meets what another wants."""
    return st.lists(st.sampled_from((*INTRUDERS, *OWN_WORDS)), max_size=5)


@st.composite
def scattered(draw: st.DrawFn) -> list[Message.T]:
    """Well-formed conversations of unique ids whose results have been moved about, among others' words."""
    messages: Messages = list(draw(strategies.histories()))
    for accident in draw(st.lists(st.sampled_from((_move_result, _delay, _interrupt)), max_size=5)):
        messages = accident(draw, messages)
    return messages


def _move_result(draw: st.DrawFn, messages: Messages) -> Messages:
    places = [place for place, message in enumerate(messages) if isinstance(message, Message.ToolResult)]
    if not places:
        return messages
    place = draw(st.sampled_from(places))
    rest = messages[:place] + messages[place + 1 :]
    there = draw(st.integers(0, len(rest)))
    return [*rest[:there], messages[place], *rest[there:]]


def _interrupt(draw: st.DrawFn, messages: Messages) -> Messages:
    place = draw(st.integers(0, len(messages)))
    intruder: Message.T = draw(st.sampled_from([INTRUDERS[0], Message.User("wait")]))
    return [*messages[:place], intruder, *messages[place:]]


def _params() -> st.SearchStrategy[ModelParams]:
    tool = st.builds(Tool, st.sampled_from(("f", "g", "f g", "1g", "half\ud83d")), st.sampled_from((None, "", " ", "half \ud83d")))
    return st.builds(
        ModelParams,
        model=st.sampled_from((None, "gpt-5", "other")),
        tools=st.lists(tool, max_size=3),
        tool_choice=st.sampled_from((None, ToolChoice.Required(), ToolChoice.One("f g"), ToolChoice.Auto())),
        thinking=st.sampled_from((None, Thinking.Budget(1_024), Thinking.Budget(2_000), Thinking.Adaptive(), Thinking.Off())),
        max_output_tokens=st.sampled_from((None, -2, 0, 1, 1_700, 4_000)),
        stop=st.lists(st.sampled_from(("end", " ", "", "half \ud83d")), max_size=3),
        response_format=st.sampled_from((None, None, ResponseFormat.JsonSchema({}, "a b"), ResponseFormat.JsonSchema({}, "ä"))),
        temperature=st.sampled_from((None, -1, 0, 1, 1.5, 3)),
        top_p=st.sampled_from((None, None, 0, 0.5, 1.5)),
        top_k=st.sampled_from((None, None, -1, 1, 900)),
        presence_penalty=st.sampled_from((None, None, -3, 0, 1.5)),
    )


def requests() -> st.SearchStrategy[ChatRequest]:
    """Requests of all sorts: broken ones, well-formed ones, and any messages at all."""
    params = st.one_of(st.just(ModelParams()), _params(), strategies.params())
    broken = st.builds(ChatRequest, st.one_of(accidents(), strangers()), params)
    return st.one_of(broken, broken, strategies.chat_requests())
