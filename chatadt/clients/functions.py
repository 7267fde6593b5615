"""A tool of a typed Python function, by pydantic (the extra `tools`): the schema from its signature, its arguments checked."""

from __future__ import annotations

import inspect
import math
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, cast, get_type_hints

import attrs
from pydantic import ConfigDict, TypeAdapter, ValidationError, validate_call
from pydantic.errors import PydanticUserError
from pydantic_core import to_jsonable_python

from chatadt.clients.tools import AsyncRunnable, Runnable
from chatadt.content import Content
from chatadt.json import Json, dump
from chatadt.tool import Tool

__all__ = ("async_tool", "tool")


def tool(function: Callable[..., object], *, name: str | None = None, description: str | None = None) -> Runnable:
    """The tool that calls `function`: with its name and its docstring, unless others are given, and a schema of its parameters.

    Arguments are checked and made into what the signature says (dates, enumerations, dataclasses, models) before it is called; what
    does not fit is told to the model. What the function gives may be anything that pydantic can say as JSON, attrs classes, or
    contents; NaN and infinities stand as words. A partial is the tool of its function, without what it binds by place.

    Raises TypeError for what is no function, method or partial of one; for a lambda without a `name`; for parameters that cannot
    stand in a JSON object (`*args`, those by place only, types that pydantic has no schema for), and such as a partial binds by
    name, which the model could change; and for an asynchronous function, which is an `async_tool`. Raises ValueError for a default
    that JSON cannot say, such as NaN.
    """
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"{_named(function).__name__} is asynchronous: make it a tool by async_tool")
    definition = _definition(function, name, description)
    return Runnable(definition, partial(_run, _checked(function)))


def async_tool(
    function: Callable[..., Awaitable[object]], *, name: str | None = None, description: str | None = None
) -> AsyncRunnable:
    """The asynchronous twin of `tool`, for `async_run_tools`."""
    definition = _definition(function, name, description)
    return AsyncRunnable(definition, partial(_async_run, cast("Callable[..., Awaitable[object]]", _checked(function))))


def _checked(function: Callable[..., object]) -> Callable[..., object]:
    return validate_call(config=ConfigDict(arbitrary_types_allowed=False))(function)


def _run(checked: Callable[..., object], arguments: dict[str, Any]) -> object:
    try:
        return _plain(checked(**arguments))
    except ValidationError as error:
        raise _unfit(error) from None


async def _async_run(checked: Callable[..., Awaitable[object]], arguments: dict[str, Any]) -> object:
    try:
        return _plain(await checked(**arguments))
    except ValidationError as error:
        raise _unfit(error) from None


def _unfit(error: ValidationError) -> ValueError:
    """What does not fit, a line for each place, without the addresses of pydantic's documentation."""
    lines = [f"{'.'.join(map(str, line['loc'])) or 'arguments'}: {line['msg']}" for line in error.errors(include_url=False)]
    return ValueError("the arguments do not fit: " + "; ".join(lines))


# --- what a model is told of a function ----------------------------------------------------------------------------------------


def _definition(function: Callable[..., object], name: str | None, description: str | None) -> Tool:
    named = _named(function)
    if not name and named.__name__ == "<lambda>":
        raise TypeError("a lambda has no name for a model to call it by: give it one by name=")
    by_place = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in by_place:
            raise TypeError(f"{parameter.name} of {named.__name__} has no name for JSON: make it one that is given by name")
    return Tool(name or named.__name__, description or inspect.getdoc(named), _schema(function, named))


def _named(function: Callable[..., object]) -> Callable[..., object]:
    """The function whose name and whose docstring are told."""
    if isinstance(function, partial):
        if function.keywords:
            bound = ", ".join(function.keywords)
            raise TypeError(
                f"a partial binds {bound} by name, which a model could see and change: bind it by place, or in a function"
            )
        return _named(function.func)
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise TypeError(f"expected a function, a method or a partial of one, got {function!r}: write a function that calls it")
    return function


def _schema(function: Callable[..., object], named: Callable[..., object]) -> Json:
    try:
        schema: dict[str, Any] = TypeAdapter(cast("Any", function)).json_schema()
    except PydanticUserError as error:
        raise _unsayable(named, error) from error
    for kind in ("properties", "$defs"):
        for name, part in schema.get(kind, {}).items():
            try:
                dump(part)
            except ValueError as error:
                raise ValueError(
                    f"the schema of {name} of {named.__name__} is no JSON ({error}): give it another default"
                ) from None
    return Json.of(schema)


def _unsayable(named: Callable[..., object], error: PydanticUserError) -> TypeError:
    """Which parameter there is no schema for; or, where each has one of its own, what pydantic says."""
    for name, hint in get_type_hints(named, include_extras=True).items():
        try:
            TypeAdapter(hint).json_schema()
        except PydanticUserError:
            takes = "take what pydantic knows: a plain type, a TypedDict, a dataclass or a model"
            return TypeError(f"there is no JSON Schema of {name} of {named.__name__}, which is {_shown(hint)}: {takes}")
    return TypeError(f"there is no JSON Schema of the parameters of {named.__name__}: {error.message}")


def _shown(hint: object) -> str:
    return hint.__qualname__ if isinstance(hint, type) else str(hint)


# --- what a function gives -----------------------------------------------------------------------------------------------------


def _plain(given: object) -> object:
    """Text and contents as they are, and what is still to be awaited; anything else as plain JSON data."""
    if isinstance(given, str) or _are_contents(given) or inspect.isawaitable(given):
        return given
    return _in_words(to_jsonable_python(given, by_alias=False, fallback=_fields))


def _are_contents(given: object) -> bool:
    items: list[object] = [*cast("list[object]", given)] if isinstance(given, list | tuple) else [given]
    return bool(items) and all(isinstance(item, Content.Input) for item in items)


def _fields(value: object) -> dict[str, object]:
    """An instance of an attrs class by its fields; pydantic asks for what it does not know."""
    case: Any = type(value)
    if not attrs.has(case):
        raise TypeError(f"JSON cannot say {case.__name__}: give plain data, a dataclass, an attrs class or a model")
    return {each.name: getattr(value, each.name) for each in attrs.fields(case)}


_WORDS: Final[Mapping[float, str]] = {math.inf: "Infinity", -math.inf: "-Infinity"}


def _in_words(value: Any) -> Any:
    """Plain data in which numbers that JSON has no digits for are words."""
    match value:
        case float() if not math.isfinite(value):
            return _WORDS.get(value, "NaN")
        case list():
            return [_in_words(item) for item in cast("list[object]", value)]
        case dict():
            return {key: _in_words(item) for key, item in cast("dict[str, object]", value).items()}
        case _:  # a scalar that JSON has
            return value
