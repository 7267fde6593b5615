"""What may not stand together: contents of a user and tool results in one turn, an answer and tool requests in one message.

The first pydantic/pydantic-ai#6081, the second the validator of mistral-common for its tokenizers 1 to 3. Which models have these
could not be verified.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._said import Medium, medium_kind
from chatadt.checks._turns import says_something
from chatadt.checks.text import FILLER
from chatadt.content import Content
from chatadt.error import Severity, Violation
from chatadt.json import NO_EXTRAS, Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("APART", "SPLIT")


# --- beside tool results -------------------------------------------------------------------------------------------------------


def _beside(request: ChatRequest, server: Server) -> Iterator[tuple[int, int, str]]:
    """Where tool results end behind which the user says what may not stand in their turn: that index, that of the message, what."""
    apart = server.profile.apart
    last: int | None = None
    for index, message in enumerate(request.messages if apart else ()):
        if isinstance(message, Message.ToolResult):
            last = index
        elif isinstance(message, Message.User):
            kind = next((kind for kind in map(_kind, message.contents) if kind in apart), None)
            if last is not None and kind is not None:
                yield last, index, kind
                last = None
        elif not isinstance(message, Message.System) and says_something(message, server):
            last = None


def _kind(content: Content.T) -> str:
    return medium_kind(content) if isinstance(content, Medium) else "text"


def _find_beside(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for _, index, kind in _beside(request, server):
        what = f"{kind} of a user in one turn with tool results"
        yield Violation("results-apart", f"$.messages[{index}]", what, "put an assistant message between them")


def _mend_beside(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = list(_beside(request, server))
    if not found:
        return Converted(request)
    ends = {last for last, _, _ in found}
    messages: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        messages.append(message)
        if index in ends:
            reason = "what the user says next may not stand in one turn with tool results"
            path = f"$.messages[{len(messages)}]"
            losses.append(Loss(path, "an assistant message", Action.INVENTED, None, reason, Weight.DETAIL))
            messages.append(Message.Assistant(FILLER))
    return Converted(evolve(request, messages=messages), tuple(losses))


# --- an answer beside tool requests ----------------------------------------------------------------------------------------------


def _mixed(request: ChatRequest, server: Server) -> Iterator[tuple[int, Message.Assistant]]:
    """The assistant messages that hold tool requests and something else."""
    for index, message in enumerate(request.messages if server.profile.says_or_calls else ()):
        if isinstance(message, Message.Assistant) and 0 < len(message.tool_requests) < len(message.contents):
            yield index, message


def _find_mixed(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, _ in _mixed(request, server):
        what = "an assistant message that holds tool requests and something else"
        fix = "put what was said into an assistant message of its own before it"
        yield Violation("says-or-calls", f"$.messages[{index}]", what, fix, Severity.WARNING)


def _mend_mixed(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    mixed = dict(_mixed(request, server))
    messages: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        if index not in mixed or not isinstance(message, Message.Assistant):
            messages.append(message)
            continue
        said = tuple(content for content in message.contents if not isinstance(content, Content.ToolRequest))
        messages += (evolve(message, contents=said, extras=NO_EXTRAS), evolve(message, contents=message.tool_requests))
        reason = "a message holds contents or tool requests: what was said stands in one of its own before it"
        losses.append(Loss(f"$.messages[{index}]", "contents", Action.MOVED, Json.of(message.text), reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


APART = Rule("results-apart", True, _find_beside, _mend_beside)
SPLIT = Rule("says-or-calls", False, _find_mixed, _mend_mixed, certain=False)
