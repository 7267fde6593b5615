"""Gemini chunks -> deltas: each chunk is a whole answer whose parts are pieces.

Texts of one kind that follow each other are one block; one that is signed is a block of its own, for a signature covers its part.
What chunks say of a candidate besides is told when there are no more of them: fields replace those before, lists that do not say
all again go on. Log probabilities are told as they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast, final

from chatadt._wire import json
from chatadt.chat import StopReason
from chatadt.content import Arguments, Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.gemini.calls import Call
from chatadt.dialects.gemini.codec import NAME, has_snake, in_camel
from chatadt.dialects.gemini.read import _said as read_part
from chatadt.dialects.gemini.response import FIELDS, blocked, call_prefix, stop_of, word_of
from chatadt.dialects.gemini.usage import read_usage
from chatadt.error import Unexpected
from chatadt.json import Extras, dump

__all__ = ("read_stream",)

_READ: Final = frozenset({"candidates", "usageMetadata", "responseId", "modelVersion", "error"})
_READ_IN_CANDIDATE: Final = frozenset({"content", "finishReason", "index", "logprobsResult"})
_READ_AS: Final[Mapping[str, tuple[type, ...]]] = {
    "usageMetadata": (dict,),
    "responseId": (str,),
    "modelVersion": (str,),
    "finishReason": (str, int),
    "index": (int,),
}
"""As what a field is read; one that is something else is kept."""
_CHUNK: Final = frozenset({"candidates", "usageMetadata", "responseId", "modelVersion", "createTime"})
_CANDIDATE: Final = frozenset({"content", "index"})
_CONTENT: Final = frozenset({"role", "parts"})
_COUNTS: Final = frozenset(
    {
        *("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount", "totalTokenCount"),
        *("toolUsePromptTokenCount", "promptTokensDetails", "candidatesTokensDetails", "trafficType", "serviceTier"),
    }
)
"""The names that a chunk of text has, at each level."""
_TEXT: Final = {"text"}
_THOUGHT: Final = {"text", "thought"}


@final
class _Choice:
    """What has come in of one candidate."""

    __slots__ = ("asks", "blocks", "call", "fields", "ids", "number", "open", "stop", "word")

    def __init__(self, number: int) -> None:
        self.number = number
        self.blocks = 0
        self.open: tuple[type, int] | None = None  # the case and the number of the text that goes on
        self.call: Call | None = None  # whose arguments are coming in
        self.ids = 0  # calls that had none
        self.asks = False
        self.word: str | None = None
        self.stop: StopReason | None = None
        self.fields: dict[str, Any] = {}

    def new(self) -> int:
        self.blocks += 1
        self.open = None
        return self.blocks - 1

    def goes_on(self, case: type) -> int:
        """The number of the block of a text, which goes on with the one before if that is of its kind."""
        if self.open is None or self.open[0] is not case:
            self.open = (case, self.new())
        return self.open[1]


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("choices", "counted", "held", "id", "same", "started", "stop", "usage")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.started = False
        self.choices: dict[int, _Choice] = {}
        self.held: dict[str, Any] = {}  # what was said of the answer, so that it is not said again
        self.usage: dict[str, Any] = {}
        self.counted: dict[str, Any] = {}  # the usage that was told
        self.id: str | None = None
        self.same: dict[str, Any] = {}  # what every chunk says
        self.stop: StopReason | None = None  # of a prompt that was blocked

    def step(self, event: object) -> Sequence[Delta.T]:
        try:
            return self._quickly(event) or self._slowly(event)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):  # another shape
            return self._slowly(event)

    def _quickly(self, event: Any) -> Sequence[Delta.T] | None:
        """A chunk as nearly all are: another piece of the text that is open, and counts. None for any other."""
        if event.__class__ is not dict or not _CHUNK.issuperset(event):
            return None
        (value,) = event["candidates"]
        content: Any = value["content"]
        (part,) = content["parts"]
        text: Any = part["text"]
        choice = self.choices.get(0)
        if choice is None or choice.open is None or choice.word is not None or text.__class__ is not str or not text:
            return None
        case, index = choice.open
        is_thought = len(part) > 1 and part["thought"] is True
        if (
            case is not (Content.Reasoning if is_thought else Content.Text)
            or len(part) != 1 + is_thought
            or not (_CANDIDATE.issuperset(value) and _CONTENT.issuperset(content))
            or value.get("index", 0) != 0
            or any(event.get(key, told) != told for key, told in self.same.items())
        ):
            return None
        usage: Any = event.get("usageMetadata", self.usage)
        if usage is not self.usage:
            if not _COUNTS.issuperset(usage) or None in usage.values():
                return None
            self.usage = {**self.usage, **usage}
        return (Delta.Reasoning(index, text) if is_thought else text_delta(index, text),)

    def _slowly(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return [*self._tell_counts(), *(delta for choice in self.choices.values() for delta in self._finish(choice))]

    def _step(self, event: Any) -> Iterator[Delta.T]:
        if event.__class__ is list:  # chunks in one array, as a server frames them that was asked for no events
            for each in event:
                yield from self._step(each)
            return
        chunk: Any = in_camel(event, {}) if event.__class__ is dict and has_snake(event) else event
        if chunk.__class__ is not dict or not ("error" in chunk or FIELDS & chunk.keys()):
            if event != "[DONE]":
                yield Delta.Custom(NAME, json(event))
            return
        if FIELDS & chunk.keys():
            yield from self._know(chunk)
        error = provider_error(chunk, NAME) if chunk.get("error") is not None else None
        if error is not None:
            yield Delta.Failed(error)
        elif not FIELDS & chunk.keys():
            yield Delta.Custom(NAME, json(event))
        elif chunk.get("error") is not None:
            yield Delta.Custom(NAME, json({"error": chunk["error"]}))

    # --- of the answer ---

    def _know(self, chunk: dict[str, Any]) -> Iterator[Delta.T]:
        candidates: Any = chunk.get("candidates")
        listed: Any = candidates if candidates.__class__ is list else ()
        id_, model = (word if (word := chunk.get(key)).__class__ is str else None for key in ("responseId", "modelVersion"))
        if self.started and id_ is not None and id_ != self.id and self._is_done() and "candidates" in chunk:
            yield from self.end()
            self._forget()
        fields = {
            key: value
            for key, value in chunk.items()
            if value is not None and self._is_kept(key, value) and self.held.get(key) != value
        }
        self.held.update(fields)
        if "createTime" in fields:
            self.same = {**self.same, "createTime": fields["createTime"]}
        if not self.started:
            self.started, self.id = True, id_
            self.same = {"responseId": id_, "modelVersion": model, "createTime": fields.get("createTime")}
            yield Delta.Start(id_, model, Extras({NAME: {**_marked(fields), "$own": True}}))
        elif fields:
            yield Delta.Answer(Extras({NAME: _marked(fields)}))
        if candidates is not None and candidates.__class__ is not list:
            yield Delta.Custom(NAME, json({"candidates": candidates}))
        for place, value in enumerate(listed):
            if value.__class__ is dict:
                yield from self._choose(cast("dict[str, Any]", value), place)
            elif value is not None:
                yield Delta.Custom(NAME, json({"candidates": [value]}))
        self._count(chunk.get("usageMetadata"))
        yield from self._tell_counts()
        yield from self._block(chunk.get("promptFeedback"))

    def _is_kept(self, key: str, value: Any) -> bool:
        """Whether a field is not read as a word, or says something else than what was read before."""
        if key in ("responseId", "modelVersion") and self.started and value.__class__ is str:
            return bool(value != self.same[key])
        return key not in _READ or (key in _READ_AS and value.__class__ not in _READ_AS[key])

    def _is_done(self) -> bool:
        """Whether everything that began has stopped."""
        return self.stop is not None or (bool(self.choices) and all(each.stop is not None for each in self.choices.values()))

    def _count(self, usage: Any) -> None:
        """Counts run on; one that a later chunk leaves out stays."""
        if usage.__class__ is dict:
            said = {key: value for key, value in usage.items() if value is not None or key not in self.usage}
            self.usage = {**self.usage, **said}

    def _tell_counts(self) -> Iterator[Delta.T]:
        """The counts so far, where they are new. Those of a chunk that is only text are told with the next one that says more."""
        if self.usage != self.counted:
            self.counted = self.usage
            counted = read_usage(self.usage)
            if counted is not None:
                yield Delta.Tokens(counted)

    def _block(self, feedback: Any) -> Iterator[Delta.T]:
        stop = blocked(feedback)
        if stop is not None and stop != self.stop and not self.choices:
            self.stop = stop
            yield Delta.Stop(stop)

    # --- of a candidate ---

    def _choose(self, value: dict[str, Any], place: int) -> Iterator[Delta.T]:
        told = value.get("index")
        number: int = told if isinstance(told, int) and told.__class__ is int and told >= 0 else place
        choice = self.choices.get(number)
        if choice is None:
            choice = self.choices[number] = _Choice(number)
            if number:
                yield Delta.Answer(Extras(), choice=number)
        yield from self._say(choice, value.get("content"))
        if value.get("logprobsResult") is not None:
            yield _about(choice, {"logprobsResult": value["logprobsResult"]})
        for key, item in value.items():
            if item is not None and (key not in _READ_IN_CANDIDATE or (key in _READ_AS and item.__class__ not in _READ_AS[key])):
                json(item)
                choice.fields[key] = _gone_on(choice.fields.get(key), item)
        choice.word = word_of(value.get("finishReason")) or choice.word
        if choice.word is not None and choice.call is not None:
            yield from self._close(choice, choice.call)
        stop = stop_of(choice.word, asks=choice.asks)
        if stop is not None and stop != choice.stop:
            choice.stop = stop
            yield Delta.Stop(stop, choice.number)

    def _finish(self, choice: _Choice) -> Iterator[Delta.T]:
        """What is known only when there are no more chunks."""
        if choice.call is not None:
            call, choice.call = choice.call, None
            if call.arguments:
                yield from _extras(call.index, Extras({NAME: {"$cut": True}}), choice)
            yield Delta.ToolRequest(call.index, call.cut_off, choice=choice.number)
        if choice.fields:
            yield _about(choice, _marked(choice.fields))
            choice.fields = {}

    # --- of a content ---

    def _say(self, choice: _Choice, content: Any) -> Iterator[Delta.T]:
        if content is None:
            return
        if content.__class__ is not dict:
            yield Delta.Custom(NAME, json({"candidates": [{"index": choice.number, "content": content}]}))
            return
        parts = content.get("parts")
        for part in [parts] if parts.__class__ is dict else parts if parts.__class__ is list else []:
            yield from self._part(choice, part)
        rest = {key: item for key, item in content.items() if key not in ("parts", "role") and item is not None}
        rest |= {} if parts.__class__ in (dict, list, type(None)) else {"parts": parts}
        if rest:
            yield Delta.Speaker(None, Extras({NAME: _marked(rest)}), choice=choice.number)

    def _part(self, choice: _Choice, value: Any) -> Iterator[Delta.T]:
        part: Any = value
        if part.__class__ is dict and (None in part.values() or part.get("thought") is False):  # filled in where nothing is said
            part = {key: item for key, item in part.items() if item is not None and (key, item) != ("thought", False)}
        text: Any = part.get("text") if part.__class__ is dict else None
        if text.__class__ is str and part.keys() == _TEXT:
            yield from self._text(choice, Content.Text, text)
        elif text.__class__ is str and part.keys() == _THOUGHT and part["thought"] is True:
            yield from self._text(choice, Content.Reasoning, text)
        elif (
            part.__class__ is dict and part.get("functionCall").__class__ is dict and self._in_pieces(choice, part["functionCall"])
        ):
            yield from self._call(choice, part)
        else:
            yield from self._whole(choice, part)

    def _text(self, choice: _Choice, case: type, text: str) -> Iterator[Delta.T]:
        if choice.call is not None:
            yield from self._close(choice, choice.call)
        if not text:
            return
        index = choice.goes_on(case)
        if case is Content.Reasoning:
            yield Delta.Reasoning(index, text, choice.number)
        else:
            yield text_delta(index, text) if choice.number == 0 else Delta.Text(index, text, choice.number)

    def _whole(self, choice: _Choice, part: Any) -> Iterator[Delta.T]:
        """A part that is a block of its own."""
        if choice.call is not None:
            yield from self._close(choice, choice.call)
        try:
            content = read_part(part)
        except Unexpected:
            content = Content.Custom(NAME, json(part))
        index = choice.new()
        match content:
            case Content.Text():
                yield from _extras(index, content.extras, choice)
                yield Delta.Text(index, content.text, choice.number)
            case Content.Reasoning():
                yield from _extras(index, content.extras, choice)
                yield Delta.Reasoning(index, content.text, choice.number)
            case Content.ToolRequest(arguments=Arguments.Parsed(json=arguments)):
                yield from _extras(index, content.extras, choice)
                yield from self._begin(choice, index, part, content.id, content.name)
                yield Delta.ToolRequest(index, arguments.text, choice=choice.number)
            case _:
                yield Delta.Block(index, content, choice.number)

    # --- calls ---

    def _in_pieces(self, choice: _Choice, asked: dict[str, Any]) -> bool:
        """Whether a call is a piece of one."""
        return asked.get("args").__class__ in (dict, type(None)) and (
            asked.get("willContinue") is True
            or asked.get("partialArgs").__class__ is list
            or (choice.call is not None and not asked.get("name"))
        )

    def _call(self, choice: _Choice, part: dict[str, Any]) -> Iterator[Delta.T]:
        asked: dict[str, Any] = part["functionCall"]
        name, id_ = (str(word) if (word := asked.get(key)).__class__ is str else "" for key in ("name", "id"))
        if choice.call is not None and name.strip():
            yield from self._close(choice, choice.call)
        call = choice.call
        if call is None and not name.strip():  # nobody said what is called
            yield from self._whole(choice, part)
            return
        if call is None:
            call = choice.call = Call(choice.new())
            yield from _extras(call.index, Extras({} if id_ else {NAME: {"$id": asked.get("id")}}), choice)
            yield from self._begin(choice, call.index, part, id_, name)
        lost = call.take(asked)
        known = ("name", "id", "args", "partialArgs", "willContinue")
        inner = {key: item for key, item in asked.items() if key not in known and item is not None}
        rest = {key: item for key, item in part.items() if key != "functionCall" and item is not None}
        rest |= {"functionCall": {**inner, **({"partialArgs": lost} if lost else {})}} if inner or lost else {}
        if rest:
            yield Delta.BlockExtras(call.index, Extras({NAME: _marked(rest)}), grow=True, choice=choice.number)
        if asked.get("willContinue") is not True:
            yield from self._close(choice, call)

    def _begin(self, choice: _Choice, index: int, part: dict[str, Any], id_: str, name: str) -> Iterator[Delta.T]:
        """A call has its name; one without an id gets one, and the first of all a note where it is not signed."""
        if not choice.asks and "thoughtSignature" not in part:
            yield from _extras(index, Extras({NAME: {"$unsigned": True}}), choice)
        choice.asks = True
        choice.ids += not id_
        yield Delta.ToolRequest(index, "", id_ or f"{call_prefix(self.id)}{choice.ids}", name, choice.number)

    def _close(self, choice: _Choice, call: Call) -> Iterator[Delta.T]:
        choice.call = None
        yield Delta.ToolRequest(call.index, call.text, choice=choice.number)


def _extras(index: int, extras: Extras, choice: _Choice) -> Iterator[Delta.T]:
    if extras:
        yield Delta.BlockExtras(index, extras, choice=choice.number)


def _about(choice: _Choice, fields: dict[str, Any]) -> Delta.T:
    told = {"candidates": fields} if choice.number == 0 else fields
    return Delta.Answer(Extras({NAME: told}), grow=True, choice=choice.number)


def _marked(fields: dict[str, Any]) -> dict[str, Any]:
    """Fields as extras hold them, where a key that begins with `$` would be a note."""
    return {f"${key}" if key.startswith("$") else key: value for key, value in fields.items()}


def _gone_on(old: Any, new: Any) -> Any:
    """What a field has become: a list goes on, unless it says again what was there; so do the lists in an object."""
    if old.__class__ is dict and new.__class__ is dict:
        return {**old, **{key: _gone_on(old.get(key), item) for key, item in new.items()}}
    if old.__class__ is not list or new.__class__ is not list or new[: len(old)] == old:
        return new
    if all(item.__class__ is dict and "category" in item for item in (*old, *new)):
        return [*{_words(item): item for item in (*old, *new)}.values()]
    return [*old, *new]


def _words(rating: dict[str, Any]) -> str:
    """What a rating says in words: one with other scores takes its place."""
    return dump({key: item for key, item in rating.items() if item.__class__ is not float})


def _begin_reading() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin_reading)
"""Read a stream of chunks. Never raises: what is no chunk is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
