"""Calls that were cut off before their arguments: nothing at all means `{}` only where the model was done with it."""

from __future__ import annotations

from typing import Final, TypeVar, assert_never

from attrs import evolve

from chatadt.chat import StopKind, StopReason
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.message import Message

__all__ = ("BROKE_OFF", "cuts_off", "with_cut_call", "without_arguments")

BROKE_OFF: Final = frozenset({StopKind.ERROR, StopKind.INTERRUPTED, StopKind.CANCELLED})
"""Why an answer has no end: what it says is only a part of what the model would have said."""

C = TypeVar("C", bound=Content.T)


def cuts_off(stop: StopReason | None) -> bool:
    """Whether the model may not have been done with what it said last."""
    if stop is None:
        return False
    match stop.kind:
        case StopKind.END | StopKind.STOP_SEQUENCE | StopKind.TOOL_CALLS | StopKind.PAUSED | StopKind.OTHER:
            return False
        case (
            StopKind.LENGTH | StopKind.CONTEXT_OVERFLOW | StopKind.CONTENT_FILTER | StopKind.REFUSAL | StopKind.MALFORMED_TOOL_CALL
        ):
            return True
        case StopKind.ERROR | StopKind.INTERRUPTED | StopKind.CANCELLED:
            return True
        case _:
            assert_never(stop.kind)


def without_arguments(content: C, text: str, stop: StopReason) -> C:
    """What an answer ends with, of whose arguments nothing came but white space: a call of which nobody knows what it is to do."""
    if not isinstance(content, Content.ToolRequest):
        return content
    return evolve(content, arguments=Arguments.Malformed(text, f"the answer ends before them ({stop.raw or stop.kind.value})"))


def with_cut_call(message: Message.Assistant, stop: StopReason | None) -> Message.Assistant:
    """The message of an answer whose arguments are texts.

    A call at its end that has none is cut off where the model was not done.
    """
    if not message.contents or stop is None or not cuts_off(stop):
        return message
    *others, last = message.contents
    if not isinstance(last, Content.ToolRequest) or last.arguments is not NO_ARGUMENTS:  # which no text `{}` is
        return message
    return evolve(message, contents=(*others, without_arguments(last, "", stop)))
