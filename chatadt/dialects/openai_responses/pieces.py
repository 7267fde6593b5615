"""The pieces of a stream: which block each goes on with, and what of an end is new.

A text that an end tells otherwise than its pieces did is kept beside them, under `final_text`: of the two, one was cut on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never, final

from chatadt._wire import json
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.items import (
    FINAL_TEXT,
    ITEM_OF,
    LISTS,
    SILENT,
    TEXT_KEYS,
    WHOLE,
    Item,
    Key,
    Part,
    content_of,
    keys_of,
    notes_of,
    piece_of,
)
from chatadt.dialects.openai_responses.response import IN_PROGRESS, Told, read_item
from chatadt.dialects.openai_responses.said import part_of
from chatadt.error import Unexpected
from chatadt.json import Extras, dump, why_not_json

__all__ = ("Items",)


@final
class Items:
    """The items of one answer."""

    __slots__ = ("blocks", "furthest", "named", "numbered", "open", "told")

    def __init__(self) -> None:
        self.blocks = 0
        self.numbered: dict[int, Item] = {}  # by output_index
        self.furthest = -1  # the highest of these numbers
        self.named: dict[str, Item] = {}  # by id
        self.open: dict[Item, None] = {}  # those of which something may be left to say
        self.told = Told()

    @property
    def empty(self) -> bool:
        """Whether nothing came yet."""
        return not self.blocks

    def find(self, event: Mapping[str, Any]) -> Item | None:
        """The item that an event is about: by its number, or by its id."""
        number: Any = event.get("output_index")
        name: Any = event.get("item_id")
        found = self.numbered.get(number) if number.__class__ is int else self.named.get(name) if name.__class__ is str else None
        if found is not None:
            self.open[found] = None
        return found

    def end(self) -> Iterator[Delta.T]:
        """What is left to say of items that were never done, so far."""
        items, self.open = self.open, {}
        for item in items:
            if not item.settled:
                held, item.held = item.held, []
                yield from held
                if item.type in TEXT_KEYS and item.value.get(TEXT_KEYS[item.type]):
                    yield from self._settle(item, item.value)  # a call that came whole
                elif item.type == "reasoning" and not item.parts:
                    yield from self._settle(item, item.value)
            for (kind, _), part in item.parts.items():
                if kind == "custom_tool_call" and any(part.pieces) and why_not_json(part.text) is not None:
                    part.pieces.append('"')
                    yield Delta.ToolRequest(part.index, '"')

    # --- of an item ---

    def add(self, event: Mapping[str, Any], value: dict[str, Any]) -> Iterator[Delta.T]:
        """An item begins."""
        known = self.find(event)
        if known is not None and known.value.get("id") in (None, value.get("id")):
            if not known.settled:
                self._name(known, value)
            item = known
        else:
            item = self._number(event, Item(value))
        if item.type in LISTS:
            if any(value.get(name) for name in LISTS[item.type]):
                yield from self._settle(item, value)
        elif not item.settled:
            yield from self._begin(item, value)

    def _number(self, event: Mapping[str, Any], item: Item) -> Item:
        number: Any = event.get("output_index")
        if number.__class__ is not int:
            number = self.furthest + 1
        self.numbered[number] = item
        self.open[item] = None
        self.furthest = max(self.furthest, number)
        self._name(item, item.value)
        return item

    def _name(self, item: Item, value: dict[str, Any]) -> None:
        """What is said of an item as a whole, under its id."""
        item.value = value
        name: Any = value.get("id")
        if name.__class__ is str and name:
            self.named.setdefault(name, item)

    def _begin(self, item: Item, value: dict[str, Any]) -> Iterator[Delta.T]:
        """What is known of a call, or of what comes whole, when it begins."""
        content = content_of(value)
        if isinstance(content, Content.ToolRequest):
            own = {key: note for key, note in content.extras.of(NAME).items() if key != "$arguments"}
            yield from self._call(item, content, own, None)
        elif content is not None and (value.get("type") not in ITEM_OF.values()):
            yield from self._whole(item, (WHOLE, 0), content)

    def settle(self, event: Mapping[str, Any], value: dict[str, Any]) -> Iterator[Delta.T]:
        """An item is done."""
        item = self.find(event) or self._number(event, Item(value))
        self._name(item, value)
        item.settled, item.held = True, []
        yield from self._settle(item, value)

    def settle_all(self, values: list[Any]) -> Iterator[Delta.T]:
        """The items as the answer has them in the end; those that it leaves out stay."""
        ids = {
            named: number for number, item in self.numbered.items() if (named := item.value.get("id")).__class__ is str and named
        }
        for index, value in enumerate(values):
            if value.__class__ is dict:
                name: Any = value.get("id")
                number = ids.get(name) if name.__class__ is str else None
                yield from self.settle({"output_index": self._place(index, value) if number is None else number}, value)

    def _place(self, index: int, value: dict[str, Any]) -> int:
        """The number of the item that an item at `index` of the answer is, whose id nobody said before."""
        there = self.numbered.get(index)
        is_other = there is not None and there.type not in ("", value.get("type"))
        return self.furthest + 1 if is_other else index

    def _settle(self, item: Item, value: dict[str, Any]) -> Iterator[Delta.T]:
        told = item.completed(value)
        try:
            contents = read_item(told).contents
        except Unexpected:
            contents = (Content.Custom(NAME, json(told)),)
        header = {key: field for key, field in told.items() if key not in ("role", "type", "summary", "content")}
        for key, content in zip(keys_of(told, contents), contents, strict=True):
            match content:
                case Content.Text() | Content.Refusal() | Content.Reasoning():
                    notes = content.extras.of(NAME)
                    part = item.parts.get(key)
                    if part is not None and "item" in part.notes and "item" not in notes:
                        notes["item"] = header | ({"type": told["type"]} if told["type"] == "message" else {})
                    if key[1] == 0 and told["type"] == "message" and not {"$item", "item"} & notes.keys():
                        notes["$item"] = "new"
                    yield from self._text(item, key, content.text, notes)
                case Content.ToolRequest():
                    yield from self._call(item, content, content.extras.of(NAME), told.get(TEXT_KEYS[key[0]]))
                case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File() | Content.Custom():
                    yield from self._whole(item, key, content)
                case _:
                    assert_never(content)

    # --- of a part ---

    def say(self, event: Mapping[str, Any], key: Key, text: str) -> Iterator[Delta.T]:
        """More of a text."""
        yield from self._say(self._of(event, key), key, text)

    def _say(self, item: Item, key: Key, text: str) -> Iterator[Delta.T]:
        part = item.parts.get(key)
        if part is None:
            yield from self._open(item, key)
            part = item.parts[key]
        if key[0] == "custom_tool_call":
            text = dump(text)[1:-1]
            yield from _opening(part)
        if text and part.ahead.startswith(text, part.passed):
            part.passed += len(text)
            if part.passed == len(part.ahead):
                part.ahead, part.passed = "", 0
            return
        part.pieces.append(text)
        yield piece_of(key[0], part.index, text)

    def _of(self, event: Mapping[str, Any], key: Key) -> Item:
        """The item that a part belongs to; one that nobody announced begins here."""
        found = self.find(event)
        if found is None and "output_index" not in event and "item_id" not in event:
            found = next(reversed(self.numbered.values()), None)
        if found is None:
            found = self._number(event, Item({"type": ITEM_OF[key[0]]}))
            name: Any = event.get("item_id")
            if name.__class__ is str and name:
                self.named.setdefault(name, found)
        self.open[found] = None
        return found

    def _open(self, item: Item, key: Key, notes: dict[str, Any] | None = None) -> Iterator[Delta.T]:
        """A block begins, with what is known of it."""
        part = item.parts[key] = Part(self.blocks)
        self.blocks += 1
        if key[0] == "refusal":
            self.told = Told(self.told.asks, True)
        if key[0] in ("function_call", "custom_tool_call"):
            self.told = Told(True, self.told.refuses)
        yield from self._note(part, notes_of(item, key) if notes is None else notes)

    def _note(self, part: Part, notes: Mapping[str, Any]) -> Iterator[Delta.T]:
        new = {key: value for key, value in notes.items() if key not in part.notes or part.notes[key] != value}
        if new:
            part.notes |= new
            yield Delta.BlockExtras(part.index, Extras({NAME: new}))

    def go_on(self, event: Mapping[str, Any], key: Key, more: dict[str, list[Any]]) -> Iterator[Delta.T]:
        """More of what is said of a text, in lists."""
        item = self._of(event, key)
        if key not in item.parts:
            yield from self._say(item, key, "")
        part = item.parts[key]
        for name, values in more.items():
            there: Any = part.notes.get(name)
            if there.__class__ is list:
                there.extend(values)
            else:
                part.notes[name] = [*values]
        yield Delta.BlockExtras(part.index, Extras({NAME: more}), grow=True)

    def end_text(self, event: Mapping[str, Any], key: Key, text: str) -> Iterator[Delta.T]:
        """All of a text."""
        item = self._of(event, key)
        if key not in item.parts:
            yield from self._say(item, key, "")
        yield from self._end(item.parts[key], key, text)

    def end_part(self, event: Mapping[str, Any], place: int, value: dict[str, Any]) -> Iterator[Delta.T]:
        """All of a part of a message, or of what a model thinks."""
        kind = value.get("type")
        if kind == "reasoning_text" and value.get("text").__class__ is str:
            yield from self.end_text(event, (kind, place), value["text"])
            return
        try:
            content = part_of(value)
        except Unexpected:
            content = Content.Custom(NAME, json({"$part": value}))
        if isinstance(content, Content.Text | Content.Refusal):
            item = self._of(event, (value["type"], place))
            yield from self._text(item, (value["type"], place), content.text, content.extras.of(NAME))
        else:
            item = self._of(event, ("output_text", place))
            yield from self._whole(item, ("part", place), content)

    def _text(self, item: Item, key: Key, text: str, notes: dict[str, Any]) -> Iterator[Delta.T]:
        part = item.parts.get(key)
        if part is None:
            yield from self._open(item, key, {**notes_of(item, key), **notes} if key[0] != SILENT else notes)
            part = item.parts[key]
            yield piece_of(key[0], part.index, "")
        yield from self._end(part, key, text)
        yield from self._note(part, notes)

    def _end(self, part: Part, key: Key, text: str) -> Iterator[Delta.T]:
        """What an end says that the pieces did not."""
        is_input = key[0] == "custom_tool_call"
        whole = dump(text) if is_input else text
        if is_input:
            yield from _opening(part)
        said = part.text
        if not text or said == whole:
            if is_input and said != whole and said == '"':
                part.pieces.append('"')
                yield Delta.ToolRequest(part.index, '"')
        elif whole.startswith(said):
            part.ahead, part.passed = whole[len(said) :], 0
            part.pieces.append(part.ahead)
            yield piece_of(key[0], part.index, part.ahead)
        elif part.final != text:
            part.final = text
            yield from self._note(part, {FINAL_TEXT: text})

    def _call(self, item: Item, request: Content.ToolRequest, notes: dict[str, Any], text: Any) -> Iterator[Delta.T]:
        key = (str(item.value["type"]), 0)
        part = item.parts.get(key)
        if part is None:
            yield from self._open(item, key, notes)
            part = item.parts[key]
        if not item.named:
            item.named = True
            yield from self._note(part, notes)
            yield Delta.ToolRequest(part.index, "", request.id, request.name)
        if text.__class__ is str:
            yield from self._end(part, key, text)
        is_complete = item.value.get("status") not in ("incomplete", IN_PROGRESS)
        if text == "" and is_complete and key[0] == "function_call" and not part.text:  # it has no arguments
            part.pieces.append("{}")
            yield Delta.ToolRequest(part.index, "{}")
        yield from self._note(part, notes)

    def _whole(self, item: Item, key: Key, content: Content.T) -> Iterator[Delta.T]:
        part = item.parts.get(key)
        if part is None:
            part = item.parts[key] = Part(self.blocks)
            self.blocks += 1
        if part.content != content:
            part.content = content
            yield Delta.Block(part.index, content)


def _opening(part: Part) -> Iterator[Delta.T]:
    """The quote with which the text of a custom tool, a JSON string here, begins: id and name have come before it, if any did."""
    if not any(part.pieces):
        part.pieces.append('"')
        yield Delta.ToolRequest(part.index, '"')
