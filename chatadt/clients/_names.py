"""Answers under the caller's own names of tools, where a server does not take these and was asked under others."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar, assert_never, cast, final

from attrs import evolve

from chatadt.chat import ChatResponse
from chatadt.clients.function import AsyncDeltas, Deltas
from chatadt.content import Content
from chatadt.delta import Delta
from chatadt.message import Message

__all__ = ("NO_NAMES", "Names", "own_names")

A = TypeVar("A")

Names: TypeAlias = Mapping[str, str]
"""By the name that was sent: the caller's own."""

NO_NAMES: Final[Names] = MappingProxyType({})


def own_names(names: Names) -> Callable[[A], A]:
    """What turns the names in an answer back, whole or streamed; it gives anything else as it is."""

    def turned(answer: A) -> A:
        return cast("A", _turned(answer, names)) if names else answer

    return turned


def _turned(answer: object, names: Names) -> object:
    if isinstance(answer, ChatResponse):
        return _response(answer, names)
    if isinstance(answer, Deltas):
        return Deltas(_deltas(answer, names), answer.close)
    if isinstance(answer, AsyncDeltas):
        return AsyncDeltas(_async_deltas(answer, names), answer.aclose)
    return answer  # what a call of somebody else's gives


def _response(response: ChatResponse, names: Names) -> ChatResponse:
    others = [evolve(choice, message=_message(choice.message, names)) for choice in response.others]
    return evolve(response, message=_message(response.message, names), others=others)


def _message(message: Message.Assistant, names: Names) -> Message.Assistant:
    return evolve(message, contents=[_content(content, names) for content in message.contents])


def _content(content: Content.T, names: Names) -> Content.T:
    if not isinstance(content, Content.ToolRequest):
        return content
    return evolve(content, name=names.get(content.name, content.name))


def _deltas(deltas: Deltas, names: Names) -> Iterator[Delta.T]:
    turning = _Turning(names)
    for delta in deltas:
        yield from turning.step(delta)
    yield from turning.end()


async def _async_deltas(deltas: AsyncDeltas, names: Names) -> AsyncIterator[Delta.T]:
    turning = _Turning(names)
    async for delta in deltas:
        for turned in turning.step(delta):
            yield turned
    for turned in turning.end():
        yield turned


@final
class _Turning:
    """A stream whose names are turned back. A name that comes in pieces is held until it is known which it is."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._held: dict[tuple[int, int], Delta.ToolRequest] = {}  # by choice and number: the name so far, and nothing else

    def step(self, delta: Delta.T) -> Iterable[Delta.T]:
        match delta:
            case Delta.ToolRequest():
                return self._call(delta)
            case Delta.Block():
                return (evolve(delta, content=_content(delta.content, self._names)),)
            case Delta.Start() | Delta.Stop() | Delta.Failed():
                return (*self.end(), delta)
            case Delta.Text() | Delta.Reasoning() | Delta.Refusal() | Delta.BlockExtras() | Delta.Speaker():
                return (delta,)
            case Delta.Answer() | Delta.Tokens() | Delta.Custom():
                return (delta,)
            case _:
                assert_never(delta)

    def end(self) -> Iterable[Delta.T]:
        held, self._held = self._held, {}
        return [evolve(delta, name=self._names.get(delta.name, delta.name)) for delta in held.values()]

    def _call(self, delta: Delta.ToolRequest) -> Iterator[Delta.T]:
        place = delta.choice, delta.index
        held = self._held.pop(place, None)
        name = delta.name if held is None else held.name + delta.name
        if name and not delta.arguments and any(sent != name and sent.startswith(name) for sent in self._names):
            self._held[place] = Delta.ToolRequest(delta.index, name=name, choice=delta.choice)
            yield evolve(delta, name="")  # the block begins here, whatever comes before the rest of its name
        else:
            yield evolve(delta, name=self._names.get(name, name))
