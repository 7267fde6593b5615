"""Texts in the syntax of Jinja2, in its sandbox: `Hello {{ name }}{% for item in items %}, {{ item }}{% endfor %}`.

Nothing is escaped, the last newline is kept, what is missing is an error, no other template can be read, and chance is taken away.
What is printed is text or JSON data, data as its JSON. Nothing is computed before the text is filled, so to load one takes no time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from chatadt.templates._hole import Hole
from chatadt.templates._parsed import Parsed, Unrenderable, as_json, library, of_uses

__all__ = ("parse",)


def parse(source: str) -> Parsed:
    """The text of a source. Raises ValueError for what is no Jinja2, or reads other templates; ImportError without Jinja2."""
    nodes, meta, environment = library("jinja2.nodes", "jinja2"), library("jinja2.meta", "jinja2"), _environment()
    try:
        tree = environment.parse(source)
        others = set(meta.find_referenced_templates(tree))
        names = _undeclared(meta, environment, tree)
        escapes = next(tree.find_all(nodes.EvalContextModifier), None)
        compiled = environment.from_string(tree)
    except Exception as error:  # Jinja2 itself, and the compiler of Python, to which it hands what is nested too deeply
        raise ValueError(f"expected a text in the syntax of Jinja2, got {source!r}: {_told(error)}") from None
    if others:
        raise ValueError(f"expected a text that reads no other template, got {source!r}: put that text here instead")
    if escapes is not None:
        raise ValueError(f"expected a text in which nothing is escaped, got {source!r}: leave autoescape out")

    def render(values: Mapping[str, Any]) -> str:
        try:
            return str(compiled.render(values))
        except Unrenderable:
            raise
        except Exception as error:  # the text computes with the values: whatever that raises, they do not fit it
            raise Unrenderable(_told(error)) from None

    return Parsed(of_uses(_uses(nodes, tree, names)), render)


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _undeclared(meta: Any, environment: Any, tree: Any) -> set[str]:
    """The names that come from outside: what `meta.find_undeclared_variables` finds, without computing what is constant."""
    tracking = meta.TrackingCodeGenerator(environment)
    tracking.optimizer = None
    tracking.visit(tree)
    found: set[str] = tracking.undeclared_identifiers
    return found


def _uses(nodes: Any, tree: Any, names: set[str]) -> Iterator[Hole.T]:
    """Each place where a name from outside is read, in the order of the text."""
    alone = {id(shown) for output in tree.find_all(nodes.Output) for shown in output.nodes}
    for node in tree.find_all(nodes.Name):
        if node.name in names and node.ctx == "load":
            yield Hole.Text(node.name) if id(node) in alone else Hole.Data(node.name)


@cache
def _environment() -> Any:
    jinja2, sandbox = library("jinja2", "jinja2"), library("jinja2.sandbox", "jinja2")

    def finalized(_: Any, value: Any) -> str:
        return str(value) if isinstance(value, str | jinja2.Undefined) else as_json(value)

    environment = sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, keep_trailing_newline=True, optimized=False
    )
    environment.finalize = jinja2.pass_context(finalized)  # with its context, as Jinja2 would compute what is constant beforehand
    environment.globals = {name: value for name, value in environment.globals.items() if name != "lipsum"}
    del environment.filters["random"]
    environment.filters["tojson"] = _to_json
    return environment


def _to_json(value: object, indent: int | None = None) -> str:
    """Jinja2's own filter escapes for HTML, and sorts the keys."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
