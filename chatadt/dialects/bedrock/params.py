"""Parameters, tools, choices and formats of Bedrock Converse, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, assert_never

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, integer, json, string
from chatadt.chat import ModelParams, ResponseFormat
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._choices import choice_stands, with_toolless
from chatadt.dialects._codec import at, noted, strings, unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, parted, rewritten
from chatadt.dialects._params import (
    beyond,
    bounded,
    drop_choice,
    drop_parameters,
    empty_schema,
    foreign_fields,
    inner,
    plainly,
    typed_schema,
    write_all,
)
from chatadt.dialects.bedrock.codec import CODEC, EFFORTS, NAME
from chatadt.dialects.bedrock.marks import others, points, with_points
from chatadt.dialects.bedrock.places import take_placed, write_placed
from chatadt.dialects.bedrock.rules import RULES
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, why_not_json
from chatadt.loss import Loss, Weight
from chatadt.message import Message
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

_PARTS: Final = ("inferenceConfig", "toolConfig", "outputConfig")
_UNKNOWN: Final = ("parallel_tool_calls", "seed", "presence_penalty", "frequency_penalty", "stream", "user")

_SAMPLING: Final = {
    "temperature": ("inferenceConfig", "temperature"),
    "top_p": ("inferenceConfig", "topP"),
    "top_k": ("additionalModelRequestFields", "top_k"),
}
"""Where the parameters stand that the newest models do not take."""


# --- reading -------------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages and its system prompt."""
    if _COMMON.issuperset(body) and body.get("system", True):
        config: Any = body.get("inferenceConfig")
        model: Any = body.get("modelId")
        most = config.get("maxTokens") if config.__class__ is dict and len(config) == 1 else None
        if most.__class__ is int and model.__class__ is str and len(model) <= _SHORT:
            return _common(model, most)
    return _read(body)


_COMMON: Final = frozenset({"messages", "system", "inferenceConfig", "modelId"})
"""The keys of a request that asks for nothing rare."""
_SHORT: Final = 100


@lru_cache(maxsize=256)
def _common(model: str, max_tokens: int) -> ModelParams:
    """The parameters of such a request: one program asks for the same again and again, and what is frozen can be shared."""
    return _read({"modelId": model, "inferenceConfig": {"maxTokens": max_tokens}})


def _read(body: dict[str, Any]) -> ModelParams:
    params = _read_params(body)
    if params.extras is not NO_EXTRAS:
        params = take_placed(params)
    empty = {part: body[part] for part in _PARTS if body.get(part) == {}}
    if "system" in body and body["system"] in ([], None):
        empty["system"] = body["system"]
    if empty:
        params = noted(params, NAME, "$kept", {**params.extras.of(NAME).get("$kept", {}), **empty})
    params = with_toolless(params, NAME)
    sampled = (params.temperature, params.top_p, params.top_k)
    if params.model is not None and any(value is not None for value in sampled):
        params = noted(params, NAME, "$sampling", True)
    return noted(params, NAME, "$beyond", True) if any(True for _ in beyond(params, RULES.ranges)) else params


def _tools(value: Any) -> Any:
    return with_points(_tool_definition, _provider_tool, value) if value != [] else UNKNOWN


def _tool_definition(value: Any) -> ToolDefinition:
    match value:
        case {"toolSpec": spec, **rest} if not rest:
            tool = at(".toolSpec", _read_tool, spec)
            if tool.parameters is None:
                return noted(tool, NAME, "$schemaless", True)
            return tool if _is_of_an_object(tool.parameters.value) else noted(tool, NAME, "$own", True)
        case dict():
            return _provider_tool(value)
        case _:
            raise Unexpected.of("a tool, which is an object with a toolSpec", value)


def _is_of_an_object(schema: Any) -> bool:
    return schema.__class__ is dict and schema.get("type") == "object"


def _provider_tool(value: Any) -> ToolDefinition:
    return ProviderTool(NAME, json(value))


def _tool_choice(value: Any) -> ToolChoice.T:
    match value:
        case {"auto": auto, **rest} if not rest:
            return _read_auto(auto)
        case {"any": required, **rest} if not rest:
            return _read_any(required)
        case {"tool": one, **rest} if not rest:
            return _read_one(one)
        case dict():
            return ToolChoice.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a tool choice, which is an object (auto, any, tool)", value)


def _response_format(value: Any) -> ResponseFormat.T:
    match value:
        case {"type": "json_schema", "structure": {"jsonSchema": {"schema": str() as text} as schema, **inner}, **rest} if not (
            inner or rest or why_not_json(text)
        ):
            return _read_schema(schema)
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a text format, which is an object", value)


def _effort(value: Any) -> Any:
    return EFFORTS.get(string(value), UNKNOWN)


register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("toolConfig.tools", _tools, None, optional=True),
        "tool_choice": Wire("toolConfig.toolChoice", _tool_choice, None, optional=True),
        "response_format": Wire("outputConfig.textFormat", _response_format, None, optional=True),
        "max_output_tokens": Wire("inferenceConfig.maxTokens", integer, None, optional=True),
        "stop": Wire("inferenceConfig.stopSequences", strings, list, optional=True),
        "effort": Wire("outputConfig.effort", _effort, None, optional=True),
        "messages": unread("messages", "system"),
        **plainly(model="modelId", temperature="inferenceConfig.temperature", top_p="inferenceConfig.topP"),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_auto: Final = structuring(CODEC, ToolChoice.Auto)
