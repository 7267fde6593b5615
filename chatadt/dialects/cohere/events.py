"""Deltas -> Cohere events: one content after the other, each started and ended; citations come when all is said.

A tool call is started once its name is whole, and stays open while its arguments are not complete: several may come in together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, final

from chatadt._cut import cuts_off
from chatadt.chat import ProviderError, Usage
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import counts_lost
from chatadt.dialects._arriving import Arriving
from chatadt.dialects._losses import Block, dropped
from chatadt.dialects._stream import Event
from chatadt.dialects._telling import Ending, Said, told_by
from chatadt.dialects.cohere.codec import NAME, PLAN
from chatadt.dialects.cohere.deltas import AT_END
from chatadt.dialects.cohere.response import NO_ID, write_message, write_response
from chatadt.dialects.cohere.rules import RULES
from chatadt.dialects.cohere.usage import COUNTED
from chatadt.fold import Growing
from chatadt.loss import Loss, Weight
from chatadt.message import Message

__all__ = ("write_stream",)

_SAID: Final = frozenset({"role", "content", PLAN, "tool_calls", "citations"})


@final
class _Call:
    """A tool call that is being said."""

    __slots__ = ("block", "is_open", "number", "order", "said")

    def __init__(self, block: Growing, order: int) -> None:
        self.block = block
        self.order = order  # in which the calls came
        self.number = -1
        self.said = Arriving()  # its arguments
        self.is_open = True


@final
class _Speaker:
    """One answer that is being said."""

    __slots__ = (
        "apart",
        "calls",
        "changed",
        "contents",
        "current",
        "error",
        "held",
        "home",
        "late",
        "named",
        "numbers",
        "plan",
        "plans",
        "waiting",
    )

    def __init__(self) -> None:
        self.home = False
        self.current: Growing | None = None  # the content that is open
        self.contents: set[Growing] = set()  # that were started
        self.plans: set[Growing] = set()
        self.plan: Growing | None = None  # the one that was said last
        self.calls: dict[Growing, _Call] = {}
        self.changed: dict[_Call, None] = {}  # those that are open, and may be complete
        self.held: dict[Growing, _Call] = {}  # those whose name may not be whole
        self.named: dict[_Call, None] = {}  # those among them that have one
        self.numbers = [0, 0]  # of contents and calls
        self.apart: list[Growing] = []  # that go on when something else had begun
        self.late: list[tuple[Growing, Block]] = []
        self.waiting: Growing | None = None  # a block that comes whole, which another one may replace
        self.error: ProviderError | None = None

    def begin(self, start: Delta.Start) -> Iterator[Event]:
        self.home = NAME in start.extras
        id_ = start.id if start.id is not None else None if self.home else NO_ID
        message: Block = {"role": "assistant", "content": [], PLAN: "", "tool_calls": [], "citations": []}
        yield _event({**({} if id_ is None else {"id": id_}), "type": "message-start", "delta": {"message": message}})

    # --- blocks ---

    def say(self, delta: Said, block: Growing | None) -> Iterator[Event]:
        if delta.choice:
            return
        if self.waiting is not None and not (isinstance(delta, Delta.Block) and block is self.waiting):
            yield from self._whole()
        match delta:
            case Delta.Text() | Delta.Refusal():
                yield from self._words(block, {"type": "text", "text": ""}, "text", delta.text)
            case Delta.Reasoning():
                if block is not None and _own(block).get("$key") == PLAN:
                    yield from self._plan(block, delta.text)
                elif delta.text or (block is not None and _own(block)):
                    yield from self._words(block, {"type": "thinking", "thinking": ""}, "thinking", delta.text)
            case Delta.ToolRequest():
                yield from self._call(block, delta)
            case Delta.Block():
                self.waiting = block
            case Delta.BlockExtras():
                yield from self._about(block, delta)
            case _:
                assert_never(delta)

    def _words(self, block: Growing | None, start: Block, key: str, text: str) -> Iterator[Event]:
        """More of a text, or of thinking."""
        if block is None:
            return
        if block is not self.current:
            yield from self._end_content()
            yield from self._release()
            yield from self._end_calls(complete=True)
            self.apart += [block] if block in self.contents else []
            self.contents.add(block)
            self.current = block
            yield _event(_about_content("content-start", self.numbers[0], {**start, **_fields(_own(block))}))
        if text:
            yield _event(_about_content("content-delta", self.numbers[0], {key: text}))

    def _end_content(self) -> Iterator[Event]:
        if self.current is not None:
            self.current = None
            yield _event({"type": "content-end", "index": self.numbers[0]})
            self.numbers[0] += 1

    def _plan(self, block: Growing, text: str) -> Iterator[Event]:
        if self.plan is not block:
            self.apart += [block] if block in self.plans else []
            text = f"\n\n{text}" if self.plans else text
            self.plans.add(block)
            self.plan = block
        yield _event({"type": "tool-plan-delta", "delta": {"message": {PLAN: text}}})

    def _whole(self) -> Iterator[Event]:
        """A block that came whole, as a message has it that holds nothing else; what is lost of it the whole body tells."""
        block, self.waiting = self.waiting, None
        if block is None:
            return
        message = write_message(Message.Assistant([block.content]), [])
        for content in _list(message.get("content")):
            yield from self._end_content()
            yield _event(_about_content("content-start", self.numbers[0], content))
            yield _event({"type": "content-end", "index": self.numbers[0]})
            self.numbers[0] += 1
        for call in _list(message.get("tool_calls")):
            yield _event(_about_call("tool-call-start", self.numbers[1], call))
            yield _event({"type": "tool-call-end", "index": self.numbers[1]})
            self.numbers[1] += 1
        if message.get(PLAN):
            yield from self._plan(block, message[PLAN])

    # --- tool calls ---

    def _call(self, block: Growing | None, delta: Delta.ToolRequest) -> Iterator[Event]:
        if block is None:
            return
        call = self.calls.get(block)
        if call is not None:
            if delta.arguments:
                call.said.pieces.append(delta.arguments)
                self.changed[call] = None
                yield _event(_about_call("tool-call-delta", call.number, {"function": {"arguments": delta.arguments}}))
            return
        if block not in self.held:
            yield from self._release()
            self.held[block] = _Call(block, len(self.calls) + len(self.held))
        call = self.held[block]
        call.said.pieces.append(delta.arguments)
        if delta.name and block.name.strip():
            self.named[call] = None
        if delta.arguments and call in self.named:
            yield from self._release()

    def _release(self) -> Iterator[Event]:
        """Start the calls whose name is there."""
        named, self.named = sorted(self.named, key=lambda call: call.order), {}
        for call in named:
            block = call.block
            del self.held[block]
            yield from self._end_content()
            yield from self._end_calls(complete=True)
            call.number = self.numbers[1]
            self.numbers[1] += 1
            self.calls[block] = call
            self.changed[call] = None
            function = {"name": block.name, "arguments": ""}
            said = {"id": block.id or "", "type": "function", "function": function}
            yield _event(_about_call("tool-call-start", call.number, _with_own(said, _fields(_own(block)))))
            if text := call.said.text:
                yield _event(_about_call("tool-call-delta", call.number, {"function": {"arguments": text}}))

    def _end_calls(self, *, complete: bool, cut: _Call | None = None) -> Iterator[Event]:
        changed, self.changed = sorted(self.changed, key=lambda call: call.number), {}
        for call in changed if complete else self.calls.values():
            if call.is_open and (call.said.is_whole or not complete):
                if not call.said.text and call is cut:
                    continue  # who is told that it ends takes it as done, and its arguments as none
                call.is_open = False
                if not call.said.text and not self.home:
                    yield _event(_about_call("tool-call-delta", call.number, {"function": {"arguments": "{}"}}))
                yield _event({"type": "tool-call-end", "index": call.number})

    def _about(self, block: Growing | None, delta: Delta.BlockExtras) -> Iterator[Event]:
        own = _fields(delta.extras.of(NAME))
        if block is None or not own or block in self.held:
            return
        call = self.calls.get(block)
        if call is not None:
            yield _event(_about_call("tool-call-delta", call.number, own))
        elif block is self.current:
            key = "thinking" if block.case is Content.Reasoning else "text"
            yield _event(_about_content("content-delta", self.numbers[0], {key: "", **own}))
        elif block in self.contents:
            self.late.append((block, own))

    # --- the end ---

    def fail(self, error: ProviderError) -> Iterator[Event | Loss]:
        own = error.extras.of(NAME)
        if own and not own.get(AT_END):
            yield _event(own)
        else:
            self.error = error

    def finish(self, ending: Ending) -> Iterator[Event | Loss]:
        is_done = 0 in ending.stops or self.error is not None
        yield from self._whole()
        yield from self._release()
        if is_done:
            yield from self._end_content()
            latest = next(reversed(self.calls.values()), None)
            yield from self._end_calls(complete=False, cut=latest if cuts_off(ending.response.metadata.stop) else None)
        message = ending.body["message"]
        for number, citation in enumerate(_list(message.get("citations"))):
            said = {"message": {"citations": citation}}
            yield _event({"type": "citation-start", "index": number, "delta": said})
            yield _event({"type": "citation-end", "index": number})
        beside = {key: value for key, value in message.items() if key not in _SAID}
        delta: Block = {"message": beside} if beside else {}
        if is_done:
            delta["finish_reason"] = ending.body.get("finish_reason") if 0 in ending.stops else "ERROR"
        delta |= {"usage": ending.body["usage"]} if "usage" in ending.body else {}
        if self.error is not None:
            delta["error"] = self.error.message
            delta |= {} if self.error.code is None else {"error_type": self.error.code}
        rest = {key: value for key, value in ending.body.items() if key not in ("id", "message", "finish_reason", "usage")}
        if not is_done and not self.home:  # the last event would say an end that nobody said
            yield from _unended(ending.response.metadata.usage, beside, rest)
        elif is_done or delta or rest:
            yield _event({**rest, "type": "message-end", "delta": delta})
        yield from ending.joined(((0, block) for block in self.apart), "something came between: it stands in several parts")
        for block, fields in self.late:
            yield from ending.unsaid(0, block, fields)


def _unended(usage: Usage | None, of_message: Block, of_answer: Block) -> Iterator[Loss]:
    """What the end of a message would say, and no other event does."""
    reason = "a stream that breaks off has no event for it"
    counts = () if usage is None else counts_lost(usage, *COUNTED, reason=reason)
    yield from (loss.under("$.metadata.usage") for loss in counts)
    for path, fields in (("$.message", of_message), ("$.metadata", of_answer)):
        for key, value in fields.items():
            yield dropped(f"{key} ({NAME})", value, reason, weight=Weight.DETAIL, path=path)


def _event(data: Block) -> Event:
    kind = data.get("type")
    return {"event": kind if isinstance(kind, str) else "message", "data": data}


def _about_content(kind: str, number: int, content: Any) -> Block:
    return {"type": kind, "index": number, "delta": {"message": {"content": content}}}


def _about_call(kind: str, number: int, call: Any) -> Block:
    return {"type": kind, "index": number, "delta": {"message": {"tool_calls": call}}}


def _own(block: Growing) -> Block:
    """What this dialect says of a block."""
    return block.extras.of(NAME)


def _fields(own: Block) -> Block:
    return {key: value for key, value in own.items() if not key.startswith("$")}


def _with_own(call: Block, own: Block) -> Block:
    inner: Any = own.get("function")
    function = {**inner, **call["function"]} if inner.__class__ is dict else call["function"]
    return {**own, **call, "function": function, **({"type": own["type"]} if "type" in own else {})}


def _list(value: Any) -> list[Any]:
    return value if value.__class__ is list else []


write_stream: Final = told_by(NAME, write_response, _Speaker, _event, ids=RULES.tool_id)
"""Write a stream of events: total, with every loss reported at its path in the answer that the stream folds to."""
