"""From any dialect to any other, with every loss reported."""

from __future__ import annotations

from typing import Any, Final, Literal, cast, overload

from attrs import evolve
from returns.result import Failure, Result, Success

from chatadt.chat import ChatRequest
from chatadt.check import Server, admitted
from chatadt.checks.surrogates import whole_answer
from chatadt.dialects import DIALECTS, Event
from chatadt.dialects._dialect import Dialect, Rules, Target
from chatadt.error import ConversionError, Problem, show
from chatadt.fetch import Fetch, Fetched, fetched, with_reasons
from chatadt.loss import Converted, Loss, Policy
from chatadt.result import closed

__all__ = ("KINDS", "convert")

KINDS: Final = ("request", "response", "stream")
"""What `convert` takes as `kind`."""


@overload
def convert(
    body: object,
    source: str | Dialect,
    target: str | Dialect,
    *,
    kind: Literal["request", "response"] = "request",
    policy: Policy | str = Policy.FAITHFUL,
    repair: bool | None = None,
    model: str | None = None,
    inline_system: bool | None = None,
    prefill: bool | None = None,
    thinking: bool | None = None,
    store: bool | None = None,
    strip_item_ids: bool = False,
    strict_order: bool = False,
    fetch: Fetch | None = None,
) -> Result[Converted[dict[str, Any]], ConversionError.T]: ...


@overload
def convert(
    body: object,
    source: str | Dialect,
    target: str | Dialect,
    *,
    kind: Literal["stream"],
    policy: Policy | str = Policy.FAITHFUL,
) -> Result[Converted[list[Event]], ConversionError.T]: ...


@overload
def convert(
    body: object,
    source: str | Dialect,
    target: str | Dialect,
    *,
    kind: str,
    policy: Policy | str = Policy.FAITHFUL,
    repair: bool | None = None,
    model: str | None = None,
    inline_system: bool | None = None,
    prefill: bool | None = None,
    thinking: bool | None = None,
    store: bool | None = None,
    strip_item_ids: bool = False,
    strict_order: bool = False,
    fetch: Fetch | None = None,
) -> Result[Converted[Any], ConversionError.T]: ...


def convert(
    body: object,
    source: str | Dialect,
    target: str | Dialect,
    *,
    kind: str = "request",
    policy: Policy | str = Policy.FAITHFUL,
    repair: bool | None = None,
    model: str | None = None,
    inline_system: bool | None = None,
    prefill: bool | None = None,
    thinking: bool | None = None,
    store: bool | None = None,
    strip_item_ids: bool = False,
    strict_order: bool = False,
    fetch: Fetch | None = None,
) -> Result[Converted[Any], ConversionError.T]:
    """Convert a wire body (plain Python JSON) from one dialect to another: a request; with `kind="response"` an answer; with
    `kind="stream"` the list of the events of one, all at once (`Dialect.read_stream` and `write_stream` do it lazily).

    `source` and `target` are names of `DIALECTS`, or dialects of your own. `policy` says which losses are allowed. `repair` mends
    what the target's server would refuse (an unanswered call, a result without its call, …), each step a loss; None repairs where
    the policy is LENIENT. `model` is written into the request and decides what is right for the target; without it the newest
    models of the target are meant. `inline_system` and `prefill` overrule what is known of the model: whether it takes system
    messages inside a conversation, and whether it goes on with an assistant message at the end. `thinking` says that the model
    thinks, where the target's server then wants reasoning back with every message. `store` says whether the target's server keeps
    what it is sent, where it has a word for that; with `strip_item_ids` nothing goes back under the id that the server gave it.
    `strict_order` is for servers that want an assistant message between a tool result and a user message.

    `fetch` gets the bytes of a medium which the source has by reference and the target takes by value only: it is given the
    `Resource.Ref` and answers `Success(Resource.Binary(...))`, or a `Failure` with the reason. Without it such a medium is a loss.

    All of these but `policy` speak of requests only.

    Gives the converted body and its losses; or `UnknownDialect`, `Unreadable`, `Invalid` or `Lossy`; for an answer also `Refused`,
    where the body is the provider's error, or `Unavailable`. Never raises for bad data; a `kind` or a `policy` that there is not
    raises ValueError.
    """
    allowed = Policy(policy)
    if kind not in KINDS:
        raise ValueError(f"expected a kind ({', '.join(KINDS)}), got {kind!r}")
    reader, writer = _dialect(source), _dialect(target)
    if reader is None or writer is None:
        return Failure(ConversionError.UnknownDialect(str(source if reader is None else target), tuple(DIALECTS)))
    if kind == "response":
        return _response(body, reader, writer, allowed)
    if kind == "stream":
        return _stream(body, reader, writer, allowed)
    mends = allowed is Policy.LENIENT if repair is None else repair
    match closed(reader.read_request(body)):
        case Success(request):
            asked = evolve(request, params=evolve(request.params, model=model)) if model is not None else request
            known = evolve(
                _target(asked, writer.rules, reader is writer, model, inline_system, prefill),
                thinking=thinking,
                store=store,
                strip_item_ids=strip_item_ids,
                strict_order=strict_order,
            )
            return _written(asked, reader, Server(writer, known), allowed, mends, fetch)
        case Failure(error):
            return Failure(error)


