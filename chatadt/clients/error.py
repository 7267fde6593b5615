"""Why a chat has no answer, as values.

ChatError.T
  RateLimited    too many requests, or the quota is used up: how long to wait, where the provider says so
  Unauthorized   the key is wrong, or may not do this (401, 402, 403)
  Invalid        the provider refuses the request as it is, in its own words (400, 404, 422, …)
  TooLong        the conversation does not fit the model
  Filtered       the provider's filter refuses the request
  TimedOut       no answer came in time
  Unreachable    no connection, or it broke
  Broken         the provider failed (500 and above, overloaded)
  Unsayable      the request cannot be written in the provider's dialect: nothing was sent
  Unreadable     an answer came, and is none
  Unrecorded     there is no recorded, and no scripted, answer to this request
"""

from __future__ import annotations

from types import NoneType
from typing import Any, TypeAlias, final

from attrs import Attribute, field, frozen

from chatadt._sum import Sum, holds, numeric, terse
from chatadt.chat import ProviderError
from chatadt.content import TEXT
from chatadt.error import ConversionError

__all__ = ("ChatError",)

_SAID = holds("a ProviderError", ProviderError)


def _not_negative(owner: Any, attribute: Attribute[Any], value: Any) -> None:
    if value is not None and value < 0:
        raise ValueError(f"{attribute.name} of {type(owner).__qualname__} is 0 seconds or more, got {value!r}")


_WAIT = (numeric, _not_negative)
_STATUS = holds("an HTTP status or None", int, NoneType)


@final
class ChatError(metaclass=Sum):
    """Why there is no answer; `ChatError.T` is the closed union of the cases, `str` of each is for people.

    `error` has the provider's words, its own code, and in the extras what else it said; `status` is that of HTTP.
    """

    @final
    @frozen(repr=False)
    class RateLimited:
        """Too many requests, or too many tokens. `retry_after` is how many seconds to wait, where the provider says so."""

        error: ProviderError = field(validator=_SAID)
        retry_after: float | None = field(default=None, validator=_WAIT)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            wait = "" if self.retry_after is None else f"; wait {self.retry_after:g} seconds"
            return f"the provider takes no more requests for now: {self.error}{wait}"

    @final
    @frozen(repr=False)
    class Unauthorized:
        """The key is not known, not paid for, or may not do this."""

        error: ProviderError = field(validator=_SAID)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"the provider wants another key, or other rights: {self.error}"

    @final
    @frozen(repr=False)
    class Invalid:
        """The provider refuses the request as it is; `chatadt.check` may know the rule."""

        error: ProviderError = field(validator=_SAID)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"the provider refuses the request: {self.error}"

    @final
    @frozen(repr=False)
    class TooLong:
        """The conversation, or the answer asked for, does not fit the model."""

        error: ProviderError = field(validator=_SAID)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"the request is too long for the model: {self.error}"

    @final
    @frozen(repr=False)
    class Filtered:
        """The provider's filter refuses the request. An answer that it cut short is an answer, and its stop reason says so."""

        error: ProviderError = field(validator=_SAID)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"a filter of the provider refuses the request: {self.error}"

    @final
    @frozen(repr=False)
    class TimedOut:
        """No answer came in time; the provider may be at work on it."""

        error: ProviderError = field(validator=_SAID)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"no answer came in time: {self.error}"

    @final
    @frozen(repr=False)
    class Unreachable:
        """There is no connection, or it broke."""

        error: ProviderError = field(validator=_SAID)
        __repr__ = terse

        def __str__(self) -> str:
            return f"the provider cannot be reached: {self.error}"

    @final
    @frozen(repr=False)
    class Broken:
        """The provider failed, or has too much to do. `retry_after` as in `RateLimited`."""

        error: ProviderError = field(validator=_SAID)
        retry_after: float | None = field(default=None, validator=_WAIT)
        status: int | None = field(default=None, validator=_STATUS)
        __repr__ = terse

        def __str__(self) -> str:
            return f"the provider failed: {self.error}"

    @final
    @frozen(repr=False)
    class Unsayable:
        """The request cannot be written in the provider's dialect without a loss that the policy forbids. Nothing was sent."""

        error: ConversionError.T = field(validator=holds("a ConversionError", ConversionError.T))
        __repr__ = terse

        def __str__(self) -> str:
            return f"nothing was sent: {self.error}"

    @final
    @frozen(repr=False)
    class Unreadable:
        """What came is no answer of the provider's dialect."""

        error: ConversionError.T = field(validator=holds("a ConversionError", ConversionError.T))
        __repr__ = terse

        def __str__(self) -> str:
            return f"the answer cannot be read: {self.error}"

    @final
    @frozen(repr=False)
    class Unrecorded:
        """There is no recorded or scripted answer to this request; `why` says what was looked for, and where."""

        why: str = field(validator=TEXT)
        __repr__ = terse

        def __str__(self) -> str:
            return self.why

    T: TypeAlias = (
        RateLimited
        | Unauthorized
        | Invalid
        | TooLong
        | Filtered
        | TimedOut
        | Unreachable
        | Broken
        | Unsayable
        | Unreadable
        | Unrecorded
    )
