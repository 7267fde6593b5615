"""Deltas -> Bedrock events: one block after the other, each with its number; what is said of the answer stands at the end.

A tool request stays open while its arguments are not complete, for several may come in together. Text and reasoning have no start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never, final

from attrs import evolve

from chatadt._cut import cuts_off
from chatadt._notes import Notes, extras_of, noted, plain
from chatadt._wire import fields_of
from chatadt.chat import StopReason, Usage
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._answers import error_lost, event_lost, other_lost, speaker_lost
from chatadt.dialects._calls import streamed_lost
from chatadt.dialects._losses import Block, arguments_object, dropped, foreign, invented, nameless_call, rewritten, silent
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._open import Open, begun
from chatadt.dialects._spelling import list_of
from chatadt.dialects._stream import Event, Writing, is_end
from chatadt.dialects.bedrock.codec import CALL, CLAUDE, NAME
from chatadt.dialects.bedrock.deltas import UNSTARTED
from chatadt.dialects.bedrock.errors import error_event
from chatadt.dialects.bedrock.marks import others
from chatadt.dialects.bedrock.response import NO_METRICS, named_lost, respelt, stop_word, write_contents
from chatadt.dialects.bedrock.rules import RULES
from chatadt.dialects.bedrock.usage import write_usage
from chatadt.dialects.bedrock.wholes import events_of
from chatadt.fold import Folding
from chatadt.json import NO_EXTRAS, dump
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = ("write_stream",)

_TEXT: Final = Delta.Text
_WITH_STOP: Final = "additionalModelResponseFields"
_BESIDE: Final = "amazon-bedrock-"
"""How the names begin that InvokeModel puts beside what the model says."""
_CASES: Final = (Delta.Text, Delta.Reasoning, Delta.Refusal, Delta.ToolRequest, Delta.Block)
Pieces = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = (
        "answered",
        "blocks",
        "changed",
        "current",
        "home",
        "index",
        "known",
        "notes",
        "numbers",
        "opened",
        "others",
        "started",
        "stop",
        "usage",
    )

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.started = self.home = False
        self.current: Open | None = None  # the text that was said last, and its number
        self.index = -1
        self.blocks: dict[tuple[int, type], Open] = {}  # that are open, by number and case
        self.changed: dict[Open, None] = {}  # those that may be complete since a block began
        self.opened = self.numbers = 0  # of blocks, and of those that were started
        self.known: dict[tuple[int, type], int] = {}  # by number and case: the place of every block that was opened
        self.notes: dict[int, Notes] = {}  # extras of blocks that are not there yet
        self.answered: Notes = NO_EXTRAS
        self.usage: Usage | None = None
        self.stop: Delta.Stop | None = None
        self.others = Folding()

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        known = self.current
        if known is not None and delta.__class__ is _TEXT:
            piece: Any = delta
            if piece.index == self.index and piece.choice == 0 and piece.text:  # more of the text that is open, as nearly all are
                known.events += 1
                return ({"contentBlockDelta": {"contentBlockIndex": known.number, "delta": {"text": piece.text}}},)
        return self._step(delta)

    def _step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        self.current = None
        if getattr(delta, "choice", 0) != 0:
            self.others.feed(delta)
            return
        match delta:
            case Delta.Start():
                yield from self.end()
                yield from self._start(delta)
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.ToolRequest():
                yield from self._piece(delta)
            case Delta.Block():
                yield from self._whole(delta)
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
                yield from (_under(item, "$.metadata.error") for item in error_event(delta.error))
                yield from (loss.under("$.metadata.error") for loss in error_lost(delta.error, NAME))
            case Delta.Custom(dialect=dialect, value=value):
                if dialect == NAME:
                    yield value.value
                else:
                    yield event_lost(delta, NAME)
            case _:
                assert_never(delta)

    def end(self) -> Iterator[Event | Loss]:
        """What is known only when the message is done; then another may begin."""
        if self.stop is not None or self.usage is not None or self.answered:
            yield from self._begin()
        if self.started:
            yield from self._close_all(stops=self.stop is not None)
            own = {key: value for key, value in fields_of(extras_of(self.answered).of(NAME)) if key != "events"}
            if self.stop is not None:
                yield from self._stopped(self.stop.reason, own)
            yield from self._told(own)
            yield from (loss.under("$.metadata") for loss in foreign(extras_of(self.answered), NAME))
        for notes in self.notes.values():  # of blocks that never came, or were closed before
            yield from (loss.under("$.message") for loss in foreign(extras_of(notes), ""))
        folded = self.others.response()
        yield from (other_lost(choice, index) for index, choice in enumerate(folded.others))
        self._forget()

    # --- of the answer ---

    def _start(self, delta: Delta.Start) -> Iterator[Event | Loss]:
        self.home, self.started = NAME in delta.extras, True
        self.answered = delta.extras
        own = delta.extras.of(NAME)
        yield from (loss.under("$.metadata") for loss in named_lost(delta.id, delta.model))
        role = own.get("$role", ["assistant"])
        if not own.get(UNSTARTED):
            yield {"messageStart": {"role": role[0]} if role.__class__ is list and role else {}}

    def _begin(self) -> Iterator[Event | Loss]:
        """The start of a message, where none was said."""
        if not self.started:
            before = self.answered
            yield from self._start(Delta.Start())
            self.answered = before

    def _stopped(self, stop: StopReason | None, own: Block) -> Iterator[Event | Loss]:
        word, losses = stop_word(stop, self.home)
        yield from (loss.under("$.metadata") for loss in losses)
        beside = {_WITH_STOP: own.pop(_WITH_STOP)} if _WITH_STOP in own else {}
        yield {"messageStop": {**({} if word is None else {"stopReason": word}), **beside}}

    def _told(self, own: Block) -> Iterator[Event | Loss]:
        """The event that counts the tokens and tells whatever else there is."""
        beside = {key: own.pop(key) for key in [*own] if key.startswith(_BESIDE)}
        if self.usage is not None:
            losses: list[Loss] = []
            own["usage"] = write_usage(self.usage, losses, is_home=self.home)
            if not self.home:
                losses.append(invented("the metrics", f"an answer has them: {dict(NO_METRICS)!r}"))
                own.setdefault("metrics", dict(NO_METRICS))
            yield from (loss.under("$.metadata") for loss in losses)
        if own or beside:
            yield {"metadata": own, **beside}

    # --- of a block ---

    def _piece(self, delta: Pieces) -> Iterator[Event | Loss]:
        yield from self._begin()
        block = self.blocks.get((delta.index, type(delta)))
        if block is None:
            yield from self._close_others(type(delta))
            block = self._new(delta.index, type(delta))
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._started(block)
                yield from self._said(block, delta.text, {"text": delta.text})
                if block.case is _TEXT and not block.goes_on:
                    self.current, self.index = block, delta.index
            case Delta.Reasoning():
                if delta.text or self.home:
                    yield from self._started(block)
                yield from self._said(block, delta.text, {"reasoningContent": {"text": delta.text}})
            case Delta.ToolRequest():
                block.id = delta.id if block.id is None else block.id
                if delta.name and block.started:
                    reason = "its call has begun under the name so far"
                    path = f"$.message.contents[{block.place}].name"
                    yield dropped("more of the name of a tool", delta.name, reason, path=path)
                elif delta.name:
                    block.name.append(delta.name)
                self.changed[block] = None
                if delta.arguments:
                    yield from self._called(block)
                    block.said.pieces.append(delta.arguments)
                    yield from self._argued(block)
            case _:
                assert_never(delta)

    def _new(self, index: int, case: type) -> Open:
        block = begun(index, case, self.known, self.opened, self.notes.pop(index, NO_EXTRAS))
        self.blocks[index, case] = block
        self.changed[block] = None
        self.opened += 1
        return block

    def _number(self) -> int:
        self.numbers += 1
        return self.numbers - 1

    def _started(self, block: Open) -> Iterator[Event | Loss]:
        """The number of a block that has no start; its sources come before its text."""
        if block.started:
            return
        block.started, block.number = True, self._number()
        if block.case is _TEXT:
            own = extras_of(block.notes).of(NAME)
            yield from (self._event(block, {"citation": citation}) for citation in list_of(own, "citations", dict))

    def _event(self, block: Open, said: Block) -> Event:
        block.events += 1
        return {"contentBlockDelta": {"contentBlockIndex": block.number, "delta": said}}

    def _said(self, block: Open, text: str, said: Block) -> Iterator[Event | Loss]:
        if text:
            if block.goes_on or block.case is Delta.Refusal:
                block.said.pieces.append(text)
            yield self._event(block, said)

    def _called(self, block: Open) -> Iterator[Event | Loss]:
        """The start of a tool request, once its name is known."""
        if block.started or not (name := "".join(block.name)).strip():
            return
        block.started, block.number = True, self._number()
        id_ = block.id or ""
        if not self.home:
            id_, name, losses = respelt(id_, name)
            yield from (loss.under(f"$.message.contents[{block.place}]") for loss in losses)
        own = extras_of(block.notes).of(NAME)
        typed = {"type": CALL} if own.get("$type") == CALL else {}
        start = {**dict(fields_of(own)), "toolUseId": id_, "name": name, **typed}
        yield {"contentBlockStart": {"contentBlockIndex": block.number, "start": {"toolUse": start}}}

    def _argued(self, block: Open) -> Iterator[Event]:
        if text := block.arguments(is_home=self.home):
            yield self._event(block, {"toolUse": {"input": text}})

    def _about_block(self, delta: Delta.BlockExtras) -> Iterator[Event | Loss]:
        open_ones = [block for case in _CASES if (block := self.blocks.get((delta.index, case))) is not None]
        block = min(open_ones, key=lambda each: each.order, default=None)
        if block is None:
            self.notes[delta.index] = noted(self.notes.get(delta.index, NO_EXTRAS), delta.extras, delta.grow)
            return
        if block.started and block.case is _TEXT:
            own = delta.extras.of(NAME)
            yield from (self._event(block, {"citation": citation}) for citation in list_of(own, "citations", dict))
        block.notes = noted(block.notes, delta.extras, delta.grow)

    def _whole(self, delta: Delta.Block) -> Iterator[Event | Loss]:
        yield from self._begin()
        block = self.blocks.get((delta.index, Delta.Block))
        if block is None:
            yield from self._close_others(Delta.Block)
            block = self._new(delta.index, Delta.Block)
        block.content = delta.content

    # --- the end of a block ---

    def _close_others(self, case: type) -> Iterator[Event | Loss]:
        """A block of another `case` begins: those that can be are closed. A call without arguments may still get some."""
        changed, self.changed = sorted(self.changed, key=lambda each: each.order), {}
        for block in changed:
            if block.case is Delta.ToolRequest and not block.said.pieces:
                yield from self._called(block)
            elif block.case is not Delta.ToolRequest or block.said.is_whole:
                del self.blocks[block.index, block.case]
                yield from self._close(block, then=case)

    def _is_cut(self, block: Open) -> bool:
        """Whether the answer ends with a block that may have been cut off."""
        return self.stop is not None and cuts_off(self.stop.reason) and block.order == self.opened - 1

    def _close_all(self, *, stops: bool) -> Iterator[Event | Loss]:
        for block in self.blocks.values():
            yield from self._close(block, stops=stops)
        self.blocks, self.changed = {}, {}

    def _close(self, block: Open, *, stops: bool = True, then: type | None = None) -> Iterator[Event | Loss]:
        path = f"$.message.contents[{block.place}]"
        extras = extras_of(block.notes)
        own = extras.of(NAME)
        signature = own.get("signature", extras.of(CLAUDE).get("signature") or None)
        if block.case is Delta.Reasoning and not (block.started or isinstance(signature, str) or own):
            yield from () if block.goes_on else (silent(path),)
            yield from (loss.under(path) for loss in others(extras, marks=False))
            return
        if block.goes_on:
            reason = "something came between: it stands in several blocks"
            yield rewritten("a text that goes on", block.said.text, reason, path=path)
        if block.content is not None:
            yield from self._close_whole(block, block.content, path)
            return
        if block.case is Delta.ToolRequest:
            yield from self._called(block)
            yield from self._argued(block)
            if not block.started:
                said = plain(extras)
                yield nameless_call(id=block.id, name="".join(block.name), arguments=block.said.text, extras=said, path=path)
                return
            asked = Content.ToolRequest(block.id or "", "".join(block.name), Arguments.of(block.said.text), extras)
            wraps = block.waits and not self.home
            if wraps:
                text = dump(arguments_object(asked)[0])
                yield self._event(block, {"toolUse": {"input": text}})
            if not block.events and stops and not self.home and not self._is_cut(block):  # a client parses what it gets
                yield self._event(block, {"toolUse": {"input": "{}"}})
            found = streamed_lost(asked, NAME, is_done=stops and not self.home, is_wrapped=wraps)
            yield from (loss.under(path) for loss in found)
        if block.case is Delta.Refusal:
            yield rewritten("refusal", block.said.text, "a refusal stands as text", path=path)
        if block.case is Delta.Reasoning:
            yield from self._started(block)
            if isinstance(signature, str):
                yield self._event(block, {"reasoningContent": {"signature": signature}})
        yield from self._filled(block, then)
        if stops:
            yield {"contentBlockStop": {"contentBlockIndex": block.number}}
        yield from (loss.under(path) for loss in _beyond(block, own))
        carried = ("signature",) if block.case is Delta.Reasoning else ()
        yield from (loss.under(path) for loss in others(extras, *carried, marks=False))

    def _filled(self, block: Open, then: type | None) -> Iterator[Event | Loss]:
        """Empty pieces, where a block has none, and where one piece alone would look as if the next text went on with it."""
        if block.case is Delta.ToolRequest:
            return
        is_text = block.case is not Delta.Reasoning
        least = 2 if is_text and then in (_TEXT, Delta.Refusal, Delta.Block) else 1
        while block.events < least:
            yield self._event(block, {"text": ""} if is_text else {"reasoningContent": {"text": ""}})

    def _close_whole(self, block: Open, content: Content.T, path: str) -> Iterator[Event | Loss]:
        losses: list[Loss] = []
        for value in write_contents(Message.Assistant([content]), losses):
            number = self._number()
            for item in events_of(number, value):
                yield _under(item, path)
        yield from (evolve(loss, path=path + loss.path.removeprefix(".contents[0]")) for loss in losses)
        yield from (loss.under(path) for loss in foreign(extras_of(block.notes), NAME))


def _beyond(block: Open, own: Block) -> Iterator[Loss]:
    """What the dialect itself says of a block, and a stream has no place for."""
    if block.case is Delta.ToolRequest:
        return  # it stands in the start
    for key, value in fields_of(own):
        if key not in ("citations", "signature"):
            yield dropped(f"{key} ({NAME})", value, "a block of a stream has no such field", weight=Weight.DETAIL)


def _under(item: Event | Loss, path: str) -> Event | Loss:
    return item.under(path) if isinstance(item, Loss) else item


def _begin() -> Writing:
    writer = _Writer()
    return writer.step, writer.end


write_stream: Final = one_answer(NAME, _begin, RULES.tool_id)
"""Write a stream of events: total, with every loss reported at its path in the answer that the stream folds to.

Blobs are base64: `with_bytes` makes an event what boto3 gives.
"""