def _dialect(dialect: str | Dialect) -> Dialect | None:
    if isinstance(dialect, Dialect):
        return dialect
    return DIALECTS.get(dialect) if isinstance(cast("object", dialect), str) else None


def _target(
    request: ChatRequest, rules: Rules, is_home: bool, model: str | None, inline_system: bool | None, prefill: bool | None
) -> Target:
    """For whom to write. Another provider's model says nothing about the target's; at home, a model that the request does not name
    (it may stand in the URL) is not taken for the newest.
    """
    known = rules.known(model or (request.params.model if is_home else None))
    return Target(known or "", inline_system, True if prefill is None and is_home and known is None else prefill)


def _written(
    request: ChatRequest, reader: Dialect, server: Server, policy: Policy, mends: bool, fetch: Fetch | None
) -> Result[Converted[dict[str, Any]], ConversionError.T]:
    whole, reasons = _complete(request, server, fetch)
    ready, refused = admitted(whole.value, server, is_home=reader.name == server.dialect.name, mends=mends)
    if refused:
        return Failure(ConversionError.Invalid(server.dialect.name, refused))
    written = server.dialect.write_request(ready.value, server.target)
    lost = with_reasons(written.losses, reasons)
    losses = (*whole.losses, *ready.losses, *lost)
    forbidden = _forbidden(policy, losses, lost)
    if forbidden:
        return Failure(ConversionError.Lossy(server.dialect.name, policy, forbidden))
    return Success(Converted(written.value, losses))


def _complete(request: ChatRequest, server: Server, fetch: Fetch | None) -> Fetched:
    """The request with the media that can only be said by value: what a writer loses tells which these are."""
    if fetch is None:
        return Converted(request, ()), {}
    return fetched(request, server.dialect.write_request(request, server.target).losses, fetch)


def _response(
    body: object, reader: Dialect, writer: Dialect, policy: Policy
) -> Result[Converted[dict[str, Any]], ConversionError.T]:
    if reader.read_response is None or writer.write_response is None:
        return Failure(ConversionError.Unavailable((writer if reader.read_response else reader).name, "response"))
    match closed(reader.read_response(body)):
        case Success(response):
            ready = Converted(response) if reader is writer else whole_answer(response)
            written = writer.write_response(ready.value)
            losses = (*ready.losses, *written.losses)
            forbidden = _forbidden(policy, losses, losses)
            if forbidden:
                return Failure(ConversionError.Lossy(writer.name, policy, forbidden))
            return Success(Converted(written.value, losses))
        case Failure(error):
            return Failure(error)


def _stream(body: object, reader: Dialect, writer: Dialect, policy: Policy) -> Result[Converted[list[Event]], ConversionError.T]:
    if reader.read_stream is None or writer.write_stream is None:
        return Failure(ConversionError.Unavailable((writer if reader.read_stream else reader).name, "stream"))
    if not isinstance(body, list):
        problem = Problem("$", "a list of events", show(body))
        return Failure(ConversionError.Unreadable(reader.name, (problem,)))
    losses: list[Loss] = []
    events = list(writer.write_stream(reader.read_stream(cast("list[object]", body)), losses))
    forbidden = _forbidden(policy, tuple(losses), tuple(losses))
    if forbidden:
        return Failure(ConversionError.Lossy(writer.name, policy, forbidden))
    return Success(Converted(events, tuple(losses)))


def _forbidden(policy: Policy, losses: tuple[Loss, ...], written: tuple[Loss, ...]) -> tuple[Loss, ...]:
    """The losses that the policy does not allow. What a repair dropped was asked for, so only STRICT forbids it."""
    return tuple(loss for loss in (losses if policy is Policy.STRICT else written) if not policy.allows(loss))
