"""Both checkers know what transforms take and give, alone and composed. This file is read, never run."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_type

from returns.pipeline import flow
from returns.pointfree import bind
from returns.result import Failure, Result, Success

from chatadt.content import Content
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.transforms import (
    Change,
    Cost,
    Missing,
    NoMessage,
    OverBudget,
    Transform,
    branch,
    by_huggingface,
    by_kind,
    by_tiktoken,
    close_calls,
    concat,
    diff,
    drop_contents,
    drop_messages,
    edit,
    exchanges,
    externalise,
    fit,
    inline,
    map_contents,
    merge_runs,
    redact,
    relabel,
    summarise,
    try_summarise,
    window,
    without_reasoning,
)

history = History().user("hi")


class Encoding:
    def encode_ordinary(self, text: str) -> list[int]:
        return [len(text)]


class Tokenizer:
    def encode(self, sequence: str, pair: str | None = None, add_special_tokens: bool = True) -> list[int]:
        return [len(sequence)]


def about(content: Content.T) -> Content.T:
    return Content.Text("[picture]") if isinstance(content, Content.Image) else content


def ask(_: History) -> Result[str, OSError]:
    return Success("so far")


by_tokens: Cost = by_kind(by_tiktoken(Encoding()), image=85)
by_kind(by_huggingface(Tokenizer()))

every: list[Transform] = [
    window(3),
    window(messages=20),
    without_reasoning,
    merge_runs,
    summarise(lambda told: f"{len(told)} messages", keep=2),
    drop_messages(lambda message: isinstance(message, Message.System)),
    drop_contents(lambda content: isinstance(content, Content.Image)),
    map_contents(about),
    redact(r"\d+", kinds=[Content.Image, Message.ToolResult]),
    externalise({"": b""}.__setitem__),
    close_calls("denied", Outcome.DENIED),
    relabel(),
    relabel("c{}".format),
    concat(history, [Message.User("and")]),
    branch(-1),
]

assert_type(window(3), Callable[[History], History])
assert_type(fit(100, by_tokens), Callable[[History], Result[History, OverBudget]])
assert_type(fit(100, lambda _: 1), Callable[[History], Result[History, OverBudget]])
assert_type(inline({"": b""}.get), Callable[[History], Result[History, Missing]])
assert_type(edit(1, lambda message: message), Callable[[History], Result[History, NoMessage]])
assert_type(try_summarise(ask), Callable[[History], Result[History, OSError]])
assert_type(exchanges(history), tuple[History, ...])
assert_type(diff(history, history), tuple[Change.Added | Change.Removed | Change.Changed, ...])

left: History = flow(history, window(3), without_reasoning)
fitted: Result[History, OverBudget] = flow(history, window(3), fit(100))
stored: Result[History, Missing | OverBudget] = flow(history, inline({"": b""}.get), bind(fit(100)))
assert_type(fit(100)(history).map(relabel()), Result[History, OverBudget])


def shorten(history: History) -> History:
    return flow(history, window(3), merge_runs)



failure: Result[History, OverBudget] = Failure(OverBudget(1, 2, 0, history))
