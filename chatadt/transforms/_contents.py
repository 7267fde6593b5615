"""Messages and contents kept, dropped, changed and put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from attrs import evolve

from chatadt.content import Content
from chatadt.history import History
from chatadt.message import Message
from chatadt.transforms._exchanges import Transform
from chatadt.transforms._pairs import Link, asked, links, with_contents, without

__all__ = (
    "drop_contents",
    "drop_messages",
    "keep_contents",
    "keep_messages",
    "map_contents",
    "merge_runs",
    "without_reasoning",
)


def drop_messages(predicate: Callable[[Message.T], bool]) -> Transform:
    """Drop the messages of which `predicate` is true. The results of requests that go go with them, and requests whose result goes;
    an assistant message that said something else besides keeps that.
    """
    return lambda history: _settled(history, without(history.messages, drops=predicate))


def keep_messages(predicate: Callable[[Message.T], bool]) -> Transform:
    """Keep the messages of which `predicate` is true, in the manner of `drop_messages`."""
    return drop_messages(lambda message: not predicate(message))


def drop_contents(predicate: Callable[[Content.T], bool]) -> Transform:
    """Drop the contents of which `predicate` is true, and messages of which nothing is left.

    The result of a request that goes goes with it. A result of which nothing is left stays, empty: its request needs an answer.
    """
    return lambda history: _settled(history, without(history.messages, drops_content=predicate))


def keep_contents(predicate: Callable[[Content.T], bool]) -> Transform:
    """Keep the contents of which `predicate` is true, in the manner of `drop_contents`."""
    return drop_contents(lambda content: not predicate(content))


def without_reasoning(history: History) -> History:
    """The history without what models thought: their reasoning, with its signatures; a message that was nothing else goes.

    Signatures of a thought that a provider keeps at a text or a tool request stay in the extras of that.
    """
    return _WITHOUT_REASONING(history)


_WITHOUT_REASONING = drop_contents(lambda content: isinstance(content, Content.Reasoning))


def map_contents(change: Callable[[Content.T], Content.T]) -> Transform:
    """Put `change` of it in the place of each content of each message.

    A result follows its request: it gets a new id or name of tool as that does, and goes where the request has become something
    else. Where the request or what answers it is known to a dialect only, which cannot follow, a request keeps its id. Raises
    TypeError for a content that the message cannot hold, such as a tool request in a user message. A request that was none before
    is not answered by anyone: see `close_calls`.
    """

    def mapped(history: History) -> History:
        before = history.messages
        after: list[Message.T] = [
            message if isinstance(message, Message.Custom) else with_contents(message, map(change, message.contents))
            for message in before
        ]
        for link in links(before):
            message, answer = after[link.call], after[link.answer]
            request = message.contents[link.place] if isinstance(message, Message.Assistant) and link.place is not None else None
            if not isinstance(message, Message.Assistant) or not isinstance(request, Content.ToolRequest):
                continue
            if isinstance(answer, Message.ToolResult):
                after[link.answer] = _following(answer, request)
            elif request.id != link.id:
                kept = evolve(request, id=link.id)
                after[link.call] = with_contents(
                    message, (kept if at == link.place else each for at, each in enumerate(message.contents))
                )
        return _settled(history, _without_orphans(before, after))

    return mapped


def merge_runs(history: History) -> History:
    """Put messages in a row that one speaker said into one: their contents one behind the other, none of them joined or changed.

    One speaker is the same kind of message with the same name; and both messages must have the same extras, for these are about the
    whole message. Tool results are never merged.
    """
    runs: list[list[Message.T]] = []
    for message in history:
        if runs and _of_one_speaker(runs[-1][0], message):
            runs[-1].append(message)
        else:
            runs.append([message])
    return _settled(history, tuple(map(_together, runs)))


def _settled(history: History, messages: tuple[Message.T, ...]) -> History:
    """The messages as a history, the same one where nothing changed."""
    same = len(messages) == len(history) and all(one is other for one, other in zip(messages, history.messages, strict=True))
    return history if same else History(messages)


def _without_orphans(before: tuple[Message.T, ...], after: list[Message.T]) -> tuple[Message.T, ...]:
    """The messages without the answers to calls that have become something else."""
    going = {link.answer for link in links(before) if after[link.call] is not before[link.call] and not _asks(after, link)}
    return tuple(message for index, message in enumerate(after) if index not in going)


def _asks(messages: list[Message.T], link: Link) -> bool:
    message = messages[link.call]
    if link.place is None:
        return link.id in asked(message)
    return isinstance(message, Message.Assistant) and isinstance(message.contents[link.place], Content.ToolRequest)


def _following(result: Message.ToolResult, request: Content.ToolRequest) -> Message.ToolResult:
    tool = None if result.tool is None else request.name
    return result if (result.id, result.tool) == (request.id, tool) else evolve(result, id=request.id, tool=tool)


def _of_one_speaker(one: Message.T, other: Message.T) -> bool:
    match one:
        case Message.System():
            return isinstance(other, Message.System) and one.extras == other.extras
        case Message.User():
            return isinstance(other, Message.User) and (one.name, one.extras) == (other.name, other.extras)
        case Message.Assistant():
            return isinstance(other, Message.Assistant) and (one.name, one.extras) == (other.name, other.extras)
        case Message.ToolResult() | Message.Custom():
            return False
        case _:
            assert_never(one)


def _together(run: list[Message.T]) -> Message.T:
    """The messages of one speaker as one."""
    if len(run) == 1:
        return run[0]
    return with_contents(
        run[0], (content for message in run if not isinstance(message, Message.Custom) for content in message.contents)
    )
