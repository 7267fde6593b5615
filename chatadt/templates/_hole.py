"""The holes of a template: what each is called, what it takes, and whether it may stay empty."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import Attribute, evolve, field, frozen

from chatadt._sum import Named, Sum, holds, terse
from chatadt.content import Content

__all__ = ("KINDS", "Hole", "Kind", "described", "described_kinds", "identifier", "merged", "named_holes")


class Kind(Named):
    """The kinds of content that a content hole can take."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    PDF = "pdf"
    FILE = "file"
    REASONING = "reasoning"
    REFUSAL = "refusal"
    TOOL_REQUEST = "tool_request"
    CUSTOM = "custom"


KINDS: Final[Mapping[Kind, type]] = {
    Kind.TEXT: Content.Text,
    Kind.IMAGE: Content.Image,
    Kind.AUDIO: Content.Audio,
    Kind.VIDEO: Content.Video,
    Kind.PDF: Content.PDF,
    Kind.FILE: Content.File,
    Kind.REASONING: Content.Reasoning,
    Kind.REFUSAL: Content.Refusal,
    Kind.TOOL_REQUEST: Content.ToolRequest,
    Kind.CUSTOM: Content.Custom,
}
"""By kind: the case of `Content.T`."""


def identifier(owner: Any, attribute: Attribute[Any], value: Any) -> None:
    """A validator for a name that Python takes for a keyword argument. Raises TypeError or ValueError."""
    if not isinstance(value, str):
        raise TypeError(f"{attribute.name} of {type(owner).__qualname__} is a string, got {value!r}")
    if not value.isidentifier():
        raise ValueError(f"{attribute.name} of {type(owner).__qualname__} is a plain name, such as question, got {value!r}")


def _kinds(value: Kind | Iterable[Kind]) -> tuple[Kind, ...]:
    kinds = (value,) if isinstance(value, Kind) else tuple(value)
    for kind in kinds:
        if not isinstance(cast("object", kind), Kind):
            raise TypeError(f"kinds of Hole.Content are one Kind or several, got {kind!r}")
    if not kinds:
        raise ValueError("kinds of Hole.Content are empty: a hole that takes nothing cannot be filled")
    return tuple(dict.fromkeys(kinds))


def _to_holes(value: Iterable[Hole.T]) -> tuple[Hole.T, ...]:
    return tuple(value)


_FLAG: Final = holds("true or false", bool)


@final
class Hole(metaclass=Sum):
    """One hole of a template; `Hole.T` is the closed union of the cases. What is `optional` may be left empty.

    `Hole.Content` stands among the contents of a message; the others are what `Template.holes` tells.
    """

    @final
    @frozen(repr=False)
    class Text:
        """A place in a text. It takes a string."""

        name: str = field(validator=identifier)
        optional: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Data:
        """What a text of mustache or Jinja2 loops over, tests or looks into. It takes plain JSON data, or a `Json`."""

        name: str = field(validator=identifier)
        optional: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Content:
        """A place for a content of one of `kinds`; with `many`, for any number of them."""

        name: str = field(validator=identifier)
        kinds: tuple[Kind, ...] = field(converter=_kinds)
        optional: bool = field(default=False, validator=_FLAG)
        many: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Messages:
        """A place for messages: of users, assistants and tools, or with `anyone` of system and custom ones too."""

        name: str = field(validator=identifier)
        optional: bool = field(default=False, validator=_FLAG)
        anyone: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Rows:
        """A place for examples: any number of mappings, each of which fills `holes`."""

        name: str = field(validator=identifier)
        holes: tuple[Hole.T, ...] = field(converter=_to_holes)
        optional: bool = field(default=False, validator=_FLAG)
        __repr__ = terse

    T: TypeAlias = Text | Data | Content | Messages | Rows


def described(hole: Hole.T) -> str:
    """What a hole takes, for people."""
    match hole:
        case Hole.Text():
            return "a text"
        case Hole.Data():
            return "JSON data"
        case Hole.Content(kinds=kinds, many=many):
            return f"any number of {described_kinds(kinds)}" if many else described_kinds(kinds)
        case Hole.Messages(anyone=True):
            return "messages"
        case Hole.Messages():
            return "messages of users, assistants and tools"
        case Hole.Rows(holes=holes):
            return f"mappings with {named_holes(holes)}"
        case _:
            assert_never(hole)


def described_kinds(kinds: Iterable[Kind]) -> str:
    """Kinds of contents, for people."""
    return " or ".join(f"Content.{KINDS[kind].__name__}" for kind in kinds)


def named_holes(holes: Iterable[Hole.T]) -> str:
    """The names of holes, for people."""
    return ", ".join(hole.name for hole in holes) or "nothing"


def merged(one: Hole.T, other: Hole.T) -> Hole.T:
    """The hole that two of one name are. Raises ValueError where no value could fill both."""
    optional = one.optional and other.optional
    if isinstance(one, Hole.Data) and isinstance(other, Hole.Text):
        return evolve(other, optional=optional)
    if isinstance(one, Hole.Text) and isinstance(other, Hole.Data):
        return evolve(one, optional=optional)
    if isinstance(one, Hole.Messages) and isinstance(other, Hole.Messages):
        return Hole.Messages(one.name, optional, one.anyone and other.anyone)
    if type(one) is type(other) and evolve(one, optional=optional) == evolve(other, optional=optional):
        return evolve(one, optional=optional)
    raise ValueError(
        f"the hole {one.name!r} takes {described(one)} in one place and {described(other)} in another: give them two names"
    )
