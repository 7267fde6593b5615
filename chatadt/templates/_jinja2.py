"""Texts in the syntax of Jinja2, in its sandbox: `Hello {{ name }}{% for item in items %}, {{ item }}{% endfor %}`.

Nothing is escaped, the last newline is kept, what is missing is an error, no other template can be read, and chance is taken away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from chatadt.templates._hole import Hole
from chatadt.templates._parsed import Parsed, Unrenderable, library, of_uses

__all__ = ("parse",)


def parse(source: str) -> Parsed:
    """The text of a source. Raises ValueError for what is no Jinja2, or reads other templates; ImportError without Jinja2."""
    nodes, meta, errors = library("jinja2.nodes", "jinja2"), library("jinja2.meta", "jinja2"), library("jinja2", "jinja2")
    environment = _environment()
    try:
        tree = environment.parse(source)
        names: set[str] = meta.find_undeclared_variables(tree)
        if next(iter(meta.find_referenced_templates(tree)), "") is None or set(meta.find_referenced_templates(tree)):
            raise ValueError(f"expected a text that reads no other template, got {source!r}: put that text here instead")
        compiled = environment.from_string(tree)
    except errors.TemplateError as error:
        raise ValueError(f"expected a text in the syntax of Jinja2, got {source!r}: {error}") from None

    def render(values: Mapping[str, Any]) -> str:
        try:
            return str(compiled.render(values))
        except Exception as error:  # the text computes with the values: whatever that raises, they do not fit it
            raise Unrenderable(f"{type(error).__name__}: {error}") from None

    return Parsed(of_uses(_uses(nodes, tree, names)), render)


def _uses(nodes: Any, tree: Any, names: set[str]) -> Iterator[Hole.T]:
    """Each place where a name from outside is read, in the order of the text."""
    printed = {id(shown) for output in tree.find_all(nodes.Output) for shown in output.nodes}
    for node in tree.find_all(nodes.Name):
        if node.name in names and node.ctx == "load":
            yield Hole.Text(node.name) if id(node) in printed else Hole.Data(node.name)


@cache
def _environment() -> Any:
    jinja2, sandbox = library("jinja2", "jinja2"), library("jinja2.sandbox", "jinja2")
    environment = sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.globals = {name: value for name, value in environment.globals.items() if name != "lipsum"}
    del environment.filters["random"]
    return environment
