"""Answers made like a `chat.completion`: choices, each with a message and why it stopped, and what is known of them all.

What a body says of its first choice besides its message is kept under `choices` among the extras of the metadata, that of the
others in theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, final

from attrs import evolve, frozen

from chatadt._cut import with_cut_call
from chatadt._wire import each, json, restore
from chatadt.chat import ChatResponse, Choice, Metadata, StopKind, StopReason, Usage
from chatadt.content import Content
from chatadt.dialects._answers import metadata_lost, parted_rest, restore_role, role_of, stop_by, stop_lost, unless_kept, without
from chatadt.dialects._codec import at, noted
from chatadt.dialects._cut_calls import cut_calls_lost
from chatadt.dialects._losses import Block, foreign, invented, relocate
from chatadt.dialects._spelling import object_of
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = ("NO_ID", "NO_MODEL", "Answers", "is_filler")

NO_ID: Final = "chatcmpl-0"
NO_MODEL: Final = "unknown"
_OBJECT: Final = "chat.completion"

WriteMessage: TypeAlias = "Callable[[Message.Assistant, list[Loss], bool], Block]"
"""Writes the message of a choice, in parts where the last argument says so."""


@final
@frozen
class Answers:
    """How a dialect answers: its words for why a model stopped, and how its messages and counts of tokens are read and written."""

    dialect: str
    kinds: Mapping[str, StopKind]
    """By `finish_reason`: what it means, where the message does not say more."""
    words: Mapping[StopKind, str]
    """By what it means: the `finish_reason`."""
    nearest: Mapping[StopKind, str]
    """The same where it means nearly that; else it is `stop`."""
    read_message: Callable[[Any], Message.T]
    write_message: WriteMessage
    read_usage: Callable[[Any], Usage | None]
    write_usage: Callable[[Usage, list[Loss], bool], Block]
    refuses: bool = False
    """Whether a message has a word for refusals."""
    always_counts: bool = False
    """Whether there is no answer without its usage."""

    # --- reading ---

    def read(self, body: Any) -> ChatResponse:
        """The answer that a body is; raises `Unexpected` where it is none."""
        if body.__class__ is not dict:
            raise Unexpected.of("an answer, which is an object with choices", body)
        if "choices" not in body:
            raise Unexpected.missing("a list of choices", ".choices")
        choices = at(".choices", self._choices, body["choices"])
        known = {key: body[key] for key in ("id", "model") if body.get(key).__class__ is str}
        usage = self.read_usage(body.get("usage"))
        used = {*known, "choices", *(["usage"] if usage else []), *(["object"] if body.get("object") == _OBJECT else [])}
        rest = {key: value for key, value in body.items() if key not in used}
        absent = {} if "object" in body else {"$absent": ["object"]}
        first = choices[0] if choices else Choice(Message.Assistant(()), extras={self.dialect: {"$none": True}})
        own = first.extras.of(self.dialect)
        said = {key: value for key, value in own.items() if not key.startswith("$")}
        notes = {key: value for key, value in own.items() if key.startswith("$")}
        fields = {**parted_rest(rest), **absent, **({"choices": said} if said else {}), "$choices": notes}
        metadata = Metadata(**known, usage=usage, stop=first.stop, extras={self.dialect: fields})
        return ChatResponse(first.message, metadata, choices[1:])

    def _choices(self, values: Any) -> tuple[Choice, ...]:
        if values.__class__ is not list:
            raise Unexpected.of("a list of choices", values)
        return each(self._choice, [*enumerate(values)])

    def _choice(self, numbered: tuple[int, Any]) -> Choice:
        number, value = numbered
        if value.__class__ is not dict:
            raise Unexpected.of("a choice, which is an object", value)
        message, notes = self._message(value.get("message"))
        stop = self.stop_of(value.get("finish_reason"), asks=bool(message.tool_requests), refuses=self._refuses(message))
        used = {"message"} if message is not _NOTHING else set[str]()
        used |= {"finish_reason"} if stop is not None and stop.raw is not None else set[str]()
        used |= {"index"} if value.get("index") == number and value["index"].__class__ is int else set[str]()
        notes |= {} if "index" in value else {"$absent": ["index"]}
        rest = {key: None if key == "finish_reason" and item == "" else item for key, item in value.items() if key not in used}
        notes |= {"$empty": True} if value.get("finish_reason") == "" else {}
        notes |= {} if "message" in value else {"$no_message": True}
        fields = {**parted_rest(rest), **notes}
        return Choice(with_cut_call(message, stop), stop, {self.dialect: fields} if fields else {})

    def _message(self, value: Any) -> tuple[Message.Assistant, dict[str, Any]]:
        """The message of a choice, and notes on how it was spelt; nothing where there is none."""
        if value is None:
            return _NOTHING, {}
        if value.__class__ is not dict:
            raise Unexpected.of("a message, which is an object", value, ".message")
        notes: dict[str, Any] = {} if value.get("role") == "assistant" else {"$role": role_of(value, ".message.role")}
        content = value.get("content")
        notes |= {"$list": True} if content.__class__ is list else {}
        filled = {key: item for key, item in value.items() if is_filler(key, item)}
        said = {key: item for key, item in value.items() if key not in filled} if filled else value
        if content is None or content.__class__ in (str, list):
            told = self._told(said)
        else:
            alone = Content.Custom(self.dialect, at(".message.content", json, content))  # an object, where JSON was asked for
            told = self._told({**said, "content": None})
            told, notes = evolve(told, contents=(alone, *told.contents)), {**notes, "$content": True}
        if filled:
            told = noted(told, self.dialect, "$kept", {**told.extras.of(self.dialect).get("$kept", {}), **filled})
        return told, notes

    def _told(self, value: dict[str, Any]) -> Message.Assistant:
        message = at(".message", self.read_message, {**value, "role": "assistant"})
        if not isinstance(message, Message.Assistant):
            raise Unexpected.of("a message of an assistant", value, ".message")
        return message

    def _refuses(self, message: Message.Assistant) -> bool:
        return self.refuses and any(isinstance(content, Content.Refusal) for content in message.contents)

    def stop_of(self, word: Any, *, asks: bool, refuses: bool) -> StopReason | None:
        """Why the model stopped: its word for it, and whether the message calls tools or refuses. None where nothing says so."""
        return stop_by(self.kinds, word if word.__class__ is str and word else None, asks=asks, refuses=refuses)

    # --- writing ---

    def write(self, response: ChatResponse) -> Converted[Block]:
        """The body of an answer: total, with every loss reported at its path in `response`."""
        losses: list[Loss] = []
        metadata = response.metadata
        own = metadata.extras.of(self.dialect)
        is_home = self.dialect in metadata.extras
        notes_of_first = {**object_of(own, "choices"), **object_of(own, "$choices")}
        of_first = Extras({self.dialect: notes_of_first}) if is_home else NO_EXTRAS
        first = Choice(response.message, metadata.stop, of_first)
        choices = [] if notes_of_first.get("$none") else [self._write_choice(first, 0, is_home, losses, "$", "$.metadata")]
        for index, choice in enumerate(response.others):
            choices.append(self._write_choice(choice, len(choices), is_home, losses, f"$.others[{index}]", f"$.others[{index}]"))
            losses += [loss.under(f"$.others[{index}]") for loss in foreign(choice.extras, self.dialect)]
        known = len(losses)
        body: Block = {**unless_kept({"object": _OBJECT}, own), "choices": choices}
        body |= {key: value for key, value in (("id", metadata.id), ("model", metadata.model)) if value is not None}
        if metadata.usage is not None:
            body["usage"] = self.write_usage(metadata.usage, losses, is_home)
        losses += metadata_lost(metadata, self.dialect)
        if is_home:
            restore(body, without(metadata.extras, self.dialect, "choices", "events"), self.dialect)
        else:
            body = {**self._invented(body, losses), **body}
        relocate(losses, known, "$.metadata")
        return Converted(body, tuple(losses))

    def _invented(self, body: Block, losses: list[Loss]) -> Block:
        """What every answer has, where nobody said it."""
        made: Block = {"id": NO_ID, "created": 0, "model": NO_MODEL}
        losses += [invented(f"the {key}", f"an answer has one: {value!r}") for key, value in made.items() if key not in body]
        if self.always_counts and "usage" not in body:
            losses.append(invented("the usage", "an answer has one: nothing was counted"))
            made["usage"] = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        return made

    def _write_choice(self, choice: Choice, index: int, is_home: bool, losses: list[Loss], path: str, about: str) -> Block:
        notes = choice.extras.of(self.dialect)
        known = len(losses)
        out: Block = {"index": index} if "index" not in notes else {}
        message = self.write_message(choice.message, losses, bool(notes.get("$list")))
        relocate(losses, known, f"{path}.message")
        if notes.get("$content") and choice.message.contents and isinstance(choice.message.contents[0], Content.Custom):
            message["content"] = choice.message.contents[0].value.value
        restore_role(message, notes)
        if choice.message.contents or choice.message.extras or not _had_no_message(notes, is_home):
            out["message"] = message
        asks, refuses = bool(choice.message.tool_requests), self._refuses(choice.message)
        word, found = self.finish_word(choice.stop, is_home, asks=asks, refuses=refuses)
        losses += [loss.under(about) for loss in found]
        read = self.stop_of(word, asks=asks, refuses=refuses)
        losses += [loss.under(f"{path}.message") for loss in cut_calls_lost(choice.message.contents, read)]
        if word is not None:
            out["finish_reason"] = word
        restore(out, choice.extras, self.dialect)
        if notes.get("$empty") and out.get("finish_reason") is None:
            out["finish_reason"] = ""
        return out

    def finish_word(self, stop: StopReason | None, is_home: bool, *, asks: bool, refuses: bool) -> tuple[str | None, list[Loss]]:
        """The `finish_reason` of a stop reason, and what is lost; None where the dialect itself had none."""
        if is_home and stop == self.stop_of(None if stop is None else stop.raw, asks=asks, refuses=refuses):
            return None if stop is None else stop.raw, []
        kind = StopKind.END if stop is None else stop.kind
        said = kind is StopKind.REFUSAL and refuses
        word = "stop" if said else self.words.get(kind) or self.nearest.get(kind, "stop")
        return word, list(stop_lost(stop, word, said or kind in self.words))


_NOTHING: Final = Message.Assistant(())


def _had_no_message(notes: Mapping[str, Any], is_home: bool) -> bool:
    return is_home and ("message" in object_of(notes, "$kept") or bool(notes.get("$no_message")))


def is_filler(key: str, value: Any) -> bool:
    """Whether a server filled in an empty field in place of none, as Snowflake's does."""
    match value:
        case "":
            return key == "refusal"
        case {"name": "", "arguments": ""}:
            return key == "function_call"
        case {"id": "", "data": ""}:
            return key == "audio"
        case _:
            return False
