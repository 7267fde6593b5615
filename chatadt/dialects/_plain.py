"""The short way through turns: those of texts, tool requests and results, as nearly all are.

The long way of each dialect (its `read` and `write`) reads and writes the same of them, and says what is wrong; the short one is
there for speed alone (`benchmarks/pairs.py` measures it, `tests/crossing/test_short_ways.py` holds it to the long one).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from chatadt.content import Arguments, Content
from chatadt.dialects._calls import says_nothing
from chatadt.dialects._codec import OK, plain_assistant, plain_user
from chatadt.dialects._losses import Splice
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.message import Message

__all__ = ("Names", "arguments_of", "is_plain_text", "is_tool_name", "plain_turns", "says_more")

_USER: Final = Message.User
_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult

Names: TypeAlias = "dict[str, str]"
"""The names of the tools that were asked for so far, by the ids of the calls."""


def plain_turns(
    values: Any,
    role_and_field: tuple[str, str],
    said: Callable[[list[Any], Names], tuple[Content.Output, ...] | None],
    told: Callable[[Any, Names], Content.Input | Message.ToolResult | None],
) -> tuple[Message.T, ...] | None:
    """The messages of turns whose roles alternate, each of which has a role and, in a field, a list of blocks.

    `role_and_field` names the model's role and that field; `said` reads the blocks of the model, `told` one block of the user.
    None where either answers None, or cannot read, or a turn is of another shape: that is for the long way.
    """
    if values.__class__ is not list:
        return None
    model, field = role_and_field
    messages: list[Message.T] = []
    names: Names = {}
    before = None
    try:
        for value in values:
            role, blocks = value["role"], value[field]
            if role == before or len(value) != 2 or blocks.__class__ is not list or not blocks:
                return None
            before = role
            if role == model:
                contents = said(blocks, names)
                if contents is None:
                    return None
                messages.append(plain_assistant(contents))
            elif role != "user" or not _add_told(blocks, names, told, messages):
                return None
    except (KeyError, TypeError, ValueError, AttributeError, Unexpected):
        return None
    return tuple(messages)


def _add_told(
    blocks: list[Any],
    names: Names,
    told: Callable[[Any, Names], Content.Input | Message.ToolResult | None],
    messages: list[Message.T],
) -> bool:
    """Add the results of a user's turn, and a message for each run of other blocks; whether all could be read."""
    run: list[Content.Input] = []
    for block in blocks:
        found: Any = told(block, names)
        if found is None:
            return False
        if found.__class__ is _RESULT:
            if run:
                messages.append(plain_user(tuple(run)))
                run = []
            messages.append(found)
        else:
            run.append(found)
    if run:
        messages.append(plain_user(tuple(run)))
    return True


def is_tool_name(value: Any) -> bool:
    """Whether a value is the name of a tool: a string that is not blank."""
    return value.__class__ is str and bool(value) and not value.isspace()


# --- writing -------------------------------------------------------------------------------------------------------------------

_TEXT: Final = Content.Text
_REQUEST: Final = Content.ToolRequest
_PARSED: Final = Arguments.Parsed


def says_more(message: Any) -> bool:
    """Whether a message is a system's, or of a dialect, or says more than contents: extras, a name, an outcome."""
    kind = message.__class__
    if kind is _RESULT:  # of each kind by itself: the interpreter finds a field faster where it is always one of the same class
        return message.extras is not NO_EXTRAS or message.outcome is not OK
    if kind is _ASSISTANT:
        return message.extras is not NO_EXTRAS or message.name is not None
    return kind is not _USER or message.extras is not NO_EXTRAS or message.name is not None


def is_plain_text(content: Any) -> bool:
    """Whether a content is a text and nothing else is said of it."""
    return content.__class__ is _TEXT and content.extras is NO_EXTRAS


def arguments_of(content: Any, dialect: str, splice: Splice) -> Any:
    """The arguments of a tool request of which `dialect` says and loses nothing else, as `splice` puts them; None of any other."""
    if content.__class__ is not _REQUEST or content.arguments.__class__ is not _PARSED:
        return None
    extras = content.extras
    return splice(content.arguments.json) if extras is NO_EXTRAS or says_nothing(extras, dialect) else None
