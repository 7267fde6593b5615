"""`reasoning_details`: reasoning of any provider that OpenRouter and the Vercel gateway hand through, in order and signed.

Each detail becomes a `Reasoning`, its signature under the name of the dialect that it belongs to; to the server that gave them they
go back as they came. Source: openrouter.ai, reasoning tokens; open-webui/open-webui#19328, jeremychone/rust-genai#298.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from chatadt.content import Content
from chatadt.dialects._spelling import list_of
from chatadt.json import Extras
from chatadt.message import Message

__all__ = ("FORMATS", "with_details", "without_details")

FORMATS: Final[Mapping[str, str]] = {
    "anthropic-claude-v1": "anthropic",
    "openai-responses-v1": "openai_responses",
    "azure-openai-responses-v1": "openai_responses",
    "xai-responses-v1": "openai_responses",
    "google-gemini-v1": "gemini",
}
"""The `format` of a detail, and the dialect to which its signature or encrypted text means something."""


def with_details(message: Message.T, dialect: str) -> Message.T:
    """The message with one `Reasoning` for each detail, in place of the plain reasoning beside them."""
    if not isinstance(message, Message.Assistant):
        return message
    own = message.extras.of(dialect)
    details = _details(own.get("reasoning_details"))
    if not details:
        return message
    del own["reasoning_details"]
    plain = [content for content in message.contents if isinstance(content, Content.Reasoning)]
    rest = tuple(content for content in message.contents if not isinstance(content, Content.Reasoning))
    came: dict[str, Any] = {"$details": details, "$plain": [[content.text, content.extras.of(dialect)] for content in plain]}
    first, *others = (_reasoning(detail) for detail in details)
    extras = {**{name: value for name, value in message.extras.items() if name != dialect}, **({dialect: own} if own else {})}
    return evolve(message, contents=(evolve(first, extras=first.extras.having(dialect, came)), *others, *rest), extras=extras)


def without_details(message: Message.T, dialect: str) -> Message.T:
    """The message with its details as they came, if they came from this dialect."""
    if not isinstance(message, Message.Assistant):
        return message
    came = next((notes for content in message.contents if (notes := _notes(content, dialect))), None)
    if came is None:
        return message
    plain = tuple(item for pair in list_of(came, "$plain", list) for item in _plain(pair, dialect))
    rest = tuple(content for content in message.contents if not isinstance(content, Content.Reasoning))
    extras = message.extras.having(dialect, {"reasoning_details": came["$details"]})
    return evolve(message, contents=(*plain, *rest), extras=extras)


def _notes(content: Content.Output, dialect: str) -> dict[str, Any] | None:
    if not isinstance(content, Content.Reasoning):
        return None
    own = content.extras.of(dialect)
    return own if _details(own.get("$details")) else None


def _plain(pair: list[Any], dialect: str) -> Iterator[Content.Reasoning]:
    """Reasoning that stood beside the details, if a pair says some: its text, and its fields."""
    match pair:
        case [str() as text, {**own}]:
            yield Content.Reasoning(text, {dialect: own})
        case _:
            return


def _details(value: Any) -> list[dict[str, Any]]:
    """The details, or none where one of them is of a kind that is not known."""
    match value:
        case [*details] if all(map(_is_detail, details)):
            return details
        case _:
            return []


def _is_detail(value: Any) -> bool:
    match value:
        case {"type": "reasoning.text", "text": str()} | {"type": "reasoning.summary", "summary": str()}:
            return True
        case {"type": "reasoning.encrypted", "data": str()}:
            return True
        case _:
            return False


def _reasoning(detail: dict[str, Any]) -> Content.Reasoning:
    owner = FORMATS.get(str(detail.get("format")))
    match detail:
        case {"type": "reasoning.encrypted", "data": data}:
            return Content.Reasoning("", _encrypted(owner, data))
        case {"type": "reasoning.summary", "summary": summary}:
            return Content.Reasoning(summary)
        case _:
            signature = detail.get("signature")
            signed = isinstance(signature, str) and signature and owner == "anthropic"
            return Content.Reasoning(detail["text"], {"anthropic": {"signature": signature}} if signed else {})


def _encrypted(owner: str | None, data: str) -> Extras:
    """Encrypted reasoning in the words of the dialect that can read it."""
    match owner:
        case "anthropic":
            return Extras({owner: {"$type": "redacted_thinking", "data": data}})
        case "openai_responses":
            return Extras({owner: {"encrypted_content": data}})
        case _:
            return Extras()
