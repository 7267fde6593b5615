"""Who speaks first, who speaks last, and where system messages may stand.

Rules R1 (mistral-common's validator: "Unexpected role 'system' after role 'assistant'"), R3 (NousResearch/hermes-agent#63983, and
pydantic-ai for Gemini and Bedrock) and R5 (NousResearch/hermes-agent#108200, mistral-common's validator).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Find, Mend, Rule, Server
from chatadt.checks._turns import last_said, says_something
from chatadt.checks.text import FILLER
from chatadt.codec import document
from chatadt.error import Severity, Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("FIRST_USER", "FIRST_USER_SAID", "GO_ON", "LAST_USER", "PREFILL", "PREFIXES", "SYSTEM_FIRST", "TURN", "with_user")

GO_ON = "Please go on."
"""What an invented user message says behind an assistant message that the model cannot be made to continue."""


# --- the first turn ------------------------------------------------------------------------------------------------------------


def _find_turn(request: ChatRequest, server: Server) -> Iterator[Violation]:
    said = [message for message in request.messages if says_something(message, server)]
    if not said:
        yield Violation("needs-turn", "$.messages", "the conversation is empty", "add a user message")
    elif server.rules.needs_turn and all(isinstance(message, Message.System) for message in said):
        what = "no message besides system: the system prompt is a field, and the list of messages would be empty"
        yield Violation("needs-turn", "$.messages", what, "add a user message")


def _mend_turn(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_turn(request, server), None) is None:
        return Converted(request)
    return with_user(request, len(request.messages), FILLER, "a conversation needs a message besides system")


def _must_begin(server: Server, *, certain: bool) -> bool:
    """Whether a conversation must begin with a user's message, for certain, or by what is said."""
    must = server.rules.first_user and not server.profile.any_first
    return must if certain else server.profile.first_user_said and not must


def _first(request: ChatRequest, server: Server, *, certain: bool) -> int | None:
    """Where a user message is missing before all others."""
    if not _must_begin(server, certain=certain):
        return None
    spoken = (index for index, message in enumerate(request.messages) if not isinstance(message, Message.System))
    index = next((index for index in spoken if says_something(request.messages[index], server)), None)
    is_theirs = index is not None and isinstance(request.messages[index], Message.Assistant | Message.ToolResult)
    return index if is_theirs else None


def _first_finder(*, certain: bool) -> Find:
    def find(request: ChatRequest, server: Server) -> Iterator[Violation]:
        index = _first(request, server, certain=certain)
        if index is not None:
            what = "the conversation begins with a message that is not a user's"
            severity = Severity.ERROR if certain else Severity.WARNING
            yield Violation("first-user", f"$.messages[{index}]", what, "begin with a user message", severity)

    return find


