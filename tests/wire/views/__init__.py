"""What the tests know of the answers and streams of each dialect, by the official clients: no reader and no writer is asked.

Each module has the same functions. `as_request` tells an answer as the history of a request would hold it, in field names that the
ledger walks; `said_beside` what it says besides; `usage_in` and `tokens` its counts, inclusive; `stop_in` why the model stopped;
`complaints` and `event_complaints` what the official types have against an answer or an event, strictly; `accumulated` the answer
that a client puts together of events; `prose` the texts of an event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, cast

from . import anthropic, bedrock, cohere, gemini, mistral, ollama, openai_chat, openai_responses

__all__ = ("NAMES", "VIEWS", "View")


class View(Protocol):
    """What a module of this package has."""

    @staticmethod
    def as_request(body: Mapping[str, Any]) -> dict[str, Any]: ...
    @staticmethod
    def said_beside(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]: ...
    @staticmethod
    def usage_in(body: Mapping[str, Any]) -> Any: ...
    @staticmethod
    def tokens(usage: Mapping[str, Any]) -> dict[str, int | None]: ...
    @staticmethod
    def stop_in(body: Mapping[str, Any]) -> Any: ...
    @staticmethod
    def complaints(body: Any) -> list[str]: ...
    @staticmethod
    def event_complaints(event: Any) -> list[str]: ...
    @staticmethod
    def accumulated(events: list[Any]) -> dict[str, Any]: ...
    @staticmethod
    def prose(event: Any) -> Any: ...


VIEWS: Final[Mapping[str, View]] = {
    module.__name__.rpartition(".")[2]: cast("View", module)
    for module in (openai_chat, anthropic, openai_responses, gemini, bedrock, mistral, cohere, ollama)
}
NAMES: Final = tuple(VIEWS)
