"""Thinking: how much of it, what a server wants to see of it again, and what it does not go together with.

Rules T1 (deepset-ai/haystack-core-integrations#2146, anomalyco/opencode#3077), T4 (vercel/ai#7099, openai/openai-node#1567,
continuedev/continue#8933), section 8 (pydantic-ai for forcing while thinking), and the least budget (the docstrings of anthropic's
SDK). That prefill does not go together with thinking could not be verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from attrs import evolve

from chatadt.chat import ChatRequest, ModelParams, Thinking
from chatadt.checks._rule import Rule, Server
from chatadt.checks._turns import begins_turn, last_said, says_something
from chatadt.checks.text import with_contents
from chatadt.checks.turns import GO_ON, with_user
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._media import has_words
from chatadt.error import Severity, Violation, show
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import ToolChoice

__all__ = ("BUDGET", "FORCED", "LEADING", "PREFILLED", "THINKING", "is_forced", "may_misthink")


def _thinks(params: ModelParams) -> bool:
    return isinstance(params.thinking, Thinking.Budget | Thinking.Adaptive)


def may_misthink(params: ModelParams, server: Server) -> bool:
    """Whether the parameters may break a rule of this module."""
    if not _thinks(params):
        return False
    rules = server.dialect.rules
    has_budget = isinstance(params.thinking, Thinking.Budget) and bool(rules.thinks_first or rules.least_thinking is not None)
    return has_budget or not (rules.prefill_while_thinking and (rules.forces_while_thinking or not is_forced(params)))


# --- what comes first in an open loop ------------------------------------------------------------------------------------------


def _find_thinking(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if not (server.rules.thinks_first and server.profile.thinks) or not isinstance(request.params.thinking, Thinking.Budget):
        return
    index = _last_loop(request.messages, server)
    if index is None:
        return
    message = request.messages[index]
    first = message.contents[0] if isinstance(message, Message.Assistant) and message.contents else None
    if not (isinstance(first, Content.Reasoning) and _is_signed(first, server)):
        what = "thinking is on, and the assistant message of the open tool loop does not begin with signed reasoning"
        fix = "keep the reasoning that came with it, or switch thinking off until the loop is closed"
        yield Violation("thinking-first", f"$.messages[{index}]", what, fix)


def _is_signed(content: Content.Reasoning, server: Server) -> bool:
    """Whether a server of this model made the reasoning."""
    return any(dialect in content.extras for dialect in server.rules.thinks_first)


def _last_loop(messages: tuple[Message.T, ...], server: Server) -> int | None:
    """Where the assistant message stands whose tool results are in the last turn: what the user says behind them is no new one."""
    is_open = False
    for index in reversed(range(len(messages))):
        message = messages[index]
        if isinstance(message, Message.ToolResult):
            is_open = True
        elif says_something(message, server) and not (isinstance(message, Message.User) and server.rules.merges_turns):
            return index if is_open and isinstance(message, Message.Assistant) else None
    return None


def _mend_thinking(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_thinking(request, server), None) is None:
        return Converted(request)
    return _without_budget(request, "the open tool loop was begun without signed reasoning, so it goes on without thinking")


def _without_budget(request: ChatRequest, reason: str) -> Converted[ChatRequest]:
    thinking = request.params.thinking
    has_more = isinstance(thinking, Thinking.Budget) and bool(thinking.extras)
    tokens = Json.of(thinking.tokens) if isinstance(thinking, Thinking.Budget) else None
    original = document(ModelParams(thinking=thinking)) if has_more else tokens
    loss = Loss("$.params.thinking", "the budget for thinking", Action.DROPPED, original, reason, Weight.DETAIL)
    return Converted(evolve(request, params=evolve(request.params, thinking=None)), (loss,))


# --- how much ------------------------------------------------------------------------------------------------------------------


def _misbudgeted(request: ChatRequest, server: Server) -> tuple[int, int | None] | None:
    """A budget that is not taken, and the one that is nearest to it: None where none leaves anything of the answer."""
    least, thinking, most = server.rules.least_thinking, request.params.thinking, request.params.max_output_tokens
    if least is None or not isinstance(thinking, Thinking.Budget) or not server.profile.thinks:
        return None
    near: int | None = max(least, thinking.tokens if most is None else min(thinking.tokens, most - 1))
    if most is not None and least >= most:
        near = None
    return None if near == thinking.tokens else (thinking.tokens, near)


def _find_budget(request: ChatRequest, server: Server) -> Iterator[Violation]:
    found = _misbudgeted(request, server)
    if found is not None:
        fix = f"give at least {server.rules.least_thinking} tokens, and fewer than the answer may have"
        yield Violation(
            "thinking-budget", "$.params.thinking", f"a budget of {show(found[0])} tokens for thinking is not taken", fix
        )


def _mend_budget(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = _misbudgeted(request, server)
    thinking = request.params.thinking
    if found is None or not isinstance(thinking, Thinking.Budget):
        return Converted(request)
    tokens, near = found
    if near is None:
        return _without_budget(request, "the answer is to be too short for any thinking that is taken")
    reason = f"it must be at least {server.rules.least_thinking}, and less than the answer may have: now it is {show(near)}"
    loss = Loss("$.params.thinking", "the budget for thinking", Action.REWRITTEN, Json.of(tokens), reason, Weight.DETAIL)
    return Converted(evolve(request, params=evolve(request.params, thinking=evolve(thinking, tokens=near))), (loss,))


# --- what it does not go together with -----------------------------------------------------------------------------------------


def is_forced(params: ModelParams) -> bool:
    """Whether the model must call a tool although it is to think first."""
    return isinstance(params.tool_choice, ToolChoice.Required | ToolChoice.One) and _thinks(params)


def _find_forced(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if not server.rules.forces_while_thinking and server.profile.thinks and is_forced(request.params):
        what = "a tool is forced while the model is to think"
        fix = "let the model choose (ToolChoice.Auto), or switch thinking off"
        yield Violation("forced-tool", "$.params.tool_choice", what, fix, Severity.WARNING)


def _mend_forced(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_forced(request, server), None) is None:
        return Converted(request)
    choice = request.params.tool_choice
    said = Json.of(choice.name if isinstance(choice, ToolChoice.One) else "required")
    reason = "no tool can be forced while the model thinks: now it may choose"
    loss = Loss("$.params.tool_choice", "the tool choice", Action.REWRITTEN, said, reason, Weight.DETAIL)
    return Converted(evolve(request, params=evolve(request.params, tool_choice=ToolChoice.Auto())), (loss,))


def _find_prefilled(request: ChatRequest, server: Server) -> Iterator[Violation]:
    index = last_said(request.messages, server)
    last = None if index is None else request.messages[index]
    holds = not server.rules.prefill_while_thinking and server.profile.thinks and _thinks(request.params)
    if holds and isinstance(last, Message.Assistant) and not last.tool_requests:
        what = "the conversation ends with an assistant message, and the model is to think"
        fix = "end with a user message, or switch thinking off"
        yield Violation("prefill", f"$.messages[{index}]", what, fix, Severity.WARNING)


def _mend_prefilled(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_prefilled(request, server), None) is None:
        return Converted(request)
    return with_user(request, len(request.messages), GO_ON, "a model that thinks does not continue an assistant message")


# --- what reasoning led to -----------------------------------------------------------------------------------------------------


def _leading_nowhere(request: ChatRequest, server: Server) -> Iterator[tuple[int, int]]:
    """Each reasoning of the dialect's own that nothing follows in its turn, with the indices of its message and its content."""
    if not server.rules.reasoning_leads:
        return
    own = server.dialect.name
    pending: list[tuple[int, int]] = []
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            pending = []  # an item of the server's, which may be what it led to
            continue
        if not isinstance(message, Message.Assistant) or begins_turn(request.messages, index, server.rules):
            yield from pending
            pending = []
        if isinstance(message, Message.Assistant):
            for position, content in enumerate(message.contents):
                if isinstance(content, Content.Reasoning) and own in content.extras:
                    pending.append((index, position))
                elif _is_led_to(content, own):
                    pending = []
    yield from pending


