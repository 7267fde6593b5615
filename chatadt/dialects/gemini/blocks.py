"""The blocks of a stream as parts of Gemini: a piece of a plain text is a part, any other block is one when it is complete.

A client joins texts that follow each other, so a text of which the dialect says more stands whole in one part. A call whose
arguments are not complete waits while other blocks are said.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import evolve

from chatadt._notes import Notes, extras_of, noted, plain
from chatadt._wire import fields_of
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._arriving import Arriving
from chatadt.dialects._losses import Block, as_object, foreign, moved, nameless_call, parted, rewritten, silent, unsaid
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.config import unplaced
from chatadt.dialects.gemini.parts import Said
from chatadt.dialects.gemini.rules import ANSWERING
from chatadt.json import NO_EXTRAS, Extras, why_not_json
from chatadt.loss import Loss, Weight

__all__ = ("Growing", "Part", "Pieces", "Speech")

Part: TypeAlias = "Block | Loss"
Pieces: TypeAlias = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest

_CALL: Final = Delta.ToolRequest
_THOUGHT: Final = Delta.Reasoning
_CASES: Final[Mapping[type, type]] = {
    Delta.Text: Content.Text,
    Delta.Reasoning: Content.Reasoning,
    Delta.Refusal: Content.Refusal,
}
_WORDS: Final = frozenset(_CASES)


@final
class Growing:
    """A block that is being said: `place` is where it stands in the answer, `order` when it began to wait.

    `said` holds what stands in no part yet, `told` what does and is still to be quoted by a loss.
    """

    __slots__ = (
        "case",
        "content",
        "id",
        "index",
        "is_done",
        "is_split",
        "name",
        "notes",
        "order",
        "place",
        "said",
        "told",
        "written",
    )

    def __init__(self, index: int, case: type, place: int, notes: Notes) -> None:
        self.index = index
        self.case = case
        self.place = place
        self.notes = notes
        self.content: Content.T | None = None  # of one that comes whole
        self.id: str | None = None
        self.name: list[str] = []
        self.said = Arriving()
        self.told: list[str] = []
        self.written = False  # whether some of it stands in parts
        self.order = -1
        self.is_done = False
        self.is_split = False  # whether a client does not see it as the one text that it is

    @property
    def is_plain(self) -> bool:
        """Whether it is a text of which the dialect says nothing more."""
        return self.case in _WORDS and NAME not in self.notes

    @property
    def is_bare_call(self) -> bool:
        """Whether it is a call of whose arguments nothing has come."""
        return self.case is _CALL and not self.is_done and "".join(self.name).strip() != "" and not self.said.text.strip()

    @property
    def is_complete(self) -> bool:
        """Whether nothing more of it may come once another block begins."""
        return self.case is not _CALL or (not self.is_done and self.said.is_whole)


@final
class Speech:
    """What is said by one candidate."""

    __slots__ = ("asks", "blocks", "changed", "furthest", "last", "latest", "notes", "number", "orders", "waiting")

    def __init__(self, number: int) -> None:
        self.number = number
        self.blocks: dict[tuple[int, type], Growing] = {}
        self.latest: dict[int, Growing] = {}  # by number: extras belong to it
        self.notes: dict[int, Notes] = {}  # extras of blocks that are not there yet
        self.waiting: OrderedDict[Growing, None] = OrderedDict()
        self.changed: dict[Growing, None] = {}  # those that wait and may be complete
        self.orders = 0
        self.last: Growing | None = None  # of which the last part is
        self.furthest = -1  # the place of the block that stands last in the answer and has a part
        self.asks = False

    @property
    def path(self) -> str:
        """Where its message stands in the answer."""
        return "$.message" if self.number == 0 else f"$.others[{self.number - 1}].message"

    def _where(self, block: Growing) -> str:
        return f"{self.path}.contents[{block.place}]"

    # --- what comes in ---

    def piece(self, delta: Pieces) -> Iterator[Part]:
        """More of a block."""
        yield from self._make_way(delta.index, type(delta))
        block = self.blocks[delta.index, type(delta)]
        match delta:
            case Delta.ToolRequest():
                self.asks = True
                block.id = delta.id if block.id is None else block.id
                block.said.pieces += [delta.arguments] if delta.arguments else []
                if delta.name and block.is_done:
                    reason = "the call is written already"
                    yield rewritten(
                        "more of the name of a tool", delta.name, reason, weight=Weight.CONTENT, path=self._where(block)
                    )
                elif delta.name:
                    block.name.append(delta.name)
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal():
                block.said.pieces += [delta.text] if delta.text else []
                if delta.text and (block.is_plain or block.is_done):
                    yield from self._go_on(block)
            case _:
                assert_never(delta)

    def whole(self, delta: Delta.Block) -> Iterator[Part]:
        """A block that comes in one piece; a later one may replace it until another block begins."""
        yield from self._make_way(delta.index, Delta.Block)
        block = self.blocks[delta.index, Delta.Block]
        block.content, block.is_done = delta.content, False

    def about(self, delta: Delta.BlockExtras) -> Iterator[Part]:
        """Extras of a block."""
        block = self.latest.get(delta.index)
        if block is None:
            self.notes[delta.index] = noted(self.notes.get(delta.index, NO_EXTRAS), delta.extras, delta.grow)
            return
        if not (block.written or block.is_done):
            block.notes = noted(block.notes, delta.extras, delta.grow)
            return
        told = dict(fields_of(delta.extras.of(NAME)))
        if told and block.case in _WORDS:  # its parts are gone: another one says it
            self.last = None
            yield {"text": "", **({"thought": True} if block.case is _THOUGHT else {}), **told}
            yield from (loss.under(self._where(block)) for loss in foreign(delta.extras, NAME))
        else:
            yield from unplaced(delta.extras, self._where(block))

    def end(self, *, is_cut: bool) -> Iterator[Part]:
        """What is known only when nothing more comes; what `is_cut` off before its arguments is no call yet."""
        last = next(reversed(self.blocks.values()), None)
        if is_cut and last is not None and last in self.waiting and last.is_bare_call:
            del self.waiting[last]
            yield from self.flush()
            yield from self._cut(last, self._where(last))
        else:
            yield from self.flush()
        for block in self.blocks.values():
            if block.case is _THOUGHT and block.is_plain and not block.written:
                yield silent(self._where(block))
        for notes in self.notes.values():
            yield from unplaced(extras_of(notes), self.path)
        self.notes = {}

    def flush(self) -> Iterator[Part]:
        """All that waits, complete or not."""
        waiting = [*self.waiting]
        self.waiting.clear()
        self.changed = {}
        for block in waiting:
            yield from self._write(block)

    # --- what goes out ---

    def _make_way(self, index: int, case: type) -> Iterator[Part]:
        """The block of a piece is there; before another one, those that are complete are written in their order."""
        block = self.blocks.get((index, case))
        if block is None:
            for other in self._complete(case):
                yield from self._write(other)
            block = Growing(index, case, len(self.blocks), self.notes.pop(index, NO_EXTRAS))
            self.blocks[index, case] = self.latest[index] = block
        if block not in self.waiting:
            block.order, self.waiting[block] = self.orders, None
            self.orders += 1
        self.changed[block] = None

    def _complete(self, case: type) -> list[Growing]:
        """Those that need not wait any longer when a block of a `case` begins; calls keep their order."""
        if case is _CALL:
            found = [*takewhile(lambda block: block.is_complete, self.waiting)]
        else:
            changed, self.changed = sorted(self.changed, key=lambda block: block.order), {}
            found = [block for block in changed if block.is_complete]
        for block in found:
            del self.waiting[block]
            self.changed.pop(block, None)
        return found

    def _go_on(self, block: Growing) -> Iterator[Part]:
        """The pieces of a text that stand in no part yet."""
        if self.last is not block:
            follows = self.last is not None and self.last.is_plain and (self.last.case is _THOUGHT) is (block.case is _THOUGHT)
            block.is_split = block.is_split or bool(block.written) or follows
            self._stands(block)
        for text in block.said.pieces:
            yield {"text": text, "thought": True} if block.case is _THOUGHT else {"text": text}
        block.told += block.said.pieces if block.is_split or block.case is Delta.Refusal else []
        block.said.pieces.clear()
        block.written = True

    def _stands(self, block: Growing) -> None:
        self.last = block
        self.furthest = max(self.furthest, block.place)

    def _write(self, block: Growing) -> Iterator[Part]:
        path = self._where(block)
        if block.is_plain:
            yield from () if block.is_done else (loss.under(path) for loss in foreign(extras_of(block.notes), NAME))
        elif block.case is _CALL:
            yield from self._call(block, path)
        elif not block.is_done:
            yield from self._parts(block, _content(block), path)
            if isinstance(block.content, Content.Custom):
                yield from unplaced(extras_of(block.notes), path)
        yield from self._lost(block, path)
        block.is_done, block.written = True, block.written or bool(block.said.pieces)
        block.said, block.told = Arriving(), []

    def _lost(self, block: Growing, path: str) -> Iterator[Loss]:
        """What a client does not see of a text that is over, for now."""
        if block.case is Delta.Refusal and block.is_plain:
            if block.told or not block.is_done:
                yield rewritten("refusal", "".join(block.told), "a refusal stands as text", path=path)
        elif block.told:
            reason = "a client joins texts that follow each other, and parts one that goes on later"
            yield rewritten("a text of its own", "".join(block.told), reason, path=path)

    def _call(self, block: Growing, path: str) -> Iterator[Part]:
        name, rest = "".join(block.name), block.said.text
        if block.is_done and not rest:
            return
        if not name.strip():
            said = plain(extras_of(block.notes))
            yield nameless_call(id=block.id, name=name, arguments=rest, extras=said, path=path)
            return
        if block.is_done:
            reason = "they were complete: the rest stands in a call of its own"
            yield rewritten("arguments that go on", rest, reason, weight=Weight.CONTENT, path=path)
        if self.furthest > block.place:
            yield moved("a tool request", name, "it was not complete when what follows it was said", path=path)
        extras = NO_EXTRAS if block.is_done else extras_of(block.notes)
        cut = extras.of(NAME).get("$cut") is True and why_not_json(rest + "}") is None
        request = Content.ToolRequest(block.id or "", name, Arguments.of(rest + "}" if cut else rest), extras)
        for part in self._parts(block, request, path):
            if cut and not isinstance(part, Loss):
                part["functionCall"]["willContinue"] = True  # as it came: nobody said that it was complete
            yield part

    def _cut(self, block: Growing, path: str) -> Iterator[Part]:
        """A call of whose arguments nothing came: it goes home as one that goes on, and elsewhere a client would make it."""
        extras = extras_of(block.notes)
        request = Content.ToolRequest(block.id or "", "".join(block.name), NO_ARGUMENTS, extras)
        if extras.of(NAME).get("$cut") is not True:
            reason = "nothing came of its arguments, and a client would make it without any"
            yield unsaid(request, reason, kind="a tool request").under(path)
            return
        for part in self._parts(block, request, path):
            if not isinstance(part, Loss):
                del part["functionCall"]["args"]
                part["functionCall"]["willContinue"] = True
            yield part

    def _parts(self, block: Growing, content: Content.Output, path: str) -> Iterator[Part]:
        losses: list[Loss] = []
        parts = parted(Said(ANSWERING, False, as_object).part(content), losses, path)
        if parts:
            self._stands(block)
        yield from parts
        yield from losses


def _content(block: Growing) -> Content.Output:
    """The content that a block is which is neither a call nor a plain text."""
    extras = extras_of(block.notes)
    if block.content is None:
        words: Any = _CASES[block.case]
        return cast("Content.Output", words(block.said.text, extras))
    content = block.content
    if isinstance(content, Content.Custom) or not extras:
        return content
    return evolve(content, extras=Extras(noted(plain(content.extras), extras, grow=False)))
