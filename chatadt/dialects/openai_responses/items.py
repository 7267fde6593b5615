"""The items of a stream while they come in, and what an item comes to as blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, final

from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects.openai_responses.response import read_item
from chatadt.error import Unexpected

__all__ = (
    "FINAL_TEXT",
    "ITEM_OF",
    "KEYS",
    "LISTS",
    "NO_ITEM",
    "SILENT",
    "TEXT_KEYS",
    "WHOLE",
    "Item",
    "Key",
    "Kind",
    "Part",
    "content_of",
    "keys_of",
    "notes_of",
    "piece_of",
)

FINAL_TEXT: Final = "final_text"

Key: TypeAlias = "tuple[str, int]"
"""A part of an item: its type, and its place among those of its list."""


class Kind(NamedTuple):
    """The type of a part that events of one kind are about, the field that tells its place, and the item's type."""

    type: str
    place: str | None
    item: str


_CALL, _INPUT = Kind("function_call", None, "function_call"), Kind("custom_tool_call", None, "custom_tool_call")
_SAID, _REFUSED = Kind("output_text", "content_index", "message"), Kind("refusal", "content_index", "message")
_THOUGHT, _SUMMARY = Kind("reasoning_text", "content_index", "reasoning"), Kind("summary_text", "summary_index", "reasoning")

KEYS: Final[Mapping[str, tuple[Kind, str]]] = {
    f"response.{event}.{end}": (kind, "delta" if end == "delta" else field)
    for event, kind, field in (
        ("output_text", _SAID, "text"),
        ("refusal", _REFUSED, "refusal"),
        ("reasoning_text", _THOUGHT, "text"),
        ("reasoning_summary_text", _SUMMARY, "text"),
        ("function_call_arguments", _CALL, "arguments"),
        ("custom_tool_call_input", _INPUT, "input"),
    )
    for end in ("delta", "done")
}
"""By event: what it is about, and the field that has the piece, or all of it."""

TEXT_KEYS: Final[Mapping[str, str]] = {
    "output_text": "text",
    "refusal": "refusal",
    "reasoning_text": "text",
    "summary_text": "text",
    "function_call": "arguments",
    "custom_tool_call": "input",
}
"""By type of a part: where its text stands."""

ITEM_OF: Final[Mapping[str, str]] = {kind.type: kind.item for kind, _ in KEYS.values()}
LISTS: Final[Mapping[str, tuple[str, ...]]] = {"message": ("content",), "reasoning": ("summary", "content")}
WHOLE: Final = "whole"
SILENT: Final = "silent"


@final
class Part:
    """A content that is coming in: `index` is the number of its block, `notes` what was said of it besides."""

    __slots__ = ("ahead", "content", "final", "index", "notes", "passed", "pieces")

    def __init__(self, index: int) -> None:
        self.index = index
        self.pieces: list[str] = []
        self.notes: dict[str, Any] = {}
        self.ahead = ""  # what an end told before the pieces of it came
        self.passed = 0  # how many characters of that have come since
        self.final: str | None = None
        self.content: Content.T | None = None  # of one that comes whole

    @property
    def text(self) -> str:
        """All its text so far."""
        self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0]


@final
class Item:
    """An item that is coming in: `value` is the last that was said of it as a whole."""

    __slots__ = ("held", "named", "parts", "settled", "value")

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.parts: dict[Key, Part] = {}
        self.held: list[Delta.T] = []  # events that its end will make superfluous
        self.named = False
        self.settled = False

    @property
    def type(self) -> str:
        """Its type; empty where none stands there."""
        kind: Any = self.value.get("type")
        return kind if isinstance(kind, str) else ""

    @property
    def is_whole(self) -> bool:
        """Whether it comes in one piece, as items of the server's own tools do."""
        return (WHOLE, 0) in self.parts

    def completed(self, value: dict[str, Any]) -> dict[str, Any]:
        """The item with the parts that came, where its end leaves them out, as proxies do."""
        lists = LISTS.get(value.get("type", ""), ()) if value.get("type").__class__ is str else ()
        if any(value.get(name) for name in lists):
            return value
        built: dict[str, list[Any]] = {}
        for (kind, _), part in sorted(self.parts.items(), key=lambda each: each[0][1]):
            name = "summary" if kind == "summary_text" else "content"
            if kind in TEXT_KEYS and name in lists:
                beside = {"annotations": part.notes.get("annotations", [])} if kind == "output_text" else {}
                built.setdefault(name, []).append({"type": kind, TEXT_KEYS[kind]: part.text, **beside})
        return {**value, **built}


NO_ITEM: Final = Item({})


def content_of(value: dict[str, Any]) -> Content.Output | None:
    """The only content of an item; None where it cannot be read yet."""
    try:
        (content,) = read_item(value).contents
    except (Unexpected, ValueError):
        return None
    return content


def keys_of(value: dict[str, Any], contents: tuple[Content.Output, ...]) -> Iterator[Key]:
    """Which part of an item each of its contents is."""
    if len(contents) == 1 and isinstance(contents[0], Content.Custom) and "$part" not in _fields(contents[0]):
        yield WHOLE, 0
        return
    places = [
        (part.get("type"), place)
        for name in LISTS.get(value["type"], ())
        for place, part in enumerate(value.get(name) or () if value.get(name).__class__ is list else ())
    ]
    if value["type"] in LISTS and not places:
        places = [(SILENT, 0)] if value["type"] == "reasoning" else [("output_text", 0)]
    for content, (kind, place) in zip(contents, places or [(value["type"], 0)], strict=True):
        yield ("part" if isinstance(content, Content.Custom) else kind), place


def _fields(content: Content.Custom) -> Any:
    return content.value.value if content.value.value.__class__ is dict else {}


def notes_of(item: Item, key: Key) -> dict[str, Any]:
    """What is known of a block when it begins: the first of an item has what the item says besides."""
    match key[0]:
        case "output_text" | "refusal" if len(item.parts) == (key in item.parts):
            header = {name: field for name, field in item.value.items() if name not in ("role", "content")}
            return {"$item": "list", "item": header} if header.keys() - {"type"} else {"$item": "new"}
        case "reasoning_text" | "summary_text":
            part = {"$part": "reasoning_text"} if key[0] == "reasoning_text" else {}
            if len(item.parts) > (key in item.parts):
                return {**part, "$more": True}
            header = {name: field for name, field in item.value.items() if name not in ("type", "summary", "content")}
            return {**part, **({"item": header} if header else {"$item": "new"})}
        case "custom_tool_call":
            return {"$type": "custom"}
        case _:  # a call, or a part that is not the first
            return {}


_CASES: Final[Mapping[str, type[Delta.Text | Delta.Refusal | Delta.Reasoning]]] = {
    "output_text": Delta.Text,
    "refusal": Delta.Refusal,
    "reasoning_text": Delta.Reasoning,
    "summary_text": Delta.Reasoning,
    SILENT: Delta.Reasoning,
}


def piece_of(kind: str, index: int, text: str) -> Delta.T:
    """More of the text of a part."""
    case = _CASES.get(kind)
    return Delta.ToolRequest(index, text) if case is None else case(index, text)
