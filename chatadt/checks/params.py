"""Tools that a request defines, and where an answer stops.

Rules of section 8 (the service model of bedrock-runtime for descriptions), A18 (vercel/ai#7537, langgenius/dify#17545), names that
stand twice (danny-avila/LibreChat#13162), their number (anomalyco/opencode#4909, said of models up to GPT-5), how a format is named
(the docstrings of OpenAI's SDK), blank stop sequences (BerriAI/litellm#3286), and the stop sequences of the official SDKs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve

from chatadt.chat import ChatRequest, ModelParams, ResponseFormat
from chatadt.checks._rule import Rule, Server
from chatadt.checks.spelling import respelt
from chatadt.codec import document
from chatadt.dialects._choices import has_tools, is_about_a_tool
from chatadt.dialects._dialect import Dialect, Rules
from chatadt.dialects._params import NO_TOOL
from chatadt.error import Severity, Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = (
    "CHOSEN_TOOL",
    "DESCRIPTIONS",
    "FORMAT_NAMES",
    "NEEDS_TOOLS",
    "STOPS",
    "SURPLUS_TOOLS",
    "UNIQUE_TOOLS",
    "forces_no_tool",
    "format_fault",
    "stop_faults",
)

_SURPLUS: Final = "more tools than are said to be taken: the first ones stay"
_ANY_OBJECT: Final = Json('{"type":"object"}')


def _with(request: ChatRequest, losses: list[Loss], **changes: Any) -> Converted[ChatRequest]:
    return Converted(evolve(request, params=evolve(request.params, **changes)), tuple(losses)) if losses else Converted(request)


# --- tools that the history needs ----------------------------------------------------------------------------------------------


def _missing(request: ChatRequest, server: Server) -> tuple[str, ...]:
    """The names of the tools that the history uses, where the request defines none that the server knows."""
    if not server.rules.needs_tools or has_tools(request.params, server.dialect.name):
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


def _surplus(request: ChatRequest, server: Server) -> list[int]:
    """Where the tools stand that are too many, of those that the server knows: the others are not sent."""
    most, own = server.rules.most_tools_said, server.dialect.name
    if most is None or len(request.params.tools) <= most:
        return []
    return [index for index, tool in enumerate(request.params.tools) if isinstance(tool, Tool) or tool.dialect == own][most:]


def _find_surplus(request: ChatRequest, server: Server) -> Iterator[Violation]:
    most, surplus = server.rules.most_tools_said, _surplus(request, server)
    if most is not None and surplus:
        what = f"{most + len(surplus)} tools, at most {most} are taken"
        path = f"$.params.tools[{surplus[0]}]"
        yield Violation("tool-count", path, what, "define the tools that are needed here", Severity.WARNING)


def _mend_surplus(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    tools, surplus = request.params.tools, dict.fromkeys(_surplus(request, server))
    losses = [
        Loss(f"$.params.tools[{index}]", _called(tools[index]), Action.DROPPED, document(tools[index]), _SURPLUS, Weight.CONTENT)
        for index in surplus
    ]
    return _with(request, losses, tools=tuple(tool for index, tool in enumerate(tools) if index not in surplus))


def _called(tool: Tool | ProviderTool) -> str:
    return f"tool {tool.name}" if isinstance(tool, Tool) else f"a tool of {tool.dialect}"


# --- the name of a format --------------------------------------------------------------------------------------------------------


def format_fault(params: ModelParams, rules: Rules) -> str | None:
    """The name of a format that is not spelt as it should be."""
    form = params.response_format
    if rules.format_name is None or not isinstance(form, ResponseFormat.JsonSchema) or form.name is None:
        return None
    return None if rules.format_name.allows(form.name) else form.name


def _find_format(request: ChatRequest, server: Server) -> Iterator[Violation]:
    name, spelling = format_fault(request.params, server.rules), server.rules.format_name
    if name is not None and spelling is not None:
        fix = f"spell it as {spelling.pattern.pattern} with at most {spelling.longest} characters"
        yield Violation("format-name", "$.params.response_format.name", f"format name {name[:80]!r} is not taken", fix)


def _mend_format(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    name, spelling, form = format_fault(request.params, server.rules), server.rules.format_name, request.params.response_format
    if name is None or spelling is None or not isinstance(form, ResponseFormat.JsonSchema):
        return Converted(request)
    new = respelt(name, spelling, ())
    path, reason = "$.params.response_format.name", f"the name is not taken here; now it is {new}"
    loss = Loss(path, "the name of a format", Action.REWRITTEN, Json.of(name), reason, Weight.DETAIL)
    return _with(request, [loss], response_format=evolve(form, name=new))


# --- stop sequences ------------------------------------------------------------------------------------------------------------


def stop_faults(params: ModelParams, rules: Rules) -> tuple[int, ...]:
    """The numbers of the stop sequences that are blank where that is refused, or beyond those that are counted."""
    if not params.stop or (rules.blank_stop and rules.empty_stop and rules.most_stops is None):
        return ()
    fine = [index for index, text in enumerate(params.stop) if not _is_blank(text, rules)]
    kept = frozenset(fine[: rules.most_stops])
    return tuple(index for index in range(len(params.stop)) if index not in kept)


def _is_blank(text: str, rules: Rules) -> bool:
    return (not rules.blank_stop and not text.strip()) or (not rules.empty_stop and not text)


def _find_stops(request: ChatRequest, server: Server) -> Iterator[Violation]:
    stop = request.params.stop
    for index in stop_faults(request.params, server.rules):
        is_blank = _is_blank(stop[index], server.rules)
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


SURPLUS_TOOLS = Rule("tool-count", False, _find_surplus, _mend_surplus, certain=False)
FORMAT_NAMES = Rule("format-name", True, _find_format, _mend_format)
CHOSEN_TOOL = Rule("tool-choice", True, _find_forced, _mend_forced)
NEEDS_TOOLS = Rule("needs-tools", True, _find_missing, _mend_missing)
UNIQUE_TOOLS = Rule("tool-definitions", False, _find_twice, _mend_twice)
DESCRIPTIONS = Rule("tool-description", True, _find_undescribed, _mend_undescribed)
STOPS = Rule("stop", True, _find_stops, _mend_stops)
