"""Templates in own JSON: what `dumps` writes is read back and fits the schema, and what is broken is refused with its place."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, Final

import pytest
from codec.documents import broken_once, text
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from returns.pipeline import is_successful
from returns.result import Success

from chatadt import ConversionError, dumps, loads, strategies
from chatadt.json import parse
from chatadt.schema import json_schema
from chatadt.templates import Hole, Kind, Syntax, Template

VALIDATOR: Final = Draft202012Validator(json_schema())
TEMPLATES: Final = strategies.templates(*Syntax)


@given(TEMPLATES)
def test_a_template_comes_back_and_fits_the_schema(template: Template) -> None:
    data = dumps(template)
    assert loads(data) == Success(template)
    assert dumps(loads(data).unwrap()) == data
    VALIDATOR.validate(parse(data))


@given(TEMPLATES, st.data())
def test_a_broken_template_is_answered_and_what_is_read_of_it_is_a_template(template: Template, data: st.DataObject) -> None:
    other = data.draw(broken_once(parse(dumps(template))))
    answer = loads(text(other))
    if is_successful(answer):
        assert VALIDATOR.is_valid(other)
        assert loads(dumps(answer.unwrap())) == answer
    else:
        assert isinstance(answer.failure(), ConversionError.Unreadable)
        assert str(answer.failure())


LINES: Final[dict[str, tuple[list[Any], str]]] = {
    "a text that is wrong in its syntax": (
        [{"type": "user", "contents": [{"type": "words", "source": "{"}]}],
        "a hole holds a plain name; write a brace that is meant twice, {{ or }}) at $.template.lines[0].contents[0]",
    ),
    "a hole in a place where it cannot be": (
        [{"type": "system", "contents": [{"type": "hole", "name": "x", "kinds": ["image"]}]}],
        "such a message holds Custom, Text) at $.template.lines[0]",
    ),
    "a hole without kinds": (
        [{"type": "user", "contents": [{"type": "hole", "name": "x", "kinds": []}]}],
        "a hole that takes nothing cannot be filled) at $.template.lines[0].contents[0]",
    ),
    "a name for two sorts of hole": (
        [{"type": "messages", "name": "x"}, {"type": "user", "contents": [{"type": "words", "source": "{x}"}]}],
        "give them two names) at $.template",
    ),
    "a name that is none": ([{"type": "messages", "name": "my history"}], "is a plain name, such as question, got 'my history')"),
    "a value without a hole": (
        [{"type": "scope", "lines": [], "given": [{"name": "x", "value": {"type": "text", "text": "y"}}]}],
        "got a value for x) at $.template.lines[0]",
    ),
    "a content where a line belongs": ([{"type": "text", "text": "x"}], "expected the type of a line of a template"),
    "a content that such a message cannot hold": (
        [{"type": "user", "contents": [{"type": "refusal", "text": "x"}]}],
        'expected the type of a piece of a template (words, hole, text, image, audio, video, pdf, file, custom), got "refusal"',
    ),
}


@pytest.mark.parametrize(("lines", "problem"), LINES.values(), ids=LINES)
def test_what_is_no_template_is_refused_with_its_place(lines: list[Any], problem: str) -> None:
    assert problem in str(loads(text({"template": {"lines": lines}})).failure())


def test_a_hole_is_written_by_the_names_of_its_kinds() -> None:
    template = Template().user([Hole.Content("x", [Kind.IMAGE, Kind.PDF])])
    assert b'{"type":"hole","name":"x","kinds":["image","pdf"]}' in dumps(template)


def test_templates_are_loaded_with_the_first_of_them_that_is_read_or_written() -> None:
    code = (
        "import chatadt, sys\n"
        "chatadt.loads(chatadt.dumps(chatadt.History().user('hi')))\n"
        "print('chatadt.templates' in sys.modules)\n"
        'print(chatadt.loads(\'{"template": {"lines": []}}\').unwrap())\n'
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "Template()"]
