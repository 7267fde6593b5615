"""The rules of `chatadt.check`, each shown at a conversation that breaks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, final

from attrs import frozen

from chatadt import DIALECTS, ChatRequest, Content, History, ModelParams, Thinking, Violation, check, repair
from chatadt.check import RULES
from docs.markdown import listed, table

__all__ = ("RULE_NOTES", "RuleNote", "broken_by", "page")


@final
@frozen
class RuleNote:
    """What a rule asks for, what mending does, and conversations that break the rule."""

    asks: str
    mends: str
    breaks: tuple[ChatRequest, ...]


def _cached(count: int) -> list[Content.Text]:
    return [Content.Text(f"page {number}", {"anthropic": {"cache_control": {"type": "ephemeral"}}}) for number in range(count)]


_ASKED: Final = History().user("What is the weather in Vienna?")
_LONG: Final = "call with spaces, " + "x" * 60
_HALF: Final = "half a pair: \ud83d"


def _calling(id: str, name: str) -> History:
    return _ASKED.assistant([Content.ToolRequest(id, name, {"city": "Vienna"})])


RULE_NOTES: Final[Mapping[str, RuleNote]] = {
    "tool-id": RuleNote(
        "The id of a tool request has only characters that the server takes, is not too long, and stands once in its message.",
        "The id is replaced by one that is derived from it, in the request and in its result. The derived id ends with a hash of"
        " the old one, so that two ids stay two, and the same id gives the same new one when the conversation has grown.",
        (ChatRequest(_calling(_LONG, "weather").result(_LONG, "weather", "rain")),),
    ),
    "tool-name": RuleNote(
        "The name of a tool has only characters that the server takes, and is not too long.",
        "The name is replaced by a derived one wherever it stands: in the tools, the tool choice, the requests and the results.",
        (ChatRequest(_calling("call_1", "weather.today").result("call_1", "weather.today", "rain")),),
    ),
    "lone-surrogate": RuleNote(
        "No text holds half of a surrogate pair, which UTF-8 cannot say. Such text comes from strings that were cut in the middle"
        " of a character.",
        "U+FFFD, the replacement character, takes its place.",
        (ChatRequest(History().user(_HALF)),),
    ),
    "blank-text": RuleNote(
        "No text is empty or nothing but white space, and no message is empty, where the server refuses that.",
        "The text is left out, and the message with it when nothing else is in it.",
        (ChatRequest(History().user(["Look:", " "])),),
    ),
    "tool-pairing": RuleNote(
        "Each tool request is answered by one result, directly behind the message that holds it, and each result answers a"
        " request.",
        "A result that stands too late is moved to its place, always. Only on request: an unanswered tool request gets a result"
        " with the outcome ERROR, and a result that answers nothing is dropped.",
        (
            ChatRequest(_calling("call_1", "weather").user("Well?")),
            ChatRequest(_ASKED.result("call_1", "weather", "rain")),
        ),
    ),
    "needs-turn": RuleNote(
        "The conversation is not empty, and has something besides system messages where the server wants that.",
        "A user message is added that says a full stop.",
        (ChatRequest(History()), ChatRequest(History().system("Be brief."))),
    ),
    "prefill": RuleNote(
        "The conversation does not end with an assistant message, where the model cannot go on with one.",
        "A user message is added that says `Please go on.`",
        (ChatRequest(_ASKED.assistant("The weather is")),),
    ),
    "cache-marks": RuleNote(
        "There are no more cache marks than the server counts.",
        "The first marks are taken away: what comes last in a prefix holds what comes before it.",
        (ChatRequest(History().user(_cached(5))),),
    ),
    "thinking-first": RuleNote(
        "Where thinking has a budget and the conversation ends with tool results, the message that asked for them begins with"
        " reasoning that the provider signed.",
        "The budget for thinking is taken away.",
        (
            ChatRequest(
                _calling("call_1", "weather").result("call_1", "weather", "rain"), ModelParams(thinking=Thinking.Budget(2_048))
            ),
        ),
    ),
    **{
        name: RuleNote(asks, mends, ())
        for name, asks, mends in (
            ("media", "A medium by value is of a type that the server takes from that speaker.", "The medium is dropped."),
            ("media-size", "A medium by value is no larger than the server takes.", "The medium is dropped."),
            ("media-count", "There are no more media of a kind than the server takes in one request.", "The oldest are dropped."),
            ("speaker-name", "The name of a speaker is spelt as the server is said to want it.", "The name is spelt anew."),
            ("first-user", "The first message besides system is a user's.", "A user message is put before it."),
            ("last-user", "The last message is a user's or a tool result.", "A user message is added."),
            ("results-in-order", "The results of a turn stand in the order of its calls.", "They are put in that order."),
            (
                "system-first",
                "No system message stands behind an assistant message or a tool result.",
                "It leads the next user message.",
            ),
            ("needs-tools", "Tool requests in the history come with definitions of tools.", "A bare definition is invented."),
            ("document-needs-text", "A message with a document has a text.", "A text is invented."),
            ("document-name", "The name of a document is spelt as the server wants it, and stands once.", "It is spelt anew."),
            (
                "trailing-space",
                "The text of an assistant message at the end ends in no white space.",
                "The white space is cut off.",
            ),
            ("tool-definitions", "No two tools have one name.", "The later one is dropped."),
            ("tool-description", "The description of a tool is not empty.", "The empty one is left out."),
            ("forced-tool", "No tool is forced while the model thinks.", "The model decides about the tool."),
            ("answer-limit", "A body of the dialect says how long the answer may be, where it must.", "The usual limit is added."),
            ("sampling", "Parameters of sampling are such that the model takes them.", "They are left out or brought into range."),
        )
    },
}
"""By name of a rule. Where no conversation is shown, the rule holds where the table of a dialect says so (`Rules`)."""


def broken_by(name: str) -> Iterator[tuple[str, ChatRequest, Violation]]:
    """Each dialect in which a conversation of the note breaks the rule, the conversation, and the first violation."""
    for request in RULE_NOTES[name].breaks:
        for dialect in DIALECTS:
            found = next((each for each in check(request, dialect) if each.rule == name), None)
            if found is not None:
                yield dialect, request, found


def page() -> str:
    """Every rule: what it asks for, where it holds, what a violation says, and what mending does."""
    return "\n".join(line for name in dict.fromkeys(rule.name for rule in RULES) for line in _rule(name))


def _rule(name: str) -> Iterator[str]:
    note = RULE_NOTES[name]
    broken = list(broken_by(name))
    yield f"## {name}"
    yield ""
    yield note.asks
    yield ""
    if broken:
        yield f"- Holds for: {listed(dict.fromkeys(dialect for dialect, _, _ in broken))}."
    yield f"- Mended: {_when(name)}. {note.mends}"
    yield ""
    if not broken:
        return
    yield table(["dialect", "what", "fix"], _gathered((dialect, (it.what, it.fix)) for dialect, _, it in broken))
    yield ""
    yield "Losses of the repair:"
    yield ""
    yield table(["dialect", "loss"], _gathered((dialect, (loss,)) for dialect, loss in _losses(name)))
    yield ""


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


def _losses(name: str) -> Iterator[tuple[str, str]]:
    for dialect, request, _ in broken_by(name):
        yield from ((dialect, str(loss)) for loss in repair(request, dialect).losses)
