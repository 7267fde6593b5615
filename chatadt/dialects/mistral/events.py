"""Deltas -> Mistral events: text and thinking as they come, tool calls whole, in the chunk that says why the model stopped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, final

from chatadt.chat import ProviderError
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._losses import Block
from chatadt.dialects._openai_like.answers import NO_ID, NO_MODEL
from chatadt.dialects._stream import Event
from chatadt.dialects._telling import Ending, Said, told_by
from chatadt.dialects.mistral.codec import NAME
from chatadt.dialects.mistral.response import write_message, write_streamed
from chatadt.fold import Growing
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("write_stream",)

_OBJECT: Final = "chat.completion.chunk"
_IN_EACH: Final = ("id", "object", "created", "model")


@final
class _Choice:
    """What has been said of one choice."""

    __slots__ = ("began", "current", "fields", "is_thought", "joined", "late", "number", "said", "waiting")

    def __init__(self, number: int) -> None:
        self.number = number
        self.began = False
        self.current: Growing | None = None  # the text or the thinking that is told
        self.is_thought = False
        self.said: set[Growing] = set()  # that were begun
        self.joined: list[Growing] = []  # that a client joins to another, or takes apart
        self.fields: dict[int, Block] = {}  # by number: what this dialect says of blocks that are not there yet
        self.late: list[tuple[Growing, Block]] = []  # what it said when they were over
        self.waiting: Growing | None = None  # a block that comes whole, which another one may replace


@final
class _Speaker:
    """One answer that is being said."""

    __slots__ = ("base", "choices")

    def __init__(self) -> None:
        self.base: Event = {}
        self.choices: dict[int, _Choice] = {}

    def begin(self, start: Delta.Start) -> Iterator[Event]:
        own = start.extras.of(NAME)
        is_home = NAME in start.extras
        made: Block = {} if is_home else {"id": NO_ID, "created": 0, "model": NO_MODEL}
        known = {key: value for key, value in (("id", start.id), ("model", start.model)) if value is not None}
        known |= {"created": own["created"]} if "created" in own else {}
        told = {**made, **known, "object": _OBJECT}
        self.base = {key: told[key] for key in _IN_EACH if key in told}
        if is_home:
            yield {**self.base, "choices": []}

    def _choice(self, number: int) -> _Choice:
        return self.choices.setdefault(number, _Choice(number))

    def _chunk(self, choice: _Choice, said: Block, word: Any = None, /, **beside: Any) -> Event:
        if not choice.began:
            choice.began = True
            said = {"role": "assistant", **said}
        return {**self.base, "choices": [{"index": choice.number, "delta": said, "finish_reason": word, **beside}]}

    # --- pieces ---

    def say(self, delta: Said, block: Growing | None) -> Iterator[Event]:
        choice = self._choice(delta.choice)
        if choice.waiting is not None and not (isinstance(delta, Delta.Block) and block is choice.waiting):
            yield from self._whole(choice)
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._words(choice, block, delta.index, delta.text, is_thought=False)
            case Delta.Reasoning():
                yield from self._words(choice, block, delta.index, delta.text, is_thought=True)
            case Delta.ToolRequest():
                return  # it is said whole
            case Delta.Block():
                choice.waiting = block
            case Delta.BlockExtras():
                yield from self._about(choice, block, delta)
            case _:
                assert_never(delta)

    def _words(self, choice: _Choice, block: Growing | None, index: int, text: str, *, is_thought: bool) -> Iterator[Event]:
        """More of a text, or of thinking."""
        fields = choice.fields.pop(index, {})
        if block is None or not (text or fields):
            return
        if block is not choice.current:
            is_new = block not in choice.said
            if not is_new or (choice.current is not None and choice.is_thought is is_thought):
                choice.joined.append(block)
            choice.said.add(block)
            choice.current, choice.is_thought = block, is_thought
        yield self._chunk(choice, {"content": _content(text, fields, is_thought=is_thought)})

    def _about(self, choice: _Choice, block: Growing | None, delta: Delta.BlockExtras) -> Iterator[Event]:
        own = {key: value for key, value in delta.extras.of(NAME).items() if not key.startswith("$")}
        if not own:
            return
        if block is None or block not in choice.said:
            choice.fields[delta.index] = {**choice.fields.get(delta.index, {}), **own}
        elif block is choice.current:
            yield self._chunk(choice, {"content": _content("", own, is_thought=choice.is_thought)})
        else:
            choice.late.append((block, own))

    def _whole(self, choice: _Choice) -> Iterator[Event]:
        """A block that came whole, as a message has it that holds nothing else; what is lost of it the whole body tells."""
        block, choice.waiting = choice.waiting, None
        if block is None or isinstance(block.content, Content.ToolRequest):
            return
        message = write_message(Message.Assistant([block.content]), [], in_parts=True)
        parts: Any = message.get("content")
        for part in parts if parts.__class__ is list else ():
            if not isinstance(block.content, Content.Custom):  # it is told as text, which a client joins to the one before
                if choice.current is not None and not choice.is_thought:
                    choice.joined.append(block)
                choice.current, choice.is_thought = block, False
            yield self._chunk(choice, {"content": [part]})

    # --- the end ---

    def fail(self, error: ProviderError) -> Iterator[Event | Loss]:
        own = error.extras.of(NAME)
        if own:
            yield {key: value for key, value in own.items() if key not in ("choices", "usage")}
        else:
            yield {"object": "error", "message": error.message, "type": "error", "code": error.code}

    def finish(self, ending: Ending) -> Iterator[Event | Loss]:
        for choice in self.choices.values():
            yield from self._whole(choice)
        body = ending.body
        beside = {key: value for key, value in body.items() if key not in (*_IN_EACH, "choices", "usage")}
        written: list[Any] = body["choices"]
        for at, (number, told) in enumerate(zip(ending.choices, written, strict=False)):
            is_last = at == len(written) - 1
            yield from self._close(self._choice(number), told, ending, {**beside, **_usage(body)} if is_last else {})
        if not written and (beside or "usage" in body):
            yield {**self.base, **beside, **_usage(body), "choices": []}
        yield from ending.joined((choice.number, block) for choice in self.choices.values() for block in choice.joined)
        for choice in self.choices.values():
            for block, fields in choice.late:
                yield from ending.unsaid(choice.number, block, fields)

    def _close(self, choice: _Choice, told: Block, ending: Ending, beside: Block) -> Iterator[Event]:
        message: Any = told.get("message") or {}
        said = {key: value for key, value in message.items() if key not in ("role", "content") and value is not None}
        calls: Any = said.get("tool_calls")
        if calls.__class__ is list:
            said["tool_calls"] = [_numbered(call, at) for at, call in enumerate(calls)]
        word = told.get("finish_reason") if choice.number in ending.stops else None
        own = {key: value for key, value in told.items() if key not in ("index", "message", "finish_reason")}
        if said or own or beside or word is not None or not choice.began:
            yield {**self._chunk(choice, {"content": "", **said}, word, **own), **beside}


def _usage(body: Block) -> Block:
    return {"usage": body["usage"]} if "usage" in body else {}


def _numbered(call: Any, at: int) -> Any:
    return {**call, "index": at} if call.__class__ is dict and "index" not in call else call


def _content(text: str, fields: Block, *, is_thought: bool) -> Any:
    if is_thought:
        return [{"type": "thinking", "thinking": [{"type": "text", "text": text}] if text else [], **fields}]
    return [{"type": "text", "text": text, **fields}] if fields else text


write_stream: Final = told_by(NAME, write_streamed, _Speaker)
"""Write a stream of chunks: total, with every loss reported at its path in the answer that the stream folds to."""
