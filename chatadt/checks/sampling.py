"""How warm an answer may be and how long: parameters that a model does not take, and values out of their range.

Ranges of the official SDKs and the service model of bedrock-runtime; those that are only said are warnings. For models that take no
parameters of sampling fazer-ai/agents#130.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from attrs import evolve

from chatadt.chat import ChatRequest, ModelParams
from chatadt.checks._rule import Find, Mend, Rule, Server
from chatadt.checks.limit import limited
from chatadt.dialects._losses import relocate
from chatadt.dialects._params import beyond, bounded
from chatadt.error import Severity, Violation, show
from chatadt.json import NO_EXTRAS, Json
from chatadt.loss import Action, Converted, Loss, Weight

__all__ = ("RANGES", "RANGES_SAID", "SAMPLING", "may_be_beyond", "sampling_faults")

_SAMPLING: Final = ("temperature", "top_p", "top_k")


# --- what a model does not take --------------------------------------------------------------------------------------------------


def sampling_faults(params: ModelParams, server: Server) -> tuple[str, ...]:
    """The parameters of sampling that are there and not taken.

    A conversion that knows no model ("") leaves them to the writer. What came from the server's own dialect, which notes that, is
    held against a model that is named only: the model may stand in the URL.
    """
    model = server.target.model
    if server.profile.sampling or model == "":
        return ()
    if model is None and params.extras is not NO_EXTRAS and params.extras.of(server.dialect.name).get("$sampling"):
        return ()
    return tuple(name for name in _SAMPLING if getattr(params, name) is not None)


def _taker(server: Server) -> str:
    return f"the model {server.target.model} takes" if server.target.model else "the newest models take"


def _find_sampling(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for name in sampling_faults(request.params, server):
        yield Violation("sampling", f"$.params.{name}", f"{_taker(server)} no {name}", "leave it out")


def _mend_sampling(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    names, reason = sampling_faults(request.params, server), f"{_taker(server)} none"
    losses = tuple(
        Loss(f"$.params.{name}", name, Action.DROPPED, Json.of(getattr(request.params, name)), reason, Weight.DETAIL)
        for name in names
    )
    gone: dict[str, Any] = dict.fromkeys(names)
    return Converted(evolve(request, params=evolve(request.params, **gone)), losses) if gone else Converted(request)


# --- ranges ----------------------------------------------------------------------------------------------------------------------


def may_be_beyond(params: ModelParams, server: Server) -> bool:
    """Whether a value is out of its range, for certain or by what is said."""
    return any(any(True for _ in beyond(params, server.rules.ranges, certain=certain)) for certain in (True, False))


def _untaken(params: ModelParams, server: Server) -> tuple[str, ...]:
    """The parameters that are not taken, whatever their value."""
    is_left = server.target.model == "" and not server.profile.sampling
    return _SAMPLING if is_left else sampling_faults(params, server)


def _finder(*, certain: bool) -> Find:
    def find(request: ChatRequest, server: Server) -> Iterator[Violation]:
        ranges = server.rules.ranges
        for name, value, near in beyond(request.params, ranges, certain=certain, but=_untaken(request.params, server)):
            severity = Severity.ERROR if certain else Severity.WARNING
            fix = "leave it out" if near is None else f"give {near:g}, which is the nearest, or leave it out"
            yield Violation(
                "range", f"$.params.{name}", f"{name} {show(value)} is out of range: it is {ranges[name]}", fix, severity
            )

    return find


def _mender(*, certain: bool) -> Mend:
    def mend(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
        losses: list[Loss] = []
        params = bounded(request.params, server.rules.ranges, losses, certain=certain, but=_untaken(request.params, server))
        relocate(losses, 0, "$.params")
        if params.max_output_tokens is None and request.params.max_output_tokens is not None:
            params = limited(params, server, losses)
        return Converted(evolve(request, params=params), tuple(losses)) if losses else Converted(request)

    return mend


SAMPLING = Rule("sampling", True, _find_sampling, _mend_sampling)
RANGES = Rule("range", True, _finder(certain=True), _mender(certain=True))
RANGES_SAID = Rule("range", False, _finder(certain=False), _mender(certain=False), certain=False)
