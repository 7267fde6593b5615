"""What a stream says, piece by piece, in the words of an answer."""

from __future__ import annotations

from types import NoneType
from typing import Final, TypeAlias, final

from attrs import field, frozen

from chatadt._sum import Sum, holds, terse
from chatadt.chat import ProviderError, StopReason, Usage
from chatadt.content import MAYBE_TEXT, TEXT, Content
from chatadt.json import NO_EXTRAS, Extras, Json, to_extras, to_json

__all__ = ("Delta",)

_INDEX: Final = holds("the number of a block", int)
_CHOICE: Final = holds("the number of a choice", int)
_FLAG: Final = holds("true or false", bool)


@final
class Delta(metaclass=Sum):
    """One piece of a streamed answer; `Delta.T` is the closed union of the cases.

    `index` is the number of the block that a piece belongs to: the first piece with a number opens a block of its case behind those
    that are there, further pieces go on with it, whatever came between. `choice` is the number of the answer where several were
    asked for. An empty piece says nothing, but opens its block. `chatadt.fold` makes an answer of deltas.
    """

    @final
    @frozen(repr=False)
    class Start:
        """A message begins. A second one in a stream begins another answer, whose blocks are numbered anew."""

        id: str | None = field(default=None, validator=MAYBE_TEXT)
        model: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Text:
        """More of a text."""

        index: int = field(validator=_INDEX)
        text: str = field(validator=TEXT)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Reasoning:
        """More of what the model thinks."""

        index: int = field(validator=_INDEX)
        text: str = field(validator=TEXT)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Refusal:
        """More of the words in which a model refuses."""

        index: int = field(validator=_INDEX)
        text: str = field(validator=TEXT)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class ToolRequest:
        """More of a wish to call a tool: pieces of its name, then of the JSON text of its arguments; its id, once.

        A call that is known to have ended without arguments says `{}`: writers then need not wait for any.
        """

        index: int = field(validator=_INDEX)
        arguments: str = field(default="", validator=TEXT)
        id: str | None = field(default=None, validator=MAYBE_TEXT)
        name: str = field(default="", validator=TEXT)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Block:
        """A content that comes in one piece: a medium, or a block that only a dialect knows. A second one replaces it."""

        index: int = field(validator=_INDEX)
        content: Content.T = field(validator=holds("a Content", Content.T))
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class BlockExtras:
        """What a dialect says of a block beyond the words: each field replaces the one that was there (a signature).

        With `grow`, lists are continued instead, those inside objects too (citations).
        """

        index: int = field(validator=_INDEX)
        extras: Extras = field(converter=to_extras)
        grow: bool = field(default=False, validator=_FLAG)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Speaker:
        """What is said of a message besides its contents: the name of the speaker, and extras, as in `BlockExtras`."""

        name: str | None = field(default=None, validator=MAYBE_TEXT)
        extras: Extras = field(default=NO_EXTRAS, converter=to_extras)
        grow: bool = field(default=False, validator=_FLAG)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Answer:
        """What a dialect says of the answer as a whole, or of one of its further choices; extras as in `BlockExtras`."""

        extras: Extras = field(converter=to_extras)
        grow: bool = field(default=False, validator=_FLAG)
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Tokens:
        """The tokens used so far; later counts replace earlier ones."""

        usage: Usage = field(validator=holds("a Usage", Usage))
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Stop:
        """The model is done; None where the provider does not say why."""

        reason: StopReason | None = field(validator=holds("a StopReason or None", StopReason, NoneType))
        choice: int = field(default=0, validator=_CHOICE)
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Failed:
        """The provider breaks the answer off, and says why."""

        error: ProviderError = field(validator=holds("a ProviderError", ProviderError))
        __repr__ = terse

    @final
    @frozen(repr=False)
    class Custom:
        """An event that only `dialect` knows, verbatim."""

        dialect: str = field(validator=TEXT)
        value: Json = field(converter=to_json)
        __repr__ = terse

    T: TypeAlias = (
        Start | Text | Reasoning | Refusal | ToolRequest | Block | BlockExtras | Speaker | Answer | Tokens | Stop | Failed | Custom
    )
