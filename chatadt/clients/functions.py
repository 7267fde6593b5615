"""A tool of a typed Python function, by pydantic (the extra `tools`): the schema from its signature, its arguments checked."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError, validate_call

from chatadt.clients.tools import AsyncRunnable, Runnable
from chatadt.content import Content
from chatadt.tool import Tool

__all__ = ("async_tool", "tool")


def tool(function: Callable[..., object], *, name: str | None = None, description: str | None = None) -> Runnable:
    """The tool that calls `function`: with its name and its docstring, unless others are given, and a schema of its parameters.

    Arguments are checked and made into what the signature says (dates, enumerations, dataclasses, models) before it is called; what
    does not fit is told to the model. What the function gives may be anything that pydantic can say as JSON, or contents.
    Raises TypeError for a function whose parameters cannot stand in a JSON object: `*args`, and those by place only; and for an
    asynchronous one, which is an `async_tool`.
    """
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"{function.__name__} is asynchronous: make it a tool by async_tool")
    checked = _checked(function)
    return Runnable(_definition(function, name, description), partial(_run, checked))


def async_tool(
    function: Callable[..., Awaitable[object]], *, name: str | None = None, description: str | None = None
) -> AsyncRunnable:
    """The asynchronous twin of `tool`, for `async_run_tools`."""
    checked = cast("Callable[..., Awaitable[object]]", _checked(function))
    return AsyncRunnable(_definition(function, name, description), partial(_async_run, checked))


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


def _definition(function: Callable[..., object], name: str | None, description: str | None) -> Tool:
    by_place = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in by_place:
            raise TypeError(f"{parameter.name} of {function.__name__} has no name for JSON: make it one that is given by name")
    schema: dict[str, Any] = TypeAdapter(cast("Any", function)).json_schema()
    return Tool(name or function.__name__, description or inspect.getdoc(function), schema)


_ANYTHING: Final[TypeAdapter[Any]] = TypeAdapter(Any)


def _plain(given: object) -> object:
    """Text and contents as they are, anything else as plain JSON data."""
    if isinstance(given, list | tuple):
        items = [*cast("list[object]", given)]
        return (
            items if items and all(isinstance(item, Content.Input) for item in items) else _ANYTHING.dump_python(items, mode="json")
        )
    return given if isinstance(given, str | Content.Input) else _ANYTHING.dump_python(given, mode="json")
