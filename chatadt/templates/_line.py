"""What a template is made of: messages with holes, and places for messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import evolve, field, frozen
from returns.result import Failure

from chatadt._sum import Sum, holds, named, terse
from chatadt.content import Content
from chatadt.json import NO_EXTRAS, Extras, to_extras
from chatadt.message import Message, Outcome
from chatadt.templates._hole import KINDS, Hole, identifier, merged
from chatadt.templates._misfit import Unfilled
from chatadt.templates._value import Binding, as_given, checked, to_bindings
from chatadt.templates._words import Words, to_words

__all__ = ("Instruction", "Line", "Said", "Spoken", "holes_of", "to_lines")

Instruction: TypeAlias = Words | Hole.Content | Content.Text | Content.Custom
"""What a template of a system message holds: texts with holes, content holes, and contents that stay as they are."""

Spoken: TypeAlias = (
    Words
    | Hole.Content
    | Content.Text
    | Content.Image
    | Content.Audio
    | Content.Video
    | Content.PDF
    | Content.File
    | Content.Custom
)
"""What a template of a user message or a tool result holds."""

Said: TypeAlias = (
    Words
    | Hole.Content
    | Content.Text
    | Content.Image
    | Content.Audio
    | Content.Video
    | Content.PDF
    | Content.File
    | Content.Custom
    | Content.Reasoning
    | Content.Refusal
    | Content.ToolRequest
)
"""What a template of an assistant message holds."""


def _pieces(value: object, allowed: frozenset[type], speaker: str) -> tuple[Any, ...]:
    if isinstance(value, str | Words):
        return (to_words(value),)
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        raise TypeError(f"the contents of {speaker} message are a string or an iterable of contents and holes, got {value!r}")
    items = tuple(Words(item) if isinstance(item, str) else item for item in cast("Iterable[object]", value))
    names = ", ".join(sorted(case.__name__ for case in allowed))
    for index, item in enumerate(items):
        if type(item) not in allowed and not isinstance(item, Words | Hole.Content):
            raise TypeError(f"contents[{index}] of {speaker} message is {item!r}: it holds strings, Words, Hole.Content, {names}")
        if isinstance(item, Hole.Content) and not {KINDS[kind] for kind in item.kinds} <= allowed:
            raise ValueError(f"contents[{index}] of {speaker} message is {item!r}: such a message holds {names}")
    return items


_INSTRUCTION: Final = frozenset({Content.Text, Content.Custom})
_INPUT: Final = frozenset(Content.Input.__args__)
_OUTPUT: Final = frozenset(Content.Output.__args__)


def _instructions(value: str | Words | Iterable[str | Instruction]) -> tuple[Instruction, ...]:
    return _pieces(value, _INSTRUCTION, "a system")


def _spoken(value: str | Words | Iterable[str | Spoken]) -> tuple[Spoken, ...]:
    return _pieces(value, _INPUT, "a user or tool")


def _said(value: str | Words | Iterable[str | Said]) -> tuple[Said, ...]:
    return _pieces(value, _OUTPUT, "an assistant")


def _maybe_words(value: str | Words | None) -> Words | None:
    return None if value is None else to_words(value)


def to_lines(value: Iterable[Line.T]) -> tuple[Line.T, ...]:
    """Take any iterable of lines. Raises TypeError for what is no line, ValueError where one name is two sorts of hole."""
    lines = tuple(value)
    for index, line in enumerate(lines):
        if not isinstance(cast("object", line), Line.T):
            raise TypeError(f"lines[{index}] is {line!r}: expected a case of Line")
    holes_of(lines)
    return lines


_WORDS: Final = holds("a string or Words", Words)
_FLAG: Final = holds("true or false", bool)
_MAYBE_WORDS: Final = holds("a string, Words or None", Words, NoneType)


@final
class Line(metaclass=Sum):
    """One part of a template; `Line.T` is the closed union of the cases.

    A string among contents, and where a name or an id stands, is a text with holes in braces; a `Content` stays what it is.
    """

    @final
    @frozen(repr=False)
    class System:
        """A system message."""

        contents: tuple[Instruction, ...] = field(converter=_instructions)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class User:
        """A user's message."""

        contents: tuple[Spoken, ...] = field(converter=_spoken)
        name: Words | None = field(default=None, converter=_maybe_words, validator=_MAYBE_WORDS)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Assistant:
        """An assistant's message."""

        contents: tuple[Said, ...] = field(converter=_said)
        name: Words | None = field(default=None, converter=_maybe_words, validator=_MAYBE_WORDS)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class ToolResult:
        """The result of the tool request `id`."""

        id: Words = field(converter=to_words, validator=_WORDS)
        tool: str | None = field(validator=named("the name of a tool", optional=True))
        contents: tuple[Spoken, ...] = field(converter=_spoken)
        outcome: Outcome = field(default=Outcome.OK, validator=holds("an Outcome", Outcome))
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Exactly:
        """A message as it is: nothing in it is a hole."""

        message: Message.T = field(validator=holds("a message", Message.T))
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Messages:
        """The messages that fill the hole `name`: of users, assistants and tools, or with `anyone` system and custom ones too."""

        name: str = field(validator=identifier)
        optional: bool = field(default=False, validator=_FLAG)
        anyone: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Each:
        """These lines once for each of the examples that fill the hole `name`; their own holes are filled by the example alone."""

        name: str = field(validator=identifier)
        lines: tuple[Line.T, ...] = field(converter=to_lines)
        optional: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Scope:
        """These lines, some of whose holes are filled for good (`given`), or where they are given nothing (`defaults`).

        Raises ValueError where a value does not fit its hole, or has none.
        """

        lines: tuple[Line.T, ...] = field(converter=to_lines)
        given: tuple[Binding, ...] = field(default=(), converter=to_bindings)
        defaults: tuple[Binding, ...] = field(default=(), converter=to_bindings)
        __repr__ = terse

        def __attrs_post_init__(self) -> None:
            twice = {binding.name for binding in self.given} & {binding.name for binding in self.defaults}
            if twice:
                raise ValueError(f"expected no default for what is given for good, got both for {', '.join(sorted(twice))}")
            found = checked(holes_of(self.lines), as_given((*self.given, *self.defaults)), partly=True)
            if isinstance(found, Failure):
                raise ValueError(str(Unfilled(found.failure())))

    T: TypeAlias = System | User | Assistant | ToolResult | Exactly | Messages | Each | Scope


