"""What a model said: the contents of a message as the items of an answer, with the notes that `said` describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from chatadt._hooks import unstructuring
from chatadt._wire import restore
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._calls import foreign_call
from chatadt.dialects._losses import Block, dropped, foreign, own_or_lost, relocate, rewritten, unsaid
from chatadt.dialects._media import has_words
from chatadt.dialects._openai_like.arguments import arguments_as_noted, input_text
from chatadt.dialects._openai_like.free_form import is_free_form
from chatadt.dialects._spelling import list_of, object_of, one_of
from chatadt.dialects.openai_responses.codec import (
    CODEC,
    NAME,
    OUTPUT_FILLERS,
    filled,
)
from chatadt.dialects.openai_responses.said import USUAL
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight

__all__ = ("write_turn",)


class _Turn:
    """The items of one message of the assistant, and the one that is being written."""

    __slots__ = ("answers", "header", "items", "parts", "spelt", "thought")

    def __init__(self, *, answers: bool) -> None:
        self.answers = answers
        self.items: list[Block] = []
        self.parts: list[Block] = []  # of the message that is open
        self.header: Block = {}
        self.spelt: object = None
        self.thought: Block | None = None  # the reasoning item that is open

    def say(self, part: Block, notes: Block) -> None:
        """Add a part to the message that is open, unless the notes say that another one begins."""
        if not self.parts or "$item" in notes or "item" in notes:
            self.close()
            self.header = object_of(notes, "item" if "item" in notes else "$header")
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
            self.items.append(_message(self.parts, self.header, self.spelt, self.answers))
            self.parts, self.header, self.spelt = [], {}, None
        self.thought = None


def _message(parts: list[Block], header: Block, spelt: object, answers: bool) -> Block:
    """A message of the assistant: a string where one text stands alone and says nothing else, or as it was spelt."""
    text = _lone_text(parts)
    if text is not None and (spelt == "string" or (spelt != "list" and not header and not answers)):
        return {**header, "role": "assistant", "content": text}
    if spelt in ("list", "string"):
        return {**header, "role": "assistant", "content": parts}
    return {**USUAL, **header, "role": "assistant", "content": parts}


def _lone_text(parts: list[Block]) -> str | None:
    match parts:
        case [{"type": "output_text", "text": str() as text, **rest}] if rest == OUTPUT_FILLERS:
            return text
        case _:
            return None


def write_turn(contents: tuple[Content.Output, ...], losses: list[Loss], *, answers: bool = False) -> list[Block]:
    """The items of a message of the assistant; what they cannot say is added to `losses`.

    In answers a message is a list of parts, and reasoning from elsewhere is shown.
    """
    turn = _Turn(answers=answers)
    for index, content in enumerate(contents):
        if isinstance(content, Content.Text) and content.extras is NO_EXTRAS:
            turn.say({"type": "output_text", "text": content.text, "annotations": []}, {})
        elif isinstance(content, Content.ToolRequest) and _is_plain(content):
            turn.add(_write_request(content))
            losses += [loss.under(f".contents[{index}]") for loss in foreign_call(content, NAME)]
        else:
            known = len(losses)
            losses += _write(content, turn)
            relocate(losses, known, f".contents[{index}]")
    turn.close()
    return turn.items


def _is_plain(request: Content.ToolRequest) -> bool:
    """Whether a call is one of a function, of which this dialect said nothing."""
    return request.extras is NO_EXTRAS or (NAME not in request.extras and not is_free_form(request))


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
            yield from foreign(content.extras, NAME) if is_free_form(content) else foreign_call(content, NAME)
            return
        case Content.Reasoning():
            yield from _think(content, turn)
        case Content.Audio(transcript=str() as transcript) if has_words(transcript):
            turn.say({"type": "output_text", "text": transcript, "annotations": []}, {})
            yield rewritten("audio", document(content), "there is no audio content: its transcript stands for it")
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant says text and calls only", kind=kind)
            return
        case Content.Custom():
            own = own_or_lost(content, NAME, takes=dict)
            if isinstance(own, Loss):
                yield own
            else:
                _write_own(own, turn)
            return
        case _:
            assert_never(content)
    yield from foreign(content.extras, NAME)


def _without_item(part: Block) -> Block:
    """A part without what its item says besides."""
    part.pop("item", None)
    return part


def _write_own(value: Block, turn: _Turn) -> None:
    if isinstance(value.get("$part"), dict) and value.keys() <= _OF_A_PART:
        turn.say(value["$part"], value)
    else:
        turn.add(value)


_OF_A_PART: Final = frozenset({"$part", "$item", "$header", "item"})
"""What the block of a part may have; an item of the wire has its type besides."""


def _think(content: Content.Reasoning, turn: _Turn) -> Iterator[Loss]:
    """Put a text of a reasoning item into it; the first text has the rest of the item with it."""
    notes = content.extras.of(NAME)
    is_lone = not notes or (notes.get("$more") and turn.thought is None)
    if is_lone and turn.answers:  # shown, in an item of its own
        notes = {**{key: value for key, value in notes.items() if key == "$part"}, "$silent": True}
        if not content.text:
            return
    elif is_lone:
        reason = "a reasoning item is one that this provider made"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)
        return
    if not notes.get("$more"):
        own = {"content": one_of(notes, "$content", (None, []))} if "$content" in notes else {}
        turn.think({"type": "reasoning", **object_of(notes, "item"), "summary": [], **own})
    if turn.thought is None or (notes.get("$silent") and not content.text):
        return
    part = _without_item(_write_reasoning(content))
    if notes.get("$part") == "reasoning_text":
        turn.thought["content"] = [*list_of(turn.thought, "content", dict), {**part, "type": "reasoning_text"}]
    else:
        turn.thought["summary"].append(part)


def _call(request: Content.ToolRequest) -> Block:
    if is_free_form(request):
        text = input_text(request.arguments)
        call: Block = {"type": "custom_tool_call", "call_id": request.id, "name": request.name, "input": text}
        restore(call, request.extras, NAME)
        return call
    call = _write_request(request)
    notes = request.extras.of(NAME)
    call["arguments"] = arguments_as_noted(request.arguments, notes)
    return call


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_refusal: Final = unstructuring(CODEC, Content.Refusal)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
