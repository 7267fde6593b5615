"""Deltas -> OpenAI Responses events: one item after the other, each begun, said in pieces and said again; the last event has all.

An item stays open while its arguments are not complete, or its status says that more is to come. A message of the assistant is as
many items as in an answer that comes whole (see `turn`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import Any, Final, assert_never, final

from chatadt._cut import cuts_off
from chatadt._notes import Notes, extras_of, noted
from chatadt._wire import fields_of
from chatadt.chat import Metadata, ProviderError, StopKind, Usage
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import error_lost, event_lost, other_lost, speaker_lost
from chatadt.dialects._cut_calls import cut_call_lost
from chatadt.dialects._losses import Block, foreign, invented, rewritten
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._stream import Event, Writing, is_end
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.deltas import BESIDE, EVENT
from chatadt.dialects.openai_responses.response import PREFIXES, Told, kind_of, stop_of, write_metadata
from chatadt.dialects.openai_responses.rules import RULES
from chatadt.dialects.openai_responses.spoken import Named, Part, Pieces, Spoken, joins
from chatadt.fold import Folding
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss

__all__ = ("write_stream",)

_TEXT: Final = Delta.Text
_ENDS: Final = {"completed": "completed", "failed": "failed"}
"""By status: the event that ends an answer. Any other says that it is incomplete."""


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = (
        "answered",
        "began",
        "blocks",
        "changed",
        "current",
        "error",
        "home",
        "index",
        "items",
        "latest",
        "named",
        "notes",
        "number",
        "numbers",
        "others",
        "part",
        "parts",
        "places",
        "start",
        "stop",
        "usage",
    )

    def __init__(self) -> None:
        self.number = 0  # of the events
        self._forget()

    def _forget(self) -> None:
        self.start: Delta.Start | None = None
        self.began = self.home = False
        self.items: list[Spoken] = []
        self.numbers = 0  # of the items that have begun
        self.changed: dict[Spoken, None] = {}  # the items that may be complete since another one began
        self.named: list[tuple[int, Spoken]] = []  # the calls that can begin, a heap by their order
        self.blocks: dict[tuple[int, type], Spoken] = {}  # by number and case: the item of a block
        self.latest: dict[int, tuple[int, type]] = {}  # by number: the block that extras belong to
        self.places: dict[tuple[int, type], int] = {}  # by number and case: which content of the answer a block is
        self.parts: dict[tuple[int, type], list[Part]] = {}  # by number and case: several, where it stands in several items
        self.notes: dict[int, Notes] = {}  # extras of blocks that are not there yet
        self.answered: Notes = NO_EXTRAS
        self.usage: Usage | None = None
        self.stop: Delta.Stop | None = None
        self.error: ProviderError | None = None
        self.others = Folding()
        self.current: Spoken | None = None  # the item of the text that was said last, its part, and the number of its block
        self.part: Part | None = None
        self.index = -1

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        current, part = self.current, self.part
        if current is not None and part is not None and delta.__class__ is _TEXT:
            piece: Any = delta
            if piece.index == self.index and piece.choice == 0:  # more of the text that is open, as nearly all are
                part.block.pieces.append(piece.text)
                said: Block = {"content_index": part.number, "delta": piece.text, "logprobs": []}
                return (self._of(current, "response.output_text.delta", said),) if piece.text else ()
        return self._step(delta)

    def _step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        if not isinstance(delta, Delta.BlockExtras):
            self.current = None
        if getattr(delta, "choice", 0) != 0:
            self.others.feed(delta)
            return
        match delta:
            case Delta.Start():
                yield from self.end()
                self.start, self.home, self.answered = delta, NAME in delta.extras, delta.extras
                yield from self._begin()
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.ToolRequest() | Delta.Block():
                yield from self._piece(delta)
            case Delta.BlockExtras():
                yield from self._about_block(delta)
            case Delta.Speaker():
                yield from speaker_lost(delta)
            case Delta.Answer():
                self.answered = noted(self.answered, delta.extras, delta.grow)
            case Delta.Tokens():
                self.usage = delta.usage
            case Delta.Stop():
                self.stop = delta if is_end(delta) and (self.stop is None or delta.reason is not None) else self.stop
            case Delta.Failed():
                yield from self._fail(delta.error)
            case Delta.Custom(dialect=dialect, value=value):
                if dialect == NAME:
                    yield self._verbatim(value.value)
                else:
                    yield event_lost(delta, NAME)
            case _:
                assert_never(delta)

    # --- events ---

    def _event(self, name: str, fields: Block) -> Event:
        self.number += 1
        return {"event": name, "data": {"type": name, "sequence_number": self.number - 1, **fields}}

    def _of(self, item: Spoken, name: str, fields: Block) -> Event:
        about = {"output_index": item.number} if "item" in fields else {"item_id": item.id, "output_index": item.number}
        return self._event(name, {**about, **fields})

    def _about(self, name: str, body: Block) -> Event:
        """An event about the answer, with what its events said beside it."""
        beside: Any = body.get(BESIDE)
        if beside.__class__ is not dict:
            return self._event(name, {"response": body})
        return self._event(name, {**beside, "response": {key: value for key, value in body.items() if key != BESIDE}})

    def _all(self, item: Spoken, events: Iterable[Named]) -> Iterator[Event]:
        return (self._of(item, name, fields) for name, fields in events)

    def _verbatim(self, value: Any) -> Event:
        name: Any = value.get("type") if value.__class__ is dict else None
        return self._event(name, value) if isinstance(name, str) else {"event": "message", "data": value}

    # --- of the answer ---

    def _begin(self) -> Iterator[Event | Loss]:
        if self.began:
            return
        self.began = True
        body = write_metadata(self._metadata(), [], Told(), [], running=True)
        yield self._about("response.created", body)
        yield self._about("response.in_progress", body)

    def _metadata(self) -> Metadata:
        start = self.start or Delta.Start()
        error = None if self._has_event() else self.error
        stop = None if self.stop is None else self.stop.reason
        return Metadata(id=start.id, model=start.model, usage=self.usage, stop=stop, error=error, extras=extras_of(self.answered))

    def _has_event(self) -> bool:
        """Whether the error has an event of its own, or gets one, which is the last: no client looks for it in what ended well."""
        if self.error is None:
            return False
        stop = None if self.stop is None else self.stop.reason
        is_inside = NAME in self.error.extras or (stop is not None and stop.kind is StopKind.ERROR)
        return bool(self.error.extras.of(NAME).get(EVENT)) or self.stop is None or not is_inside

    def end(self) -> Iterator[Event | Loss]:
        """What is known only when the answer is done; then another may begin."""
        self.current = None
        if self.stop is not None:
            yield from self._begin()
        is_done = self.stop is not None
        if self.stop is not None and cuts_off(self.stop.reason) and self.items:
            self.items[-1].end_early()
        for item in self.items:
            if item.closed:
                continue
            ends = is_done or (not item.runs if self.home else item.case is Delta.Block)
            yield from self._close(item) if ends else self._leave(item)
        losses: list[Loss] = []
        if self.began:
            yield from self._finish(losses, is_done=is_done)
        if self.error is not None and self._has_event() and not self.error.extras.of(NAME).get(EVENT):
            yield self._event("error", {"code": self.error.code, "message": self.error.message, "param": None})
            losses += [loss.under("$.metadata.error") for loss in error_lost(self.error, NAME)]
        yield from losses
        folded = self.others.response()
        yield from (other_lost(choice, index) for index, choice in enumerate(folded.others))
        self._forget()

    def _finish(self, losses: list[Loss], *, is_done: bool) -> Iterator[Event]:
        values = [(item, value) for item in self.items if (value := item.value(losses)) is not None and item.begun]
        values.sort(key=lambda each: each[0].number)
        for item, value in values:
            if not self.home and not item.has_id and kind_of(value) in PREFIXES:
                losses.append(invented("the id of an item", f"an item has one: {item.id!r}", path="$.message"))
        for key, parts in self.parts.items():
            if len(parts) == 1 or key[1] is Delta.Block:
                continue
            text = "".join(part.block.text for part in parts)
            path = f"$.message.contents[{self.places[key]}]"
            losses.append(rewritten("a text that goes on", text, "something came between: it stands in several items", path=path))
        for notes in self.notes.values():
            losses += [loss.under("$.message") for loss in foreign(extras_of(notes), "")]
        told = Told(
            any(case is Delta.ToolRequest for _, case in self.blocks), any(case is Delta.Refusal for _, case in self.blocks)
        )
        found: list[Loss] = []
        body = write_metadata(self._metadata(), [value for _, value in values], told, found, running=not is_done)
        losses += [loss.under("$.metadata") for loss in found]
        is_read_as_cut = cuts_off(stop_of(body.get("status"), body.get("incomplete_details"), told))
        if self.items and self.items[-1].is_cut and not is_read_as_cut:
            losses.append(cut_call_lost(f"$.message.contents[{self.items[-1].places[0]}]"))
        if is_done:
            status: Any = body.get("status", "completed")
            yield self._about(f"response.{_ENDS.get(str(status), 'incomplete')}", body)
        elif self.usage is not None or self.answered != (self.start or Delta.Start()).extras:
            yield self._about("response.in_progress", {**body, "output": []})  # all that is known

    def _fail(self, error: ProviderError) -> Iterator[Event | Loss]:
        self.error = error
        own = error.extras.of(NAME)
        if own.get(EVENT):
            yield self._verbatim(dict(fields_of(own)))
            yield from (loss.under("$.metadata.error") for loss in error_lost(error, NAME))

    # --- of a block ---

    def _piece(self, delta: Pieces) -> Iterator[Event | Loss]:
        yield from self._begin()
        key = (delta.index, type(delta))
        self.places.setdefault(key, len(self.places))
        item = self.blocks.get(key)
        if item is None or (item.closed and not isinstance(delta, Delta.Block)):
            yield from self._open(delta, key)
            item = self.blocks[key]
        self.changed[item] = None
        part, is_new = item.feed(delta, self.places[key])
        if is_new:
            self.parts.setdefault(key, []).append(part)
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._say(item, part, delta.text)
                if isinstance(delta, Delta.Text):
                    self.current, self.part, self.index = item, part, delta.index
            case Delta.Reasoning():
                if delta.text or _is_told(part):
                    yield from self._say(item, part, delta.text)
            case Delta.ToolRequest():
                yield from self._ask(item, part, delta)
            case Delta.Block():
                if not item.begun and item.stands_whole:
                    yield from self._all(item, item.begin(self._next()))
            case _:
                assert_never(delta)

    def _open(self, delta: Pieces, key: tuple[int, type]) -> Iterator[Event | Loss]:
        """A block begins: as a part of the last item, or of one of its own."""
        notes = self.notes.get(delta.index, NO_EXTRAS)
        item = self.items[-1] if self.items and not self.items[-1].closed else None
        if item is not None and joins(delta, notes, item):
            yield from self._all(item, item.end_parts())
        else:
            yield from self._close_others()
            item = Spoken(type(delta), len(self.items), is_home=self.home)
            self.items.append(item)
        self.blocks[key], self.latest[delta.index] = item, key
        if not (isinstance(delta, Delta.Block) and isinstance(delta.content, Content.Custom)):  # that has no room for them
            self.notes.pop(delta.index, None)
            item.folding.feed(Delta.BlockExtras(delta.index, extras_of(notes)))

    def _next(self) -> int:
        self.numbers += 1
        return self.numbers - 1

    def _say(self, item: Spoken, part: Part, text: str) -> Iterator[Event]:
        if not item.begun:
            yield from self._all(item, item.begin(self._next()))
        if not part.begun and (text or not _is_silent(part)):
            yield from self._all(item, item.begin_part(part))
        if text:
            yield from self._all(item, item.piece(part, text))

    def _ask(self, item: Spoken, part: Part, delta: Delta.ToolRequest) -> Iterator[Event]:
        """A call begins with its whole name."""
        text = delta.arguments
        if not item.begun:
            if delta.name and not item.is_named and part.block.name.strip():
                item.is_named = True
                heappush(self.named, (item.order, item))
            if not (text and item.is_named):
                return
            yield from self._begin_calls_before(item)
            yield from self._all(item, item.begin(self._next()))
            text = part.block.text
        if text and item.kind == "function_call":
            yield self._of(item, "response.function_call_arguments.delta", {"delta": text})

    def _begin_calls_before(self, item: Spoken) -> Iterator[Event]:
        """The calls that were opened before one that begins: they stand before it, though nothing of their arguments has come."""
        while self.named and self.named[0][0] < item.order:
            _, earlier = heappop(self.named)
            if not (earlier.begun or earlier.closed):
                yield from self._all(earlier, earlier.begin(self._next()))

    def _about_block(self, delta: Delta.BlockExtras) -> Iterator[Event | Loss]:
        key = self.latest.get(delta.index)
        item = None if key is None else self.blocks[key]
        if key is None or item is None or item.is_only_known_here:
            self.notes[delta.index] = noted(self.notes.get(delta.index, NO_EXTRAS), delta.extras, delta.grow)
            return
        item.folding.feed(delta)
        self.changed[item] = None
        part = self.parts[key][-1]
        citations: Any = delta.extras.of(NAME).get("annotations") if delta.grow else None
        if part.begun and part.type == "output_text" and citations.__class__ is list and not part.is_done:
            for citation in citations:
                yield from self._all(item, item.cite(part, citation))

    # --- the end of an item ---

    def _close_others(self) -> Iterator[Event | Loss]:
        """Another item begins: those that can be are closed."""
        changed, self.changed = sorted(self.changed, key=lambda item: item.order), {}
        for item in changed:
            if not (item.closed or item.runs):
                yield from self._close(item)

    def _close(self, item: Spoken) -> Iterator[Event | Loss]:
        if not item.begun and item.value([]) is not None:
            yield from self._all(item, item.begin(self._next()))
            if item.kind == "function_call" and item.case is Delta.ToolRequest and (text := item.parts[0].block.text):
                yield self._of(item, "response.function_call_arguments.delta", {"delta": text})
        if item.begun:
            yield from self._all(item, item.end())
        item.closed = True

    def _leave(self, item: Spoken) -> Iterator[Event | Loss]:
        """The stream breaks off: an item stays open, but what only its end would say is said."""
        if not item.begun and item.value([]) is not None:
            yield from self._all(item, item.begin(self._next()))
        if item.begun:
            yield from self._all(item, item.input())
        if self.home and item.begun:
            yield from self._all(item, item.end_parts(texts=False))


def _is_told(part: Part) -> bool:
    """Whether reasoning without a text is one that this dialect had."""
    return part.block.case is Content.Reasoning and NAME in part.block.extras


def _is_silent(part: Part) -> bool:
    return part.block.case is Content.Reasoning and bool(part.block.extras.of(NAME).get("$silent"))


def _begin() -> Writing:
    writer = _Writer()
    return writer.step, writer.end


write_stream: Final = one_answer(NAME, _begin, RULES.tool_id)
"""Write a stream of events: total, with every loss reported at its path in the answer that the stream folds to."""
