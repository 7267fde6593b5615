"""What a provider's server would refuse, and how to mend it: rules over the words, with a dialect's data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, overload

from chatadt.chat import NO_PARAMS, ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.addresses import ADDRESSES
from chatadt.checks.amounts import COUNT, COUNT_SAID, SIZE, SIZE_SAID, TOTAL, TOTAL_SAID
from chatadt.checks.apart import APART, SPLIT
from chatadt.checks.documents import DOCUMENT_NAMES, DOCUMENT_TEXT
from chatadt.checks.limit import ANSWER_LIMIT
from chatadt.checks.marks import CACHE_MARKS, CACHE_MARKS_SAID, CACHE_POINTS, REASONING_MARKS
from chatadt.checks.media import LABELS, MEDIA
from chatadt.checks.pairing import GATHERED, ORDERED, PAIRED
from chatadt.checks.params import (
    CHOSEN_TOOL,
    DESCRIPTIONS,
    FORMAT_NAMES,
    NEEDS_TOOLS,
    STOPS,
    SURPLUS_TOOLS,
    UNIQUE_TOOLS,
)
from chatadt.checks.sampling import RANGES, RANGES_SAID, SAMPLING
from chatadt.checks.sound import is_sound
from chatadt.checks.spelling import RESULT_NAMES, SPEAKER_NAMES, TOOL_IDS
from chatadt.checks.surrogates import SURROGATES
from chatadt.checks.text import BLANK_TEXT, SILENT, TRAILING_SPACE
from chatadt.checks.thinking import BUDGET, FORCED, LEADING, PREFILLED, THINKING
from chatadt.checks.tool_names import TOOL_NAMES
from chatadt.checks.turns import FIRST_USER, FIRST_USER_SAID, LAST_USER, PREFILL, PREFIXES, SYSTEM_FIRST, TURN
from chatadt.dialects import DIALECTS
from chatadt.dialects._dialect import Dialect, Target
from chatadt.error import Severity, Violation
from chatadt.history import History
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = ("RULES", "Server", "admitted", "check", "find", "is_sound", "repair")

RULES: Final[tuple[Rule, ...]] = (
    # what may take messages away, or contents, comes first: turns are counted by what is left
    SURROGATES,
    ADDRESSES,
    LABELS,
    MEDIA,
    SIZE,
    SIZE_SAID,
    COUNT,
    COUNT_SAID,
    TOTAL,
    TOTAL_SAID,
    BLANK_TEXT,
    CACHE_POINTS,
    SILENT,
    LEADING,
    SPLIT,
    # ids are counted when results stand behind their calls, results paired when ids are unique, and ordered when all are there
    GATHERED,
    TOOL_IDS,
    TOOL_NAMES,
    SPEAKER_NAMES,
    PAIRED,
    ORDERED,
    RESULT_NAMES,
    # who speaks when
    TURN,
    SYSTEM_FIRST,
    FIRST_USER,
    FIRST_USER_SAID,
    APART,
    PREFILL,
    LAST_USER,
    PREFILLED,
    PREFIXES,
    TRAILING_SPACE,
    # what does not touch the order of things
    DOCUMENT_NAMES,
    DOCUMENT_TEXT,
    NEEDS_TOOLS,
    UNIQUE_TOOLS,
    SURPLUS_TOOLS,
    CHOSEN_TOOL,
    DESCRIPTIONS,
    FORMAT_NAMES,
    REASONING_MARKS,
    CACHE_MARKS,
    CACHE_MARKS_SAID,
    SAMPLING,
    RANGES,
    RANGES_SAID,
    # a budget for thinking is measured by how long the answer may be
    THINKING,
    BUDGET,
    FORCED,
    ANSWER_LIMIT,
    STOPS,
)
"""In the order in which they are mended."""


def check(
    conversation: History | ChatRequest | Iterable[Message.T], dialect: str | Dialect, model: str | None = None
) -> tuple[Violation, ...]:
    """What the server of `dialect` would refuse in a conversation, each with its rule, its path and what would make it right.

    `model` decides where a rule differs between models; without it the request's own model is meant. "", and the name of a model
    that another provider has, stand for the newest models.
    Empty when nothing is known against it. Raises ValueError for a dialect that there is not, and TypeError for what is no
    conversation: a wire body has to be read first.
    """
    request = _request(conversation)
    return tuple(find(request, _server(dialect, request, model), _rules_about(conversation)))


@overload
def repair(conversation: ChatRequest, dialect: str | Dialect, model: str | None = None) -> Converted[ChatRequest]: ...
@overload
def repair(conversation: History | Iterable[Message.T], dialect: str | Dialect, model: str | None = None) -> Converted[History]: ...
def repair(
    conversation: History | ChatRequest | Iterable[Message.T], dialect: str | Dialect, model: str | None = None
) -> Converted[History] | Converted[ChatRequest]:
    """The conversation as `dialect` takes it, and every step as a loss.

    A History or a ChatRequest that breaks no rule comes back as it is; any other iterable of messages as a History. Tools and
    parameters that the server wants to have changed are those of a ChatRequest: a bare conversation has none, and gets none.
    Raises ValueError for a dialect that there is not, and TypeError for what is no conversation.
    """
    request = _request(conversation)
    server = _server(dialect, request, model)
    mending = Converted(request) if is_sound(request, server) else _mended(request, server, _rules_about(conversation))
    if isinstance(conversation, ChatRequest):
        return mending if mending.losses else Converted(conversation)
    if isinstance(conversation, History) and not mending.losses:
        return Converted(conversation)
    return Converted(History(mending.value.messages), mending.losses)


def _request(conversation: History | ChatRequest | Iterable[Message.T]) -> ChatRequest:
    if isinstance(conversation, ChatRequest):
        return conversation
    kind: type = conversation.__class__
    if issubclass(kind, str | bytes | dict):
        raise TypeError(
            f"expected a History, a ChatRequest or messages, got {kind.__name__}: "
            "read a wire body with `DIALECTS[name].read_request` first"
        )
    return ChatRequest(conversation, NO_PARAMS)


def _rules_about(conversation: object) -> tuple[Rule, ...]:
    """A conversation without parameters is not told that it defines no tools: who sends it has them elsewhere."""
    return RULES if isinstance(conversation, ChatRequest) else _OF_CONVERSATIONS


_OF_CONVERSATIONS: Final = tuple(rule for rule in RULES if rule is not NEEDS_TOOLS)


def _server(dialect: str | Dialect, request: ChatRequest, model: str | None) -> Server:
    known = dialect if isinstance(dialect, Dialect) else DIALECTS.get(dialect)
    if known is None:
        raise ValueError(f"expected the name of a dialect ({', '.join(DIALECTS)}), got {dialect!r}")
    return Server(known, Target(known.rules.known(request.params.model if model is None else model)))


def find(request: ChatRequest, server: Server, rules: Iterable[Rule] = RULES) -> Iterator[Violation]:
    """Every violation, rule by rule."""
    if not is_sound(request, server):
        for rule in rules:
            if rule is not GATHERED:  # what it finds, PAIRED finds too
                yield from rule.find(request, server)


def admitted(
    request: ChatRequest, server: Server, *, is_home: bool, mends: bool
) -> tuple[Converted[ChatRequest], tuple[Violation, ...]]:
    """The request as a conversion hands it to the writer, and what the server would refuse of it for certain.

    What is a matter of spelling is mended unless the request came from that dialect (`is_home`), where it is not held against it
    either; everything else only when `mends` asks for it. What could not be verified, and what the writer sees to, is let be.
    """
    if is_sound(request, server):
        return Converted(request), ()
    if mends:
        return _mended(request, server, _CERTAIN), ()
    ready = Converted(request) if is_home else _mended(request, server, _AUTOMATIC)
    if ready.losses and is_sound(ready.value, server):
        return ready, ()
    found = (violation for rule in _ASKED for violation in rule.find(ready.value, server))
    return ready, tuple(violation for violation in found if violation.severity is Severity.ERROR)


_CERTAIN: Final = tuple(rule for rule in RULES if rule.certain and not rule.written)
_AUTOMATIC: Final = tuple(rule for rule in _CERTAIN if rule.automatic)
_ASKED: Final = tuple(rule for rule in _CERTAIN if not rule.automatic)


def _mended(request: ChatRequest, server: Server, rules: Sequence[Rule]) -> Converted[ChatRequest]:
    """Mend rule by rule, and again while a rule undoes what an earlier one did.

    What a rule takes away may have stood between what an earlier one wants apart, so one round need not be enough. A round that
    changes something takes something away or puts something where none was, so there are few.
    """
    losses: list[Loss] = []
    for _ in range(_MOST_ROUNDS):
        came = len(losses)
        for rule in rules:
            step = rule.mend(request, server)
            request = step.value
            losses += step.losses
        if len(losses) == came or is_sound(request, server):
            break
    return Converted(request, tuple(losses))


_MOST_ROUNDS: Final = 8
"""More than any conversation was seen to need, which is 3."""
