"""Parameters, tools and choices of Gemini, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, assert_never, cast

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._sum import changed
from chatadt._wire import UNKNOWN, Wire, each, integer, json, same, string
from chatadt.chat import ModelParams
from chatadt.dialects._choices import TOOLLESS, choice_stands, is_about_a_tool
from chatadt.dialects._codec import noted, strings, unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, parted
from chatadt.dialects._params import drop_choice, drop_parameters, foreign_fields, inner, plainly
from chatadt.dialects._spelling import text_of
from chatadt.dialects.gemini.codec import CODEC, NAME
from chatadt.dialects.gemini.config import take_format, take_thinking, write_format, write_thinking
from chatadt.dialects.gemini.rules import Generation
from chatadt.dialects.gemini.schema import own_schema, read_schema
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body in camelCase: everything in it but its contents and its system prompt."""
    if _COMMON.issuperset(body):
        config: Any = body.get("generationConfig")
        most = config.get("maxOutputTokens") if config.__class__ is dict and len(config) == 1 else None
        if most.__class__ is int:
            return _common(most)
    return _read(body)


_COMMON: Final = frozenset({"contents", "systemInstruction", "generationConfig"})
"""The keys of a request that asks for nothing rare."""


@lru_cache(maxsize=256)
def _common(max_output_tokens: int) -> ModelParams:
    """The parameters of such a request: one program asks for the same again and again, and what is frozen can be shared."""
    return _read({"generationConfig": {"maxOutputTokens": max_output_tokens}})


def _read(body: dict[str, Any]) -> ModelParams:
    params = _read_params(body)
    own = params.extras.of(NAME)
    config: Any = own.get("generationConfig")
    if config.__class__ is dict:
        budget, effort = take_thinking(config, own)
        params = changed(params, "thinking", budget) if budget is not None else params
        params = changed(params, "effort", effort) if effort is not None else params
        form = take_format(config)
        params = changed(params, "response_format", form) if form is not None else params
        if not config:
            del own["generationConfig"]
    own |= {"$model": params.model} if params.model is not None else {}
    own |= {TOOLLESS: True} if params.tool_choice is not None and not is_about_a_tool(params, NAME) else {}
    own |= {"$tools": "object"} if body.get("tools").__class__ is dict else {}
    empty: dict[str, Block] = {key: {} for key in ("generationConfig", "toolConfig") if body.get(key) == {}}
    if empty:
        own["$kept"] = {**own.get("$kept", {}), **empty}
    return changed(params, "extras", NO_EXTRAS.having(NAME, own)) if own or params.extras is not NO_EXTRAS else params


def _tools(value: Any) -> Any:
    entries = [value] if value.__class__ is dict else value
    if entries == []:
        return UNKNOWN
    read = each(_entry, entries)
    marked = [
        (noted(tools[0], NAME, "$new_entry", True), *tools[1:])
        if index and isinstance(tools[0], Tool) and isinstance(read[index - 1][-1], Tool)
        else tools
        for index, tools in enumerate(read)
    ]
    return tuple(tool for tools in marked for tool in tools)


def _entry(value: Any) -> tuple[ToolDefinition, ...]:
    """The tools of one entry: functions, and whatever else stands beside them, which is a tool of the provider."""
    if value.__class__ is not dict:
        raise Unexpected.of("a tool, which is an object", value)
    functions: Any = value.get("functionDeclarations")
    declared = [functions] if functions.__class__ is dict else functions
    if declared.__class__ is not list or not declared:
        return (ProviderTool(NAME, json(value)),)
    try:
        *tools, last = each(_declaration, declared)
    except Unexpected as error:
        raise error.under(".functionDeclarations") from None
    rest = {key: item for key, item in value.items() if key != "functionDeclarations"}
    return (*tools, noted(last, NAME, "$joined", True), ProviderTool(NAME, json(rest))) if rest else (*tools, last)


def _declaration(value: Any) -> Tool:
    tool = _read_tool(value)
    if tool.parameters is not None or value.get("parameters").__class__ is not dict:
        return tool
    schema, notes = read_schema(value["parameters"], "parameters", NAME)
    own = tool.extras.of(NAME)
    del own["parameters"]
    return evolve(tool, parameters=schema, extras={NAME: {**own, **notes.of(NAME)}})


def _tool_choice(value: Any) -> Any:
    match value:
        case {"mode": str() as mode} if mode.upper() in _MODES:
            choice = _MODES[mode.upper()](value)
            return choice if mode.isupper() else noted(choice, NAME, "$mode", mode)
        case {"mode": _}:
            return ToolChoice.Custom(NAME, json(value))
        case _:
            return UNKNOWN


def _any(value: dict[str, Any]) -> ToolChoice.T:
    match value.get("allowedFunctionNames"):
        case [str() as name] if name.strip():
            return _read_one(value)
        case _:
            return _read_required(value)


def _count(value: Any) -> Any:
    """Read a count: some clients write 40 as 40.0."""
    return int(value) if value.__class__ is float and value.is_integer() else integer(value)


