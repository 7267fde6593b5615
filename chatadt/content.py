"""What a message is made of: text, media, and what only a model says."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Named, Sum, holds, named, terse
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json, why_not_json
from chatadt.resource import Resource

__all__ = ("NO_ARGUMENTS", "Arguments", "Content", "Detail", "arguments_of_text")


TEXT: Final = holds("a string", str)
MAYBE_TEXT: Final = holds("a string or None", str, NoneType)
_MEDIUM: Final = holds("a Resource.Ref or a Resource.Binary (see Resource.of)", Resource.T)


class Detail(Named):
    """How closely a model should look at an image."""

    AUTO = "auto"
    LOW = "low"
    HIGH = "high"
    ORIGINAL = "original"


@final
class Arguments(metaclass=Sum):
    """The arguments of a tool request: JSON, or text that never became JSON. `Arguments.T` is the closed union of the two."""

    @final
    @frozen(repr=False)
    class Parsed:
        """Arguments that are JSON. `json.text` is the text as it came, `json.value` a fresh parse of it."""

        json: Json = field(converter=to_json)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Malformed:
        """Arguments that are not JSON, such as those of an answer that was cut off; `why` says where the parser stopped."""

        text: str = field(validator=TEXT)
        why: str = field(validator=TEXT)
        __repr__ = terse

    T: TypeAlias = Parsed | Malformed

    @staticmethod
    def of(value: Mapping[str, object] | str | Json | Arguments.T) -> Arguments.T:
        """The arguments that a mapping or a JSON text stands for; an empty text is `{}`, as providers mean it."""
        if isinstance(value, Arguments.Parsed | Arguments.Malformed):
            return value
        if isinstance(value, str):
            return arguments_of_text(value)
        if isinstance(value, Json):
            return Arguments.Parsed(value)
        if not isinstance(cast("object", value), Mapping):
            raise TypeError(f"arguments are a mapping, JSON text or Arguments, got {value!r}")
        return Arguments.Parsed(Json.of(dict(value)))


NO_ARGUMENTS: Final = Arguments.Parsed(Json("{}"))
_new: Final = object.__new__
_set_json: Final = cast("Any", Arguments.Parsed).json.__set__


def arguments_of_text(text: str) -> Arguments.T:
    """The arguments that a text stands for: JSON, nothing at all (which is `{}`), or a text that never became JSON."""
    why = why_not_json(text)
    if why is not None:
        return Arguments.Malformed(text, why) if text and not text.isspace() else NO_ARGUMENTS
    parsed = _new(Arguments.Parsed)
    _set_json(parsed, Json.trusted(text))
    return parsed


def _arguments(value: Mapping[str, object] | str | Json | Arguments.T) -> Arguments.T:
    return Arguments.of(value)


@final
class Content(metaclass=Sum):
    """One piece of a message. `Content.Input` is what anyone can say, `Content.Output` (= `Content.T`) what a model can say."""

    @final
    @frozen(repr=False)
    class Text:
        """Plain text."""

        text: str = field(validator=TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Image:
        """A picture."""

        resource: Resource.T = field(validator=_MEDIUM)
        detail: Detail | None = field(default=None, validator=holds("a Detail or None", Detail, NoneType))
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Audio:
        """Sound; `transcript` is what was said, where that is known."""

        resource: Resource.T = field(validator=_MEDIUM)
        transcript: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Video:
        """A film."""

        resource: Resource.T = field(validator=_MEDIUM)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class PDF:
        """A PDF document, with the file name or title under which it was handed over."""

        resource: Resource.T = field(validator=_MEDIUM)
        name: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class File:
        """Any other document or medium; its resource's MIME type says which."""

        resource: Resource.T = field(validator=_MEDIUM)
        name: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Reasoning:
        """What a model thought before it answered, as far as its provider shows it. Signatures stand in `extras`."""

        text: str = field(validator=TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Refusal:
        """A model's own words for not answering."""

        text: str = field(validator=TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class ToolRequest:
        """A model's wish to call a tool. `arguments` takes a mapping, JSON text or `Arguments`."""

        id: str = field(validator=TEXT)
        name: str = field(validator=named("the name of a tool"))
        arguments: Arguments.T = field(converter=_arguments)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A block that only `dialect` knows, verbatim; its own dialect writes it back unchanged."""

        dialect: str = field(validator=TEXT)
        value: Json = field(converter=to_json)
        __repr__ = terse

    Input: TypeAlias = Text | Image | Audio | Video | PDF | File | Custom
    Output: TypeAlias = Text | Image | Audio | Video | PDF | File | Custom | Reasoning | Refusal | ToolRequest
    T: TypeAlias = Output
