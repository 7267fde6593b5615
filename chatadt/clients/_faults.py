"""What an SDK raised, as a case of `ChatError`: by the provider's own code, its words, and the status of HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import field, frozen

from chatadt._sum import Named
from chatadt.chat import ProviderError
from chatadt.clients.error import ChatError
from chatadt.error import ConversionError, Problem, show
from chatadt.json import NO_EXTRAS, Extras, parse, to_extras

__all__ = (
    "Catch",
    "Fault",
    "Trouble",
    "error_of",
    "error_of_answer",
    "fault_of_body",
    "http_fault",
    "provider_error",
    "stumbled",
    "transport_fault",
    "unreadable",
)


class Trouble(Named):
    """What went wrong without a word from the provider: the SDK itself refused the ARGUMENTS, or the ANSWER is no JSON."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    ARGUMENTS = "arguments"
    ANSWER = "answer"


@final
@frozen
class Fault:
    """All that is known of a failed call: the provider's body and headers, where it said something, or what went wrong before."""

    dialect: str
    message: str
    status: int | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(factory=dict[str, str])
    body: Any = None
    trouble: Trouble | None = None


Catch: TypeAlias = Callable[[Exception], Fault | None]
"""What an SDK knows of an exception; None for one that is a mistake of the program, and is raised again."""


# --- from exceptions -----------------------------------------------------------------------------------------------------------


def http_fault(dialect: str, error: Exception, body: object = None) -> Fault:
    """The fault of an exception that has a status, a response of HTTP, and the body, which is read unless it is given."""
    told: Any = error
    response: Any = getattr(told, "response", None) or getattr(told, "raw_response", None)
    said = (getattr(told, "status_code", None), getattr(told, "code", None), getattr(response, "status_code", None))
    status = next((value for value in said if isinstance(value, int)), None)
    headers: Mapping[str, str] = getattr(response, "headers", None) or getattr(told, "headers", None) or {}
    return Fault(
        dialect,
        str(error),
        status,
        None,
        {key.lower(): value for key, value in headers.items()},
        _body(told, response) if body is None else body,
    )


def _body(error: Any, response: Any) -> object:
    """The body as the server sent it, parsed where it is JSON; else as the SDK parsed it."""
    try:
        sent = getattr(response, "content", None)
    except RuntimeError:  # of a response that nobody has read
        sent = None
    body: object = sent if isinstance(sent, bytes) and sent else getattr(error, "body", None)
    if not isinstance(body, bytes | str):
        return body
    try:
        return parse(body)
    except ValueError:
        return body if isinstance(body, str) else body.decode("utf-8", "replace")


