"""A conversation as lines for people: who said what, media by their type and size, tool calls with their arguments.

`lines` says what there is to see, as data; `render` prints it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from textwrap import indent
from typing import Any, Final, assert_never, final

from attrs import evolve, fields, frozen
from returns.result import Result
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from chatadt.chat import ChatRequest, ChatResponse, Metadata, ModelParams, StopReason, Usage
from chatadt.cli._records import Form, Record
from chatadt.cli._report import printable
from chatadt.cli._terminal import Say
from chatadt.cli._work import Work
from chatadt.codec import Document, loads
from chatadt.content import Arguments, Content
from chatadt.dialects import DIALECTS
from chatadt.error import ConversionError
from chatadt.history import History
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.templates import Template
from chatadt.templates._hole import described
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("Line", "lines", "printer", "render", "showing")

_LONGEST: Final = 200
"""Characters of a value that is shown in short."""


@final
@frozen
class Line:
    """One thing to see: a text, how far it is set in, and its style (a style of rich)."""

    text: str
    depth: int = 0
    style: str = ""


def render(console: Console, shown: Iterable[Line]) -> None:
    """Print lines: wrapped on a terminal, unwrapped into a pipe or file, for the programs that read them there."""
    for line in shown:
        text = printable(line.text)
        if console.is_terminal:
            console.print(Padding(Text(text, line.style), (0, 0, 0, 2 * line.depth), expand=False))
        else:
            console.print(Text(indent(text, "  " * line.depth)), soft_wrap=True)


def showing(source: str | None) -> Work[tuple[Line, ...]]:
    """What there is to see in one record: a body of the dialect `source`, or the library's own JSON."""

    def work(body: Any, record: Record) -> Result[tuple[Line, ...], ConversionError.T]:
        read = loads(record.text).alt(_pointed) if source is None else DIALECTS[source].read_request(body)
        return read.map(lambda conversation: tuple(lines(conversation)))

    return work


def _pointed(error: ConversionError.T) -> ConversionError.T:
    """The error, and what may be meant: nearly all JSON that is not the library's own is a provider's."""
    if not isinstance(error, ConversionError.Unreadable) or not error.problems:
        return error
    first, *rest = error.problems
    hint = f"{first.expected} (for a provider's body say --from D)"
    return evolve(error, problems=(evolve(first, expected=hint), *rest))


def printer(console: Console) -> Callable[[Record, tuple[Line, ...], Say], bool]:
    """Print what there is to see in a record; records of JSON Lines are parted by a rule."""

    def done(record: Record, shown: tuple[Line, ...], _: Say) -> bool:
        if record.form is Form.LINES:
            console.rule(f"line {record.line}", style=_FAINT)
        render(console, shown)
        return True

    return done


def lines(shown: Document) -> Iterator[Line]:
    """A conversation, or a part of one, as lines."""
    match shown:
        case ChatRequest(messages, params):
            yield from _params(params)
            yield from _messages(messages)
        case ChatResponse(message, metadata):
            yield from _message(message)
            yield from _metadata(metadata)
        case History(messages):
            yield from _messages(messages)
        case ModelParams():
            yield from _params(shown)
        case Tool() | ProviderTool():
            yield Line(_tool(shown))
        case Template():
            yield from _template(shown)
        case Resource.Ref() | Resource.Binary():
            yield from _medium("medium", shown, NO_EXTRAS)
        case Message.System() | Message.User() | Message.Assistant() | Message.ToolResult() | Message.Custom():
            yield from _message(shown)
        case ToolChoice.Auto() | ToolChoice.Never() | ToolChoice.Required() | ToolChoice.One() | ToolChoice.Custom():
            yield Line(_value(shown))
        case (
            Content.Text()
            | Content.Image()
            | Content.Audio()
            | Content.Video()
            | Content.PDF()
            | Content.File()
            | Content.Custom()
            | Content.Reasoning()
            | Content.Refusal()
            | Content.ToolRequest()
        ):
            yield from _content(shown)
        case _:
            assert_never(shown)


def _messages(messages: tuple[Message.T, ...]) -> Iterator[Line]:
    if not messages:
        yield Line("(no messages)", 0, _FAINT)
    for message in messages:
        yield from _message(message)


def _template(template: Template) -> Iterator[Line]:
    """The holes of a template and what they take, then its lines."""
    yield Line("template", 0, "bold")
    for hole in template.holes:
        yield Line(f"{hole.name}: {described(hole)}{' (optional)' if hole.optional else ''}", 1)
    for line in template.lines:
        yield Line(_short(repr(line)), 1, _FAINT)


_FAINT: Final = "dim"
_OUTCOMES: Final = {Outcome.OK: "green", Outcome.ERROR: "red", Outcome.DENIED: "red"}


