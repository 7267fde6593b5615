"""Tool requests and their results: each request is answered once, directly behind the message that holds it.

Rules P1 to P3 of every provider (microsoft/semantic-kernel#4336, OpenHands/OpenHands#7512, QwenLM/qwen-code#8161).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.codec import document
from chatadt.content import Content
from chatadt.error import Violation
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message, Outcome

__all__ = ("GATHERED", "PAIRED")

NO_RESULT = "There is no result: the call was not carried out."
"""What an invented result says."""


def _find(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if not server.dialect.rules.pairs_tool_calls:
        return
    merges = server.dialect.rules.merges_turns
    open_calls: dict[str, str] = {}
    asked: set[str] = set()
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.ToolResult):
            if open_calls.pop(message.id, None) is None:
                yield _orphan(message, index, asked)
            continue
        if not (merges and isinstance(message, Message.Assistant) and _follows_assistant(request.messages, index)):
            yield from _unanswered(open_calls)
            open_calls = {}
        if isinstance(message, Message.Assistant):
            for position, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    open_calls[content.id] = f"$.messages[{index}].contents[{position}]"
            asked |= open_calls.keys()
    yield from _unanswered(open_calls)


def _follows_assistant(messages: tuple[Message.T, ...], index: int) -> bool:
    return index > 0 and isinstance(messages[index - 1], Message.Assistant)


def _unanswered(open_calls: dict[str, str]) -> Iterator[Violation]:
    for id_, path in open_calls.items():
        fix = "put its ToolResult directly behind the message, or let repair=True close it with an error"
        yield Violation("tool-pairing", path, f"tool request {id_} has no tool result directly behind its message", fix)


def _orphan(message: Message.ToolResult, index: int, asked: set[str]) -> Violation:
    late = f"tool result {message.id} does not stand directly behind the message with its call"
    never = f"tool result {message.id} has no call before it"
    fix = "put it behind the Assistant message with that ToolRequest, or let repair=True mend it"
    return Violation("tool-pairing", f"$.messages[{index}]", late if message.id in asked else never, fix)


# --- mending -------------------------------------------------------------------------------------------------------------------


def _gather(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Move each result that stands too late behind the message with its call."""
    if not server.dialect.rules.pairs_tool_calls or not _is_scattered(request.messages):
        return Converted(request)
    rest = list(enumerate(request.messages))
    gathered: list[Message.T] = []
    losses: list[Loss] = []
    while rest:
        index, message = rest.pop(0)
        gathered.append(message)
        if not isinstance(message, Message.Assistant):
            continue
        wanted = Counter(call.id for call in message.tool_requests)
        while rest and isinstance(follower := rest[0][1], Message.ToolResult):
            wanted[follower.id] -= 1
            gathered.append(rest.pop(0)[1])
        for place in _late(rest, wanted):
            at, result = rest[place]
            gathered.append(result)
            reason = f"a result stands directly behind the call that it answers, in message {index}"
            losses.append(Loss(f"$.messages[{at}]", "a tool result", Action.MOVED, document(result), reason, Weight.DETAIL))
        moved = {place for place in _late(rest, wanted)}
        rest = [item for place, item in enumerate(rest) if place not in moved]
    return Converted(evolve(request, messages=gathered), tuple(losses))


def _is_scattered(messages: tuple[Message.T, ...]) -> bool:
    """Whether some result follows a message that is neither a result nor an assistant's."""
    return any(
        isinstance(message, Message.ToolResult) and not isinstance(before, Message.ToolResult | Message.Assistant)
        for before, message in zip(messages, messages[1:], strict=False)
    )


def _late(rest: list[tuple[int, Message.T]], wanted: Counter[str]) -> list[int]:
    """Where in `rest` the results stand that `wanted` still lacks; a later call of the same id ends the search for it."""
    missing = +wanted
    places: list[int] = []
    for place, (_, message) in enumerate(rest):
        if not missing:
            break
        if isinstance(message, Message.Assistant):
            for call in message.tool_requests:
                missing.pop(call.id, None)
        elif isinstance(message, Message.ToolResult) and missing[message.id] > 0:
            missing[message.id] -= 1
            missing = +missing
            places.append(place)
    return places


def _pair(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Close what was left open with an error result, and drop results that answer nothing."""
    if next(_find(request, server), None) is None:
        return Converted(request)
    gathered = _gather(request, server)
    paired: list[Message.T] = []
    losses: list[Loss] = list(gathered.losses)
    open_calls: dict[str, str] = {}
    for index, message in enumerate(gathered.value.messages):
        path = f"$.messages[{index}]"
        if isinstance(message, Message.ToolResult):
            if open_calls.pop(message.id, None) is None:
                reason = f"no call {message.id} stands before it"
                losses.append(Loss(path, "a tool result", Action.DROPPED, document(message), reason, Weight.CONTENT))
            else:
                paired.append(message)
            continue
        goes_on = isinstance(message, Message.Assistant) and _follows_assistant(gathered.value.messages, index)
        if not (server.dialect.rules.merges_turns and goes_on):
            _close(open_calls, paired, losses, path)
            open_calls = {}
        if isinstance(message, Message.Assistant):
            open_calls |= {call.id: call.name for call in message.tool_requests}
        paired.append(message)
    _close(open_calls, paired, losses, f"$.messages[{len(gathered.value.messages)}]")
    return Converted(evolve(request, messages=paired), tuple(losses))


def _close(open_calls: dict[str, str], paired: list[Message.T], losses: list[Loss], path: str) -> None:
    for id_, name in open_calls.items():
        paired.append(Message.ToolResult(id_, name, NO_RESULT, Outcome.ERROR))
        losses.append(Loss(path, "a tool result", Action.INVENTED, None, f"tool request {id_} was not answered", Weight.DETAIL))


GATHERED = Rule("tool-pairing", True, _find, _gather)
PAIRED = Rule("tool-pairing", False, _find, _pair)
