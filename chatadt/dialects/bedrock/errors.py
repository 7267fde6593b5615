"""What Bedrock says in place of an answer, or of the rest of one: the words of the provider, and its name for what went wrong.

Source: the exceptions of Converse and ConverseStream in the service model that botocore ships (1.44), how they stand in JSON
(`__type`), and in what boto3 raises (`ClientError.response`). Front doors before the service write `Message`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from chatadt.chat import ProviderError
from chatadt.dialects._answers import beside_error
from chatadt.dialects._losses import Block, rewritten
from chatadt.dialects.bedrock.codec import NAME
from chatadt.loss import Loss

__all__ = ("EXCEPTIONS", "error_event", "event_error", "provider_error")

EXCEPTIONS: Final = (
    "internalServerException",
    "modelStreamErrorException",
    "validationException",
    "throttlingException",
    "serviceUnavailableException",
)
"""The members of a stream of Converse that are errors."""

_MARK: Final = "_message_type"
"""Where an event tells that it came as an exception, beside the name of it."""
_WORDS: Final = ("message", "Message", "errorMessage", "originalMessage")
_CODES: Final = ("__type", "code", "Code", "type")


def provider_error(body: Any) -> ProviderError | None:
    """The error that a body tells; None where it tells none. What else it says is in the extras."""
    if body.__class__ is not dict:
        return None
    inner: Any = next((value for key in ("Error", "error", "Output") if (value := body.get(key)).__class__ is dict), body)
    code = _code(inner)
    message = _said(inner)
    if message is None and (code is None or "__type" not in inner):
        return None
    return _error(message or str(code), code, body)


def event_error(event: Mapping[str, Any]) -> ProviderError | None:
    """The error that an event tells; None where it tells none."""
    is_marked = event.get(_MARK) in ("exception", "error")
    for name, value in event.items():
        if name.__class__ is not str or name == _MARK:
            continue
        if name in EXCEPTIONS or (value.__class__ is dict and (is_marked or name.endswith(("Exception", "Error")))):
            said = _said(value) if value.__class__ is dict else value if value.__class__ is str else None
            return _error(said or name, name, event)
    return _error(_said(event) or "an error", _code(event), event) if is_marked or _is_bare(event) else None


def _is_bare(event: Mapping[str, Any]) -> bool:
    """Whether an event is the body of an error: the server refused, and sent no stream at all."""
    return _said(event) is not None and event.keys() <= {*_WORDS, *_CODES}


def _error(message: str, code: str | None, value: Any) -> ProviderError:
    return ProviderError(message, code, beside_error(value, NAME))


def _said(value: Mapping[str, Any]) -> str | None:
    return next((word for key in _WORDS if isinstance(word := value.get(key), str)), None)


def _code(value: Mapping[str, Any]) -> str | None:
    """The name of an error: `com.amazonaws.bedrock#ThrottlingException:http://…` says more than that."""
    code = next((word for key in _CODES if isinstance(word := value.get(key), str)), None)
    return code if code is None else code.rsplit("#", 1)[-1].split(":", 1)[0]


# --- writing -------------------------------------------------------------------------------------------------------------------

_NEAREST: Final[Mapping[str, str]] = {
    "rate_limit_error": "throttlingException",
    "rate_limit_exceeded": "throttlingException",
    "429": "throttlingException",
    "invalid_request_error": "validationException",
    "400": "validationException",
    "overloaded_error": "serviceUnavailableException",
    "503": "serviceUnavailableException",
    "529": "serviceUnavailableException",
}
"""By another provider's word for an error: the one that means the same."""


def error_event(error: ProviderError) -> Iterator[Block | Loss]:
    """The event of an error, and what is lost."""
    own = error.extras.of(NAME)
    if own:
        yield own
        return
    name = error.code if error.code in EXCEPTIONS else _NEAREST.get(error.code or "", "internalServerException")
    yield {name: {"message": error.message}}
    if error.code is not None and error.code != name:
        yield rewritten("the code of the error", error.code, f"there is no such exception: {name}", path=".code")
