"""What a provider's server would refuse, and how to mend it: rules over the words, with a dialect's data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from chatadt.chat import NO_PARAMS, ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.documents import DOCUMENT_NAMES, DOCUMENT_TEXT
from chatadt.checks.limit import ANSWER_LIMIT
from chatadt.checks.marks import CACHE_MARKS, THINKING
from chatadt.checks.media import COUNT, COUNT_SAID, MEDIA, SIZE, SIZE_SAID
from chatadt.checks.pairing import GATHERED, ORDERED, PAIRED
from chatadt.checks.params import DESCRIPTIONS, FORCED, NEEDS_TOOLS, SAMPLING, UNIQUE_TOOLS
from chatadt.checks.sound import is_sound
from chatadt.checks.spelling import SPEAKER_NAMES, TOOL_IDS, TOOL_NAMES
from chatadt.checks.text import BLANK_TEXT, SURROGATES, TRAILING_SPACE
from chatadt.checks.turns import FIRST_USER, LAST_USER, PREFILL, SYSTEM_FIRST, TURN
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
    MEDIA,
    SIZE,
    SIZE_SAID,
    COUNT,
    COUNT_SAID,
    BLANK_TEXT,
    # ids are counted when results stand behind their calls, results paired when ids are unique, and ordered when all are there
    GATHERED,
    TOOL_IDS,
    TOOL_NAMES,
    SPEAKER_NAMES,
    PAIRED,
    ORDERED,
    # who speaks when
    TURN,
    SYSTEM_FIRST,
    FIRST_USER,
    PREFILL,
    LAST_USER,
    TRAILING_SPACE,
    # what does not touch the order of things
    DOCUMENT_NAMES,
    DOCUMENT_TEXT,
    NEEDS_TOOLS,
    UNIQUE_TOOLS,
    DESCRIPTIONS,
    CACHE_MARKS,
    THINKING,
    FORCED,
    SAMPLING,
    ANSWER_LIMIT,
)
"""In the order in which they are mended."""

C = TypeVar("C", History, ChatRequest)


def check(
    conversation: History | ChatRequest | Iterable[Message.T], dialect: str | Dialect, model: str | None = None
) -> tuple[Violation, ...]:
    """What the server of `dialect` would refuse in a conversation, each with its rule, its path and what would make it right.

    `model` decides where a rule differs between models; without it the request's own model, or the newest ones, are meant.
    Empty when nothing is known against it. Raises ValueError for a dialect that there is not.
    """
    request = _request(conversation)
    return tuple(find(request, _server(dialect, model or request.params.model)))


def repair(conversation: C, dialect: str | Dialect, model: str | None = None) -> Converted[C]:
    """The conversation as `dialect` takes it, and every step as a loss; a conversation that breaks no rule comes back as it is.

    Raises ValueError for a dialect that there is not.
    """
    request = _request(conversation)
    server = _server(dialect, model or request.params.model)
    mending = Converted(request) if is_sound(request, server) else _mended(request, server, RULES)
    if not mending.losses:
        return Converted(conversation)
    if isinstance(conversation, History):
        return Converted(History(mending.value.messages), mending.losses)
    return mending


def _request(conversation: History | ChatRequest | Iterable[Message.T]) -> ChatRequest:
    if isinstance(conversation, ChatRequest):
        return conversation
    return ChatRequest(tuple(conversation), NO_PARAMS)


def _server(dialect: str | Dialect, model: str | None) -> Server:
    known = dialect if isinstance(dialect, Dialect) else DIALECTS.get(dialect)
    if known is None:
        raise ValueError(f"expected the name of a dialect ({', '.join(DIALECTS)}), got {dialect!r}")
    return Server(known, Target(model))


def find(request: ChatRequest, server: Server) -> Iterator[Violation]:
    """Every violation, rule by rule."""
    if not is_sound(request, server):
        for rule in RULES:
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


def _mended(request: ChatRequest, server: Server, rules: Iterable[Rule]) -> Converted[ChatRequest]:
    losses: list[Loss] = []
    for rule in rules:
        step = rule.mend(request, server)
        request = step.value
        losses += step.losses
    return Converted(request, tuple(losses))
