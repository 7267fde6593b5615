"""What has come in of one choice of a stream whose chunks are made like OpenAI Chat's."""

from __future__ import annotations

from typing import Any, final

from chatadt.chat import StopReason
from chatadt.dialects._openai_like.late import Late
from chatadt.dialects._openai_like.pieces import Call, Calls

__all__ = ("Choice",)


@final
class Choice:
    """What has come in of one choice."""

    __slots__ = (
        "audio",
        "blocks",
        "calls",
        "choice",
        "details",
        "function",
        "held",
        "late",
        "open",
        "refuses",
        "sound",
        "stop",
        "transcript",
    )

    def __init__(self, choice: int) -> None:
        self.choice = choice
        self.blocks = 0
        self.open: dict[str, int] = {}  # by kind of text: its block, for a message has one text of each kind
        self.calls = Calls()
        self.late = Late(choice)
        self.function: Call | None = None
        self.audio: dict[str, Any] = {}
        self.sound: list[str] = []
        self.transcript: list[str] = []
        self.details: dict[str, dict[Any, dict[str, Any]]] = {}
        self.held: dict[str, Any] = {}  # what was said of the choice, so that it is not said again
        self.refuses = False
        self.stop: StopReason | None = None

    def new(self) -> int:
        """The number of another block."""
        self.blocks += 1
        return self.blocks - 1

    @property
    def asks(self) -> bool:
        """Whether it calls a tool."""
        return bool(self.calls.all) or self.function is not None

    def block(self, kind: str) -> int:
        """The block of a kind of text."""
        if kind not in self.open:
            self.open[kind] = self.new()
        return self.open[kind]

    def hear(self, audio: dict[str, Any]) -> None:
        """Take in what a chunk says of audio."""
        for key, value in audio.items():
            if key == "data" and isinstance(value, str):
                self.sound.append(value)
            elif key == "transcript" and isinstance(value, str):
                self.transcript.append(value)
            elif value is not None:
                self.audio[key] = value
        self.audio.setdefault("$index", self.new() if "$index" not in self.audio else self.audio["$index"])
