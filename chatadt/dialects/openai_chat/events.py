"""Deltas -> OpenAI Chat events: each delta is a chunk of its own; usage comes last, in a chunk without choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, final

from attrs import evolve

from chatadt._cut import cuts_off
from chatadt.chat import Usage
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._answers import error_lost, event_lost
from chatadt.dialects._arriving import Arriving
from chatadt.dialects._calls import foreign_call, free_form_lost, has_free_form
from chatadt.dialects._cut_calls import cut_call_lost
from chatadt.dialects._losses import Block, foreign, invented, nameless_call, rewritten, silent
from chatadt.dialects._one_answer import one_answer
from chatadt.dialects._openai_like.answers import NO_ID, NO_MODEL
from chatadt.dialects._openai_like.arguments import input_text
from chatadt.dialects._spelling import object_of
from chatadt.dialects._stream import Event, Writing, is_end
from chatadt.dialects.openai_chat.assistant import beside_reasoning
from chatadt.dialects.openai_chat.choices import Choice
from chatadt.dialects.openai_chat.codec import NAME
from chatadt.dialects.openai_chat.fragments import custom_part, placed, with_own
from chatadt.dialects.openai_chat.response import ANSWERS, write_message
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.dialects.openai_chat.usage import write_usage
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("write_stream",)

_OBJECT: Final = "chat.completion.chunk"


@final
class _Writer:
    """A stream that is being written."""

    __slots__ = ("base", "choices", "error", "holding", "home", "opening", "usage")

    def __init__(self) -> None:
        self.base: Event = {}
        self.home = False
        self.opening: list[Event | Loss] = []
        self.choices: dict[int, Choice] = {}
        self.holding: dict[Choice, None] = {}  # those that hold a call
        self.usage: Usage | None = None

    def step(self, delta: Delta.T) -> Iterator[Event | Loss]:
        if not isinstance(delta, Delta.ToolRequest | Delta.BlockExtras | Delta.Failed):  # which goes out last
            yield from self._release()
        match delta:
            case Delta.Start():
                yield from self.end()
                yield from self._start(delta)
            case Delta.Text():
                yield from self._text(delta, "content", delta.text)
            case Delta.Reasoning():
                yield from self._text(delta, self._key(delta), delta.text)
            case Delta.Refusal():
                self._choice(delta.choice).refuses = True
                yield from self._text(delta, "refusal", delta.text)
            case Delta.ToolRequest():
                yield from self._call(delta)
            case Delta.Block():
                yield from self._whole(delta)
            case Delta.BlockExtras():
                yield from self._about_block(delta)
            case Delta.Speaker():
                yield from self._about_message(delta)
            case Delta.Answer():
                yield from self._about_answer(delta)
            case Delta.Tokens():
                self.usage = delta.usage
            case Delta.Stop():
                yield from self._stop(delta)
            case Delta.Failed():
                yield from self._fail(delta)
            case Delta.Custom(dialect=dialect, value=value):
                if dialect == NAME and value.value.__class__ is dict:
                    yield value.value
                else:
                    yield event_lost(delta, NAME)
            case _:
                assert_never(delta)

    def end(self) -> Iterator[Event | Loss]:
        """What is known only when the message is done; then another may begin."""
        yield from self._release()
        for choice in self.choices.values():
            yield from self._end_calls(choice)
            for index, waiting in choice.held.items():
                call = _together(waiting)
                own = {key: value for key, value in choice.notes.get(index, {}).items() if not key.startswith("$")}
                said = {NAME: own} if own else None
                yield nameless_call(id=call.id, name=call.name, arguments=call.arguments, extras=said, path=choice.path(index))
            for index, (extras, pieces) in choice.free_form.items():
                if index in choice.held:
                    continue
                text = input_text(Arguments.of("".join(pieces)))
                yield from (loss.under(choice.path(index)) for loss in free_form_lost(extras, NAME, text))
            if not self.home:
                yield from (silent(choice.path(index)) for index, is_silent in choice.silent.items() if is_silent)
                for index in choice.silent:
                    yield from (loss.under(choice.path(index)) for loss in beside_reasoning(choice.notes.get(index, {})))
            yield from self._joined(choice)
            for index, content in choice.foreign.items():
                yield from self._alone(choice, index, content)
            for index, found in choice.unplaced.items():
                yield from (loss.under(choice.path(index)) for loss in found)
        if self.usage is not None:
            losses: list[Loss] = []
            counted = write_usage(self.usage, losses, self.home)
            yield from self._base()
            yield {**self.base, "choices": [], "usage": counted}
            yield from (loss.under("$.metadata") for loss in losses)
        self.choices, self.usage = {}, None

    def _end_calls(self, choice: Choice) -> Iterator[Event | Loss]:
        """What only the end of a call says. A client takes a call as done when another one begins, or when it reads the reason to
        stop: nothing of one may come after that.
        """
        for index in [*choice.written]:
            yield from self._end_text(choice, index)
        if self.home or not choice.is_done:  # what broke off has no arguments yet
            return
        for index, number in choice.names.items():
            if index not in choice.called and choice.notes.get(index, {}).get("$type") != "custom":  # a client parses what it gets
                choice.called.add(index)
                yield from self._chunk(choice, {"tool_calls": [{"index": number, "function": {"arguments": "{}"}}]})

    def _end_text(self, choice: Choice, index: int) -> Iterator[Event | Loss]:
        """All of the text that a custom tool takes."""
        said = choice.written.pop(index).text
        text = input_text(Arguments.of(said)) if said.strip() else ""
        yield from self._chunk(choice, {"tool_calls": [custom_part(choice.names[index], text)]})

    def _start(self, delta: Delta.Start) -> Iterator[Event | Loss]:
        own = delta.extras.of(NAME)
        self.home = NAME in delta.extras
        made: Block = {"id": NO_ID, "created": 0, "model": NO_MODEL}
        known = {key: value for key, value in (("id", delta.id), ("model", delta.model)) if value is not None}
        if "created" in own:
            known["created"] = own.pop("created")
        self.base = {**made, **known, "object": _OBJECT}
        if self.home:
            self.base = {key: self.base[key] for key in ("id", "object", "created", "model") if key in known or key == "object"}
        else:
            reason = "a chunk has one"
            yield from (invented(f"the {key}", f"{reason}: {made[key]!r}", path="$.metadata") for key in made if key not in known)
        yield from (loss.under("$.metadata") for loss in foreign(delta.extras, NAME))
        first = {key: value for key, value in own.items() if not key.startswith("$") and key not in ("choices", "events", "object")}
        if self.home:
            yield {**first, **self.base, "choices": []}
        if said := object_of(own, "choices"):
            yield from self._chunk(self._choice(0), {}, **said)

    def _base(self) -> Iterator[Event | Loss]:
        """What every chunk has, where no start was said."""
        if not self.base:
            yield from self._start(Delta.Start())

    def _choice(self, number: int) -> Choice:
        known = self.choices.get(number)
        if known is None:
            known = self.choices[number] = Choice(number)
        return known

    def _chunk(self, choice: Choice, said: Block, /, **beside: Any) -> Iterator[Event | Loss]:
        yield from self._base()
        if not choice.began:
            choice.began = True
            said = {"role": "assistant", **said}
        yield {**self.base, "choices": [{"index": choice.number, "delta": said, "finish_reason": None, **beside}]}

    # --- pieces ---

    def _text(self, delta: Delta.Text | Delta.Reasoning | Delta.Refusal, key: str, text: str) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        choice.place(delta.index)
        first = choice.texts.setdefault(key, delta.index)
        if choice.joining is not None and choice.joining[:2] != (key, delta.index):
            yield from self._joined(choice)
        if first != delta.index and not self.home:
            choice.joining = choice.joining or (key, delta.index, [])
            choice.joining[2].append(text)
        if isinstance(delta, Delta.Reasoning):
            choice.silent[delta.index] = not text and choice.silent.get(delta.index, True)
        if text or not choice.began:
            yield from self._chunk(choice, {key: text})

    def _joined(self, choice: Choice) -> Iterator[Loss]:
        """The loss of a further text of its kind, which is over; no more of it is kept than that."""
        if choice.joining is not None:
            (key, index, pieces), choice.joining = choice.joining, None
            if any(pieces):
                what = f"a {_KINDS.get(key, 'reasoning')} of its own"
                yield rewritten(what, "".join(pieces), "an answer has one: a client joins them", path=choice.path(index))

    def _key(self, delta: Delta.Reasoning) -> str:
        key = self._choice(delta.choice).notes.get(delta.index, {}).get("$key")
        return key if isinstance(key, str) else "reasoning_content"

    def _call(self, delta: Delta.ToolRequest) -> Iterator[Event | Loss]:
        """A call begins in one chunk with its whole name, which may go on until arguments come. One without a name waits for it."""
        choice = self._choice(delta.choice)
        choice.place(delta.index)
        if delta.index in choice.names:
            yield from self._release()
            yield from self._called(delta)
            return
        if delta.index not in choice.ready:
            yield from self._release()
        choice.held.setdefault(delta.index, []).append(delta)
        if delta.name.strip():
            choice.named.add(delta.index)
        if delta.index in choice.named:
            choice.ready[delta.index] = None
            self.holding[choice] = None
        if delta.index in choice.named and delta.arguments:
            yield from self._begin_call(choice, delta.index)

    def _begin_call(self, choice: Choice, index: int) -> Iterator[Event | Loss]:
        del choice.ready[index]
        yield from self._called(_together(choice.held.pop(index)))

    def _release(self) -> Iterator[Event | Loss]:
        """The calls whose name is complete, for something else is said."""
        if not self.holding:
            return
        holding, self.holding = self.holding, {}
        for choice in holding:
            for index in [*choice.ready]:
                yield from self._begin_call(choice, index)

    def _called(self, delta: Delta.ToolRequest) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        if delta.arguments:
            choice.called.add(delta.index)
        if delta.index in choice.free_form:
            choice.free_form[delta.index][1].append(delta.arguments)
        choice.asks = True
        choice.place(delta.index)
        notes = choice.notes.get(delta.index, {})
        if notes.get("$function_call"):
            name = {"name": delta.name} if delta.name else {}
            yield from self._chunk(choice, {"function_call": {**name, "arguments": delta.arguments}})
            return
        is_new = delta.index not in choice.names
        number = choice.names.setdefault(delta.index, len(choice.names))
        if notes.get("$type") == "custom":
            text = choice.written.setdefault(delta.index, Arriving())
            text.pieces.append(delta.arguments)
            inner = {"name": delta.name, "input": ""} if is_new or delta.name else {}
            id_ = {"id": delta.id or ""} if is_new or delta.id is not None else {}
            if inner or id_:
                yield from self._chunk(choice, {"tool_calls": [{"index": number, **id_, "type": "custom", "custom": inner}]})
            if delta.arguments.endswith('"') and text.is_whole:
                yield from self._end_text(choice, delta.index)
            return
        part: Block = {"index": number}
        if is_new:
            part |= {"id": delta.id or "", "type": "function"}
        elif delta.id is not None:
            part["id"] = delta.id
        name = {"name": delta.name} if is_new or delta.name else {}
        part["function"] = {**name, "arguments": delta.arguments}
        own = {key: value for key, value in notes.items() if not key.startswith("$")} if is_new else {}
        yield from self._chunk(choice, {"tool_calls": [with_own(part, own)]})

    def _whole(self, delta: Delta.Block) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        is_new = delta.index not in choice.places
        choice.place(delta.index)
        if isinstance(delta.content, Content.Custom) and delta.content.dialect != NAME:
            choice.foreign[delta.index] = delta.content  # a later one may replace it
        elif is_new:
            yield from self._alone(choice, delta.index, delta.content)

    def _alone(self, choice: Choice, index: int, content: Content.T) -> Iterator[Event | Loss]:
        """A content that comes whole, as the message says it that holds nothing else."""
        losses: list[Loss] = []
        if isinstance(content, Content.ToolRequest) and not has_free_form(content.extras, NAME):
            losses += (loss.under(".contents[0]") for loss in foreign_call(content, NAME))
            content = evolve(content, extras=Extras({NAME: content.extras.of(NAME)}) if NAME in content.extras else NO_EXTRAS)
        is_own = isinstance(content, Content.Custom) and content.dialect == NAME
        message = write_message(Message.Assistant([content]), losses, is_own)
        said = {key: value for key, value in message.items() if key != "role" and value is not None}
        for part in said.get("tool_calls", ()):
            choice.asks = True
            part["index"] = choice.names.setdefault(index, len(choice.names))
            choice.called.add(index)
        if said:
            yield from self._chunk(choice, said)
        path = choice.path(index)
        yield from (
            loss.under(path.removesuffix(f".contents[{choice.places[index]}]")) for loss in placed(losses, choice.places[index])
        )

    # --- what is said besides ---

    def _about_block(self, delta: Delta.BlockExtras) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        own = delta.extras.of(NAME)
        choice.notes.setdefault(delta.index, {}).update(own)
        if any(has_free_form(delta.extras, name) for name in delta.extras if name != NAME):
            choice.free_form.setdefault(delta.index, (delta.extras, []))
        said = {key: value for key, value in own.items() if not key.startswith("$")}
        if said and delta.index in choice.names:
            yield from self._chunk(choice, {"tool_calls": [{"index": choice.names[delta.index], **said}]})
        if delta.index in choice.places:
            yield from (loss.under(choice.path(delta.index)) for loss in foreign(delta.extras, NAME))
        else:  # where it will stand is not known yet
            choice.unplaced.setdefault(delta.index, []).extend(foreign(delta.extras, NAME))

    def _about_message(self, delta: Delta.Speaker) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        own = {key: value for key, value in delta.extras.of(NAME).items() if not key.startswith("$")}
        said = {**own, **({} if delta.name is None else {"name": delta.name})}
        if said:
            yield from self._chunk(choice, said)
        yield from (loss.under(choice.message_path) for loss in foreign(delta.extras, NAME))

    def _about_answer(self, delta: Delta.Answer) -> Iterator[Event | Loss]:
        own = {key: value for key, value in delta.extras.of(NAME).items() if not key.startswith("$") and key != "events"}
        choice = self._choice(delta.choice)
        if delta.choice == 0:
            said = object_of(own, "choices")
            own.pop("choices", None)
            if own:
                yield from self._base()
                yield {**self.base, **own, "choices": []}
            if said:
                yield from self._chunk(choice, {}, **said)
            yield from (loss.under("$.metadata") for loss in foreign(delta.extras, NAME))
        else:
            yield from self._chunk(choice, {}, **own)
            yield from (loss.under(f"$.others[{delta.choice - 1}]") for loss in foreign(delta.extras, NAME))

    def _stop(self, delta: Delta.Stop) -> Iterator[Event | Loss]:
        choice = self._choice(delta.choice)
        if not is_end(delta):
            return
        word, losses = ANSWERS.finish_word(delta.reason, self.home, asks=choice.asks, refuses=choice.refuses)
        choice.is_done = True
        if cuts_off(delta.reason) and choice.names:
            yield from self._cut(choice, next(reversed(choice.names)), word)
        yield from self._end_calls(choice)
        if word is not None:
            yield from self._chunk(choice, {}, finish_reason=word)
        about = "$.metadata" if choice.number == 0 else f"$.others[{choice.number - 1}]"
        yield from (loss.under(about) for loss in losses)

    def _cut(self, choice: Choice, index: int, word: str | None) -> Iterator[Loss]:
        """The last call may have been cut off before its arguments: then it has none yet, if the `word` for why it ends says so."""
        if index in choice.called:
            return
        choice.called.add(index)
        is_last = choice.places[index] == len(choice.places) - 1
        if is_last and not cuts_off(ANSWERS.stop_of(word, asks=choice.asks, refuses=choice.refuses)):
            yield cut_call_lost(choice.path(index))

    def _fail(self, delta: Delta.Failed) -> Iterator[Event | Loss]:
        error = delta.error
        own = error.extras.of(NAME)
        if own:
            yield {key: value for key, value in own.items() if key not in ("choices", "usage")}
        else:
            yield {"error": {"message": error.message, "type": "error", "code": error.code}}
        yield from (loss.under("$.metadata.error") for loss in error_lost(error, NAME))


_KINDS: Final = {"content": "text", "refusal": "refusal"}


def _together(pieces: list[Delta.ToolRequest]) -> Delta.ToolRequest:
    """The pieces of one call as one."""
    id_ = next((piece.id for piece in pieces if piece.id is not None), None)
    name, arguments = ("".join(texts) for texts in zip(*((piece.name, piece.arguments) for piece in pieces), strict=True))
    return evolve(pieces[-1], id=id_, name=name, arguments=arguments)


def _begin() -> Writing:
    writer = _Writer()
    return writer.step, writer.end


write_stream: Final = one_answer(NAME, _begin, RULES.tool_id)
"""Write a stream of chunks: total, with every loss reported at its path in the answer that the stream folds to."""
