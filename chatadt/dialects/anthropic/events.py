"""Deltas -> Anthropic events: one block after the other, each started and stopped; why the model stopped comes with the usage.

A tool request stays open while its arguments are not complete, for several may come in together. A block of which all is known at
once stands in its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never, final

from attrs import evolve

from chatadt._notes import Notes, extras_of, noted, plain
from chatadt._wire import restore
from chatadt.chat import StopReason, Usage
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._answers import error_lost, event_lost, other_lost, speaker_lost
from chatadt.dialects._calls import streamed_lost
from chatadt.dialects._cut_calls import last_call_lost
from chatadt.dialects._losses import Block, arguments_object, foreign, invented, nameless_call, rewritten, silent
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._open import Open, begun
from chatadt.dialects._stream import Event, Writing, is_end
from chatadt.dialects.anthropic.codec import NAME
from chatadt.dialects.anthropic.deltas import PARTIAL
from chatadt.dialects.anthropic.response import NO_ID, NO_MODEL, signed, stop_of, stop_word
from chatadt.dialects.anthropic.rules import RULES
from chatadt.dialects.anthropic.usage import write_usage
from chatadt.dialects.anthropic.write import assistant_blocks
from chatadt.fold import Folding
from chatadt.json import NO_EXTRAS, Extras, dump
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("write_stream",)

_IN_DELTA: Final = ("stop_sequence", "stop_details", "container")
"""What stands beside the stop reason; other fields stand beside the delta."""

_THINKING: Final = {"type": "thinking", "thinking": "", "signature": ""}
_TEXT: Final = Delta.Text
_CASES: Final = (Delta.Text, Delta.Reasoning, Delta.Refusal, Delta.ToolRequest, Delta.Block)
Pieces = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = (
        "answered",
        "blocks",
        "changed",
        "counted",
        "current",
        "home",
        "index",
        "known",
        "notes",
        "numbers",
        "opened",
        "others",
        "start",
        "started",
        "stop",
        "usage",
    )

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.start: Delta.Start | None = None
        self.started = False
        self.home = False
        self.current: Open | None = None  # the text that was said last, and its number
        self.index = -1
        self.blocks: dict[tuple[int, type], Open] = {}  # that are open, by number and case
        self.changed: dict[Open, None] = {}  # those that may be complete since a block began
        self.opened = self.numbers = 0  # of blocks, and of those that were started
        self.known: dict[tuple[int, type], int] = {}  # by number and case: the place of every block that was opened
        self.notes: dict[int, Notes] = {}  # extras of blocks that are not there yet
        self.answered: Notes = NO_EXTRAS
        self.usage: Usage | None = None
        self.counted: Usage | None = None  # as it was when the message began
        self.stop: Delta.Stop | None = None
        self.others = Folding()

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        known = self.current
        if known is not None and delta.__class__ is _TEXT:
            piece: Any = delta
            text = piece.text
            if piece.index == self.index and piece.choice == 0 and text:  # more of the text that is open, as nearly all are
                said = {"type": "text_delta", "text": text}
                data = {"type": "content_block_delta", "index": known.number, "delta": said}
                return ({"event": "content_block_delta", "data": data},)
        return self._step(delta)

    def _step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        self.current = None
        if getattr(delta, "choice", 0) != 0:
            self.others.feed(delta)
            return
        match delta:
            case Delta.Start():
                yield from self.end()
                self.start, self.home = delta, NAME in delta.extras
                self.answered = delta.extras
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
                yield from self._fail(delta)
            case Delta.Custom(dialect=dialect, value=value):
                if dialect == NAME:
                    yield _event(value.value)
                else:
                    yield event_lost(delta, NAME)
            case _:
                assert_never(delta)

    def end(self) -> Iterator[Event | Loss]:
        """What is known only when the message is done; then another may begin."""
        if self.start is not None or self.started or self.stop is not None:
            yield from self._begin()
        if self.started:
            if self.stop is not None:
                stop = self.stop.reason
                cut = last_call_lost(self.blocks.values(), self.opened, stop, stop_of(stop_word(stop, self.home)[0]))
                yield from self._close_all()
                yield from self._message_delta(stop)
                yield _event({"type": "message_stop"})
                yield from cut
            else:  # it broke off: blocks stay open, but what only their end would say is said
                yield from self._close_all(stops=False)
                if self.usage != self.counted or self._beside():
                    yield from self._message_delta(None, broke_off=True)
            extras = extras_of(self.answered)
            yield from (loss.under("$.metadata") for loss in foreign(extras, NAME))
        for notes in self.notes.values():  # of blocks that never came, or were closed before
            yield from (loss.under("$.message") for loss in foreign(extras_of(notes), ""))
        folded = self.others.response()
        yield from (other_lost(choice, index) for index, choice in enumerate(folded.others))
        self._forget()

    # --- of the answer ---

    def _begin(self) -> Iterator[Event | Loss]:
        if self.started:
            return
        self.started = True
        start = self.start or Delta.Start()
        made: Block = {"id": NO_ID, "model": NO_MODEL}
        known = {key: value for key, value in (("id", start.id), ("model", start.model)) if value is not None}
        if not self.home:
            yield from (
                invented(f"the {key}", f"an answer has one: {made[key]!r}", path="$.metadata") for key in made if key not in known
            )
        counted = {"input_tokens": 0, "output_tokens": 0} if self.usage is None else write_usage(self.usage, [], is_home=self.home)
        self.counted = self.usage
        message: Block = {**({} if self.home else made), **known, "type": "message", "role": "assistant", "content": []}
        if not self.home or self.usage is not None:
            message["usage"] = counted
        yield _event({"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}})

    def _beside(self) -> Block:
        own = extras_of(self.answered).of(NAME)
        return {key: value for key, value in own.items() if not key.startswith("$") and key != "events"}

    def _message_delta(self, stop: StopReason | None, *, broke_off: bool = False) -> Iterator[Event | Loss]:
        word, losses = stop_word(stop, self.home)
        yield from (loss.under("$.metadata") for loss in losses)
        beside = self._beside()
        said: dict[str, Any] = {"stop_reason": word, "stop_sequence": None}
        said |= {key: beside.pop(key) for key in _IN_DELTA if key in beside}
        found: list[Loss] = []
        counted = {"output_tokens": 0} if self.usage is None else write_usage(self.usage, found, is_home=self.home)
        if self.usage is None and not self.home:
            found.append(invented("the usage", "an answer has one: nothing was counted"))
        told = {} if self.usage is None and self.home else {"usage": counted}
        yield _event({**beside, "type": "message_delta", "delta": said, **told})
        yield from (loss.under("$.metadata") for loss in found if not broke_off or self.usage is not None)

    def _fail(self, delta: Delta.Failed) -> Iterator[Event | Loss]:
        error = delta.error
        own = error.extras.of(NAME)
        yield _event(own or {"type": "error", "error": {"type": error.code or "api_error", "message": error.message}})
        if not own and error.code is None:
            yield invented("the type of the error", "an error has one: api_error", path="$.metadata.error")
        yield from (loss.under("$.metadata.error") for loss in error_lost(error, NAME))

    # --- of a block ---

    def _piece(self, delta: Pieces) -> Iterator[Event | Loss]:
        yield from self._begin()
        block = self.blocks.get((delta.index, type(delta)))
        if block is None:
            yield from self._close_others()
            block = self._new(delta.index, type(delta))
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._started(block, {"type": "text", "text": ""})
                yield from self._said(block, delta.text, {"type": "text_delta", "text": delta.text})
                if block.case is _TEXT and not block.goes_on:
                    self.current, self.index = block, delta.index
            case Delta.Reasoning():
                if delta.text or self.home or NAME in extras_of(block.notes):
                    yield from self._started(block, dict(_THINKING))
                yield from self._said(block, delta.text, {"type": "thinking_delta", "thinking": delta.text})
            case Delta.ToolRequest():
                block.id = delta.id if block.id is None else block.id
                block.name += [delta.name] if delta.name else []
                self.changed[block] = None
                if delta.arguments:
                    block.said.pieces.append(delta.arguments)
                    yield from self._called(block)
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

    def _started(self, block: Open, start: Block) -> Iterator[Event | Loss]:
        if block.started:
            return
        block.started, block.number = True, self._number()
        extras = extras_of(block.notes)
        own = extras.of(NAME)
        citations: Any = own.pop("citations", None)
        if own.get("$unsigned"):
            start = {key: value for key, value in start.items() if key != "signature"}
        fields = {key: value for key, value in own.items() if key != "signature"}
        restore(start, Extras({NAME: fields}), NAME)
        yield _event({"type": "content_block_start", "index": block.number, "content_block": start})
        for citation in citations if citations.__class__ is list else ():
            yield _delta(block, {"type": "citations_delta", "citation": citation})

    def _said(self, block: Open, text: str, said: Block) -> Iterator[Event | Loss]:
        if text:
            if block.goes_on or block.case is Delta.Refusal:
                block.said.pieces.append(text)
            yield _delta(block, said)

    def _called(self, block: Open) -> Iterator[Event | Loss]:
        """The start of a tool request, once its name is known."""
        if block.started or not "".join(block.name).strip():
            return
        yield from self._started(block, {"type": "tool_use", "id": block.id or "", "name": "".join(block.name), "input": {}})

    def _argued(self, block: Open) -> Iterator[Event]:
        if text := block.arguments(is_home=self.home):
            yield _delta(block, {"type": "input_json_delta", PARTIAL: text})

    def _about_block(self, delta: Delta.BlockExtras) -> Iterator[Event | Loss]:
        open_ones = [block for case in _CASES if (block := self.blocks.get((delta.index, case))) is not None]
        block = min(open_ones, key=lambda each: each.order, default=None)
        if block is None:
            known = (self.known.get((delta.index, case)) for case in _CASES)
            place = next((found for found in known if found is not None), None)
            if place is None:
                self.notes[delta.index] = noted(self.notes.get(delta.index, NO_EXTRAS), delta.extras, delta.grow)
            else:  # the block is closed already
                yield from (loss.under(f"$.message.contents[{place}]") for loss in foreign(delta.extras, NAME))
            return
        own = delta.extras.of(NAME)
        citations: Any = own.get("citations")
        if block.started and citations.__class__ is list:
            for citation in citations:
                yield _delta(block, {"type": "citations_delta", "citation": citation})
        block.notes = noted(block.notes, delta.extras, delta.grow)

    def _whole(self, delta: Delta.Block) -> Iterator[Event | Loss]:
        yield from self._begin()
        block = self.blocks.get((delta.index, Delta.Block))
        if block is None:
            yield from self._close_others()
            block = self._new(delta.index, Delta.Block)
        block.content = delta.content

    # --- the end of a block ---

    def _close_others(self) -> Iterator[Event | Loss]:
        """Another block begins: those that can be are closed. A call without arguments may still get some."""
        changed, self.changed = sorted(self.changed, key=lambda each: each.order), {}
        for block in changed:
            if block.case is Delta.ToolRequest and not block.said.pieces:
                yield from self._called(block)
            elif block.case is not Delta.ToolRequest or block.said.is_whole:
                del self.blocks[block.index, block.case]
                yield from self._close(block)

    def _close_all(self, *, stops: bool = True) -> Iterator[Event | Loss]:
        for block in self.blocks.values():
            yield from self._close(block, stops=stops)
        self.blocks, self.changed = {}, {}

    def _close(self, block: Open, *, stops: bool = True) -> Iterator[Event | Loss]:
        path = f"$.message.contents[{block.place}]"
        extras = extras_of(block.notes)
        if block.case is Delta.Reasoning and not block.started and NAME not in extras:
            yield from () if block.goes_on else (silent(path),)
            yield from (loss.under(path) for loss in foreign(extras, NAME))
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
                yield _delta(block, {"type": "input_json_delta", PARTIAL: text})
            found = streamed_lost(asked, NAME, is_done=stops and not self.home, is_wrapped=wraps)
            yield from (loss.under(path) for loss in found)
        if block.case is Delta.Refusal:
            yield rewritten("refusal", block.said.text, "a refusal stands as text", path=path)
        if block.case is Delta.Reasoning:
            yield from self._started(block, dict(_THINKING))
            signature = extras.of(NAME).get("signature")
            if isinstance(signature, str) and signature:
                yield _delta(block, {"type": "signature_delta", "signature": signature})
            elif NAME not in extras:
                yield invented("a signature", "thinking has one: it is empty", path=path)
        if stops:
            yield _event({"type": "content_block_stop", "index": block.number})
        yield from (loss.under(path) for loss in foreign(extras, NAME))

    def _close_whole(self, block: Open, content: Content.T, path: str) -> Iterator[Event | Loss]:
        losses: list[Loss] = []
        written = assistant_blocks(signed(Message.Assistant([content]), losses), losses)
        for value in written:
            yield from self._one_whole(self._number(), value)
        yield from (evolve(loss, path=path + loss.path.removeprefix(".contents[0]")) for loss in losses)
        yield from (loss.under(path) for loss in foreign(extras_of(block.notes), NAME))

    def _one_whole(self, number: int, value: Any) -> Iterator[Event]:
        """A block in its start; its input, where it has one, comes as pieces do."""
        start: Any = value
        text = ""
        match value:
            case {"type": str() as kind, "input": dict()} if kind.endswith("tool_use") and (value["input"] or PARTIAL in value):
                text = value.get(PARTIAL) or dump(value["input"])
                start = {**{key: item for key, item in value.items() if key != PARTIAL}, "input": {}}
            case _:  # no input, or an empty one, which stands in the start already
                pass
        yield _event({"type": "content_block_start", "index": number, "content_block": start})
        if text:
            yield _event({"type": "content_block_delta", "index": number, "delta": {"type": "input_json_delta", PARTIAL: text}})
        yield _event({"type": "content_block_stop", "index": number})


def _delta(block: Open, said: Block) -> Event:
    return _event({"type": "content_block_delta", "index": block.number, "delta": said})


def _event(data: Any) -> Event:
    name: Any = data.get("type") if data.__class__ is dict else None
    return {"event": name if isinstance(name, str) else "message", "data": data}


def _begin() -> Writing:
    writer = _Writer()
    return writer.step, writer.end


write_stream: Final = one_answer(NAME, _begin, RULES.tool_id)
"""Write a stream of events: total, with every loss reported at its path in the answer that the stream folds to."""
