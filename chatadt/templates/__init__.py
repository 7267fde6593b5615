"""Templates of prompts: messages with holes, filled by values that stay values.

    template = Template().system("You are {persona}.").user(["{question}", Hole.Content("photo", Kind.IMAGE)])
    prompt = template.fill(persona="a botanist", question="What grows here?", photo=Content.Image(photo)).unwrap()

A template is made of messages, not of text that is parsed into messages after it was filled. What fills a hole is never read as a
template, a tag or a role, so no value changes how many messages there are, or who says them; only a hole for messages takes some.
"""

from __future__ import annotations

from typing import cast

from returns.result import Result

from chatadt.error import ConversionError
from chatadt.templates._hole import KINDS, Hole, Kind
from chatadt.templates._line import Instruction, Line, Said, Spoken
from chatadt.templates._misfit import Misfit, Unfilled
from chatadt.templates._prompt import Prompt
from chatadt.templates._string import read
from chatadt.templates._template import Template
from chatadt.templates._value import Binding, Value
from chatadt.templates._words import Syntax, Words

__all__ = (
    "KINDS",
    "Binding",
    "Hole",
    "Instruction",
    "Kind",
    "Line",
    "Misfit",
    "Prompt",
    "Said",
    "Spoken",
    "Syntax",
    "Template",
    "Unfilled",
    "Value",
    "Words",
    "parse",
)


def parse(text: str) -> Result[Prompt, ConversionError.T]:
    """The prompt whose `to_string` is this text, or `Unreadable` with the line of each problem. TypeError for what is no text."""
    if not isinstance(cast("object", text), str):
        raise TypeError(f"parse takes a text, got {text!r}")
    return read(text).map(Prompt)
