"""Tools and the choice among them, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, cast

from chatadt._hooks import structuring, unstructuring
from chatadt._wire import UNKNOWN, each, json
from chatadt.chat import ModelParams
from chatadt.dialects._choices import choice_stands
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, dropped, foreign, invented, own_or_lost, parted
from chatadt.dialects._params import drop_choice, empty_schema, typed_schema, write_all
from chatadt.dialects.anthropic.codec import CODEC, NAME
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("tool_choice", "tools", "write_tools")

_PARALLEL: Final = frozenset({"auto", "any", "tool"})


# --- reading -----------------------------------------------------------------------------------------------------------------


def tools(value: Any) -> Any:
    """Read the tools of a request; an empty list says nothing."""
    return each(_tool_definition, value) if value != [] else UNKNOWN


def _tool_definition(value: Any) -> ToolDefinition:
    if value.__class__ is not dict:
        raise Unexpected.of("a tool, which is an object", value)
    match value.get("type"):
        case None | "custom" if "input_schema" in value:
            tool = _read_tool(value)
            return tool if _is_of_an_object(value["input_schema"]) else noted(tool, NAME, "$own", True)
        case _:
            return ProviderTool(NAME, json(value))


def _is_of_an_object(schema: Any) -> bool:
    return schema.__class__ is dict and schema.get("type") == "object"


def tool_choice(value: Any) -> ToolChoice.T:
    """Read which tool must be called, without whether several may be."""
    if value.__class__ is not dict or value.get("type").__class__ is not str:
        raise Unexpected.of("a tool choice, which is an object with a type (auto, any, tool, none)", value)
    plain = {key: item for key, item in value.items() if key != "disable_parallel_tool_use" or item.__class__ is not bool}
    match value["type"]:
        case "auto":
            return _read_auto(plain)
        case "any":
            return _read_any(plain)
        case "tool":
            return _read_one(plain)
        case "none":
            return _read_never(value)
        case _:
            return ToolChoice.Custom(NAME, json(value))


_read_tool: Final = structuring(CODEC, Tool)
_read_auto: Final = structuring(CODEC, ToolChoice.Auto)
_read_any: Final = structuring(CODEC, ToolChoice.Required)
_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_never: Final = structuring(CODEC, ToolChoice.Never)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_tools(params: ModelParams, out: Block, losses: list[Loss]) -> None:
    """Write the tools, and how they are to be called."""
    defined = write_all(params, _write_definition, losses)
    if defined:
        out["tools"] = defined
    if params.tool_choice is not None and not choice_stands(params, NAME):
        losses += drop_choice(params)
    elif params.tool_choice is not None:
        for block in parted(_write_choice(params.tool_choice), losses, ".tool_choice"):
            out["tool_choice"] = block
    if params.parallel_tool_calls is None:
        return
    choice: Any = out.get("tool_choice") or ({"type": "auto"} if defined and not params.parallel_tool_calls else None)
    match choice:
        case {"type": str() as kind} if kind in _PARALLEL:
            out["tool_choice"] = {**choice, "disable_parallel_tool_use": not params.parallel_tool_calls}
        case _ if not params.parallel_tool_calls:
            reason = "only a tool choice says this, and there is none"
            losses.append(dropped("parallel_tool_calls", False, reason, weight=Weight.DETAIL, path=".parallel_tool_calls"))
        case _:
            pass  # several calls at once is what it says anyway


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            block = _write_tool(tool)
            if tool.extras is NO_EXTRAS or not tool.extras.of(NAME).get("$own"):
                yield from _write_schema(tool, block)
            yield block
            yield from foreign(tool.extras, NAME)
        case ProviderTool():
            yield own_or_lost(tool, NAME, takes=dict)
        case _:
            assert_never(tool)


def _write_schema(tool: Tool, block: Block) -> Iterator[Loss]:
    """Give the block of a tool a schema of an object, which each must have."""
    if tool.parameters is None:
        block["input_schema"] = empty_schema()
        yield invented("a schema", "a tool must have one: this one takes any object", path=".parameters")
        return
    block["input_schema"], loss = typed_schema(tool, block["input_schema"])
    if loss is not None:
        yield loss


def _write_choice(choice: ToolChoice.T) -> Iterator[Block | Loss]:
    match choice:
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            yield cast("Block", CODEC.unstructure(choice))
            yield from foreign(choice.extras, NAME)
        case ToolChoice.Custom():
            yield own_or_lost(choice, NAME)
        case _:
            assert_never(choice)


_write_tool: Final = unstructuring(CODEC, Tool)
