"""What a message is made of: text, media, and what only a model says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Named, Sum, terse
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json, why_not_json
from chatadt.resource import Resource

__all__ = ("NO_ARGUMENTS", "Arguments", "Content", "Detail", "arguments_of_text")


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

        text: str
        why: str
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
    if not text or text.isspace():
        return NO_ARGUMENTS
    why = why_not_json(text)
    if why is not None:
        return Arguments.Malformed(text, why)
    parsed = _new(Arguments.Parsed)
    _set_json(parsed, Json.trusted(text))
    return parsed


def _arguments(value: Mapping[str, object] | str | Json | Arguments.T) -> Arguments.T:
    return Arguments.of(value)


def _text(value: str) -> str:
    if not isinstance(cast("object", value), str):
        raise TypeError(f"text is a string, got {value!r}")
    return value


def _optional_text(value: str | None) -> str | None:
    return None if value is None else _text(value)


def _tool_name(value: str) -> str:
    if not isinstance(cast("object", value), str):
        raise TypeError(f"a tool name is a string, got {value!r}")
    if not value or value.isspace():
        raise ValueError("the tool name is blank: every provider refuses a call that names no tool")
    return value


def _resource(value: Resource.T) -> Resource.T:
    if not isinstance(cast("object", value), Resource.T):
        raise TypeError(f"a medium is a Resource.Ref or a Resource.Binary (see Resource.of), got {value!r}")
    return value


def _detail(value: Detail | None) -> Detail | None:
    if not isinstance(cast("object", value), Detail | None):
        raise TypeError(f"the detail of an image is a Detail or None, got {value!r}")
    return value


@final
class Content(metaclass=Sum):
    """One piece of a message. `Content.Input` is what anyone can say, `Content.Output` (= `Content.T`) what a model can say."""

    @final
    @frozen(repr=False)
    class Text:
        """Plain text."""

        text: str = field(converter=_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Image:
        """A picture."""

        resource: Resource.T = field(converter=_resource)
        detail: Detail | None = field(default=None, converter=_detail)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Audio:
        """Sound; `transcript` is what was said, where that is known."""

        resource: Resource.T = field(converter=_resource)
        transcript: str | None = field(default=None, converter=_optional_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Video:
        """A film."""

        resource: Resource.T = field(converter=_resource)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class PDF:
        """A PDF document, with the file name or title under which it was handed over."""

        resource: Resource.T = field(converter=_resource)
        name: str | None = field(default=None, converter=_optional_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class File:
        """Any other document or medium; its resource's MIME type says which."""

        resource: Resource.T = field(converter=_resource)
        name: str | None = field(default=None, converter=_optional_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Reasoning:
        """What a model thought before it answered, as far as its provider shows it. Signatures stand in `extras`."""

        text: str = field(converter=_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Refusal:
        """A model's own words for not answering."""

        text: str = field(converter=_text)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class ToolRequest:
        """A model's wish to call a tool. `arguments` takes a mapping, JSON text or `Arguments`."""

        id: str = field(converter=_text)
        name: str = field(converter=_tool_name)
        arguments: Arguments.T = field(converter=_arguments)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """A block that only `dialect` knows, verbatim; its own dialect writes it back unchanged."""

        dialect: str = field(converter=_text)
        value: Json = field(converter=to_json)
        __repr__ = terse

    Input: TypeAlias = Text | Image | Audio | Video | PDF | File | Custom
    Output: TypeAlias = Text | Image | Audio | Video | PDF | File | Custom | Reasoning | Refusal | ToolRequest
    T: TypeAlias = Output
