"""Parameters, tools, choices and formats of OpenAI Chat, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, each, json
from chatadt.chat import Effort, ModelParams
from chatadt.dialects._choices import TOOLLESS, choice_stands, has_tools, is_about_a_tool
from chatadt.dialects._codec import at, noted, unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, parted
from chatadt.dialects._openai_like.free_form import adopted
from chatadt.dialects._openai_like.params import effort_wire, format_reader, format_writer, nearest_effort, put, stop_reader
from chatadt.dialects._openai_like.tools import choice_reader, choice_writer
from chatadt.dialects._params import NO_TOOL, drop_choice, drop_parameters, foreign_fields, plainly
from chatadt.dialects.openai_chat.codec import CODEC, FUNCTIONS, NAME
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    if _COMMON.issuperset(body):
        model: Any = body.get("model")
        most, stream = body.get("max_completion_tokens", _ABSENT), body.get("stream", _ABSENT)
        if model.__class__ is str and len(model) <= _SHORT and most.__class__ in _COUNT and stream.__class__ in _SWITCH:
            return _common(model, most, stream)
    return _read(body)


_COMMON: Final = frozenset({"messages", "model", "max_completion_tokens", "stream"})
"""The keys of a request that asks for nothing rare. No temperature: 0.0 and -0.0 are one key of a cache."""
_SHORT: Final = 100
_ABSENT: Final = object()
_COUNT: Final = (int, object)
_SWITCH: Final = (bool, object)


@lru_cache(maxsize=256)
def _common(model: str, max_completion_tokens: object, stream: object) -> ModelParams:
    """The parameters of such a request: one program asks for the same again and again, and what is frozen can be shared."""
    said = {"model": model, "max_completion_tokens": max_completion_tokens, "stream": stream}
    return _read({key: value for key, value in said.items() if value is not _ABSENT})


def _read(body: dict[str, Any]) -> ModelParams:
    params = _read_params(body)
    if params.extras is NO_EXTRAS and params.tool_choice is None and params.parallel_tool_calls is None and "stop" not in body:
        return params
    if "functions" in body or "function_call" in body:
        params = _with_functions(params, params.extras.of(NAME))
    own = params.extras.of(NAME)
    notes: dict[str, Any] = {}
    if params.max_output_tokens is None and own.get("max_tokens").__class__ is int:
        params = evolve(params, max_output_tokens=own.pop("max_tokens"))
        notes["$max_output_tokens"] = "max_tokens"
    if body.get("stop").__class__ is str:
        notes["$stop"] = "string"
    if (params.tool_choice is not None or params.parallel_tool_calls is not None) and not is_about_a_tool(params, NAME):
        notes[TOOLLESS] = True
    return evolve(params, extras={NAME: {**own, **notes}}) if notes else params


def _with_functions(params: ModelParams, own: Block) -> ModelParams:
    """The parameters with the deprecated `functions` as tools and `function_call` as their choice, which leave the extras."""
    tools, choice = params.tools, params.tool_choice
    if own.get("functions"):
        tools = (*tools, *at(".functions", _functions, own.pop("functions")))
    if choice is None and (called := _function_choice(own.get("function_call"))) is not None:
        choice = noted(called, NAME, "$function", True)
        del own["function_call"]
    return evolve(params, tools=tools, tool_choice=choice, extras={NAME: own} if own else {})


def _functions(values: Any) -> tuple[Tool, ...]:
    return each(lambda value: noted(_read_function(value), NAME, "$function", True), values)


def _function_choice(value: Any) -> ToolChoice.T | None:
    match value:
        case "auto":
            return ToolChoice.Auto()
        case "none":
            return ToolChoice.Never()
        case {"name": str() as name} if name and not name.isspace():
            return _read_call(value)
        case _:
            return None


def _tools(value: Any) -> Any:
    return each(_tool_definition, value) if value != [] else UNKNOWN


def _tool_definition(value: Any) -> ToolDefinition:
    if value.__class__ is not dict:
        raise Unexpected.of("a tool, which is an object", value)
    match value:
        case {"type": "function"}:
            return _read_tool(value)
        case {"function": dict()} if "type" not in value:
            return noted(_read_tool({**value, "type": "function"}), NAME, "$absent", ["type"])
        case _:
            return ProviderTool(NAME, json(value))


register(
    CODEC,
    ModelParams,
    {
        "messages": unread("messages"),
        **plainly(  # the most common first: no more are looked for than there are keys
            model="model",
            max_output_tokens="max_completion_tokens",
            temperature="temperature",
            stream="stream",
            top_p="top_p",
            parallel_tool_calls="parallel_tool_calls",
            seed="seed",
            presence_penalty="presence_penalty",
            frequency_penalty="frequency_penalty",
            user="user",
        ),
        "tools": Wire("tools", _tools, None, optional=True),
        "tool_choice": Wire("tool_choice", choice_reader(CODEC, NAME, "function"), None, optional=True),
        "response_format": Wire("response_format", format_reader(CODEC, NAME, "json_schema"), None, optional=True),
        "stop": Wire("stop", stop_reader, list, optional=True),
        "effort": effort_wire("reasoning_effort"),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_function: Final = structuring(FUNCTIONS, Tool)
_read_call: Final = structuring(FUNCTIONS, ToolChoice.One)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    params = adopted(params, NAME)
    out = _write_params(params)
    notes = params.extras.of(NAME)
    if notes.get("$max_output_tokens") == "max_tokens" and "max_completion_tokens" in out:
        out["max_tokens"] = out.pop("max_completion_tokens")
    if notes.get("$stop") == "string" and len(params.stop) == 1:
        out["stop"] = params.stop[0]
    tools: dict[str, list[Block]] = {}
    for index, tool in enumerate(params.tools):
        if blocks := parted(_write_definition(tool), losses, f".tools[{index}]"):
            tools.setdefault("functions" if _is_of_functions(tool) else "tools", []).extend(blocks)
    out.update(tools)
    if params.tool_choice is not None or params.parallel_tool_calls is not None:
        _write_calling(params, out, losses)
    if params.response_format is not None:
        put(out, "response_format", _write_format(params.response_format), losses)
    if params.top_k is not None:
        losses += drop_parameters(params, ("top_k",))
    if params.thinking is not None:
        effort = nearest_effort(params.thinking, params.effort, NAME, off=Effort.NONE)
        put(out, "reasoning_effort", effort, losses, ".thinking")
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
    return out


def _write_calling(params: ModelParams, out: Block, losses: list[Loss]) -> None:
    """How tools are to be called, which goes where there is no tool that it could be about."""
    choice = params.tool_choice
    if choice is not None and choice_stands(params, NAME):
        is_deprecated = _is_of_functions(choice)
        for block in parted(_write_choice(choice, is_deprecated), losses, ".tool_choice"):
            out["function_call" if is_deprecated else "tool_choice"] = block
    elif choice is not None:
        losses += drop_choice(params)
    if "parallel_tool_calls" in out and not (TOOLLESS in params.extras.of(NAME) or has_tools(params, NAME)):
        said, path = out.pop("parallel_tool_calls"), ".parallel_tool_calls"
        losses.append(dropped("parallel_tool_calls", said, NO_TOOL, weight=Weight.DETAIL, path=path))


def _is_of_functions(word: ToolDefinition | ToolChoice.T) -> bool:
    """Whether a tool or a choice came in the deprecated `functions` or `function_call`."""
    match word:
        case ProviderTool() | ToolChoice.Custom():
            return False
        case Tool() | ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            return word.extras is not NO_EXTRAS and bool(word.extras.of(NAME).get("$function"))
        case _:
            assert_never(word)


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            yield _write_function(tool) if _is_of_functions(tool) else _write_tool(tool)
            yield from foreign(tool.extras, NAME)
        case ProviderTool():
            yield own_or_lost(tool, NAME, takes=dict)
        case _:
            assert_never(tool)


def _write_choice(choice: ToolChoice.T, is_deprecated: bool) -> Iterator[Any]:
    if is_deprecated and isinstance(choice, ToolChoice.One):
        yield _write_call(choice)
        yield from foreign(choice.extras, NAME)
    else:
        yield from _write_word_or_tool(choice)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_function: Final = unstructuring(FUNCTIONS, Tool)
_write_call: Final = unstructuring(FUNCTIONS, ToolChoice.One)
_write_word_or_tool: Final = choice_writer(CODEC, NAME)
_write_format: Final = format_writer(CODEC, NAME, "json_schema")
_write_params: Final = unstructuring(CODEC, ModelParams)
