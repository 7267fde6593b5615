"""The words -> OpenAI Responses JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss.

A message of the assistant comes to as many items as it has runs of text, reasoning items, calls and blocks of this dialect's own
(see `turn`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, cast

from chatadt._hooks import unstructuring
from chatadt.chat import ChatRequest
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._calls import Asked
from chatadt.dialects._dialect import NO_TARGET, Target
from chatadt.dialects._losses import (
    Block,
    dropped,
    foreign,
    foreign_message,
    nameless,
    omitted,
    own_or_lost,
    parted,
    relocate,
    unsaid,
)
from chatadt.dialects._openai_like.free_form import is_free_form
from chatadt.dialects._openai_like.write import outcome_lost
from chatadt.dialects._spelling import one_of
from chatadt.dialects.openai_responses.codec import CODEC, NAME
from chatadt.dialects.openai_responses.media import document_part, image_part
from chatadt.dialects.openai_responses.params import BEFORE, write_params
from chatadt.dialects.openai_responses.plain import plain_items
from chatadt.dialects.openai_responses.turn import write_turn
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("write_request",)


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    if target.store is not None:
        body["store"] = target.store
    items = _items(request.messages, body, target, losses)
    spelt = request.params.extras.of(NAME).get("$input") if request.params.extras is not NO_EXTRAS else None
    match spelt, items:
        case "string", [{"role": "user", "content": str() as text, **rest}] if not rest:
            body["input"] = text
        case "null", []:
            body["input"] = None
        case "absent", []:  # the body had no input, and there is none to add
            pass
        case _:  # spelt as a list, or a conversation that needs one by now
            body["input"] = items
    return Converted(body, tuple(losses))


def _items(messages: tuple[Message.T, ...], body: Block, target: Target, losses: list[Loss]) -> list[Block]:
    items: list[Block] = []
    asked = Asked(messages)
    forgets = target.store is False or target.strip_item_ids
    known = len(losses)
    for index, message in enumerate(messages):
        if index == 0 and (text := _instructions(message)) is not None:
            body["instructions"] = text
            continue
        plain = None if forgets else plain_items(message, index, asked)
        if plain is not None:
            items += plain
            continue
        written = _message(message, index, body, asked, losses)
        if target.store is False:
            losses += _forgotten(body)
        items += _remembered(written, target, losses) if forgets else written
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
            known = len(losses)
    return items


def _forgotten(body: Block) -> Iterator[Loss]:
    """What a conversation goes on with that nobody keeps."""
    for key in _KEPT:
        if key in body:
            yield dropped(key, body.pop(key), "what is not stored cannot be gone on with")


_KEPT: Final = ("previous_response_id", "conversation")


def _instructions(message: Message.T) -> str | None:
    """The text of a system message that came from a field of its own, where it can go back there."""
    if not isinstance(message, Message.System) or message.extras is NO_EXTRAS or len(message.contents) != 1:
        return None
    text = message.contents[0]
    is_own = message.extras.of(NAME).keys() == {"$instructions"} and set(message.extras) == {NAME}
    return text.text if is_own and isinstance(text, Content.Text) and text.extras is NO_EXTRAS else None


def _remembered(items: list[Block], target: Target, losses: list[Loss]) -> list[Block]:
    """The items of one message, without what the server is known not to have."""
    remembered: list[Block] = []
    strips = target.strip_item_ids
    for item in items:
        kind = item.get("type") or ("message" if "role" in item else "item_reference")
        if kind == "reasoning" and not item.get("encrypted_content"):
            reason = "without its encrypted content only the server has it"
            losses.append(dropped("reasoning", item, reason, weight=Weight.DETAIL))
            strips = True  # the items that it led to are refused under their ids without it
        elif kind == "item_reference" and target.store is False:
            losses.append(dropped("a message", item, "what is not stored cannot be referred to"))
        elif strips and kind in _NAMED and item.get("id") is not None:
            reason = "under its id an item is taken only with the reasoning that it came from"
            losses.append(dropped("the id of an item", item["id"], reason, weight=Weight.DETAIL))
            remembered.append({key: field for key, field in item.items() if key != "id"})
        else:
            remembered.append(item)
    return remembered


_NAMED: Final = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"}
)
"""Types of items that the server takes without an id."""


# --- messages ------------------------------------------------------------------------------------------------------------------


def _message(message: Message.T, index: int, body: Block, asked: Asked, losses: list[Loss]) -> list[Block]:
    match message:
        case Message.User():
            return [_user(message, losses)]
        case Message.Assistant():
            asked.hear(message)
            return _assistant(message, losses)
        case Message.ToolResult():
            return [_result(message, asked.called(message.id, index), losses)]
        case Message.System():
            return _system(message, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            value: Any = attributes.value if dialect == NAME else None
            if isinstance(value, dict):
                return _own(cast("Block", value), body)
            losses.append(foreign_message(message))
            return []
        case _:
            assert_never(message)


def _own(value: Block, body: Block) -> list[Block]:
    """The item of a message that only this dialect knows; none where it is of the body, not of the input."""
    match value:
        case {"$request": {**before}, **rest} if not rest and all(key in BEFORE and key not in body for key in before):
            body.update(cast("Block", before))
            return []
        case _:
            return [value]


def _system(message: Message.System, losses: list[Loss]) -> list[Block]:
    """The message, or nothing when nothing of it can be said."""
    out = _write_system(message)
    out["content"] = _content(message.contents, losses)
    losses += foreign(message.extras, NAME)
    if out["content"] == [] and message.contents:
        return []
    notes = message.extras.of(NAME)
    return [{**out, **_type_of(notes), **({"role": "developer"} if notes.get("$role") == "developer" else {})}]


def _user(message: Message.User, losses: list[Loss]) -> Block:
    out = _write_user(message)
    out["content"] = _said(message.contents, losses)
    losses += nameless(message, "message")
    if message.extras is NO_EXTRAS:
        return out
    losses += foreign(message.extras, NAME)
    return {**out, **_type_of(message.extras.of(NAME))}


def _assistant(message: Message.Assistant, losses: list[Loss]) -> list[Block]:
    items = write_turn(message.contents, losses)
    losses += nameless(message, "message")
    if not message.contents:
        losses.append(dropped("a message", document(message), "a turn of nothing is no item", weight=Weight.DETAIL))
    elif message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return items


def _type_of(notes: Block) -> Block:
    return {"type": one_of(notes, "$type", ("message", None))} if "$type" in notes else {}


def _content(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """A string when there is one plain text and nothing else, or a list of parts."""
    if len(contents) == 1 and isinstance(alone := contents[0], Content.Text) and alone.extras is NO_EXTRAS:
        return alone.text
    return [part for index, content in enumerate(contents) for part in parted(_input(content), losses, f".contents[{index}]")]


def _said(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """The contents, or a text that stands for those of which nothing could be said."""
    content = _content(contents, losses)
    return omitted(contents, losses) if content == [] and contents else content


def _result(message: Message.ToolResult, call: Content.ToolRequest | None, losses: list[Loss]) -> Block:
    out = _write_result(message)
    notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    out["output"] = _said(message.contents, losses) if message.contents else [] if notes.get("$output") == "list" else ""
    if notes.get("$type", "custom" if call is not None and is_free_form(call) else None) == "custom":
        out["type"] = "custom_tool_call_output"
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    losses += outcome_lost(message)
    if message.tool is not None and (call is None or call.name != message.tool):
        reason = "the output of a call has the name of its call"
        losses.append(dropped("the name of the tool", message.tool, reason, weight=Weight.DETAIL, path=".tool"))
    return out


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of what is said to the model, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_part(content)
        case Content.PDF() | Content.File():
            yield from document_part(content)
        case Content.Audio() | Content.Video():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
