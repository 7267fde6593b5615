"""Laws of streams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, cast

from attrs import evolve

from chatadt.chat import ChatResponse
from chatadt.codec import dumps
from chatadt.delta import Delta
from chatadt.dialects import Dialect
from chatadt.fold import Folding, deltas_of, fold, fold_each
from chatadt.json import Json
from chatadt.laws._answers import strings
from chatadt.laws._broken import Broken, answer_of, dialect_of, quotes
from chatadt.loss import Action, Loss

__all__ = ("folding", "incremental", "rechunking", "recut", "separating", "streams_kept")

_SIZES: Final = (1, 2, 3, 7, 1_000_000)


def folding(response: ChatResponse) -> None:
    """The stream that says an answer folds to that answer."""
    stream = tuple(deltas_of(response))
    if (folded := fold(stream)) != response:
        raise Broken("the fold of an answer's deltas is the answer", given=response, via=stream, got=folded)


def rechunking(stream: Sequence[Delta.T]) -> None:
    """However the pieces of a stream are cut and merged, it folds to the same; empty pieces change nothing."""
    once = fold(stream)
    for size in _SIZES:
        other = tuple(recut(stream, size))
        if (folded := fold(other)) != once:
            raise Broken("a stream folds to the same however it is cut", given=stream, via=other, got=folded)
    padded = tuple(piece for delta in stream for piece in (delta, _emptied(delta)) if piece is not None)
    if (folded := fold(padded)) != once:
        raise Broken("an empty piece says nothing", given=stream, via=padded, got=folded)


def separating(stream: Sequence[Delta.T]) -> None:
    """Streams end to end fold to their answers one after the other, and the empty stream to none."""
    begun = stream if stream and isinstance(stream[0], Delta.Start) else (Delta.Start(), *stream)
    alone = tuple(fold_each(begun))
    if (folded := tuple(fold_each((*begun, *begun)))) != alone * 2:
        raise Broken("streams end to end give their answers one by one", given=stream, via=(*begun, *begun), got=folded)
    if folded := tuple(fold_each(())):
        raise Broken("the empty stream has no answer", given=(), via="fold_each", got=folded)


def incremental(stream: Sequence[Delta.T]) -> None:
    """An answer that comes in delta by delta is the fold of them, and what is shown of it on the way changes nothing."""
    coming = Folding()
    for delta in stream:
        changed = coming.feed(delta)
        choice: int = getattr(delta, "choice", 0)
        if changed is not None and choice == 0 and changed not in coming.blocks:
            raise Broken("the block that changed is one of the blocks", given=stream, via=delta, got=coming.blocks)
        coming.response()
    if (folded := coming.response()) != fold(stream):
        raise Broken("an answer that comes in piece by piece is the fold", given=stream, via="Folding.feed", got=folded)


def streams_kept(dialect: str | Dialect, stream: Sequence[Delta.T]) -> None:
    """Any stream is written as JSON events, which are read again; texts, reasoning and refusals stand there or in a loss.

    A dialect that has no streams breaks nothing here.
    """
    known = dialect_of(dialect)
    write, read = known.write_stream, known.read_stream
    if write is None or read is None:
        return
    losses: list[Loss] = []
    written = answer_of(lambda: list(write(stream, losses)), "a writer never raises", stream, f"{known.name}.write_stream")
    events = Json.of(written).value
    for loss in losses:
        if not (loss.path.startswith("$") and loss.what and loss.reason) or (loss.original is None) is not (
            loss.action is Action.INVENTED
        ):
            raise Broken("a loss says where, what and why, and holds the original", given=stream, via=events, got=loss)
    again = answer_of(lambda: list(fold_each(read(events))), "a reader never raises", events, f"{known.name}.read_stream")
    if quotes(tuple(stream), known.name):
        return
    there = [text for answer in again for text in strings(Json(dumps(answer).decode()).value)]
    there += [text for loss in losses if loss.original is not None for text in strings(loss.original.value)]
    missing = [text for text in _prose(stream) if not any(text in each for each in there)]
    if missing:
        raise Broken("nothing of a stream is lost in silence", given=stream, via=(events, losses), got=missing)


def _prose(stream: Sequence[Delta.T]) -> Iterator[str]:
    for delta in stream:
        if isinstance(delta, Delta.Text | Delta.Reasoning | Delta.Refusal):
            yield delta.text


def recut(stream: Iterable[Delta.T], size: int) -> Iterator[Delta.T]:
    """The stream with its pieces merged where they follow each other, then cut to `size` characters."""
    before: Delta.T | None = None
    for delta in stream:
        merged = None if before is None else _merged(before, delta)
        if before is not None and merged is None:
            yield from _cut(before, size)
        before = delta if merged is None else merged
    if before is not None:
        yield from _cut(before, size)


_PIECES: Final = (Delta.Text, Delta.Reasoning, Delta.Refusal, Delta.ToolRequest)


def _merged(one: Any, other: Any) -> Delta.T | None:
    """One piece of two that follow each other in a block; None where they are no such pieces."""
    if type(one) not in _PIECES or type(one) is not type(other) or (one.index, one.choice) != (other.index, other.choice):
        return None
    if isinstance(one, Delta.ToolRequest):
        if one.arguments and other.name:
            return None
        id_ = other.id if one.id is None else one.id
        return Delta.ToolRequest(one.index, one.arguments + other.arguments, id_, one.name + other.name, one.choice)
    return cast("Delta.T", evolve(one, text=one.text + other.text))


def _cut(delta: Delta.T, size: int) -> Iterator[Delta.T]:
    if isinstance(delta, Delta.ToolRequest):  # a name comes before its arguments
        names = [delta.name[at : at + size] for at in range(0, max(len(delta.name), 1), size)]
        yield Delta.ToolRequest(delta.index, "", delta.id, names[0], delta.choice)
        for name in names[1:]:
            yield Delta.ToolRequest(delta.index, "", None, name, delta.choice)
        for at in range(0, len(delta.arguments), size):
            yield Delta.ToolRequest(delta.index, delta.arguments[at : at + size], choice=delta.choice)
    elif isinstance(delta, Delta.Text | Delta.Reasoning | Delta.Refusal):
        for at in range(0, max(len(delta.text), 1), size):
            yield evolve(delta, text=delta.text[at : at + size])
    else:
        yield delta


def _emptied(delta: Delta.T) -> Delta.T | None:
    """A piece that says nothing of the same block."""
    if isinstance(delta, Delta.ToolRequest):
        return Delta.ToolRequest(delta.index, choice=delta.choice)
    return evolve(delta, text="") if isinstance(delta, Delta.Text | Delta.Reasoning | Delta.Refusal) else None
