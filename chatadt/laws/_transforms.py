"""Laws of transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, cast

from returns.result import Failure, Result, Success

from chatadt.codec import dumps
from chatadt.error import Severity
from chatadt.history import History
from chatadt.laws._broken import Broken, answer_of
from chatadt.message import Message
from chatadt.result import closed
from chatadt.transforms import Change, Cost, cost_of, diff, exchanges, validate

__all__ = (
    "Transformation",
    "budgets",
    "differences",
    "exchanges_kept",
    "instructions_kept",
    "partition",
    "purity_of_transforms",
    "restoring",
    "selection",
    "settling",
    "soundness",
)

Transformation: TypeAlias = "Callable[[History], History] | Callable[[History], Result[History, Any]]"
"""What a law of transforms is about: a function of a history that answers a history, or a `Result` of one."""


def purity_of_transforms(transform: Transformation, history: History) -> None:
    """A transform never raises, leaves its input as it is, and answers the same twice; a failure can be shown."""
    before = dumps(history)
    first = answer_of(lambda: transform(history), "a transform never raises", history, _name(transform))
    if dumps(history) != before:
        raise Broken("a transform changes nothing of its input", given=before, via=_name(transform), got=history)
    if (second := transform(history)) != first:
        raise Broken("a transform answers the same twice", given=history, via=first, got=second)
    if isinstance(first, Failure) and not str(cast("Failure[object]", first).failure()):
        raise Broken("a failure says why", given=history, via=_name(transform), got=first)


def soundness(transform: Transformation, history: History) -> None:
    """Valid in, valid out: where `validate` found nothing, it finds nothing afterwards; and no errors where it found none."""
    after = _done(transform, history)
    if after is None:
        return
    before, found = validate(history), validate(after)
    if not before and found:
        raise Broken("a valid history stays valid", given=history, via=found, got=after)
    if not _errors(before) and _errors(found):
        raise Broken("a history without errors stays so", given=history, via=found, got=after)


def settling(transform: Transformation, history: History) -> None:
    """Idempotence: to do it again changes nothing."""
    once = _done(transform, history)
    if once is not None and (twice := _done(transform, once)) != once:
        raise Broken("to do it twice is to do it once", given=history, via=once, got=twice)


def selection(transform: Transformation, history: History) -> None:
    """What is left are messages of the history, unchanged and in their order."""
    after = _done(transform, history)
    if after is None:
        return
    there = iter(history)
    if not all(any(message == each for each in there) for message in after):
        raise Broken("messages that stay are as they were, and where they were", given=history, via=_name(transform), got=after)


def instructions_kept(transform: Transformation, history: History) -> None:
    """Every system message stays, wherever it stands."""
    after = _done(transform, history)
    if after is not None and (kept := _instructions(after)) != (had := _instructions(history)):
        raise Broken("every system message stays", given=had, via=after, got=kept)


def exchanges_kept(transform: Transformation, history: History) -> None:
    """What is left beside system messages are the last exchanges, none of them cut."""
    after = _done(transform, history)
    if after is None:
        return
    said = _spoken(after)
    ends: tuple[Message.T, ...] = ()
    for exchange in (*reversed(exchanges(history)), None):
        if ends == said:
            return
        ends = (*_spoken(exchange or ()), *ends)
    raise Broken("exchanges stay whole, the last of them", given=history, via=_name(transform), got=after)


def budgets(transform: Transformation, history: History, budget: int, cost: Cost) -> None:
    """The budget is met, or the failure is true: even the last exchange with the system messages costs more."""
    answer = transform(history)
    if isinstance(answer, Failure):
        last = exchanges(history)[-1:]
        least = [*_instructions(history), *(message for each in last for message in _spoken(each))]
        if cost_of(least, cost) <= budget:
            raise Broken("it fails only where the least costs too much", given=history, via=least, got=cast("object", answer))
        return
    after = answer if isinstance(answer, History) else answer.unwrap()
    if (costs := cost_of(after, cost)) > budget:
        raise Broken("the budget is met", given=history, via=(budget, costs), got=after)


def restoring(there: Transformation, back: Transformation, history: History) -> None:
    """One transform takes back what the other has done."""
    changed = _done(there, history)
    if changed is not None and (again := _done(back, changed)) != history:
        raise Broken("what was done is taken back", given=history, via=changed, got=again)


def partition(history: History) -> None:
    """The exchanges of a history end to end are the history; none is empty, and each is one exchange of its own."""
    parts = exchanges(history)
    if (joined := tuple(message for part in parts for message in part)) != history.messages:
        raise Broken("the exchanges end to end are the history", given=history, via=parts, got=joined)
    if halved := [part for part in parts if exchanges(part) != (part,)]:
        raise Broken("an exchange is one exchange", given=history, via=parts, got=halved)


def differences(before: History, after: History) -> None:
    """What `diff` says is all that differs: done to the one history, it gives the other; and it can be shown."""
    changes = diff(before, after)
    if (again := _replayed(changes, before, len(after))) != after:
        raise Broken("the differences make the one history the other", given=before, via=changes, got=again)
    if not all(map(str, changes)) or (before == after and changes):
        raise Broken("a difference can be shown, and equals have none", given=before, via=after, got=changes)


def _replayed(changes: Iterable[Change.T], before: History, length: int) -> History | None:
    left = dict(enumerate(before))
    placed: dict[int, Message.T] = {}
    for change in changes:
        if isinstance(change, Change.Added):
            placed[change.at] = change.message
        elif left.pop(change.at) != (change.message if isinstance(change, Change.Removed) else change.before):
            return None
        elif isinstance(change, Change.Changed):
            placed[change.to] = change.after
    rest = iter(left.values())
    made = [placed[index] if index in placed else next(rest, None) for index in range(length)]
    return History(message for message in made if message is not None) if next(rest, None) is None else None


def _done(transform: Transformation, history: History) -> History | None:
    """What a transform gives, None where it fails."""
    answer = transform(history)
    if isinstance(answer, History):
        return answer
    match closed(answer):
        case Success(after):
            return after
        case Failure():
            return None


def _errors(found: Iterable[Any]) -> list[Any]:
    return [violation for violation in found if violation.severity is Severity.ERROR]


def _instructions(messages: Iterable[Message.T]) -> tuple[Message.T, ...]:
    return tuple(message for message in messages if isinstance(message, Message.System))


def _spoken(messages: Iterable[Message.T]) -> tuple[Message.T, ...]:
    return tuple(message for message in messages if not isinstance(message, Message.System))


def _name(transform: Transformation) -> str:
    return getattr(transform, "__qualname__", repr(transform))
