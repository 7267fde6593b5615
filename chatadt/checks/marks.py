"""Marks of the prompt cache: how many a server counts, and where they may stand.

Rules C (tghamm/Anthropic.SDK#50 for their number, UKGovernmentBEIS/inspect_ai#3967 for reasoning, pydantic-ai for marks of Bedrock
that are blocks of their own).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.text import with_contents
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._dialect import Rules
from chatadt.error import Severity, Violation
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import Tool

__all__ = ("CACHE_MARKS", "CACHE_MARKS_SAID", "CACHE_POINTS", "REASONING_MARKS", "is_marked")


def is_marked(extras: Extras, rules: Rules) -> bool:
    """Whether a word has a mark."""
    return extras is not NO_EXTRAS and _mark(extras, rules) is not None


def _mark(extras: Extras, rules: Rules) -> tuple[str, str, Any] | None:
    """Where the mark of a word stands, dialect and key, and the mark; None where it has none, or is said to have none."""
    for dialect, key in rules.marks:
        own = extras.of(dialect) if dialect in extras else {}
        if own.get(key) is not None:
            return (dialect, key, own[key]) if own[key] else None
    return None


def _marked(request: ChatRequest, rules: Rules) -> Iterator[tuple[str, Any]]:
    """The path of each word that has a mark, and the word."""
    if not rules.marks:
        return
    for index, tool in enumerate(request.params.tools):
        if isinstance(tool, Tool) and is_marked(tool.extras, rules):
            yield f"$.params.tools[{index}]", tool
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        for position, content in enumerate(message.contents):
            if not isinstance(content, Content.Custom) and is_marked(content.extras, rules):
                yield f"$.messages[{index}].contents[{position}]", content
        if is_marked(message.extras, rules):
            yield f"$.messages[{index}]", message


def _unmarked(request: ChatRequest, rules: Rules, found: list[tuple[str, Any]], reason: str) -> Converted[ChatRequest]:
    """The request without the marks of some words, each a loss."""
    if not found:
        return Converted(request)
    gone = {path for path, _ in found}
    losses: list[Loss] = []

    def plain(word: Any, path: str) -> Any:
        if path not in gone:
            return word
        extras: Extras = word.extras
        while (mark := _mark(extras, rules)) is not None:
            dialect, key, value = mark
            losses.append(Loss(path, key, Action.DROPPED, Json.of(value), reason, Weight.DETAIL))
            own = {name: item for name, item in extras.of(dialect).items() if name != key}
            others = {name: item for name, item in extras.items() if name != dialect}
            extras = Extras({**others, dialect: own} if own else others)
        return evolve(word, extras=extras)

    tools = tuple(plain(tool, f"$.params.tools[{index}]") for index, tool in enumerate(request.params.tools))
    messages = [plain(_inside(message, index, plain), f"$.messages[{index}]") for index, message in enumerate(request.messages)]
    return Converted(evolve(request, messages=messages, params=evolve(request.params, tools=tools)), tuple(losses))


def _inside(message: Message.T, index: int, plain: Any) -> Message.T:
    if isinstance(message, Message.Custom):
        return message
    contents = tuple(
        plain(content, f"$.messages[{index}].contents[{position}]") for position, content in enumerate(message.contents)
    )
    return evolve(message, contents=contents)


# --- how many ------------------------------------------------------------------------------------------------------------------


def _counted(said: bool) -> Rule:
    """The rule about the number of marks: the one that is known, or the one that is only `said`."""

    def most_of(server: Server) -> int | None:
        return server.rules.cache_marks_said if said else server.rules.cache_marks

    def find(request: ChatRequest, server: Server) -> Iterator[Violation]:
        most = most_of(server)
        paths = [] if most is None else [path for path, _ in _marked(request, server.rules)]
        if most is not None and len(paths) > most:
            what = f"{len(paths)} cache marks, at most {most} are taken"
            fix = "take marks away, or let repair=True keep the last ones"
            yield Violation("cache-marks", paths[most], what, fix, Severity.WARNING if said else Severity.ERROR)

    def mend(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
        """Take the first marks away: what comes last in a prefix holds what comes before it."""
        most = most_of(server)
        marked = [] if most is None else list(_marked(request, server.rules))
        surplus = marked[: max(0, len(marked) - (most or 0))]
        reason = f"at most {most} marks are taken, and the last ones hold what comes before them"
        return _unmarked(request, server.rules, surplus, reason)

    return Rule("cache-marks", False, find, mend, certain=not said)


# --- reasoning -----------------------------------------------------------------------------------------------------------------


def _marked_reasoning(request: ChatRequest, rules: Rules) -> Iterator[tuple[str, Any]]:
    found = () if rules.marks_reasoning else _marked(request, rules)
    return ((path, word) for path, word in found if isinstance(word, Content.Reasoning))


def _find_reasoning(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for path, _ in _marked_reasoning(request, server.rules):
        yield Violation("cache-marks", path, "reasoning with a cache mark", "mark what stands behind it, or before it")


def _mend_reasoning(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = list(_marked_reasoning(request, server.rules))
    return _unmarked(request, server.rules, found, "reasoning takes no cache mark")


# --- marks that are blocks of their own ----------------------------------------------------------------------------------------


def _points(request: ChatRequest, server: Server) -> Iterator[tuple[int, int, str]]:
    """Each mark that marks nothing: it stands first, or behind another one; the indices of its message and its content, and why."""
    key = server.rules.cache_point
    speaker, before = None, "nothing"
    for index, message in enumerate(request.messages if key is not None else ()):
        if _side(message) != speaker or not server.rules.merges_turns:
            speaker, before = _side(message), "nothing"
        if isinstance(message, Message.Custom):
            continue
        if isinstance(message, Message.ToolResult):
            before = "a mark" if is_marked(message.extras, server.rules) else "a block"
            continue
        for position, content in enumerate(message.contents):
            if _is_point(content, server.dialect.name, key or ""):
                if before != "a block":
                    yield index, position, before
                before = "a mark" if before != "nothing" else before
            else:
                has_mark = not isinstance(content, Content.Custom) and is_marked(content.extras, server.rules)
                before = "a mark" if has_mark else "a block"


def _side(message: Message.T) -> str | None:
    """To which side of the conversation a message belongs: tool results are the user's."""
    match message:
        case Message.User() | Message.ToolResult():
            return "user"
        case Message.Assistant():
            return "assistant"
        case Message.System():
            return "system"
        case Message.Custom():
            return None
        case _:
            assert_never(message)


