"""A template of a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast, final

from attrs import field, frozen
from returns.result import Failure, Result, Success

from chatadt._sum import terse
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.result import closed
from chatadt.templates._fill import filled
from chatadt.templates._hole import Hole
from chatadt.templates._line import Instruction, Line, Said, Spoken, holes_of, to_lines
from chatadt.templates._misfit import Unfilled
from chatadt.templates._prompt import Prompt
from chatadt.templates._value import Value, bound, checked
from chatadt.templates._words import Words

__all__ = ("Template",)


@final
@frozen(repr=False)
class Template:
    """An immutable sequence of lines with holes: `Template().system("You are {persona}.").messages("history").user("{question}")`.

    Strings are texts with holes in braces; `Words` says another syntax. A `Content` or a message stays what it is. Two holes of one
    name are one. A mistake in a template raises ValueError where it is made.
    """

    lines: tuple[Line.T, ...] = field(default=(), converter=to_lines)
    __repr__ = terse

    def system(self, contents: str | Words | Iterable[str | Instruction]) -> Template:
        """This template, then a system message."""
        return Template((*self.lines, Line.System(contents)))

    def user(self, contents: str | Words | Iterable[str | Spoken], name: str | Words | None = None) -> Template:
        """This template, then a user message."""
        return Template((*self.lines, Line.User(contents, name)))

    def assistant(self, contents: str | Words | Iterable[str | Said], name: str | Words | None = None) -> Template:
        """This template, then an assistant message."""
        return Template((*self.lines, Line.Assistant(contents, name)))

    def result(
        self, id: str | Words, tool: str | None, contents: str | Words | Iterable[str | Spoken], outcome: Outcome = Outcome.OK
    ) -> Template:
        """This template, then the result of the tool request `id`."""
        return Template((*self.lines, Line.ToolResult(id, tool, contents, outcome)))

    def messages(self, name: str, *, optional: bool = False, anyone: bool = False) -> Template:
        """This template, then the messages that fill the hole `name`: a history, say. See `Line.Messages`."""
        return Template((*self.lines, Line.Messages(name, optional, anyone)))

    def each(self, name: str, template: Template, *, optional: bool = False) -> Template:
        """This template, then `template` once for each of the examples that fill the hole `name`, which are mappings."""
        return Template((*self.lines, Line.Each(name, template.lines, optional)))

    def __add__(self, other: Template | Iterable[Message.T]) -> Template:
        """This template, then another one, or messages as they are."""
        if isinstance(other, Template):
            return Template(self.lines + other.lines)
        if isinstance(cast("object", other), str) or not isinstance(cast("object", other), Iterable):
            raise TypeError(f"to a template a template is added, or an iterable of messages, got {other!r}: see Template.user")
        return Template((*self.lines, *map(Line.Exactly, History(other))))

    @property
    def holes(self) -> tuple[Hole.T, ...]:
        """The holes that are left, in the order in which they first stand."""
        return holes_of(self.lines)

    def partial(self, values: Mapping[str, object] | None = None, /, **more: object) -> Result[Template, Unfilled]:
        """This template with some holes filled for good, or why they cannot be: values that are ill-typed or have no hole.

        The holes of a template that is added later are not filled, even where they have the same name.
        """
        return checked(self.holes, {**(values or {}), **more}, partly=True).map(self._given).alt(Unfilled)

    def _given(self, values: Mapping[str, Value.T]) -> Template:
        return Template((Line.Scope(self.lines, given=bound(values)),))

    def with_defaults(self, values: Mapping[str, object] | None = None, /, **more: object) -> Template:
        """This template, some of whose holes may be left empty: they are filled with these values then.

        Raises ValueError for values that are ill-typed or have no hole.
        """
        match closed(checked(self.holes, {**(values or {}), **more}, partly=True)):
            case Success(found):
                return Template((Line.Scope(self.lines, defaults=bound(found)),))
            case Failure(misfits):
                raise ValueError(str(Unfilled(misfits)))

    def fill(self, values: Mapping[str, object] | None = None, /, **more: object) -> Result[Prompt, Unfilled]:
        """The prompt that these values make of this template, or all that is missing, extra or ill-typed.

        A text hole takes a string, a content hole a content of its kind, a message hole an iterable of messages, the hole of `each`
        an iterable of mappings, and one for data plain JSON data. Nothing is coerced; None leaves an optional hole empty.
        """
        return filled(self.lines, {**(values or {}), **more}).map(Prompt).alt(Unfilled)
