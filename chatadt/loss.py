"""What a conversion could not carry over, as data."""

from __future__ import annotations

from typing import Generic, TypeVar, assert_never, final

from attrs import frozen

from chatadt._sum import Named, terse
from chatadt.json import Json

__all__ = ("Action", "Converted", "Loss", "Policy", "Weight")

V_co = TypeVar("V_co", covariant=True)


class Action(Named):
    """What was done about something that the target cannot say."""

    DROPPED = "dropped"
    REWRITTEN = "rewritten"
    MOVED = "moved"
    INVENTED = "invented"


class Weight(Named):
    """How much a loss matters: CONTENT is what a reader of the conversation would miss, DETAIL is the rest."""

    CONTENT = "content"
    DETAIL = "detail"


class Policy(Named):
    """Which losses a conversion may have.

    STRICT: none. FAITHFUL: details, never content. LENIENT: any, each one reported, the content degraded as the target best allows.
    """

    STRICT = "strict"
    FAITHFUL = "faithful"
    LENIENT = "lenient"

    def allows(self, loss: Loss) -> bool:
        """Whether a conversion may have this loss."""
        match self:
            case Policy.STRICT:
                return False
            case Policy.FAITHFUL:
                return loss.weight is not Weight.CONTENT
            case Policy.LENIENT:
                return True
            case _:
                assert_never(self)


@final
@frozen(repr=False)
class Loss:
    """One thing that did not come across as it was.

    `path` leads to it in the conversation that was written (`$.messages[3].contents[0]`), `what` names it, `original` is the thing
    itself as JSON (None for what was invented), `reason` says why the target cannot have it and what was done instead.
    """

    path: str
    what: str
    action: Action
    original: Json | None
    reason: str
    weight: Weight
    __repr__ = terse

    def under(self, prefix: str) -> Loss:
        """The same loss, its path continued to the left."""
        return Loss(prefix + self.path, self.what, self.action, self.original, self.reason, self.weight)

    def __str__(self) -> str:
        return f"{self.action.value} {self.what} at {self.path}: {self.reason}"


@final
@frozen(repr=False)
class Converted(Generic[V_co]):
    """A value, and all that was lost on the way to it."""

    value: V_co
    losses: tuple[Loss, ...] = ()
    __repr__ = terse
