"""An immutable conversation: a sequence of messages with a word for each speaker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast, final, overload

from attrs import field, frozen

from chatadt._sum import terse
from chatadt.content import Content
from chatadt.message import Message, Outcome

__all__ = ("History", "to_messages")


def to_messages(value: Iterable[Message.T]) -> tuple[Message.T, ...]:
    """Take any iterable of messages as a tuple. Raises TypeError that names the index of what is no message."""
    if isinstance(value, History):
        return value.messages
    if not isinstance(cast("object", value), Iterable):
        raise TypeError(f"messages are an iterable of messages, got {value!r}")
    messages = tuple(value)
    for index, message in enumerate(messages):
        if not isinstance(cast("object", message), Message.T):
            raise TypeError(f"messages[{index}] is {message!r}: expected Message.System, User, Assistant, ToolResult or Custom")
    return messages


@final
@frozen(repr=False)
class History(Sequence[Message.T]):
    """An immutable sequence of messages; slices, `+` and the words `system`, `user`, `assistant` and `result` give histories."""

    messages: tuple[Message.T, ...] = field(default=(), converter=to_messages)
    __repr__ = terse

    def system(self, contents: str | Iterable[str | Content.Text | Content.Custom]) -> History:
        """This history, then a system message."""
        return self + (Message.System(contents),)

    def user(self, contents: str | Iterable[str | Content.Input], name: str | None = None) -> History:
        """This history, then a user message."""
        return self + (Message.User(contents, name),)

    def assistant(self, contents: str | Iterable[str | Content.Output], name: str | None = None) -> History:
        """This history, then an assistant message."""
        return self + (Message.Assistant(contents, name),)

    def result(
        self, id: str, tool: str | None, contents: str | Iterable[str | Content.Input], outcome: Outcome = Outcome.OK
    ) -> History:
        """This history, then the result of the tool request `id`."""
        return self + (Message.ToolResult(id, tool, contents, outcome),)

    def __add__(self, other: Iterable[Message.T]) -> History:
        return History(self.messages + to_messages(other))

    def __radd__(self, other: Iterable[Message.T]) -> History:
        return History(to_messages(other) + self.messages)

    @overload
    def __getitem__(self, index: int) -> Message.T: ...
    @overload
    def __getitem__(self, index: slice) -> History: ...
    def __getitem__(self, index: int | slice) -> Message.T | History:
        found: Any = self.messages[index]
        return History(found) if isinstance(index, slice) else found

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Message.T]:
        return iter(self.messages)
