"""Ids for the calls of an answer that have none: a client tells results by them, and a server takes each once.

An id is made up from that of the answer and from the how manieth call without one it is. So it is the same every time, whole and
streamed alike, and no other answer has it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeAlias, final

from attrs import evolve

from chatadt.chat import ChatResponse
from chatadt.content import Content
from chatadt.dialects._dialect import Spelling
from chatadt.dialects._losses import Block, invented
from chatadt.loss import Converted, Loss
from chatadt.message import Message

__all__ = ("CallIds", "identifying", "invented_id")

Write: TypeAlias = "Callable[[ChatResponse], Converted[Block]]"

_DIGEST: Final = 12


@final
class CallIds:
    """The ids of one answer: `answer` is its own, `spelling` how the dialect wants those of calls spelt."""

    __slots__ = ("_answer", "_counts", "_spelling", "taken")

    def __init__(self, answer: str | None, spelling: Spelling) -> None:
        self._answer = answer
        self._spelling = spelling
        self._counts: dict[int, int] = {}
        self.taken: set[str] = set()

    def fresh(self, choice: int) -> str:
        """The id of the next call of a choice that has none."""
        while True:
            count = self._counts[choice] = self._counts.get(choice, 0) + 1
            made = _spelt(self._answer, choice, count, self._spelling)
            if made not in self.taken:
                self.taken.add(made)
                return made


def invented_id(made: str, path: str) -> Loss:
    """The loss of an id that nobody said; `path` is that of the call."""
    return invented("the id of a tool request", f"a call has one: {made!r}", path=f"{path}.id")


def _spelt(answer: str | None, choice: int, count: int, spelling: Spelling) -> str:
    of_answer = [sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]] if answer else []
    plain = "_".join(["call", *of_answer, *([str(choice)] if choice else []), str(count)])
    return plain if spelling.allows(plain) else sha256(plain.encode()).hexdigest()[: spelling.longest]


# --- whole answers ----------------------------------------------------------------------------------------------------------------


def identifying(dialect: str, spelling: Spelling, write: Write) -> Write:
    """The writer of answers that gives each call an id, but in an answer of the dialect's own: that comes home as it was."""

    def write_response(response: ChatResponse) -> Converted[Block]:
        if dialect in response.metadata.extras or not any(map(_lacks, _messages(response))):
            return write(response)
        losses: list[Loss] = []
        written = write(_identified(response, spelling, losses))
        return Converted(written.value, (*written.losses, *losses))

    return write_response


def _messages(response: ChatResponse) -> tuple[Message.Assistant, ...]:
    return (response.message, *(choice.message for choice in response.others))


def _lacks(message: Message.Assistant) -> bool:
    return any(isinstance(content, Content.ToolRequest) and not content.id for content in message.contents)


def _identified(response: ChatResponse, spelling: Spelling, losses: list[Loss]) -> ChatResponse:
    ids = CallIds(response.metadata.id, spelling)
    ids.taken.update(call.id for message in _messages(response) for call in message.tool_requests)

    def named(message: Message.Assistant, choice: int, path: str) -> Message.Assistant:
        contents: list[Any] = list(message.contents)
        for index, content in enumerate(contents):
            if isinstance(content, Content.ToolRequest) and not content.id:
                contents[index] = evolve(content, id=ids.fresh(choice))
                losses.append(invented_id(contents[index].id, f"{path}.message.contents[{index}]"))
        return evolve(message, contents=contents)

    others = [
        evolve(choice, message=named(choice.message, number, f"$.others[{number - 1}]"))
        for number, choice in enumerate(response.others, 1)
    ]
    return ChatResponse(named(response.message, 0, "$"), response.metadata, others)
