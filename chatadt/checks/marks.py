"""Marks that a server counts, and thinking that it wants to see again.

Rules C (tghamm/Anthropic.SDK#50, UKGovernmentBEIS/inspect_ai#3967) and T1 (deepset-ai/haystack-core-integrations#2146).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from chatadt.chat import ChatRequest, Thinking
from chatadt.checks._rule import Rule, Server
from chatadt.content import Content
from chatadt.error import Violation
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import Tool

__all__ = ("CACHE_MARKS", "THINKING")

_MARK = "cache_control"


def _find_marks(request: ChatRequest, server: Server) -> Iterator[Violation]:
    most = server.dialect.rules.cache_marks
    if most is None:
        return
    paths = [path for path, _ in _marked(request, server.dialect.name)]
    if len(paths) > most:
        what = f"{len(paths)} cache_control marks, at most {most} are taken"
        yield Violation("cache-marks", paths[most], what, "take marks away, or let repair=True keep the last ones")


def _marked(request: ChatRequest, dialect: str) -> Iterator[tuple[str, Any]]:
    """The path of each word that has a mark, and the word."""
    for index, tool in enumerate(request.params.tools):
        if isinstance(tool, Tool) and _is_marked(tool.extras, dialect):
            yield f"$.params.tools[{index}]", tool
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        for position, content in enumerate(message.contents):
            if not isinstance(content, Content.Custom) and _is_marked(content.extras, dialect):
                yield f"$.messages[{index}].contents[{position}]", content
        if _is_marked(message.extras, dialect):
            yield f"$.messages[{index}]", message


def _is_marked(extras: Extras, dialect: str) -> bool:
    return extras is not NO_EXTRAS and extras.of(dialect).get(_MARK) is not None


def _mend_marks(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """Take the first marks away: what comes last in a prefix holds what comes before it."""
    dialect, most = server.dialect.name, server.dialect.rules.cache_marks
    marked = list(_marked(request, dialect))
    if most is None or len(marked) <= most:
        return Converted(request)
    surplus = marked[: len(marked) - most]
    gone = {path for path, _ in surplus}

    def plain(word: Any, path: str) -> Any:
        if path not in gone:
            return word
        own = word.extras.of(dialect)
        own.pop(_MARK)
        others = {name: value for name, value in word.extras.items() if name != dialect}
        return evolve(word, extras={**others, dialect: own} if own else others)

    tools = tuple(plain(tool, f"$.params.tools[{index}]") for index, tool in enumerate(request.params.tools))
    messages = [plain(_inside(message, index, plain), f"$.messages[{index}]") for index, message in enumerate(request.messages)]
    reason = f"at most {most} marks are taken, and the last ones hold what comes before them"
    losses = tuple(
        Loss(path, _MARK, Action.DROPPED, Json.of(word.extras.of(dialect)[_MARK]), reason, Weight.DETAIL) for path, word in surplus
    )
    return Converted(evolve(request, messages=messages, params=evolve(request.params, tools=tools)), losses)


def _inside(message: Message.T, index: int, plain: Any) -> Message.T:
    if isinstance(message, Message.Custom):
        return message
    contents = tuple(
        plain(content, f"$.messages[{index}].contents[{position}]") for position, content in enumerate(message.contents)
    )
    return evolve(message, contents=contents)


# --- thinking ------------------------------------------------------------------------------------------------------------------


def _find_thinking(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if server.dialect.rules.cache_marks is None or not isinstance(request.params.thinking, Thinking.Budget):
        return
    index = _last_loop(request.messages)
    if index is None:
        return
    message = request.messages[index]
    first = message.contents[0] if isinstance(message, Message.Assistant) and message.contents else None
    if not (isinstance(first, Content.Reasoning) and server.dialect.name in first.extras):
        what = "thinking is on, and the assistant message of the open tool loop does not begin with signed reasoning"
        fix = "keep the reasoning that came with it, or switch thinking off until the loop is closed"
        yield Violation("thinking-first", f"$.messages[{index}]", what, fix)


def _last_loop(messages: tuple[Message.T, ...]) -> int | None:
    """Where the assistant message stands whose tool results end the conversation."""
    index = len(messages)
    while index and isinstance(messages[index - 1], Message.ToolResult):
        index -= 1
    is_open = 0 < index < len(messages) and isinstance(messages[index - 1], Message.Assistant)
    return index - 1 if is_open else None


def _mend_thinking(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    thinking = request.params.thinking
    if next(_find_thinking(request, server), None) is None or not isinstance(thinking, Thinking.Budget):
        return Converted(request)
    reason = "the open tool loop was begun without signed reasoning, so it goes on without thinking"
    loss = Loss("$.params.thinking", "the budget for thinking", Action.DROPPED, Json.of(thinking.tokens), reason, Weight.DETAIL)
    return Converted(evolve(request, params=evolve(request.params, thinking=None)), (loss,))


CACHE_MARKS = Rule("cache-marks", False, _find_marks, _mend_marks)
THINKING = Rule("thinking-first", False, _find_thinking, _mend_thinking)
