"""Servers that are strict about one thing, or about a drawn selection of things."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from chatadt import DIALECTS, ChatRequest, Content, Converted, Resource
from chatadt.dialects._dialect import (
    NO_TARGET,
    Capability,
    Dialect,
    IdScope,
    ModelProfile,
    Placement,
    Range,
    Rules,
    Says,
    Spelling,
    Target,
)
from chatadt.json import Json
from docs.rules import PROVIDERS

NAME: Final = "strict"
"""Of the dialect that every one of these servers speaks."""

ANY: Final = Spelling(re.compile(r".+", re.DOTALL), re.compile(r"(?!)"), 1_000)
LETTERS: Final = Spelling(re.compile(r"[a-zA-Z0-9_-]+"), re.compile(r"[^a-zA-Z0-9_-]"), 64)
NINE: Final = Spelling(re.compile(r"[a-zA-Z0-9]{9}"), re.compile(r"[^a-zA-Z0-9]"), 9)
NO_TAIL: Final = Spelling(re.compile(r"[a-zA-Z0-9_-]*[a-zA-Z0-9-]"), re.compile(r"(?s:__thought__.*)|[^a-zA-Z0-9_-]"), 64)
FORTY: Final = Spelling(re.compile(r".+", re.DOTALL), re.compile(r"(?!)"), 40)
LETTER_FIRST: Final = Spelling(re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]*"), re.compile(r"[^a-zA-Z0-9_.:-]"), 64)
DOCUMENT_NAME: Final = Spelling(re.compile(r"(?!.*\s\s)[a-zA-Z0-9\s\-()\[\]]+"), re.compile(r"[^a-zA-Z0-9\s\-()\[\]]"), 200)
SPEAKER_NAME: Final = Spelling(re.compile(r"[^\s<|\\/>]+"), re.compile(r"[\s<|\\/>]"), 64)

MARKS: Final = {"marks": ((NAME, "cache_control"),)}


def holds_calls(value: Json) -> bool:
    """Whether a message of the server's own stands for calls."""
    return value.value == {"role": "keeper"}


MEEK: Final = Rules(
    capabilities=(),
    tool_id=ANY,
    tool_name=ANY,
    system=Placement.MESSAGES,
    blank_text=True,
    pairs_tool_calls=False,
    needs_turn=False,
)
"""What takes nearly everything."""

CAPABILITIES: Final = (
    Capability("image by value", Says.NATIVE, Says.NO, Says.NATIVE),
    Capability("image by URL", Says.NATIVE, Says.NO, Says.NO, "only by value"),
    Capability("audio", Says.NO, Says.DEGRADED, Says.NO),
    Capability("video", Says.NO, Says.NO, Says.NO),
    Capability("PDF by value", Says.NATIVE, Says.NO, Says.NATIVE),
    Capability("PDF by URL", Says.NO, Says.NO, Says.NO),
    Capability("file", Says.DEGRADED, Says.NO, Says.DEGRADED),
    Capability("refusal", Says.NO, Says.DEGRADED, Says.NO),
)


def says_document(content: Content.PDF | Content.File) -> bool:
    """A server that is not given documents by URL."""
    return isinstance(content.resource, Resource.Binary)


