"""How the names of tools are spelt. Names that are not taken are respelt, each everywhere alike; who is asked under the new ones
answers under them, so that `respelt_tools` tells them to whoever reads the answer.

Rules N1 and N2 (mcp-use/mcp-use#90, anomalyco/opencode#48750, cline/cline#7339).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._sum import changed
from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.spelling import derive, misspelt
from chatadt.content import Content
from chatadt.dialects._dialect import Spelling
from chatadt.error import Violation
from chatadt.json import Extras, Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("TOOL_NAMES", "respelt_tools")


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
        elif isinstance(message, Message.ToolResult) and message.tool is not None:
            yield message.tool, f"$.messages[{index}].tool"


def _find_names(request: ChatRequest, server: Server) -> Iterator[Violation]:
    spelling = server.rules.tool_name
    fine: set[str] = set()
    for name, path in _names(request):
        if name in fine:
            continue
        if spelling.allows(name):
            fine.add(name)
        else:
            yield misspelt(name, path, "tool-name", spelling)


def _mend_names(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    return respelt_tools(request, server.rules.tool_name)[0]


def respelt_tools(request: ChatRequest, spelling: Spelling) -> tuple[Converted[ChatRequest], Mapping[str, str]]:
    """The request with names of tools as `spelling` allows them, each new one as a loss; and the new name of each old one.

    No two get one name, and none gets that of another tool: whoever reads the answer can turn the names back.
    """
    renamed = _renamed(request, spelling)
    if not renamed:
        return Converted(request), renamed
    losses = [_loss(path, name, renamed[name]) for name, path in _names(request) if name in renamed]
    choice = request.params.tool_choice
    named = _choice_with_names(choice, renamed)
    if named is not choice and isinstance(choice, ToolChoice.Custom):
        reason = "it names tools whose names are not taken as they are"
        losses.append(Loss("$.params.tool_choice", "tool names", Action.REWRITTEN, choice.value, reason, Weight.DETAIL))
    tools = tuple(_tool_with_name(tool, renamed) for tool in request.params.tools)
    messages = tuple(_with_names(message, renamed) for message in request.messages)
    params = evolve(request.params, tools=tools, tool_choice=named)
    return Converted(evolve(request, messages=messages, params=params), tuple(losses)), renamed


def _renamed(request: ChatRequest, spelling: Spelling) -> dict[str, str]:
    """By each name that is not taken: what it becomes."""
    names = dict.fromkeys(name for name, _ in _names(request))
    renamed: dict[str, str] = {}
    taken = {name for name in names if spelling.allows(name)}
    for name in names:
        if name not in taken:
            renamed[name] = derive(name, spelling, {*taken, *renamed.values()})
    return renamed


def _loss(path: str, old: str, new: str) -> Loss:
    reason = f"the name is not taken as it is; everywhere it is {new}"
    return Loss(path, "tool name", Action.REWRITTEN, Json.of(old), reason, Weight.DETAIL)


def _tool_with_name(tool: ToolDefinition, renamed: Mapping[str, str]) -> ToolDefinition:
    return evolve(tool, name=renamed[tool.name]) if isinstance(tool, Tool) and tool.name in renamed else tool


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


# --- choices of several tools --------------------------------------------------------------------------------------------------

_SPOKEN: Final = frozenset({"name", "allowedFunctionNames"})
"""The fields in which a choice that only a dialect knows names tools: OpenAI's `allowed_tools`, and Gemini's list."""


def _choice_with_names(choice: ToolChoice.T | None, renamed: Mapping[str, str]) -> ToolChoice.T | None:
    match choice:
        case ToolChoice.One(name=name):
            own = _extras_with_names(choice.extras, renamed)
            return (
                choice if own is choice.extras and name not in renamed else evolve(choice, name=renamed.get(name, name), extras=own)
            )
        case ToolChoice.Custom(value=value):
            said = _json_with_names(value, renamed)
            return choice if said is value else evolve(choice, value=said)
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required():
            own = _extras_with_names(choice.extras, renamed)
            return choice if own is choice.extras else changed(choice, "extras", own)
        case None:
            return None
        case _:
            assert_never(choice)


def _extras_with_names(extras: Extras, renamed: Mapping[str, str]) -> Extras:
    said = {dialect: _json_with_names(value, renamed) for dialect, value in extras.items()}
    return extras if all(value is extras[dialect] for dialect, value in said.items()) else Extras(said)


def _json_with_names(document: Json, renamed: Mapping[str, str]) -> Json:
    """The document itself where it names none of them."""
    said = [document.value]  # which is fresh, and may be deeper than this interpreter has stack for
    waiting: list[tuple[Any, bool]] = [(said, False)]
    is_changed = False
    while waiting:
        here, are_names = waiting.pop()
        for key, item in here.items() if here.__class__ is dict else enumerate(here):
            is_name = key in _SPOKEN if here.__class__ is dict else are_names
            if item.__class__ in (dict, list):
                waiting.append((item, is_name))
            elif is_name and item.__class__ is str and item in renamed:
                here[key] = renamed[item]
                is_changed = True
    return Json.of(said[0]) if is_changed else document


TOOL_NAMES: Final = Rule("tool-name", True, _find_names, _mend_names)
