"""The format of the answer and the thinking before it, in the generationConfig of Gemini, both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from chatadt._wire import is_note, json
from chatadt.chat import Effort, ModelParams, ResponseFormat, Thinking
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, rewritten
from chatadt.dialects._params import inner, schema_alone
from chatadt.dialects._spelling import one_of, text_of
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.rules import BUDGETS, LEVELS, Generation
from chatadt.dialects.gemini.schema import own_schema, read_schema
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight

__all__ = ("take_format", "take_thinking", "unplaced", "write_format", "write_thinking")

_EFFORTS: Final = {effort.value: effort for effort in (Effort.MINIMAL, Effort.LOW, Effort.MEDIUM, Effort.HIGH)}
_SCHEMAS: Final = ("responseSchema", "responseJsonSchema", "_responseJsonSchema")
_DYNAMIC: Final = -1
"""The budget of thinking that leaves it to the model."""
_WORDS: Final[dict[int, object]] = {0: "off", _DYNAMIC: "adaptive"}
"""The budgets that are none."""


# --- reading -----------------------------------------------------------------------------------------------------------------


def take_thinking(config: Block, own: Block) -> tuple[Thinking.T | None, Effort | None]:
    """Take what there is a word for out of the configuration of thinking; a note says how a level was spelt."""
    thinking: Any = config.get("thinkingConfig")
    if thinking.__class__ is not dict:
        return None, None
    level: Any = thinking.get("thinkingLevel")
    effort = _EFFORTS.get(level.lower()) if isinstance(level, str) else None
    if effort is not None:
        del thinking["thinkingLevel"]
        own |= {"$level": level} if level != effort.value else {}
    budget = _budget(thinking.get("thinkingBudget"))
    if budget is not None:
        del thinking["thinkingBudget"]
        own |= {"$both": True} if effort is not None else {}
    if not thinking and (budget is not None or effort is not None):
        del config["thinkingConfig"]
    return budget, effort


def _budget(tokens: Any) -> Thinking.T | None:
    if tokens.__class__ is not int:
        return None
    return Thinking.Off() if tokens == 0 else Thinking.Adaptive() if tokens == _DYNAMIC else Thinking.Budget(tokens)


def take_format(config: Block) -> ResponseFormat.T | None:
    """Take the format of the answer out of the configuration."""
    said = {key: config[key] for key in ("responseMimeType", *_SCHEMAS) if config.get(key) is not None}
    match said:
        case {"responseMimeType": "text/plain", **rest} if not rest:
            form: ResponseFormat.T = ResponseFormat.Text()
        case {"responseMimeType": "application/json", **rest} if not rest:
            form = ResponseFormat.JsonObject()
        case {"responseMimeType": "application/json", **rest} if len(rest) == 1:
            ((key, value),) = rest.items()
            schema, notes = (json(value), NO_EXTRAS) if key == "responseJsonSchema" else read_schema(value, key, NAME)
            form = ResponseFormat.JsonSchema(schema, extras=notes)
        case {**rest} if not rest:
            return None
        case _:
            form = ResponseFormat.Custom(NAME, json(said))
    for key in said:
        del config[key]
    return form


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_format(form: ResponseFormat.T, out: Block) -> Iterator[Loss]:
    """Put the format of the answer into a body, and yield what is lost."""
    path, config = ".response_format", inner(out, "generationConfig")
    match form:
        case ResponseFormat.Text():
            config["responseMimeType"] = "text/plain"
        case ResponseFormat.JsonObject():
            config["responseMimeType"] = "application/json"
        case ResponseFormat.JsonSchema():
            config["responseMimeType"] = "application/json"
            notes = form.extras.of(NAME)
            config[one_of(notes, "$key", _SCHEMAS, "responseJsonSchema")] = own_schema(form.schema, notes)
            yield from schema_alone(form, path)
        case ResponseFormat.Custom():
            own = own_or_lost(form, NAME, path, takes=dict)
            if isinstance(own, Loss):
                yield own
            else:
                config.update(own)
            return
        case _:
            assert_never(form)
    yield from unplaced(form.extras, path)


def write_thinking(params: ModelParams, known: Generation, notes: Block, out: Block) -> Iterator[Loss]:
    """Put thinking and effort into a body for a generation of models, and yield what is lost."""
    thinking = params.thinking
    tokens: int | None = None
    match thinking:
        case None:
            tokens = 0 if params.effort is Effort.NONE else None
        case Thinking.Off():
            tokens = 0
        case Thinking.Adaptive():
            tokens = _DYNAMIC
        case Thinking.Budget():
            tokens = thinking.tokens
            if tokens in _WORDS:
                yield rewritten("thinking", tokens, f"a budget of {tokens} is how {_WORDS[tokens]} is said", path=".thinking")
        case Thinking.Custom():
            own = own_or_lost(thinking, NAME, ".thinking", takes=dict)
            if isinstance(own, Loss):
                yield own
            else:
                inner(inner(out, "generationConfig"), "thinkingConfig").update(own)
        case _:
            assert_never(thinking)
    if thinking is not None and not isinstance(thinking, Thinking.Custom):
        yield from unplaced(thinking.extras, ".thinking")
    yield from _configure(params, tokens, known, notes, out)


def _configure(params: ModelParams, tokens: int | None, known: Generation, notes: Block, out: Block) -> Iterator[Loss]:
    """Say a budget, or the level that is near an effort: the one of both that the model takes."""
    effort = params.effort
    level = None if effort is None else LEVELS.get(effort)
    fields: Block = {}
    if not known.thinks:
        yield from () if params.thinking is None or tokens is None else [_unthought(tokens, "the model does not think")]
        yield from () if effort is None else [_effortless(effort, "the model does not think")]
        return
    if tokens is not None and level is not None and effort is not None and "$both" not in notes:
        reason = "thinking has a budget or a level, not both"
        if known.levels and tokens != 0:
            yield _unthought(tokens, reason)
            tokens = None
        else:
            yield _effortless(effort, reason)
            effort = level = None
    if tokens is not None:
        fields["thinkingBudget"] = tokens
    if effort is not None and level is None:
        off = "thinking is switched off instead" if params.thinking is None else "what is said of thinking stands instead"
        yield rewritten("effort", effort.value, f"there is no such level: {off}", path=".effort")
    elif effort is not None and level is not None and not known.levels:
        fields["thinkingBudget"] = BUDGETS[level]
        yield rewritten("effort", effort.value, f"the model has budgets, not levels: {BUDGETS[level]} is near it", path=".effort")
    elif effort is not None and level is not None:
        spelt = text_of(notes, "$level")
        fields["thinkingLevel"] = level if spelt is None or spelt.lower() != level else spelt
        if level != effort.value:
            yield rewritten("effort", effort.value, f"there is no such level: {level} is the nearest", path=".effort")
    if fields:
        inner(inner(out, "generationConfig"), "thinkingConfig").update(fields)


def unplaced(extras: Extras, path: str = "") -> Iterator[Loss]:
    """A loss for each field that anybody said of a word which now stands where there is no place for it."""
    for key, value in extras.of(NAME).items() if extras is not NO_EXTRAS else ():
        if not is_note(key) and value is not None:
            reason = "there is no such field where this stands now"
            yield dropped(f"{key} ({NAME})", value, reason, weight=Weight.DETAIL, path=path)
    yield from foreign(extras, NAME, path)


def _unthought(tokens: int, reason: str) -> Loss:
    return dropped("thinking", _WORDS.get(tokens, tokens), reason, weight=Weight.DETAIL, path=".thinking")


def _effortless(effort: Effort, reason: str) -> Loss:
    return dropped("effort", effort.value, reason, weight=Weight.DETAIL, path=".effort")
