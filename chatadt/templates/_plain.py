"""The plain form of a prompt, for models that complete a text, and what it does not say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never

from chatadt.content import Content
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message, Outcome
from chatadt.templates._string import fields_as_json

__all__ = ("plain",)


def plain(messages: Iterable[Message.T], *, cue: bool) -> Converted[str]:
    """A text of the speakers and what they say."""
    speeches: list[str] = []
    losses: list[Loss] = []
    for index, message in enumerate(messages):
        for said in _speech(message, f"$.messages[{index}]"):
            if isinstance(said, Loss):
                losses.append(said)
            else:
                speeches.append(said)
    return Converted("\n\n".join([*speeches, "Assistant:"] if cue else speeches), tuple(losses))


def _speech(message: Message.T, path: str) -> Iterator[str | Loss]:
    match message:
        case Message.System(contents):
            yield from _said("System", contents, path)
        case Message.User(contents):
            yield from _said("User", contents, path)
        case Message.Assistant(contents):
            yield from _said("Assistant", contents, path)
        case Message.ToolResult(contents=contents, outcome=outcome):
            yield from _said(_TOOLS[outcome], contents, path)
        case Message.Custom():
            yield _lost(path, "a message that only its dialect knows", fields_as_json(message))
            return
        case _:
            assert_never(message)
    for name, value in fields_as_json(message).items():
        if name != "outcome":
            yield _detail(f"{path}.{name}", f"the {name} of a message", value)


_TOOLS: Final = {Outcome.OK: "Tool", Outcome.ERROR: "Tool (error)", Outcome.DENIED: "Tool (denied)"}


def _said(speaker: str, contents: Iterable[Content.T], path: str) -> Iterator[str | Loss]:
    pieces = [piece for index, content in enumerate(contents) for piece in _content(content, f"{path}.contents[{index}]")]
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    yield f"{speaker}: {_set_in(text)}"
    yield from (piece for piece in pieces if isinstance(piece, Loss))


def _content(content: Content.T, path: str) -> Iterator[str | Loss]:
    match content:
        case Content.Text(text):
            yield text
            if content.extras:
                yield _detail(f"{path}.extras", "what a dialect said of a text", fields_as_json(content)["extras"])
        case Content.Refusal(text):
            yield text
            yield _detail(path, "that a text is a refusal", fields_as_json(content), Action.REWRITTEN)
        case Content.Reasoning():
            yield _detail(path, "reasoning", fields_as_json(content))
        case Content.Image():
            yield _lost(path, "an image", fields_as_json(content))
        case Content.Audio():
            yield _lost(path, "audio", fields_as_json(content))
        case Content.Video():
            yield _lost(path, "a video", fields_as_json(content))
        case Content.PDF():
            yield _lost(path, "a PDF", fields_as_json(content))
        case Content.File():
            yield _lost(path, "a file", fields_as_json(content))
        case Content.ToolRequest():
            yield _lost(path, "a tool request", fields_as_json(content))
        case Content.Custom():
            yield _lost(path, "a content that only its dialect knows", fields_as_json(content))
        case _:
            assert_never(content)


def _set_in(text: str) -> str:
    """The text with each line but the first set in: a line ends wherever a reader might see it end."""
    return "  ".join(text.splitlines(keepends=True))


def _lost(path: str, what: str, original: Any) -> Loss:
    return Loss(path, what, Action.DROPPED, Json.of(original), "a plain text is speakers and what they say", Weight.CONTENT)


def _detail(path: str, what: str, original: Any, action: Action = Action.DROPPED) -> Loss:
    return Loss(path, what, action, Json.of(original), "a plain text is speakers and what they say", Weight.DETAIL)
