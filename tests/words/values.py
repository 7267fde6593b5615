"""A strategy for every case of every union and for every other word, by class."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from templates.parts import MODULES as OF_TEMPLATES, PARTS

from chatadt import chat, content, delta, error, history, json, loss, message, resource, strategies, tool

MODULES: Final[tuple[ModuleType, ...]] = (chat, content, delta, error, history, json, loss, message, resource, tool, *OF_TEMPLATES)

_TEXTS: Final = strategies.texts()
_RESOURCES: Final = strategies.resources()
_ARGUMENTS: Final = strategies.arguments()
_METADATA: Final = strategies.metadata()

_LOSSES: Final = st.builds(
    loss.Loss,
    _TEXTS,
    _TEXTS,
    st.sampled_from(loss.Action),
    st.none() | strategies.documents(),
    _TEXTS,
    st.sampled_from(loss.Weight),
)
_PROBLEMS: Final = st.builds(error.Problem, _TEXTS, _TEXTS, _TEXTS)
_VIOLATIONS: Final = st.builds(error.Violation, _TEXTS, _TEXTS, _TEXTS, _TEXTS, st.sampled_from(error.Severity))


def _tuples(strategy: SearchStrategy[Any]) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=2).map(tuple)


VALUES: Final[Mapping[type, SearchStrategy[Any]]] = {
    **PARTS,
    **strategies.CONTENTS,
    **strategies.MESSAGES,
    **strategies.DELTAS,
    **strategies.TOOL_CHOICES,
    **strategies.RESPONSE_FORMATS,
    **strategies.THINKING,
    resource.Resource.Ref: _RESOURCES.filter(lambda found: isinstance(found, resource.Resource.Ref)),
    resource.Resource.Binary: _RESOURCES.filter(lambda found: isinstance(found, resource.Resource.Binary)),
    content.Arguments.Parsed: st.builds(content.Arguments.Parsed, strategies.documents()),
    content.Arguments.Malformed: st.builds(content.Arguments.Malformed, _TEXTS, _TEXTS),
    error.ConversionError.UnknownDialect: st.builds(error.ConversionError.UnknownDialect, _TEXTS, _tuples(_TEXTS)),
    error.ConversionError.Unreadable: st.builds(error.ConversionError.Unreadable, _TEXTS, _tuples(_PROBLEMS)),
    error.ConversionError.Invalid: st.builds(error.ConversionError.Invalid, _TEXTS, _tuples(_VIOLATIONS)),
    error.ConversionError.Lossy: st.builds(error.ConversionError.Lossy, _TEXTS, st.sampled_from(loss.Policy), _tuples(_LOSSES)),
    error.ConversionError.Refused: st.builds(
        error.ConversionError.Refused, _TEXTS, _METADATA.map(lambda known: known.error).filter(bool)
    ),
    error.ConversionError.Unavailable: st.builds(error.ConversionError.Unavailable, _TEXTS, _TEXTS),
    error.Problem: _PROBLEMS,
    error.Violation: _VIOLATIONS,
    loss.Loss: _LOSSES,
    loss.Converted: st.builds(loss.Converted, strategies.documents(), _tuples(_LOSSES)),
    json.Json: strategies.documents(),
    json.Extras: strategies.extras(),
    history.History: strategies.histories(),
    tool.Tool: strategies.tools(),
    tool.ProviderTool: st.builds(tool.ProviderTool, _TEXTS, strategies.documents()),
    chat.ChatRequest: strategies.chat_requests(),
    chat.ChatResponse: strategies.chat_responses(),
    chat.ModelParams: strategies.params(),
    chat.Metadata: _METADATA,
    chat.Choice: strategies.choices(),
    chat.ProviderError: _METADATA.map(lambda known: known.error).filter(bool),
    chat.Usage: _METADATA.map(lambda known: known.usage).filter(bool),
    chat.StopReason: _METADATA.map(lambda known: known.stop).filter(bool),
}
"""By class: the strategy of its values. `test_cases` finds the classes by itself and sees that none is missing."""

NAMESPACE: Final[Mapping[str, Any]] = {name: getattr(module, name) for module in MODULES for name in module.__all__}
"""What a person who evaluates a `repr` has imported."""
