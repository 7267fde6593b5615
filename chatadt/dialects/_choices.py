"""What dialects share about what is said of tools that are not there."""

from __future__ import annotations

from typing import Any, Final, cast

from chatadt.chat import ModelParams
from chatadt.dialects._codec import noted
from chatadt.json import NO_EXTRAS, Json
from chatadt.tool import Tool, ToolChoice

__all__ = ("TOOLLESS", "choice_stands", "has_tools", "is_about_a_tool", "with_toolless")

TOOLLESS: Final = "$toolless"
"""The note on parameters that said how to call tools, and had none that this could be about: at home they go back as they were."""


def with_toolless(params: ModelParams, dialect: str) -> ModelParams:
    """Freshly read parameters, with a note where the tool choice is about no tool that is there."""
    if params.tool_choice is None or is_about_a_tool(params, dialect):
        return params
    return noted(params, dialect, TOOLLESS, True)


def choice_stands(params: ModelParams, dialect: str) -> bool:
    """Whether the tool choice is about a tool that `dialect` can say, or came from there as it is."""
    return (params.extras is not NO_EXTRAS and bool(params.extras.of(dialect).get(TOOLLESS))) or is_about_a_tool(params, dialect)


def has_tools(params: ModelParams, dialect: str) -> bool:
    """Whether some tool is defined that `dialect` can say."""
    return any(isinstance(tool, Tool) or tool.dialect == dialect for tool in params.tools)


def is_about_a_tool(params: ModelParams, dialect: str) -> bool:
    """Whether the tool choice is about a tool that is defined and that `dialect` can say."""
    choice = params.tool_choice
    if not isinstance(choice, ToolChoice.One):
        return has_tools(params, dialect)
    return any(
        tool.name == choice.name if isinstance(tool, Tool) else tool.dialect == dialect and _name(tool.value) == choice.name
        for tool in params.tools
    )


def _name(definition: Json) -> Any:
    value = definition.value
    return cast("dict[str, Any]", value).get("name") if isinstance(value, dict) else None
