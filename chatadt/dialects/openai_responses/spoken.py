"""An item that is said piece by piece: its beginning, the pieces of its parts, and its end, which says all of it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias, assert_never, cast, final

from attrs import evolve

from chatadt._notes import Notes, extras_of
from chatadt.content import NO_ARGUMENTS, Content
from chatadt.delta import Delta
from chatadt.dialects._arriving import Arriving
from chatadt.dialects._losses import Block
from chatadt.dialects.openai_responses.codec import NAME
from chatadt.dialects.openai_responses.response import IN_PROGRESS, PREFIXES, kind_of
from chatadt.dialects.openai_responses.turn import write_turn
from chatadt.fold import Folding, Growing
from chatadt.json import Extras
from chatadt.loss import Loss

__all__ = ("Named", "Part", "Pieces", "Spoken", "joins")

Pieces: TypeAlias = Delta.Text | Delta.Reasoning | Delta.Refusal | Delta.ToolRequest | Delta.Block
Named: TypeAlias = "tuple[str, Block]"
"""An event: its name, and its fields but for those that every event of an item has."""

_OTHER: Final = ""
"""The type of a part that has no pieces: a call, or what comes whole."""
_DONE: Final = frozenset({"completed", "incomplete", "failed", None})
_EMPTY: Final[Mapping[str, Block]] = {
    "output_text": {"type": "output_text", "text": "", "annotations": []},
    "refusal": {"type": "refusal", "refusal": ""},
    "reasoning_text": {"type": "reasoning_text", "text": ""},
    "summary_text": {"type": "summary_text", "text": ""},
}
_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "output_text": ("response.output_text", "text"),
    "refusal": ("response.refusal", "refusal"),
    "reasoning_text": ("response.reasoning_text", "text"),
    "summary_text": ("response.reasoning_summary_text", "text"),
}
"""By type of a part: how the events of its text begin, and where the text stands."""


def joins(delta: Pieces, notes: Notes, item: Spoken) -> bool:
    """Whether a block that begins is one more part of an item, of a message or of reasoning; it may say that it begins another."""
    whole = delta.content if isinstance(delta, Delta.Block) else None
    own = _own_of(whole) if isinstance(whole, Content.Custom) else extras_of(notes).of(NAME)
    if isinstance(delta, Delta.Reasoning):
        return item.case is Delta.Reasoning and bool(own.get("$more"))
    is_part = isinstance(delta, Delta.Text | Delta.Refusal) or (isinstance(whole, Content.Custom) and _is_part(whole))
    return is_part and item.begun and item.kind == "message" and "item" not in own and "$item" not in own


def _own_of(content: Content.Custom) -> dict[str, Any]:
    value: Any = content.value.value
    return value if value.__class__ is dict and content.dialect == NAME else {}


def _is_part(content: Content.Custom) -> bool:
    return isinstance(_own_of(content).get("$part"), dict)


@final
class Part:
    """A part of an item: of which type, and where it stands in its list."""

    __slots__ = ("annotations", "begun", "block", "is_done", "number", "type")

    def __init__(self, kind: str, number: int, block: Growing) -> None:
        self.type = kind
        self.number = number
        self.block = block
        self.annotations = 0
        self.begun = self.is_done = False

    @property
    def place(self) -> Block:
        """The field that says where it stands."""
        return {"summary_index" if self.type == "summary_text" else "content_index": self.number}


@final
class Spoken:
    """An item that is being said: `number` is its place among the items once it has begun, `places` those of its contents."""

    __slots__ = (
        "arguments",
        "begun",
        "case",
        "closed",
        "folding",
        "has_id",
        "id",
        "is_cut",
        "is_home",
        "is_named",
        "kind",
        "known",
        "last",
        "number",
        "order",
        "parts",
        "places",
        "summaries",
        "unended",
    )

    def __init__(self, case: type, order: int, *, is_home: bool) -> None:
        self.case = case
        self.order = order  # in which the items were opened
        self.kind = "message"
        self.is_home = is_home
        self.number = -1
        self.id = ""
        self.folding = Folding()
        self.arguments = Arriving()  # of a call
        self.parts: list[Part] = []
        self.known: dict[Growing, Part] = {}  # by block
        self.unended: dict[Part, None] = {}  # those that are not done, and may have something to say again
        self.summaries = 0  # how many of the parts are summaries of what the model thinks
        self.places: list[int] = []
        self.is_cut = False  # whether the answer ends with it, and before its arguments
        self.has_id = self.is_named = self.begun = self.closed = False
        self.last: Block | None = None  # the item as its end says it

    # --- what it is ---

    def value(self, losses: list[Loss]) -> Block | None:
        """The item so far; None where nothing of it can be said. What is lost is added with its path in the answer."""
        contents = self.folding.response().message.contents
        found: list[Loss] = []
        items = write_turn(_of_one(contents), found, answers=True)
        losses += [self._placed(loss) for loss in found]
        if not items:
            return self.last
        item = items[0]
        if item.get("content").__class__ is str:
            item["content"] = [{**_EMPTY["output_text"], "text": item["content"]}]
        if not self.is_home and kind_of(item) in PREFIXES:
            item.setdefault("id", self.id)
            if item["type"] in ("message", "function_call"):
                item.setdefault("status", "incomplete" if self.is_cut else "completed")
        return item

    def _placed(self, loss: Loss) -> Loss:
        """The loss at the place of its content in the answer."""
        number, bracket, rest = loss.path.removeprefix(".contents[").partition("]")
        place = self.places[int(number)] if bracket and int(number) < len(self.places) else 0
        return evolve(loss, path=f"$.message.contents[{place}]{rest}")

    @property
    def runs(self) -> bool:
        """Whether more is to come: a status that says so, or arguments that are not complete."""
        if self.case is Delta.ToolRequest and not self.is_home:
            return not self.arguments.is_whole
        status = self._status()
        if self.case is Delta.ToolRequest and status is None:
            return not self.arguments.is_whole
        return status.__class__ is str and status not in _DONE

    def _status(self) -> Any:
        """What the item says of how far it is: it stands beside its first content, whatever the text of that is."""
        items = write_turn((_bare(self.parts[0].block),), [], answers=True)
        return (items[0] if items else self.last or {}).get("status")

    @property
    def is_only_known_here(self) -> bool:
        """Whether it is a block that has no room for extras."""
        return self.case is Delta.Block and self.parts[0].block.case is Content.Custom

    @property
    def stands_whole(self) -> bool:
        """Whether it is one that has no pieces, so that it can begin as soon as it is there."""
        item = self.value([])
        return item is not None and kind_of(item) not in PREFIXES

    # --- its beginning ---

    def begin(self, number: int) -> Iterator[Named]:
        """The item as far as it is known."""
        self.begun, self.number = True, number
        item = self.value([]) or {}
        self.kind = kind_of(item)
        self.has_id = item.get("id").__class__ is str and item["id"] != ""
        self.id = item["id"] if self.has_id else f"{PREFIXES.get(self.kind, 'item')}_{number}"
        yield "response.output_item.added", {"item": self._begun(item)}

    def _begun(self, item: Block) -> Block:
        item = dict(item)
        if not self.is_home:
            item |= {"id": self.id} if self.kind in PREFIXES else {}
        match self.kind:
            case "message":
                item["content"] = []
            case "reasoning":
                item["summary"] = []
                item = {key: field for key, field in item.items() if key != "content" or not field}
            case "function_call":
                item["arguments"] = ""
            case "custom_tool_call":
                item["input"] = ""
            case _:  # it comes whole
                return item
        if "status" in item:
            item["status"] = IN_PROGRESS
        return item

    # --- its parts ---

    def feed(self, delta: Pieces, place: int) -> tuple[Part, bool]:
        """Take a piece; the part that it belongs to, and whether that is a new one."""
        block = self.folding.feed(delta)
        assert block is not None  # a piece always has a block
        if isinstance(delta, Delta.ToolRequest) and delta.arguments:
            self.arguments.pieces.append(delta.arguments)
        known = self.known.get(block)
        if known is not None:
            self.unended |= {} if known.is_done else {known: None}
            return known, False
        kind = self._type(delta, block)
        is_summary = kind == "summary_text"
        part = Part(kind, self.summaries if is_summary else len(self.parts) - self.summaries, block)
        self.summaries += is_summary
        self.known[block] = part
        self.parts.append(part)
        self.unended[part] = None
        self.places.append(place)
        return part, True

    def _type(self, delta: Pieces, block: Growing) -> str:
        match delta:
            case Delta.Text():
                return "output_text"
            case Delta.Refusal():
                return "refusal"
            case Delta.Reasoning():
                return "reasoning_text" if block.extras.of(NAME).get("$part") == "reasoning_text" else "summary_text"
            case Delta.ToolRequest() | Delta.Block():
                return _OTHER
            case _:
                assert_never(delta)

    def begin_part(self, part: Part) -> Iterator[Named]:
        """A part begins, empty."""
        part.begun = True
        kind = "reasoning_summary_part" if part.type == "summary_text" else "content_part"
        yield f"response.{kind}.added", {**part.place, "part": dict(_EMPTY[part.type])}

    def piece(self, part: Part, text: str) -> Iterator[Named]:
        """More of a text."""
        name, _ = _TEXTS[part.type]
        yield f"{name}.delta", {**part.place, "delta": text, **({"logprobs": []} if part.type == "output_text" else {})}

    def cite(self, part: Part, annotation: Any) -> Iterator[Named]:
        """A citation of a text."""
        number, part.annotations = part.annotations, part.annotations + 1
        yield "response.output_text.annotation.added", {**part.place, "annotation_index": number, "annotation": annotation}

    def end_parts(self, *, texts: bool = True) -> Iterator[Named]:
        """The parts that are open, said again as a whole; without `texts` only what was said of them besides."""
        unended, self.unended = self.unended, {}
        for part in unended if self.kind in ("message", "reasoning") else ():
            value = self._value_of(part)
            if value is None:
                continue
            part.is_done = True
            kind = "reasoning_summary_part" if part.type == "summary_text" else "content_part"
            if part.type == _OTHER:
                yield "response.content_part.added", {**part.place, "part": value}
            elif texts:
                name, key = _TEXTS[part.type]
                chances = {"logprobs": value.get("logprobs", [])} if part.type == "output_text" else {}
                yield f"{name}.done", {**part.place, key: value[key], **chances}
            yield f"response.{kind}.done", {**part.place, "part": value}

    def _value_of(self, part: Part) -> Block | None:
        """A part as the item says it; None where there is nothing of it to say."""
        content = part.block.content
        if part is self.parts[0]:
            contents: tuple[Content.Output, ...] = (content,)
        else:
            contents = (_OPENING, content) if isinstance(content, Content.Reasoning) else (_inside(content),)
        items = write_turn(contents, [], answers=True)
        values: Any = items[0].get("summary" if part.type == "summary_text" else "content") if items else None
        if values.__class__ is str:
            return {**_EMPTY["output_text"], "text": values}
        return values[-1] if values.__class__ is list and values else None

    def input(self) -> Iterator[Named]:
        """The text of a call that takes any text, once all of it is known."""
        text = (self.value([]) or {}).get("input")
        if self.kind == "custom_tool_call" and isinstance(text, str) and text:
            yield "response.custom_tool_call_input.delta", {"delta": text}

    # --- its end ---

    def end_early(self) -> None:
        """The answer ends with this item, and the model may not have been done with it."""
        self.is_cut = self.case is Delta.ToolRequest and self.parts[0].block.is_bare_call and self.parts[0].block.name.strip() != ""

    def end(self) -> Iterator[Named]:
        """Nothing more comes."""
        self.closed = True
        yield from self.end_parts()
        item = self.value([])
        if item is None:
            return
        self.last = item
        match item:
            case {"type": "function_call", "arguments": str() as text}:
                said = self.parts[0].block.text if self.case is Delta.ToolRequest else ""
                if text.startswith(said) and text != said:
                    yield "response.function_call_arguments.delta", {"delta": text[len(said) :]}
                yield "response.function_call_arguments.done", {"arguments": text}
            case {"type": "custom_tool_call", "input": str() as text}:
                yield from self.input()
                yield "response.custom_tool_call_input.done", {"input": text}
            case _:  # its parts have said it
                pass
        yield "response.output_item.done", {"item": item}


_OPENING: Final = Content.Reasoning("", Extras({NAME: {"$item": "new", "$silent": True}}))
"""A reasoning item to which a text can be added."""


def _bare(block: Growing) -> Content.Output:
    """A block without its text."""
    if block.case is Content.ToolRequest and block.name.strip():
        return Content.ToolRequest(block.id or "", block.name, NO_ARGUMENTS, block.extras)
    words: Any = _WORDS.get(block.case)
    return block.content if words is None else cast("Content.Output", words("", block.extras))


_WORDS: Final[Mapping[type, Any]] = {case: case for case in (Content.Text, Content.Reasoning, Content.Refusal)}


def _of_one(contents: tuple[Content.Output, ...]) -> tuple[Content.Output, ...]:
    """The contents of one item: what would begin another is gone from all but the first."""
    return (*contents[:1], *(_inside(content) for content in contents[1:]))


def _inside(content: Content.Output) -> Content.Output:
    if not isinstance(content, Content.Text | Content.Refusal) or not {"item", "$item"} & content.extras.of(NAME).keys():
        return content
    own = {key: value for key, value in content.extras.of(NAME).items() if key not in ("item", "$item", "$header")}
    return evolve(content, extras=Extras({**content.extras, NAME: own}))
