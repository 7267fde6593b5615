"""What dialects share about what is said of tools that are not there."""

from __future__ import annotations

from typing import Any, Final, cast

from chatadt.chat import ModelParams
from chatadt.json import Json
from chatadt.tool import Tool, ToolChoice

__all__ = ("TOOLLESS", "has_tools", "is_about_a_tool")

TOOLLESS: Final = "$toolless"
"""The note on parameters that said how to call tools, and had none that this could be about: at home they go back as they were."""


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
