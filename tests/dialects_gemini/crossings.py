"""Recorded requests taken to Gemini and from it, and how the ledger and the judges read them."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, final

from attrs import frozen
from returns.result import Failure, Success

from chatadt import DIALECTS, Loss, Policy, convert
from chatadt.dialects import Dialect
from chatadt.dialects.gemini import DIALECT
from chatadt.error import ConversionError
from chatadt.result import closed
from tests.wire.corpus import Recording, recorded
from tests.wire.evidence import Reported
from tests.wire.oracles import JUDGES
from tests.wire.rules import Complaint

from .as_chat import as_chat, readable
from .judge import complaints

__all__ = ("KNOWN", "PAIRS", "Crossing", "crossings", "dialect_of")

KNOWN: Final = {**DIALECTS, "gemini": DIALECT}
PAIRS: Final = (("openai_chat", "gemini"), ("anthropic", "gemini"), ("gemini", "openai_chat"), ("gemini", "anthropic"))
_SAMPLE: Final = 200
_MODELS: Final = {"anthropic": "claude-opus-4-8", "openai_chat": "gpt-5"}
"""A body of Gemini names no model: who sends it on to somebody else has to."""


def dialect_of(name: str) -> Dialect:
    return KNOWN[name]


@final
@frozen
class Crossing:
    """One body, and what became of it: a value with its losses, or an error."""

    row: Recording
    source: str
    target: str
    value: Any
    losses: tuple[Loss, ...]
    error: ConversionError.T | None

    @property
    def before(self) -> dict[str, Any]:
        """The input as the ledger reads it."""
        if self.source != "gemini":
            return {**self.row.body, "messages": [_reasoning_first(message) for message in self.row.body["messages"]]}
        body = {**as_chat(self.row.body), "model": _MODELS[self.target]}
        return _without_empty_schemas(body) if self.target == "anthropic" else body

    @property
    def after(self) -> dict[str, Any]:
        """The output as the ledger reads it."""
        if self.target == "gemini":
            return as_chat(self.value)
        return _without_empty_schemas(self.value) if self.target == "anthropic" else dict(self.value)

    @property
    def reported(self) -> tuple[Reported, ...]:
        """The losses as the ledger reads them."""
        return readable(
            tuple(Reported(x.path, x.what, x.action.value, None if x.original is None else x.original.value) for x in self.losses)
        )

    @property
    def complaints(self) -> list[Complaint]:
        """What the server that gets the output would refuse."""
        return complaints(self.value) if self.target == "gemini" else JUDGES[self.target](self.value)


def _reasoning_first(message: dict[str, Any]) -> dict[str, Any]:
    """What a model thought comes before what it said and asked, wherever the keys stand."""
    first = {key: message[key] for key in ("reasoning_content", "reasoning") if key in message}
    return {**first, **message}


def _without_empty_schemas(body: dict[str, Any]) -> dict[str, Any]:
    """Anthropic wants a schema of a tool that has no parameters too: an empty one says no more than its absence."""
    empty = {"input_schema": {"type": "object", "properties": {}}}
    tools = [{key: item for key, item in tool.items() if {key: item} != empty} for tool in body.get("tools", ())]
    return {**body, "tools": tools} if tools else body


@cache
def crossings(source: str, target: str, policy: Policy) -> tuple[Crossing, ...]:
    """About 200 recorded requests of `source`, the same ones every time, converted to `target`."""
    rows = recorded(source, "request")
    return tuple(_crossed(row, source, target, policy) for row in rows[:: max(1, len(rows) // _SAMPLE)])


def _crossed(row: Recording, source: str, target: str, policy: Policy) -> Crossing:
    converted = convert(row.body, KNOWN[source], KNOWN[target], policy=policy, model=_MODELS.get(target))
    match closed(converted):
        case Success(done):
            return Crossing(row, source, target, done.value, done.losses, None)
        case Failure(error):
            return Crossing(row, source, target, None, (), error)
