"""What a model asked for in one turn, and the results that stand directly behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import assert_never, final

from attrs import frozen

from chatadt.checks._rule import Server
from chatadt.checks._said import comes_from_assistant
from chatadt.content import Content
from chatadt.dialects._dialect import Rules, Says
from chatadt.message import Message

__all__ = ("Call", "Turn", "begins_turn", "comes_across", "last_said", "says_something", "turns")


@final
@frozen
class Call:
    """A tool request, and where it stands."""

    path: str
    request: Content.ToolRequest


@final
@frozen
class Turn:
    """What a model said before anyone else spoke again: its calls, and by index the tool results directly behind it.

    `answered` has for each of those results the number of the call that it answers, None where it answers none of this turn. Of
    calls with one id the first result answers the first.
    """

    last: int
    """Index of the last assistant message."""
    calls: tuple[Call, ...]
    results: tuple[int, ...]
    answered: tuple[int | None, ...]

    @property
    def end(self) -> int:
        """Index of the last message that belongs to the turn."""
        return self.results[-1] if self.results else self.last

    @property
    def open_calls(self) -> tuple[Call, ...]:
        """The calls that no result directly behind the turn answers."""
        closed = set(self.answered)
        return tuple(call for number, call in enumerate(self.calls) if number not in closed)

    @property
    def strays(self) -> Iterator[int]:
        """Indices of the results behind the turn that answer none of its calls."""
        return (index for index, number in zip(self.results, self.answered, strict=True) if number is None)


def says_something(message: Message.T, server: Server) -> bool:
    """Whether anything of a message comes across: what only another dialect knows is dropped, and is no turn then."""
    match message:
        case Message.Custom(dialect=dialect):
            return dialect == server.dialect.name
        case Message.Assistant() | Message.System():
            return not message.contents or any(comes_across(content, server) for content in message.contents)
        case Message.User() | Message.ToolResult():
            return True  # where nothing of it can be said, a text says so
        case _:
            assert_never(message)


def comes_across(content: Content.T, server: Server) -> bool:
    """Whether anything of what an assistant or the system says comes across."""
    match content:
        case Content.Custom(dialect=dialect):
            return dialect == server.dialect.name
        case Content.Reasoning():
            return _is_taken(content, server)
        case Content.Text() | Content.Refusal() | Content.ToolRequest():
            return True
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return comes_from_assistant(content, server.rules)
        case _:
            assert_never(content)


def _is_taken(reasoning: Content.Reasoning, server: Server) -> bool:
    """Whether a server takes reasoning: its own, and where it need not be signed any that has a text."""
    rules = server.rules
    if any(maker in reasoning.extras for maker in (server.dialect.name, *rules.thinks_first)):
        return True
    says = next((known.assistant for known in rules.capabilities if known.kind == "reasoning"), Says.NATIVE)
    is_own_only = says is not Says.NATIVE or bool(rules.thinks_first) or rules.reasoning_leads
    return not is_own_only and bool(reasoning.text)


def last_said(messages: Sequence[Message.T], server: Server) -> int | None:
    """Index of the last message of which anything comes across."""
    return next((index for index in reversed(range(len(messages))) if says_something(messages[index], server)), None)


def begins_turn(messages: Sequence[Message.T], index: int, rules: Rules) -> bool:
    """Whether the assistant message at `index` is a turn of its own, and does not go on with the one before it."""
    return not (rules.merges_turns and index > 0 and isinstance(messages[index - 1], Message.Assistant))


def turns(messages: Sequence[Message.T], rules: Rules) -> Iterator[Turn]:
    """The turns of the model, in order."""
    last: int | None = None
    calls: list[Call] = []
    results: list[int] = []
    for index, message in enumerate(messages):
        if isinstance(message, Message.ToolResult):
            results.append(index)
            continue
        if rules.text_before_results and isinstance(message, Message.User | Message.System):
            continue  # what stands among the results goes with them
        if last is not None and not (isinstance(message, Message.Assistant) and not begins_turn(messages, index, rules)):
            yield _turn(last, calls, results, messages)
            last, calls = None, []
        results = []
        if isinstance(message, Message.Assistant):
            last = index
            calls += _calls(message, index)
    if last is not None:
        yield _turn(last, calls, results, messages)


def _calls(message: Message.Assistant, index: int) -> Iterator[Call]:
    for position, content in enumerate(message.contents):
        if isinstance(content, Content.ToolRequest):
            yield Call(f"$.messages[{index}].contents[{position}]", content)


def _turn(last: int, calls: list[Call], results: list[int], messages: Sequence[Message.T]) -> Turn:
    waiting: dict[str, deque[int]] = {}
    for number, call in enumerate(calls):
        waiting.setdefault(call.request.id, deque()).append(number)
    answered: list[int | None] = []
    for index in results:
        result = messages[index]
        numbers = waiting.get(result.id) if isinstance(result, Message.ToolResult) else None
        answered.append(numbers.popleft() if numbers else None)
    return Turn(last, tuple(calls), tuple(results), tuple(answered))