_read_any: Final = structuring(CODEC, ToolChoice.Required)
_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -------------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, model: str | None, history: tuple[Message.T, ...], losses: list[Loss]) -> Block:
    """The fields of a request body for `model` with this history; what they cannot say is added to `losses`."""
    notes = params.extras.of(NAME) if params.extras is not NO_EXTRAS else {}
    takes_sampling = not any(getattr(params, name) is not None for name in _SAMPLING) or bool(notes.get("$sampling"))
    takes_sampling = takes_sampling or RULES.profile(model).sampling
    if "$beyond" not in notes:
        params = bounded(params, RULES.ranges, losses, but=() if takes_sampling else _SAMPLING)
    out = _write_params(params)
    losses += write_placed(params, model, out)
    if not takes_sampling:
        losses += _without_sampling(params, out)
    losses += drop_parameters(params, _UNKNOWN)
    if params.tools or params.tool_choice is not None:
        _write_tools(params, history, out, losses)
    if params.response_format is not None:
        for block in parted(_write_format(params.response_format), losses, ".response_format"):
            inner(out, "outputConfig")["textFormat"] = block
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
    return out


def _without_sampling(params: ModelParams, out: Block) -> Iterator[Loss]:
    for name, (outer, key) in _SAMPLING.items():
        value = getattr(params, name)
        if value is not None:
            out[outer].pop(key, None)
            if not out[outer]:
                del out[outer]
            yield dropped(name, value, "the newest models do not take it", weight=Weight.DETAIL, path=f".{name}")


def _write_tools(params: ModelParams, history: tuple[Message.T, ...], out: Block, losses: list[Loss]) -> None:
    choice = params.tool_choice
    if isinstance(choice, ToolChoice.Never) and params.tools and not any(map(_calls, history)):
        losses += _without_tools(params, choice)
        return
    tools = write_all(params, _write_definition, losses)
    if tools:
        inner(out, "toolConfig")["tools"] = tools
    if choice is None:
        return
    if not choice_stands(params, NAME):
        losses += drop_choice(params)
        return
    for block in parted(_write_choice(choice), losses, ".tool_choice"):
        inner(out, "toolConfig")["toolChoice"] = block


def _calls(message: Message.T) -> bool:
    """Whether a message calls a tool, or answers a call."""
    if not isinstance(message, Message.Assistant):
        return isinstance(message, Message.ToolResult)
    return any(isinstance(content, Content.ToolRequest) for content in message.contents)


def _without_tools(params: ModelParams, choice: ToolChoice.Never) -> Iterator[Loss]:
    """That no tool may be called is said by defining none."""
    reason = "no tool may be called, which is said by leaving the tools out"
    yield rewritten("the tool choice", document(choice), reason, path=".tool_choice")
    yield from foreign(choice.extras, NAME, ".tool_choice")
    for index, tool in enumerate(params.tools):
        original = document(tool) if isinstance(tool, Tool) else tool.value
        yield dropped("a tool that must not be called", original, reason, weight=Weight.DETAIL, path=f".tools[{index}]")


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            spec = _write_tool(tool)
            yield from _write_parameters(tool, spec)
            yield {"toolSpec": spec}
            if tool.extras is not NO_EXTRAS:
                yield from points(tool.extras)
                yield from others(tool.extras)
        case ProviderTool():
            yield own_or_lost(tool, NAME, takes=dict)
        case _:
            assert_never(tool)


def _write_parameters(tool: Tool, spec: Block) -> Iterator[Loss]:
    own = tool.extras.of(NAME) if tool.extras is not NO_EXTRAS else {}
    if tool.parameters is None:
        if not own.get("$schemaless"):
            spec["inputSchema"] = {"json": empty_schema()}
        return
    given: Block = spec["inputSchema"]
    schema, loss = typed_schema(tool, given["json"])
    if loss is not None and not (own.get("$own") or (NAME in tool.extras and isinstance(given["json"], dict))):
        given["json"] = schema
        yield loss


def _write_choice(choice: ToolChoice.T) -> Iterator[Block | Loss]:
    match choice:
        case ToolChoice.Auto():
            yield {"auto": _write_auto(choice)}
        case ToolChoice.Required():
            yield {"any": _write_any(choice)}
        case ToolChoice.One():
            yield {"tool": _write_one(choice)}
        case ToolChoice.Never():
            reason = "it cannot be said, and the history needs its tools"
            yield dropped("the tool choice", document(choice), reason, weight=Weight.DETAIL)
            return
        case ToolChoice.Custom():
            yield own_or_lost(choice, NAME)
            return
        case _:
            assert_never(choice)
    yield from foreign(choice.extras, NAME)


def _write_format(form: ResponseFormat.T) -> Iterator[Block | Loss]:
    match form:
        case ResponseFormat.JsonSchema(strict=strict):
            yield {"type": "json_schema", "structure": {"jsonSchema": _write_schema(form)}}
            if strict is not None:
                reason = "a format has nothing but its schema, its name and its description"
                yield dropped("the strict of the format", strict, reason, weight=Weight.DETAIL, path=".strict")
        case ResponseFormat.JsonObject():
            yield dropped("the response format", "json_object", "JSON is asked for by a schema only")
        case ResponseFormat.Text():
            pass  # the only format there is when none is named
        case ResponseFormat.Custom():
            yield own_or_lost(form, NAME)
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_auto: Final = unstructuring(CODEC, ToolChoice.Auto)
_write_any: Final = unstructuring(CODEC, ToolChoice.Required)
_write_one: Final = unstructuring(CODEC, ToolChoice.One)
_write_schema: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
