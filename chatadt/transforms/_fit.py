"""Histories within a budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

from attrs import frozen
from returns.result import Failure, Result, Success

from chatadt._sum import terse
from chatadt.history import History
from chatadt.message import Message
from chatadt.transforms._cost import Cost, by_kind
from chatadt.transforms._exchanges import cuts, integer

__all__ = ("OverBudget", "fit")


@final
@frozen(repr=False)
class OverBudget:
    """Even the least that could be kept costs more than the budget allows.

    `least` is that history, `cost` what it costs, and `instructions` what its system messages cost of that.
    """

    budget: int
    cost: int
    instructions: int
    least: History
    __repr__ = terse

    def __str__(self) -> str:
        said = sum(not isinstance(message, Message.System) for message in self.least)
        return (
            f"expected a history that costs {self.budget} at most, got {self.cost}: {self.instructions} for its system messages "
            f"and {self.cost - self.instructions} for its last exchange ({said} messages), which are never cut; raise the budget, "
            "shorten the system prompt, or let the last exchange lose steps (fit(..., steps=True)) or be summarised"
        )


def fit(
    budget: int,
    cost: Cost = by_kind(),  # noqa: B008 (pure)
    *,
    steps: bool = False,
) -> Callable[[History], Result[History, OverBudget]]:
    """Keep as many of the last exchanges as cost no more than `budget`, and every system message wherever it stands.

    Exchanges are kept or go as a whole. With `steps`, the last one may lose its first steps where it costs too much (a step is an
    assistant message with its results); what the user asked and the last step stay. Nothing is ever cut within a message.

    The failure is `OverBudget` when even the last exchange with the system messages costs more. The cost of each message is asked
    for once. Raises TypeError for a budget that is no integer.
    """
    integer(budget, "a budget")

    def fitted(history: History) -> Result[History, OverBudget]:
        costs = list(map(cost, history))
        ways = cuts(history.messages, costs, steps=steps)
        found = next((way for way in ways if way.cost <= budget), None)
        if found is not None:
            return Success(found.made(history))
        instructions = sum(each for each, message in zip(costs, history, strict=True) if isinstance(message, Message.System))
        return Failure(OverBudget(budget, ways[-1].cost, instructions, ways[-1].made(history)))

    return fitted
