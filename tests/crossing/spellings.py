"""Bodies of every dialect in the field names that the ledger of tests/wire walks. No reader and no writer is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from dialects_bedrock.adapter import as_known as bedrock
from dialects_gemini.as_chat import as_chat as gemini, readable
from dialects_openai_like.family import openai_spelling
from dialects_openai_responses.as_chat import as_chat as openai_responses
from wire.evidence import Reported

__all__ = ("reported", "told")

_SPELLINGS: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "bedrock": bedrock,
    "gemini": gemini,
    "openai_responses": openai_responses,
}


def told(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """A body as the ledger reads it: what a model thought before what it said, and no schema where it says nothing."""
    spelt = _SPELLINGS[name](body) if name in _SPELLINGS else openai_spelling(name, body)
    chat = openai_spelling("openai_chat", spelt)
    messages = [_thinking_first(message) for message in chat.get("messages", ())]
    return _without_empty_schemas({**chat, "messages": messages})


def reported(losses: tuple[Reported, ...]) -> tuple[Reported, ...]:
    """The losses as the ledger reads them: a mark of Bedrock is the attribute that stands for it there."""
    return readable(tuple(map(_as_attribute, losses)))


def _as_attribute(loss: Reported) -> Reported:
    match loss.original:
        case {"type": _, **rest} if loss.what == "cachePoint (bedrock)":
            return loss._replace(original={**rest, **_MARK})
        case {"extras": {"bedrock": {"$cachePoints": [*points]}}}:  # of what is gone with all that was said of it
            return loss._replace(original={**loss.original, "marks": [{**point, **_MARK} for point in points]})
        case _:  # of anything else
            return loss


_MARK: Final = {"type": "ephemeral"}


def _thinking_first(value: Any) -> Any:
    """A thought before its signature, and before what was said, whatever the order of the keys: that order means nothing."""
    match value:
        case {"thinking": str() as thought, **rest}:
            return {"thinking": thought, **rest}
        case dict():
            first = {key: value[key] for key in ("reasoning_content", "reasoning") if key in value}
            return {key: _thinking_first(item) for key, item in {**first, **value}.items()}
        case list():
            return [_thinking_first(item) for item in value]
        case _:  # a scalar
            return value


_EMPTY: Final = ({"type": "object", "properties": {}}, {"type": "object"}, {})


def _without_empty_schemas(body: dict[str, Any]) -> dict[str, Any]:
    """Some servers want a schema of a tool that has no parameters too: an empty one says no more than its absence."""
    if not isinstance(body.get("tools"), list):
        return body
    return {**body, "tools": [_without_empty_schema(tool) for tool in body["tools"]]}


def _without_empty_schema(tool: Any) -> Any:
    match tool:
        case {"function": dict(function)}:
            return {**tool, "function": _without_empty_schema(function)}
        case dict():
            fields = ("input_schema", "parameters")
            return {key: item for key, item in tool.items() if not (key in fields and item in _EMPTY)}
        case _:  # no tool that the ledger knows
            return tool
