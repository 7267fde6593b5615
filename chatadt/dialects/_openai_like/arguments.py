"""Tool arguments as the text that stands for them."""

from __future__ import annotations

from typing import assert_never

from chatadt.content import Arguments

__all__ = ("arguments_text", "input_text")


def arguments_text(value: Arguments.T) -> str:
    """The arguments of a function: JSON, or what was meant as JSON."""
    match value:
        case Arguments.Parsed(json=found):
            return found.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(value)


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
