"""What a provider's server would refuse, and how to mend it: rules over the words, with a dialect's data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar, assert_never

from chatadt.chat import NO_PARAMS, ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.marks import CACHE_MARKS, THINKING
from chatadt.checks.pairing import GATHERED, PAIRED
from chatadt.checks.spelling import TOOL_IDS, TOOL_NAMES
from chatadt.checks.text import BLANK_TEXT, SURROGATES, is_whole
from chatadt.checks.turns import PREFILL, TURN
from chatadt.content import Arguments, Content
from chatadt.dialects import DIALECTS
from chatadt.dialects._dialect import Dialect, Spelling, Target
from chatadt.error import Violation
from chatadt.history import History
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss
from chatadt.message import Message
from chatadt.tool import Tool

__all__ = ("RULES", "Server", "adapted", "check", "find", "mended", "repair")

RULES: Final[tuple[Rule, ...]] = (
    TOOL_IDS,
    TOOL_NAMES,
    SURROGATES,
    BLANK_TEXT,
    GATHERED,
    PAIRED,
    TURN,
    PREFILL,
    CACHE_MARKS,
    THINKING,
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
    """The conversation as `dialect` takes it, and every step as a loss; a conversation that breaks no rule comes back as it is."""
    request = _request(conversation)
    mending = mended(request, _server(dialect, model or request.params.model))
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


def find(request: ChatRequest, server: Server, *, spelling: bool = True) -> Iterator[Violation]:
    """Every violation, rule by rule; without `spelling`, those that are more than that."""
    if is_sound(request, server):
        return
    for rule in RULES:
        if (spelling or not rule.automatic) and rule is not GATHERED:
            yield from rule.find(request, server)


def adapted(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """The request with what is a matter of spelling mended, as a crossing from another dialect needs it."""
    return _mended(request, server, [rule for rule in RULES if rule.automatic])


def mended(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    """The request with everything mended."""
    return _mended(request, server, RULES)


def _mended(request: ChatRequest, server: Server, rules: Iterable[Rule]) -> Converted[ChatRequest]:
    if is_sound(request, server):
        return Converted(request)
    losses: list[Loss] = []
    for rule in rules:
        step = rule.mend(request, server)
        request = step.value
        losses += step.losses
    return Converted(request, tuple(losses))


# --- the fast path -------------------------------------------------------------------------------------------------------------


def is_sound(request: ChatRequest, server: Server) -> bool:
    """Whether a request plainly breaks no rule, found in one pass; False says no more than that the rules must have a look."""
    rules = server.dialect.rules
    allows_id, names = rules.tool_id.allows, _Names(rules.tool_name)
    awaited: set[str] = set()
    turns = False
    message: Message.T | None = None
    for message in request.messages:
        match message:
            case Message.ToolResult(id=id_):
                if id_ not in awaited:
                    return False
                awaited.discard(id_)
                turns = True
            case Message.User() | Message.Assistant():
                turns = True
                if awaited or not message.contents:
                    return False
            case Message.System():
                if awaited:
                    return False
            case Message.Custom():
                return False
            case _:
                assert_never(message)
        if message.extras is not NO_EXTRAS:
            return False
        for content in message.contents:
            match content:
                case Content.Text(text=text, extras=extras):
                    if extras is not NO_EXTRAS or not text or text.isspace() or not (text.isascii() or is_whole(text)):
                        return False
                case Content.ToolRequest(id=id_, extras=extras):
                    if id_ in awaited or extras is not NO_EXTRAS or not allows_id(id_) or not names.allow(content):
                        return False
                    awaited.add(id_)
                case Content.Image(extras=extras) | Content.Audio(extras=extras) | Content.PDF(extras=extras):
                    if extras is not NO_EXTRAS:
                        return False
                case Content.Video() | Content.File() | Content.Reasoning() | Content.Refusal() | Content.Custom():
                    return False
                case _:
                    assert_never(content)
    ends = not isinstance(message, Message.Assistant) or server.prefill
    return (
        turns
        and not awaited
        and ends
        and all(isinstance(t, Tool) and not t.extras and names.allows(t.name) for t in request.params.tools)
    )


class _Names:
    """Which names of tools are spelt as they should be; a conversation has few of them, again and again."""

    def __init__(self, spelling: Spelling) -> None:
        self._fine: set[str] = set()
        self._spelling = spelling

    def allow(self, call: Content.ToolRequest) -> bool:
        """Whether a call is sound: its name is taken, and its arguments hold no escape that might be half a pair."""
        match call.arguments:
            case Arguments.Parsed(json=document):
                return "\\u" not in document.text and self.allows(call.name)
            case Arguments.Malformed():
                return False
            case _:
                assert_never(call.arguments)

    def allows(self, name: str) -> bool:
        """Whether the server takes the name."""
        if name in self._fine:
            return True
        if not self._spelling.allows(name):
            return False
        self._fine.add(name)
        return True
