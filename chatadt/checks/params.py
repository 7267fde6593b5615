"""Tools that a request defines, and where an answer stops.

Rules of section 8 (the service model of bedrock-runtime for descriptions), A18 (vercel/ai#7537, langgenius/dify#17545), names that
stand twice (danny-avila/LibreChat#13162), blank stop sequences (BerriAI/litellm#3286), and the stop sequences of the official SDKs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve

from chatadt.chat import ChatRequest, ModelParams
from chatadt.checks._rule import Rule, Server
from chatadt.codec import document
from chatadt.dialects._choices import is_about_a_tool
from chatadt.dialects._dialect import Dialect, Rules
from chatadt.dialects._params import NO_TOOL
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("CHOSEN_TOOL", "DESCRIPTIONS", "NEEDS_TOOLS", "STOPS", "UNIQUE_TOOLS", "forces_no_tool", "stop_faults")

_ANY_OBJECT: Final = Json('{"type":"object"}')


def _with(request: ChatRequest, losses: list[Loss], **changes: Any) -> Converted[ChatRequest]:
    return Converted(evolve(request, params=evolve(request.params, **changes)), tuple(losses)) if losses else Converted(request)


# --- tools that the history needs ----------------------------------------------------------------------------------------------


def _missing(request: ChatRequest, server: Server) -> tuple[str, ...]:
    """The names of the tools that the history uses, where the request defines none that the server knows."""
    own = server.dialect.name
    defined = any(isinstance(tool, Tool) or tool.dialect == own for tool in request.params.tools)
    if not server.rules.needs_tools or defined:
        return ()
    assistants = (message for message in request.messages if isinstance(message, Message.Assistant))
    return tuple(dict.fromkeys(call.name for message in assistants for call in message.tool_requests))


def _find_missing(request: ChatRequest, server: Server) -> Iterator[Violation]:
    names = _missing(request, server)
    if names:
        what = f"the history has calls of {', '.join(names)[:200]}, and the request defines no tools"
        yield Violation("needs-tools", "$.params.tools", what, "define the tools that the history uses")


def _mend_missing(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    names, tools = _missing(request, server), request.params.tools
    reason = "the history has calls of this tool, and a request must define tools then"
    losses = [
        Loss(f"$.params.tools[{len(tools) + number}]", f"tool {name}", Action.INVENTED, None, reason, Weight.DETAIL)
        for number, name in enumerate(names)
    ]
    return _with(request, losses, tools=(*tools, *(Tool(name, parameters=_ANY_OBJECT) for name in names)))


# --- tools that are forced -----------------------------------------------------------------------------------------------------


def forces_no_tool(params: ModelParams, dialect: Dialect) -> bool:
    """Whether the tool choice forces a call of a tool that the request does not define for the server."""
    forces = isinstance(params.tool_choice, ToolChoice.Required | ToolChoice.One)
    return forces and dialect.rules.choice_needs_tool and not is_about_a_tool(params, dialect.name)


def _find_forced(request: ChatRequest, server: Server) -> Iterator[Violation]:
    choice = request.params.tool_choice
    if forces_no_tool(request.params, server.dialect):
        named = f"tool {choice.name[:80]!r}" if isinstance(choice, ToolChoice.One) else "any tool"
        what = f"the tool choice forces a call of {named}, and the request does not define it"
        yield Violation("tool-choice", "$.params.tool_choice", what, "define the tool, or leave the choice out")


def _mend_forced(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    choice = request.params.tool_choice
    if choice is None or not forces_no_tool(request.params, server.dialect):
        return Converted(request)
    loss = Loss("$.params.tool_choice", "the tool choice", Action.DROPPED, document(choice), NO_TOOL, Weight.DETAIL)
    return _with(request, [loss], tool_choice=None)


# --- definitions ---------------------------------------------------------------------------------------------------------------


def _twice(request: ChatRequest, server: Server) -> Iterator[tuple[int, Tool, Tool]]:
    """Each tool whose name an earlier one has, and that one."""
    known: dict[str, Tool] = {}
    for index, tool in enumerate(request.params.tools if server.rules.unique_tools else ()):
        if isinstance(tool, Tool):
            if tool.name in known:
                yield index, tool, known[tool.name]
            else:
                known[tool.name] = tool


def _find_twice(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, tool, _ in _twice(request, server):
        fix = "give each tool a name of its own"
        yield Violation("tool-definitions", f"$.params.tools[{index}].name", f"tool name {tool.name!r} stands twice", fix)


def _mend_twice(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = list(_twice(request, server))
    losses = [
        Loss(
            f"$.params.tools[{index}]",
            f"tool {tool.name}",
            Action.DROPPED,
            document(tool),
            "a tool of this name is defined already",
            Weight.DETAIL if tool == first else Weight.CONTENT,
        )
        for index, tool, first in found
    ]
    gone = {index for index, _, _ in found}
    return _with(request, losses, tools=tuple(tool for index, tool in enumerate(request.params.tools) if index not in gone))


def _undescribed(request: ChatRequest, server: Server) -> Iterator[int]:
    for index, tool in enumerate(() if server.rules.empty_description else request.params.tools):
        if isinstance(tool, Tool) and tool.description == "":
            yield index


def _find_undescribed(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index in _undescribed(request, server):
        what = "the description of a tool is empty"
        yield Violation("tool-description", f"$.params.tools[{index}].description", what, "describe the tool, or leave it out")


def _mend_undescribed(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = set(_undescribed(request, server))
    losses = [
        Loss(
            f"$.params.tools[{index}].description",
            "an empty description",
            Action.DROPPED,
            Json('""'),
            "an empty description is not taken",
            Weight.DETAIL,
        )
        for index in sorted(found)
    ]
    return _with(request, losses, tools=tuple(_described(tool, index in found) for index, tool in enumerate(request.params.tools)))


def _described(tool: Tool | ProviderTool, is_empty: bool) -> Tool | ProviderTool:
    return evolve(tool, description=None) if is_empty and isinstance(tool, Tool) else tool


# --- stop sequences ------------------------------------------------------------------------------------------------------------


def stop_faults(params: ModelParams, rules: Rules) -> tuple[int, ...]:
    """The numbers of the stop sequences that are blank where that is refused, or beyond those that are counted."""
    if not params.stop or (rules.blank_stop and rules.most_stops is None):
        return ()
    fine = [index for index, text in enumerate(params.stop) if rules.blank_stop or (text and not text.isspace())]
    kept = frozenset(fine[: rules.most_stops])
    return tuple(index for index in range(len(params.stop)) if index not in kept)


def _find_stops(request: ChatRequest, server: Server) -> Iterator[Violation]:
    stop = request.params.stop
    for index in stop_faults(request.params, server.rules):
        is_blank = not server.rules.blank_stop and not stop[index].strip()
        what = "a blank stop sequence" if is_blank else f"{len(stop)} stop sequences, at most {server.rules.most_stops} are taken"
        yield Violation("stop", f"$.params.stop[{index}]", what, "leave it out")


def _mend_stops(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    stop, gone = request.params.stop, stop_faults(request.params, server.rules)
    reason = "it is blank, or there are more than are taken"
    losses = [
        Loss(f"$.params.stop[{index}]", "a stop sequence", Action.DROPPED, Json.of(stop[index]), reason, Weight.DETAIL)
        for index in gone
    ]
    return _with(request, losses, stop=tuple(text for index, text in enumerate(stop) if index not in gone))


CHOSEN_TOOL = Rule("tool-choice", True, _find_forced, _mend_forced)
NEEDS_TOOLS = Rule("needs-tools", True, _find_missing, _mend_missing)
UNIQUE_TOOLS = Rule("tool-definitions", False, _find_twice, _mend_twice)
DESCRIPTIONS = Rule("tool-description", True, _find_undescribed, _mend_undescribed)
STOPS = Rule("stop", True, _find_stops, _mend_stops)
