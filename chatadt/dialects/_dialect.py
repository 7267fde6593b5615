"""What a dialect is: how it reads and writes, and what its server allows, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, final

from attrs import field, frozen
from returns.result import Result

from chatadt._sum import Named
from chatadt.chat import ChatRequest
from chatadt.error import ConversionError
from chatadt.loss import Converted

__all__ = ("NEWEST", "Capability", "Dialect", "ModelProfile", "Placement", "Rules", "Says", "Spelling", "Target", "WriteRequest")


class Says(Named):
    """How well a dialect says a kind of content: with a shape of its own, by way of another shape, or not at all."""

    NATIVE = "native"
    DEGRADED = "degraded"
    NO = "no"


@final
@frozen
class Capability:
    """How well a dialect says one kind of content from each speaker; `how` tells what becomes of it where it is not native."""

    kind: str
    user: Says
    assistant: Says
    result: Says
    how: str = ""


class Placement(Named):
    """Where a dialect's system prompt stands: among the messages, or in a field of the request."""

    MESSAGES = "messages"
    FIELD = "field"


@final
@frozen
class Spelling:
    """How a server wants a name or an id spelt: `pattern` is matched in full, `bad` finds the characters that it refuses."""

    pattern: re.Pattern[str]
    bad: re.Pattern[str]
    longest: int

    def allows(self, text: str) -> bool:
        """Whether the server takes `text` as it is."""
        return len(text) <= self.longest and self.pattern.fullmatch(text) is not None


@final
@frozen
class ModelProfile:
    """What holds for the models whose name `pattern` finds."""

    pattern: re.Pattern[str]
    prefill: bool
    """Whether a conversation may end with an assistant message, for the model to go on with."""
    inline_system: bool
    """Whether system messages may stand inside a conversation."""
    sampling: bool = True
    """Whether temperature, top_p and top_k are taken."""


NEWEST: Final = ModelProfile(re.compile(""), prefill=True, inline_system=True)
"""Of a dialect that says nothing about its models."""


@final
@frozen
class Rules:
    """What a server refuses, as data; `chatadt.check` applies it, writers, docs and strategies read it.

    `models` are tried in order, the last one holds for every other model and for none at all.
    """

    capabilities: tuple[Capability, ...]
    tool_id: Spelling
    tool_name: Spelling
    system: Placement
    blank_text: bool
    """Whether a text of nothing but white space is taken."""
    pairs_tool_calls: bool
    """Whether each tool request must be answered directly after the message that holds it."""
    needs_turn: bool
    """Whether a conversation of nothing but system messages is refused; an empty one is refused by all."""
    merges_turns: bool = False
    """Whether messages of one role that follow each other are one turn to the server."""
    cache_marks: int | None = None
    """How many `cache_control` marks a request may have, of a dialect that has them."""
    models: tuple[ModelProfile, ...] = (NEWEST,)
    media_types: Mapping[str, frozenset[str]] = field(factory=dict[str, frozenset[str]])
    """By kind of content: the media types that are taken by value."""

    def profile(self, model: str | None) -> ModelProfile:
        """What holds for `model`."""
        return next(profile for profile in self.models if profile is self.models[-1] or (model and profile.pattern.search(model)))


@final
@frozen
class Target:
    """For whom a request is written, where that changes what is right.

    `model` is None to go by the model that the request names, or "" for none that is known, which stands for the newest models.
    `inline_system` and `prefill` are None to follow the model.
    """

    model: str | None = None
    inline_system: bool | None = None
    prefill: bool | None = None


class WriteRequest(Protocol):
    """Write a request for the wire: total, with every loss reported."""

    def __call__(self, request: ChatRequest, target: Target = ...) -> Converted[dict[str, Any]]: ...


@final
@frozen
class Dialect:
    """One provider's format. Reading answers a Result and never raises; writing is total and names what it lost.

    `page` describes the dialect and holds its loss table; `canonical` folds the equivalent spellings that the page states, and
    nothing else, in a wire body.
    """

    name: str
    page: str = field(repr=False)
    rules: Rules = field(repr=False)
    read_request: Callable[[object], Result[ChatRequest, ConversionError.T]] = field(repr=False)
    write_request: WriteRequest = field(repr=False)
    canonical: Callable[[object], object] = field(repr=False)