def holes_of(lines: Iterable[Line.T]) -> tuple[Hole.T, ...]:
    """The holes that are left in some lines, in the order in which they first stand.

    Raises ValueError where two of one name differ.
    """
    found: dict[str, Hole.T] = {}
    for line in lines:
        for hole in _holes(line):
            found[hole.name] = merged(found[hole.name], hole) if hole.name in found else hole
    return tuple(found.values())


def _holes(line: Line.T) -> tuple[Hole.T, ...]:
    match line:
        case Line.System(contents):
            return _of_pieces(contents)
        case Line.User(contents, name) | Line.Assistant(contents, name):
            return _of_pieces(contents if name is None else (name, *contents))
        case Line.ToolResult(id, _, contents):
            return _of_pieces((id, *contents))
        case Line.Exactly():
            return ()
        case Line.Each(name, lines, optional):
            return (Hole.Rows(name, holes_of(lines), optional),)
        case Line.Scope(lines, given, defaults):
            filled, spared = {binding.name for binding in given}, {binding.name for binding in defaults}
            return tuple(
                evolve(hole, optional=hole.optional or hole.name in spared) for hole in holes_of(lines) if hole.name not in filled
            )
        case Line.Messages(name, optional, anyone):
            return (Hole.Messages(name, optional, anyone),)
        case _:
            assert_never(line)


def _of_pieces(pieces: Iterable[Said]) -> tuple[Hole.T, ...]:
    holes: list[Hole.T] = []
    for piece in pieces:
        if isinstance(piece, Words):
            holes.extend(piece.holes)
        elif isinstance(piece, Hole.Content):
            holes.append(piece)
    return tuple(holes)
