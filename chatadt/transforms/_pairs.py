"""Which result answers which tool request, and how a conversation is changed without parting the two."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast, final

from attrs import frozen

from chatadt._sum import changed
from chatadt.content import Content
from chatadt.json import Json
from chatadt.message import Message

__all__ = ("Link", "asked", "calls", "links", "parted", "speeches", "strings", "uncut", "with_contents", "without")

M = TypeVar("M", bound=Message.T)


@final
@frozen
class Link:
    """A call and what answers it.

    `call` and `answer` are indices of messages. `place` is that of the tool request in its message, None for a call that only a
    dialect knows. `answer` is a tool result, or a message that only a dialect knows.
    """

    call: int
    place: int | None
    id: str
    answer: int


def links(messages: Sequence[Message.T]) -> tuple[Link, ...]:
    """Every call that is answered, in the order of the answers.

    A result answers the latest speech of the model that holds a request of its id, wherever it stands behind it; of two requests
    of one id in a speech, the first result answers the first.

    What only a dialect knows may be a call or a result, too: it is taken for one when its JSON says the id.
    """
    found, open_calls, strays = _plain_links(messages)
    if (open_calls or strays) and any(map(_is_or_has_custom, messages)):
        said = _mentions(messages)
        for index in strays:
            id_ = cast("Message.ToolResult", messages[index]).id
            at = bisect_left(said.get(id_, ()), index)
            found += [Link(said[id_][at - 1], None, id_, index)] if at else []
        alone = {
            id_: [at for at in said.get(id_, ()) if isinstance(messages[at], Message.Custom)]
            for id_ in {id_ for _, _, id_, _ in open_calls}
        }
        for call, place, id_, end in open_calls:
            at = bisect_right(alone[id_], call)
            found += [Link(call, place, id_, answer) for answer in alone[id_][at : at + 1] if answer < end]
        found.sort(key=lambda link: link.answer)
    return tuple(found)


def calls(messages: Sequence[Message.T]) -> Iterator[tuple[int, int, Content.ToolRequest]]:
    """Every tool request, with the index of its message and its place in that."""
    for index, message in enumerate(messages):
        if isinstance(message, Message.Assistant):
            for place, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    yield index, place, content


def speeches(messages: Sequence[Message.T]) -> list[int]:
    """By index: the number of the speech of a model that began last, 0 before the first.

    Assistant messages in a row are one speech, and what only a dialect knows does not come between them.
    """
    numbers: list[int] = []
    number = 0
    goes_on = False
    for message in messages:
        if isinstance(message, Message.Assistant):
            number += not goes_on
            goes_on = True
        elif not isinstance(message, Message.Custom):
            goes_on = False
        numbers.append(number)
    return numbers


def uncut(messages: Sequence[Message.T]) -> list[bool]:
    """By index, and for the end: whether to cut before it parts no call from its answer."""
    opened = [0] * (len(messages) + 1)
    for link in links(messages):
        opened[link.call + 1] += 1
        opened[min(link.answer + 1, len(messages))] -= 1
    whole: list[bool] = []
    spanning = 0
    for change in opened:
        spanning += change
        whole.append(spanning == 0)
    whole[-1] = True
    return whole


def strings(value: object) -> Iterator[str]:
    """Every string in plain JSON, keys too."""
    waiting: list[object] = [value]
    while waiting:
        here = waiting.pop()
        match here:
            case str() as text:
                yield text
            case list():
                waiting.extend(cast("list[object]", here))
            case dict():
                yield from cast("dict[str, object]", here)
                waiting.extend(cast("dict[str, object]", here).values())
            case _:  # a scalar
                pass


def _plain_links(messages: Sequence[Message.T]) -> tuple[list[Link], list[tuple[int, int, str, int]], list[int]]:
    """The links among tool requests and results, the requests that are open, and the results that answer none.

    With an open request stands where its id is used again, behind which nothing answers it.
    """
    found: list[Link] = []
    strays: list[int] = []
    waiting: dict[str, deque[tuple[int, int]]] = {}
    given_up: list[tuple[int, int, str, int]] = []
    numbers = speeches(messages)
    for index, message in enumerate(messages):
        if isinstance(message, Message.Assistant):
            for place, content in enumerate(message.contents):
                if isinstance(content, Content.ToolRequest):
                    queue = waiting.setdefault(content.id, deque())
                    if queue and numbers[queue[-1][0]] < numbers[index]:
                        given_up += ((*call, content.id, index) for call in queue)
                        queue.clear()
                    queue.append((index, place))
        elif isinstance(message, Message.ToolResult):
            queue = waiting.get(message.id, deque())
            if queue:
                found.append(Link(*queue.popleft(), message.id, index))
            else:
                strays.append(index)
    return found, given_up + [(*call, id_, len(messages)) for id_, queue in waiting.items() for call in queue], strays


def _is_or_has_custom(message: Message.T) -> bool:
    return isinstance(message, Message.Custom) or any(isinstance(content, Content.Custom) for content in message.contents)


def _mentions(messages: Sequence[Message.T]) -> dict[str, list[int]]:
    """By string: the messages that say it in what only a dialect knows."""
    said: dict[str, list[int]] = {}
    for index, message in enumerate(messages):
        for text in {text for document in _customs(message) for text in strings(document.value)}:
            said.setdefault(text, []).append(index)
    return said


def _customs(message: Message.T) -> Iterator[Json]:
    if isinstance(message, Message.Custom):
        yield message.attributes
    else:
        yield from (content.value for content in message.contents if isinstance(content, Content.Custom))


# --- changing ------------------------------------------------------------------------------------------------------------------


def with_contents(message: M, contents: Iterable[Content.T]) -> M:
    """The message with other contents, itself where they are the same. Raises TypeError for a content that it cannot hold."""
    held: tuple[Any, ...] = () if isinstance(message, Message.Custom) else message.contents
    said = tuple(contents)
    if len(held) == len(said) and all(one is other for one, other in zip(held, said, strict=True)):
        return message
    case: Any = type(message)
    return changed(message, "contents", case.__attrs_attrs__.contents.converter(said))


def without(
    messages: Sequence[Message.T],
    drops: Callable[[Message.T], bool] = lambda _: False,
    drops_content: Callable[[Content.T], bool] = lambda _: False,
) -> tuple[Message.T, ...]:
    """The messages without some of them and of their contents; what belongs to a call or result that goes, goes with it."""
    kept: list[Message.T | None] = []
    for message in messages:
        if drops(message):
            kept.append(None)
        elif isinstance(message, Message.Custom):
            kept.append(message)
        else:
            left = tuple(content for content in message.contents if not drops_content(content))
            kept.append(_left(message, left))
    return parted(messages, kept)


def parted(messages: Sequence[Message.T], kept: Sequence[Message.T | None]) -> tuple[Message.T, ...]:
    """What is left of `messages` when each is replaced by its counterpart in `kept`, None for one that goes.

    A request whose result went goes too, and a result whose request went. A message of which nothing is left goes.
    """
    left = list(kept)
    gone: dict[int, list[str]] = {}
    asking: dict[int, frozenset[str]] = {}
    for link in links(messages):
        if link.call not in asking:
            asking[link.call] = frozenset(asked(left[link.call]))
        is_asked = link.id in asking[link.call]
        is_answered = _answers(left[link.answer], link, messages[link.answer])
        if is_asked and not is_answered and link.place is not None:
            gone.setdefault(link.call, []).append(link.id)
        elif is_answered and not is_asked:
            left[link.answer] = None
    for index, ids in gone.items():
        message = left[index]
        if isinstance(message, Message.Assistant):
            left[index] = _left(message, _without_requests(message, ids))
    return tuple(message for message in left if message is not None)


def _left(message: M, contents: tuple[Content.T, ...]) -> M | None:
    """The message with what is left of its contents; a result stays without any, for its request needs one."""
    if not contents and not isinstance(message, Message.ToolResult | Message.Custom) and message.contents:
        return None
    return with_contents(message, contents)


def asked(message: Message.T | None) -> Iterator[str]:
    """The ids of the calls that a message holds; every string of what only a dialect knows may be one."""
    if message is not None:
        yield from (text for document in _customs(message) for text in strings(document.value))
    if isinstance(message, Message.Assistant):
        yield from (request.id for request in message.tool_requests)


def _answers(message: Message.T | None, link: Link, before: Message.T) -> bool:
    if message is before:
        return True
    if isinstance(message, Message.ToolResult):
        return message.id == link.id
    return isinstance(message, Message.Custom) and link.id in strings(message.attributes.value)


def _without_requests(message: Message.Assistant, ids: list[str]) -> tuple[Content.Output, ...]:
    going = list(ids)
    left: list[Content.Output] = []
    for content in message.contents:
        if isinstance(content, Content.ToolRequest) and content.id in going:
            going.remove(content.id)
        else:
            left.append(content)
    return tuple(left)
