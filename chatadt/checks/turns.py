"""How a conversation begins and ends."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.error import Violation
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("PREFILL", "TURN")

FILLER = "."
"""What an invented user message says where there is no conversation yet: blank text would be refused again."""
GO_ON = "Please go on."
"""What an invented user message says behind an assistant message that the model cannot be made to continue."""


def _find_turn(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if not request.messages:
        yield Violation("needs-turn", "$.messages", "the conversation is empty", "add a user message")
    elif server.dialect.rules.needs_turn and all(isinstance(message, Message.System) for message in request.messages):
        what = "no message besides system: the system prompt is a field, and the list of messages would be empty"
        yield Violation("needs-turn", "$.messages", what, "add a user message")


def _mend_turn(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_turn(request, server), None) is None:
        return Converted(request)
    return _with_user(request, FILLER, "a conversation needs a message besides system")


def _find_prefill(request: ChatRequest, server: Server) -> Iterator[Violation]:
    last = request.messages[-1] if request.messages else None
    if isinstance(last, Message.Assistant) and not last.tool_requests and not server.prefill:
        what = "the target model does not support assistant prefill: a conversation must not end with an assistant message"
        yield Violation(
            "prefill",
            f"$.messages[{len(request.messages) - 1}]",
            what,
            "end with a user message, name a model that supports it, or say prefill=True",
        )


def _mend_prefill(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_prefill(request, server), None) is None:
        return Converted(request)
    return _with_user(request, GO_ON, "the model cannot be made to continue an assistant message")


def _with_user(request: ChatRequest, text: str, reason: str) -> Converted[ChatRequest]:
    messages = (*request.messages, Message.User(text))
    loss = Loss(f"$.messages[{len(request.messages)}]", "a user message", Action.INVENTED, None, reason, Weight.DETAIL)
    return Converted(evolve(request, messages=messages), (loss,))


TURN = Rule("needs-turn", False, _find_turn, _mend_turn)
PREFILL = Rule("prefill", False, _find_prefill, _mend_prefill)
