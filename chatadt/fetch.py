"""Media that a dialect takes by value only and a request has by reference: fetched by a function of the caller's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, cast

from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.resource import Resource
from chatadt.result import closed

__all__ = ("Fetch", "Fetched", "fetched", "with_reasons")

Fetch: TypeAlias = Callable[[Resource.Ref], Result[Resource.Binary, object]]
"""What gets the bytes of a medium, or answers why it cannot. The library itself never touches the network."""

Fetched: TypeAlias = "tuple[Converted[ChatRequest], dict[Json, str]]"
"""The request with its media by value, a loss for each reference that is gone; and by what is still lost, why."""

_PLACE: Final = re.compile(r"\$\.messages\[(\d+)\]\.contents\[(\d+)\]")


def fetched(request: ChatRequest, lost: Iterable[Loss], fetch: Fetch) -> Fetched:
    """Get each medium by reference among what a writer lost, and put its bytes in the place of the reference.

    `lost` are the losses of writing `request`. What `fetch` cannot get stays as it is.
    """
    messages: list[Any] = list(request.messages)
    losses: list[Loss] = []
    reasons: dict[Json, str] = {}
    for loss in lost:
        place = _PLACE.fullmatch(loss.path)
        if place is None or loss.action is not Action.DROPPED or loss.weight is not Weight.CONTENT:
            continue
        index, position = int(place[1]), int(place[2])
        contents = messages[index].contents
        reference = getattr(contents[position], "resource", None)
        if not isinstance(reference, Resource.Ref):
            continue
        match closed(fetch(reference)):
            case Success(medium):
                if not isinstance(cast("object", medium), Resource.Binary):
                    raise TypeError(f"fetch answers Success with a Resource.Binary, or a Failure; got {medium!r}")
                losses.append(_replaced(reference, loss.path))
                content = evolve(contents[position], resource=_typed(medium, reference))
                messages[index] = evolve(messages[index], contents=(*contents[:position], content, *contents[position + 1 :]))
            case Failure(why):
                reasons[cast("Json", loss.original)] = str(why)
    if not losses:
        return Converted(request, ()), reasons
    return Converted(ChatRequest.trusted(tuple(messages), request.params), tuple(losses)), reasons


def _replaced(reference: Resource.Ref, path: str) -> Loss:
    reason = "it is taken by value only, and was fetched"
    return Loss(f"{path}.resource", "a reference", Action.REWRITTEN, Json.of(reference.uri), reason, Weight.DETAIL)


def _typed(medium: Resource.Binary, reference: Resource.Ref) -> Resource.Binary:
    """The medium, and what is known of its reference where it says nothing of its own."""
    return evolve(medium, mime_type=medium.mime_type or reference.mime_type, extras=medium.extras or reference.extras)


def with_reasons(losses: tuple[Loss, ...], reasons: dict[Json, str]) -> tuple[Loss, ...]:
    """The losses, and of those that are there because something could not be fetched, why."""
    return tuple(_with_reason(loss, reasons) for loss in losses) if reasons else losses


def _with_reason(loss: Loss, reasons: dict[Json, str]) -> Loss:
    why = None if loss.original is None else reasons.get(loss.original)
    return loss if why is None else evolve(loss, reason=f"{loss.reason} (it could not be fetched: {why})")
