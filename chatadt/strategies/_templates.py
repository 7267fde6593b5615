"""Templates, what fills them, and the prompts that they become."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias, assert_never

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt.message import Message, Outcome
from chatadt.strategies._data import either, extras, few, json, texts, tool_names
from chatadt.strategies._words import CONTENTS, MESSAGES, messages
from chatadt.templates import KINDS, Hole, Kind, Line, Prompt, Syntax, Template, Words

__all__ = ("fillings", "prompts", "template_lines", "templates", "templates_and_fillings", "words")

_TEXTS: Final = ("name", "question", "été")
"""Names of text holes."""

_SOURCES: Final = {
    Syntax.BRACES: ("{{{name}}}", "{{{{"),
    Syntax.MUSTACHE: ("{{{{{name}}}}}", "{{{{#items}}}}, {{{{.}}}}{{{{/items}}}}"),
    Syntax.JINJA2: ("{{{{ {name} }}}}", "{{% for item in items %}}, {{{{ item }}}}{{% endfor %}}"),
}
"""By syntax: a hole, and something else that the syntax has a meaning for; as templates of `str.format`."""

_CONTENT_HOLES: Final = {
    "anything": tuple(Kind),
    "input": (Kind.TEXT, Kind.IMAGE, Kind.PDF),
    "instruction": (Kind.TEXT, Kind.CUSTOM),
    "photo": (Kind.IMAGE,),
}
"""By name of a content hole: what it takes."""

_INSTRUCTION: Final = ("instruction",)
_INPUT: Final = ("input", "instruction", "photo")


def prompts() -> SearchStrategy[Prompt]:
    """Prompts of any messages, which are seldom a well-formed conversation."""
    return few(messages()).map(Prompt)


def words(*syntaxes: Syntax) -> SearchStrategy[Words]:
    """Texts with holes, in braces unless other syntaxes are asked for."""
    return st.sampled_from(syntaxes or (Syntax.BRACES,)).flatmap(_words)


def _words(syntax: Syntax) -> SearchStrategy[Words]:
    hole, other = _SOURCES[syntax]
    literal = texts().map(lambda text: text.translate({ord(sign): None for sign in "{}"}))
    pieces = st.one_of(literal, st.sampled_from(_TEXTS).map(lambda name: hole.format(name=name)), st.just(other.format()))
    return st.builds(Words, few(pieces).map("".join), st.just(syntax), extras())


def templates(*syntaxes: Syntax) -> SearchStrategy[Template]:
    """Templates with lines and holes of every sort, some of them filled, some with defaults."""
    return _templates(syntaxes).flatmap(_in_part)


def _templates(syntaxes: Sequence[Syntax]) -> SearchStrategy[Template]:
    lines = template_lines(*syntaxes)
    inner = st.lists(either(lines[case] for case in (Line.User, Line.Assistant)), max_size=2)
    each = st.builds(Line.Each, st.just("examples"), inner, st.booleans())
    # Examples with other holes are other examples: one template has no two of them.
    return st.tuples(few(either(lines.values())), st.lists(each, max_size=1)).map(lambda both: Template((*both[0], *both[1])))


def template_lines(*syntaxes: Syntax) -> dict[type, SearchStrategy[Any]]:
    """By case of `Line.T`, but for those that hold other lines: the strategy of that case."""
    text = words(*syntaxes)
    name = st.one_of(st.none(), text)
    return {
        Line.System: st.builds(Line.System, _contents(text, _INSTRUCTION), extras()),
        Line.User: st.builds(Line.User, _contents(text, _INPUT), name, extras()),
        Line.Assistant: st.builds(Line.Assistant, _contents(text, _CONTENT_HOLES), name, extras()),
        Line.ToolResult: st.builds(
            Line.ToolResult, text, st.none() | tool_names(), _contents(text, _INPUT), st.sampled_from(Outcome), extras()
        ),
        Line.Exactly: st.builds(Line.Exactly, messages()),
        Line.Messages: st.sampled_from((Line.Messages("history", True), Line.Messages("past"), Line.Messages("all", anyone=True))),
    }


def _contents(text: SearchStrategy[Words], names: Iterable[str]) -> SearchStrategy[list[Any]]:
    """Contents with holes, as whoever can fill all of `names` may say them."""
    known = tuple(names)
    kinds = {kind for name in known for kind in _CONTENT_HOLES[name]}
    holes = st.sampled_from(known).map(
        lambda name: Hole.Content(name, _CONTENT_HOLES[name], optional=name == "input", many=name == "anything")
    )
    return few(st.one_of(text, text, holes, either(CONTENTS[KINDS[kind]] for kind in sorted(kinds, key=str))))


def fillings(holes: Iterable[Hole.T]) -> SearchStrategy[dict[str, Any]]:
    """Values that fill some holes, the optional ones or not: what `Template.fill` takes."""
    known = tuple(holes)
    return st.fixed_dictionaries(
        {hole.name: _filling(hole) for hole in known if not hole.optional},
        optional={hole.name: _filling(hole) for hole in known if hole.optional},
    )


def _filling(hole: Hole.T) -> SearchStrategy[Any]:
    match hole:
        case Hole.Text():
            return texts()
        case Hole.Data():
            return json()
        case Hole.Content(kinds=kinds, many=many):
            content: SearchStrategy[Any] = either(CONTENTS[KINDS[kind]] for kind in kinds)
            return few(content) if many else content
        case Hole.Messages(anyone=anyone):
            spoken = (Message.User, Message.Assistant, Message.ToolResult)
            return few(messages() if anyone else either(MESSAGES[case] for case in spoken))
        case Hole.Rows(holes=holes):
            return st.lists(fillings(holes), max_size=2)
        case _:
            assert_never(hole)


Filling: TypeAlias = "tuple[Template, dict[str, Any]]"


def templates_and_fillings(*syntaxes: Syntax) -> SearchStrategy[Filling]:
    """Templates, each with values that fill it."""
    return templates(*syntaxes).flatmap(lambda template: fillings(template.holes).map(lambda values: (template, values)))


def _in_part(template: Template) -> SearchStrategy[Template]:
    """The template as it is, or some of its holes filled for good or by default."""
    if not template.holes:
        return st.just(template)
    some = st.lists(st.sampled_from(template.holes), unique=True, max_size=2).flatmap(fillings)
    return st.one_of(
        st.just(template),
        some.map(lambda values: template.partial(values).unwrap()),
        some.map(lambda values: template.with_defaults(values)),
    )
