"""Parameters, tools, choices and formats of Mistral, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import UNKNOWN, Wire, boolean, integer, json, number, register, same, string, structuring, unstructuring
from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, dropped, foreign, invented
from chatadt.dialects._openai_like.params import (
    drop_parameters,
    nearest_effort,
    put,
    stop_reader,
    tool_reader,
    write_definition,
    write_tools,
)
from chatadt.dialects._openai_like.read import unread
from chatadt.dialects.mistral.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

_EFFORTS: Final[Mapping[object, Effort]] = {effort.value: effort for effort in Effort}


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    params = _read_params(body)
    if isinstance(params.tool_choice, ToolChoice.Auto) and not params.tools:
        params = noted(evolve(params, tool_choice=None), NAME, "$tool_choice", "auto")  # without tools it says nothing
    return noted(params, NAME, "$stop", "string") if body.get("stop").__class__ is str else params


def _tool_choice(value: Any) -> ToolChoice.T:
    match value:
        case "auto":
            return ToolChoice.Auto()
        case "none":
            return ToolChoice.Never()
        case "required":
            return ToolChoice.Required()
        case "any":
            return noted(ToolChoice.Required(), NAME, "$any", True)
        case {"type": "function", "function": {"name": str()}}:
            return _read_one(value)
        case str() | dict():
            return ToolChoice.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a tool choice (auto, none, required, any or an object)", value)


def _response_format(value: Any) -> ResponseFormat.T:
    match value:
        case {"type": "text"}:
            return _read_text(value)
        case {"type": "json_object"}:
            return _read_object(value)
        case {"type": "json_schema", "json_schema": {"schema": _}}:
            form = _read_schema(value)
            return form if form.name is not None else noted(form, NAME, "$unnamed", True)
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a response format, which is an object", value)


def _effort(value: Any) -> Any:
    return _EFFORTS.get(string(value), UNKNOWN)


def _effort_word(value: Effort) -> str:
    return str(value.value)


_read_tool: Final = structuring(CODEC, Tool)

register(
    CODEC,
    ModelParams,
    {
        "model": Wire("model", string, same, optional=True),
        "tools": Wire("tools", tool_reader(NAME, _read_tool), None, optional=True),
        "tool_choice": Wire("tool_choice", _tool_choice, None, optional=True),
        "parallel_tool_calls": Wire("parallel_tool_calls", boolean, same, optional=True),
        "response_format": Wire("response_format", _response_format, None, optional=True),
        "temperature": Wire("temperature", number, same, optional=True),
        "top_p": Wire("top_p", number, same, optional=True),
        "top_k": Wire("top_k", integer, same, optional=True),
        "max_output_tokens": Wire("max_tokens", integer, same, optional=True),
        "stop": Wire("stop", stop_reader, list, optional=True),
        "seed": Wire("random_seed", integer, same, optional=True),
        "presence_penalty": Wire("presence_penalty", number, same, optional=True),
        "frequency_penalty": Wire("frequency_penalty", number, same, optional=True),
        "effort": Wire("reasoning_effort", _effort, _effort_word, optional=True),
        "stream": Wire("stream", boolean, same, optional=True),
        "messages": unread("messages"),
    },
    dialect=NAME,
)

_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_text: Final = structuring(CODEC, ResponseFormat.Text)
_read_object: Final = structuring(CODEC, ResponseFormat.JsonObject)
_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    out = _write_params(params)
    if params.extras is not NO_EXTRAS:
        losses += foreign(params.extras, NAME)
        notes = params.extras.of(NAME)
        if len(params.stop) == 1 and notes.get("$stop") == "string":
            out["stop"] = params.stop[0]
        if "$tool_choice" in notes and not params.tools:
            out["tool_choice"] = notes["$tool_choice"]
    if params.tools or params.tool_choice is not None:
        write_tools(params, out, _write_definition, _write_choice, losses)
    if params.response_format is not None:
        put(out, "response_format", _write_format(params.response_format), losses)
    if params.thinking is not None:
        put(out, "reasoning_effort", nearest_effort(params.thinking, params.effort, NAME), losses, ".thinking")
    losses += drop_parameters(params, ("user",))
    return out


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    return write_definition(tool, NAME, _write_tool, has_strict=True)


def _write_choice(choice: ToolChoice.T) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            yield "auto"
        case ToolChoice.Never():
            yield "none"
        case ToolChoice.Required():
            yield "any" if choice.extras.of(NAME).get("$any") else "required"
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
                block["json_schema"]["name"] = "response"
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
