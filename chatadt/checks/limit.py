"""How long an answer may be, which some servers must be told (the request of POST /v1/messages in Anthropic's SDK).

A writer adds it where nobody said anything. What is left is a body of the dialect itself without it, which goes home as it was.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt._wire import absent
from chatadt.chat import ChatRequest, ModelParams, Thinking
from chatadt.checks._rule import Rule, Server
from chatadt.dialects._params import answer_limit
from chatadt.error import Violation, show
from chatadt.json import NO_EXTRAS
from chatadt.loss import Action, Converted, Loss, Weight

__all__ = ("ANSWER_LIMIT", "lacks_limit", "limited")

_FIELD = "max_tokens"


def lacks_limit(params: ModelParams, server: Server) -> bool:
    """Whether a body of the server's own dialect did not say how long the answer may be, and the server must be told."""
    if server.rules.answer_limit is None or params.max_output_tokens is not None or params.extras is NO_EXTRAS:
        return False
    return _FIELD in absent(params.extras.of(server.dialect.name))


def _find(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if lacks_limit(request.params, server):
        what = "nothing says how long the answer may be"
        yield Violation("answer-limit", "$.params.max_output_tokens", what, "give max_output_tokens")


def _mend(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if not lacks_limit(request.params, server):
        return Converted(request)
    name, extras = server.dialect.name, request.params.extras
    own = extras.of(name)
    own["$absent"] = [key for key in absent(own) if key != _FIELD]
    kept = {key: value for key, value in own.items() if value or key != "$absent"}
    others = {other: value for other, value in extras.items() if other != name}
    losses: list[Loss] = []
    params = limited(evolve(request.params, extras={**others, **({name: kept} if kept else {})}), server, losses)
    return Converted(evolve(request, params=params), tuple(losses))


def limited(params: ModelParams, server: Server, losses: list[Loss]) -> ModelParams:
    """The parameters with a limit for the answer where the server must be told one, which is added to the losses."""
    if server.rules.answer_limit is None:
        return params
    budget = params.thinking.tokens if isinstance(params.thinking, Thinking.Budget) else 0
    limit = answer_limit(server.rules.answer_limit, budget)
    reason = f"the server must be told how long the answer may be: now it is {show(limit)} tokens"
    losses.append(Loss("$.params.max_output_tokens", _FIELD, Action.INVENTED, None, reason, Weight.DETAIL))
    return evolve(params, max_output_tokens=limit)


ANSWER_LIMIT = Rule("answer-limit", True, _find, _mend)
