"""Tool requests and their results: each request is answered once, directly behind the message that holds it.

Rules P1 to P3 of every provider (microsoft/semantic-kernel#4336, OpenHands/OpenHands#7512, QwenLM/qwen-code#8161), and P5 of those
that match results with calls by their place (google-gemini/gemini-cli#4217, brainlid/langchain#634).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._turns import Call, Turn, turns
from chatadt.codec import document
from chatadt.content import Content
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message, Outcome

__all__ = ("GATHERED", "ORDERED", "PAIRED")

NO_RESULT = "There is no result: the call was not carried out."
"""What an invented result says."""


# --- finding -------------------------------------------------------------------------------------------------------------------


def _find(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if not server.rules.pairs_tool_calls:
        return
    known = list(turns(request.messages, server.rules))
    found = [(turn.last, _unanswered(call)) for turn in known for call in turn.open_calls]
    asked: set[str] = set()
    asking = {turn.last: turn for turn in known}
    strays = _orphans(request.messages, known, server)
    for index, message in enumerate(request.messages):
        if index in asking:
            asked.update(call.request.id for call in asking[index].calls)
        if isinstance(message, Message.ToolResult) and index in strays:
            found.append((index, _orphan(message, index, asked)))
    yield from (violation for _, violation in sorted(found, key=lambda pair: pair[0]))


def _strays(messages: tuple[Message.T, ...], known: Iterable[Turn]) -> Iterator[int]:
    """Indices of the results that answer nothing of the turn directly before them."""
    behind = {index: number for turn in known for index, number in zip(turn.results, turn.answered, strict=True)}
    return (i for i, message in enumerate(messages) if isinstance(message, Message.ToolResult) and behind.get(i) is None)


def _orphans(messages: tuple[Message.T, ...], known: Iterable[Turn], server: Server) -> set[int]:
    """Indices of the strays whose call the server does not have either."""
    strays = set(_strays(messages, known))
    own, rules = server.dialect.name, server.rules
    if not strays or (rules.holds_calls is None and rules.call_key is None):
        return strays
    held: set[str] = set()
    for index, message in enumerate(messages):
        if isinstance(message, Message.Custom):
            if message.dialect == own and rules.holds_calls is not None and rules.holds_calls(message.attributes):
                return {stray for stray in strays if stray < index}
            continue
        held.update(
            call
            for content in message.contents
            if isinstance(content, Content.Custom) and content.dialect == own
            if (call := _call_id(content.value, rules.call_key)) is not None
        )
        if isinstance(message, Message.ToolResult) and message.id in held:
            strays.discard(index)
    return strays


def _call_id(block: Json, key: str | None) -> str | None:
    value: Any = block.value
    found: Any = value.get(key) if key is not None and value.__class__ is dict else None
    return found if isinstance(found, str) else None


def _unanswered(call: Call) -> Violation:
    fix = "put its ToolResult directly behind the message, or let repair=True close it with an error"
    return Violation(
        "tool-pairing", call.path, f"tool request {call.request.id} has no tool result directly behind its message", fix
    )


def _orphan(message: Message.ToolResult, index: int, asked: set[str]) -> Violation:
    late = f"tool result {message.id} does not stand directly behind the message with its call"
    never = f"tool result {message.id} has no call before it"
    fix = "put it behind the Assistant message with that ToolRequest, or let repair=True mend it"
    return Violation("tool-pairing", f"$.messages[{index}]", late if message.id in asked else never, fix)


# --- mending -------------------------------------------------------------------------------------------------------------------


def _gather(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Move each result that stands too late behind the message with its call."""
    if not server.rules.pairs_tool_calls:
        return Converted(request)
    known = list(turns(request.messages, server.rules))
    late = _late(request.messages, known)
    if not late:
        return Converted(request)
    moved = {index for indices in late.values() for index in indices}
    behind = {known[number].end: number for number in late}
    gathered: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        if index not in moved:
            gathered.append(message)
        if index in behind:
            number = behind[index]
            gathered += (request.messages[place] for place in late[number])
            losses += (_moved(request.messages[place], place, known[number].last) for place in late[number])
    return Converted(evolve(request, messages=gathered), tuple(losses))


