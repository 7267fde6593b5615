"""A strategy for every class that templates are made of."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import strategies
from chatadt.strategies._templates import template_lines
from chatadt.templates import (
    Binding,
    Hole,
    Kind,
    Line,
    Misfit,
    Prompt,
    Syntax,
    Template,
    Unfilled,
    Value,
    Words,
    _hole,
    _line,
    _misfit,
    _prompt,
    _template,
    _value,
    _words,
)

__all__ = ("MODULES", "PARTS")

MODULES: Final[tuple[ModuleType, ...]] = (_hole, _line, _misfit, _prompt, _template, _value, _words)

_TEXTS: Final = strategies.texts()
_NAMES: Final = st.sampled_from(("name", "question", "été"))
_FLAGS: Final = st.booleans()
_LINES: Final = template_lines(*Syntax)
_SPOKEN: Final[SearchStrategy[Any]] = st.one_of(_LINES[Line.User], _LINES[Line.Assistant])


def _few(strategy: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    return st.lists(strategy, max_size=2)


_PLAIN_VALUES: Final[dict[type, SearchStrategy[Any]]] = {
    Value.Text: st.builds(Value.Text, _TEXTS),
    Value.Data: st.builds(Value.Data, strategies.documents()),
    Value.Contents: st.builds(Value.Contents, _few(strategies.contents())),
    Value.Messages: st.builds(Value.Messages, _few(strategies.messages())),
}


@st.composite
def _bindings(draw: st.DrawFn) -> Binding:
    return Binding(draw(_NAMES), draw(st.one_of(*_PLAIN_VALUES.values())))


_BINDINGS: Final = _bindings()
_ROWS: Final = _few(st.lists(_BINDINGS, max_size=2, unique_by=lambda binding: binding.name))


@st.composite
def _scopes(draw: st.DrawFn) -> Line.Scope:
    """A scope over all sorts of holes, some of them filled for good, some by default."""
    template = Template(
        [
            draw(_SPOKEN),
            Line.Messages("history"),
            Line.Each("examples", [Line.User("{a}")]),
            Line.User(["{text}", Hole.Content("any", tuple(Kind)[:6])]),
        ]
    )
    known = {hole.name: hole for hole in template.holes}
    filled = draw(st.lists(st.sampled_from(sorted(known)), unique=True))
    spared = draw(st.lists(st.sampled_from(sorted(known)), unique=True))
    given = draw(strategies.fillings([known[name] for name in filled]))
    defaults = draw(strategies.fillings([known[name] for name in spared if name not in filled]))
    inner = template.with_defaults(defaults).lines[0]
    outer = template.partial(given).unwrap().lines[0]
    assert isinstance(inner, Line.Scope)
    assert isinstance(outer, Line.Scope)
    return Line.Scope(template.lines, outer.given, inner.defaults)


PARTS: Final[Mapping[type, SearchStrategy[Any]]] = {
    **_LINES,
    Line.Each: st.builds(Line.Each, _NAMES, _few(_SPOKEN), _FLAGS),
    Line.Scope: _scopes(),
    Hole.Text: st.builds(Hole.Text, _NAMES, _FLAGS),
    Hole.Data: st.builds(Hole.Data, _NAMES, _FLAGS),
    Hole.Content: st.builds(Hole.Content, _NAMES, st.lists(st.sampled_from(Kind), min_size=1), _FLAGS, _FLAGS),
    Hole.Messages: st.builds(Hole.Messages, _NAMES, _FLAGS, _FLAGS),
    Hole.Rows: st.builds(Hole.Rows, _NAMES, _few(st.builds(Hole.Text, _NAMES)), _FLAGS),
    Words: strategies.words(*Syntax),
    **_PLAIN_VALUES,
    Value.Rows: st.builds(Value.Rows, _ROWS),
    Binding: _BINDINGS | st.builds(Binding, _NAMES, st.builds(Value.Rows, _ROWS)),
    Misfit.Missing: st.builds(Misfit.Missing, _TEXTS, _TEXTS),
    Misfit.Extra: st.builds(Misfit.Extra, _TEXTS, _few(_TEXTS).map(tuple)),
    Misfit.IllTyped: st.builds(Misfit.IllTyped, _TEXTS, _TEXTS, _TEXTS),
    Misfit.Unrenderable: st.builds(Misfit.Unrenderable, _TEXTS, _TEXTS),
    Unfilled: st.builds(Unfilled, _few(st.builds(Misfit.Missing, _TEXTS, _TEXTS)).map(tuple)),
    Template: strategies.templates(*Syntax),
    Prompt: strategies.prompts(),
}
"""By class: the strategy of its values."""
