"""Dialects that are broken in one small way are caught, each by the law that is about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import count
from typing import Any, Final

import pytest
from attrs import evolve
from returns.result import Success

from chatadt import (
    DIALECTS,
    Action,
    ChatRequest,
    ChatResponse,
    Content,
    Converted,
    Delta,
    Json,
    Loss,
    Message,
    Outcome,
    Weight,
    fold,
    laws,
)
from chatadt.dialects import Dialect, Target
from chatadt.laws import _conversions, _streams

CHAT: Final = DIALECTS["openai_chat"]
ANTHROPIC: Final = DIALECTS["anthropic"]

CALLS: Final = ChatRequest(
    [
        Message.User("weather?"),
        Message.Assistant(["I look.", Content.ToolRequest("a", "f", {"n": 1}), Content.ToolRequest("b", "g", {"n": 2})]),
        Message.ToolResult("a", "f", "sun"),
        Message.ToolResult("b", "g", "rain", Outcome.ERROR),
        Message.Assistant(["one", "two"]),
    ]
)
CHAT_BODY: Final = CHAT.write_request(CALLS).value
COLLIDING: Final = CHAT.write_request(
    ChatRequest(
        [
            Message.User("go"),
            Message.Assistant([Content.ToolRequest("a.b", "f", {}), Content.ToolRequest("a_b", "f", {})]),
            Message.ToolResult("a.b", "f", "1"),
            Message.ToolResult("a_b", "f", "2"),
        ]
    )
).value

Body = dict[str, Any]


def writing(dialect: Dialect, change: Callable[[Body], object], *losses: Loss) -> Dialect:
    """The dialect whose writer changes the body that it wrote, in place."""

    def write_request(request: ChatRequest, target: Target = Target()) -> Converted[Body]:  # noqa: B008 (immutable)
        written = dialect.write_request(request, target)
        change(written.value)
        return Converted(written.value, (*written.losses, *losses))

    return evolve(dialect, write_request=write_request)


def reading(dialect: Dialect, change: Callable[[Any], object]) -> Dialect:
    """The dialect whose reader does something to the body first."""

    def read_request(body: Any) -> Any:
        change(body)
        return dialect.read_request(body)

    return evolve(dialect, read_request=read_request)


def blocks(body: Body) -> Iterator[Body]:
    return (block for message in body["messages"] if isinstance(message["content"], list) for block in message["content"])


def drop_text_beside_calls(body: Body) -> None:
    for message in body["messages"]:
        if message.get("tool_calls"):
            message["content"] = None


def drop_is_error(body: Body) -> None:
    for block in blocks(body):
        block.pop("is_error", None)


def swap_ids(body: Body) -> None:
    results = [message for message in body["messages"] if message["role"] == "tool"]
    ids = [message["tool_call_id"] for message in results]
    for message, id_ in zip(results, reversed(ids), strict=True):
        message["tool_call_id"] = id_


def reverse_texts(body: Body) -> None:
    for message in body["messages"]:
        if message["role"] == "assistant":
            message["content"] = message["content"][::-1]


def forget_an_argument(body: Body) -> None:
    for block in blocks(body):
        if block["type"] == "tool_use":
            block["input"] = {}


def clean_ids(body: Body) -> None:
    for message in body["messages"]:
        for call in message.get("tool_calls", ()):
            call["id"] = call["id"].replace(".", "_")
        if "tool_call_id" in message:
            message["tool_call_id"] = message["tool_call_id"].replace(".", "_")


def drop_unknown(body: Body) -> None:
    body.pop("metadata", None)


def say_more(body: Body) -> None:
    body["messages"].append({"role": "user", "content": "go on"})


def raising(*_: Any) -> Any:
    raise KeyError("content")


def one_text_for_all() -> Dialect:
    """A writer that keeps what it gave, and gives it again."""
    kept: dict[ChatRequest, Converted[Body]] = {}

    def write_request(request: ChatRequest, target: Target = Target()) -> Converted[Body]:  # noqa: B008 (immutable)
        return kept.setdefault(request, CHAT.write_request(request, target))

    return evolve(CHAT, write_request=write_request)


def moody() -> Dialect:
    """A writer that counts how often it was asked."""
    asked = count()
    return writing(CHAT, lambda body: body.update(seed=next(asked)))


LIE: Final = Loss(
    "$.messages[0].contents[0]",
    "a text",
    Action.DROPPED,
    Json.of({"type": "text", "text": "weather?"}),
    "no reason",
    Weight.CONTENT,
)
VAGUE: Final = evolve(LIE, reason="")

MUTATIONS: Final[dict[str, tuple[str, Callable[[], tuple[Any, ...]]]]] = {
    "a reader that raises": ("answers", lambda: (evolve(CHAT, read_request=raising), {})),
    "a reader that answers None": ("answers", lambda: (evolve(CHAT, read_request=lambda _: Success(None)), {})),
    "a writer that raises": ("writes", lambda: (evolve(CHAT, write_request=raising), CALLS)),
    "a writer that writes NaN": ("writes", lambda: (writing(CHAT, lambda body: body.update(seed=float("nan"))), CALLS)),
    "a loss without a reason": ("writes", lambda: (writing(CHAT, lambda _: None, VAGUE), CALLS)),
    "a loss that was invented and has an original": (
        "writes",
        lambda: (writing(CHAT, lambda _: None, evolve(LIE, action=Action.INVENTED)), CALLS),
    ),
    "an unknown field is dropped": ("identity", lambda: (writing(CHAT, drop_unknown), {"messages": [], "metadata": {"a": "b"}})),
    "a loss at home": ("identity", lambda: (writing(CHAT, lambda _: None, LIE), CHAT_BODY)),
    "a text is dropped beside tool calls, without a loss": ("honesty", lambda: (writing(CHAT, drop_text_beside_calls), CALLS)),
    "is_error is dropped, without a loss": ("honesty", lambda: (writing(ANTHROPIC, drop_is_error), CALLS)),
    "arguments are dropped, without a loss": ("honesty", lambda: (writing(ANTHROPIC, forget_an_argument), CALLS)),
    "a loss names what is still there": ("truth", lambda: (writing(CHAT, lambda _: None, LIE), CALLS)),
    "texts are turned round": ("order", lambda: (writing(ANTHROPIC, reverse_texts), CALLS)),
    "ids of results are swapped": ("pairing", lambda: (writing(CHAT, swap_ids), CALLS)),
    "what can be said is said with a loss": (
        "retraction",
        lambda: (writing(CHAT, lambda _: None, LIE), ChatRequest([Message.User("a")])),
    ),
    "what can be said is said otherwise": ("retraction", lambda: (writing(CHAT, say_more), ChatRequest([Message.User("a")]))),
    "a message is added each time": ("idempotence", lambda: (writing(CHAT, say_more), CALLS)),
    "the reader changes the body": (
        "purity of reading",
        lambda: (reading(CHAT, lambda body: body.pop("model", None)), {"messages": [], "model": "m"}),
    ),
    "the writer keeps what it gave": ("purity of writing", lambda: (one_text_for_all(), CALLS)),
    "the writer counts": ("purity of writing", lambda: (moody(), CALLS)),
    "each policy gets another body": ("policies", lambda: (CHAT, evolve(moody(), name="moody"), CHAT_BODY)),
    "two ids become one": ("ids", lambda: (CHAT, evolve(writing(CHAT, clean_ids), name="cleaning"), COLLIDING)),
}
"""By what is broken: the law that says so, and how it is called."""


@pytest.mark.parametrize(("title", "call"), MUTATIONS.values(), ids=MUTATIONS)
def test_what_is_broken_is_caught(title: str, call: Callable[[], tuple[Any, ...]]) -> None:
    with pytest.raises(laws.Broken) as caught:
        laws.LAWS[title](*call())
    assert {"given", "via", "got"} <= {line.split()[0] for line in str(caught.value).splitlines()[1:]}


@pytest.mark.parametrize(("title", "call"), MUTATIONS.values(), ids=MUTATIONS)
def test_the_dialect_that_is_whole_is_not(title: str, call: Callable[[], tuple[Any, ...]]) -> None:
    """The same examples, in the dialects that were mutated: so it is the mutation that is caught."""
    *dialects, example = call()
    whole = [ANTHROPIC if dialect.name == "anthropic" else CHAT for dialect in dialects]
    laws.LAWS[title](*whole, deepcopy(example))


def no_repair(request: Any, dialect: Any) -> Converted[Any]:
    return Converted(request)


def too_much_repair(request: Any, dialect: Any) -> Converted[Any]:
    return Converted(ChatRequest([*request.messages, Message.User(".")], request.params))


EMPTY: Final = ChatResponse(Message.Assistant(""))


def counted(stream: Iterable[Delta.T]) -> ChatResponse:
    return ChatResponse(Message.Assistant(str(len(tuple(stream)))))


def at_once(stream: Iterable[Delta.T]) -> Iterator[ChatResponse]:
    return iter([fold(stream)])


TOOLS_OF_A_LAW: Final = {
    "a repair that repairs nothing": ("repairs", "repair", no_repair, ("openai_chat", ChatRequest(CALLS.messages[:2]))),
    "a repair that repairs what is valid": ("checks", "repair", too_much_repair, ("openai_chat", ChatRequest([Message.User("a")]))),
    "a fold that forgets": ("folding", "fold", lambda _: EMPTY, (ChatResponse(Message.Assistant("a")),)),
    "a fold that is not what was fed": ("incremental", "fold", lambda _: EMPTY, ((Delta.Text(0, "a"),),)),
    "a fold that counts pieces": ("rechunking", "fold", counted, ((Delta.Text(0, "abc"),),)),
    "a fold that makes one answer of all": ("separating", "fold_each", at_once, ((Delta.Start("1"), Delta.Text(0, "a")),)),
    "JSON that forgets": ("own JSON", "dumps", lambda _: b'{"type":"text","text":""}', (Content.Text("a"),)),
}


@pytest.mark.parametrize(("title", "name", "broken", "example"), TOOLS_OF_A_LAW.values(), ids=TOOLS_OF_A_LAW)
def test_a_broken_part_of_the_library_is_caught(
    title: str, name: str, broken: Callable[..., Any], example: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    laws.LAWS[title](*example)
    monkeypatch.setattr(_conversions if hasattr(_conversions, name) else _streams, name, broken)
    with pytest.raises(laws.Broken):
        laws.LAWS[title](*example)


def test_every_law_is_shown_to_catch_something() -> None:
    shown = {title for title, _ in MUTATIONS.values()} | {row[0] for row in TOOLS_OF_A_LAW.values()}
    assert shown | OF_ANSWERS | OF_TEMPLATES == set(laws.LAWS)


OF_ANSWERS: Final = frozenset({"answers kept", "answers settled", "streams kept"})
"""Laws that tests/streams/test_kinds.py shows to catch something."""

OF_TEMPLATES: Final = frozenset({"prompts kept", "values stay values"})
"""Laws that tests/templates/test_laws.py shows to catch something."""
