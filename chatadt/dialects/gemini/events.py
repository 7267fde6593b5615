"""Deltas -> Gemini chunks: each part is a chunk of its own.

Why the model stopped, the counts and what is said of a candidate besides come last, in one chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never, final

from chatadt._cut import cuts_off
from chatadt._notes import Notes, extras_of, noted
from chatadt._wire import fields_of
from chatadt.chat import StopKind, Usage
from chatadt.delta import Delta
from chatadt.dialects._answers import event_lost, stop_lost
from chatadt.dialects._losses import Block, dropped, foreign
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._spelling import object_of
from chatadt.dialects._stream import Event, Writing
from chatadt.dialects.gemini.blocks import Growing, Part, Speech
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.errors import error_event
from chatadt.dialects.gemini.response import blocked, finish_word
from chatadt.dialects.gemini.usage import write_usage
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss, Weight

__all__ = ("write_stream",)

_TEXT: Final = Delta.Text
_TOKENS: Final = Delta.Tokens
_LONGEST_CODE: Final = 9


@final
class _Choice:
    """What is said of one candidate."""

    __slots__ = ("began", "fields", "number", "speech", "stop")

    def __init__(self, number: int) -> None:
        self.number = number
        self.speech = Speech(number)
        self.began = False
        self.fields: Notes = NO_EXTRAS
        self.stop: Delta.Stop | None = None

    @property
    def about(self) -> str:
        return "$.metadata" if self.number == 0 else f"$.others[{self.number - 1}]"


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = ("base", "choices", "current", "feedback", "home", "pending", "started", "usage", "written")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.base: Event = {}
        self.pending: Event = {}  # what the next chunk says of the answer
        self.feedback: Any = None
        self.home = False
        self.started = self.written = False
        self.choices: dict[int, _Choice] = {}
        self.current: Growing | None = None  # the plain text of the first candidate that was said last
        self.usage: Usage | None = None

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        known = self.current
        if known is not None and delta.__class__ is _TEXT:
            piece: Any = delta
            if piece.index == known.index and piece.choice == 0 and piece.text:  # more of the text that is open, as nearly all are
                content = {"role": "model", "parts": [{"text": piece.text}]}
                return ({"candidates": [{"content": content, "index": 0}], **self.base},)
        if delta.__class__ is not _TOKENS:  # which come between texts
            self.current = None
        return self._step(delta)

    def _step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        match delta:
            case Delta.Start():
                yield from self.end()
                yield from self._start(delta)
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.ToolRequest():
                choice = self._choice(delta.choice)
                yield from self._chunks(choice, choice.speech.piece(delta))
                last = choice.speech.last
                if (
                    isinstance(delta, Delta.Text)
                    and delta.choice == 0
                    and last is not None
                    and last.case is _TEXT
                    and last.is_plain
                    and not last.is_split
                ):
                    self.current = last if last.index == delta.index else None
            case Delta.Block():
                choice = self._choice(delta.choice)
                yield from self._chunks(choice, choice.speech.whole(delta))
            case Delta.BlockExtras():
                choice = self._choice(delta.choice)
                yield from self._chunks(choice, choice.speech.about(delta))
            case Delta.Speaker():
                yield from self._about_message(delta)
            case Delta.Answer():
                yield from self._about_answer(delta)
            case Delta.Tokens():
                self.usage = delta.usage
            case Delta.Stop():
                choice = self._choice(delta.choice)
                choice.stop = delta if choice.stop is None or delta.reason is not None else choice.stop
            case Delta.Failed():
                yield from error_event(delta.error)
            case Delta.Custom(dialect=dialect, value=value):
                if dialect == NAME and value.value.__class__ is dict:
                    yield from self._opening()
                    yield value.value
                else:
                    yield event_lost(delta, NAME)
            case _:
                assert_never(delta)

    def end(self) -> Iterator[Event | Loss]:
        """What is known only when the message is done; then another may begin."""
        for choice in self.choices.values():
            is_cut = choice.stop is None or cuts_off(choice.stop.reason)
            yield from self._chunks(choice, choice.speech.end(is_cut=is_cut))
        yield from self._last()
        self._forget()

    def _choice(self, number: int) -> _Choice:
        return self.choices.setdefault(number, _Choice(number))

    def _chunks(self, choice: _Choice, parts: Iterator[Part]) -> Iterator[Event | Loss]:
        for part in parts:
            yield part if isinstance(part, Loss) else self._chunk(choice, {"role": "model", "parts": [part]})

    def _chunk(self, choice: _Choice, content: Block) -> Event:
        choice.began = self.written = True
        told, self.pending = self.pending, {}
        return {"candidates": [{"content": content, "index": choice.number}], **self.base, **told}

    def _opening(self) -> Iterator[Event]:
        """A chunk that begins the message, if none did, so that what comes besides does not stand before it."""
        if self.started and not self.written:
            told, self.pending, self.written = self.pending, {}, True
            yield {"candidates": [], **told}

    # --- of the answer ---

    def _start(self, delta: Delta.Start) -> Iterator[Event | Loss]:
        self.home, self.started = NAME in delta.extras, True
        named = (("modelVersion", delta.model), ("responseId", delta.id))
        self.base = {key: value for key, value in named if value is not None}
        self.pending = dict(self.base)
        yield from self._tell(delta.extras, grow=False)

    def _about_answer(self, delta: Delta.Answer) -> Iterator[Event | Loss]:
        if delta.choice == 0:
            yield from self._tell(delta.extras, delta.grow)
            return
        choice = self._choice(delta.choice)
        own = delta.extras.of(NAME)
        choice.fields = noted(choice.fields, Extras({NAME: own}) if own else NO_EXTRAS, delta.grow)
        yield from (loss.under(choice.about) for loss in foreign(delta.extras, NAME))

    def _tell(self, extras: Extras, grow: bool) -> Iterator[Event | Loss]:
        """What is said of the answer, and of its first candidate."""
        own = extras.of(NAME)
        fields = object_of(own, "candidates")
        if fields:
            choice = self._choice(0)
            choice.fields = noted(choice.fields, Extras({NAME: fields}), grow)
        told = {key: value for key, value in fields_of(own) if key not in ("candidates", "events")}
        if any(key in told for key in ("responseId", "modelVersion")):  # others than those that it begins with
            yield from self._opening()
        self.feedback = told.get("promptFeedback", self.feedback)
        self.pending |= told
        yield from (loss.under("$.metadata") for loss in foreign(extras, NAME))

    def _about_message(self, delta: Delta.Speaker) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        path = choice.speech.path
        if delta.name is not None:
            yield dropped("the name of the assistant", delta.name, "a turn has no name", weight=Weight.DETAIL, path=f"{path}.name")
        own = {
            key: value for key, value in fields_of(delta.extras.of(NAME)) if key != "role" and (key, type(value)) != ("parts", list)
        }
        if own:
            yield self._chunk(choice, {"role": "model", **own})
        yield from (loss.under(path) for loss in foreign(delta.extras, NAME))

    def _last(self) -> Iterator[Event | Loss]:
        """The last chunk: why each candidate is done, what is said of it, and the counts."""
        candidates: list[Block] = []
        for choice in self.choices.values():
            word, losses = self._word(choice)
            yield from (loss.under(choice.about) for loss in losses)
            candidate: Block = dict(fields_of(extras_of(choice.fields).of(NAME)))
            candidate |= {} if word is None else {"finishReason": int(word) if _is_number(word) else word}
            if candidate or (choice.number and not choice.began):
                candidates.append({"index": choice.number, **candidate})
        event: Event = {"candidates": candidates} if candidates else {}
        event |= self.pending
        if self.usage is not None:
            found: list[Loss] = []
            event["usageMetadata"] = write_usage(self.usage, found, is_home=self.home)
            yield from (loss.under("$.metadata") for loss in found)
        if event:
            yield {**self.base, **event}
        elif not self.written and (self.home or self.choices):
            yield {"candidates": []}

    def _word(self, choice: _Choice) -> tuple[str | None, list[Loss]]:
        if choice.stop is None:
            return None, []
        reason = choice.stop.reason
        if reason is None:  # without one, the model would not be done
            return "STOP", list(stop_lost(None, "STOP", is_exact=False))
        is_block = self.home and choice.number == 0 and not choice.began and reason == blocked(self.feedback)
        if is_block or reason.kind is StopKind.INTERRUPTED:
            return None, []
        return finish_word(reason, self.home, asks=choice.speech.asks)


def _is_number(word: str) -> bool:
    """Whether a reason is only known by its number."""
    return word.isascii() and word.isdecimal() and len(word) <= _LONGEST_CODE


def _begin() -> Writing:
    writer = _Writer()
    return writer.step, writer.end


write_stream: Final = one_answer(NAME, _begin)
"""Write a stream of chunks: total, with every loss reported at its path in the answer that the stream folds to."""
