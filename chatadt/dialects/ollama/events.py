"""Deltas -> Ollama lines: text and thinking as they come, tool calls whole, counts in the last one.

A message has one text and one thinking: several texts are told as they come, several thoughts with a blank line between them, as a
whole answer has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, assert_never, final

from chatadt.chat import ProviderError
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._losses import Block, dropped
from chatadt.dialects._stream import Event
from chatadt.dialects._telling import Ending, Said, told_by
from chatadt.dialects.ollama.blocks import GOES_ON
from chatadt.dialects.ollama.codec import NAME
from chatadt.dialects.ollama.response import NO_MODEL, NO_TIME, write_response
from chatadt.dialects.ollama.write import write_answer
from chatadt.fold import Growing
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = ("write_stream",)


@final
class _Speaker:
    """One answer that is being said."""

    __slots__ = ("apart", "base", "last", "said", "waiting")

    def __init__(self) -> None:
        self.base: Block = {}
        self.said: dict[str, set[Growing]] = {"content": set(), "thinking": set()}  # by field: the blocks that stand in it
        self.last: dict[str, Growing] = {}  # by field: the block that was said last
        self.apart: list[Growing] = []  # that go on when something else had begun
        self.waiting: Growing | None = None  # a block that comes whole, which another one may replace

    def begin(self, start: Delta.Start) -> Iterator[Event]:
        own = start.extras.of(NAME)
        made = {} if NAME in start.extras else {"model": NO_MODEL, "created_at": NO_TIME}
        self.base = {
            **made,
            **({} if start.model is None else {"model": start.model}),
            **({"created_at": own["created_at"]} if "created_at" in own else {}),
        }
        yield self._line({})

    def _line(self, message: Block) -> Event:
        return {**self.base, "message": {"role": "assistant", "content": "", **message}, "done": False}

    def say(self, delta: Said, block: Growing | None) -> Iterator[Event]:
        if delta.choice:
            return
        if self.waiting is not None and not (isinstance(delta, Delta.Block) and block is self.waiting):
            yield from self._whole()
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._words("content", block, delta.text)
            case Delta.Reasoning():
                if delta.text:
                    yield from self._words("thinking", block, delta.text)
            case Delta.Block():
                self.waiting = block
            case Delta.ToolRequest() | Delta.BlockExtras():
                return  # calls are said whole, and nothing else has fields of its own
            case _:
                assert_never(delta)

    def _words(self, key: str, block: Growing | None, text: str) -> Iterator[Event]:
        """More of the text or of the thinking."""
        blocks = self.said[key]
        if block is not None and self.last.get(key) is not block:
            self.apart += [block] if block in blocks else []
            text = f"{_BETWEEN[key]}{text}" if blocks else text
            blocks.add(block)
            self.last[key] = block
        if text:
            yield self._line({key: text})

    def _whole(self) -> Iterator[Event]:
        """A block that came whole, as a message has it that holds nothing else; what is lost of it the whole body tells."""
        block, self.waiting = self.waiting, None
        if block is None or isinstance(block.content, Content.ToolRequest):
            return
        losses: list[Loss] = []
        message = write_answer(Message.Assistant([block.content]), losses)
        for key in self.said:
            if message.get(key):
                yield from self._words(key, block, message[key])

    # --- the end ---

    def fail(self, error: ProviderError) -> Iterator[Event | Loss]:
        own = error.extras.of(NAME)
        yield own or {"error": error.message}
        if not own and error.code is not None:
            path = "$.metadata.error.code"
            yield dropped("the code of the error", error.code, "an error has none", weight=Weight.DETAIL, path=path)

    def finish(self, ending: Ending) -> Iterator[Event | Loss]:
        yield from self._whole()
        told: Any = ending.body["message"]
        calls = told.get("tool_calls")
        if calls:
            yield self._line({"tool_calls": calls})
        message = {key: value for key, value in told.items() if key not in ("content", "thinking", "tool_calls")}
        rest = {key: value for key, value in ending.body.items() if key not in ("message", "done_reason", "done")}
        if 0 in ending.stops:
            word = {"done_reason": ending.body["done_reason"]} if "done_reason" in ending.body else {}
            yield {**self.base, "message": {"content": "", **message}, **rest, "done": ending.body.get("done", True), **word}
        elif message.keys() - {"role"} or rest.keys() - self.base.keys():
            yield {**self.base, "message": {"content": "", **message}, **rest, "done": False}
        yield from ending.joined(((0, block) for block in self.apart), "something came between: it stands in several parts")


_BETWEEN: Final[Mapping[str, str]] = {"content": GOES_ON, "thinking": "\n\n"}
"""By field: what stands between the texts of two blocks."""

write_stream: Final = told_by(NAME, write_response, _Speaker)
"""Write a stream of lines: total, with every loss reported at its path in the answer that the stream folds to."""
