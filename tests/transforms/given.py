"""Every transform, with the laws that it keeps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, final

from attrs import frozen

from chatadt import Content, History, Message, Outcome
from chatadt.laws import Transformation
from chatadt.transforms import (
    branch,
    by_kind,
    close_calls,
    concat,
    drop_contents,
    drop_messages,
    edit,
    externalise,
    fit,
    inline,
    keep_contents,
    keep_messages,
    map_contents,
    merge_runs,
    redact,
    relabel,
    summarise,
    window,
    without_reasoning,
)

__all__ = ("ALWAYS", "TRANSFORMS", "Kept", "lines_run")

ALWAYS: Final = ("purity of transforms", "soundness")
"""The laws that every transform keeps."""


@final
@frozen
class Kept:
    """A transform, and the titles of the laws that it keeps besides those that all keep."""

    transform: Transformation
    laws: tuple[str, ...] = ()


SELECTING: Final = ("settling", "selection", "instructions kept")


def first_words(history: History) -> str:
    return f"{len(history)} messages: " + "".join(getattr(message, "text", "")[:5] for message in history)


def shouted(content: Content.T) -> Content.T:
    return Content.Text(content.text.upper(), content.extras) if isinstance(content, Content.Text) else content


def described(content: Content.T) -> Content.T:
    is_medium = isinstance(content, Content.Image | Content.Audio | Content.Video | Content.PDF | Content.File)
    return Content.Text(f"[{type(content).__name__}]") if is_medium else content


def is_text(content: Content.T) -> bool:
    return isinstance(content, Content.Text)


def is_call(content: Content.T) -> bool:
    return isinstance(content, Content.ToolRequest)


def short_id(content: Content.T) -> Content.T:
    """A request under another id, another one for each."""
    if isinstance(content, Content.ToolRequest):
        return Content.ToolRequest(f"new {content.id}", content.name + "_2", content.arguments, content.extras)
    return content


def failed(message: Message.T) -> bool:
    return isinstance(message, Message.ToolResult) and message.outcome is Outcome.ERROR


def silenced(message: Message.T) -> Message.T:
    return Message.Assistant("…") if isinstance(message, Message.Assistant) else message


TRANSFORMS: Final[dict[str, Kept]] = {
    "window(0)": Kept(window(0), (*SELECTING, "exchanges kept")),
    "window(1)": Kept(window(1), (*SELECTING, "exchanges kept")),
    "window(2)": Kept(window(2), (*SELECTING, "exchanges kept")),
    "window(messages=0)": Kept(window(messages=0), SELECTING),
    "window(messages=3)": Kept(window(messages=3), SELECTING),
    "window(messages=6)": Kept(window(messages=6), SELECTING),
    "fit(0)": Kept(fit(0), (*SELECTING, "exchanges kept")),
    "fit(50)": Kept(fit(50), (*SELECTING, "exchanges kept")),
    "fit(2000)": Kept(fit(2_000), (*SELECTING, "exchanges kept")),
    "fit by media of another price": Kept(fit(40, by_kind(image=1, audio=1, video=1, document=1)), (*SELECTING, "exchanges kept")),
    "fit(steps)": Kept(fit(60, by_kind(image=9, audio=9, video=9, document=9), steps=True), SELECTING),
    "summarise": Kept(summarise(first_words), ("settling", "instructions kept")),
    "summarise all": Kept(summarise(first_words, keep=0), ("settling", "instructions kept")),
    "merge_runs": Kept(merge_runs, ("settling",)),
    "drop_messages": Kept(drop_messages(failed), ("settling", "instructions kept")),
    "drop results": Kept(drop_messages(lambda message: isinstance(message, Message.ToolResult)), ("settling", "instructions kept")),
    "keep what was said": Kept(
        keep_messages(lambda message: isinstance(message, Message.User | Message.Assistant)),
        ("settling",),
    ),
    "drop calls": Kept(drop_contents(is_call), ("settling", "instructions kept")),
    "keep text": Kept(keep_contents(is_text), ("settling",)),
    "without_reasoning": Kept(without_reasoning, ("settling", "instructions kept")),
    "map to upper case": Kept(map_contents(shouted)),
    "map media to text": Kept(map_contents(described), ("settling", "instructions kept")),
    "map ids": Kept(map_contents(short_id), ("instructions kept",)),
    "redact": Kept(redact(r"\d+", "[a-c]+", marker="*"), ("settling",)),
    "redact kinds": Kept(
        redact(kinds=(Content.Image, Content.Reasoning, Content.ToolRequest, Message.ToolResult)),
        ("settling", "instructions kept"),
    ),
    "externalise": Kept(externalise(lambda address, content: None), ("settling", "instructions kept")),
    "inline": Kept(inline(lambda address: None), ("settling", "instructions kept")),
    "close_calls": Kept(close_calls(), ("settling", "instructions kept")),
    "relabel": Kept(relabel(), ("settling", "instructions kept")),
    "concat": Kept(concat(History().user("and").assistant("so"))),
    "branch(2)": Kept(branch(2), ("settling", "selection")),
    "branch(-1)": Kept(branch(-1), ("selection",)),
    "edit": Kept(edit(2, silenced), ("settling",)),
    **{
        f"edit({at}) to {to.__name__}": Kept(edit(at, lambda _, to=to: to("…")))
        for at in (1, 2, 3, -2)
        for to in (Message.System, Message.User, Message.Assistant)
    },
    **{f"edit({at}) to Custom": Kept(edit(at, lambda _: Message.Custom({"type": "nobody"}))) for at in (1, 2, 3)},
}
"""By name: a transform with options, and its laws."""


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python some work takes: what it costs, without a clock."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> Any:
        nonlocal count
        count += 1
        return counted

    before = sys.gettrace()
    sys.settrace(counted)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
