"""Who said what: the messages of a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast, final

from attrs import field, frozen

from chatadt._sum import Named, Sum, holds, named, terse
from chatadt.content import MAYBE_TEXT, TEXT, Content
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json

__all__ = ("Message", "Outcome")


class Outcome(Named):
    """How a tool call ended."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"


_INSTRUCTION: Final = frozenset({Content.Text, Content.Custom})
_INPUT: Final = frozenset(Content.Input.__args__)
_OUTPUT: Final = frozenset(Content.Output.__args__)


def _contents(value: object, allowed: frozenset[type], speaker: str) -> tuple[Any, ...]:
    if isinstance(value, str):
        return (Content.Text(value),)
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        raise TypeError(f"the contents of {speaker} message are a string or an iterable of contents, got {value!r}")
    items = tuple(Content.Text(item) if isinstance(item, str) else item for item in cast("Iterable[object]", value))
    for index, item in enumerate(items):
        if type(item) not in allowed:
            names = ", ".join(sorted(case.__name__ for case in allowed))
            raise TypeError(f"contents[{index}] of {speaker} message is {item!r}: it holds {names}, or plain strings")
    return items


def _instructions(value: str | Iterable[str | Content.Text | Content.Custom]) -> tuple[Content.Text | Content.Custom, ...]:
    return _contents(value, _INSTRUCTION, "a system")


def _inputs(value: str | Iterable[str | Content.Input]) -> tuple[Content.Input, ...]:
    return _contents(value, _INPUT, "a user")


def _outputs(value: str | Iterable[str | Content.Output]) -> tuple[Content.Output, ...]:
    return _contents(value, _OUTPUT, "an assistant")


def _results(value: str | Iterable[str | Content.Input]) -> tuple[Content.Input, ...]:
    return _contents(value, _INPUT, "a tool result")


def _joined(contents: Iterable[Content.T]) -> str:
    return "".join(content.text for content in contents if isinstance(content, Content.Text))


@final
class Message(metaclass=Sum):
    """One message of a conversation; `Message.T` is the closed union of the cases.

    `contents` takes a string, or any iterable of contents and strings, and is stored as a tuple. `text` is all its text, joined.
    """

    @final
    @frozen(repr=False)
    class System:
        """Instructions from whoever runs the conversation."""

        contents: tuple[Content.Text | Content.Custom, ...] = field(converter=_instructions)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

        @property
        def text(self) -> str:
            """All text of the message, joined."""
            return _joined(self.contents)

    @final
    @frozen(repr=False)
    class User:
        """What a person, or a program in their place, said."""

        contents: tuple[Content.Input, ...] = field(converter=_inputs)
        name: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

        @property
        def text(self) -> str:
            """All text of the message, joined."""
            return _joined(self.contents)

    @final
    @frozen(repr=False)
    class Assistant:
        """What a model said: reasoning, text, tool requests and media, in the order in which they came."""

        contents: tuple[Content.Output, ...] = field(converter=_outputs)
        name: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

        @property
        def text(self) -> str:
            """All text of the message, joined; reasoning and refusals are not part of it."""
            return _joined(self.contents)

        @property
        def tool_requests(self) -> tuple[Content.ToolRequest, ...]:
            """The tool requests among the contents, in order."""
            return tuple(content for content in self.contents if isinstance(content, Content.ToolRequest))

    @final
    @frozen(repr=False)
    class ToolResult:
        """What a tool gave back: `id` is that of the request it answers, `tool` the tool's name where it is known."""

        id: str = field(validator=TEXT)
        tool: str | None = field(validator=named("the name of a tool", optional=True))
        contents: tuple[Content.Input, ...] = field(converter=_results)
        outcome: Outcome = field(default=Outcome.OK, validator=holds("an Outcome", Outcome))
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

        @property
        def text(self) -> str:
            """All text of the result, joined."""
            return _joined(self.contents)

    @final
    @frozen(repr=False)
    class Custom:
        """A message that only `dialect` knows, verbatim; its own dialect writes it back unchanged."""

        attributes: Json = field(converter=to_json)
        dialect: str | None = field(default=None, validator=MAYBE_TEXT)
        __repr__ = terse

        @property
        def text(self) -> str:
            """Empty: nobody but the dialect knows what its attributes mean."""
            return ""

    T: TypeAlias = System | User | Assistant | ToolResult | Custom