def stumbled(error: BaseException, *libraries: str) -> bool:
    """Whether an exception comes from inside one of `libraries`: that of an SDK's parser over an answer that is none."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    module = "" if last is None else str(last.tb_frame.f_globals.get("__name__"))
    return any(module == library or module.startswith(f"{library}.") for library in libraries)


_TRANSPORTS: Final = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "requests", "urllib3"})


def transport_fault(dialect: str, error: Exception) -> Fault | None:
    """The fault of an exception of an HTTP library or of the operating system, which SDKs let through; None for any other."""
    names = [base.__name__ for base in type(error).__mro__ if base.__module__.partition(".")[0] in _TRANSPORTS]
    if not names and not isinstance(error, OSError):
        return None
    if "InvalidURL" in names:
        return Fault(dialect, str(error), trouble=Trouble.ARGUMENTS)
    late = isinstance(error, TimeoutError) or any("Timeout" in name for name in names)
    return Fault(dialect, str(error) or type(error).__name__, trouble=Trouble.TIMEOUT if late else Trouble.CONNECTION)


def fault_of_body(dialect: str, error: ProviderError, body: object) -> Fault:
    """The fault of an answer that was an error although its status was not."""
    status = next((int(part) for part in [error.code or ""] if re.fullmatch(r"[45]\d\d", part)), None)
    return Fault(dialect, error.message, status, error.code, body=body)


# --- into cases ----------------------------------------------------------------------------------------------------------------


def error_of(fault: Fault) -> ChatError.T:
    """The case of `ChatError` that a fault is."""
    said = provider_error(fault)
    match fault.trouble:
        case Trouble.TIMEOUT:
            return ChatError.TimedOut(said, fault.status)
        case Trouble.CONNECTION:
            return ChatError.Unreachable(said)
        case Trouble.ARGUMENTS:
            return ChatError.Invalid(said)
        case Trouble.ANSWER:
            return unreadable(fault.dialect, fault.message)
        case None:
            return _made(_kind(fault, said), said, fault)
        case _:
            assert_never(fault.trouble)


def error_of_answer(dialect: str, error: ProviderError) -> ChatError.T:
    """The case of `ChatError` that an error is which stands in the place of an answer."""
    fault = fault_of_body(dialect, error, error.extras.of(dialect))
    return _made(_kind(fault, error), error, fault)


def unreadable(dialect: str, got: object) -> ChatError.T:
    """The error of what is no answer."""
    problem = Problem("$", "the JSON object of an answer", show(got))
    return ChatError.Unreadable(ConversionError.Unreadable(dialect, (problem,)))


def provider_error(fault: Fault) -> ProviderError:
    """The provider's words and code, and its whole body as an extra; the SDK's words where the provider said nothing."""
    parts = _parts(fault.body)
    message = next(
        (text for part in parts for key in ("message", "Message", "detail", "error") if (text := _text(part.get(key)))), None
    )
    if message is None:
        message = fault.body if isinstance(fault.body, str) and fault.body.strip() else fault.message
    code = fault.code or next((text for key in _CODE_KEYS for part in parts if (text := _text(part.get(key)))), None)
    trouble = fault.trouble.value if fault.trouble is not None else None
    return ProviderError(message, code or trouble, _extras(fault))


_CODE_KEYS: Final = ("code", "type", "status", "__type", "error_type")
"""Where providers say their code; the last are those of AWS and of Cohere."""


def _parts(body: Any) -> tuple[dict[str, Any], ...]:
    """The objects in which providers say what is wrong, the innermost first."""
    outer = _object(body)
    inner, detail = _object(outer.get("error")), _object(outer.get("detail"))  # the latter of FastAPI, and so of Mistral
    return inner, {"message": detail.get("msg"), "type": detail.get("type")}, outer


def _object(value: Any) -> dict[str, Any]:
    """An object, or the first of a list of them; where there is none, an empty one."""
    first: Any = value[0] if value.__class__ is list and value else value
    return first if first.__class__ is dict else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _extras(fault: Fault) -> Extras:
    return to_extras({fault.dialect: fault.body}) if fault.body.__class__ is dict else NO_EXTRAS


class _Kind(Named):
    """The cases of `ChatError` that a provider's answer can be."""

    RATE = "rate"
    KEY = "key"
    LONG = "long"
    FILTER = "filter"
    LATE = "late"
    BROKEN = "broken"
    INVALID = "invalid"


def _made(kind: _Kind, said: ProviderError, fault: Fault) -> ChatError.T:
    match kind:
        case _Kind.RATE:
            return ChatError.RateLimited(said, _wait(fault, said), fault.status)
        case _Kind.KEY:
            return ChatError.Unauthorized(said, fault.status)
        case _Kind.LONG:
            return ChatError.TooLong(said, fault.status)
        case _Kind.FILTER:
            return ChatError.Filtered(said, fault.status)
        case _Kind.LATE:
            return ChatError.TimedOut(said, fault.status)
        case _Kind.BROKEN:
            return ChatError.Broken(said, _wait(fault, said), fault.status)
        case _Kind.INVALID:
            return ChatError.Invalid(said, fault.status)
        case _:
            assert_never(kind)


_Table: TypeAlias = "tuple[tuple[re.Pattern[str], _Kind], ...]"


def _table(*rows: tuple[_Kind, str]) -> _Table:
    return tuple((re.compile(pattern, re.IGNORECASE), kind) for kind, pattern in rows)


_CODES: Final = _table(
    (_Kind.RATE, r"rate.?limit|insufficient_quota|resource_exhausted|throttl|too.?many.?requests|quota.?exceeded"),
    (_Kind.LONG, r"context_length_exceeded|too_many_tokens|request_too_large|string_above_max_length|context_window"),
    (_Kind.FILTER, r"content_filter|content_policy|responsible_?ai|moderation|guardrail_intervened|sensitive_words"),
    (
        _Kind.KEY,
        r"invalid_api_key|authentication|permission_(error|denied)|unauthenticated|access_?denied|unrecognizedclient|billing",
    ),
    (_Kind.LATE, r"deadline_exceeded|timeout"),
    (
        _Kind.BROKEN,
        (
            r"overloaded|^api_error$|server_?error|service_?unavailable|^(unavailable|internal)$|model_?not_?ready"
            r"|model(_?stream)?_?error_?exception"
        ),
    ),
)
"""What a provider's code says for certain, whatever the status."""

