"""Blocks and choices of an answer that is still coming in."""

from __future__ import annotations

import re
from typing import Any, Final, assert_never, cast, final

from attrs import evolve

from chatadt._cut import cuts_off, without_arguments
from chatadt._notes import Notes, extras_of, noted, plain
from chatadt.chat import ProviderError, StopKind, StopReason
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.message import Message

__all__ = ("Growing", "Speech")


@final
class Growing:
    """A block of an answer that is still coming in.

    `case` is the class of the content that it will be. `pieces` are those of its text, or of the JSON text of its arguments: a
    screen may append the last one. `id` and `name` are those of a tool request.
    """

    __slots__ = ("_content", "_names", "_notes", "case", "id", "pieces")

    def __init__(self, case: type[Content.T]) -> None:
        self.case = case
        self.pieces: list[str] = []
        self.id: str | None = None
        self._names: list[str] = []
        self._content: Content.T | None = None
        self._notes: Notes = NO_EXTRAS

    def call(self, id_: str | None, name: str) -> None:
        """What a piece says of a tool request besides its arguments."""
        self.id = id_ if self.id is None else self.id
        if name:
            self._names.append(name)

    def take(self, content: Content.T) -> None:
        """The block comes whole."""
        self._content, self.case = content, type(content)

    @property
    def text(self) -> str:
        """All its text so far."""
        if len(self.pieces) > 1:
            self.pieces[:] = [_paired("".join(self.pieces))]
        return self.pieces[0] if self.pieces else ""

    @property
    def name(self) -> str:
        """The name of the tool, as far as it has come."""
        return "".join(self._names)

    @property
    def extras(self) -> Extras:
        """What dialects said of the block so far."""
        return extras_of(self._notes)

    @property
    def content(self) -> Content.Output:
        """The content that the block would be if nothing more came."""
        extras = extras_of(self._notes)
        if self._content is not None:
            return _having(self._content, extras)
        if self.case is _TOOL_REQUEST:
            return self._request(extras)
        plain: Any = self.case
        return cast("Content.Output", plain(self.text, extras))

    @property
    def is_bare_call(self) -> bool:
        """Whether the block is a tool request of whose arguments nothing has come."""
        return self.case is _TOOL_REQUEST and self._content is None and not self.text.strip()

    def _request(self, extras: Extras) -> Content.Output:
        name = self.name
        if name.strip():
            return Content.ToolRequest(self.id or "", name, Arguments.of(self.text), extras)
        cut = {"type": "tool_request", "id": self.id, "name": name, "arguments": self.text, "extras": plain(extras)}
        return Content.Custom("chatadt", Json.of(cut))  # a request without a name is none


_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _paired(text: str) -> str:
    """The text with one letter for each two halves of a surrogate pair, which a server may have cut in two."""
    if text.isascii() or _PAIR.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


class Speech:
    """One choice in the making."""

    __slots__ = ("answered", "blocks", "latest", "name", "noted", "open", "stop", "waiting")

    def __init__(self) -> None:
        self.blocks: list[Growing] = []
        self.open: dict[tuple[int, type], Growing] = {}  # by number and case
        self.latest: dict[int, Growing] = {}  # by number: extras belong to it
        self.waiting: dict[int, Notes] = {}  # by number: extras of a block that is not there yet
        self.name: str | None = None
        self.noted: Notes = NO_EXTRAS  # extras of the message
        self.answered: Notes = NO_EXTRAS  # extras of the choice
        self.stop: StopReason | _Unsaid | None = _UNSAID

    def block(self, index: int, case: type[Content.T]) -> Growing:
        found = self.open.get((index, case))
        if found is None:
            found = self.open[index, case] = self.latest[index] = Growing(case)
            found._notes = self.waiting.pop(index, NO_EXTRAS)
            self.blocks.append(found)
        return found

    def note(self, delta: Delta.BlockExtras) -> Growing | None:
        found = self.latest.get(delta.index)
        if found is None:
            self.waiting[delta.index] = noted(self.waiting.get(delta.index, NO_EXTRAS), delta.extras, delta.grow)
            return None
        found._notes = noted(found._notes, delta.extras, delta.grow)
        return found

    def begin(self) -> None:
        """Another message: its blocks are numbered anew, and whether the model is done is open again."""
        self.open, self.latest, self.stop = {}, {}, _UNSAID

    def message(self, stop: StopReason | None) -> Message.Assistant:
        """The message so far. Extras of a block that never came, or that has no room for them, are the message's."""
        homeless = [*self.waiting.values(), *(block._notes for block in self.blocks if block.case is Content.Custom)]
        own: Notes = plain(extras_of(self.noted)) if any(homeless) else self.noted
        for notes in homeless:
            own = noted(own, extras_of(notes), grow=True)
        contents = [block.content for block in self.blocks]
        if stop is not None and cuts_off(stop) and contents and self.blocks[-1].is_bare_call:
            contents[-1] = without_arguments(contents[-1], self.blocks[-1].text, stop)
        return Message.Assistant(contents, self.name, extras_of(own))

    def end(self, reason: StopReason | None) -> None:
        """The model is done; a reason that was given once is not taken back."""
        if reason is not None or isinstance(self.stop, _Unsaid):
            self.stop = reason

    def stopped(self, error: ProviderError | None) -> StopReason | None:
        if not isinstance(self.stop, _Unsaid):
            return self.stop
        return StopReason(StopKind.INTERRUPTED) if error is None else StopReason(StopKind.ERROR, error.code)


@final
class _Unsaid:
    """Of what no delta has spoken."""


_UNSAID: Final = _Unsaid()


_TOOL_REQUEST: Final = Content.ToolRequest


def _having(content: Content.T, extras: Extras) -> Content.T:
    """A content that came whole, with extras that came besides; one that only a dialect knows has no room for them."""
    if not extras:
        return content
    match content:
        case Content.Custom():
            return content
        case (
            Content.Text()
            | Content.Image()
            | Content.Audio()
            | Content.Video()
            | Content.PDF()
            | Content.File()
            | Content.Reasoning()
            | Content.Refusal()
            | Content.ToolRequest()
        ):
            return evolve(content, extras=extras_of(noted(plain(content.extras), extras, grow=False)))
        case _:
            assert_never(content)
