"""Tool arguments as the text that stands for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from chatadt.content import NO_ARGUMENTS, Arguments

__all__ = ("arguments_as_noted", "arguments_text", "input_text")


def arguments_text(value: Arguments.T) -> str:
    """The arguments of a function: JSON, or what was meant as JSON."""
    match value:
        case Arguments.Parsed(json=found):
            return found.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(value)


def arguments_as_noted(value: Arguments.T, notes: Mapping[str, Any]) -> Any:
    """The arguments of a function; where there are none, the nothing that stood there, as the note `$arguments` has it."""
    nothing: Any = notes.get("$arguments", "{}")
    is_nothing = nothing is None or (isinstance(nothing, str) and not nothing.strip())
    said = arguments_text(value)
    return nothing if is_nothing and (value == NO_ARGUMENTS or not said.strip()) else said


def input_text(value: Arguments.T) -> str:
    """The input of a custom tool, which takes any text: a JSON string is that text itself."""
    match value:
        case Arguments.Parsed(json=found):
            said = found.value
            return said if isinstance(said, str) else found.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(value)