def _moved(result: Message.T, place: int, last: int) -> Loss:
    reason = f"a result stands directly behind the call that it answers, in message {last}"
    return Loss(f"$.messages[{place}]", "a tool result", Action.MOVED, document(result), reason, Weight.DETAIL)


def _late(messages: tuple[Message.T, ...], known: list[Turn]) -> dict[int, list[int]]:
    """By number of a turn: the results that answer its open calls from afar. A later call of the same id ends the search."""
    missing = [Counter(call.request.id for call in turn.open_calls) for turn in known]
    begins = {turn.last: number for number, turn in enumerate(known)}
    strays = set(_strays(messages, known))
    latest: dict[str, int] = {}
    late: dict[int, list[int]] = {}
    for index, message in enumerate(messages):
        if index in begins:
            latest.update((call.request.id, begins[index]) for call in known[begins[index]].calls)
        if isinstance(message, Message.ToolResult) and index in strays:
            number = latest.get(message.id)
            if number is not None and missing[number][message.id]:
                missing[number][message.id] -= 1
                late.setdefault(number, []).append(index)
    return late


def _pair(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Close what was left open with an error result, and drop results that answer nothing."""
    if next(_find(request, server), None) is None:
        return Converted(request)
    gathered = _gather(request, server)
    messages = gathered.value.messages
    known = list(turns(messages, server.rules))
    strays = _orphans(messages, known, server)
    ends = {turn.end: turn for turn in known if turn.open_calls}
    paired: list[Message.T] = []
    losses: list[Loss] = list(gathered.losses)
    for index, message in enumerate(messages):
        if isinstance(message, Message.ToolResult) and index in strays:
            is_answered = message.id in {call.request.id for turn in known if turn.last < index for call in turn.calls}
            reason = f"call {message.id} is answered already" if is_answered else f"no call {message.id} stands before it"
            path = f"$.messages[{index}]"
            losses.append(Loss(path, "a tool result", Action.DROPPED, document(message), reason, Weight.CONTENT))
        else:
            paired.append(message)
        for call in ends[index].open_calls if index in ends else ():
            paired.append(Message.ToolResult(call.request.id, call.request.name, NO_RESULT, Outcome.ERROR))
            reason = f"tool request {call.request.id} was not answered"
            losses.append(Loss(f"$.messages[{index + 1}]", "a tool result", Action.INVENTED, None, reason, Weight.DETAIL))
    return Converted(evolve(request, messages=paired), tuple(losses))


# --- the order of results ------------------------------------------------------------------------------------------------------


def _misplaced(request: ChatRequest, server: Server) -> Iterator[tuple[int, int]]:
    """Where a result stands, and which one belongs there, wherever the two differ."""
    if not server.rules.results_in_order:
        return
    for turn in turns(request.messages, server.rules):
        stands = [(number, index) for index, number in zip(turn.results, turn.answered, strict=True) if number is not None]
        yield from ((there, here) for (_, there), (_, here) in zip(stands, sorted(stands), strict=True) if there != here)


def _find_disorder(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for place, index in _misplaced(request, server):
        what = f"the tool result at {index} answers an earlier call than the one that stands here"
        if index > place:
            yield Violation("results-in-order", f"$.messages[{place}]", what, "put the results in the order of their calls")


def _put_in_order(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    messages = list(request.messages)
    losses: list[Loss] = []
    for place, index in _misplaced(request, server):
        messages[place] = request.messages[index]
        reason = "results stand in the order of their calls"
        original = document(request.messages[index])
        losses.append(Loss(f"$.messages[{index}]", "a tool result", Action.MOVED, original, reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


GATHERED = Rule("tool-pairing", True, _find, _gather)
PAIRED = Rule("tool-pairing", False, _find, _pair)
ORDERED = Rule("results-in-order", True, _find_disorder, _put_in_order)