def _message(message: Message.T) -> Iterator[Line]:
    match message:
        case Message.System(contents, extras):
            yield Line("system", 0, "bold magenta")
            yield from _contents(contents, extras)
        case Message.User(contents, name, extras):
            yield Line(_named("user", name), 0, "bold cyan")
            yield from _contents(contents, extras)
        case Message.Assistant(contents, name, extras):
            yield Line(_named("assistant", name), 0, "bold green")
            yield from _contents(contents, extras)
        case Message.ToolResult(id, tool, contents, outcome, extras):
            yield Line(f"result of {tool or 'a tool'}: {outcome.value}  (id {id})", 0, f"bold {_OUTCOMES[outcome]}")
            yield from _contents(contents, extras)
        case Message.Custom(attributes, dialect):
            yield Line(f"a message that only {dialect or 'its own dialect'} knows", 0, "bold yellow")
            yield Line(_short(attributes.text), 1)
        case _:
            assert_never(message)


def _named(speaker: str, name: str | None) -> str:
    return speaker if name is None else f"{speaker} ({name})"


def _contents(contents: Iterable[Content.T], extras: Extras) -> Iterator[Line]:
    for content in contents:
        yield from _content(content)
    yield from _extras(extras, 1)


def _content(content: Content.T) -> Iterator[Line]:
    match content:
        case Content.Text(text, extras):
            yield Line(text, 1)
            yield from _extras(extras, 2)
        case Content.Reasoning(text, extras):
            yield Line(f"[reasoning] {text}", 1, "italic dim")
            yield from _extras(extras, 2)
        case Content.Refusal(text, extras):
            yield Line(f"[refusal] {text}", 1, "red")
            yield from _extras(extras, 2)
        case Content.ToolRequest(id, name, arguments, extras):
            yield Line(f"[calls] {name}  (id {id})", 1, "yellow")
            yield Line(_arguments(arguments), 2)
            yield from _extras(extras, 2)
        case Content.Image(resource, detail, extras):
            yield from _medium("image", resource, extras, None if detail is None else f"detail {detail.value}")
        case Content.Audio(resource, transcript, extras):
            yield from _medium("audio", resource, extras)
            if transcript is not None:
                yield Line(f"[transcript] {transcript}", 2)
        case Content.Video(resource, extras):
            yield from _medium("video", resource, extras)
        case Content.PDF(resource, name, extras):
            yield from _medium("PDF", resource, extras, name)
        case Content.File(resource, name, extras):
            yield from _medium("file", resource, extras, name)
        case Content.Custom(dialect, value):
            yield Line(f"[only {dialect} knows] {_short(value.text)}", 1, "yellow")
        case _:
            assert_never(content)


def _arguments(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed(document):
            return json.dumps(document.value, indent=2, ensure_ascii=False)
        case Arguments.Malformed(text, why):
            return f"{text}\nnot JSON: {why}"
        case _:
            assert_never(arguments)


def _medium(kind: str, resource: Resource.T, extras: Extras, note: str | None = None) -> Iterator[Line]:
    match resource:
        case Resource.Ref(uri, mime_type, own):
            told = (mime_type, _short(uri))
        case Resource.Binary(content, mime_type, own):
            told = (mime_type or "of unknown type", _size(len(content) * 3 // 4 - content[-2:].count("=")))
        case _:
            assert_never(resource)
    yield Line(f"[{kind}] {', '.join(part for part in (*told, note) if part)}", 1, "blue")
    yield from _extras(own, 2)
    yield from _extras(extras, 2)


def _size(count: int) -> str:
    if count < 1000:
        return "1 byte" if count == 1 else f"{count} bytes"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _extras(extras: Extras, depth: int) -> Iterator[Line]:
    """The fields that a dialect said beyond the words, by name: their values may be as long as a signature."""
    for dialect in extras:
        names = [name for name in extras.of(dialect) if not name.startswith("$")]
        if names:
            yield Line(f"also {', '.join(names)} ({dialect})", depth, _FAINT)


def _params(params: ModelParams) -> Iterator[Line]:
    said = [f"{name} {_value(value)}" for name, value in _stated(params) if name != "tools"]
    if said:
        yield Line(", ".join(said), 0, _FAINT)
    if params.tools:
        yield Line(f"tools {', '.join(_tool(tool) for tool in params.tools)}", 0, _FAINT)
    yield from _extras(params.extras, 0)


def _tool(tool: Tool | ProviderTool) -> str:
    match tool:
        case Tool(name):
            return name
        case ProviderTool(dialect, value):
            return f"{_short(value.text)} of {dialect}"
        case _:
            assert_never(tool)


def _metadata(metadata: Metadata) -> Iterator[Line]:
    said = [f"{name} {_value(value)}" for name, value in _stated(metadata)]
    if said:
        yield Line(", ".join(said), 0, _FAINT)
    yield from _extras(metadata.extras, 0)


def _stated(words: ModelParams | Metadata | Usage) -> Iterator[tuple[str, object]]:
    """The fields that were said, but for the extras."""
    for field in fields(type(words)):
        value = getattr(words, field.name)
        if value is not None and value != () and field.name != "extras":
            yield field.name, value


def _value(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, StopReason):
        return value.kind.value
    if isinstance(value, Usage):
        return " ".join(f"{name} {count}" for name, count in _stated(value))
    return _short(str(value))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
