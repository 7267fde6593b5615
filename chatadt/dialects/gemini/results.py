"""Tool results of Gemini, both ways: the object that a tool gives, and the text that it says.

The key `output` holds what a tool gave, `error` how it failed; an object with other keys is the output itself, and stands as JSON.
"""

from __future__ import annotations

from typing import Any, Final, cast

from chatadt._wire import json
from chatadt.content import Content
from chatadt.dialects._codec import OK
from chatadt.dialects._losses import Block, rewritten
from chatadt.dialects.gemini.codec import NAME
from chatadt.dialects.gemini.config import unplaced
from chatadt.error import Unexpected
from chatadt.json import parse, why_not_json
from chatadt.loss import Loss
from chatadt.message import Message, Outcome

__all__ = ("response_note", "response_text", "write_response")

_NOTHING: Final[tuple[Any, ...]] = (None, {}, {"error": {}})
"""What a response is that says nothing."""


def response_text(response: Any) -> str | None:
    """The text of a response, as JSON where it is none; None where it says nothing."""
    if response in _NOTHING:
        return None
    if response.__class__ is not dict:
        raise Unexpected.of("an object", response, ".response")
    match _alone(response):
        case None:
            return json(response).text
        case str() as text:
            return text
        case _ as value:
            return json(value).text


def response_note(response: Any) -> Block:
    """The note by which a text becomes the response again that it was."""
    if response is None:
        return {"$absent": ["response"]}
    if response in _NOTHING:
        return {}
    match _alone(response):
        case None:
            return {"$response": "object"}
        case str():
            return {}
        case _:
            return {"$response": "value"}


def _alone(response: Any) -> Any:
    """The output or the error of a response that is nothing else; None of one that is more."""
    return response.get("output", response.get("error")) if len(response) == 1 else None


# --- writing -----------------------------------------------------------------------------------------------------------------


def write_response(message: Message.ToolResult, notes: Block, losses: list[Loss]) -> Block:
    """The object that a result is: what the tool gave as its output or its error, or the object that it gave itself."""
    texts = [c for c in message.contents if isinstance(c, Content.Text) and not c.extras.of(NAME).get("$in_result")]
    for text in texts:
        losses += unplaced(text.extras)
    key = "output" if message.outcome is OK else "error"
    if message.outcome is Outcome.DENIED:
        losses.append(rewritten("the outcome", "denied", "a result is an output or an error", path=".outcome"))
    if not texts:
        return {"error": {}} if key == "error" else {}
    if len(texts) > 1:
        said = [text.text for text in texts]
        losses.append(rewritten("the texts of a result", said, "a result has one output: they are joined by line breaks"))
        return {key: "\n".join(said)}
    only = texts[0].text
    if "$response" in notes and why_not_json(only) is None:
        value = parse(only)
        if notes["$response"] == "value":
            return {key: value}
        if value.__class__ is dict and (value.get("error") is not None) is (key == "error"):
            return cast("Block", value)
    return {key: only}
