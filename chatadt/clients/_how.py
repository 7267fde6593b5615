"""How an adapter writes requests: in which dialect, for which model, and what becomes of losses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypedDict, cast, final

from attrs import evolve, frozen
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.checks.tool_names import respelt_tools
from chatadt.clients._lines import in_line
from chatadt.clients._names import NO_NAMES, Names
from chatadt.clients.error import ChatError
from chatadt.convert import convert
from chatadt.dialects import DIALECTS
from chatadt.dialects._dialect import Dialect
from chatadt.error import ConversionError, Problem
from chatadt.fetch import Fetch
from chatadt.loss import Action, Converted, Loss, Policy, Weight
from chatadt.result import closed

__all__ = ("How", "Report", "Written", "dialect_of", "log_losses", "with_tool_names", "written")

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


@final
@frozen
class Written:
    """A request as its dialect says it, and under which names the tools of the caller are sent where those are not taken."""

    body: dict[str, Any]
    names: Names


def with_tool_names(request: ChatRequest, dialect: Dialect) -> tuple[Converted[ChatRequest], Names]:
    """The request with names of tools that the server of `dialect` takes, and by each new name the old one."""
    respelt, renamed = respelt_tools(request, dialect.rules.tool_name)
    return respelt, {new: old for old, new in renamed.items()}


def written(request: ChatRequest, dialect: Dialect, how: How) -> Result[Written, ChatError.T]:
    """The body of a request, its losses reported. It names the model, wherever that is sent; whether it streams is not said."""
    asked = evolve(request, params=evolve(request.params, stream=None)) if request.params.stream is not None else request
    options: Any = {key: value for key, value in how.items() if key not in {"dialect", "report", "model"}}
    model = request.params.model or how.get("model")
    if not model:
        missing = Problem("$.params.model", "the name of a model, here or as `model=` of the adapter", "nothing")
        return Failure(ChatError.Unsayable(ConversionError.Unreadable(dialect.name, (missing,))))
    respelt, names = with_tool_names(asked, dialect)
    policy = Policy(how.get("policy", Policy.FAITHFUL))
    if not all(policy.allows(loss) for loss in respelt.losses):
        respelt, names = Converted(asked), NO_NAMES  # `convert` respells them too, and tells it with all else that is forbidden
    if policy is Policy.STRICT:
        options["policy"] = Policy.FAITHFUL  # so that a model that stands in the URL is no reason to refuse
    result: Result[Converted[dict[str, Any]], ConversionError.T] = convert(
        respelt.value, _words(dialect), dialect, model=model, **options
    )
    match closed(result):
        case Success(converted):
            body, others = _sendable(converted, model)
            losses = (*respelt.losses, *others)
            if not all(map(policy.allows, losses)):
                return Failure(ChatError.Unsayable(ConversionError.Lossy(dialect.name, policy, losses)))
            if losses:
                how.get("report", log_losses)(losses)
            return Success(Written(body, names))
        case Failure(error):
            return Failure(ChatError.Unsayable(error))


def _sendable(converted: Converted[dict[str, Any]], model: str) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    """The body, and its losses. Where the dialect says no model, that stands in the URL: the adapter says it, so it is not lost.
    Whether an answer streams is said by how the client is called, whatever the extras say.
    """
    body = {key: value for key, value in converted.value.items() if key != "stream"}
    losses = tuple(loss for loss in converted.losses if not _is_of_model(loss))
    return (body, losses) if len(losses) == len(converted.losses) else ({**body, "model": model}, losses)


def _is_of_model(loss: Loss) -> bool:
    return loss.path == "$.params.model" and loss.action is Action.DROPPED


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
