"""The laws of templates and prompts catch what they are about. That they hold is tested with all other laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
from returns.result import Result, Success

from chatadt import Content, Message, laws
from chatadt.laws import _templates
from chatadt.templates import Line, Prompt, Syntax, Template, Unfilled, Words, parse

TEMPLATE: Final = (
    Template()
    .system("You are {persona}.")
    .each("examples", Template().user("{q}").assistant("{a}"))
    .messages("history")
    .user("{question}", name="{who}")
)
VALUES: Final[Mapping[str, object]] = {
    "persona": "a {poet}",
    "examples": [{"q": "1 + 1?", "a": "2"}],
    "history": [Message.User("hi")],
    "question": "why?",
    "who": "ann",
}


class Other:
    """A template whose prompts are changed before anybody sees them."""

    def __init__(self, change: Callable[[Mapping[str, Any], Prompt], Prompt]) -> None:
        self.change, self.holes, self.lines = change, TEMPLATE.holes, TEMPLATE.lines

    def fill(self, values: Mapping[str, Any]) -> Result[Prompt, Unfilled]:
        return TEMPLATE.fill(values).map(lambda prompt: self.change(values, prompt))


def templated_again(values: Mapping[str, Any], prompt: Prompt) -> Prompt:
    """As LangChain's few-shot prompts of text did."""
    last = prompt.messages[-1]
    return Prompt((*prompt.messages[:-1], Message.User(last.text.replace("{name}", "x"), VALUES["who"])))  # type: ignore[arg-type]


def parsed_from_tags(values: Mapping[str, Any], prompt: Prompt) -> Prompt:
    """As Semantic Kernel makes messages of the text that it rendered."""
    extra = [Message.System("obey")] if '<message role="system">' in prompt.messages[-1].text else []
    return Prompt((*prompt.messages, *extra))


CHANGES: Final[Mapping[str, Callable[[Mapping[str, Any], Prompt], Prompt]]] = {
    "reads values as templates": templated_again,
    "reads values as messages": parsed_from_tags,
    "leaves out empty texts": lambda _, prompt: Prompt(
        Message.User([], message.name) if isinstance(message, Message.User) and not message.text else message
        for message in prompt.messages
    ),
    "escapes for HTML": lambda _, prompt: Prompt(
        Message.User(message.text.replace("&", "&amp;"), message.name) if isinstance(message, Message.User) else message
        for message in prompt.messages
    ),
    "loses a message": lambda _, prompt: Prompt(prompt.messages[:-1]),
    "lets the history speak as the system": lambda _, prompt: Prompt(
        Message.System(message.text) if message.text == "hi" else message for message in prompt.messages
    ),
    "has an example too many": lambda _, prompt: Prompt((*prompt.messages, *prompt.messages[1:3])),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_template_that_lets_values_be_more_than_values_is_caught(change: Callable[..., Prompt]) -> None:
    with pytest.raises(laws.Broken):
        laws.values_stay_values((Other(change), VALUES))  # type: ignore[arg-type]


def test_the_template_that_is_whole_is_not() -> None:
    assert isinstance(TEMPLATE.fill(VALUES), Success)
    laws.values_stay_values((TEMPLATE, VALUES))
    laws.values_stay_values((Other(lambda _, prompt: prompt), VALUES))  # type: ignore[arg-type]


def test_values_that_do_not_fill_the_template_break_nothing() -> None:
    laws.values_stay_values((TEMPLATE, {}))


@pytest.mark.parametrize("syntax", Syntax)
def test_texts_stand_to_the_letter_in_every_syntax(syntax: Syntax) -> None:
    source = "a {name} b" if syntax is Syntax.BRACES else "a {{name}} b"
    template = Template().user([Words(source, syntax)])
    laws.values_stay_values((template, {"name": "x"}))
    for text in _templates.HOSTILE:
        assert template.fill(name=text) == Success(Prompt([Message.User(f"a {text} b")]))


TWO: Final = Prompt([Message.User(["a", "b"])])


@pytest.mark.parametrize(
    ("prompt", "reads"),
    [
        (TWO, lambda text: parse(text).map(lambda found: Prompt([Message.User(message.text) for message in found.messages]))),
        (Prompt([Message.User("hi\nAI: ok")]), lambda text: Success(Prompt([Message.User("hi"), Message.Assistant("ok")]))),
        (Prompt([Message.User([Content.Text("a", {"x": {"b": 1}})])]), lambda _: Success(Prompt([Message.User("a")]))),
    ],
    ids=["joins texts", "takes a line for a message", "forgets extras"],
)
def test_a_string_form_that_is_not_read_back_is_caught(
    prompt: Prompt, reads: Callable[[str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    laws.prompts_kept(prompt)
    monkeypatch.setattr(_templates, "parse", reads)
    with pytest.raises(laws.Broken):
        laws.prompts_kept(prompt)


def test_a_scope_announces_what_it_was_given_and_what_it_falls_back_on() -> None:
    inner = Template().messages("past").messages("history").messages("rest")
    template = inner.with_defaults(rest=[Message.Assistant("c")]).partial(past=[Message.User("a")]).unwrap()
    laws.values_stay_values((template, {"history": [Message.User("b")]}))
    assert _templates._announced(template.lines, {"history": [Message.User("b")]}) == [
        Message.User,
        Message.User,
        Message.Assistant,
    ]
    assert isinstance(template.lines[0], Line.Scope)
