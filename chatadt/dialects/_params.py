"""What all dialects share about parameters: those that stand as they are, and what is lost of the others."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final, cast

from attrs import evolve

from chatadt._wire import Wire, boolean, integer, number, same, string
from chatadt.chat import Effort, ModelParams, ResponseFormat
from chatadt.codec import document
from chatadt.dialects._dialect import Range
from chatadt.dialects._losses import Block, Written, dropped, foreign, parted, rewritten
from chatadt.json import MOST_DIGITS
from chatadt.loss import Loss, Weight
from chatadt.tool import Tool, ToolDefinition

__all__ = (
    "NO_TOOL",
    "answer_limit",
    "beyond",
    "bounded",
    "drop_choice",
    "drop_parameters",
    "empty_schema",
    "foreign_fields",
    "inner",
    "plainly",
    "schema_alone",
    "typed_schema",
    "write_all",
)


# --- reading -------------------------------------------------------------------------------------------------------------------


_KINDS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "model": string,
    "parallel_tool_calls": boolean,
    "temperature": number,
    "top_p": number,
    "top_k": integer,
    "max_output_tokens": integer,
    "seed": integer,
    "presence_penalty": number,
    "frequency_penalty": number,
    "stream": boolean,
    "user": string,
}
"""The parameters that are a number, a flag or a text."""


def plainly(**keys: str) -> dict[str, Wire]:
    """By its name: the key of each parameter that stands on the wire as the number, the flag or the text that it is."""
    return {name: Wire(key, _KINDS[name], same, optional=True) for name, key in keys.items()}


# --- writing -------------------------------------------------------------------------------------------------------------------


def inner(out: Block, key: str) -> Block:
    """The object under a key, which need not be there yet, and may be none where a program put something else among the extras."""
    if not isinstance(out.get(key), dict):
        out[key] = {}
    found: Block = out[key]
    return found


def drop_parameters(params: ModelParams, names: Iterable[str]) -> Iterator[Loss]:
    """The losses of parameters that there are not."""
    for name in names:
        value = getattr(params, name)
        if value is not None:
            said = value.value if isinstance(value, Effort) else value
            yield dropped(name, said, "there is no such parameter", weight=Weight.DETAIL, path=f".{name}")


_CONVERSATION: Final = frozenset(
    {
        *("chat_history", "contents", "input", "instructions", "messages", "preamble"),
        *("system", "systemInstruction", "system_instruction"),
    }
)
"""Fields of requests under which some dialect has a conversation, or a part of it."""


def foreign_fields(params: ModelParams, dialect: str) -> list[Loss]:
    """A loss for each field of a request that only another dialect knows.

    What may be a part of the conversation weighs like one: such a field comes from a body that was read as one of another dialect.
    """
    return [
        evolve(loss, weight=Weight.CONTENT) if loss.what.partition(" (")[0] in _CONVERSATION else loss
        for loss in foreign(params.extras, dialect)
    ]


_COUNTS: Final = frozenset({"max_output_tokens", "top_k"})
"""The parameters of which a value below 1 says that there is no limit: -1 for Ollama, llama.cpp and vLLM, -2 for Ollama."""


def beyond(
    params: ModelParams, ranges: Mapping[str, Range], *, certain: bool = True, but: Container[str] = ()
) -> Iterator[tuple[str, float, float | None]]:
    """Each parameter out of its range, `but` for some; its value, and the nearest one. By what is certain, or by what is said.

    None is nearest to what is no limit: the least that is taken would be the tightest one. That no server with a range takes a
    count below 0 is certain, whatever else is said of the range.
    """
    for name, taken in ranges.items():
        value: float | None = getattr(params, name)
        if value is None or name in but or (near := taken.nearest(value)) == value:
            continue
        is_count = name in _COUNTS
        if (taken.certain or (is_count and value < 0)) is certain:
            yield name, value, None if is_count and value < 1 else near


def bounded(
    params: ModelParams,
    ranges: Mapping[str, Range],
    losses: list[Loss],
    *,
    certain: bool = True,
    but: Container[str] = (),
) -> ModelParams:
    """The parameters with those that are `beyond` brought into their range; a loss for each is added."""
    nearest: dict[str, Any] = {}
    for name, value, near in beyond(params, ranges, certain=certain, but=but):
        nearest[name] = near
        if near is None:
            reason = f"it is {ranges[name]}, and without one there is no limit"
            losses.append(dropped(name, value, reason, weight=Weight.DETAIL, path=f".{name}"))
        else:
            losses.append(rewritten(name, value, f"it is {ranges[name]}: now it is {near:g}", path=f".{name}"))
    return evolve(params, **nearest) if nearest else params


def answer_limit(least: int, thinking: int) -> int:
    """How many tokens of answer to ask for where nothing says it: `least`, besides those that the model may think with."""
    return min(least + thinking, _LARGEST)


_LARGEST: Final[int] = 10**MOST_DIGITS - 1


def write_all(params: ModelParams, write: Callable[[ToolDefinition], Written], losses: list[Loss]) -> list[Block]:
    """The tools, each as `write` writes it; what they cannot say is added to `losses`."""
    return [block for index, tool in enumerate(params.tools) for block in parted(write(tool), losses, f".tools[{index}]")]


NO_TOOL: Final = "no tool is there that it could be about"
"""Why what is said about tools is gone."""


def drop_choice(params: ModelParams) -> Iterator[Loss]:
    """The loss of what is said about the choice of tools, when none of them can be said."""
    if params.tool_choice is not None:
        yield dropped("the tool choice", document(params.tool_choice), NO_TOOL, weight=Weight.DETAIL, path=".tool_choice")


def empty_schema() -> Block:
    """The schema of a tool that has no arguments."""
    return {"type": "object", "properties": {}}


def typed_schema(tool: Tool, schema: Any) -> tuple[Block, Loss | None]:
    """The schema of a tool for a server that wants it to say that it is one of an object, and the loss where it says otherwise."""
    if not isinstance(schema, dict):
        return empty_schema(), dropped("the schema", tool.parameters, "a schema is an object", path=".parameters")
    said = cast("Block", schema)
    if said.get("type") == "object":
        return said, None
    loss = rewritten("the schema", tool.parameters, "the schema of a tool says type object", path=".parameters")
    return {**said, "type": "object"}, loss


def schema_alone(form: ResponseFormat.JsonSchema, path: str = "") -> Iterator[Loss]:
    """The losses of what is said about a schema besides itself, where a format has nothing else."""
    for name in ("name", "description", "strict"):
        value = getattr(form, name)
        if value is not None:
            reason = "a format has nothing but its schema"
            yield dropped(f"the {name} of the format", value, reason, weight=Weight.DETAIL, path=f"{path}.{name}")
