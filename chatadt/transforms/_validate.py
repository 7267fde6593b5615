"""What is wrong with a history, whoever it is sent to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, assert_never

from chatadt.content import Arguments, Content
from chatadt.error import Severity, Violation, show
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.transforms._pairs import Link, calls, links, speeches, strings

__all__ = ("validate",)


def validate(history: History) -> tuple[Violation, ...]:
    """What is wrong with a history for any provider, in the order of its messages; empty when nothing is.

    - `tool-pairing`: a tool request that nothing answers, a result that answers nothing, or one that stands behind a later speech
      of the model; as a warning, one that stands behind other messages, which only some servers take
    - `tool-id`: two requests of one id in one speech
    - `tool-name`: a result that names another tool than its request (a warning)
    - `lone-surrogate`: text that no JSON in UTF-8 can say

    What one provider takes and another does not is the business of `chatadt.check`.
    """
    found = [*_pairing(history.messages), *_ids(history.messages), *_names(history.messages), *_surrogates(history.messages)]
    return tuple(violation for _, violation in sorted(found, key=lambda pair: pair[0]))


_Found = Iterator[tuple[int, Violation]]


def _pairing(messages: Sequence[Message.T]) -> _Found:
    known = links(messages)
    answered = {(link.call, link.place) for link in known}
    for index, place, request in calls(messages):
        if (index, place) not in answered:
            path = f"$.messages[{index}].contents[{place}]"
            fix = "put a ToolResult directly behind the message, or close it with transforms.close_calls"
            yield index, Violation("tool-pairing", path, f"tool request {show(request.id)} has no result", fix)
    answering = {link.answer for link in known}
    for index, message in enumerate(messages):
        if isinstance(message, Message.ToolResult) and index not in answering:
            fix = "put it behind the Assistant message that holds its ToolRequest, or drop it"
            what = f"tool result {show(message.id)} has no request before it"
            yield index, Violation("tool-pairing", f"$.messages[{index}]", what, fix)
    yield from _late(messages, known)


def _late(messages: Sequence[Message.T], known: Sequence[Link]) -> _Found:
    """Answers that do not stand directly behind the speech that holds their call."""
    numbers = speeches(messages)
    others = list(accumulate((isinstance(message, Message.User | Message.System) for message in messages), initial=0))
    for link in known:
        path, fix = f"$.messages[{link.answer}]", "put it directly behind the message with its call"
        if numbers[link.call] != numbers[link.answer] and link.place is not None:
            what = f"the result of {show(link.id)} stands behind a later speech of the model"
            yield link.answer, Violation("tool-pairing", path, what, fix)
        elif others[link.answer] > others[link.call]:
            what = f"the result of {show(link.id)} stands behind other messages"
            yield link.answer, Violation("tool-pairing", path, what, fix, Severity.WARNING)


def _ids(messages: Sequence[Message.T]) -> _Found:
    numbers = speeches(messages)
    seen: set[tuple[int, str]] = set()
    for index, place, request in calls(messages):
        key = (numbers[index], request.id)
        if key in seen:
            path, fix = f"$.messages[{index}].contents[{place}].id", "give each an id of its own, or use transforms.relabel"
            yield index, Violation("tool-id", path, f"tool request {show(request.id)} is there a second time in one speech", fix)
        seen.add(key)


def _names(messages: Sequence[Message.T]) -> _Found:
    for link in links(messages):
        asked, answer = messages[link.call], messages[link.answer]
        if isinstance(asked, Message.Assistant) and isinstance(answer, Message.ToolResult) and link.place is not None:
            request = asked.contents[link.place]
            if isinstance(request, Content.ToolRequest) and answer.tool not in (None, request.name):
                path, fix = f"$.messages[{link.answer}].tool", f"name the tool that was asked for, {show(request.name)}, or None"
                what = f"the result of {show(link.id)} names another tool, {show(answer.tool)}"
                yield link.answer, Violation("tool-name", path, what, fix, Severity.WARNING)


def _surrogates(messages: Sequence[Message.T]) -> _Found:
    for index, message in enumerate(messages):
        for path, text in _texts(message):
            if not text.isascii() and _HALF.search(text):
                fix = "put U+FFFD in its place: text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
                where = f"$.messages[{index}]{path}"
                yield index, Violation("lone-surrogate", where, "half of a surrogate pair, which UTF-8 cannot say", fix)


_HALF: Final = re.compile("[\ud800-\udfff]")


def _texts(message: Message.T) -> Iterator[tuple[str, str]]:
    if isinstance(message, Message.User | Message.Assistant) and message.name is not None:
        yield ".name", message.name
    if isinstance(message, Message.ToolResult):
        yield ".id", message.id
        yield ".tool", message.tool or ""
    for place, content in enumerate(() if isinstance(message, Message.Custom) else message.contents):
        path = f".contents[{place}]"
        match content:
            case Content.Text() | Content.Reasoning() | Content.Refusal():
                yield f"{path}.text", content.text
            case Content.Image() | Content.Video():
                yield f"{path}.resource", _address(content.resource)
            case Content.Audio():
                yield f"{path}.resource", _address(content.resource)
                yield f"{path}.transcript", content.transcript or ""
            case Content.PDF() | Content.File():
                yield f"{path}.resource", _address(content.resource)
                yield f"{path}.name", content.name or ""
            case Content.ToolRequest():
                yield f"{path}.id", content.id
                yield f"{path}.name", content.name
                yield f"{path}.arguments", _said(content.arguments)
            case Content.Custom():
                yield f"{path}.value", _strings(content.value)
            case _:
                assert_never(content)


def _address(resource: Resource.T) -> str:
    return resource.uri if isinstance(resource, Resource.Ref) else ""


def _said(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed():
            return _strings(arguments.json)
        case Arguments.Malformed():
            return arguments.text
        case _:
            assert_never(arguments)


def _strings(document: Json) -> str:
    """The strings of a document in which half of a pair may be, as it is or as an escape; apart, so that two make no pair."""
    text = document.text
    return " ".join(strings(document.value)) if not text.isascii() or "\\ud" in text.lower() else ""
