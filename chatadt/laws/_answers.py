"""Laws of answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never, cast

from returns.result import Failure, Success

from chatadt.chat import ChatResponse
from chatadt.content import Arguments, Content
from chatadt.dialects import Dialect
from chatadt.json import Json, parse, why_not_json
from chatadt.laws._broken import Broken, answer_of, dialect_of, quotes
from chatadt.loss import Action, Converted
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.result import closed

__all__ = ("answers_kept", "answers_settled", "strings")


def answers_kept(dialect: str | Dialect, response: ChatResponse) -> None:
    """Any answer is written as a JSON object, and what was said stands in it or in the original of a loss: texts and payloads.

    A dialect that has no answers breaks nothing here.
    """
    known = dialect_of(dialect)
    written = _written(known, response)
    if written is None:
        return
    for loss in written.losses:
        if not (loss.path.startswith("$") and loss.what and loss.reason) or (loss.original is None) is not (
            loss.action is Action.INVENTED
        ):
            raise Broken("a loss says where, what and why, and holds the original", given=response, via=written.value, got=loss)
    if quotes(response, known.name):
        return
    told = Json.of([written.value, *(loss.original.value for loss in written.losses if loss.original is not None)])
    there = list(strings(told.value))
    missing = [text for text in _said(response.message) if not any(text in each for each in there)]
    if missing:
        raise Broken("nothing of an answer is lost in silence", given=response, via=written, got=missing)


def answers_settled(dialect: str | Dialect, response: ChatResponse) -> None:
    """Once written and read, an answer has the dialect's form: to write and read it again changes nothing, and loses nothing."""
    known = dialect_of(dialect)
    written = _written(known, response)
    if written is None or known.read_response is None or quotes(response, known.name):
        return
    match closed(known.read_response(written.value)):
        case Failure(error):
            raise Broken("what a dialect writes, it reads", given=response, via=written.value, got=error)
        case Success(normal):
            again = _written(known, normal)
            if again is None or again.losses or known.canonical(again.value) != known.canonical(written.value):
                raise Broken("an answer in the dialect's form stays as it is", given=response, via=written.value, got=again)


def _written(dialect: Dialect, response: ChatResponse) -> Converted[dict[str, Any]] | None:
    write = dialect.write_response
    if write is None:
        return None
    return answer_of(lambda: write(response), "a writer never raises", response, f"{dialect.name}.write_response")


def _said(message: Message.Assistant) -> Iterator[str]:
    for content in message.contents:
        match content:
            case Content.Text() | Content.Reasoning() | Content.Refusal():
                yield content.text
            case Content.ToolRequest():
                yield content.name
                yield from _argued(content.arguments)
            case Content.Custom():
                yield from strings(content.value.value)
            case Content.Audio():
                yield from _medium(content.resource)
                yield from [] if content.transcript is None else [content.transcript]
            case Content.PDF() | Content.File():
                yield from _medium(content.resource)
                yield from [] if content.name is None else [content.name]
            case Content.Image() | Content.Video():
                yield from _medium(content.resource)
            case _:
                assert_never(content)


def _medium(resource: Resource.T) -> Iterator[str]:
    match resource:
        case Resource.Ref(uri=uri):
            yield uri
        case Resource.Binary(content=content):
            yield content
        case _:
            assert_never(resource)


def _argued(arguments: Arguments.T) -> Iterator[str]:
    match arguments:
        case Arguments.Parsed(json=told):
            yield from strings(told.value)
        case Arguments.Malformed(text=text):
            yield text
        case _:
            assert_never(arguments)


def strings(value: Any) -> Iterator[str]:
    """Every text in plain JSON, keys apart; JSON that stands as text is looked into as well."""
    match value:
        case dict():
            for inner in cast("dict[str, Any]", value).values():
                yield from strings(inner)
        case list():
            for inner in cast("Any", value):
                yield from strings(inner)
        case str():
            yield value
            if value.lstrip().startswith(("{", "[", '"')) and why_not_json(value) is None:
                yield from strings(parse(value))
        case _:  # another scalar
            return
