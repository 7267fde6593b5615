"""What a rule is: a way to find what breaks it, and a way to mend that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from attrs import frozen

from chatadt.chat import ChatRequest
from chatadt.dialects._dialect import Dialect, Target
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
    def prefill(self) -> bool:
        """Whether the conversation may end with an assistant message, for the model to go on with."""
        known = self.target.prefill
        return self.dialect.rules.profile(self.target.model).prefill if known is None else known


Find = Callable[[ChatRequest, Server], Iterator[Violation]]
Mend = Callable[[ChatRequest, Server], Converted[ChatRequest]]


@final
@frozen
class Rule:
    """A rule of servers. An automatic one is mended whenever a conversation crosses from one dialect to another: it is a matter of
    spelling, and nothing is invented. The others change what was said, and are mended only on request.
    """

    name: str
    automatic: bool
    find: Find
    mend: Mend
