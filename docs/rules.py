"""The rules of `chatadt.check` and the dialects that have them, each shown at a conversation that breaks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from chatadt import ChatRequest, Dialect, Severity, Violation, check, repair
from chatadt.check import RULES
from chatadt.dialects import anthropic, bedrock, cohere, gemini, mistral, ollama, openai_chat, openai_responses
from docs.markdown import listed, table
from docs.rule_notes import RULE_NOTES

__all__ = ("PROVIDERS", "broken_by", "page")

PROVIDERS: Final[Mapping[str, Dialect]] = {
    room.DIALECT.name: room.DIALECT for room in (openai_chat, openai_responses, anthropic, gemini, bedrock, ollama, mistral, cohere)
}
"""The dialects of which the page speaks: those with rules of their own."""


def broken_by(name: str) -> Iterator[tuple[str, ChatRequest, Violation]]:
    """Each dialect in which a conversation of the note breaks the rule, the conversation, and the first violation."""
    for shown in RULE_NOTES[name].shown:
        for dialect, known in PROVIDERS.items():
            found = next((each for each in check(shown.breaks, known) if each.rule == name), None)
            if found is not None:
                yield dialect, shown.breaks, found


def page() -> str:
    """Which dialect has which rule; then each rule: what it asks for, what a violation says, and what mending does."""
    return "\n".join((*_overview(), *(line for name in _names() for line in _rule(name))))


def _names() -> Iterable[str]:
    return dict.fromkeys(rule.name for rule in RULES)


def _overview() -> Iterator[str]:
    yield "## Who has which rule"
    yield ""
    yield "● A request that breaks it is refused. ◐ It is said to be, which could not be verified: `check` warns, `convert` lets it"
    yield "be."
    yield ""
    yield table(["rule", *PROVIDERS], ([f"[{name}](#{name})", *_marks(name)] for name in _names()))
    yield ""
    yield "A dialect that is a variant of another one has the rules of that one, but where its own page says otherwise."
    yield ""


def _marks(name: str) -> Iterator[str]:
    severities: dict[str, set[Severity]] = {}
    for dialect, _, found in broken_by(name):
        severities.setdefault(dialect, set()).add(found.severity)
    for dialect in PROVIDERS:
        found = severities.get(dialect, set())
        yield "●" if Severity.ERROR in found else "◐" if found else ""


def _rule(name: str) -> Iterator[str]:
    note = RULE_NOTES[name]
    broken = list(broken_by(name))
    yield f"## {name}"
    yield ""
    yield note.asks
    yield ""
    yield f"- Holds for: {listed(dict.fromkeys(dialect for dialect, _, _ in broken))}."
    yield f"- The server: {note.refused}"
    yield f"- Mended: {_when(name)}. {note.mends}"
    yield f"- Sources: {note.sources}."
    yield ""
    yield table(["dialect", "what", "fix"], _gathered((dialect, (_short(it.what), _short(it.fix))) for dialect, _, it in broken))
    yield ""
    yield "Losses of the repair:"
    yield ""
    yield table(["dialect", "loss"], _gathered((dialect, (loss,)) for dialect, loss in _losses(name)))
    yield ""


_LONGEST: Final = 160


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _gathered(rows: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[list[str]]:
    """One row for all the dialects of which the same is said."""
    said: dict[tuple[str, ...], list[str]] = {}
    for dialect, cells in rows:
        said.setdefault(cells, []).append(dialect)
    return ([listed(dict.fromkeys(dialects)), *cells] for cells, dialects in said.items())


def _when(name: str) -> str:
    automatic = {rule.automatic for rule in RULES if rule.name == name}
    if automatic == {True, False}:
        return "in part whenever a conversation crosses from one dialect to another, in part on request"
    return "whenever a conversation crosses from one dialect to another" if automatic == {True} else "on request"


_MOST_LOSSES: Final = 4


def _losses(name: str) -> Iterator[tuple[str, str]]:
    """What a repair says of the conversations; of many losses of one repair the first."""
    for dialect, request, _ in broken_by(name):
        losses = repair(request, PROVIDERS[dialect]).losses
        yield from ((dialect, _short(str(loss))) for loss in losses[:_MOST_LOSSES])
        if len(losses) > _MOST_LOSSES:
            yield dialect, f"… {len(losses) - _MOST_LOSSES} more of them"