def _first_mender(*, certain: bool) -> Mend:
    def mend(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
        index = _first(request, server, certain=certain)
        reason = "a conversation begins with a user message"
        return Converted(request) if index is None else with_user(request, index, FILLER, reason)

    return mend


# --- system messages -----------------------------------------------------------------------------------------------------------


def _find_system(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index in _late_system(request, server):
        what = "a system message does not stand behind an assistant message or a tool result"
        yield Violation("system-first", f"$.messages[{index}]", what, "put it before the answer, or into the next user message")


def _late_system(request: ChatRequest, server: Server) -> Iterator[int]:
    if not server.rules.system_first:
        return
    behind = False
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.System):
            if behind:
                yield index
        elif says_something(message, server):
            behind = isinstance(message, Message.Assistant | Message.ToolResult)


def _mend_system(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Let each one lead the user message that follows it; where none does, it becomes one."""
    late = set(_late_system(request, server))
    if not late:
        return Converted(request)
    messages: list[Message.T] = []
    losses: list[Loss] = []
    folded: list[Message.System] = []
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.System) and index in late:
            folded.append(message)
            reason = "a system message does not stand behind an answer: this one leads the next user message"
            losses.append(Loss(f"$.messages[{index}]", "a system message", Action.MOVED, document(message), reason, Weight.DETAIL))
            continue
        if folded and not says_something(message, server):
            messages.append(message)
            continue
        leading = [content for system in folded for content in system.contents]
        if folded and isinstance(message, Message.User):
            message = evolve(message, contents=(*leading, *message.contents))
        elif folded:
            messages.append(Message.User(leading))
        messages.append(message)
        folded = []
    if folded:
        messages.append(Message.User([content for system in folded for content in system.contents]))
    return Converted(evolve(request, messages=messages), tuple(losses))


# --- the last turn -------------------------------------------------------------------------------------------------------------


def _last(request: ChatRequest, server: Server) -> tuple[Message.T | None, str]:
    index = last_said(request.messages, server)
    return (None, "$.messages") if index is None else (request.messages[index], f"$.messages[{index}]")


def _find_prefill(request: ChatRequest, server: Server) -> Iterator[Violation]:
    last, path = _last(request, server)
    if isinstance(last, Message.Assistant) and not last.tool_requests and not server.prefill:
        what = "the target model does not support assistant prefill: a conversation must not end with an assistant message"
        yield Violation("prefill", path, what, "end with a user message, name a model that supports it, or say prefill=True")


def _mend_prefill(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_prefill(request, server), None) is None:
        return Converted(request)
    return with_user(request, len(request.messages), GO_ON, "the model cannot be made to continue an assistant message")


def _find_last(request: ChatRequest, server: Server) -> Iterator[Violation]:
    last, path = _last(request, server)
    if not server.rules.last_user or not isinstance(last, Message.System | Message.Assistant) or _goes_on(last, server):
        return
    if isinstance(last, Message.Assistant) and last.tool_requests and server.rules.pairs_tool_calls:
        return  # its calls are unanswered, which says more
    speaker = "a system" if isinstance(last, Message.System) else "an assistant"
    mark = f", or mark it with {server.rules.prefix_field!r}" if server.rules.prefix_field else ""
    yield Violation("last-user", path, f"the conversation ends with {speaker} message", f"end with a user message{mark}")


def _goes_on(last: Message.System | Message.Assistant, server: Server) -> bool:
    """Whether the message says, or the caller, that the model should go on with it."""
    field = server.rules.prefix_field
    if isinstance(last, Message.System) or field is None:
        return False
    return server.target.prefill is True or last.extras.of(server.dialect.name).get(field) is True


def _mend_last(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_last(request, server), None) is None:
        return Converted(request)
    return with_user(request, len(request.messages), GO_ON, "a conversation ends with a user message or a tool result")


def _prefixes(request: ChatRequest, server: Server) -> Iterator[tuple[int, Message.Assistant]]:
    """Each assistant message that asks the model to go on with it although others follow."""
    field, own = server.rules.prefix_field, server.dialect.name
    end = last_said(request.messages, server) if field is not None else None
    for index, message in enumerate(request.messages[:end] if end is not None else ()):
        if isinstance(message, Message.Assistant) and own in message.extras and message.extras.of(own).get(field or "") is True:
            yield index, message


def _find_prefixes(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, _ in _prefixes(request, server):
        what = f"{server.rules.prefix_field!r} of a message that is not the last"
        yield Violation("prefix-last", f"$.messages[{index}]", what, "leave it out")


def _mend_prefixes(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    field, own = server.rules.prefix_field or "", server.dialect.name
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, message in _prefixes(request, server):
        kept = {key: item for key, item in message.extras.of(own).items() if key != field}
        others = {name: item for name, item in message.extras.items() if name != own}
        messages[index] = evolve(message, extras={**others, own: kept} if kept else others)
        reason = "the model goes on with the last message only"
        losses.append(Loss(f"$.messages[{index}]", field, Action.DROPPED, Json.of(True), reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


def with_user(request: ChatRequest, index: int, text: str, reason: str) -> Converted[ChatRequest]:
    """The request with a user message at an index, which is a loss."""
    messages = (*request.messages[:index], Message.User(text), *request.messages[index:])
    loss = Loss(f"$.messages[{index}]", "a user message", Action.INVENTED, None, reason, Weight.DETAIL)
    return Converted(evolve(request, messages=messages), (loss,))


TURN = Rule("needs-turn", False, _find_turn, _mend_turn)
FIRST_USER = Rule("first-user", False, _first_finder(certain=True), _first_mender(certain=True))
FIRST_USER_SAID = Rule("first-user", False, _first_finder(certain=False), _first_mender(certain=False), certain=False)
SYSTEM_FIRST = Rule("system-first", True, _find_system, _mend_system)
PREFILL = Rule("prefill", False, _find_prefill, _mend_prefill)
PREFIXES = Rule("prefix-last", True, _find_prefixes, _mend_prefixes)
LAST_USER = Rule("last-user", False, _find_last, _mend_last)
