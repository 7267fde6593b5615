"""Streams of dialects that say some things only when an answer is complete: what goes on is said at once, the rest at the end.

At the end the answer that the deltas fold to is written as a whole: that knows what is still to be said, and what is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, final

from attrs import evolve

from chatadt.chat import ChatResponse, ProviderError
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import error_lost, event_lost
from chatadt.dialects._dialect import Spelling
from chatadt.dialects._losses import Block, dropped, rewritten
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._stream import Event, StreamWriter, Writing, is_end
from chatadt.fold import Folding, Growing
from chatadt.loss import Converted, Loss, Weight

__all__ = ("Ending", "Said", "Speaker", "told_by")

Said: TypeAlias = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest | Delta.Block | Delta.BlockExtras
"""What a delta says of a block."""


@final
class Ending:
    """What is known when an answer is complete: the body that it would have as a whole, and which choices said that they stop."""

    __slots__ = ("_folding", "_places", "body", "choices", "response", "stops")

    def __init__(self, folding: Folding, response: ChatResponse, body: Block, stops: frozenset[int]) -> None:
        self._folding = folding
        self.response = response
        self.body = body
        self.choices = folding.choices
        self.stops = stops
        self._places: dict[int, dict[Growing, str]] = {}  # by choice: where each of its blocks stands

    def joined(
        self, blocks: Iterable[tuple[int, Growing]], reason: str = "a client joins it to what is told before"
    ) -> Iterator[Loss]:
        """The losses of blocks, with their choice, that a client joins to others."""
        for choice, block in dict.fromkeys(blocks):  # once, however often one goes on
            content = block.content
            if isinstance(content, Content.Text | Content.Reasoning | Content.Refusal) and content.text:
                kind = "reasoning" if isinstance(content, Content.Reasoning) else "text"
                yield rewritten(f"a {kind} of its own", content.text, reason, path=self.path(choice, block))

    def unsaid(self, choice: int, block: Growing, fields: Block) -> Iterator[Loss]:
        """The losses of what the dialect says of a block, which came when that was over."""
        reason = "it came when something else had begun"
        path = self.path(choice, block)
        yield from (dropped(key, value, reason, weight=Weight.DETAIL, path=path) for key, value in fields.items())

    def path(self, choice: int, block: Growing) -> str:
        """Where a block stands in the answer."""
        if not self._places:
            self._places = {number: dict(self._paths(at, number)) for at, number in enumerate(self.choices)}
        return self._places[choice][block]

    def _paths(self, at: int, choice: int) -> Iterator[tuple[Growing, str]]:
        message = f"$.others[{at - 1}].message" if at else "$.message"
        return ((block, f"{message}.contents[{place}]") for place, block in enumerate(self._folding.blocks_of(choice)))


class Speaker(Protocol):
    """How a dialect says one answer."""

    def begin(self, start: Delta.Start) -> Iterable[Event]:
        """The events with which it begins; what is invented is told at the end."""
        ...

    def say(self, delta: Said, block: Growing | None) -> Iterable[Event]:
        """The events of a delta, and the block that it belongs to, if that is there already."""
        ...

    def fail(self, error: ProviderError) -> Iterable[Event | Loss]:
        """The event that says that it failed, and what of that is lost."""
        ...

    def finish(self, ending: Ending) -> Iterable[Event | Loss]:
        """The events that are still to come; no losses but those that a stream has and the whole body has not."""
        ...


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = ("_dialect", "_folding", "_named", "_opening", "_speak", "_speaker", "_stops", "_write")

    def __init__(
        self,
        dialect: str,
        write: Callable[[ChatResponse], Converted[Block]],
        speak: Callable[[], Speaker],
        named: Callable[[Block], Event],
    ) -> None:
        self._dialect = dialect
        self._write = write
        self._speak = speak
        self._named = named
        self._forget()

    def _forget(self) -> None:
        self._folding: Folding | None = None
        self._speaker = self._speak()
        self._opening: tuple[Event, ...] = ()  # of an answer that is an error only
        self._stops: set[int] = set()

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        folding = self._folding
        if folding is not None and isinstance(delta, Delta.Text):  # as nearly all are
            return self._speaker.say(delta, folding.feed(delta))
        return self._step(delta)

    def _step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        if isinstance(delta, Delta.Custom) and delta.dialect == self._dialect:
            event = delta.value.value
            yield self._named(event) if event.__class__ is dict else event_lost(delta, self._dialect)
            return
        if isinstance(delta, Delta.Failed):
            yield from self._fail(delta)
            return
        if isinstance(delta, Delta.Start):
            yield from self.end()
        if self._folding is None:
            self._folding = Folding()
            yield from self._speaker.begin(delta if isinstance(delta, Delta.Start) else Delta.Start())
        block = self._folding.feed(delta)
        if isinstance(delta, Said):
            yield from self._speaker.say(delta, block)
        elif isinstance(delta, Delta.Stop) and is_end(delta):
            self._stops.add(delta.choice)

    def _fail(self, delta: Delta.Failed) -> Iterator[Event | Loss]:
        """The event of an error, which goes out last: nothing else of the answer is among what is told here."""
        if self._folding is None:
            self._folding, self._opening = Folding(), tuple(self._speaker.begin(Delta.Start()))
        self._folding.feed(delta)
        yield from self._speaker.fail(delta.error)
        yield from (loss.under("$.metadata.error") for loss in error_lost(delta.error, self._dialect))

    def end(self) -> Iterator[Event | Loss]:
        folding = self._folding
        if folding is None:
            return
        yield from self._opening
        numbers = folding.choices
        stops = frozenset(at for at, number in enumerate(numbers) if number in self._stops)
        response = folding.response()
        response = evolve(response, metadata=evolve(response.metadata, error=None))  # which is an event of its own
        written = self._write(response)
        yield from self._speaker.finish(Ending(folding, response, written.value, frozenset(self._stops)))
        open_ends = {_stop_path(at) for at in range(len(numbers)) if at not in stops}
        yield from (loss for loss in written.losses if loss.path not in open_ends)
        self._forget()


def _stop_path(place: int) -> str:
    return f"$.others[{place - 1}].stop" if place else "$.metadata.stop"


def _nameless(event: Block) -> Event:
    return event


def told_by(
    dialect: str,
    write: Callable[[ChatResponse], Converted[Block]],
    speak: Callable[[], Speaker],
    named: Callable[[Block], Event] = _nameless,
    ids: Spelling | None = None,
) -> StreamWriter:
    """A writer of streams: total, with every loss reported at its path in the answer that the stream folds to.

    `write` writes the body of a whole answer; `speak` makes who says one; `named` gives its name to an event that is kept verbatim;
    `ids` is how ids of calls are spelt, where one is said when its call begins.
    """

    def begin() -> Writing:
        writer = _Writer(dialect, write, speak, named)
        return writer.step, writer.end

    return one_answer(dialect, begin, ids)
