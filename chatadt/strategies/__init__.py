"""Hypothesis strategies for every word, for well-formed conversations, and for what a given dialect can say.

For property tests of this library and of yours: `@given(strategies.histories())`. Needs hypothesis (the extra `testing`).
Text is any Unicode without lone surrogates, and often enough blank, quoted, JSON-looking or full of separators. Most words come
without extras, some with those of one or two dialects.
"""

from __future__ import annotations

from chatadt.strategies._conversations import ANYTHING, Vocabulary, chat_requests, histories
from chatadt.strategies._data import documents, extras, identifiers, json, objects, schemas, texts, tool_names
from chatadt.strategies._speeches import SPEECHES, Speech, requests
from chatadt.strategies._streams import DELTAS, deltas, streams
from chatadt.strategies._templates import fillings, prompts, templates, templates_and_fillings, words
from chatadt.strategies._words import (
    CONTENTS,
    MESSAGES,
    RESPONSE_FORMATS,
    THINKING,
    TOOL_CHOICES,
    arguments,
    chat_responses,
    choices,
    contents,
    inputs,
    instructions,
    messages,
    metadata,
    outputs,
    params,
    resources,
    tool_choices,
    tool_definitions,
    tools,
)

__all__ = (
    "ANYTHING",
    "CONTENTS",
    "DELTAS",
    "MESSAGES",
    "RESPONSE_FORMATS",
    "SPEECHES",
    "THINKING",
    "TOOL_CHOICES",
    "Speech",
    "Vocabulary",
    "arguments",
    "chat_requests",
    "chat_responses",
    "choices",
    "contents",
    "deltas",
    "documents",
    "extras",
    "fillings",
    "histories",
    "identifiers",
    "inputs",
    "instructions",
    "json",
    "messages",
    "metadata",
    "objects",
    "outputs",
    "params",
    "prompts",
    "requests",
    "resources",
    "schemas",
    "streams",
    "templates",
    "templates_and_fillings",
    "texts",
    "tool_choices",
    "tool_definitions",
    "tool_names",
    "tools",
    "words",
)
