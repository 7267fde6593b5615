"""Parameters, tools, choices and formats of Cohere, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import Wire, json
from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.dialects._choices import with_toolless
from chatadt.dialects._codec import noted, strings, unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, rewritten
from chatadt.dialects._openai_like.params import put
from chatadt.dialects._openai_like.tools import tool_reader, write_definition, write_tools
from chatadt.dialects._params import beyond, bounded, drop_parameters, foreign_fields, plainly, schema_alone
from chatadt.dialects.cohere.codec import CODEC, NAME
from chatadt.dialects.cohere.rules import MOST_STOPS, RULES
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    params = with_toolless(_read_params(body), NAME)
    if any(True for _ in beyond(params, RULES.ranges)) or len(params.stop) > MOST_STOPS:
        params = noted(params, NAME, "$beyond", True)
    strict = body.get("strict_tools")
    if strict.__class__ is not bool or not any(isinstance(tool, Tool) for tool in params.tools):
        return params
    own = params.extras.of(NAME)
    del own["strict_tools"]
    tools = [evolve(tool, strict=strict) if isinstance(tool, Tool) else tool for tool in params.tools]
    return evolve(params, tools=tools, extras={NAME: own} if own else {})


def _tool_choice(value: Any) -> ToolChoice.T:
    match value:
        case "REQUIRED":
            return ToolChoice.Required()
        case "NONE":
            return ToolChoice.Never()
        case str() | dict():
            return ToolChoice.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a tool choice (REQUIRED or NONE)", value)


def _response_format(value: Any) -> ResponseFormat.T:
    match value:
        case {"type": "text"}:
            return _read_text(value)
        case {"type": "json_object", "json_schema": dict()}:
            return _read_schema(value)
        case {"type": "json_object"}:
            return _read_object(value)
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a response format, which is an object", value)


def _thinking(value: Any) -> Thinking.T:
    match value:
        case {"type": "enabled", "token_budget": int()}:
            return _read_budget(value)
        case {"type": "enabled"}:
            return _read_adaptive(value)
        case {"type": "disabled"}:
            return _read_off(value)
        case dict():
            return Thinking.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a thinking configuration, which is an object", value)


register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("tools", tool_reader(NAME, structuring(CODEC, Tool)), None, optional=True),
        "tool_choice": Wire("tool_choice", _tool_choice, None, optional=True),
        "response_format": Wire("response_format", _response_format, None, optional=True),
        "stop": Wire("stop_sequences", strings, list, optional=True),
        "thinking": Wire("thinking", _thinking, None, optional=True),
        "messages": unread("messages"),
        **plainly(
            model="model",
            temperature="temperature",
            max_output_tokens="max_tokens",
            seed="seed",
            stream="stream",
            top_p="p",
            top_k="k",
            presence_penalty="presence_penalty",
            frequency_penalty="frequency_penalty",
        ),
    },
    dialect=NAME,
)

_read_text: Final = structuring(CODEC, ResponseFormat.Text)
_read_object: Final = structuring(CODEC, ResponseFormat.JsonObject)
_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_budget: Final = structuring(CODEC, Thinking.Budget)
_read_adaptive: Final = structuring(CODEC, Thinking.Adaptive)
_read_off: Final = structuring(CODEC, Thinking.Off)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    is_own = params.extras is not NO_EXTRAS and "$beyond" in params.extras.of(NAME)
    if not is_own:
        params = bounded(params, RULES.ranges, losses)
    out = _write_params(params)
    if not is_own and len(params.stop) > MOST_STOPS:
        losses.append(_write_stops(params, out))
    if params.tools or params.tool_choice is not None:
        write_tools(params, NAME, out, _write_definition, _write_choice, losses)
        losses += _write_strict(params, out)
    if params.response_format is not None:
        put(out, "response_format", _write_format(params.response_format), losses)
    if params.thinking is not None or params.effort is not None:
        put(out, "thinking", _write_thinking(params.thinking, params.effort), losses, "")
    losses += drop_parameters(params, ("parallel_tool_calls", "user"))
    losses += foreign_fields(params, NAME)
    return out


def _write_stops(params: ModelParams, out: Block) -> Loss:
    out["stop_sequences"] = list(params.stop[:MOST_STOPS])
    reason = f"at most {MOST_STOPS} are taken"
    return dropped("stop sequences", params.stop[MOST_STOPS:], reason, weight=Weight.DETAIL, path=".stop")


def _write_strict(params: ModelParams, out: Block) -> Iterator[Loss]:
    """One flag for all tools, where they agree."""
    functions = {at: tool for at, tool in enumerate(params.tools) if isinstance(tool, Tool)}
    flags = {tool.strict for tool in functions.values()}
    if len(flags) == 1 and (flag := flags.pop()) is not None:
        out["strict_tools"] = flag
        return
    for at, tool in functions.items():
        if tool.strict is not None:
            reason = "one flag holds for all tools, and they do not agree"
            yield dropped("strict", tool.strict, reason, weight=Weight.DETAIL, path=f".tools[{at}].strict")


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    return write_definition(tool, NAME, _write_tool, has_strict=True)


def _write_choice(choice: ToolChoice.T) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            pass  # which is what no choice means
        case ToolChoice.Never():
            yield "NONE"
        case ToolChoice.Required():
            yield "REQUIRED"
        case ToolChoice.One(name=name):
            yield "REQUIRED"
            yield rewritten("the tool choice", name, "no single tool can be asked for: some tool must be called")
        case ToolChoice.Custom():
            yield own_or_lost(choice, NAME)
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
            yield from _write_schema(form)
        case ResponseFormat.Custom():
            yield own_or_lost(form, NAME)
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME)


def _write_schema(form: ResponseFormat.JsonSchema) -> Iterator[Any]:
    block = _write_json_schema(form)
    if not isinstance(block["json_schema"], dict):
        yield dropped("the schema", form.schema, "a schema is an object", path=".schema")
        del block["json_schema"]
    yield block
    yield from schema_alone(form)


def _write_thinking(thinking: Thinking.T | None, effort: Effort | None) -> Iterator[Any]:
    match thinking:
        case None:
            if effort is Effort.NONE:
                yield {"type": "disabled"}
        case Thinking.Off():
            yield _write_off(thinking)
        case Thinking.Adaptive():
            yield _write_adaptive(thinking)
        case Thinking.Budget():
            yield _write_budget(thinking)
        case Thinking.Custom():
            yield own_or_lost(thinking, NAME, ".thinking")
        case _:
            assert_never(thinking)
    if thinking is not None and not isinstance(thinking, Thinking.Custom):
        yield from foreign(thinking.extras, NAME, ".thinking")
    if effort is Effort.NONE and thinking is None:
        yield rewritten("effort", effort.value, "there are no efforts: thinking is switched off instead", path=".effort")
    elif effort is not None:
        yield dropped("effort", effort.value, "there are no efforts", weight=Weight.DETAIL, path=".effort")


_write_tool: Final = unstructuring(CODEC, Tool)
_write_text: Final = unstructuring(CODEC, ResponseFormat.Text)
_write_object: Final = unstructuring(CODEC, ResponseFormat.JsonObject)
_write_json_schema: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_off: Final = unstructuring(CODEC, Thinking.Off)
_write_adaptive: Final = unstructuring(CODEC, Thinking.Adaptive)
_write_budget: Final = unstructuring(CODEC, Thinking.Budget)
_write_params: Final = unstructuring(CODEC, ModelParams)
