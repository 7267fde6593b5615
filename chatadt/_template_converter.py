"""Templates in the library's own JSON. It is loaded with the first of them that is written or read: most programs have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve

from chatadt._converter import CASES, CONVERTER, UNIONS, WRITERS, _register
from chatadt._hooks import structuring, unstructuring
from chatadt.error import Problem, Unexpected, show
from chatadt.templates import Binding, Hole, Line, Template, Value, Words

__all__ = ("ALL_CASES", "TEMPLATE_CASES", "read_template", "write_template")

TEMPLATE_CASES: Final[Mapping[str, Mapping[str, type]]] = {
    "line of a template": {
        "system": Line.System,
        "user": Line.User,
        "assistant": Line.Assistant,
        "tool": Line.ToolResult,
        "message": Line.Exactly,
        "messages": Line.Messages,
        "each": Line.Each,
        "scope": Line.Scope,
    },
    "value of a hole": {
        "text": Value.Text,
        "data": Value.Data,
        "contents": Value.Contents,
        "messages": Value.Messages,
        "rows": Value.Rows,
    },
    "piece of a template": {"words": Words, "hole": Hole.Content},
}
"""By union: the tag of each case that is none of another union."""

ALL_CASES: Final[Mapping[str, Mapping[str, type]]] = {**CASES, **TEMPLATE_CASES}
"""By union: the tag of each case, of templates and of all else."""

_CHECKED: Final = (
    *TEMPLATE_CASES["line of a template"].values(),
    *TEMPLATE_CASES["piece of a template"].values(),
    Binding,
    Template,
)
"""Classes whose fields may be right one by one and wrong together: their constructors have the last word."""


def _checking(read: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """A reader that makes again what it read, by the constructor."""

    def read_and_check(value: Any, _: Any = None) -> Any:
        word = read(value)
        try:
            return evolve(word)
        except (TypeError, ValueError, ImportError) as error:
            raise Unexpected(Problem("", f"what {type(word).__qualname__} can hold", f"{show(value)} ({error})")) from None

    return read_and_check


UNIONS.update(TEMPLATE_CASES)
UNIONS["piece of a template"] = {**TEMPLATE_CASES["piece of a template"], **CASES["content"]}
_register(Binding)
for _cases in TEMPLATE_CASES.values():
    for _tag, _case in _cases.items():
        _register(_case, ("type", _tag))
        WRITERS[_case] = unstructuring(CONVERTER, _case)
_register(Template)
for _case in _CHECKED:
    CONVERTER.register_structure_hook(_case, _checking(structuring(CONVERTER, _case)))

read_template: Final = structuring(CONVERTER, Template)
"""Read a template. Raises Unexpected."""

write_template: Final = unstructuring(CONVERTER, Template)
"""Write a template."""
