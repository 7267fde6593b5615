"""What a model said: the items of an answer as the contents of one message; `turn` writes them back.

What an item says beyond its words stands in the extras of its first content, under `item`. Notes tell where an item begins and how
it was spelt, so that the same items are written back:

    $item    "list" or "string": a message begins here and is spelt so; "new": it begins here, and is spelt as usual
    $header  fields of that message which say nothing
    $more    this text goes on with the reasoning item of the text before it
    $part    this text stands in the content of a reasoning item, not in its summary
    $silent  a reasoning item without a text
    $content what a reasoning item has for its content when that is no text
    $bare    the fillers that were left out

A part of a message that there is no word for is a `Content.Custom` of `{"$part": …}`, any other item one of the item itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from chatadt._hooks import structuring
from chatadt._wire import each, json, leftover, string
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import at, plain_assistant, plain_text, tool_name
from chatadt.dialects.openai_responses.codec import (
    CODEC,
    NAME,
    OUTPUT_FILLERS,
    list_of_parts,
    said_plainly,
    type_of,
    unfilled,
    with_notes,
)
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Json
from chatadt.message import Message

__all__ = ("USUAL", "Said", "custom_call", "function_call", "grouped", "part_of", "reasoning", "said", "spoken")

USUAL: Final[Mapping[str, Any]] = {"type": "message", "status": "completed"}
"""What a message of an assistant that is a list of parts says of itself when it says nothing."""


class Said(NamedTuple):
    """What one item of a model comes to; `opens` when it is a message, whose parts must not run into those of the next."""

    contents: tuple[Content.Output, ...]
    opens: bool = False


def grouped(items: Iterable[Message.T | Said]) -> Iterator[Message.T]:
    """The items of a model that follow each other as one message, everything else as it is."""
    turn: list[Content.Output] = []
    is_open = False
    for item in items:
        if isinstance(item, Said):
            turn += _beginning(item.contents) if is_open and item.opens else item.contents
            is_open = item.opens
            continue
        if turn:
            yield plain_assistant(tuple(turn))
            turn, is_open = [], False
        yield item
    if turn:
        yield plain_assistant(tuple(turn))


def _beginning(contents: tuple[Content.Output, ...]) -> tuple[Content.Output, ...]:
    """The parts of a message that follows another one, marked where nothing else would tell where it begins."""
    first = contents[0]
    notes: Any = first.value.value if isinstance(first, Content.Custom) else first.extras.of(NAME)
    return contents if "$item" in notes else _headed(contents, {"$item": "new"})


def said(value: Any) -> Said:
    """An item that there are no words for."""
    return Said((Content.Custom(NAME, json(value)),))


def spoken(value: dict[str, Any]) -> Said:
    """A message. What it says of itself is noted unless it is as a writer would have it."""
    if "content" not in value:
        raise Unexpected.missing("a string or a list of parts", ".content")
    content: Any = value["content"]
    header = {key: item for key, item in value.items() if key not in ("role", "content")}
    if content.__class__ is str:
        text = (plain_text(content),)
        return Said(_headed(text, {"$item": "string", **_header(header)}) if header else text, opens=True)
    parts = at(".content", _parts, content)
    if not parts:
        return said(value)
    is_plain_text = len(parts) == 1 and isinstance(alone := parts[0], Content.Text) and alone.extras is NO_EXTRAS
    is_usual = header == USUAL and not is_plain_text
    return Said(parts if is_usual else _headed(parts, {"$item": "list", **_header(header)}), opens=True)


def _header(header: dict[str, Any]) -> dict[str, Any]:
    """What a message says of itself: something, or nothing but its usual fields."""
    says_something = any(key not in USUAL or USUAL[key] != item for key, item in header.items())
    return {"item": header} if says_something else {"$header": header} if header else {}


def _headed(contents: tuple[Content.Output, ...], notes: dict[str, Any]) -> tuple[Content.Output, ...]:
    """The contents with notes on the first of them."""
    first, *rest = contents
    if isinstance(first, Content.Custom):
        return (Content.Custom(first.dialect, json({**first.value.value, **notes})), *rest)
    return (with_notes(first, notes), *rest)


def _parts(value: Any) -> tuple[Content.Output, ...]:
    return each(part_of, list_of_parts(value))


def part_of(value: Any) -> Content.Output:
    """A part of a message."""
    match type_of(value):
        case "output_text" if "item" not in value:
            return unfilled(_read_text(said_plainly(value, OUTPUT_FILLERS)), value, OUTPUT_FILLERS)
        case "refusal" if "item" not in value:
            return _read_refusal(value)
        case _:
            return Content.Custom(NAME, json({"$part": value}))


def reasoning(value: dict[str, Any]) -> Said:
    """A reasoning item: each text of it is a content, and the first one has what the item says beyond them."""
    summary: Any = value.get("summary")
    content: Any = value.get("content")
    if not (_are_texts(summary, "summary_text") and (content is None or _are_texts(content, "reasoning_text"))):
        return said(value)
    texts = [_read_reasoning(part) for part in summary]
    texts += [with_notes(_read_reasoning(part), {"$part": "reasoning_text"}) for part in content or ()]
    header = {key: item for key, item in value.items() if key not in ("type", "summary", "content")}
    notes: dict[str, Any] = {"item": header} if header else {"$item": "new"}
    if "content" in value and not content:
        notes["$content"] = content
    if not texts:
        notes["$silent"] = True
    first, *more = texts or [Content.Reasoning("")]
    return Said((with_notes(first, notes), *(with_notes(text, {"$more": True}) for text in more)))


def _are_texts(value: Any, kind: str) -> bool:
    return value.__class__ is list and all(
        part.__class__ is dict and part.get("type") == kind and part.get("text").__class__ is str and "item" not in part
        for part in value
    )


def function_call(value: dict[str, Any]) -> Said:
    """A call of a function."""
    request = _read_request(value)
    if request.arguments is NO_ARGUMENTS:  # nothing at all, which means {}
        request = with_notes(request, {"$arguments": value["arguments"]})
    return Said((request,))


def custom_call(value: dict[str, Any]) -> Said:
    """A call of a tool that takes text: its arguments are that text, as a JSON string."""
    arguments = Arguments.Parsed(Json.of(at(".input", string, value.get("input"))))
    id_, name = at(".call_id", string, value.get("call_id")), at(".name", tool_name, value.get("name"))
    rest = {key: item for key, item in value.items() if key not in ("type", "call_id", "name", "input")}
    return Said((Content.ToolRequest(id_, name, arguments, leftover(rest, NAME, {"$type": "custom"})),))


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_read_text: Final = structuring(CODEC, Content.Text)
_read_refusal: Final = structuring(CODEC, Content.Refusal)
_read_reasoning: Final = structuring(CODEC, Content.Reasoning)
_read_request: Final = structuring(CODEC, Content.ToolRequest)
