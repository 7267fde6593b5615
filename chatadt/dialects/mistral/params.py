"""Parameters, tools, choices and formats of Mistral, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire
from chatadt.chat import ModelParams
from chatadt.dialects._choices import with_toolless
from chatadt.dialects._codec import noted, unread
from chatadt.dialects._losses import Block
from chatadt.dialects._openai_like.params import effort_wire, format_reader, format_writer, nearest_effort, put, stop_reader
from chatadt.dialects._openai_like.tools import CHOICES, choice_reader, choice_writer, tool_reader, write_definition, write_tools
from chatadt.dialects._params import drop_parameters, foreign_fields, plainly
from chatadt.dialects.mistral.codec import CODEC, NAME
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    params = _read_params(body)
    if isinstance(params.tool_choice, ToolChoice.Auto) and not params.tools:
        params = noted(evolve(params, tool_choice=None), NAME, "$tool_choice", "auto")  # without tools it says nothing
    params = with_toolless(params, NAME)
    return noted(params, NAME, "$stop", "string") if body.get("stop").__class__ is str else params


_CHOICES: Final = {**CHOICES, "any": noted(ToolChoice.Required(), NAME, "$word", "any")}

register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("tools", tool_reader(NAME, structuring(CODEC, Tool)), None, optional=True),
        "tool_choice": Wire("tool_choice", choice_reader(CODEC, NAME, "function", _CHOICES), None, optional=True),
        "response_format": Wire("response_format", format_reader(CODEC, NAME, "json_schema"), None, optional=True),
        "stop": Wire("stop", stop_reader, list, optional=True),
        "effort": effort_wire("reasoning_effort"),
        "messages": unread("messages"),
        **plainly(
            model="model",
            parallel_tool_calls="parallel_tool_calls",
            temperature="temperature",
            top_p="top_p",
            top_k="top_k",
            max_output_tokens="max_tokens",
            seed="random_seed",
            presence_penalty="presence_penalty",
            frequency_penalty="frequency_penalty",
            stream="stream",
        ),
    },
    dialect=NAME,
)

_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    out = _write_params(params)
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
        notes = params.extras.of(NAME)
        if len(params.stop) == 1 and notes.get("$stop") == "string":
            out["stop"] = params.stop[0]
        if notes.get("$tool_choice") == "auto" and not params.tools:
            out["tool_choice"] = "auto"
    if params.tools or params.tool_choice is not None:
        write_tools(params, NAME, out, _write_definition, _write_choice, losses)
    if params.response_format is not None:
        put(out, "response_format", _write_format(params.response_format), losses)
    if params.thinking is not None:
        put(out, "reasoning_effort", nearest_effort(params.thinking, params.effort, NAME), losses, ".thinking")
    losses += drop_parameters(params, ("user",))
    return out


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    return write_definition(tool, NAME, _write_tool, has_strict=True)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_choice: Final = choice_writer(CODEC, NAME, _CHOICES)
_write_format: Final = format_writer(CODEC, NAME, "json_schema")
_write_params: Final = unstructuring(CODEC, ModelParams)
