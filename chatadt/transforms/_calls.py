"""Tool requests and their results: closed where they were left open, and under other ids."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final, cast

from attrs import evolve

from chatadt._sum import changed
from chatadt.content import Content
from chatadt.history import History
from chatadt.message import Message, Outcome
from chatadt.transforms._exchanges import Transform
from chatadt.transforms._pairs import calls, links, speeches, with_contents

__all__ = ("close_calls", "relabel")

NO_RESULT: Final = "There is no result: the call was not carried out."


def close_calls(answer: str = NO_RESULT, outcome: Outcome = Outcome.ERROR) -> Transform:
    """Answer each tool request that nothing answers, directly behind the results of the speech that holds it.

    `Outcome.DENIED` is for calls that someone refused. Results that stand too late are results; `chatadt.repair` moves them. Where
    two requests of one speech have one id, it is anyone's guess which of them is open: see `relabel`.
    """

    def closed(history: History) -> History:
        messages = history.messages
        answered = {(link.call, link.place) for link in links(messages)}
        open_calls = [(index, request) for index, place, request in calls(messages) if (index, place) not in answered]
        if not open_calls:
            return history
        ends = _ends(messages)
        behind: dict[int, list[Message.T]] = {}
        for index, request in open_calls:
            behind.setdefault(ends[index], []).append(Message.ToolResult(request.id, request.name, answer, outcome))
        return History(each for index, message in enumerate(messages) for each in (message, *behind.get(index, ())))

    return closed


def relabel(label: Callable[[int], str] = "call_{}".format) -> Transform:
    """Give each tool request the id that `label` makes of its number, counted from 1, and its result the same.

    Afterwards no two requests have one id. A result of which no request is known keeps its id, and no request gets that one; so do
    a request and a result that belong to what only a dialect knows. Raises ValueError when `label` makes one id of two numbers, or
    a blank one, and TypeError when it makes no text.
    """

    def relabelled(history: History) -> History:
        messages = list(history.messages)
        known = links(messages)
        verbatim = {(link.call, link.place) for link in known if isinstance(messages[link.answer], Message.Custom)}
        answers = {(link.call, link.place): link.answer for link in known if link.place is not None}
        asked = [(index, place) for index, place, _ in calls(messages) if (index, place) not in verbatim]
        fresh = _fresh(label, len(asked), _kept_ids(history, set(answers.values()), verbatim))
        ids: dict[int, dict[int, str]] = {}
        for (index, place), id_ in zip(asked, fresh, strict=True):
            ids.setdefault(index, {})[place] = id_
            result = messages[answers[index, place]] if (index, place) in answers else None
            if isinstance(result, Message.ToolResult) and result.id != id_:
                messages[answers[index, place]] = changed(result, "id", id_)
        for index, message in enumerate(history.messages):
            if isinstance(message, Message.Assistant) and index in ids:
                messages[index] = _renamed(message, ids[index])
        return history if all(one is other for one, other in zip(messages, history, strict=True)) else History(messages)

    return relabelled


def _ends(messages: tuple[Message.T, ...]) -> list[int]:
    """By index: that of the last result directly behind the speech that is on there, or of the last message of the speech."""
    numbers = speeches(messages)
    last: dict[int, int] = {}
    for index, message in enumerate(messages):
        number = numbers[index]
        goes_on = isinstance(message, Message.ToolResult) and last.get(number) == index - 1
        if isinstance(message, Message.Assistant) or goes_on:
            last[number] = index
    return [last.get(number, -1) for number in numbers]


def _kept_ids(history: History, answers: set[int], verbatim: set[tuple[int, int | None]]) -> set[str]:
    """The ids that stay as they are."""
    results = {
        message.id for index, message in enumerate(history) if isinstance(message, Message.ToolResult) and index not in answers
    }
    return results | {request.id for index, place, request in calls(history.messages) if (index, place) in verbatim}


def _fresh(label: Callable[[int], str], number: int, kept: set[str]) -> list[str]:
    """As many labels as asked for, none of them among those that are kept."""
    made: dict[str, int] = {}
    fresh: list[str] = []
    for at in count(1):
        if len(fresh) == number:
            break
        id_ = label(at)
        if not isinstance(cast("object", id_), str):
            raise TypeError(f"label makes {id_!r} of {at}: the id of a tool request is a string")
        if not id_ or id_.isspace():
            raise ValueError(f"label makes {id_!r} of {at}: no provider takes a tool request with a blank id")
        if id_ in made:
            raise ValueError(f"label makes {id_!r} of {made[id_]} and of {at}: the ids of tool requests must differ")
        made[id_] = at
        if id_ not in kept:
            fresh.append(id_)
    return fresh


def _renamed(message: Message.Assistant, ids: dict[int, str]) -> Message.Assistant:
    return with_contents(
        message,
        (
            evolve(content, id=ids[place])
            if isinstance(content, Content.ToolRequest) and content.id != ids.get(place, content.id)
            else content
            for place, content in enumerate(message.contents)
        ),
    )
