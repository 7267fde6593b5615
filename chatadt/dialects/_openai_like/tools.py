"""Tools and the choice among them, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never

from cattrs import Converter

from chatadt._hooks import structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, each, json, plain_json, same, string
from chatadt.chat import ModelParams
from chatadt.dialects._choices import choice_stands
from chatadt.dialects._codec import noted, tool_name
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost
from chatadt.dialects._openai_like.params import inside, put
from chatadt.dialects._params import NO_TOOL, drop_choice, empty_schema, write_all
from chatadt.dialects._spelling import one_of
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import ProviderTool, Tool, ToolChoice, ToolDefinition

__all__ = (
    "CHOICES",
    "DEFINITION",
    "choice_reader",
    "choice_writer",
    "tool_reader",
    "write_definition",
    "write_tools",
)


# --- definitions ---------------------------------------------------------------------------------------------------------------

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
        if tool.parameters is not None:
            return tool if value["function"]["parameters"].__class__ is dict else noted(tool, dialect, "$own", True)
        return noted(tool, dialect, "$parameters", "null" if "parameters" in value["function"] else None)

    return lambda value: each(definition, value) if value != [] else UNKNOWN


def write_definition(
    definition: ToolDefinition, dialect: str, write: Callable[[Tool], Block], *, has_strict: bool
) -> Iterator[Block | Loss]:
    """One tool: a function always has a schema here, which is an object."""
    match definition:
        case Tool():
            block = write(definition)
            function: Block = block["function"]
            schema = function.get("parameters")
            is_own = definition.extras is not NO_EXTRAS and bool(definition.extras.of(dialect).get("$own"))
            if not isinstance(schema, dict) and not (is_own and schema is not None):
                if schema is not None:
                    yield dropped("the schema", definition.parameters, "a schema is an object", path=".parameters")
                function["parameters"] = empty_schema()
            if definition.extras is not NO_EXTRAS and "$parameters" in definition.extras.of(dialect) and schema is None:
                if definition.extras.of(dialect)["$parameters"] == "null":
                    function["parameters"] = None
                else:
                    del function["parameters"]
            if definition.strict is not None and not has_strict:
                reason = "a tool has no such flag"
                yield dropped("strict", definition.strict, reason, weight=Weight.DETAIL, path=".strict")
            yield block
            yield from foreign(definition.extras, dialect)
        case ProviderTool():
            yield own_or_lost(definition, dialect, takes=dict)
        case _:
            assert_never(definition)


def write_tools(
    params: ModelParams,
    dialect: str,
    out: Block,
    definition: Callable[[ToolDefinition], Iterator[Block | Loss]],
    choice: Callable[[ToolChoice.T], Iterator[Any]],
    losses: list[Loss],
) -> None:
    """Write the tools, and what is said about them, which goes where there is no tool that it could be about."""
    tools = write_all(params, definition, losses)
    if tools:
        out["tools"] = tools
    if params.tool_choice is not None:
        if choice_stands(params, dialect):
            put(out, "tool_choice", choice(params.tool_choice), losses)
        else:
            losses += drop_choice(params)
    if params.tools and not tools and out.pop("parallel_tool_calls", None) is not None:
        path = ".parallel_tool_calls"
        losses.append(dropped("parallel_tool_calls", params.parallel_tool_calls, NO_TOOL, weight=Weight.DETAIL, path=path))


# --- choices -------------------------------------------------------------------------------------------------------------------

CHOICES: Final[Mapping[str, ToolChoice.T]] = {
    "auto": ToolChoice.Auto(),
    "none": ToolChoice.Never(),
    "required": ToolChoice.Required(),
}
"""By its word: each choice that is said by a word."""

_WORDS: Final[Mapping[type, str]] = {choice.__class__: word for word, choice in CHOICES.items()}


def choice_reader(
    codec: Converter, dialect: str, key: str | None, words: Mapping[str, ToolChoice.T] = CHOICES
) -> Callable[[Any], ToolChoice.T]:
    """A reader of choices: a word, or a function whose name stands in the object under `key`, or beside its type."""
    one = structuring(codec, ToolChoice.One)

    def read(value: Any) -> ToolChoice.T:
        match value:
            case str() if value in words:
                return words[value]
            case {"type": "function"} if _has_name(inside(value, key)):
                return one(value)
            case str() | dict():
                return ToolChoice.Custom(dialect, json(value))
            case _:
                raise Unexpected.of(f"a tool choice ({', '.join(words)} or an object)", value)

    return read


def _has_name(value: Any) -> bool:
    return value.__class__ is dict and value.get("name").__class__ is str


def choice_writer(
    codec: Converter, dialect: str, words: Mapping[str, ToolChoice.T] = CHOICES
) -> Callable[[ToolChoice.T], Iterator[Any]]:
    """A writer of choices; one that was read of another of its `words` than the usual one has that in the note `$word`."""
    one = unstructuring(codec, ToolChoice.One)

    def write(choice: ToolChoice.T) -> Iterator[Any]:
        match choice:
            case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required():
                its_words = [word for word, said in words.items() if said.__class__ is choice.__class__]
                yield one_of(choice.extras.of(dialect), "$word", its_words, _WORDS[choice.__class__])
            case ToolChoice.One():
                yield one(choice)
            case ToolChoice.Custom():
                yield own_or_lost(choice, dialect)
                return
            case _:
                assert_never(choice)
        yield from foreign(choice.extras, dialect)

    return write