def _is_point(content: Content.T, dialect: str, key: str) -> bool:
    if not isinstance(content, Content.Custom) or content.dialect != dialect:
        return False
    value = content.value.value
    return isinstance(value, dict) and value.keys() == {key}


def _doubled(request: ChatRequest, rules: Rules) -> Iterator[tuple[str, Any]]:
    """Each word with several marks."""
    for path, word in () if rules.cache_point is None else _marked(request, rules):
        mark = _mark(word.extras, rules)
        if mark is not None and mark[2].__class__ is list and len(mark[2]) > 1:
            yield path, word


def _find_points(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, position, before in _points(request, server):
        path = f"$.messages[{index}].contents[{position}]"
        yield Violation("cache-points", path, f"a cache mark behind {before}", "let it stand behind a block, once")
    for path, _ in _doubled(request, server.rules):
        yield Violation("cache-points", path, "several cache marks behind one block", "let one mark stand behind a block")


def _mend_points(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    gone: dict[int, dict[int, str]] = {}
    for index, position, before in _points(request, server):
        gone.setdefault(index, {})[position] = before
    doubled = {path for path, _ in _doubled(request, server.rules)}
    if not gone and not doubled:
        return Converted(request)
    losses: list[Loss] = []

    def once(word: Any, path: str) -> Any:
        return _once(word, path, server.rules, losses) if path in doubled else word

    tools = tuple(once(tool, f"$.params.tools[{index}]") for index, tool in enumerate(request.params.tools))
    messages: list[Message.T] = []
    for index, message in enumerate(request.messages):
        path = f"$.messages[{index}]"
        message = once(_inside(message, index, once), path) if doubled else message
        if isinstance(message, Message.Custom) or index not in gone:
            messages.append(message)
            continue
        losses += _dropped(message.contents, gone[index], path)
        kept = tuple(content for position, content in enumerate(message.contents) if position not in gone[index])
        if kept or isinstance(message, Message.ToolResult):
            messages.append(with_contents(message, kept))
    return Converted(evolve(request, messages=messages, params=evolve(request.params, tools=tools)), tuple(losses))


def _once(word: Any, path: str, rules: Rules, losses: list[Loss]) -> Any:
    """The word with the first of its marks."""
    mark = _mark(word.extras, rules)
    if mark is None:
        return word
    dialect, key, value = mark
    losses.append(Loss(path, key, Action.REWRITTEN, Json.of(value), "one mark stands behind a block", Weight.DETAIL))
    return evolve(word, extras=word.extras.having(dialect, {key: value[:1]}))


def _dropped(contents: tuple[Content.T, ...], gone: Mapping[int, str], path: str) -> Iterator[Loss]:
    for position, before in gone.items():
        reason = f"a mark stands behind a block, and this one stands behind {before}"
        where = f"{path}.contents[{position}]"
        yield Loss(where, "a cache mark", Action.DROPPED, document(contents[position]), reason, Weight.DETAIL)


CACHE_MARKS: Final = _counted(said=False)
CACHE_MARKS_SAID: Final = _counted(said=True)
REASONING_MARKS: Final = Rule("cache-marks", True, _find_reasoning, _mend_reasoning)
CACHE_POINTS: Final = Rule("cache-points", True, _find_points, _mend_points)
