"""Tools of OpenAI that take any text: its two dialects have the same ones, and each spells them in its own way.

    openai_chat       {"type": "custom", "custom": {"name": …, "format": {"type": "grammar", "grammar": {"syntax": …, …}}}}
    openai_responses  {"type": "custom", "name": …, "format": {"type": "grammar", "syntax": …, …}}

A call of one is a `ToolRequest` with a note, and its text as a JSON string for its arguments. A definition, or a choice, is the
dialect's own; `adopted` makes it the other's, as long as it says nothing that the other has no field for. So it does with a choice
of some tools out of all (`allowed_tools`), of functions and of such tools.
Source: platform.openai.com, the references of both endpoints and their SDK types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from attrs import evolve

from chatadt.chat import ModelParams
from chatadt.content import Content
from chatadt.dialects._calls import has_free_form
from chatadt.json import NO_EXTRAS, Json
from chatadt.tool import ProviderTool, ToolChoice, ToolDefinition

__all__ = ("adopted", "is_free_form")

_CHAT: Final = "openai_chat"
_RESPONSES: Final = "openai_responses"
_AZURE: Final = "azure"
_OWNERS: Final = (_CHAT, _RESPONSES, _AZURE)
"""The dialects behind which OpenAI's models are; Azure has the spelling of OpenAI Chat."""


def is_free_form(request: Content.ToolRequest) -> bool:
    """Whether a call is of a tool that takes any text, as one of the dialects of OpenAI noted it."""
    return request.extras is not NO_EXTRAS and any(has_free_form(request.extras, name) for name in _OWNERS)


def adopted(params: ModelParams, dialect: str) -> ModelParams:
    """The parameters as `dialect` has them, with such tools of the others, and a choice of one or of several, among its own."""
    if not params.tools and params.tool_choice is None:
        return params
    tools = tuple(_tool(tool, dialect) for tool in params.tools)
    choice = params.tool_choice
    if isinstance(choice, ToolChoice.Custom) and _is_anothers(choice.dialect, dialect):
        value = _CHOICES[choice.dialect == _RESPONSES, dialect == _RESPONSES](choice.value.value)
        choice = choice if value is None else ToolChoice.Custom(dialect, value)
    return params if tools == params.tools and choice is params.tool_choice else evolve(params, tools=tools, tool_choice=choice)


def _tool(tool: ToolDefinition, dialect: str) -> ToolDefinition:
    if not isinstance(tool, ProviderTool) or not _is_anothers(tool.dialect, dialect):
        return tool
    value = _TOOLS[tool.dialect == _RESPONSES, dialect == _RESPONSES](tool.value.value)
    return tool if value is None else ProviderTool(dialect, value)


def _is_anothers(owner: str, dialect: str) -> bool:
    return owner != dialect and owner in _OWNERS


# --- spellings -----------------------------------------------------------------------------------------------------------------


def _flat(value: Any) -> Json | None:
    """What OpenAI Chat says, as OpenAI Responses says it; None where that has no words for it."""
    match value:
        case {"type": "custom", "custom": {"name": str(), **about} as tool, **rest} if not rest and _is_known(about):
            form = _flat_format(tool["format"]) if "format" in tool else {}
            return None if form is None else Json.of({"type": "custom", **tool, **form})
        case _:
            return None


def _flat_choice(value: Any) -> Json | None:
    """A choice of OpenAI Chat, as OpenAI Responses says it."""
    match value:
        case {"type": "allowed_tools", "allowed_tools": {"mode": str() as mode, "tools": tools, **more}, **rest} if not (
            more or rest
        ):
            allowed = _named(tools, lambda tool: _flat_function(tool) or _flat(tool))
            return None if allowed is None else Json.of({"type": "allowed_tools", "mode": mode, "tools": allowed})
        case _:
            return _flat(value)


def _named(tools: Any, translate: Callable[[Any], Json | None]) -> list[Any] | None:
    """The tools of a choice in the other's words; None where it has none for one of them."""
    if not isinstance(tools, list):
        return None
    named = [translate(tool) for tool in cast("list[object]", tools)]
    known = [tool.value for tool in named if tool is not None]
    return known if len(known) == len(named) else None


def _flat_function(value: Any) -> Json | None:
    match value:
        case {"type": "function", "function": {"name": str() as name, **more}, **rest} if not (more or rest):
            return Json.of({"type": "function", "name": name})
        case _:
            return None


def _flat_format(value: Any) -> dict[str, Any] | None:
    match value:
        case {"type": "grammar", "grammar": {"syntax": str(), "definition": str(), **more} as grammar, **rest} if not (
            more or rest
        ):
            return {"format": {"type": "grammar", **grammar}}
        case _:
            return _plain_format(value)


def _nested(value: Any) -> Json | None:
    """What OpenAI Responses says, as OpenAI Chat says it; None where that has no words for it."""
    match value:
        case {"type": "custom", "name": str() as name, **about} if _is_known(about):
            form = _nested_format(about["format"]) if "format" in about else {}
            return None if form is None else Json.of({"type": "custom", "custom": {"name": name, **about, **form}})
        case _:
            return None


def _nested_choice(value: Any) -> Json | None:
    """A choice of OpenAI Responses, as OpenAI Chat says it."""
    match value:
        case {"type": "allowed_tools", "mode": str() as mode, "tools": tools, **rest} if not rest:
            allowed = _named(tools, lambda tool: _nested_function(tool) or _nested(tool))
            said = {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": allowed}}
            return None if allowed is None else Json.of(said)
        case _:
            return _nested(value)


def _nested_function(value: Any) -> Json | None:
    match value:
        case {"type": "function", "name": str() as name, **rest} if not rest:
            return Json.of({"type": "function", "function": {"name": name}})
        case _:
            return None


def _nested_format(value: Any) -> dict[str, Any] | None:
    match value:
        case {"type": "grammar", "syntax": str() as syntax, "definition": str() as definition, **rest} if not rest:
            return {"format": {"type": "grammar", "grammar": {"syntax": syntax, "definition": definition}}}
        case _:
            return _plain_format(value)


def _plain_format(value: Any) -> dict[str, Any] | None:
    """A format that both spell alike: any text."""
    match value:
        case {"type": "text", **rest} if not rest:
            return {"format": value}
        case _:
            return None


def _is_known(about: dict[Any, Any]) -> bool:
    """Whether both have a field for what is said of a tool besides its name."""
    return about.keys() <= {"description", "format"}


def _as_it_is(value: Any) -> Json | None:
    """What two dialects that spell alike say."""
    match value:
        case {"type": "custom" | "allowed_tools"}:
            return Json.of(value)
        case _:
            return None


_Translation: TypeAlias = Callable[[Any], "Json | None"]

_TOOLS: Final[Mapping[tuple[bool, bool], _Translation]] = {(False, True): _flat, (True, False): _nested, (False, False): _as_it_is}
_CHOICES: Final[Mapping[tuple[bool, bool], _Translation]] = {
    (False, True): _flat_choice,
    (True, False): _nested_choice,
    (False, False): _as_it_is,
}
"""By whether OpenAI Responses said it, and whether it is to say it."""
