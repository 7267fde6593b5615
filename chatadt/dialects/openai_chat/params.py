"""Parameters, tools, choices and formats of OpenAI Chat, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, boolean, each, integer, json, number, same, string
from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.dialects._choices import TOOLLESS, has_tools, is_about_a_tool
from chatadt.dialects._codec import at, noted
from chatadt.dialects._losses import Block, dropped, foreign, invented, parted, rewritten
from chatadt.dialects.openai_chat.codec import CODEC, FUNCTIONS, NAME
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

_EFFORTS: Final[Mapping[object, Effort]] = {effort.value: effort for effort in Effort}

_BUDGETS: Final = ((2_048, Effort.LOW), (16_384, Effort.MEDIUM))
"""Up to how many tokens of thinking each effort stands for; more is HIGH."""


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    params = _read_params(body)
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


def _tool_choice(value: Any) -> ToolChoice.T:
    match value:
        case "auto":
            return ToolChoice.Auto()
        case "none":
            return ToolChoice.Never()
        case "required":
            return ToolChoice.Required()
        case {"type": "function", "function": {"name": str()}}:
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
        case {"type": "json_schema", "json_schema": {"schema": _}}:
            form = _read_schema(value)
            return form if form.name is not None else noted(form, NAME, "$unnamed", True)
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a response format, which is an object", value)


def _stop(value: Any) -> Any:
    if value.__class__ is str:
        return (value,)
    return each(string, value) if value != [] else UNKNOWN


def _effort(value: Any) -> Any:
    return _EFFORTS.get(string(value), UNKNOWN)


def _effort_word(value: Effort) -> str:
    return str(value.value)


def _nothing(_: Any) -> None:
    return None


register(
    CODEC,
    ModelParams,
    {
        "model": Wire("model", string, same, optional=True),
        "tools": Wire("tools", _tools, None, optional=True),
        "tool_choice": Wire("tool_choice", _tool_choice, None, optional=True),
        "parallel_tool_calls": Wire("parallel_tool_calls", boolean, same, optional=True),
        "response_format": Wire("response_format", _response_format, None, optional=True),
        "temperature": Wire("temperature", number, same, optional=True),
        "top_p": Wire("top_p", number, same, optional=True),
        "max_output_tokens": Wire("max_completion_tokens", integer, same, optional=True),
        "stop": Wire("stop", _stop, list, optional=True),
        "seed": Wire("seed", integer, same, optional=True),
        "presence_penalty": Wire("presence_penalty", number, same, optional=True),
        "frequency_penalty": Wire("frequency_penalty", number, same, optional=True),
        "effort": Wire("reasoning_effort", _effort, _effort_word, optional=True),
        "stream": Wire("stream", boolean, same, optional=True),
        "user": Wire("user", string, same, optional=True),
        "messages": Wire(read=_nothing, always=("messages",)),
    },
    dialect=NAME,
)

_read_tool: Final = structuring(CODEC, Tool)
_read_function: Final = structuring(FUNCTIONS, Tool)
_read_call: Final = structuring(FUNCTIONS, ToolChoice.One)
_read_one: Final = structuring(CODEC, ToolChoice.One)
_read_text: Final = structuring(CODEC, ResponseFormat.Text)
_read_object: Final = structuring(CODEC, ResponseFormat.JsonObject)
_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, losses: list[Loss]) -> Block:
    """The fields of a request body; what they cannot say is added to `losses`."""
    out = _write_params(params)
    notes = params.extras.of(NAME)
    if notes.get("$max_output_tokens") == "max_tokens" and "max_completion_tokens" in out:
        out["max_tokens"] = out.pop("max_completion_tokens")
    if notes.get("$stop") == "string" and len(params.stop) == 1:
        out["stop"] = params.stop[0]
    for index, tool in enumerate(params.tools):
        if blocks := parted(_write_definition(tool), losses, f".tools[{index}]"):
            out.setdefault("functions" if _is_of_functions(tool) else "tools", []).extend(blocks)
    if params.tool_choice is not None or params.parallel_tool_calls is not None:
        _write_calling(params, out, losses, is_as_it_was=TOOLLESS in notes)
    if params.response_format is not None:
        _set(out, "response_format", _write_format(params.response_format), losses)
    if params.top_k is not None:
        losses.append(dropped("top_k", params.top_k, "there is no such parameter", weight=Weight.DETAIL, path=".top_k"))
    if params.thinking is not None:
        for word in parted(_write_thinking(params.thinking, params.effort), losses, ".thinking"):
            out["reasoning_effort"] = word
    if params.extras is not NO_EXTRAS:
        losses += foreign(params.extras, NAME)
    return out


def _write_calling(params: ModelParams, out: Block, losses: list[Loss], *, is_as_it_was: bool) -> None:
    """How tools are to be called, which goes where there is no tool that it could be about."""
    reason = "no tool is there that it could be about"
    choice = params.tool_choice
    if choice is not None and (is_as_it_was or is_about_a_tool(params, NAME)):
        is_deprecated = _is_of_functions(choice)
        for block in parted(_write_choice(choice, is_deprecated), losses, ".tool_choice"):
            out["function_call" if is_deprecated else "tool_choice"] = block
    elif choice is not None:
        losses.append(dropped("the tool choice", document(choice), reason, weight=Weight.DETAIL, path=".tool_choice"))
    if "parallel_tool_calls" in out and not (is_as_it_was or has_tools(params, NAME)):
        said, path = out.pop("parallel_tool_calls"), ".parallel_tool_calls"
        losses.append(dropped("parallel_tool_calls", said, reason, weight=Weight.DETAIL, path=path))


def _is_of_functions(word: ToolDefinition | ToolChoice.T) -> bool:
    """Whether a tool or a choice came in the deprecated `functions` or `function_call`."""
    match word:
        case ProviderTool() | ToolChoice.Custom():
            return False
        case Tool() | ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            return word.extras is not NO_EXTRAS and bool(word.extras.of(NAME).get("$function"))
        case _:
            assert_never(word)


def _set(out: Block, key: str, written: Iterator[Any], losses: list[Loss]) -> None:
    for block in parted(written, losses, f".{key}"):
        out[key] = block


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    match tool:
        case Tool():
            yield _write_function(tool) if _is_of_functions(tool) else _write_tool(tool)
            yield from foreign(tool.extras, NAME)
        case ProviderTool(dialect=dialect, value=value):
            plain = value.value if dialect == NAME else None
            yield plain if isinstance(plain, dict) else dropped("a tool", value, f"only {dialect} has this tool")
        case _:
            assert_never(tool)


def _write_choice(choice: ToolChoice.T, is_deprecated: bool) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            yield "auto"
        case ToolChoice.Never():
            yield "none"
        case ToolChoice.Required():
            yield "required"
        case ToolChoice.One():
            yield _write_call(choice) if is_deprecated else _write_one(choice)
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


def _write_thinking(thinking: Thinking.T, effort: Effort | None) -> Iterator[Any]:
    match thinking:
        case Thinking.Budget(tokens=tokens):
            if effort is None:
                near = next((effort for most, effort in _BUDGETS if tokens <= most), Effort.HIGH)
                yield near.value
                yield rewritten("the budget for thinking", tokens, f"there are efforts, not budgets: {near.value} is near it")
            else:
                yield dropped("the budget for thinking", tokens, "there are efforts, not budgets", weight=Weight.DETAIL)
        case Thinking.Off() if effort is None:
            yield Effort.NONE.value
            yield rewritten("thinking", "off", 'there are efforts, and "none" is near it')
        case Thinking.Off() | Thinking.Adaptive():
            word = type(thinking).__name__.lower()
            yield dropped("thinking", word, "the model decides whether it thinks", weight=Weight.DETAIL)
        case Thinking.Custom(dialect=dialect, value=value):
            yield dropped("thinking", value, f"only {dialect} knows this setting", weight=Weight.DETAIL)
            return
        case _:
            assert_never(thinking)
    yield from foreign(thinking.extras, NAME)


_write_tool: Final = unstructuring(CODEC, Tool)
_write_function: Final = unstructuring(FUNCTIONS, Tool)
_write_call: Final = unstructuring(FUNCTIONS, ToolChoice.One)
_write_one: Final = unstructuring(CODEC, ToolChoice.One)
_write_text: Final = unstructuring(CODEC, ResponseFormat.Text)
_write_object: Final = unstructuring(CODEC, ResponseFormat.JsonObject)
_write_schema: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
