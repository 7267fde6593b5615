"""Parameters, tools and formats of Ollama, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never

from chatadt._hooks import register, structuring, unstructuring
from chatadt._sum import changed
from chatadt._wire import UNKNOWN, Wire, json
from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.codec import document
from chatadt.dialects._codec import unread
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, rewritten
from chatadt.dialects._openai_like.params import put, stop_reader
from chatadt.dialects._openai_like.tools import tool_reader, write_definition, write_tools
from chatadt.dialects._params import drop_parameters, foreign_fields, plainly, schema_alone
from chatadt.dialects.ollama.codec import CODEC, NAME
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.tool import Tool, ToolChoice, ToolDefinition

__all__ = ("read_params", "write_params")

_LEVELS: Final[Mapping[str, Effort]] = {effort.value: effort for effort in (Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.MAX)}
_NEAREST: Final[Mapping[Effort, Effort]] = {Effort.MINIMAL: Effort.LOW, Effort.XHIGH: Effort.HIGH}
"""Efforts that there are not, and the ones that are near."""


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages."""
    params = _read_params(body)
    own = params.extras.of(NAME)
    if "think" in body:
        match body["think"]:
            case bool() as thinks:
                params = changed(params, "thinking", Thinking.Adaptive() if thinks else Thinking.Off())
            case str() as level if level in _LEVELS:
                params = changed(params, "effort", _LEVELS[level])
            case _ as unknown:
                own["think"] = unknown
    if own.get("format") == "":
        own["$format"] = own.pop("format")
    match body.get("options"):
        case {"stop": str()}:
            own["$stop"] = "string"
        case {**options} if not options:
            own["$options"] = {}
        case _:  # spelt as a writer spells it
            pass
    return changed(params, "extras", NO_EXTRAS.having(NAME, own)) if own else params


def _format(value: Any) -> Any:
    match value:
        case "json":
            return ResponseFormat.JsonObject()
        case dict():
            return ResponseFormat.JsonSchema(json(value))
        case _:
            return UNKNOWN


def _word(value: Effort) -> str:
    return str(value.value)


register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("tools", tool_reader(NAME, structuring(CODEC, Tool)), None, optional=True),
        "response_format": Wire("format", _format, None, optional=True),
        "stop": Wire("options.stop", stop_reader, list, optional=True),
        "messages": unread("messages", "think"),
        **plainly(
            model="model",
            temperature="options.temperature",
            top_p="options.top_p",
            top_k="options.top_k",
            max_output_tokens="options.num_predict",
            seed="options.seed",
            presence_penalty="options.presence_penalty",
            frequency_penalty="options.frequency_penalty",
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
        _restore_notes(params, out)
    if params.tools or params.tool_choice is not None:
        write_tools(params, NAME, out, _write_definition, _write_choice, losses)
    if params.response_format is not None:
        put(out, "format", _write_format(params.response_format), losses, ".response_format")
    if params.thinking is not None or params.effort is not None:
        put(out, "think", _write_think(params.thinking, params.effort), losses, "")
    losses += drop_parameters(params, ("parallel_tool_calls", "user"))
    return out


def _restore_notes(params: ModelParams, out: Block) -> None:
    notes = params.extras.of(NAME)
    if "$options" in notes:
        out.setdefault("options", {})
    if notes.get("$format") == "":
        out.setdefault("format", "")
    if "$stop" in notes and len(params.stop) == 1:
        out["options"]["stop"] = params.stop[0]


def _write_definition(tool: ToolDefinition) -> Iterator[Block | Loss]:
    return write_definition(tool, NAME, _write_tool, has_strict=False)


def _write_choice(choice: ToolChoice.T) -> Iterator[Any]:
    match choice:
        case ToolChoice.Auto():
            yield from foreign(choice.extras, NAME)  # which is what no choice means
        case ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One():
            yield dropped("the tool choice", document(choice), "the model decides which tool it calls", weight=Weight.DETAIL)
        case ToolChoice.Custom():
            yield own_or_lost(choice, NAME)
        case _:
            assert_never(choice)


def _write_format(form: ResponseFormat.T) -> Iterator[Any]:
    match form:
        case ResponseFormat.Text():
            pass  # the only format there is when none is named
        case ResponseFormat.JsonObject():
            yield "json"
        case ResponseFormat.JsonSchema():
            schema = form.schema.value
            yield (
                schema if isinstance(schema, dict) else dropped("the schema", form.schema, "a schema is an object", path=".schema")
            )
            yield from schema_alone(form)
        case ResponseFormat.Custom():
            yield own_or_lost(form, NAME)
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME)


def _write_think(thinking: Thinking.T | None, effort: Effort | None) -> Iterator[Any]:
    match thinking:
        case Thinking.Off():
            yield False
            if effort is not None:
                yield dropped("effort", effort.value, "thinking is switched off", weight=Weight.DETAIL, path=".effort")
        case Thinking.Budget(tokens=tokens):
            yield True
            yield rewritten("the budget for thinking", tokens, "thinking has no budget", path=".thinking")
            yield from _write_effort(effort)
        case Thinking.Adaptive():
            yield True
            yield from _write_effort(effort)
        case Thinking.Custom():
            yield own_or_lost(thinking, NAME, ".thinking")
            yield from _write_effort(effort)
        case None:
            yield from _write_effort(effort)
        case _:
            assert_never(thinking)
    if thinking is not None and not isinstance(thinking, Thinking.Custom):
        yield from foreign(thinking.extras, NAME, ".thinking")


def _write_effort(effort: Effort | None) -> Iterator[Any]:
    """How hard to think, which also says that the model shall."""
    if effort is Effort.NONE:
        yield False
        yield rewritten("effort", effort.value, "there is no such effort: thinking is switched off instead", path=".effort")
    elif effort is not None:
        near = _NEAREST.get(effort, effort)
        yield _word(near)
        if near is not effort:
            yield rewritten("effort", effort.value, f"there is no such effort: {near.value} is the nearest", path=".effort")


_write_tool: Final = unstructuring(CODEC, Tool)
_write_params: Final = unstructuring(CODEC, ModelParams)
