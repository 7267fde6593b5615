"""Parameters besides tools, both ways: where to stop, how hard to think, the format of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never

from cattrs import Converter

from chatadt._hooks import structuring, unstructuring
from chatadt._wire import UNKNOWN, Wire, boolean, json, plain_json, same, string
from chatadt.chat import Effort, ResponseFormat, Thinking
from chatadt.dialects._codec import noted, strings
from chatadt.dialects._losses import Block, dropped, foreign, invented, own_or_lost, parted, rewritten
from chatadt.error import Unexpected
from chatadt.loss import Loss, Weight

__all__ = (
    "effort_wire",
    "format_reader",
    "format_wires",
    "format_writer",
    "inside",
    "nearest_effort",
    "put",
    "stop_reader",
)


def inside(value: dict[str, Any], key: str | None) -> Any:
    """What stands under a key, or with no key the object itself."""
    return value if key is None else value.get(key)


def put(out: Block, key: str, written: Iterator[Any], losses: list[Loss], path: str | None = None) -> None:
    """Set a field to what is written of it, if anything is."""
    for block in parted(written, losses, f".{key}" if path is None else path):
        out[key] = block


def stop_reader(value: Any) -> Any:
    """Read where to stop: a string, or a list of them."""
    return (value,) if value.__class__ is str else strings(value)


# --- formats -------------------------------------------------------------------------------------------------------------------


def format_wires(key: str | None) -> Mapping[str, Wire]:
    """The fields of a format that has a schema: they stand in the object under `key`, or beside its type."""
    prefix = "" if key is None else f"{key}."
    return {
        "schema": Wire(f"{prefix}schema", json, plain_json),
        "name": Wire(f"{prefix}name", string, same, optional=True),
        "description": Wire(f"{prefix}description", string, same, optional=True),
        "strict": Wire(f"{prefix}strict", boolean, same, optional=True),
    }


def format_reader(codec: Converter, dialect: str, key: str | None) -> Callable[[Any], ResponseFormat.T]:
    """A reader of formats: text, any JSON, or JSON of a schema, which stands where `format_wires` has it."""
    text, anything = structuring(codec, ResponseFormat.Text), structuring(codec, ResponseFormat.JsonObject)
    of_a_schema = structuring(codec, ResponseFormat.JsonSchema)

    def read(value: Any) -> ResponseFormat.T:
        match value:
            case {"type": "text"}:
                return text(value)
            case {"type": "json_object"}:
                return anything(value)
            case {"type": "json_schema"} if _has_schema(inside(value, key)):
                form = of_a_schema(value)
                return form if form.name is not None else noted(form, dialect, "$unnamed", True)
            case dict():
                return ResponseFormat.Custom(dialect, json(value))
            case _:
                raise Unexpected.of("a response format, which is an object", value)

    return read


def _has_schema(value: Any) -> bool:
    return value.__class__ is dict and "schema" in value


def format_writer(codec: Converter, dialect: str, key: str | None) -> Callable[[ResponseFormat.T], Iterator[Any]]:
    """A writer of formats. A schema must have a name here, so one without gets one."""
    text, anything = unstructuring(codec, ResponseFormat.Text), unstructuring(codec, ResponseFormat.JsonObject)
    of_a_schema = unstructuring(codec, ResponseFormat.JsonSchema)

    def write(form: ResponseFormat.T) -> Iterator[Any]:
        match form:
            case ResponseFormat.Text():
                yield text(form)
            case ResponseFormat.JsonObject():
                yield anything(form)
            case ResponseFormat.JsonSchema():
                block = of_a_schema(form)
                if form.name is None and not form.extras.of(dialect).get("$unnamed"):
                    inside(block, key)["name"] = "response"
                    yield invented("a name", "a schema needs a name", path=".name")
                yield block
            case ResponseFormat.Custom():
                yield own_or_lost(form, dialect)
                return
            case _:
                assert_never(form)
        yield from foreign(form.extras, dialect)

    return write


# --- how hard to think ---------------------------------------------------------------------------------------------------------

_EFFORTS: Final[Mapping[object, Effort]] = {effort.value: effort for effort in Effort}


def _effort(value: Any) -> Any:
    return _EFFORTS.get(string(value), UNKNOWN)


def _word(value: Effort) -> str:
    return str(value.value)


def effort_wire(key: str) -> Wire:
    """How hard to think, which stands under `key` as a word."""
    return Wire(key, _effort, _word, optional=True)


_BUDGETS: Final = ((2_048, Effort.LOW), (16_384, Effort.MEDIUM))
"""Up to how many tokens of thinking each effort stands for; more is HIGH."""


def nearest_effort(thinking: Thinking.T, effort: Effort | None, dialect: str, *, off: Effort | None = None) -> Iterator[Any]:
    """The word for the effort that is nearest to a setting of thinking, where there are only efforts; and what is lost.

    `off` is the effort that is near to no thinking at all, if there is one.
    """
    match thinking:
        case Thinking.Budget(tokens=tokens):
            if effort is None:
                near = next((effort for most, effort in _BUDGETS if tokens <= most), Effort.HIGH)
                yield near.value
                yield rewritten("the budget for thinking", tokens, f"there are efforts, not budgets: {near.value} is near it")
            else:
                yield dropped("the budget for thinking", tokens, "there are efforts, not budgets", weight=Weight.DETAIL)
        case Thinking.Off() if off is not None and effort is None:
            yield off.value
            yield rewritten("thinking", "off", f'there are efforts, and "{off.value}" is near it')
        case Thinking.Off() | Thinking.Adaptive():
            word = type(thinking).__name__.lower()
            yield dropped("thinking", word, "the model decides whether it thinks", weight=Weight.DETAIL)
        case Thinking.Custom(dialect=owner, value=value):
            yield dropped("thinking", value, f"only {owner} knows this setting", weight=Weight.DETAIL)
            return
        case _:
            assert_never(thinking)
    yield from foreign(thinking.extras, dialect)
