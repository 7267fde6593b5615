"""The count of what a conversion lost in silence, by somebody who knows no reader and no writer.

`silent` answers what the input says that neither the output says nor a loss names, as often as it was said. `lies` answers the
losses that say of something that it was dropped although it is all still there. `invented` answers what the output says of its own,
`reordered` what it says in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from .claims import Claim, Fact, Kind, claims, facts
from .evidence import Losses, Output, Reported, mentions
from .values import Where, compact, leaves, nearest, place

__all__ = ("Missing", "Reported", "invented", "lies", "reordered", "silent")

_LONG: Final = 8


class Missing(NamedTuple):
    """One thing of the input that is neither in the output nor in a loss."""

    path: str
    what: str
    value: Any

    def __str__(self) -> str:
        shown = repr(self.value)
        return f"{self.what} at {self.path}: {shown if len(shown) <= 80 else shown[:80] + '…'}"


def silent(before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Reported]) -> list[Missing]:
    """Everything that `before` says and that is lost without a word."""
    output, named = Output(claims(after)), Losses(tuple(losses))
    everything = list(claims(before))
    for echo in (claim for claim in everything if claim.kind is Kind.ECHO):
        named.takes_echo(echo.value)
    said = sorted((claim for claim in everything if claim.kind is not Kind.ECHO), key=_longest_first)
    broken = [claim for claim in said if not output.takes(claim)]
    output.open_values()
    gone = [claim for claim in broken if not (named.takes(claim) or output.takes_piece(claim) or _respelt(claim, named))]
    missing = [piece for claim in gone for piece in _pieces(claim) if not (output.takes_piece(piece) or named.takes(piece))]
    return [
        *(Missing(place(claim.where), f"{claim.kind.value} {claim.key}", claim.value) for claim in missing),
        *(Missing(place(where), f"a media type, now {new}", old) for where, old, new in _retyped(said, output, named)),
        *(Missing(place(fact.where), f"parameter {fact.name}", fact.value) for fact in _unstated(before, after, named)),
    ]


def lies(before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Reported]) -> list[Reported]:
    """The losses that say DROPPED of something which the output says as often as the input did."""
    source, target, kept = list(_strings(before)), list(_strings(after)), _kept(before, after)
    dropped = [loss for loss in losses if loss.action == "dropped" and loss.original is not None]
    return [loss for loss in dropped if _all_there(loss, source, target) or any(_is_of(loss, fact) for fact in kept)]


def invented(before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Reported]) -> list[Missing]:
    """What the output says and the input did not, where no loss says that something was invented or rewritten.

    A limit of the answer's length needs a loss of its own: nearly every crossing invents one, which explains nothing else.
    """
    made = [loss for loss in losses if loss.action in {"invented", "rewritten"}]
    limits = [loss for loss in made if mentions(loss, {*_WORDS["limit"]})]
    new = [each for each in silent(after, before, ()) if (each.what, each.value) != ("parameter choice", "auto")]
    return [each for each in new if not (limits if each.what == "parameter limit" else len(made) > len(limits))]


def reordered(before: Mapping[str, Any], after: Mapping[str, Any], losses: Iterable[Reported]) -> list[str]:
    """The texts, payloads and arguments of messages from where on their order is another, where no loss tells of a move.

    Only what stands once in each body is looked at; the name of a file may stand before or behind its payload.
    """
    if any(loss.action == "moved" for loss in losses):
        return []
    one, other = list(_sequence(before)), list(_sequence(after))
    once = {text for text in one if one.count(text) == other.count(text) == 1}
    first, second = [text for text in one if text in once], [text for text in other if text in once]
    return next((first[at:] for at, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]), [])


def _sequence(body: Mapping[str, Any]) -> Iterator[str]:
    for claim in claims(body):
        if claim.where[0] == "messages" and claim.key not in {"filename", "title"}:
            if claim.kind in {Kind.TEXT, Kind.MEDIUM}:
                yield claim.value
            elif claim.key == "arguments":
                yield compact(claim.value)


_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "limit": frozenset({"max_tokens", "max_completion_tokens", "max_output_tokens"}),
    "stop": frozenset({"stop", "stop_sequences", "stop_sequence"}),
    "choice": frozenset({"tool_choice"}),
    "parallel": frozenset({"parallel_tool_calls", "disable_parallel_tool_use"}),
    "effort": frozenset({"effort", "reasoning_effort", "reasoning", "output_config"}),
    "budget": frozenset({"thinking", "budget_tokens", "reasoning", "thinking_budget"}),
    "thinking": frozenset({"thinking", "reasoning", "enable_thinking"}),
    "user": frozenset({"user", "user_id", "metadata"}),
    "format": frozenset({"response_format", "output_format", "output_config", "format"}),
}
"""Under which words a loss may speak of a parameter; of any other, under its own name."""

_WORDS_OF_A_SET: Final = frozenset({"choice", "parallel", "effort", "thinking", "format", "service_tier", "stream"})
"""Parameters whose value is one of a few words, which a loss may spell in its own way."""


def _unstated(before: Mapping[str, Any], after: Mapping[str, Any], named: Losses) -> Iterator[Fact]:
    there = Counter((fact.name, compact(fact.value)) for fact in facts(after))
    for fact in facts(before):
        if there[fact.name, compact(fact.value)] > 0:
            there[fact.name, compact(fact.value)] -= 1
        elif (fact.name, fact.value) == ("effort", "none") and there["thinking", compact("off")] > 0:
            continue
        elif not named.state(_words(fact), None if fact.name in _WORDS_OF_A_SET else fact.value):
            yield fact


def _words(fact: Fact) -> set[str]:
    return {*_WORDS.get(fact.name, {fact.name}), str(fact.where[0])}


def _kept(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Fact]:
    there = {(fact.name, compact(fact.value)) for fact in facts(after)}
    return [fact for fact in facts(before) if (fact.name, compact(fact.value)) in there]


def _is_of(loss: Reported, fact: Fact) -> bool:
    return mentions(loss, _words(fact)) and compact(loss.original) == compact(fact.value)


def _all_there(loss: Reported, source: list[str], target: list[str]) -> bool:
    telling = [text for text in _strings(loss.original) if len(text) >= _LONG]
    return bool(telling) and all(0 < _count(text, source) <= _count(text, target) for text in telling)


def _count(text: str, texts: list[str]) -> int:
    return sum(each.count(text) for each in texts)


def _strings(value: Any) -> Iterator[str]:
    for where, leaf in leaves(value):
        if isinstance(leaf, str) and where[-1:] not in {("role",), ("type",)}:
            yield leaf


def _longest_first(claim: Claim) -> tuple[bool, int]:
    """Values before the texts that may stand inside them, long texts before those that may be a part of them."""
    return not isinstance(claim.value, dict | list), -len(claim.value) if isinstance(claim.value, str) else 0


def _respelt(claim: Claim, named: Losses) -> bool:
    """Whether a loss names a flag of the wire in the library's own word: is_error is an outcome."""
    return (claim.key, claim.value) == ("is_error", True) and named.takes(Claim(Kind.VALUE, "outcome", "error", claim.where))


