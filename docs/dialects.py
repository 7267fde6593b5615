"""The dialects as tables: what each can say, what becomes of the rest, what its server asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chatadt import DIALECTS, Dialect
from chatadt.dialects import FOLDERS, VARIANTS, Capability, ModelProfile, Placement, Rules, Says, Spelling
from chatadt.dialects.openai_chat.variants import VARIANTS as ROWS, Variant
from chatadt.framing import Framing
from docs.markdown import code, listed, table

__all__ = ("overview", "page", "variants")

_MARKS: Final = {Says.NATIVE: "●", Says.DEGRADED: "◐", Says.NO: "○"}
_WORDS: Final = {Says.NATIVE: "yes", Says.DEGRADED: "in another shape", Says.NO: "no"}

LEGEND: Final = (
    "Three marks in a cell: from a user, from an assistant, in a tool result. "
    "● the dialect has a shape of its own for it, ◐ it stands in another shape, ○ it cannot be said."
)


def overview(folder: str) -> str:
    """One row for each kind of content, one column for each dialect, whose page is in `folder`."""
    dialects = [DIALECTS[name] for name in FOLDERS]
    kinds = dict.fromkeys(says.kind for dialect in dialects for says in dialect.rules.capabilities)
    head = ["", *(f"[{name}]({folder}{name}.md)" for name in FOLDERS)]
    rows = [[kind, *(_marks(_capability(dialect, kind)) for dialect in dialects)] for kind in kinds]
    others = f"[Variants]({folder}variants.md) of `openai_chat` say what it says: {listed(VARIANTS)}."
    return f"{table(head, rows)}\n\n{LEGEND}\n\n{others}"


def _capability(dialect: Dialect, kind: str) -> Capability | None:
    return next((says for says in dialect.rules.capabilities if says.kind == kind), None)


def _marks(says: Capability | None) -> str:
    return "" if says is None else " ".join(_MARKS[each] for each in (says.user, says.assistant, says.result))


def page(dialect: Dialect) -> str:
    """All that is known of a dialect: its own page, then its data."""
    return "\n".join(_page(dialect))


def _page(dialect: Dialect) -> Iterator[str]:
    yield f"# {dialect.name}"
    yield ""
    yield "<!-- written by python -m docs from the dialect's own page and data: change those -->"
    yield ""
    yield dialect.page.strip()
    yield ""
    yield "The weights are those of a [loss](../../explanation/losses-and-policies.md): content is what a reader of the"
    yield "conversation would miss, detail is the rest."
    yield ""
    yield "## What it can say"
    yield ""
    rows = [
        [says.kind, _WORDS[says.user], _WORDS[says.assistant], _WORDS[says.result], says.how] for says in dialect.rules.capabilities
    ]
    yield table(["content", "from a user", "from an assistant", "in a tool result", "how"], rows)
    yield ""
    yield "## What its server asks for"
    yield ""
    yield "[Rules](../rules.md) says what `check` makes of this."
    yield ""
    yield table(["", ""], _demands(dialect.rules))
    yield ""
    yield "## How its server streams"
    yield ""
    yield table(["", ""], _framing(dialect.framing))
    if len(dialect.rules.models) > 1:
        yield ""
        yield "## What differs between models"
        yield ""
        yield "The first pattern that is found in the name of the model holds."
        yield ""
        yield table(
            [
                "models",
                "may end with an assistant message",
                "system messages inside the conversation",
                "temperature, top_p, top_k",
                "said besides",
            ],
            [_profile(profile, profile is dialect.rules.models[-1]) for profile in dialect.rules.models],
        )
    yield ""


def variants() -> str:
    """The servers that speak OpenAI Chat with differences of their own."""
    return "\n".join(_variants())


def _variants() -> Iterator[str]:
    yield "# Variants of openai_chat"
    yield ""
    yield "<!-- written by python -m docs from the table in chatadt/dialects/openai_chat/variants.py: change that -->"
    yield ""
    yield "Many servers speak OpenAI Chat with differences of their own. Each is a dialect with a name, and a row of this table;"
    yield "all that is not in the row is as [openai_chat](openai_chat.md) has it. What a server says beyond the words is kept under"
    yield "its own name, so that nothing of it reaches another server."
    yield "[Add a provider of your own](../../how-to/add-a-provider.md) makes such a row."
    yield ""
    headings = ["dialect", "server", "takes reasoning in", "answers have it in", "wants it back", "length of the answer"]
    yield table(headings, map(_variant, ROWS))
    yield ""


def _variant(row: Variant) -> list[str]:
    reasoning = f"{code(row.reasoning)}{', beside `reasoning_details`' if row.details else ''}" if row.reasoning else "no field"
    wants = "yes, once tools were used" if row.wants_reasoning else "no"
    return [code(row.name), row.about, reasoning, code(row.reasoning or row.shows), wants, code(row.max_tokens)]


def _framing(framing: Framing) -> Iterator[list[str]]:
    """How the events of a stream stand on the wire."""
    yield ["media type", code(framing.media_type)]
    yield ["events have names", "yes" if framing.has_names else "no"]
    yield ["what follows the last event", "nothing" if framing.terminator is None else code(framing.terminator)]


def _demands(rules: Rules) -> Iterator[list[str]]:
    """What the server asks for: the rows that tell this dialect from a server that takes everything."""
    yield ["id of a tool request", _spelling(rules.tool_id)]
    yield ["name of a tool", _spelling(rules.tool_name)]
    yield ["system prompt", {Placement.MESSAGES: "among the messages", Placement.FIELD: "a field of the request"}[rules.system]]
    blank = "an empty one is refused" if rules.white_space else "refused"
    yield ["text of nothing but white space", "taken" if rules.blank_text else blank]
    yield ["tool request", "answered directly behind its message" if rules.pairs_tool_calls else "answered anywhere"]
    yield ["conversation of nothing but system messages", "refused" if rules.needs_turn else "taken"]
    yield ["messages of one role in a row", "one turn" if rules.merges_turns else "messages of their own"]
    for holds, row in (
        (rules.results_in_order, ["tool results of a turn", "in the order of its calls"]),
        (rules.text_before_results, ["text of a user before tool results", "taken"]),
        (rules.first_user, ["first message besides system", "a user's"]),
        (rules.last_user, ["last message", "a user's or a tool result"]),
        (rules.system_first, ["system message", "not behind an assistant message or a tool result"]),
        (not rules.empty_assistant, ["assistant message without contents", "refused"]),
        (not rules.trailing_space, ["white space at the end of an assistant message that is continued", "refused"]),
        (rules.reasoning_leads, ["reasoning of its own", "followed by what it led to"]),
        (bool(rules.thinks_first), ["open tool loop, with a budget for thinking", "begins with signed reasoning"]),
        (not rules.forces_while_thinking, ["forced tool while the model thinks", "said to be refused"]),
        (not rules.prefill_while_thinking, ["assistant message at the end while the model thinks", "said to be refused"]),
        (rules.needs_tools, ["tool requests in the history", "with definitions of tools"]),
        (rules.unique_tools, ["two tools of one name", "refused"]),
        (not rules.empty_description, ["empty description of a tool", "refused"]),
        (rules.document_needs_text, ["message with a document", "has a text"]),
        (rules.cache_point is not None, ["cache point", "behind a block, once"]),
        (not rules.marks_reasoning, ["cache mark on reasoning", "refused"]),
        (rules.checks_bytes, ["media type of an image", "the one that its bytes show"]),
        (not rules.blank_stop, ["blank stop sequence", "refused"]),
    ):
        if holds:
            yield row
    yield from _bounds(rules)
    for kind, types in rules.media_types.items():
        yield [f"{kind} by value", listed(sorted(types))]


def _bounds(rules: Rules) -> Iterator[list[str]]:
    """Names, numbers and sizes; one that could not be verified says so."""
    for what, spelling in (("name of a document", rules.document_name), ("name of a speaker (said)", rules.speaker_name)):
        if spelling is not None:
            yield [what, _spelling(spelling)]
    for what, most in (
        ("cache marks", rules.cache_marks),
        ("cache marks (said)", rules.cache_marks_said),
        ("stop sequences", rules.most_stops),
        ("characters of base64 in a request", rules.most_bytes),
        ("characters of base64 in a request (said)", rules.most_bytes_said),
        *((f"number of contents: {kind}", most) for kind, most in rules.most.items()),
        *((f"number of contents: {kind} (said)", most) for kind, most in rules.most_said.items()),
        *((f"bytes: {kind}", most) for kind, most in rules.largest.items()),
        *((f"bytes: {kind} (said)", most) for kind, most in rules.largest_said.items()),
    ):
        if most is not None:
            yield [what, f"at most {most:,}"]
    for name, taken in rules.ranges.items():
        yield [f"parameter {code(name)}{'' if taken.certain else ' (said)'}", str(taken)]
    if rules.least_thinking is not None:
        yield ["budget for thinking", f"at least {rules.least_thinking:,} tokens, and less than the answer may have"]


def _spelling(spelling: Spelling) -> str:
    return f"{code(spelling.pattern.pattern)}, at most {spelling.longest} characters"


def _profile(profile: ModelProfile, is_last: bool) -> list[str]:
    models = "all others, and no model" if is_last else code(profile.pattern.pattern)
    says = ["yes" if holds else "no" for holds in (profile.prefill, profile.inline_system, profile.sampling)]
    return [models, *says, ", ".join(_said_of(profile))]


def _said_of(profile: ModelProfile) -> Iterator[str]:
    """What else is said of some models and could not be verified."""
    if profile.first_user_said:
        yield "begins with a user"
    if profile.says_or_calls:
        yield "an assistant message holds contents or tool requests"
    yield from (f"at most {most} of kind {kind}" for kind, most in profile.most_said.items())
