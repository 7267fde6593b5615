"""Gemini chunks -> deltas: each chunk is a whole answer whose parts are pieces.

Texts of one kind that follow each other are one block; one that is signed is a block of its own, for a signature covers its part.
What chunks say of a candidate besides is told when there are no more of them, or an error comes: fields replace those before,
lists that do not say all again go on. Log probabilities are told as they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast, final

from chatadt._wire import json
from chatadt.chat import StopReason
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.dialects._answers import provider_error
from chatadt.dialects._stream import Reading, StreamReader, text_delta, unwrapped
from chatadt.dialects.gemini.codec import NAME, has_snake, in_camel
from chatadt.dialects.gemini.pieces import Candidate, marked
from chatadt.dialects.gemini.response import FIELDS, blocked, call_prefix
from chatadt.dialects.gemini.usage import read_usage
from chatadt.error import Unexpected
from chatadt.json import Extras

__all__ = ("read_stream",)

_READ: Final = frozenset({"candidates", "usageMetadata", "responseId", "modelVersion", "error"})
_READ_AS: Final[Mapping[str, tuple[type, ...]]] = {
    "usageMetadata": (dict,),
    "responseId": (str,),
    "modelVersion": (str,),
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
_CACHED: Final = "cachedContentTokenCount"
_COUNTED: Final = frozenset({"promptTokenCount", "totalTokenCount"})
"""A chunk with one of these has all counts that there are."""


@final
class _Reader:
    """A stream that is being read."""

    __slots__ = ("choices", "counted", "held", "id", "same", "spoken", "started", "stop", "usage")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.started = False
        self.choices: dict[int, Candidate] = {}
        self.spoken: dict[Candidate, None] = {}  # those that said something since an error came
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
            self._count(usage)
        return (Delta.Reasoning(index, text) if is_thought else text_delta(index, text),)

    def _slowly(self, event: object) -> list[Delta.T]:
        try:
            return list(self._step(unwrapped(event)))
        except (Unexpected, TypeError, ValueError, RecursionError):  # what no JSON holds
            return []

    def end(self) -> list[Delta.T]:
        return [*self._tell_counts(), *(delta for choice in self.choices.values() for delta in choice.finish())]

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
            spoken, self.spoken = self.spoken, {}
            for choice in spoken:
                yield from choice.finish()
            yield from self._tell_counts()
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
            yield Delta.Start(id_, model, Extras({NAME: {**marked(fields), "$own": True}}))
        elif fields:
            yield Delta.Answer(Extras({NAME: marked(fields)}))
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
        """The counts of a chunk replace those before; but what was cached is told by early chunks alone, and stays."""
        if usage.__class__ is not dict:
            return
        said = {key: value for key, value in usage.items() if value is not None or key not in self.usage}
        told: Any = self.usage if _COUNTED.isdisjoint(said) else {key: value for key, value in self.usage.items() if key == _CACHED}
        self.usage = {**told, **said}

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

    def _choose(self, value: dict[str, Any], place: int) -> Iterator[Delta.T]:
        told = value.get("index")
        number: int = told if isinstance(told, int) and told.__class__ is int and told >= 0 else place
        choice = self.choices.get(number)
        if choice is None:
            choice = self.choices[number] = Candidate(number, call_prefix(self.id))
            if number:
                yield Delta.Answer(Extras(), choice=number)
        self.spoken[choice] = None
        yield from choice.take(value)


def _begin_reading() -> Reading:
    reader = _Reader()
    return reader.step, reader.end


read_stream: Final = StreamReader(_begin_reading)
"""Read a stream of chunks. Never raises: what is no chunk is a `Delta.Custom`, an error in the stream a `Delta.Failed`."""