_WORDS: Final = _table(
    (
        _Kind.LONG,
        (
            r"maximum context length|prompt is too long|(input|prompt|request)( is|'s length)? too (long|large)|context window"
            r"|input tokens? exceed|tokens? exceeds? the|exceeds? (the )?(model'?s? )?(maximum|context|input)[^.]*(token|length)"
            r"|too many (input )?tokens|reduce the length|exceeds? (the )?context limit"
            r"|max\w*tokens\b.*(too large|maximum allowed number of output tokens)|maximum tokens you requested exceeds"
        ),
    ),
    (_Kind.KEY, r"api.?key not valid|(invalid|incorrect|expired) api.?key|api.?key expired"),
    (_Kind.KEY, r"credit balance|(insufficient|not enough|no) (account )?(balance|credits?|funds)\b|enable billing"),
    (_Kind.FILTER, r"content (management|filtering) policy|flagged (by|as)|usage polic(y|ies)|safety system"),
)
"""What a message says where a provider has no code of its own for it: of refused requests only."""

_REFUSED: Final = frozenset({None, 200, 400, 413, 422})

_STATUSES: Final[Mapping[int | None, _Kind]] = {
    401: _Kind.KEY,
    402: _Kind.KEY,
    403: _Kind.KEY,
    408: _Kind.LATE,
    413: _Kind.LONG,
    429: _Kind.RATE,
    504: _Kind.LATE,
}

_CERTAIN: Final = frozenset({401, 402, 403, 429})
"""Statuses that outweigh a code: some say of 429 that the request is too large, and mean for what is left of a minute."""

_OWN: Final[Mapping[tuple[str, int | None], _Kind]] = {("cohere", 498): _Kind.FILTER}
"""By dialect and status: what a status says of one provider alone. 498: "contains a deny-listed token" (Cohere's description)."""


def _kind(fault: Fault, said: ProviderError) -> _Kind:
    if (own := _OWN.get((fault.dialect, fault.status))) is not None:
        return own
    if fault.status in _CERTAIN:
        return _STATUSES[fault.status]
    words = said.message if fault.status in _REFUSED else ""
    for table, text in ((_CODES, said.code or ""), (_WORDS, words)):
        if (found := next((kind for pattern, kind in table if pattern.search(text)), None)) is not None:
            return found
    usual = _Kind.INVALID if fault.status is not None and 400 <= fault.status < 500 else _Kind.BROKEN
    return _STATUSES.get(fault.status, usual)


# --- how long to wait ----------------------------------------------------------------------------------------------------------

_AGAIN: Final = re.compile(r"(?:try again|retry) (?:after|in) (\d+(?:\.\d+)?) ?(ms|s|seconds?|milliseconds?)\b", re.IGNORECASE)
_DELAY: Final = re.compile(r"(\d+(?:\.\d+)?)s")


def _wait(fault: Fault, said: ProviderError) -> float | None:
    """Seconds to wait: of a header, of Google's `RetryInfo`, or of the message."""
    known = (_of_headers(fault.headers), _of_details(fault.body), _of_words(said.message))
    return next((seconds for seconds in known if seconds is not None), None)


def _of_headers(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value) * unit
        try:
            moment = parsedate_to_datetime(value)
        except (TypeError, ValueError):
            continue
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - datetime.now(UTC)).total_seconds())
    return None


def _of_details(body: Any) -> float | None:
    for part in _parts(body):
        details: Any = part.get("details")
        for detail in cast("list[object]", details) if isinstance(details, list) else []:
            if (found := _DELAY.fullmatch(str(_object(detail).get("retryDelay")))) is not None:
                return float(found[1])
    return None


def _of_words(message: str) -> float | None:
    found = _AGAIN.search(message)
    return None if found is None else float(found[1]) * (0.001 if found[2].lower().startswith("m") else 1.0)
