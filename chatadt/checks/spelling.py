"""How ids and names of tools are spelt. A bad one is replaced by one that is derived from it: always the same, never one in use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.content import Content
from chatadt.dialects._dialect import Spelling
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import Tool, ToolChoice

__all__ = ("TOOL_IDS", "TOOL_NAMES", "derive")

_DIGEST = 10


def derive(text: str, spelling: Spelling, taken: Iterable[str], salt: str = "") -> str:
    """A text that `spelling` allows and that is not among `taken`, derived from `text`: the same every time, whatever comes later."""
    used = frozenset(taken)
    attempt = 0
    while True:
        digest = sha256(f"{salt}{attempt or ''}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
        kept = spelling.bad.sub("_", text)[: spelling.longest - _DIGEST - 1].strip("_")
        derived = f"{kept}_{digest}" if kept else f"c{digest}"[: spelling.longest]
        if derived not in used and spelling.allows(derived):
            return derived
        attempt += 1


# --- ids -----------------------------------------------------------------------------------------------------------------------


def _find_ids(request: ChatRequest, server: Server) -> Iterator[Violation]:
    spelling = server.dialect.rules.tool_id
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            seen: set[str] = set()
            for position, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    path = f"$.messages[{index}].contents[{position}].id"
                    if not spelling.allows(content.id):
                        yield _bad(content.id, path, "tool-id", spelling)
                    elif content.id in seen:
                        fix = "give each call of a message an id of its own"
                        yield Violation("tool-id", path, f"tool id {content.id!r} stands twice in one message", fix)
                    seen.add(content.id)
        elif isinstance(message, Message.ToolResult) and not spelling.allows(message.id):
            yield _bad(message.id, f"$.messages[{index}].id", "tool-id", spelling)


def _bad(text: str, path: str, rule: str, spelling: Spelling) -> Violation:
    fix = f"spell it as {spelling.pattern.pattern} with at most {spelling.longest} characters, or let repair=True derive one"
    return Violation(rule, path, f"{rule.replace('-', ' ')} {text[:80]!r} is not taken", fix)


def _mend_ids(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_ids(request, server), None) is None:
        return Converted(request)
    spelling = server.dialect.rules.tool_id
    taken = {id_ for id_ in _ids(request.messages) if spelling.allows(id_)}
    known: dict[tuple[str, int], str] = {}

    def renamed(id_: str, occurrence: int) -> str:
        if occurrence == 0 and spelling.allows(id_):
            return id_
        if (id_, occurrence) not in known:
            known[id_, occurrence] = derive(id_, spelling, taken, f"{occurrence}:" if occurrence else "")
            taken.add(known[id_, occurrence])
        return known[id_, occurrence]

    messages: list[Message.T] = []
    losses: list[Loss] = []
    pending: dict[str, list[str]] = {}
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            message, pending = _relabelled(message, renamed, losses, f"$.messages[{index}]")
        elif isinstance(message, Message.ToolResult):
            answers = pending.get(message.id)
            id_ = renamed(message.id, 0) if not answers else answers.pop(0) if len(answers) > 1 else answers[0]
            message = message if id_ == message.id else evolve(message, id=id_)
        messages.append(message)
    return Converted(evolve(request, messages=messages), tuple(losses))


def _relabelled(
    message: Message.Assistant, renamed: Callable[[str, int], str], losses: list[Loss], path: str
) -> tuple[Message.Assistant, dict[str, list[str]]]:
    contents: list[Content.Output] = []
    answers: dict[str, list[str]] = {}
    for position, content in enumerate(message.contents):
        if isinstance(content, Content.ToolRequest):
            id_ = renamed(content.id, len(answers.get(content.id, ())))
            answers.setdefault(content.id, []).append(id_)
            if id_ != content.id:
                where = f"{path}.contents[{position}].id"
                reason = f"the id is not taken as it is; here and in its result it is {id_}"
                losses.append(Loss(where, "tool id", Action.REWRITTEN, Json.of(content.id), reason, Weight.DETAIL))
                content = evolve(content, id=id_)
        contents.append(content)
    return evolve(message, contents=contents), answers


def _ids(messages: Iterable[Message.T]) -> Iterator[str]:
    for message in messages:
        if isinstance(message, Message.Assistant):
            yield from (call.id for call in message.tool_requests)
        elif isinstance(message, Message.ToolResult):
            yield message.id


# --- names ---------------------------------------------------------------------------------------------------------------------


def _names(request: ChatRequest) -> Iterator[tuple[str, str]]:
    """Each name of a tool in the request, with its path."""
    for index, tool in enumerate(request.params.tools):
        if isinstance(tool, Tool):
            yield tool.name, f"$.params.tools[{index}].name"
    if isinstance(request.params.tool_choice, ToolChoice.One):
        yield request.params.tool_choice.name, "$.params.tool_choice.name"
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Assistant):
            for position, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    yield content.name, f"$.messages[{index}].contents[{position}].name"


def _find_names(request: ChatRequest, server: Server) -> Iterator[Violation]:
    spelling = server.dialect.rules.tool_name
    fine: set[str] = set()
    for name, path in _names(request):
        if name in fine:
            continue
        if spelling.allows(name):
            fine.add(name)
        else:
            yield _bad(name, path, "tool-name", spelling)


def _mend_names(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_names(request, server), None) is None:
        return Converted(request)
    spelling = server.dialect.rules.tool_name
    taken = {name for name, _ in _names(request) if spelling.allows(name)}
    renamed: dict[str, str] = {}
    losses: list[Loss] = []
    for name, path in _names(request):
        if not spelling.allows(name):
            if name not in renamed:
                renamed[name] = derive(name, spelling, {*taken, *renamed.values()})
            reason = f"the name is not taken as it is; everywhere it is {renamed[name]}"
            losses.append(Loss(path, "tool name", Action.REWRITTEN, Json.of(name), reason, Weight.DETAIL))
    tools = tuple(_named(tool, renamed) if isinstance(tool, Tool) else tool for tool in request.params.tools)
    choice = request.params.tool_choice
    choice = evolve(choice, name=renamed.get(choice.name, choice.name)) if isinstance(choice, ToolChoice.One) else choice
    messages = tuple(_with_names(message, renamed) for message in request.messages)
    return Converted(
        evolve(request, messages=messages, params=evolve(request.params, tools=tools, tool_choice=choice)), tuple(losses)
    )


def _named(tool: Tool, renamed: Mapping[str, str]) -> Tool:
    return evolve(tool, name=renamed[tool.name]) if tool.name in renamed else tool


def _with_names(message: Message.T, renamed: Mapping[str, str]) -> Message.T:
    if isinstance(message, Message.Assistant) and any(call.name in renamed for call in message.tool_requests):
        contents = (
            evolve(content, name=renamed.get(content.name, content.name)) if isinstance(content, Content.ToolRequest) else content
            for content in message.contents
        )
        return evolve(message, contents=contents)
    if isinstance(message, Message.ToolResult) and message.tool is not None and message.tool in renamed:
        return evolve(message, tool=renamed[message.tool])
    return message


TOOL_IDS = Rule("tool-id", True, _find_ids, _mend_ids)
TOOL_NAMES = Rule("tool-name", True, _find_names, _mend_names)
