"""What an example of a dialect is, and the media and shorthands that the tables of examples share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, TypeAlias, final

from attrs import field, frozen

from chatadt import ChatRequest, Loss, Message, ModelParams, dumps
from chatadt.loss import Action, Weight

__all__ = (
    "CONTENT",
    "DETAIL",
    "DROPPED",
    "INVENTED",
    "MOVED",
    "PDF",
    "PNG",
    "REWRITTEN",
    "TEXT",
    "WAV",
    "Example",
    "Lost",
    "in_order",
    "lost_of",
    "plain",
)

PNG: Final = "iVBORw0KGgo="
PDF: Final = "JVBERi0xLjQ="
WAV: Final = "UklGRgAAAABXQVZF"
TEXT: Final = "YSxiCjEsMg=="
"""`a,b` and `1,2` in two lines, as base64."""

Body: TypeAlias = "dict[str, Any]"
Lost: TypeAlias = "tuple[str, str, Action, Weight]"
"""Path, what, action and weight of a loss."""

DROPPED, REWRITTEN, MOVED, INVENTED = Action.DROPPED, Action.REWRITTEN, Action.MOVED, Action.INVENTED
CONTENT, DETAIL = Weight.CONTENT, Weight.DETAIL


def _as_messages(value: Message.T | Iterable[Message.T]) -> tuple[Message.T, ...]:
    return (value,) if isinstance(value, Message.T) else tuple(value)


@final
@frozen
class Example:
    """A wire body, the words that it is read to, and what the other dialect makes of them."""

    name: str
    body: Body
    messages: tuple[Message.T, ...] = field(converter=_as_messages)
    becomes: Body
    losses: tuple[Lost, ...] = ()
    params: ModelParams = field(factory=ModelParams)

    @property
    def request(self) -> ChatRequest:
        """The words, apart from the notes on how they were spelt."""
        return ChatRequest(self.messages, self.params)


def lost_of(losses: Iterable[Loss]) -> list[Lost]:
    """What identifies each loss, in an order that does not depend on the writer."""
    return in_order((loss.path, loss.what, loss.action, loss.weight) for loss in losses)


def in_order(losses: Iterable[Lost]) -> list[Lost]:
    return sorted(losses, key=str)


def plain(request: ChatRequest) -> Any:
    """A request as JSON without the notes on spelling, which only a dialect's own writer reads."""
    return _without_notes(json.loads(dumps(request)))


def _without_notes(value: Any) -> Any:
    match value:
        case {"extras": dict(extras), **rest}:
            said = {name: {key: item for key, item in own.items() if not key.startswith("$")} for name, own in extras.items()}
            kept = {name: own for name, own in said.items() if own}
            return {**_without_notes(rest), **({"extras": kept} if kept else {})}
        case dict():
            return {key: _without_notes(item) for key, item in value.items()}
        case list():
            return [_without_notes(item) for item in value]
        case _:  # a JSON scalar
            return value
