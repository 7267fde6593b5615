"""Parameters, tools, choices and formats of Anthropic Messages, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from attrs import evolve

from chatadt._hooks import register, structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, absent, json, string
from chatadt.chat import NO_PARAMS, Effort, ModelParams, ResponseFormat, Thinking
from chatadt.dialects._choices import with_toolless
from chatadt.dialects._codec import noted, strings, unread
from chatadt.dialects._losses import Block, dropped, foreign, invented, rewritten
from chatadt.dialects._params import answer_limit, bounded, drop_parameters, foreign_fields, inner, plainly, schema_alone
from chatadt.dialects.anthropic.codec import CODEC, EFFORTS, NAME, SAMPLING
from chatadt.dialects.anthropic.rules import DEFAULT_MAX_TOKENS, RULES
from chatadt.dialects.anthropic.tools import tool_choice, tools, write_tools
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight

__all__ = ("read_params", "write_params")

_SAMPLING: Final = frozenset(SAMPLING)
_EFFORT_WORDS: Final = {effort: word for word, effort in EFFORTS.items()} | {Effort.MINIMAL: "low"}
_LEAST_BUDGET: Final = 1_024
"""Tokens of thinking that the server wants at least (themaximalist/llm.js#30)."""


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_params(body: dict[str, Any]) -> ModelParams:
    """The parameters of a request body: everything in it but its messages and its system prompt."""
    params = _read_params(body)
    if not _SAMPLING.isdisjoint(body):
        params = noted(params, NAME, "$sampling", True)
    if any(map(_is_blank, params.stop)):
        params = noted(params, NAME, "$blank_stop", True)
    if "max_tokens" not in body and params != NO_PARAMS:  # a conversation alone is no request
        params = noted(params, NAME, "$absent", ["max_tokens"])
    if "system" in body and body["system"] is None:
        params = noted(params, NAME, "$kept", {**params.extras.of(NAME).get("$kept", {}), "system": None})
    match body.get("tool_choice"):
        case {"type": "auto" | "any" | "tool", "disable_parallel_tool_use": bool() as alone}:
            params = evolve(params, parallel_tool_calls=not alone)
        case _:  # nothing is said of calls in parallel, or in words of the dialect's own, which it keeps
            pass
    params = with_toolless(params, NAME)
    own = params.extras.of(NAME) if "output_format" in body else {}
    match own.get("output_format"):
        case {"type": "json_schema", "schema": _} as form if params.response_format is None:
            del own["output_format"]
            return evolve(params, response_format=_read_schema(form), extras={NAME: {**own, "$output_format": True}})
        case _:
            return params


def _response_format(value: Any) -> ResponseFormat.T:
    match value:
        case {"type": "json_schema", "schema": _}:
            return _read_schema(value)
        case dict():
            return ResponseFormat.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("an output format, which is an object", value)


def _thinking(value: Any) -> Thinking.T:
    match value:
        case {"type": "enabled", "budget_tokens": int(tokens)}:
            budget = _read_budget(value)
            return budget if tokens >= _LEAST_BUDGET else noted(budget, NAME, "$own", True)
        case {"type": "disabled"}:
            return _read_off(value)
        case {"type": "adaptive"}:
            return _read_adaptive(value)
        case dict():
            return Thinking.Custom(NAME, json(value))
        case _:
            raise Unexpected.of("a thinking configuration, which is an object", value)


def _effort(value: Any) -> Any:
    return EFFORTS.get(string(value), UNKNOWN)


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


register(
    CODEC,
    ModelParams,
    {
        "tools": Wire("tools", tools, None, optional=True),
        "tool_choice": Wire("tool_choice", tool_choice, None, optional=True),
        "response_format": Wire("output_config.format", _response_format, None, optional=True),
        "stop": Wire("stop_sequences", strings, list, optional=True),
        "thinking": Wire("thinking", _thinking, None, optional=True),
        "effort": Wire("output_config.effort", _effort, None, optional=True),
        "messages": unread("messages", "system"),
        **plainly(
            model="model",
            temperature="temperature",
            top_p="top_p",
            top_k="top_k",
            max_output_tokens="max_tokens",
            stream="stream",
            user="metadata.user_id",
        ),
    },
    dialect=NAME,
)

_read_schema: Final = structuring(CODEC, ResponseFormat.JsonSchema)
_read_budget: Final = structuring(CODEC, Thinking.Budget)
_read_off: Final = structuring(CODEC, Thinking.Off)
_read_adaptive: Final = structuring(CODEC, Thinking.Adaptive)
_read_params: Final = structuring(CODEC, ModelParams)


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_params(params: ModelParams, model: str | None, losses: list[Loss]) -> Block:
    """The fields of a request body for `model`; what they cannot say is added to `losses`."""
    out = _write_params(params)
    if not _SAMPLING.isdisjoint(out) and not params.extras.of(NAME).get("$sampling"):
        if RULES.profile(model).sampling:
            out = _write_params(bounded(params, RULES.ranges, losses))
        else:
            losses += _without_sampling(out)
    if params.stop and any(map(_is_blank, params.stop)) and not params.extras.of(NAME).get("$blank_stop"):
        losses += _write_stop(params, out)
    if params.seed is not None or params.presence_penalty is not None or params.frequency_penalty is not None:
        losses += drop_parameters(params, ("seed", "presence_penalty", "frequency_penalty"))
    if params.tools or params.tool_choice is not None or params.parallel_tool_calls is not None:
        write_tools(params, out, losses)
    if params.response_format is not None:
        losses += _write_response_format(params, out)
    if params.thinking is not None or params.effort is not None:
        losses += _write_thinking(params, out)
    if params.max_output_tokens is None and params != NO_PARAMS and not _is_as_it_was(params, out):
        out["max_tokens"] = answer_limit(DEFAULT_MAX_TOKENS, out["thinking"]["budget_tokens"] if _has_budget(params) else 0)
        losses.append(invented("max_tokens", "a request must say how long the answer may be", path=".max_output_tokens"))
    if params.extras is not NO_EXTRAS:
        losses += foreign_fields(params, NAME)
    return out


def _has_budget(params: ModelParams) -> bool:
    return isinstance(params.thinking, Thinking.Budget)


def _is_as_it_was(params: ModelParams, out: Block) -> bool:
    """Whether the dialect itself said no `max_tokens`, or null."""
    return "max_tokens" in out or "max_tokens" in absent(params.extras.of(NAME))


def _without_sampling(out: Block) -> Iterator[Loss]:
    for name in SAMPLING:
        if (value := out.pop(name, None)) is not None:
            yield dropped(name, value, "the newest models do not take it", weight=Weight.DETAIL, path=f".{name}")


def _write_stop(params: ModelParams, out: Block) -> Iterator[Loss]:
    """The texts that the server takes: those that are not blank (BerriAI/litellm#3286)."""
    for index, text in enumerate(params.stop):
        if _is_blank(text):
            reason = "a stop sequence must not be blank"
            yield dropped("a stop sequence", text, reason, weight=Weight.DETAIL, path=f".stop[{index}]")
    out["stop_sequences"] = [text for text in params.stop if not _is_blank(text)]
    if not out["stop_sequences"]:
        del out["stop_sequences"]


def _write_response_format(params: ModelParams, out: Block) -> Iterator[Loss]:
    form = params.response_format
    path = ".response_format"
    match form:
        case None:
            return
        case ResponseFormat.JsonSchema():
            if params.extras.of(NAME).get("$output_format"):
                out["output_format"] = _write_format(form)
            else:
                inner(out, "output_config")["format"] = _write_format(form)
            yield from schema_alone(form, path)
        case ResponseFormat.JsonObject():
            yield dropped("the response format", "json_object", "JSON is asked for by a schema only", path=path)
        case ResponseFormat.Text():
            pass  # the only format there is when none is named
        case ResponseFormat.Custom(dialect=dialect, value=value):
            if dialect == NAME:
                inner(out, "output_config")["format"] = value.value
            else:
                yield dropped("the response format", value, f"only {dialect} knows this format", path=path)
            return
        case _:
            assert_never(form)
    yield from foreign(form.extras, NAME, path)


def _write_thinking(params: ModelParams, out: Block) -> Iterator[Loss]:
    thinking, effort = params.thinking, params.effort
    match thinking:
        case None:
            if effort is Effort.NONE:
                out["thinking"] = {"type": "disabled"}
        case Thinking.Off() | Thinking.Adaptive() | Thinking.Budget():
            out["thinking"] = CODEC.unstructure(thinking)
            if isinstance(thinking, Thinking.Budget) and thinking.tokens < _LEAST_BUDGET:
                yield from _write_budget(thinking, out)
            yield from foreign(thinking.extras, NAME, ".thinking")
        case Thinking.Custom(dialect=dialect, value=value):
            if dialect == NAME:
                out["thinking"] = value.value
            else:
                yield dropped("thinking", value, f"only {dialect} knows this setting", weight=Weight.DETAIL, path=".thinking")
        case _:
            assert_never(thinking)
    if effort is not None:
        word = _EFFORT_WORDS.get(effort)
        if word is not None:
            inner(out, "output_config")["effort"] = word
        if word != effort.value:
            meant = f"{word} is the nearest" if word is not None else "thinking is switched off instead"
            yield rewritten("effort", effort.value, f"there is no such effort: {meant}", path=".effort")


def _write_budget(thinking: Thinking.Budget, out: Block) -> Iterator[Loss]:
    """A budget that is too small for the server: at home it stays."""
    if not thinking.extras.of(NAME).get("$own"):
        out["thinking"]["budget_tokens"] = _LEAST_BUDGET
        reason = f"a budget is at least {_LEAST_BUDGET} tokens"
        yield rewritten("the budget for thinking", thinking.tokens, reason, path=".thinking.tokens")


_write_format: Final = unstructuring(CODEC, ResponseFormat.JsonSchema)
_write_params: Final = unstructuring(CODEC, ModelParams)
