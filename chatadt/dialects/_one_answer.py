"""A stream as one answer: whatever comes, a writer gets one message, an id for each call, and the error last.

That is what clients take. Those of most dialects hold one message for a stream: of several in one, the contents follow each other,
as in their fold, and the tokens are those of all. A call must have its id when it begins. After the reason to stop and after an
error a client reads no further. What a dialect wrote itself comes home as it was: only its error comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias, assert_never, final

from attrs import evolve, fields

from chatadt.chat import StopReason, Usage
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._call_ids import CallIds, invented_id
from chatadt.dialects._dialect import Spelling
from chatadt.dialects._losses import dropped, foreign, rewritten
from chatadt.dialects._stream import Event, StreamWriter, Writing
from chatadt.loss import Loss, Weight

__all__ = ("one_answer",)

Said: TypeAlias = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest | Delta.Block
Key: TypeAlias = "tuple[int, int, type]"
"""A block: its choice, its number, and its case."""

_CALL: Final = Delta.ToolRequest
_WORDS: Final = frozenset({Delta.Text, Delta.Reasoning, Delta.Refusal})
_LIFE: Final = frozenset({Delta.Start, Delta.Failed})
_COUNTS: Final = tuple(field.name for field in fields(Usage) if field.name != "extras")


def one_answer(dialect: str, begin: Callable[[], Writing], ids: Spelling | None = None) -> StreamWriter:
    """The writer of a dialect, of what it says with one answer; `ids` is how it spells those of calls, if each must have one."""

    def begin_one() -> Writing:
        answer = _Answer(dialect, begin(), ids)
        return answer.step, answer.end

    return StreamWriter(begin_one)


@final
class _Answer:
    """An answer on its way to a writer."""

    __slots__ = (
        "_before",
        "_began",
        "_called",
        "_dialect",
        "_end",
        "_failed",
        "_ids",
        "_index",
        "_last",
        "_named",
        "_nameless",
        "_numbers",
        "_offsets",
        "_places",
        "_plain",
        "_spelling",
        "_step",
        "_stops",
        "_usage",
        "is_home",
    )

    def __init__(self, dialect: str, writing: Writing, spelling: Spelling | None) -> None:
        self._dialect = dialect
        self._step, self._end = writing
        self._spelling = spelling
        self.is_home = False
        self._forget(None)

    def _forget(self, id_: str | None) -> None:
        self._began = False  # whether anything was said
        self._ids = None if self._spelling is None else CallIds(id_, self._spelling)
        self._places: dict[int, dict[Key, int]] = {}  # by choice: which content of its message a block is
        self._numbers: dict[int, int] = {}  # by choice: the first number that no block has, nor any behind it
        self._offsets: dict[int, int] = {}  # by choice: what the numbers of blocks of a further message are raised by
        self._last: Key | None = None  # the block that was said last
        self._plain: type | None = None  # its case, if it is of the first choice, and its pieces go out as they come
        self._index = 0  # its number
        self._called: set[Key] = set()  # calls that have a name: any other is none
        self._named: dict[Key, str] = {}  # calls that have an id
        self._nameless: Delta.ToolRequest | None = None  # the call that was said last, while it has none
        self._stops: dict[int, Delta.Stop] = {}
        self._usage = self._before = Usage()  # of the message, and of those before it
        self._failed: list[Delta.Failed] = []

    # --- what comes in ---

    def step(self, delta: Delta.T) -> Iterable[Event | Loss]:
        kind = delta.__class__
        if kind is self._plain:  # more of the block that was said last, as nearly all are
            piece: Any = delta
            if piece.index == self._index and piece.choice == 0 and (kind is not _CALL or (piece.id is None and not piece.name)):
                return self._step(delta)
        if self.is_home and kind not in _LIFE:
            return self._step(delta)
        return self._take(delta)

    def _take(self, delta: Delta.T) -> Iterator[Event | Loss]:
        match delta:
            case Delta.Start():
                yield from self._start(delta)
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.ToolRequest() | Delta.Block():
                self._began = True
                offset = self._offsets.get(delta.choice, 0)
                yield from self._say(evolve(delta, index=delta.index + offset) if offset else delta)
            case Delta.BlockExtras():
                self._began = True
                offset = self._offsets.get(delta.choice, 0)
                yield from self._step(evolve(delta, index=delta.index + offset) if offset else delta)
            case Delta.Tokens():
                self._usage = delta.usage
                yield from self._step(delta if self._before == Usage() else Delta.Tokens(_sum(self._before, delta.usage)))
            case Delta.Stop():
                self._began = True
                known = self._stops.get(delta.choice)
                self._stops[delta.choice] = delta if known is None or delta.reason is not None else known
            case Delta.Failed():
                self._began = True
                self._failed.append(delta)
            case Delta.Speaker() | Delta.Answer() | Delta.Custom():
                yield from self._step(delta)
            case _:
                assert_never(delta)

    def end(self) -> Iterator[Event | Loss]:
        yield from self._name()
        for stop in self._stops.values():
            yield from self._step(stop)
        errors = [item for failed in self._failed for item in self._step(failed)]  # a writer tells nothing else of one
        yield from self._end()
        yield from errors
        self._forget(None)

    # --- messages ---

    def _start(self, delta: Delta.Start) -> Iterator[Event | Loss]:
        if self._began and not self.is_home and self._dialect not in delta.extras:
            yield from self._go_on(delta)
            return
        if self._began or self.is_home:
            yield from self.end()
        self.is_home = self._dialect in delta.extras
        self._forget(delta.id)
        self._began = True
        yield from self._step(delta)

    def _go_on(self, delta: Delta.Start) -> Iterator[Event | Loss]:
        """A further message: its contents stand behind those of the one before."""
        yield from self._name()
        stop = self._stops.get(0, Delta.Stop(None)).reason
        told = {"id": delta.id, "model": delta.model, "stop": _word(stop)}
        reason = "a stream has one message: what it says goes on in the one before, whose reason to stop is gone"
        known = {key: value for key, value in told.items() if value is not None}
        yield rewritten("a further message", known, reason, path="$.metadata")
        self._stops, self._last, self._plain = {}, None, None
        self._before, self._usage = _sum(self._before, self._usage), Usage()
        self._offsets = dict(self._numbers)
        yield from (loss.under("$.metadata") for loss in foreign(delta.extras, self._dialect))

    # --- blocks ---

    def _say(self, delta: Said) -> Iterator[Event | Loss]:
        key = (delta.choice, delta.index, delta.__class__)
        if key != self._last:
            yield from self._name()
            places = self._places.setdefault(delta.choice, {})
            places.setdefault(key, len(places))
            self._numbers[delta.choice] = max(self._numbers.get(delta.choice, 0), delta.index + 1)
            self._last, self._plain = key, None
        if self._plain is None and self._is_plain(key):
            self._plain, self._index = key[2], key[1]
        if self._ids is None:
            yield from self._step(delta)
        elif isinstance(delta, Delta.ToolRequest):
            yield from self._call(delta, key, self._ids)
        elif isinstance(delta, Delta.Block) and isinstance(delta.content, Content.ToolRequest) and not delta.content.id:
            made = self._named.get(key) or self._ids.fresh(delta.choice)
            if key not in self._named:
                yield invented_id(made, self._path(key))
            self._named[key] = made
            yield from self._step(evolve(delta, content=evolve(delta.content, id=made)))
        else:
            yield from self._step(delta)

    def _is_plain(self, key: Key) -> bool:
        """Whether further pieces of a block go out as they come: words, and arguments of a call that has its id."""
        choice, _, case = key
        is_said = case in _WORDS or (case is _CALL and (self._ids is None or key in self._named))
        return is_said and choice == 0 and not self._offsets

    def _call(self, delta: Delta.ToolRequest, key: Key, ids: CallIds) -> Iterator[Event | Loss]:
        known = self._named.get(key)
        if delta.name.strip():
            self._called.add(key)
        if known is not None:
            if delta.id and delta.id != known:
                reason = f"its call has begun as {known!r}"
                yield dropped("the id of a tool request", delta.id, reason, weight=Weight.DETAIL, path=f"{self._path(key)}.id")
            yield from self._step(delta if delta.id is None else evolve(delta, id=None))
        elif delta.id:
            self._named[key] = delta.id
            ids.taken.add(delta.id)
            self._nameless = None
            yield from self._step(delta)
        elif delta.arguments and key in self._called:
            self._nameless = None
            made = self._named[key] = ids.fresh(delta.choice)
            yield from self._step(evolve(delta, id=made))
            yield invented_id(made, self._path(key))
        else:
            self._nameless = delta
            yield from self._step(delta if delta.id is None else evolve(delta, id=None))

    def _name(self) -> Iterator[Event | Loss]:
        """The call that was said last has an id made up if none has come by now."""
        delta, self._nameless = self._nameless, None
        if delta is None or self._ids is None:
            return
        key = (delta.choice, delta.index, delta.__class__)
        if key in self._called:
            made = self._named[key] = self._ids.fresh(delta.choice)
            yield from self._step(Delta.ToolRequest(delta.index, "", made, choice=delta.choice))
            yield invented_id(made, self._path(key))

    def _path(self, key: Key) -> str:
        """Where a block stands in the answer."""
        message = "$.message" if key[0] == 0 else f"$.others[{key[0] - 1}].message"
        return f"{message}.contents[{self._places[key[0]][key]}]"


def _word(stop: StopReason | None) -> str | None:
    return None if stop is None else stop.raw or stop.kind.value


def _sum(one: Usage, other: Usage) -> Usage:
    """The tokens of both; the extras are those of the other, which came later."""
    if one == Usage():
        return other
    counts = {name: [count for usage in (one, other) if (count := getattr(usage, name)) is not None] for name in _COUNTS}
    return Usage(**{name: sum(known) for name, known in counts.items() if known}, extras=other.extras or one.extras)
