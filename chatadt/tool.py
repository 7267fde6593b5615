"""What a model may call, and whether it must."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Sum, terse
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json

__all__ = ("ProviderTool", "Tool", "ToolChoice", "ToolDefinition")


def _tool_name(value: str) -> str:
    if not isinstance(cast("object", value), str):
        raise TypeError(f"a tool name is a string, got {value!r}")
    if not value or value.isspace():
        raise ValueError("the tool name is blank: a model calls a tool by its name")
    return value


def _schema(value: Mapping[str, object] | Json | None) -> Json | None:
    return None if value is None else Json.of(value)


@final
@frozen(repr=False)
class Tool:
    """A function that a model may call; `parameters` is the JSON Schema of its arguments, an object."""

    name: str = field(converter=_tool_name)
    description: str | None = None
    parameters: Json | None = field(default=None, converter=_schema)
    strict: bool | None = None
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse


@final
@frozen(repr=False)
class ProviderTool:
    """A tool that only `dialect` knows and its provider runs or defines (web search, code execution, …), verbatim."""

    dialect: str
    value: Json = field(converter=to_json)
    __repr__ = terse


ToolDefinition: TypeAlias = Tool | ProviderTool


@final
class ToolChoice(metaclass=Sum):
    """Whether the model must call a tool; `ToolChoice.T` is the closed union of the cases."""

    @final
    @frozen(repr=False)
    class Auto:
        """The model decides."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Never:
        """No tool may be called."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Required:
        """Some tool must be called."""

        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class One:
        """This tool must be called."""

        name: str = field(converter=_tool_name)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A choice that only `dialect` knows, verbatim."""

        dialect: str
        value: Json = field(converter=to_json)
        __repr__ = terse

    T: TypeAlias = Auto | Never | Required | One | Custom
