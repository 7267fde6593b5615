"""Which call a tool result answers: what readers learn of it, and what writers lose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from chatadt.content import Content
from chatadt.dialects._losses import dropped, foreign, rewritten
from chatadt.dialects._openai_like.arguments import input_text
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = ("answers", "foreign_call", "free_form_lost", "has_free_form", "misnamed", "name_results")

_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult
_REQUEST: Final = Content.ToolRequest
_set_tool: Final = cast("Any", Message.ToolResult).tool.__set__


def answers(messages: tuple[Message.T, ...]) -> Iterator[tuple[int, Message.ToolResult, str | None]]:
    """Each tool result with its index and the name of its tool, as the last call before it says that has its id."""
    names: dict[str, str] = {}
    message: Any
    for index, message in enumerate(messages):
        kind = message.__class__
        if kind is _ASSISTANT:
            for content in message.contents:
                if content.__class__ is _REQUEST:
                    names[content.id] = content.name
        elif kind is _RESULT:
            yield index, message, names.get(message.id)


def name_results(messages: tuple[Message.T, ...]) -> tuple[Message.T, ...]:
    """Give each freshly read tool result that has no tool name the name that its request has. Nobody has seen the messages yet."""
    names: dict[str, str] = {}
    message: Any
    for message in messages:  # the walk of `answers`, which takes twice the time: every conversation comes by here
        kind = message.__class__
        if kind is _ASSISTANT:
            for content in message.contents:
                if content.__class__ is _REQUEST:
                    names[content.id] = content.name
        elif kind is _RESULT and message.tool is None:
            _set_tool(message, names.get(message.id))
    return messages


def _says_no_name(_: Message.ToolResult) -> bool:
    return False


def misnamed(messages: tuple[Message.T, ...], says_name: Callable[[Message.ToolResult], bool] = _says_no_name) -> list[Loss]:
    """The names that results give to their tools and their calls do not, for a dialect whose results say an id only.

    `says_name` tells the results which are written with the name of their tool after all.
    """
    reason = "a result names its tool by the id of its call only, and no call before it has both"
    return [
        dropped("the name of the tool", result.tool, reason, weight=Weight.DETAIL, path=f"$.messages[{index}].tool")
        for index, result, name in answers(messages)
        if result.tool is not None and result.tool != name and not says_name(result)
    ]


# --- calls of tools that take any text -----------------------------------------------------------------------------------------


def has_free_form(extras: Extras, dialect: str) -> bool:
    """Whether `dialect` noted on a call that its tool takes any text, and no JSON."""
    return dialect in extras and extras.of(dialect).get("$type") == "custom"


def free_form_lost(extras: Extras, dialect: str, said: str) -> list[Loss]:
    """The loss of what a call was, where another dialect noted that its tool takes any text; `said` is that text."""
    if not any(has_free_form(extras, name) for name in extras if name != dialect):
        return []
    return [rewritten("a call of free-form text", said, "a call is one of a function: its text stands as JSON")]


def foreign_call(request: Content.ToolRequest, dialect: str) -> list[Loss]:
    """The losses of what other dialects said of a call that is written as one of a function."""
    if request.extras is NO_EXTRAS:
        return []
    return [*foreign(request.extras, dialect), *free_form_lost(request.extras, dialect, input_text(request.arguments))]
