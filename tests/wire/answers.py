"""Recorded answers, and what they say, counted without any reader or writer of the library: views/ knows each dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .evidence import Reported
from .values import compact
from .views import VIEWS

__all__ = ("as_request", "asks", "complaints", "said_beside", "stop_in", "stop_told", "tokens", "usage_in")


def as_request(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the history of a request would hold it, for the ledger of requests; its other fields stand beside."""
    return VIEWS[name].as_request(body)


def said_beside(name: str, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What an answer says besides its messages, its usage and why it stopped."""
    return VIEWS[name].said_beside(body)


def usage_in(name: str, body: Mapping[str, Any]) -> Any:
    """The counts of an answer, as it has them."""
    return VIEWS[name].usage_in(body)


def tokens(name: str, usage: Mapping[str, Any] | None) -> dict[str, int]:
    """The counts that all formats have, inclusive; a count that is not said is left out."""
    return {key: value for key, value in VIEWS[name].tokens(usage or {}).items() if value is not None}


def complaints(name: str, body: Any) -> list[str]:
    """What the official SDK's types have against an answer, strictly: no coercion, and no field that they do not know."""
    return VIEWS[name].complaints(body)


# --- stop reasons -----------------------------------------------------------------------------------------------------------------

_SAME: Final = (
    frozenset({"stop", "eos", "eos_token", "end_turn", "completed", "complete", "STOP", "COMPLETE"}),
    frozenset({"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"}),
    frozenset({"tool_calls", "function_call", "tool_use", "completed", "STOP", "TOOL_CALL"}),
    frozenset({"stop_sequence", "STOP_SEQUENCE"}),
    frozenset({"model_context_window_exceeded", "model_length"}),
    frozenset({"error", "ERROR", "failed"}),
    frozenset({"content_filter", "content_filtered", "guardrail_intervened", "SAFETY"}),
    frozenset({"content_filter", "content_filtered", "guardrail_intervened", "MODEL_ARMOR"}),
    frozenset({"malformed_tool_use", "MALFORMED_FUNCTION_CALL"}),
    frozenset({"malformed_tool_use", "UNEXPECTED_TOOL_CALL"}),
    frozenset({"pause_turn", "queued", "in_progress", "CONTINUATION"}),
)
"""Stop reasons that mean the same."""

_ENDS: Final = frozenset({"stop", "STOP", "completed", "end_turn", "COMPLETE", "", None})
"""Words for an ordinary end, which mean calls where there are some."""
_CALLS: Final = frozenset({"tool_use", "tool_calls", "function_call", "TOOL_CALL"})


def asks(body: Any) -> bool:
    """Whether an answer asks for a tool."""
    text = compact(body)
    return any(f'"{word}"' in text for word in ("tool_use", "tool_calls", "function_call", "functionCall", "toolUse"))


def stop_in(name: str, body: Mapping[str, Any]) -> Any:
    """The word of an answer for why the model stopped."""
    return VIEWS[name].stop_in(body)


def stop_told(target: str, before: Any, after: Any, has_calls: bool, losses: tuple[Reported, ...]) -> bool:
    """Whether a stop reason came across, or a loss tells of it."""
    for_calls = _SPEAK_OF_THE_END.get(target, _CALLS)
    if has_calls and before in _ENDS | _CALLS and after in for_calls:
        return True
    is_same = before == after or any(before in same and after in same for same in _SAME)
    return (
        is_same or (before in ("", None) and after in (None, "in_progress")) or any("stop reason" in loss.what for loss in losses)
    )


_SPEAK_OF_THE_END: Final[Mapping[str, frozenset[str]]] = {
    "openai_responses": frozenset({"completed"}),
    "gemini": frozenset({"STOP"}),
    "ollama": frozenset({"stop"}),
}
"""By dialect without a word for calls: the one for an ordinary end."""