def _pieces(claim: Claim) -> Iterator[Claim]:
    """The leaves of a value that is nowhere whole; its type tags too, where it has nothing else.

    An argument or a word of a schema stays under its key. Of any other value, a text may stand anywhere.
    """
    if claim.kind is not Kind.VALUE:
        yield claim
        return
    exact = claim.key in {"arguments", "schema"}
    found = [(where, leaf) for where, leaf in leaves(claim.value) if exact or leaf is not None]
    telling = [(where, leaf) for where, leaf in found if exact or where[-1:] != ("type",)]
    for where, leaf in telling or found:
        kind = Kind.TEXT if not exact and isinstance(leaf, str) and len(leaf) >= _LONG else Kind.VALUE
        yield Claim(kind, nearest(where, claim.key), leaf, (*claim.where, *where))


def _retyped(said: Iterable[Claim], output: Output, named: Losses) -> Iterator[tuple[Where, str, str]]:
    """The media that came out under another media type, and no loss that names the first."""
    for claim in said:
        if claim.kind is Kind.MEDIUM and claim.value in output.kinds:
            old, new = _media_type(claim.key), _media_type(output.kinds[claim.value])
            if old and new and old != new and not named.name(claim.key):
                yield claim.where, old, new


_SAME_TYPE: Final = {"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav"}


def _media_type(text: str) -> str:
    bare = text.split(";")[0].strip().lower()
    return _SAME_TYPE.get(bare, bare)
