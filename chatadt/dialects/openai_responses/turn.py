"""What a model said: the items of an answer as the contents of one message, and back.

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
from typing import Any, Final, NamedTuple, assert_never, cast

from chatadt._hooks import each, json, leftover, restore, string, structuring, unstructuring
from chatadt.codec import document
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import at, plain_text, tool_name
from chatadt.dialects._losses import Block, dropped, foreign, rewritten, unsaid
from chatadt.dialects.openai_responses.codec import (
    CODEC,
    NAME,
    OUTPUT_FILLERS,
    filled,
    list_of_parts,
    said_plainly,
    type_of,
    unfilled,
    with_notes,
)
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Json
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = ("Said", "custom_call", "function_call", "grouped", "is_custom", "reasoning", "said", "spoken", "write_turn")

_USUAL: Final[Mapping[str, Any]] = {"type": "message", "status": "completed"}
"""What a message of an assistant that is a list of parts says of itself when it says nothing."""


# --- reading -------------------------------------------------------------------------------------------------------------------


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
            yield Message.Assistant(turn)
            turn, is_open = [], False
        yield item
    if turn:
        yield Message.Assistant(turn)


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
    is_usual = header == _USUAL and not is_plain_text
    return Said(parts if is_usual else _headed(parts, {"$item": "list", **_header(header)}), opens=True)


def _header(header: dict[str, Any]) -> dict[str, Any]:
    """What a message says of itself: something, or nothing but its usual fields."""
    says_something = any(key not in _USUAL or _USUAL[key] != item for key, item in header.items())
    return {"item": header} if says_something else {"$header": header} if header else {}


def _headed(contents: tuple[Content.Output, ...], notes: dict[str, Any]) -> tuple[Content.Output, ...]:
    """The contents with notes on the first of them."""
    first, *rest = contents
    if isinstance(first, Content.Custom):
        return (Content.Custom(first.dialect, json({**first.value.value, **notes})), *rest)
    return (with_notes(first, notes), *rest)


def _parts(value: Any) -> tuple[Content.Output, ...]:
    return each(_part, list_of_parts(value))


def _part(value: Any) -> Content.Output:
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


# --- writing -------------------------------------------------------------------------------------------------------------------


class _Turn:
    """The items of one message of the assistant, and the one that is being written."""

    __slots__ = ("header", "items", "parts", "spelt", "thought")

    def __init__(self) -> None:
        self.items: list[Block] = []
        self.parts: list[Block] = []  # of the message that is open
        self.header: Block = {}
        self.spelt: object = None
        self.thought: Block | None = None  # the reasoning item that is open

    def say(self, part: Block, notes: Block) -> None:
        """Add a part to the message that is open, unless the notes say that another one begins."""
        if not self.parts or "$item" in notes or "item" in notes:
            self.close()
            self.header = _object(notes.get("item", notes.get("$header")))
            self.spelt = notes.get("$item")
        self.parts.append(part)

    def think(self, item: Block) -> None:
        """Add a reasoning item, and leave it open."""
        self.add(item)
        self.thought = item

    def add(self, item: Block) -> None:
        """Add a whole item."""
        self.close()
        self.items.append(item)

    def close(self) -> None:
        """Nothing more comes to what is open."""
        if self.parts:
            self.items.append(_message(self.parts, self.header, self.spelt))
            self.parts, self.header, self.spelt = [], {}, None
        self.thought = None


def _object(value: Any) -> Block:
    return cast("Block", value) if isinstance(value, dict) else {}


def _message(parts: list[Block], header: Block, spelt: object) -> Block:
    """A message of the assistant: a string where one text stands alone and says nothing else, or as it was spelt."""
    text = _lone_text(parts)
    if text is not None and (spelt == "string" or (spelt != "list" and not header)):
        return {**header, "role": "assistant", "content": text}
    if spelt in ("list", "string"):
        return {**header, "role": "assistant", "content": parts}
    return {**_USUAL, **header, "role": "assistant", "content": parts}


def _lone_text(parts: list[Block]) -> str | None:
    match parts:
        case [{"type": "output_text", "text": str() as text, **rest}] if rest == OUTPUT_FILLERS:
            return text
        case _:
            return None


def write_turn(contents: tuple[Content.Output, ...], losses: list[Loss]) -> list[Block]:
    """The items of a message of the assistant; what they cannot say is added to `losses`."""
    turn = _Turn()
    for index, content in enumerate(contents):
        if isinstance(content, Content.Text) and content.extras is NO_EXTRAS:
            turn.say({"type": "output_text", "text": content.text, "annotations": []}, {})
        elif isinstance(content, Content.ToolRequest) and content.extras is NO_EXTRAS:
            turn.add(_write_request(content))
        else:
            losses += [loss.under(f".contents[{index}]") for loss in _write(content, turn)]
    turn.close()
    return turn.items


def _write(content: Content.Output, turn: _Turn) -> Iterator[Loss]:
    """Put one content where it belongs, and yield what is lost."""
    match content:
        case Content.Text(extras=extras):
            notes = extras.of(NAME)
            part = {**_without_item(_write_text(content)), "type": "output_text"}
            turn.say(filled(part, OUTPUT_FILLERS, notes), notes)
        case Content.Refusal(extras=extras):
            turn.say(_without_item(_write_refusal(content)), extras.of(NAME))
        case Content.ToolRequest():
            turn.add(_call(content))
        case Content.Reasoning():
            yield from _think(content, turn)
        case Content.Audio(transcript=str() as transcript) if transcript:
            turn.say({"type": "output_text", "text": transcript, "annotations": []}, {})
            yield rewritten("audio", document(content), "there is no audio content: its transcript stands for it")
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant says text and calls only", kind=kind)
            return
        case Content.Custom(dialect=dialect, value=value):
            plain: Any = value.value if dialect == NAME else None
            if isinstance(plain, dict):
                _write_own(cast("Block", plain), turn)
            else:
                yield dropped("a block", value, f"only {dialect} knows this block")
            return
        case _:
            assert_never(content)
    yield from foreign(content.extras, NAME)


def _without_item(part: Block) -> Block:
    """A part without what its item says besides."""
    part.pop("item", None)
    return part


def _write_own(value: Block, turn: _Turn) -> None:
    part: Any = value.get("$part")
    if isinstance(part, dict):
        turn.say(cast("Block", part), value)
    else:
        turn.add(value)


def _think(content: Content.Reasoning, turn: _Turn) -> Iterator[Loss]:
    """Put a text of a reasoning item into it; the first text has the rest of the item with it."""
    notes = content.extras.of(NAME)
    if not notes or (notes.get("$more") and turn.thought is None):
        reason = "a reasoning item is one that this provider made"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)
        return
    if not notes.get("$more"):
        own = {"content": notes["$content"]} if "$content" in notes else {}
        turn.think({"type": "reasoning", **_object(notes.get("item")), "summary": [], **own})
    if turn.thought is None or (notes.get("$silent") and not content.text):
        return
    part = _without_item(_write_reasoning(content))
    if notes.get("$part") == "reasoning_text":
        turn.thought["content"] = [*(turn.thought.get("content") or ()), {**part, "type": "reasoning_text"}]
    else:
        turn.thought["summary"].append(part)


def is_custom(request: Content.ToolRequest) -> bool:
    """Whether a call is of a tool that takes text."""
    return request.extras is not NO_EXTRAS and request.extras.of(NAME).get("$type") == "custom"


def _call(request: Content.ToolRequest) -> Block:
    if is_custom(request):
        text = _input_of(request.arguments)
        call: Block = {"type": "custom_tool_call", "call_id": request.id, "name": request.name, "input": text}
        restore(call, request.extras, NAME)
        return call
    call = _write_request(request)
    notes = request.extras.of(NAME)
    if "$arguments" in notes and request.arguments == NO_ARGUMENTS:
        call["arguments"] = notes["$arguments"]
    return call


def _input_of(arguments: Arguments.T) -> str:
    """The text that a custom tool takes: a JSON string is that text itself."""
    match arguments:
        case Arguments.Parsed(json=stated):
            value = stated.value
            return value if isinstance(value, str) else stated.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(arguments)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_read_text: Final = structuring(CODEC, Content.Text)
_read_refusal: Final = structuring(CODEC, Content.Refusal)
_read_reasoning: Final = structuring(CODEC, Content.Reasoning)
_read_request: Final = structuring(CODEC, Content.ToolRequest)
_write_text: Final = unstructuring(CODEC, Content.Text)
_write_refusal: Final = unstructuring(CODEC, Content.Refusal)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