def _is_led_to(content: Content.T, own: str) -> bool:
    """Whether a content is an item that reasoning may have led to; what the dialect cannot say from an assistant is none."""
    match content:
        case Content.Text() | Content.Refusal() | Content.ToolRequest():
            return True
        case Content.Custom(dialect=dialect):
            return dialect == own
        case Content.Audio(transcript=transcript):
            return has_words(transcript)
        case Content.Reasoning() | Content.Image() | Content.Video() | Content.PDF() | Content.File():
            return False
        case _:
            assert_never(content)


def _find_leading(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, position in _leading_nowhere(request, server):
        what = "reasoning without the message or the tool request that it led to"
        fix = "keep what followed it, or leave it out"
        yield Violation("reasoning-leads", f"$.messages[{index}].contents[{position}]", what, fix)


def _mend_leading(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    gone = list(_leading_nowhere(request, server))
    if not gone:
        return Converted(request)
    messages: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        if not isinstance(message, Message.Assistant) or all(at != index for at, _ in gone):
            messages.append(message)
            continue
        positions = [position for at, position in gone if at == index]
        reason = "what it led to is not there any more, and without that it is refused"
        for position in positions:
            path, original = f"$.messages[{index}].contents[{position}]", document(message.contents[position])
            losses.append(Loss(path, "reasoning", Action.DROPPED, original, reason, Weight.DETAIL))
        kept = tuple(content for position, content in enumerate(message.contents) if position not in positions)
        if kept:
            messages.append(with_contents(message, kept))
        elif message.name is not None or message.extras:
            reason = "nothing of the message is left"
            losses.append(Loss(f"$.messages[{index}]", "a message", Action.DROPPED, document(message), reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses))


THINKING: Final = Rule("thinking-first", False, _find_thinking, _mend_thinking)
BUDGET: Final = Rule("thinking-budget", True, _find_budget, _mend_budget)
FORCED: Final = Rule("forced-tool", False, _find_forced, _mend_forced, certain=False)
PREFILLED: Final = Rule("prefill", False, _find_prefilled, _mend_prefilled, certain=False)
LEADING: Final = Rule("reasoning-leads", False, _find_leading, _mend_leading)
