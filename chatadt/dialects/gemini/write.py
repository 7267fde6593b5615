"""The words -> Gemini JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss.

Messages of one role that follow each other become one turn, tool results and what the user said next among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, assert_never

import orjson

from chatadt._hooks import unstructuring
from chatadt._wire import absent, fields_of, restore
from chatadt.chat import ChatRequest
from chatadt.content import Content
from chatadt.dialects._calls import answered
from chatadt.dialects._codec import OK
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    TURN,
    Block,
    Splice,
    as_fragment,
    as_object,
    dropped,
    foreign,
    foreign_message,
    invented,
    moved,
    nameless,
    omitted,
    parted,
    relocate,
)
from chatadt.dialects._media import locator
from chatadt.dialects._plain import says_more
from chatadt.dialects._spelling import list_of, object_of
from chatadt.dialects._turns import why_moved
from chatadt.dialects.gemini.codec import CODEC, NAME, camel, in_snake
from chatadt.dialects.gemini.config import unplaced
from chatadt.dialects.gemini.media import Medium, fits_a_result
from chatadt.dialects.gemini.params import write_params
from chatadt.dialects.gemini.parts import Said, input_part, parts_of, plain_parts, written_id
from chatadt.dialects.gemini.results import write_response
from chatadt.dialects.gemini.rules import RULES, Generation, generation
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("UNKNOWN_TOOL", "encode_request", "write_request")

UNKNOWN_TOOL: Final = "unknown"
"""The name of a tool in a result that answers no call."""


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    return _written(request, target, as_object)


def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
    """Write a request body as JSON: what `write_request` writes, tool arguments as the text that they came with."""
    written = _written(request, target, as_fragment)
    try:
        return Converted(orjson.dumps(written.value), written.losses)
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return encoded(write_request)(request, target)


def _written(request: ChatRequest, target: Target, splice: Splice) -> Converted[Block]:
    losses: list[Loss] = []
    model = RULES.known(request.params.model if target.model is None else target.model)
    known = generation(model)
    notes = request.params.extras.of(NAME) if request.params.extras is not NO_EXTRAS else {}
    body = write_params(request.params, known, losses)
    relocate(losses, 0, "$.params")
    signs_all = known.signatures and bool(model) and model != notes.get("$model")
    turns = _Turns(request.messages, known, signs_all, splice)
    start = len(losses)
    for index, message in enumerate(request.messages):
        if not turns.add_plainly(message, index, losses):
            turns.add(message, index, losses)
            if len(losses) != start:
                relocate(losses, start, f"$.messages[{index}]")
        start = len(losses)
    body["contents"] = turns.end()
    if turns.system is not None:
        body["systemInstruction"] = _lone_text(turns.system) if turns.is_string else turns.system
    if "$snake" in notes:
        body = in_snake(body, {camel(name): name for name in list_of(notes, "$snake", str)})
    return Converted(body, tuple(losses))


# --- turns ---------------------------------------------------------------------------------------------------------------------


class _Turns:
    """The turns written so far, and what waits for its place among them."""

    __slots__ = (
        "asked",
        "behind",
        "folded",
        "is_string",
        "known",
        "messages",
        "parts",
        "role",
        "signs_all",
        "splice",
        "system",
        "turns",
        "unnumbered",
    )

    def __init__(self, messages: tuple[Message.T, ...], known: Generation, signs_all: bool, splice: Splice) -> None:
        self.messages = messages
        self.known = known
        self.splice = splice
        self.signs_all = signs_all  # whether the provider's own calls need a signature too: they were made by another model
        self.system: Block | None = None
        self.is_string = False  # whether the system prompt was spelt as a string
        self.turns: list[Block] = []
        self.role = ""  # of the turn that is open
        self.parts: list[Block] = []  # of the turn that is open
        self.behind: list[Block] = []  # media that cannot be in tool results: they stand behind all results of the turn
        self.folded: list[Block] = []  # system texts that stand at the head of the next user turn
        self.asked: Mapping[int, Content.ToolRequest] | None = None  # by index of a result: the call that it answers, once asked
        self.unnumbered: set[str] = set()  # ids of calls that came without, and are written so

    def add_plainly(self, message: Any, index: int, losses: list[Loss]) -> bool:
        """Write one message as nearly all are, of texts and tool requests alone, if it is; the long way writes the same.

        `index` is that of the message, for the paths of losses.
        """
        if self.behind or self.folded or not self.known.ids or says_more(message):
            return False
        kind = message.__class__
        if kind is _RESULT:
            output = _plain_output(message) if message.id not in self.unnumbered else None
            if output is None:
                return False
            told = {"id": message.id, "name": message.tool, "response": {"output": output}}
            self._say("user", [{"functionResponse": told}], NO_EXTRAS)
            return True
        parts = plain_parts(message.contents, index, self.known, self.splice, losses)
        if not parts:
            return False
        self._say("model" if kind is _ASSISTANT else "user", parts, NO_EXTRAS)
        return True

    def add(self, message: Message.T, index: int, losses: list[Loss]) -> None:
        """Write one message, that at `index`."""
        match message:
            case Message.ToolResult():
                self._say("user", [self._result(message, index, losses)], message.extras)
                if message.extras is not NO_EXTRAS:
                    self._turn_of_a_result(message.extras, losses)
            case Message.Assistant():
                self._wait_no_longer()
                parts = parts_of(message.contents, Said(self.known, self.signs_all, self.splice).part, losses)
                losses += nameless(message, "turn")
                self.unnumbered.update(_unnumbered(message))
                if parts or not message.contents:
                    self._say("model", parts, message.extras)
                    self._restore(message.extras, losses)
                else:
                    losses += unplaced(message.extras)
            case Message.User():
                self._wait_no_longer()
                self._say("user", _user(message, losses), message.extras)
                self._restore(message.extras, losses)
            case Message.System():
                self._instruct(message, losses)
            case Message.Custom(attributes=attributes, dialect=dialect):
                if dialect == NAME:
                    self._wait_no_longer()
                    self.turns.append(attributes.value)
                    self.role = ""
                else:
                    losses.append(foreign_message(message))
            case _:
                assert_never(message)

    def end(self) -> list[Block]:
        """The turns, when there is nothing more to say."""
        self._wait_no_longer()
        return self.turns

    def _wait_no_longer(self) -> None:
        if self.behind or self.folded:
            waiting = self.behind + self.folded
            self.behind, self.folded = [], []
            self._say("user", waiting, NO_EXTRAS)

    def _say(self, role: str, parts: list[Block], extras: Extras) -> None:
        notes = extras.of(NAME) if extras is not NO_EXTRAS else {}
        if role == self.role and not notes.get("$new_turn"):
            self.parts += parts
            return
        self.role, self.parts = role, parts
        turn: Block = {"role": role, "parts": parts}
        if not notes:
            self.turns.append(turn)
            return
        if "$role" in notes and notes["$role"] is None:
            del turn["role"]
        elif notes.get("$role") == "function":
            turn["role"] = "function"
        self.turns.append(turn)

    def _restore(self, extras: Extras, losses: list[Loss]) -> None:
        """Give the turn the fields that it had."""
        if extras is NO_EXTRAS:
            return
        own = extras.of(NAME)
        losses += _placed(self.turns[-1], fields_of(own))
        for key in absent(own):
            if self.turns[-1].get(key) == []:
                del self.turns[-1][key]
        losses += foreign(extras, NAME)

    def _turn_of_a_result(self, extras: Extras, losses: list[Loss]) -> None:
        """Give the turn the fields that it had, where a tool result opened it."""
        if extras is not NO_EXTRAS:
            losses += _placed(self.turns[-1], object_of(extras.of(NAME), TURN).items())

    # --- the system prompt

    def _instruct(self, message: Message.System, losses: list[Loss]) -> None:
        parts = parts_of(message.contents, input_part, losses)
        if not parts and message.contents:
            losses += unplaced(message.extras)
        elif self.turns or self.behind or self.folded:
            losses.append(moved("a system message", message.text, why_moved(self.role)))
            losses += unplaced(message.extras)
            self.folded += parts
        elif self.system is None:
            self.system = _system(message, parts)
            self.is_string = bool(message.extras.of(NAME).get("$string"))
            losses += foreign(message.extras, NAME)
        else:
            self.is_string = False
            if isinstance(self.system["parts"], dict):
                self.system["parts"] = [self.system["parts"]]
            self.system["parts"] += parts
            losses += _placed(self.system, fields_of(message.extras.of(NAME)))
            losses += foreign(message.extras, NAME)

    # --- tool results

    def _result(self, message: Message.ToolResult, index: int, losses: list[Loss]) -> Block:
        has_id = self.known.ids and message.id not in self.unnumbered
        plain = _plain_output(message) if has_id else None
        if plain is not None:
            return {"functionResponse": {"id": message.id, "name": message.tool, "response": {"output": plain}}}
        notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
        told = _write_result(message)
        told.pop("part", None)
        name = message.tool or self._asked(index)
        if "$unnamed" in notes:
            told.pop("name", None)
        elif name is None:
            told["name"] = UNKNOWN_TOOL
            losses.append(invented("the name of a tool", "a result needs one, and no call says it", path=".tool"))
        else:
            told["name"] = name
        if message.id in self.unnumbered and "$id" not in notes:
            told.pop("id", None)  # it was made up for a call that has none
        losses += written_id(told, notes, self.known)
        told["response"] = write_response(message, notes, losses)
        inside = self._media(message, losses)
        if inside or "$parts" in notes:
            told["parts"] = inside
        for key in absent(notes):
            if told.get(key) in ({}, []):
                del told[key]
        losses += foreign(message.extras, NAME)
        return {"functionResponse": told, **object_of(notes, "part")}

    def _asked(self, index: int) -> str | None:
        """The name of the tool that was asked by the call which the result at `index` answers."""
        if self.asked is None:
            self.asked = answered(self.messages)
        call = self.asked.get(index)
        return None if call is None else call.name

    def _media(self, message: Message.ToolResult, losses: list[Loss]) -> list[Block]:
        """The parts that a result holds besides its text; others are put `behind`."""
        inside: list[Block] = []
        for index, content in enumerate(message.contents):
            path = f".contents[{index}]"
            if isinstance(content, Content.Text) and not content.extras.of(NAME).get("$in_result"):
                continue
            parts = parted(input_part(content), losses, path)
            if isinstance(content, Content.Text | Content.Custom) or self._fits_a_result(content, parts):
                inside += parts
            elif parts:
                reason = "a result does not take it: it stands behind the results of the turn"
                what = f"{type(content).__name__.lower()} of a tool result"
                losses.append(moved(what, locator(content.resource)[:80], reason, path=path))
                self.behind += parts
        return inside

    def _fits_a_result(self, content: Medium, parts: list[Block]) -> bool:
        """Whether what was written of a medium may stand inside a result: media do, a transcript in the place of one does not."""
        return self.known.media_in_results and fits_a_result(content) and not any("text" in part for part in parts)


def _unnumbered(message: Message.Assistant) -> Iterator[str]:
    """The ids of the calls in a message that came without one."""
    for content in message.contents:
        if isinstance(content, Content.ToolRequest) and content.extras is not NO_EXTRAS and "$id" in content.extras.of(NAME):
            yield content.id


def _plain_output(message: Message.ToolResult) -> str | None:
    """The output of a result as nearly all are: one text, of a tool that is known. None of any other."""
    if message.extras is not NO_EXTRAS or message.outcome is not OK or len(message.contents) != 1:
        return None
    only: Any = message.contents[0]
    if only.__class__ is not _TEXT or only.extras is not NO_EXTRAS or not message.tool or not message.id:
        return None
    return only.text


_TEXT: Final = Content.Text
_RESULT: Final = Message.ToolResult
_ASSISTANT: Final = Message.Assistant


def _system(message: Message.System, parts: list[Block]) -> Block:
    notes = message.extras.of(NAME)
    block: Block = {"role": notes["$role"]} if "$role" in notes else {}
    block["parts"] = parts[0] if notes.get("$parts") == "object" and len(parts) == 1 else parts
    restore(block, message.extras, NAME)
    return block


def _lone_text(system: Block) -> Any:
    """The text of a system prompt that says nothing else, or the prompt itself."""
    match system:
        case {"parts": [{"text": text, **more}], **rest} if not more and not rest:
            return text
        case _:
            return system


def _placed(turn: Block, fields: Iterable[tuple[str, Any]]) -> Iterator[Loss]:
    """Put the fields that a message had into the turn that it is part of; a loss for each that has no place there."""
    for key, value in fields:
        if turn.setdefault(key, value) != value:
            yield dropped(f"{key} ({NAME})", value, "another message of the turn says it", weight=Weight.DETAIL)


# --- messages ------------------------------------------------------------------------------------------------------------------


def _user(message: Message.User, losses: list[Loss]) -> list[Block]:
    parts = parts_of(message.contents, input_part, losses)
    if not parts and message.contents:
        parts = [{"text": omitted(message.contents, losses)}]
    losses += nameless(message, "turn")
    return parts


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_result: Final = unstructuring(CODEC, Message.ToolResult)
