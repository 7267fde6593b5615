"""Streams into answers, and answers into streams.

`fold` makes one answer of deltas, `fold_each` one of every message in a stream, `Folding` shows an answer while it comes in, and
`deltas_of` says an answer piece by piece. Pieces are kept in lists and joined once, so that a fold is linear in what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeVar, assert_never, final

from chatadt._closing import closing
from chatadt._cut import cuts_off, without_arguments
from chatadt._growing import Growing, Speech
from chatadt._notes import Notes, extras_of, noted
from chatadt.chat import ChatResponse, Choice, Metadata, ProviderError, StopReason, Usage
from chatadt.content import Arguments, Content, arguments_of_text
from chatadt.delta import Delta
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message

__all__ = ("Folding", "Growing", "deltas_of", "fold", "fold_each")

C = TypeVar("C")


def fold(deltas: Iterable[Delta.T]) -> ChatResponse:
    """The answer that a stream says.

    A stream that ends before the model was done is an answer whose stop reason is INTERRUPTED, or ERROR where the provider said
    that it failed; all that came before is kept, and arguments that were cut off are `Arguments.Malformed`, also where none came
    yet of the call that the answer ends with, and its stop reason says that the model was not done. Of several messages
    the answer holds the contents of all and the metadata of the last: `fold_each` keeps them apart.
    """
    folding = Folding()
    folding.extend(deltas)
    return folding.response()


def fold_each(deltas: Iterable[Delta.T]) -> Iterator[ChatResponse]:
    """An answer for every message of a stream, as soon as it is complete; none for the empty stream."""
    folding: Folding | None = None
    with closing(deltas):
        for delta in deltas:
            if folding is not None and isinstance(delta, Delta.Start):
                yield folding.response()
                folding = None
            (folding := folding or Folding()).feed(delta)
    if folding is not None:
        yield folding.response()


def deltas_of(response: ChatResponse) -> Iterator[Delta.T]:
    """The stream that says an answer, a delta for each of its parts, extras before their block; its fold is the answer again."""
    metadata = response.metadata
    yield Delta.Start(metadata.id, metadata.model, metadata.extras)
    yield from _pieces_of(response.message, 0, metadata.stop)
    for number, choice in enumerate(response.others, 1):
        yield Delta.Answer(choice.extras, choice=number)
        yield from _pieces_of(choice.message, number, choice.stop)
    if metadata.usage is not None:
        yield Delta.Tokens(metadata.usage)
    if metadata.error is not None:
        yield Delta.Failed(metadata.error)
    yield Delta.Stop(metadata.stop)
    for number, choice in enumerate(response.others, 1):
        yield Delta.Stop(choice.stop, number)


def _pieces_of(message: Message.Assistant, choice: int, stop: StopReason | None) -> Iterator[Delta.T]:
    if message.name is not None or message.extras:
        yield Delta.Speaker(message.name, message.extras, choice=choice)
    last = len(message.contents) - 1
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.Text | Content.Reasoning | Content.Refusal) and content.extras:
            yield Delta.BlockExtras(index, content.extras, choice=choice)
        match content:
            case Content.Text():
                yield Delta.Text(index, content.text, choice)
            case Content.Reasoning():
                yield Delta.Reasoning(index, content.text, choice)
            case Content.Refusal():
                yield Delta.Refusal(index, content.text, choice)
            case Content.ToolRequest():
                text = _text_of(content, stop if index == last else None)
                if text is None:
                    yield Delta.Block(index, content, choice)
                    continue
                if content.extras:
                    yield Delta.BlockExtras(index, content.extras, choice=choice)
                yield Delta.ToolRequest(index, text, content.id, content.name, choice)
            case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() | Content.Custom():
                yield Delta.Block(index, content, choice)
            case _:
                assert_never(content)


def _text_of(request: Content.ToolRequest, stop: StopReason | None) -> str | None:
    """The text that is read to the arguments of a call; None where there is none, because a parser would find another reason.

    `stop` is why the answer ends with the call, if it does.
    """
    match request.arguments:
        case Arguments.Parsed(json=document):
            return document.text
        case Arguments.Malformed(text=text) as arguments:
            if stop is not None and cuts_off(stop) and not text.strip():
                return text if without_arguments(request, text, stop) == request else None
            return text if arguments_of_text(text) == arguments else None
        case _:
            assert_never(request.arguments)


# --- in the making -------------------------------------------------------------------------------------------------------------


@final
class Folding:
    """An answer in the making, for whoever wants to see it come in.

    `feed` takes a delta and answers the block that it changed, in constant time; `blocks` are all of them so far; `response` is the
    answer as if the stream ended here, at the cost of its length.
    """

    __slots__ = ("_error", "_events", "_id", "_model", "_notes", "_speeches", "_usage")

    def __init__(self) -> None:
        self._speeches: dict[int, Speech] = {0: Speech()}
        self._id: str | None = None
        self._model: str | None = None
        self._notes: Notes = NO_EXTRAS
        self._usage: Usage | None = None
        self._error: ProviderError | None = None
        self._events: dict[str, list[Any]] = {}

    def feed(self, delta: Delta.T) -> Growing | None:
        """Take a delta: the block that it changed, or None where it was about something else."""
        match delta:
            case Delta.Text():
                return self._add(delta.choice, delta.index, _TEXT, delta.text)
            case Delta.Reasoning():
                return self._add(delta.choice, delta.index, _REASONING, delta.text)
            case Delta.Refusal():
                return self._add(delta.choice, delta.index, _REFUSAL, delta.text)
            case Delta.ToolRequest():
                block = self._add(delta.choice, delta.index, _TOOL_REQUEST, delta.arguments)
                block.call(delta.id, delta.name)
                return block
            case Delta.Block():
                block = self._speech(delta.choice).block(delta.index, _WHOLE)
                block.take(delta.content)
                return block
            case Delta.BlockExtras():
                return self._speech(delta.choice).note(delta)
            case Delta.Start() | Delta.Speaker() | Delta.Answer() | Delta.Tokens() | Delta.Stop() | Delta.Failed() | Delta.Custom():
                self._know(delta)
                return None
            case _:
                assert_never(delta)

    def extend(self, deltas: Iterable[Delta.T]) -> None:
        """Take deltas: as `feed` of each, and several times as fast where one piece of a block follows another."""
        kind: Any = None
        index = choice = -1
        append: Any = None
        delta: Any
        for delta in deltas:
            if delta.__class__ is kind and delta.index == index and delta.choice == choice:
                if kind is not _REQUEST_DELTA:
                    append(delta.text)
                    continue
                if delta.id is None and not delta.name:
                    append(delta.arguments)
                    continue
            block = self.feed(delta)
            kind = delta.__class__ if delta.__class__ in _PIECES else None
            if block is not None and kind is not None:
                index, choice, append = delta.index, delta.choice, block.pieces.append

    @property
    def blocks(self) -> tuple[Growing, ...]:
        """The blocks of the first choice so far."""
        return tuple(self._speeches[0].blocks)

    @property
    def choices(self) -> tuple[int, ...]:
        """The numbers of the choices so far, in the order that they have in the answer; the first one is always there."""
        return tuple(sorted(self._speeches, key=lambda number: (number != 0, number)))

    def blocks_of(self, choice: int) -> tuple[Growing, ...]:
        """The blocks of a choice so far."""
        found = self._speeches.get(choice)
        return () if found is None else tuple(found.blocks)

    def response(self) -> ChatResponse:
        """The answer, if nothing more came."""
        first, *others = (self._speeches[number] for number in self.choices)
        stop = first.stopped(self._error)
        metadata = Metadata(
            id=self._id,
            model=self._model,
            usage=self._usage,
            stop=stop,
            error=self._error,
            extras=self._all_extras(),
        )
        stops = [other.stopped(self._error) for other in others]
        further = [Choice(other.message(why), why, extras_of(other.answered)) for other, why in zip(others, stops, strict=True)]
        return ChatResponse(first.message(stop), metadata, further)

    def _speech(self, choice: int) -> Speech:
        found = self._speeches.get(choice)
        if found is None:
            found = self._speeches[choice] = Speech()
        return found

    def _add(self, choice: int, index: int, case: type[Content.T], text: str) -> Growing:
        block = self._speech(choice).block(index, case)
        block.pieces.append(text)
        return block

    def _know(self, delta: _About) -> None:
        match delta:
            case Delta.Start():
                self._begin(delta)
            case Delta.Speaker():
                speech = self._speech(delta.choice)
                speech.name = speech.name if delta.name is None else delta.name
                speech.noted = noted(speech.noted, delta.extras, delta.grow)
            case Delta.Answer(choice=0):
                self._notes = noted(self._notes, delta.extras, delta.grow)
            case Delta.Answer():
                speech = self._speech(delta.choice)
                speech.answered = noted(speech.answered, delta.extras, delta.grow)
            case Delta.Tokens():
                self._usage = delta.usage
            case Delta.Stop():
                speech = self._speech(delta.choice)
                speech.end(delta.reason)
            case Delta.Failed():
                self._error = delta.error
            case Delta.Custom():
                self._events.setdefault(delta.dialect, []).append(delta.value.value)
            case _:
                assert_never(delta)

    def _begin(self, delta: Delta.Start) -> None:
        for speech in self._speeches.values():
            speech.begin()
        self._id = self._id if delta.id is None else delta.id
        self._model = self._model if delta.model is None else delta.model
        self._notes = noted(self._notes, delta.extras, grow=False)

    def _all_extras(self) -> Extras:
        if not self._events:
            return extras_of(self._notes)
        return extras_of(
            noted(self._notes, Extras({name: {"events": events} for name, events in self._events.items()}), grow=False)
        )


_About: TypeAlias = Delta.Start | Delta.Speaker | Delta.Answer | Delta.Tokens | Delta.Stop | Delta.Failed | Delta.Custom

_TEXT: Final = Content.Text
_REASONING: Final = Content.Reasoning
_REFUSAL: Final = Content.Refusal
_TOOL_REQUEST: Final = Content.ToolRequest
_WHOLE: Final = Content.Custom
"""The case under which a block that comes whole is filed."""
_REQUEST_DELTA: Final = Delta.ToolRequest
_PIECES: Final = frozenset({Delta.Text, Delta.Reasoning, Delta.Refusal, Delta.ToolRequest})
