"""Chunks made like OpenAI Chat's -> deltas: a step an event, tolerant of what servers do with numbers, ids, roles and ends.

A call is told when it has a name. What a chunk says again replaces what it said; lists in a message go on, and details that are
numbered are put together by number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast, final

from attrs import frozen

from chatadt._wire import json
from chatadt.chat import StopKind, StopReason
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._openai_like.answers import Answers, is_filler
from chatadt.dialects._openai_like.choices import Choice
from chatadt.dialects._openai_like.late import OfCall
from chatadt.dialects._openai_like.pieces import Call, fragment_text, is_numbered, of_call, put_together, sound, whole
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.error import Unexpected
from chatadt.json import Extras, dump

__all__ = ("Hearing", "stream_reader")

_IGNORED: Final = frozenset({"id", "model", "choices", "usage", "object", "obfuscation", "p"})
"""Fields of a chunk that are read by themselves, are spelling, or are padding."""
_IGNORED_IN_CHOICE: Final = frozenset({"index", "delta", "message", "finish_reason", "obfuscation", "text"})
_IGNORED_IN_DELTA: Final = frozenset({"role", "content", "tool_calls"})


def _more_text(choice: dict[str, Any]) -> str | None:
    """The piece of text that a choice says, as nearly all do: of the first choice, and nothing else. None of any other."""
    said: Any = choice["delta"]
    text: Any = said.get("content") if len(said) == 1 else None
    if text.__class__ is not str or choice["index"] != 0:
        return None
    fields = len(choice)
    if fields == 4:
        is_alone = choice.get("finish_reason", 0) is None and choice.get("logprobs", 0) is None
    elif fields == 3:
        is_alone = choice.get("finish_reason", 0) is None or choice.get("logprobs", 0) is None
    else:
        is_alone = fields == 2
    return text if is_alone else None


@final
@frozen
class Hearing:
    """How a dialect streams."""

    answers: Answers
    part: Callable[[Any], Content.Output]
    """Reads a part of the content; may raise `Unexpected`."""
    reasoning: tuple[str, ...] = ()
    """The fields of a message in which servers put what the model thought."""
    has: frozenset[str] = frozenset()
    """Which of the fields `refusal`, `function_call`, `audio` and `name` a message may have, and whether a call may be `custom`."""

    @property
    def dialect(self) -> str:
        return self.answers.dialect

    def has_word(self, key: str) -> bool:
        """Whether a field of a message is read by itself."""
        return key in _IGNORED_IN_DELTA or key in self.reasoning or key in self.has


def stream_reader(hearing: Hearing) -> StreamReader:
    """A reader of streams. It never raises: what is no chunk is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""

    def begin() -> Reading:
        reader = _Reader(hearing)
        return reader.step, reader.end

    return StreamReader(begin)


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("choices", "dialect", "hearing", "held", "id", "last", "spoken", "started", "stopped", "waiting")

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing
        self.dialect = hearing.dialect
        self._forget()
        self.started = False

    def _forget(self) -> None:
        self.choices: dict[int, Choice] = {}
        self.spoken: dict[Choice, None] = {}  # those that said something since an error came
        self.stopped = 0  # how many of them
        self.held: dict[str, Any] = {}
        self.waiting: dict[str, Any] | None = None  # what came before there was an id
        self.id: str | None = None
        self.last: dict[str, Any] = {}  # what the chunk before said besides its choices

    def step(self, event: Any) -> Sequence[Delta.T]:
        try:
            choices = event["choices"]
            if len(choices) == 1 and (text := _more_text(choices[0])):
                last = self.last
                last["choices"] = choices  # so that all else is compared, and neither copied
                if event == last or ("obfuscation" in event and {**last, "obfuscation": event["obfuscation"]} == event):
                    return (text_delta(self.choices[0].open["content"], text),)
        except (AttributeError, KeyError, TypeError, RecursionError):  # a chunk of another shape, or none
            return self._slowly(event)
        return self._slowly(event)

    def _slowly(self, event: object) -> list[Delta.T]:
        if event.__class__ is dict:
            said = cast("dict[str, Any]", event)
            self.last = {} if _is_error(said) else {**said, "choices": None}  # an error that comes again is another one
            self.last.pop("obfuscation", None)
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return [*self._start({}), *(delta for choice in self.choices.values() for delta in self._flush(choice))]

    def _step(self, event: Any) -> Iterator[Delta.T]:
        if event.__class__ is not dict or not ("choices" in event or "error" in event or event.get("object") == "error"):
            if event != "[DONE]":
                yield Delta.Custom(self.dialect, json(event))
            return
        choices: list[Any] = event["choices"] if event.get("choices").__class__ is list else []
        if "choices" in event:
            yield from self._know(event, choices)
        for value in choices:
            if value.__class__ is dict:
                yield from self._choose(value)
            elif value is not None:
                yield Delta.Custom(self.dialect, json(event))
        error = provider_error(event, self.dialect) if _is_error(event) else None
        if error is not None:
            yield from self._start({})
            spoken, self.spoken = self.spoken, {}
            for choice in spoken:
                yield from self._complete(choice)
            yield Delta.Failed(error)

    # --- of the answer ---

    def _know(self, event: dict[str, Any], choices: list[Any]) -> Iterator[Delta.T]:
        id_ = event.get("id") if event.get("id").__class__ is str else None
        if self.started and self._begins_another(id_, choices):
            yield from self.end()
            self._forget()
            self.started = False
        if not self.started:
            self.waiting = {**(self.waiting or {}), **{key: event[key] for key in event if event[key] is not None}}
            if choices or (id_ and event.get("model")):
                yield from self._start(self.waiting)
        yield from self._beside(event)
        usage = event.get("usage")
        if usage is None and event.get("x_groq").__class__ is dict:
            usage = event["x_groq"].get("usage")
        counted = self.hearing.answers.read_usage(usage)
        if counted is not None and usage != self.held.get("usage") and not (counted.input is None and counted.output is None):
            self.held["usage"] = usage
            yield Delta.Tokens(counted)

    def _begins_another(self, id_: str | None, choices: list[Any]) -> bool:
        """Whether a message with another id follows one that is done."""
        is_done = self.choices and self.stopped == len(self.choices)
        return bool(is_done and id_ and id_ != self.id and any(_says_something(each, self.hearing.reasoning) for each in choices))

    def _start(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        told = event or self.waiting
        if self.started or told is None:
            return
        self.started = True
        id_, model = (word if (word := told.get(key)).__class__ is str and word else None for key in ("id", "model"))
        self.id = id_
        fields = {key: value for key, value in told.items() if key not in _IGNORED and key != "error"}
        self.held.update(fields)
        yield Delta.Start(id_, model, Extras({self.dialect: {**fields, "$choices": {}}}))

    def _beside(self, event: dict[str, Any]) -> Iterator[Delta.T]:
        """What a chunk says of the answer, where it is new; `created` is the time of the first chunk."""
        new = {
            key: value
            for key, value in event.items()
            if key not in _IGNORED and key not in ("error", "created") and value is not None and self.held.get(key) != value
        }
        if new and self.started:
            self.held.update(new)
            yield Delta.Answer(Extras({self.dialect: new}))

    # --- of a choice ---

    def _choose(self, value: dict[str, Any]) -> Iterator[Delta.T]:
        number = value.get("index") if value.get("index").__class__ is int else 0
        choice = self.choices.get(cast("int", number))
        if choice is None:
            choice = self.choices[cast("int", number)] = Choice(cast("int", number))
            if number:
                yield Delta.Answer(Extras(), choice=choice.choice)
        self.spoken[choice] = None
        said = value.get("delta") if value.get("delta").__class__ is dict else value.get("message")
        if said.__class__ is dict:
            yield from self._say(choice, cast("dict[str, Any]", said))
        elif said is not None:
            yield Delta.Custom(self.dialect, json(value))
        yield from self._beside_choice(choice, value)
        word = value.get("finish_reason")
        stop = self.hearing.answers.stop_of(word, asks=choice.asks, refuses=choice.refuses) if word else None
        if stop is not None and stop != choice.stop:
            yield from self._complete(choice)
            self.stopped += choice.stop is None
            choice.stop = stop
            yield Delta.Stop(stop, choice.choice)

    def _beside_choice(self, choice: Choice, value: dict[str, Any]) -> Iterator[Delta.T]:
        new = {
            key: item
            for key, item in value.items()
            if key not in _IGNORED_IN_CHOICE and item is not None and (key == "logprobs" or choice.held.get(key) != item)
        }
        if new:
            choice.held.update(new)
            fields = {"choices": new} if choice.choice == 0 else new
            yield Delta.Answer(Extras({self.dialect: fields}), grow=True, choice=choice.choice)

    # --- of a message ---

    def _say(self, choice: Choice, said: dict[str, Any]) -> Iterator[Delta.T]:
        for key in self.hearing.reasoning:
            if said.get(key).__class__ is str and said[key]:
                if key not in choice.open:
                    yield Delta.BlockExtras(choice.block(key), Extras({self.dialect: {"$key": key}}), choice=choice.choice)
                yield Delta.Reasoning(choice.block(key), said[key], choice.choice)
        yield from self._content(choice, said.get("content"))
        if "refusal" in self.hearing.has and said.get("refusal").__class__ is str and said["refusal"]:
            choice.refuses = True
            yield Delta.Refusal(choice.block("refusal"), said["refusal"], choice.choice)
        if said.get("tool_calls").__class__ is list:
            fragments = said["tool_calls"]
            for place, fragment in enumerate(fragments):
                yield from self._fragment(choice, fragment, place if len(fragments) > 1 else None)
        call = said.get("function_call") if "function_call" in self.hearing.has else None
        if call.__class__ is dict and not is_filler("function_call", call):
            yield from self._function(choice, cast("dict[str, Any]", call))
        yield from self._rest(choice, said)

    def _content(self, choice: Choice, content: Any) -> Iterator[Delta.T]:
        match content:
            case None | "":
                return
            case str():
                yield from self._words(choice, Content.Text(content))
            case list():
                for part in cast("Any", content):
                    yield from self._words(choice, self._part(part))
            case _:
                yield Delta.Block(choice.new(), Content.Custom(self.dialect, json(content)), choice.choice)

    def _part(self, value: Any) -> Content.Output:
        try:
            return self.hearing.part(value)
        except Unexpected:
            return Content.Custom(self.dialect, json(value))

    def _words(self, choice: Choice, content: Content.Output) -> Iterator[Delta.T]:
        """More of the text or of the thinking that is told, where parts take turns; anything else is a block of its own."""
        if isinstance(content, Content.Text):
            choice.open.pop("thinking", None)
            index = choice.block("content")
            yield Delta.Text(index, content.text, choice.choice)
        elif isinstance(content, Content.Reasoning):
            choice.open.pop("content", None)
            index = choice.block("thinking")
            yield Delta.Reasoning(index, content.text, choice.choice)
        else:
            yield Delta.Block(choice.new(), content, choice.choice)
            return
        if content.extras:
            yield Delta.BlockExtras(index, content.extras, choice=choice.choice)

    def _fragment(self, choice: Choice, value: Any, place: int | None) -> Iterator[Delta.T]:
        if value.__class__ is not dict:
            yield Delta.Custom(self.dialect, json(value))
            return
        is_custom = "custom" in self.hearing.has and value.get("type") == "custom" and value.get("custom").__class__ is dict
        function: Any = value.get("custom") if is_custom else value.get("function")
        function = function if function.__class__ is dict else {}
        id_, name = (word if word.__class__ is str else "" for word in (value.get("id"), function.get("name")))
        number = value.get("index")
        call = choice.calls.find(number, id_, name.strip() and name, place)
        is_new = call is None
        call = call or Call(choice.new(), is_custom=is_custom)
        text = fragment_text(function.get("input" if is_custom else "arguments"))
        extras = of_call(value, function, is_custom)
        told: list[OfCall] = []
        if extras:
            told.append(Delta.BlockExtras(call.index, Extras({self.dialect: extras}), grow=True, choice=choice.choice))
        if is_custom:
            text = ('"' if is_new else "") + dump(text)[1:-1]
        call.arguments.pieces.append(text)
        new_id = id_ if id_ and call.id is None else None
        piece = call.name_piece(name, again=bool(id_) and id_ == call.id)
        call.id = call.id or new_id
        choice.calls.add(call, number)
        if is_new or text or piece or new_id:
            told.append(Delta.ToolRequest(call.index, text, new_id, piece, choice.choice))
        yield from told if call.is_told else choice.late.take(call, told)

    def _function(self, choice: Choice, value: dict[str, Any]) -> Iterator[Delta.T]:
        """The deprecated single call."""
        call = choice.function
        told: list[OfCall] = []
        if call is None:
            call = choice.function = Call(choice.new())
            told.append(Delta.BlockExtras(call.index, Extras({self.dialect: {"$function_call": True}}), choice=choice.choice))
        name = value.get("name")
        text = fragment_text(value.get("arguments"))
        piece = call.name_piece(name if isinstance(name, str) else "")
        told.append(Delta.ToolRequest(call.index, text, None, piece, choice.choice))
        yield from told if call.is_told else choice.late.take(call, told)

    def _rest(self, choice: Choice, said: dict[str, Any]) -> Iterator[Delta.T]:
        if "name" in self.hearing.has and said.get("name").__class__ is str:
            yield Delta.Speaker(said["name"], choice=choice.choice)
        audio = said.get("audio") if "audio" in self.hearing.has else None
        if audio.__class__ is dict and not is_filler("audio", audio):
            choice.hear(cast("dict[str, Any]", audio))
        new: dict[str, Any] = {}
        for key, value in said.items():
            if self.hearing.has_word(key):
                if value.__class__ not in (str, list, dict, type(None)) and key not in ("role", "content"):
                    new[key] = value
            elif is_numbered(value):
                put_together(choice.details.setdefault(key, {}), value)
            elif value is not None and (value.__class__ is list or choice.held.get(f"$message.{key}") != value):
                choice.held[f"$message.{key}"] = value
                new[key] = value
        if new:
            yield Delta.Speaker(None, Extras({self.dialect: new}), grow=True, choice=choice.choice)

    def _flush(self, choice: Choice) -> Iterator[Delta.T]:
        """What is known only when there are no more chunks."""
        yield from self._complete(choice)
        if choice.asks and choice.stop is not None and choice.stop.kind is StopKind.END:  # the calls came after the reason
            choice.stop = StopReason(StopKind.TOOL_CALLS, choice.stop.raw)
            yield Delta.Stop(choice.stop, choice.choice)

    def _complete(self, choice: Choice) -> Iterator[Delta.T]:
        """What is put together while it comes in, so far: nothing more is expected of it."""
        yield from choice.late.release()
        yield from (Delta.ToolRequest(index, '"', choice=choice.choice) for index in choice.calls.end_texts())
        if choice.audio:
            index = choice.audio["$index"]
            audio = {key: value for key, value in choice.audio.items() if key != "$index"}
            transcript = "".join(choice.transcript) if choice.transcript else None
            heard = sound(self.dialect, choice.sound, transcript, audio)
            choice.audio, choice.sound, choice.transcript = {}, [], []
            yield Delta.Block(index, heard, choice.choice)
        if choice.details:
            told = {key: whole(known) for key, known in choice.details.items()}
            choice.details = {}
            yield Delta.Speaker(None, Extras({self.dialect: told}), grow=True, choice=choice.choice)


def _is_error(event: dict[str, Any]) -> bool:
    return event.get("error") is not None or event.get("object") == "error"


def _says_something(choice: Any, reasoning: tuple[str, ...]) -> bool:
    said: Any = choice.get("delta") or choice.get("message") if choice.__class__ is dict else None
    return said.__class__ is dict and any(said.get(key) for key in ("content", "tool_calls", *reasoning))