DEMANDS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "tool_id": ({"tool_id": LETTERS}, {"tool_id": NINE}, {"tool_id": NO_TAIL}, {"tool_id": FORTY}),
    "tool_name": ({"tool_name": LETTERS}, {"tool_name": LETTER_FIRST}),
    "blank_text": ({"blank_text": False},),
    "pairs_tool_calls": ({"pairs_tool_calls": True},),
    "needs_turn": ({"needs_turn": True},),
    "merges_turns": ({"merges_turns": True},),
    "first_user": ({"first_user": True},),
    "last_user": ({"last_user": True}, {"last_user": True, "prefix_field": "prefix"}),
    "results_in_order": ({"results_in_order": True},),
    "unique_ids": ({"unique_ids": IdScope.REQUEST},),
    "needs_tools": ({"needs_tools": True},),
    "system_first": ({"system_first": True},),
    "document_needs_text": ({"document_needs_text": True},),
    "document_name": ({"document_name": DOCUMENT_NAME},),
    "most": ({"most": {"image": 1, "document": 1}}, {"most": {"image": 0}}),
    "most_said": ({"most_said": {"audio": 1, "document": 2}},),
    "largest": ({"largest": {"image": 12, "document": 3}},),
    "largest_said": ({"largest_said": {"image": 8, "video": 0}},),
    "trailing_space": ({"trailing_space": False},),
    "speaker_name": ({"speaker_name": SPEAKER_NAME},),
    "unique_tools": ({"unique_tools": True},),
    "most_tools_said": ({"most_tools_said": 1},),
    "format_name": ({"format_name": LETTERS},),
    "empty_description": ({"empty_description": False},),
    "forces_while_thinking": ({"forces_while_thinking": False},),
    "ranges": (
        {"ranges": {"temperature": Range(0, 1), "top_k": Range(2), "max_output_tokens": Range(most=50)}},
        {"ranges": {"temperature": Range(0, 1.5, certain=False), "presence_penalty": Range(-1, 1, certain=False)}},
    ),
    "answer_limit": ({"answer_limit": 100},),
    "cache_marks": ({**MARKS, "cache_marks": 1}, {**MARKS, "cache_marks": 0}),
    "cache_marks_said": ({**MARKS, "cache_marks_said": 1},),
    "marks_reasoning": ({**MARKS, "marks_reasoning": False},),
    "cache_point": ({"marks": ((NAME, "$points"),), "cache_point": "point"},),
    "thinks_first": ({"thinks_first": (NAME,)},),
    "least_thinking": ({"least_thinking": 1_500},),
    "prefill_while_thinking": ({"prefill_while_thinking": False},),
    "reasoning_leads": ({"reasoning_leads": True},),
    "white_space": ({"blank_text": False, "white_space": True},),
    "blank_beside_calls": ({"blank_text": False, "blank_beside_calls": True},),
    "no_contents": ({"no_contents": False},),
    "empty_result": ({"blank_text": False, "empty_result": False},),
    "empty_assistant": ({"empty_assistant": False},),
    "text_before_results": ({"pairs_tool_calls": True, "merges_turns": True, "text_before_results": True},),
    "holds_calls": ({"pairs_tool_calls": True, "holds_calls": holds_calls, "call_key": "call"},),
    "says_document": ({"says_document": says_document, "document_name": DOCUMENT_NAME, "document_needs_text": True},),
    "untyped": ({"untyped": True, "capabilities": CAPABILITIES, "media_types": {"image": frozenset({"image/png"})}},),
    "checks_bytes": ({"checks_bytes": True},),
    "most_bytes": ({"most_bytes": 20},),
    "most_bytes_said": ({"most_bytes_said": 12},),
    "most_stops": ({"most_stops": 1},),
    "blank_stop": ({"blank_stop": False},),
    "empty_stop": ({"empty_stop": False},),
    "capabilities": ({"capabilities": CAPABILITIES, "media_types": {"image": frozenset({"image/png", "image/jpeg"})}},),
    "models": (
        {
            "merges_turns": True,
            "models": (
                ModelProfile(re.compile(r"gpt"), True, True, apart=frozenset({"text", "image", "document"})),
                ModelProfile(re.compile(r""), True, True, apart=frozenset({"image"})),
            ),
        },
        {"models": (ModelProfile(re.compile(r""), prefill=False, inline_system=False, sampling=False),)},
        {"models": (ModelProfile(re.compile(r""), True, True, first_user_said=True, says_or_calls=True, most_said={"image": 1}),)},
        {"models": (ModelProfile(re.compile(r"gpt"), True, True, sampling=False), ModelProfile(re.compile(r""), True, True))},
    ),
}
"""By name of a field of the rules: what a server may want there."""


def server(**demands: Any) -> Dialect:
    """A server that wants what is said and takes nearly everything else."""
    return evolve(DIALECTS["openai_chat"], name=NAME, rules=evolve(MEEK, **demands), write_request=_write_nothing)


def _write_nothing(request: ChatRequest, target: Target = NO_TARGET) -> Converted[dict[str, Any]]:
    """A writer that loses nothing: what these servers do not take is in their rules."""
    del request, target
    return Converted({})


def one_demand() -> list[Any]:
    """Each demand by itself, as (name, server)."""
    return [(f"{name} {number}", server(**demand)) for name, demands in DEMANDS.items() for number, demand in enumerate(demands)]


def strictest() -> Dialect:
    """The server that wants everything at once."""
    return server(**{key: value for demands in DEMANDS.values() for key, value in demands[0].items()})


@st.composite
def servers(draw: st.DrawFn) -> Dialect:
    """Any selection of demands."""
    names = draw(st.lists(st.sampled_from(sorted(DEMANDS)), unique=True))
    chosen = [draw(st.sampled_from(DEMANDS[name])) for name in names]
    return server(**{key: value for demand in chosen for key, value in demand.items()})


def any_server() -> SearchStrategy[Dialect]:
    """A drawn selection, the strictest of all, or one that exists."""
    return st.one_of(servers(), servers(), st.just(strictest()), st.sampled_from([PROVIDERS[name] for name in sorted(PROVIDERS)]))
