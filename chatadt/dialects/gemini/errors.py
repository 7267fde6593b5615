"""What Gemini says in place of the rest of an answer: a number, which is a status of HTTP, its name, and words.

Source: `google.rpc.Code` and the statuses of HTTP that it maps to (google/rpc/code.proto). Google's client goes by the number, and
raises a TypeError of its own where there is none (`google.genai.errors.APIError.raise_error`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from chatadt._wire import fields_of
from chatadt.chat import ProviderError
from chatadt.dialects._answers import error_lost
from chatadt.dialects._losses import Block, invented, rewritten
from chatadt.dialects.gemini.codec import NAME
from chatadt.loss import Loss

__all__ = ("error_event",)

_STATUSES: Final[Mapping[str, int]] = {
    "CANCELLED": 499,
    "UNKNOWN": 500,
    "INVALID_ARGUMENT": 400,
    "DEADLINE_EXCEEDED": 504,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "PERMISSION_DENIED": 403,
    "UNAUTHENTICATED": 401,
    "RESOURCE_EXHAUSTED": 429,
    "FAILED_PRECONDITION": 400,
    "ABORTED": 409,
    "OUT_OF_RANGE": 400,
    "UNIMPLEMENTED": 501,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DATA_LOSS": 500,
}
"""By name: the number."""

_NEAREST: Final[Mapping[str, str]] = {
    "invalid_request_error": "INVALID_ARGUMENT",
    "validationException": "INVALID_ARGUMENT",
    "authentication_error": "UNAUTHENTICATED",
    "invalid_api_key": "UNAUTHENTICATED",
    "permission_error": "PERMISSION_DENIED",
    "not_found_error": "NOT_FOUND",
    "model_not_found": "NOT_FOUND",
    "rate_limit_error": "RESOURCE_EXHAUSTED",
    "rate_limit_exceeded": "RESOURCE_EXHAUSTED",
    "insufficient_quota": "RESOURCE_EXHAUSTED",
    "throttlingException": "RESOURCE_EXHAUSTED",
    "timeout_error": "DEADLINE_EXCEEDED",
    "overloaded_error": "UNAVAILABLE",
    "serviceUnavailableException": "UNAVAILABLE",
}
"""By another provider's word for an error: the name that means the same."""

_OTHERWISE: Final = "INTERNAL"
_LONGEST: Final = 9
"""How many digits a number may have."""
_BESIDE: Final = frozenset({"candidates", "usageMetadata"})
"""What a chunk with an error says of the answer, which is told as such."""


def error_event(error: ProviderError) -> Iterator[Block | Loss]:
    """The chunk of an error, and what is lost, at its path in the answer."""
    own = {key: value for key, value in fields_of(error.extras.of(NAME)) if key not in _BESIDE}
    yield own or {"error": _told(error)}
    if not own:
        yield from (loss.under("$.metadata.error") for loss in _lost(error.code))
    yield from (loss.under("$.metadata.error") for loss in error_lost(error, NAME))


def _told(error: ProviderError) -> Block:
    number = _number(error.code)
    if number is not None:
        return {"code": number, "message": error.message}
    status = _status(error.code)
    return {"code": _STATUSES[status], "message": error.message, "status": status}


def _lost(code: str | None) -> Iterator[Loss]:
    number = _number(code)
    said = _STATUSES[_status(code)] if number is None else number
    if code is None:
        yield invented("the code of the error", f"a client wants one: {said}")
    elif str(said) != code:
        yield rewritten("the code of the error", code, f"a code is the number of a status: {said}", path=".code")


def _number(code: str | None) -> int | None:
    """The number that a code is."""
    return int(code) if code is not None and code.isascii() and code.isdecimal() and len(code) <= _LONGEST else None


def _status(code: str | None) -> str:
    return code if code is not None and code in _STATUSES else _NEAREST.get(code or "", _OTHERWISE)
