"""What a rule is: a way to find what breaks it, and a way to mend that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from attrs import frozen

from chatadt.chat import ChatRequest
from chatadt.dialects._dialect import Dialect, ModelProfile, Rules, Target
from chatadt.error import Violation
from chatadt.loss import Converted

__all__ = ("Find", "Mend", "Rule", "Server")


@final
@frozen
class Server:
    """Who is to take the request: a dialect, and what is known of the model."""

    dialect: Dialect
    target: Target

    @property
    def rules(self) -> Rules:
        """What the server refuses."""
        return self.dialect.rules

    @property
    def profile(self) -> ModelProfile:
        """What holds for the model."""
        return self.dialect.rules.profile(self.target.model)

    @property
    def prefill(self) -> bool:
        """Whether the conversation may end with an assistant message, for the model to go on with."""
        known = self.target.prefill
        return self.profile.prefill if known is None else known


Find = Callable[[ChatRequest, Server], Iterator[Violation]]
Mend = Callable[[ChatRequest, Server], Converted[ChatRequest]]


@final
@frozen
class Rule:
    """A rule of servers: `find` yields what breaks it, `mend` makes it so, with a loss for each step.

    An `automatic` one is mended whenever a conversation crosses from one dialect to another: it is a matter of spelling, of order,
    or of a word that the server wants and nobody would miss. The others change what was said, and are mended only on request.

    One that is not `certain` is said to hold and could not be verified: what it finds is a warning. `chatadt.repair` mends it, so
    that `chatadt.check` is silent then; `chatadt.convert` lets it be.

    One that is `written` is no business of `chatadt.convert` either: the dialect's writer sees to it, and knows better what to put
    in the place of what cannot be said.
    """

    name: str
    automatic: bool
    find: Find
    mend: Mend
    certain: bool = True
    written: bool = False
