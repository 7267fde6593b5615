"""What a model may call, and whether it must."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Sum, holds, named, terse
from chatadt.content import MAYBE_TEXT, TEXT
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json

__all__ = ("ProviderTool", "Tool", "ToolChoice", "ToolDefinition")


def _schema(value: Mapping[str, object] | Json | None) -> Json | None:
    if not isinstance(cast("object", value), Mapping | Json | None):
        raise TypeError(f"parameters of Tool are a JSON Schema (a mapping or a Json) or None, got {value!r}")
    schema = None if value is None else Json.of(dict(value) if isinstance(value, Mapping) else value)
    if schema is not None and schema.text.strip() == "null":
        raise ValueError("parameters of Tool are null: leave them None when there are none")
    return schema


@final
@frozen(repr=False)
class Tool:
    """A function that a model may call; `parameters` is the JSON Schema of its arguments, an object."""

    name: str = field(validator=named("the name of a tool"))
    description: str | None = field(default=None, validator=MAYBE_TEXT)
    parameters: Json | None = field(default=None, converter=_schema)
    strict: bool | None = field(default=None, validator=holds("true, false or None", bool, NoneType))
    extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
    __repr__ = terse


@final
@frozen(repr=False)
class ProviderTool:
    """A tool that only `dialect` knows and its provider runs or defines (web search, code execution, …), verbatim."""

    dialect: str = field(validator=TEXT)
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

        name: str = field(validator=named("the name of a tool"))
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A choice that only `dialect` knows, verbatim."""

        dialect: str = field(validator=TEXT)
        value: Json = field(converter=to_json)
        __repr__ = terse

    T: TypeAlias = Auto | Never | Required | One | Custom
