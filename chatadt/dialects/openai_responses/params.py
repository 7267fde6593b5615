"""Parameters, tools, choices and formats of OpenAI Responses, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, each, json
from chatadt.chat import ModelParams
from chatadt.dialects._choices import with_toolless
from chatadt.dialects._codec import noted, unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost
from chatadt.dialects._openai_like.free_form import adopted
from chatadt.dialects._openai_like.params import effort_wire, format_reader, format_writer, nearest_effort, put
from chatadt.dialects._openai_like.tools import choice_reader, choice_writer, write_tools
from chatadt.dialects._params import beyond, bounded, drop_parameters, foreign_fields, plainly
from chatadt.dialects._spelling import list_of, object_of
from chatadt.dialects.openai_responses.codec import CODEC, NAME, TOOL_FILLERS, filled, said_plainly, unfilled, with_notes
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss
from chatadt.tool import ProviderTool, Tool, ToolDefinition

__all__ = ("BEFORE", "read_params", "write_params")

BEFORE: Final = ("previous_response_id", "conversation", "prompt")
"""Fields that stand for a part of the conversation which only the server has."""

_CONVERSATION: Final = frozenset({"instructions", *BEFORE})
"""Fields besides the input that hold messages, unless they are null."""

_OBJECTS: Final = ("text", "reasoning")
"""Fields with parameters inside."""


_NOT_THERE: Final = ("stop", "top_k", "seed", "presence_penalty", "frequency_penalty")


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but the conversation."""
    params = _read_params({key: item for key, item in body.items() if item is None or key not in _CONVERSATION})
    return with_toolless(with_notes(params, dict(_notes(body, params))), NAME)


def _notes(body: dict[str, Any], params: ModelParams) -> Iterator[tuple[str, Any]]:
    """How the body was spelt, where a writer would spell it otherwise."""
    if any(True for _ in beyond(params, RULES.ranges)):
        yield "$beyond", True
    if empty := [field for field in _OBJECTS if body.get(field) == {}]:
        yield "$empty", empty
    given = body.get("input")
    if given.__class__ is not list:
        yield "$input", "string" if given is not None else "null" if "input" in body else "absent"


def _tools(value: Any) -> Any:
    return each(_tool_definition, value) if value != [] else UNKNOWN


def _tool_definition(value: Any) -> ToolDefinition:
    match value:
        case {"type": "function"}:
            tool = unfilled(_read_tool(said_plainly(value, TOOL_FILLERS)), value, TOOL_FILLERS)
            is_usual = tool.parameters is None or value["parameters"].__class__ is dict
            return tool if is_usual else noted(tool, NAME, "$own", True)
        case dict():
            return ProviderTool(NAME, json(value))
        case _:
            raise Unexpected.of("a tool, which is an object", value)


register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("tools", _tools, None, optional=True),
        "tool_choice": Wire("tool_choice", choice_reader(CODEC, NAME, None), None, optional=True),
        "response_format": Wire("text.format", format_reader(CODEC, NAME, None), None, optional=True),
        "effort": effort_wire("reasoning.effort"),
        "messages": unread("input"),
        **plainly(
            model="model",
            parallel_tool_calls="parallel_tool_calls",
            temperature="temperature",
            top_p="top_p",
            max_output_tokens="max_output_tokens",
            stream="stream",
            user="user",
        ),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    params = adopted(params, NAME)
    if "$beyond" not in params.extras.of(NAME):
        params = bounded(params, RULES.ranges, losses)
    out = _write_params(params)
    write_tools(params, NAME, out, _write_definition, _write_choice, losses)
    if params.response_format is not None:
        _put_inside(out, "text", "format", _write_format(params.response_format), losses, ".response_format")
    if params.thinking is not None:
        effort = nearest_effort(params.thinking, params.effort, NAME)
        _put_inside(out, "reasoning", "effort", effort, losses, ".thinking")
    for field in list_of(params.extras.of(NAME), "$empty", str):
        if field in _OBJECTS:
            out.setdefault(field, {})
    losses += drop_parameters(params, _NOT_THERE if params.stop else _NOT_THERE[1:])
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
    return out


def _put_inside(out: Block, outer: str, inner: str, written: Iterator[Any], losses: list[Loss], path: str) -> None:
    """Set a field of an object, which need not be there yet, to what is written of it, if anything is."""
    fields: Block = {}
    put(fields, inner, written, losses, path)
    if fields:
        out[outer] = {**object_of(out, outer), **fields}


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            block = _write_tool(tool)
            is_own = tool.extras is not NO_EXTRAS and bool(tool.extras.of(NAME).get("$own"))
            if not (is_own or isinstance(block.get("parameters", {}), dict)):
                del block["parameters"]
                yield dropped("the schema", tool.parameters, "a schema is an object", path=".parameters")
            yield filled(block, TOOL_FILLERS, tool.extras.of(NAME))
            yield from foreign(tool.extras, NAME)
        case ProviderTool():
            yield own_or_lost(tool, NAME, takes=dict)
        case _:
            assert_never(tool)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_choice: Final = choice_writer(CODEC, NAME)
_write_format: Final = format_writer(CODEC, NAME, None)
_write_params: Final = unstructuring(CODEC, ModelParams)
