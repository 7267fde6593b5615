"""Parameters: tools, and what is said of them, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import UNKNOWN, Wire, each, json, plain_json, same, string
from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.dialects._codec import noted, tool_name
from chatadt.dialects._losses import Block, dropped, foreign, parted, rewritten
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = (
    "DEFINITION",
    "drop_parameters",
    "nearest_effort",
    "put",
    "schema_alone",
    "stop_reader",
    "strings",
    "tool_reader",
    "write_definition",
    "write_tools",
)


DEFINITION: Final[Mapping[str, Wire]] = {
    "name": Wire("function.name", tool_name, same),
    "description": Wire("function.description", string, same, optional=True),
    "parameters": Wire("function.parameters", json, plain_json, optional=True),
}
"""A tool of these dialects, as far as they agree."""


def tool_reader(dialect: str, read: Callable[[Any], Tool]) -> Callable[[Any], Any]:
    """A reader of the tools of a request: a function that `read` structures, or a tool that only this provider has."""

    def definition(value: Any) -> ToolDefinition:
        if value.__class__ is not dict:
            raise Unexpected.of("a tool, which is an object", value)
        match value:
            case {"type": "function", "function": dict()}:
                tool = read(value)
            case {"function": dict()} if "type" not in value:
                tool = noted(read({**value, "type": "function"}), dialect, "$absent", ["type"])
            case _:
                return ProviderTool(dialect, json(value))
        return tool if tool.parameters is not None else noted(tool, dialect, "$parameters", None)

    return lambda value: each(definition, value) if value != [] else UNKNOWN


def strings(value: Any) -> Any:
    """Read a list of strings; an empty one says nothing."""
    return each(string, value) if value != [] else UNKNOWN


def stop_reader(value: Any) -> Any:
    """Read where to stop: a string, or a list of them."""
    return (value,) if value.__class__ is str else strings(value)


# --- writing -------------------------------------------------------------------------------------------------------------------


def put(out: Block, key: str, written: Iterator[Any], losses: list[Loss], path: str | None = None) -> None:
    """Set a field to what is written of it, if anything is."""
    for block in parted(written, losses, f".{key}" if path is None else path):
        out[key] = block


def write_tools(
    params: ModelParams,
    out: Block,
    definition: Callable[[ToolDefinition], Iterator[Block | Loss]],
    choice: Callable[[ToolChoice.T], Iterator[Any]],
    losses: list[Loss],
) -> None:
    """Write the tools, and what is said about them: that goes with the last of them."""
    tools = [block for at, tool in enumerate(params.tools) for block in parted(definition(tool), losses, f".tools[{at}]")]
    if tools:
        out["tools"] = tools
    if not (params.tools and not tools):
        if params.tool_choice is not None:
            put(out, "tool_choice", choice(params.tool_choice), losses)
        return
    reason = "no tool is left that it could be about"
    if params.tool_choice is not None:
        losses.append(dropped("the tool choice", document(params.tool_choice), reason, weight=Weight.DETAIL, path=".tool_choice"))
    if out.pop("parallel_tool_calls", None) is not None:
        path = ".parallel_tool_calls"
        losses.append(dropped("parallel_tool_calls", params.parallel_tool_calls, reason, weight=Weight.DETAIL, path=path))


def write_definition(
    definition: ToolDefinition, dialect: str, write: Callable[[Tool], Block], *, has_strict: bool
) -> Iterator[Block | Loss]:
    """One tool: a function always has a schema here, which is an object."""
    match definition:
        case Tool():
            block = write(definition)
            function: Block = block["function"]
            schema = function.get("parameters")
            if not isinstance(schema, dict):
                if schema is not None:
                    yield dropped("the schema", definition.parameters, "a schema is an object", path=".parameters")
                function["parameters"] = {"type": "object", "properties": {}}
            if definition.extras is not NO_EXTRAS and "$parameters" in definition.extras.of(dialect) and schema is None:
                del function["parameters"]
            if definition.strict is not None and not has_strict:
                reason = "a tool has no such flag"
                yield dropped("strict", definition.strict, reason, weight=Weight.DETAIL, path=".strict")
            yield block
            yield from foreign(definition.extras, dialect)
        case ProviderTool(dialect=owner, value=value):
            yield value.value if owner == dialect else dropped("a tool", value, f"only {owner} has this tool")
        case _:
            assert_never(definition)


def drop_parameters(params: ModelParams, names: Iterable[str]) -> Iterator[Loss]:
    """The losses of parameters that there are not."""
    for name in names:
        value = getattr(params, name)
        if value is not None:
            said = value.value if isinstance(value, Effort) else value
            yield dropped(name, said, "there is no such parameter", weight=Weight.DETAIL, path=f".{name}")


def schema_alone(form: ResponseFormat.JsonSchema) -> Iterator[Loss]:
    """The losses of what is said about a schema besides itself, where a format has nothing else."""
    for name in ("name", "description", "strict"):
        value = getattr(form, name)
        if value is not None:
            reason = "a format has nothing but its schema"
            yield dropped(f"the {name} of the format", value, reason, weight=Weight.DETAIL, path=f".{name}")


_BUDGETS: Final = ((2_048, Effort.LOW), (16_384, Effort.MEDIUM))
"""Up to how many tokens of thinking each effort stands for; more is HIGH."""


def nearest_effort(thinking: Thinking.T, effort: Effort | None, dialect: str) -> Iterator[Any]:
    """The word for the effort that is nearest to a setting of thinking, where there are only efforts; and what is lost."""
    match thinking:
        case Thinking.Budget(tokens=tokens):
            if effort is None:
                near = next((effort for most, effort in _BUDGETS if tokens <= most), Effort.HIGH)
                yield near.value
                yield rewritten("the budget for thinking", tokens, f"there are efforts, not budgets: {near.value} is near it")
            else:
                yield dropped("the budget for thinking", tokens, "there are efforts, not budgets", weight=Weight.DETAIL)
        case Thinking.Off() | Thinking.Adaptive():
            word = type(thinking).__name__.lower()
            yield dropped("thinking", word, "the model decides whether it thinks", weight=Weight.DETAIL)
        case Thinking.Custom(dialect=owner, value=value):
            yield dropped("thinking", value, f"only {owner} knows this setting", weight=Weight.DETAIL)
            return
        case _:
            assert_never(thinking)
    yield from foreign(thinking.extras, dialect)
