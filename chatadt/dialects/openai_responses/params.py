"""Parameters, tools, choices and formats of OpenAI Responses, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import UNKNOWN, Wire, boolean, each, integer, json, number, register, same, string, structuring, unstructuring
from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.dialects._losses import Block, dropped, foreign, invented, rewritten
from chatadt.dialects._openai_like.params import drop_parameters, nearest_effort, put, write_tools
from chatadt.dialects._openai_like.read import unread
from chatadt.dialects.openai_responses.codec import CODEC, NAME, TOOL_FILLERS, filled, said_plainly, unfilled, with_notes
from chatadt.dialects.openai_responses.rules import LEAST_OUTPUT_TOKENS
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("BEFORE", "read_params", "write_params")

BEFORE: Final = ("previous_response_id", "conversation", "prompt")
"""Fields that stand for a part of the conversation which only the server has."""

_CONVERSATION: Final = frozenset({"instructions", *BEFORE})
"""Fields besides the input that hold messages, unless they are null."""

_OBJECTS: Final = ("text", "reasoning")
"""Fields with parameters inside."""

_EFFORTS: Final[Mapping[object, Effort]] = {effort.value: effort for effort in Effort}

_NOT_THERE: Final = ("stop", "top_k", "seed", "presence_penalty", "frequency_penalty")


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but the conversation."""
    params = _read_params({key: item for key, item in body.items() if item is None or key not in _CONVERSATION})
    return with_notes(params, dict(_notes(body, params)))


def _notes(body: dict[str, Any], params: ModelParams) -> Iterator[tuple[str, Any]]:
    """How the body was spelt, where a writer would spell it otherwise."""
    if params.max_output_tokens is not None and params.max_output_tokens < LEAST_OUTPUT_TOKENS:
        yield "$max_output_tokens", "too few"
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
            return unfilled(_read_tool(said_plainly(value, TOOL_FILLERS)), value, TOOL_FILLERS)
        case dict():
            return ProviderTool(NAME, json(value))
        case _:
            raise Unexpected.of("a tool, which is an object", value)


def _tool_choice(value: Any) -> ToolChoice.T:
    match value:
        case "auto":
            return ToolChoice.Auto()
        case "none":
            return ToolChoice.Never()
        case "required":
            return ToolChoice.Required()
        case {"type": "function", "name": str()}:
            return _read_one(value)
        case str() | dict():
            return ToolChoice.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a tool choice (auto, none, required or an object)", value)


def _response_format(value: Any) -> ResponseFormat.T:
    match value:
        case {"type": "text"}:
            return _read_text(value)
        case {"type": "json_object"}:
            return _read_object(value)
        case {"type": "json_schema", "schema": _}:
            form = _read_schema(value)
            return form if form.name is not None else with_notes(form, {"$unnamed": True})
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a text format, which is an object", value)


def _effort(value: Any) -> Any:
    return _EFFORTS.get(string(value), UNKNOWN)


def _effort_word(value: Effort) -> str:
    return str(value.value)


register(
    CODEC,
    ModelParams,
    {
        "model": Wire("model", string, same, optional=True),
        "tools": Wire("tools", _tools, None, optional=True),
        "tool_choice": Wire("tool_choice", _tool_choice, None, optional=True),
        "parallel_tool_calls": Wire("parallel_tool_calls", boolean, same, optional=True),
        "response_format": Wire("text.format", _response_format, None, optional=True),
        "temperature": Wire("temperature", number, same, optional=True),
        "top_p": Wire("top_p", number, same, optional=True),
        "max_output_tokens": Wire("max_output_tokens", integer, same, optional=True),
        "effort": Wire("reasoning.effort", _effort, _effort_word, optional=True),
        "stream": Wire("stream", boolean, same, optional=True),
        "user": Wire("user", string, same, optional=True),
        "messages": unread("input"),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_text: Final = structuring(CODEC, ResponseFormat.Text)
_read_object: Final = structuring(CODEC, ResponseFormat.JsonObject)
_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    out = _write_params(params)
    write_tools(params, out, _write_definition, _write_choice, losses)
    if params.response_format is not None:
        _put_inside(out, "text", "format", _write_format(params.response_format), losses, ".response_format")
    if params.thinking is not None:
        effort = nearest_effort(params.thinking, params.effort, NAME)
        _put_inside(out, "reasoning", "effort", effort, losses, ".thinking")
    for field in params.extras.of(NAME).get("$empty", ()):
        out.setdefault(field, {})
    losses += _write_limit(params, out)
    losses += drop_parameters(params, _NOT_THERE if params.stop else _NOT_THERE[1:])
    if params.extras is not NO_EXTRAS:
        losses += foreign(params.extras, NAME)
    return out


def _put_inside(out: Block, outer: str, inner: str, written: Iterator[Any], losses: list[Loss], path: str) -> None:
    """Set a field of an object, which need not be there yet, to what is written of it, if anything is."""
    fields: Block = {}
    put(fields, inner, written, losses, path)
    if fields:
        out[outer] = {**(out.get(outer) or {}), **fields}


def _write_limit(params: ModelParams, out: Block) -> Iterator[Loss]:
    most = params.max_output_tokens
    if most is not None and most < LEAST_OUTPUT_TOKENS and "$max_output_tokens" not in params.extras.of(NAME):
        out["max_output_tokens"] = LEAST_OUTPUT_TOKENS
        reason = f"an answer may have {LEAST_OUTPUT_TOKENS} tokens at least"
        yield rewritten("max_output_tokens", most, reason, path=".max_output_tokens")


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            block = _write_tool(tool)
            if not isinstance(block.get("parameters", {}), dict):
                del block["parameters"]
                yield dropped("the schema", tool.parameters, "a schema is an object", path=".parameters")
            yield filled(block, TOOL_FILLERS, tool.extras.of(NAME))
            yield from foreign(tool.extras, NAME)
        case ProviderTool(dialect=dialect, value=value):
            plain = value.value if dialect == NAME else None
            yield plain if isinstance(plain, dict) else dropped("a tool", value, f"only {dialect} has this tool")
        case _:
            assert_never(tool)


def _write_choice(choice: ToolChoice.T) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            yield "auto"
        case ToolChoice.Never():
            yield "none"
        case ToolChoice.Required():
            yield "required"
        case ToolChoice.One():
            yield _write_one(choice)
        case ToolChoice.Custom(dialect=dialect, value=value):
            reason = f"only {dialect} knows this choice"
            yield value.value if dialect == NAME else dropped("the tool choice", value, reason, weight=Weight.DETAIL)
            return
        case _:
            assert_never(choice)
    yield from foreign(choice.extras, NAME)


def _write_format(form: ResponseFormat.T) -> Iterator[Any]:
    match form:
        case ResponseFormat.Text():
            yield _write_text(form)
        case ResponseFormat.JsonObject():
            yield _write_object(form)
        case ResponseFormat.JsonSchema():
            block = _write_schema(form)
            if form.name is None and not form.extras.of(NAME).get("$unnamed"):
                block["name"] = "response"
                yield invented("a name", "a schema needs a name", path=".name")
            yield block
        case ResponseFormat.Custom(dialect=dialect, value=value):
            yield value.value if dialect == NAME else dropped("the response format", value, f"only {dialect} knows this format")
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_one: Final = unstructuring(CODEC, ToolChoice.One)
_write_text: Final = unstructuring(CODEC, ResponseFormat.Text)
_write_object: Final = unstructuring(CODEC, ResponseFormat.JsonObject)
_write_schema: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
