"""What a broken law shows, and what all laws share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from attrs import fields, has
from returns.result import Failure, Success

from chatadt.chat import ChatRequest, ResponseFormat, Thinking
from chatadt.content import Content
from chatadt.dialects import DIALECTS, Dialect
from chatadt.error import show
from chatadt.json import Extras
from chatadt.loss import Converted
from chatadt.message import Message
from chatadt.result import closed
from chatadt.tool import ProviderTool, ToolChoice

__all__ = ("Broken", "answer_of", "dialect_of", "quotes", "read_back", "written_by")

V = TypeVar("V")
_LONGEST: Final = 2_000


class Broken(AssertionError):
    """A law does not hold of an example: what was given, by way of what, and what came out of it."""

    def __init__(self, law: str, *, given: object, via: object, got: object) -> None:
        super().__init__(law)
        self.law, self.given, self.via, self.got = law, given, via, got

    def __str__(self) -> str:
        """Made when it is asked for: a search for the smallest example meets thousands of them."""
        lines = (self.law, f"  given {_shown(self.given)}", f"  via   {_shown(self.via)}", f"  got   {_shown(self.got)}")
        return "\n".join(lines)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def dialect_of(dialect: str | Dialect) -> Dialect:
    if isinstance(dialect, Dialect):
        return dialect
    if dialect not in DIALECTS:
        raise ValueError(f"expected the name of a dialect ({', '.join(DIALECTS)}) or a Dialect, got {show(dialect)}")
    return DIALECTS[dialect]


def answer_of(call: Callable[[], V], law: str, given: object, via: str) -> V:
    try:
        return call()
    except Exception as error:  # a law about whatever may be raised
        raise Broken(law, given=given, via=via, got=error) from error


def written_by(dialect: Dialect, request: ChatRequest) -> Converted[dict[str, Any]]:
    return answer_of(lambda: dialect.write_request(request), "a writer never raises", request, f"{dialect.name}.write_request")


def read_back(dialect: Dialect, body: dict[str, Any], request: ChatRequest) -> ChatRequest | None:
    """The request that a written body is read to. None where the request holds something of the dialect's own that it cannot read:
    whoever hands a dialect its own words verbatim vouches for them.
    """
    match closed(dialect.read_request(body)):
        case Success(again):
            return again
        case Failure() if quotes(request, dialect.name):
            return None
        case Failure(error):
            raise Broken("what a dialect writes, it reads", given=request, via=body, got=error)


def quotes(value: object, dialect: str) -> bool:
    """Whether a word holds something verbatim of a dialect: a custom case, or extras."""
    if isinstance(value, tuple):
        return any(quotes(item, dialect) for item in cast("tuple[object, ...]", value))
    if isinstance(value, Extras):
        return dialect in value
    if isinstance(value, _CUSTOM):
        return value.dialect == dialect
    case = type(value)
    return has(case) and any(quotes(getattr(value, field.name), dialect) for field in fields(case))


_CUSTOM = Content.Custom | Message.Custom | ProviderTool | ToolChoice.Custom | ResponseFormat.Custom | Thinking.Custom
