"""What has been said of one choice of a stream, and where its contents stand in the answer."""

from __future__ import annotations

from typing import Any, final

from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._arriving import Arriving
from chatadt.json import Extras
from chatadt.loss import Loss

__all__ = ("Choice",)


@final
class Choice:
    """What has been said of one choice."""

    __slots__ = (
        "asks",
        "began",
        "called",
        "foreign",
        "free_form",
        "held",
        "is_done",
        "joining",
        "named",
        "names",
        "notes",
        "number",
        "places",
        "ready",
        "refuses",
        "silent",
        "texts",
        "unplaced",
        "written",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.began = False
        self.places: dict[int, int] = {}  # by number of a block: which content of the message it is
        self.names: dict[int, int] = {}  # by number of a block: which tool call it is
        self.notes: dict[int, dict[str, Any]] = {}  # by number of a block: what this dialect says of it
        self.texts: dict[str, int] = {}  # by kind of text: the first block of it
        self.joining: tuple[str, int, list[str]] | None = None  # a further block of a kind, which a client joins to the first
        self.written: dict[int, Arriving] = {}  # texts that a custom tool takes, which are said at the end
        self.free_form: dict[int, tuple[Extras, list[str]]] = {}  # the same, as others say: here they are arguments
        self.silent: dict[int, bool] = {}  # by number of a block of reasoning: whether it has no text
        self.unplaced: dict[int, list[Loss]] = {}  # by number: what is lost of blocks that are not there yet
        self.foreign: dict[int, Content.T] = {}  # whole blocks of other dialects
        self.held: dict[int, list[Delta.ToolRequest]] = {}  # calls that have not begun: their name may not be complete
        self.named: set[int] = set()  # calls that have a name: any other is none
        self.ready: dict[int, None] = {}  # those that are held and have one
        self.called: set[int] = set()  # calls that have arguments
        self.asks = self.refuses = self.is_done = False

    def place(self, index: int) -> int:
        """Which content of the message a block is; a new one stands last."""
        return self.places.setdefault(index, len(self.places))

    @property
    def message_path(self) -> str:
        """Where its message stands in the answer."""
        return "$.message" if self.number == 0 else f"$.others[{self.number - 1}].message"

    def path(self, index: int) -> str:
        """Where a block stands; its message, as long as that is not known."""
        place = self.places.get(index)
        return self.message_path if place is None else f"{self.message_path}.contents[{place}]"
