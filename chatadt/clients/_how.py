"""How an adapter writes requests: in which dialect, for which model, and what becomes of losses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypedDict, cast

from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.clients._lines import in_line
from chatadt.clients.error import ChatError
from chatadt.convert import convert
from chatadt.dialects import DIALECTS
from chatadt.dialects._dialect import Dialect
from chatadt.error import ConversionError, Problem
from chatadt.fetch import Fetch
from chatadt.loss import Converted, Loss, Policy, Weight
from chatadt.result import closed

__all__ = ("How", "Report", "dialect_of", "log_losses", "written")

Report: TypeAlias = Callable[[tuple[Loss, ...]], None]
"""What is told of the losses with which a request is sent; it is not called where there are none."""

_LOG: Final = logging.getLogger("chatadt.clients")


def log_losses(losses: tuple[Loss, ...]) -> None:
    """Log losses under `chatadt.clients`: those of content as warnings, the others for information."""
    for loss in losses:
        _LOG.log(logging.WARNING if loss.weight is Weight.CONTENT else logging.INFO, "%s", in_line(str(loss)))


class How(TypedDict, total=False):
    """How requests are written; all of it may be left out. What is not said here is as `chatadt.convert` has it.

    `dialect` is a variant of the adapter's dialect, by name or one of your own. `model` is asked where a request names none.
    `report` is told the losses of each request that is sent; without it they are logged.
    """

    dialect: str | Dialect
    model: str | None
    report: Report
    policy: Policy | str
    repair: bool | None
    inline_system: bool | None
    prefill: bool | None
    thinking: bool | None
    store: bool | None
    strip_item_ids: bool
    strict_order: bool
    fetch: Fetch | None


def dialect_of(how: How, usual: str) -> Dialect:
    """The dialect that is meant. Raises ValueError for one that there is not."""
    meant = how.get("dialect", usual)
    known = meant if isinstance(meant, Dialect) else DIALECTS.get(meant)
    if known is None:
        raise ValueError(f"expected the name of a dialect ({', '.join(DIALECTS)}), got {meant!r}")
    return known


def written(request: ChatRequest, dialect: Dialect, how: How) -> Result[dict[str, Any], ChatError.T]:
    """The body of a request, its losses reported. It names the model, wherever that is sent; whether it streams is not said."""
    asked = evolve(request, params=evolve(request.params, stream=None)) if request.params.stream is not None else request
    options: Any = {key: value for key, value in how.items() if key not in {"dialect", "report", "model"}}
    model = request.params.model or how.get("model")
    if not model:
        missing = Problem("$.params.model", "the name of a model, here or as `model=` of the adapter", "nothing")
        return Failure(ChatError.Unsayable(ConversionError.Unreadable(dialect.name, (missing,))))
    result: Result[Converted[dict[str, Any]], ConversionError.T] = convert(asked, _words(dialect), dialect, model=model, **options)
    match closed(result):
        case Success(converted):
            body, losses = _with_model(converted, model)
            if losses:
                how.get("report", log_losses)(losses)
            return Success(body)
        case Failure(error):
            return Failure(ChatError.Unsayable(error))


def _with_model(converted: Converted[dict[str, Any]], model: str) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    """The body, and its losses. Where it says no model, that stands in the URL: the adapter says it, so it is not lost."""
    body, losses = converted.value, converted.losses
    if body.keys() & {"model", "modelId"}:
        return body, losses
    return {**body, "model": model}, tuple(loss for loss in losses if loss.path != "$.params.model")


def _words(target: Dialect) -> Dialect:
    """The words themselves as a dialect, of which a request is read as what it is."""
    return Dialect(
        "words",
        "",
        target.rules,
        read_request=lambda request: Success(cast("ChatRequest", request)),
        write_request=target.write_request,
        canonical=lambda body: body,
    )