register(
    CODEC,
    ModelParams,
    {
        "model": Wire("model", string, None, optional=True),
        "tools": Wire("tools", _tools, None, optional=True),
        "tool_choice": Wire("toolConfig.functionCallingConfig", _tool_choice, None, optional=True),
        "top_k": Wire("generationConfig.topK", _count, same, optional=True),
        "max_output_tokens": Wire("generationConfig.maxOutputTokens", _count, same, optional=True),
        "stop": Wire("generationConfig.stopSequences", strings, list, optional=True),
        "seed": Wire("generationConfig.seed", _count, same, optional=True),
        "messages": unread("contents", "systemInstruction"),
        **plainly(
            temperature="generationConfig.temperature",
            top_p="generationConfig.topP",
            presence_penalty="generationConfig.presencePenalty",
            frequency_penalty="generationConfig.frequencyPenalty",
        ),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_required: Final = structuring(CODEC, ToolChoice.Required)
_read_params: Final = structuring(CODEC, ModelParams)
_MODES: Final[dict[str, Any]] = {
    "AUTO": structuring(CODEC, ToolChoice.Auto),
    "NONE": structuring(CODEC, ToolChoice.Never),
    "ANY": _any,
}


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, known: Generation, losses: list[Loss]) -> Block:
    """The fields of a request body for a generation of models; what they cannot say is added to `losses`."""
    out = _write_params(params)
    notes = params.extras.of(NAME) if params.extras is not NO_EXTRAS else {}
    losses += _drop_unknown(params, out, notes)
    if params.tools or params.tool_choice is not None:
        _write_tools(params, out, losses)
    match out.get("tools"):
        case [alone] if "$tools" in notes:
            out["tools"] = alone
        case _:  # several, or none
            pass
    if params.response_format is not None:
        losses += write_format(params.response_format, out)
    if params.thinking is not None or params.effort is not None:
        losses += write_thinking(params, known, notes, out)
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
    return out


def _drop_unknown(params: ModelParams, out: Block, notes: Block) -> Iterator[Loss]:
    """The parameters that a body has no field for."""
    if params.model is not None:
        if "$model" in notes:
            out["model"] = params.model
        else:
            reason = "the model stands in the URL of a request, not in its body"
            yield dropped("the model", params.model, reason, weight=Weight.DETAIL, path=".model")
    if params.stream is not None:
        reason = "the URL says whether an answer is streamed"
        yield dropped("stream", params.stream, reason, weight=Weight.DETAIL, path=".stream")
    yield from drop_parameters(params, ("user",))
    if params.parallel_tool_calls is not None:
        reason = "whether it calls tools in parallel is for the model to say"
        path = ".parallel_tool_calls"
        yield dropped("parallel_tool_calls", params.parallel_tool_calls, reason, weight=Weight.DETAIL, path=path)


def _write_tools(params: ModelParams, out: Block, losses: list[Loss]) -> None:
    entries: list[Block] = []
    opened: list[Block] | None = None  # the functions of the last entry, where it has some
    joined = False
    for index, tool in enumerate(params.tools):
        for block in parted(_write_definition(tool), losses, f".tools[{index}]"):
            if not isinstance(tool, Tool):
                entries[-1:] = [{**entries[-1], **block}] if joined else [*entries[-1:], block]
                opened, joined = None, False
                continue
            notes = tool.extras.of(NAME)
            if opened is None or "$new_entry" in notes:
                opened = []
                entries.append({"functionDeclarations": opened})
            opened.append(block)
            joined = "$joined" in notes
    if entries:
        out["tools"] = entries
    if params.tool_choice is not None and not choice_stands(params, NAME):
        losses += drop_choice(params)
    elif params.tool_choice is not None:
        for block in parted(_write_choice(params.tool_choice), losses, ".tool_choice"):
            inner(out, "toolConfig")["functionCallingConfig"] = block


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            block = _write_tool(tool)
            notes = tool.extras.of(NAME)
            if tool.parameters is not None and notes.get("$key") == "parameters":
                del block["parametersJsonSchema"]
                block["parameters"] = own_schema(tool.parameters, notes)
            yield block
            if tool.strict is not None:
                yield dropped("strict", tool.strict, "a function is never strict", weight=Weight.DETAIL, path=".strict")
            yield from foreign(tool.extras, NAME)
        case ProviderTool():
            yield own_or_lost(tool, NAME, takes=dict)
        case _:
            assert_never(tool)


def _write_choice(choice: ToolChoice.T) -> Iterator[Block | Loss]:
    match choice:
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            block = cast("Block", CODEC.unstructure(choice))
            mode = text_of(choice.extras.of(NAME), "$mode")
            yield block if mode is None or mode.upper() != block["mode"] else {**block, "mode": mode}
            yield from foreign(choice.extras, NAME)
        case ToolChoice.Custom():
            yield own_or_lost(choice, NAME, takes=dict)
        case _:
            assert_never(choice)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_params: Final = unstructuring(CODEC, ModelParams)
