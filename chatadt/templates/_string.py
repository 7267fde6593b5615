"""The string form of a prompt.

    # system
    | You are brief.
    # user {"name":"ann"}
    | What is this?
    - image {"resource":{"uri":"https://example.org/cat.png"}}

A line that begins with `# ` is a message, one with `- ` a content of the message above it, one with `| ` a line of text of what
stands above it. A text that comes first in its message needs no `- text`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from attrs import NOTHING, fields, frozen
from returns.result import Failure, Result, Success

from chatadt.content import Arguments, Content, Detail
from chatadt.error import ConversionError, Problem, Unexpected, show
from chatadt.json import Extras, Json, dump, parse as parse_json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource

__all__ = ("fields_as_json", "read", "written")

T = TypeVar("T")

_ROLES: Final[Mapping[str, type]] = {
    "system": Message.System,
    "user": Message.User,
    "assistant": Message.Assistant,
    "tool": Message.ToolResult,
    "custom": Message.Custom,
}

_KINDS: Final[Mapping[str, type]] = {
    "text": Content.Text,
    "image": Content.Image,
    "audio": Content.Audio,
    "video": Content.Video,
    "pdf": Content.PDF,
    "file": Content.File,
    "reasoning": Content.Reasoning,
    "refusal": Content.Refusal,
    "tool_request": Content.ToolRequest,
    "custom": Content.Custom,
}

_BODIES: Final[Mapping[type, str]] = {
    Content.Text: "text",
    Content.Reasoning: "text",
    Content.Refusal: "text",
    Content.ToolRequest: "arguments",
    Content.Custom: "value",
    Message.Custom: "attributes",
}
"""By case: the field that stands as lines of text below its line."""

_MALFORMED: Final = "malformed"
"""The key that says of arguments why they are no JSON."""


# --- writing -------------------------------------------------------------------------------------------------------------------


def written(messages: Iterable[Message.T]) -> str:
    """The string form of messages."""
    return "\n".join(line for message in messages for line in _written_message(message))


def _written_message(message: Message.T) -> Iterator[str]:
    yield from _written("# ", message, _NAMES[type(message)])
    for index, content in enumerate(() if isinstance(message, Message.Custom) else message.contents):
        lines = tuple(_written("- ", content, _NAMES[type(content)]))
        yield from lines[1:] if index == 0 and lines[0] == "- text" else lines


def _written(mark: str, word: Message.T | Content.T, name: str) -> Iterator[str]:
    body = _BODIES.get(type(word), "")
    said = {key: value for key, value in fields_as_json(word).items() if key != body}
    text = getattr(word, body) if body else None
    if isinstance(text, Arguments.Malformed):
        said, text = {**said, _MALFORMED: text.why}, text.text
    if isinstance(text, Arguments.Parsed):
        text = text.json
    yield f"{mark}{name} {dump(said)}" if said else f"{mark}{name}"
    if body:
        yield from (f"| {line}" for line in str(text.text if isinstance(text, Json) else text).split("\n"))


_NAMES: Final[Mapping[type, str]] = {case: name for names in (_ROLES, _KINDS) for name, case in names.items()}


def _fields(word: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a word that do not hold their default, nor None."""
    for attribute in fields(word.__class__):
        value = getattr(word, attribute.name)
        if value is not None and (attribute.default is NOTHING or value != attribute.default):
            yield attribute.name, value


def _plain(value: Any) -> Any:
    return _PLAIN.get(value.__class__, str)(value)


def fields_as_json(word: Any) -> dict[str, Any]:
    """The fields of a word as plain JSON by their names, without its contents, and without those that hold their default."""
    return {name: _plain(inner) for name, inner in _fields(word) if name != "contents"}


_PLAIN: Final[Mapping[type, Callable[[Any], Any]]] = {
    Resource.Ref: fields_as_json,
    Resource.Binary: fields_as_json,
    Extras: lambda extras: {name: json.value for name, json in extras.items()},
    Detail: lambda detail: detail.value,
    Outcome: lambda outcome: outcome.value,
    Json: lambda json: json.value,
    Arguments.Parsed: lambda arguments: arguments.json.text,
    Arguments.Malformed: lambda arguments: arguments.text,
}
"""By type of a field: how it is said in JSON; the others are strings."""


# --- reading -------------------------------------------------------------------------------------------------------------------


def read(text: str) -> Result[tuple[Message.T, ...], ConversionError.T]:
    """The messages of a string form, or `Unreadable` with the line of each problem."""
    try:
        return Success(tuple(_messages(_blocks(text))))
    except Unexpected as error:
        return Failure(ConversionError.Unreadable("prompt", error.problems))


@frozen
class _Block:
    """A line that names something, its fields, and the lines of text below it."""

    line: int
    mark: str
    name: str
    fields: dict[str, Any]
    body: list[str]


_HEAD: Final = re.compile(r"(?P<mark>[#-]) (?P<name>[a-z_]+)(?: (?P<fields>\{.*\}))?")


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n") if text else (), 1):
        try:
            _take(line, number, blocks)
        except Unexpected as error:
            problems.extend(error.problems)
    if problems:
        raise Unexpected(*problems)
    return blocks


def _take(line: str, number: int, blocks: list[_Block]) -> None:
    """Add a line to the blocks."""
    if line.startswith("| ") or line == "|":
        if not blocks:
            raise _wrong(number, "a message (a line such as `# user`) before the first line of text", line)
        blocks[-1].body.append(line[2:])
        return
    found = _HEAD.fullmatch(line)
    if found is None:
        raise _wrong(number, "a message (`# user`), a content (`- image {...}`) or a line of text (`| hello`)", line)
    known = _ROLES if found["mark"] == "#" else _KINDS
    if found["name"] not in known:
        raise _wrong(number, f"one of {', '.join(known)}", found["name"])
    if found["mark"] == "-" and not blocks:
        raise _wrong(number, "a message (a line such as `# user`) before the first content", line)
    try:
        said: dict[str, Any] = parse_json(found["fields"]) if found["fields"] else {}
    except ValueError as error:
        raise _wrong(number, f"the fields of {found['name']} as a JSON object", f"{found['fields']} ({error})") from None
    blocks.append(_Block(number, found["mark"], found["name"], said, []))


def _messages(blocks: Iterable[_Block]) -> Iterator[Message.T]:
    problems: list[Problem] = []
    for head, *inside in _by_message(blocks):
        try:
            yield _message(head, inside)
        except Unexpected as error:
            problems.extend(error.problems)
    if problems:
        raise Unexpected(*problems)


def _by_message(blocks: Iterable[_Block]) -> Iterable[list[_Block]]:
    groups: list[list[_Block]] = []
    for block in blocks:
        if block.mark == "#":
            groups.append([block])
        else:
            groups[-1].append(block)
    return groups


def _message(head: _Block, inside: list[_Block]) -> Message.T:
    case = _ROLES[head.name]
    if case is Message.Custom:
        if inside:
            raise _wrong(inside[0].line, "a custom message to have no contents", f"- {inside[0].name}")
        return cast("Message.T", _made(case, head, _of_body(case, head)))
    first = [_Block(head.line, "-", "text", {}, head.body)] if head.body else []
    contents: list[Any] = []
    problems: list[Problem] = []
    for block in (*first, *inside):
        kind = _KINDS[block.name]
        try:
            contents.append(_made(kind, block, _of_body(kind, block)))
        except Unexpected as error:
            problems.extend(error.problems)
    if problems:
        raise Unexpected(*problems)
    absent = {"tool": None} if case is Message.ToolResult else {}
    return cast("Message.T", _made(case, head, {**absent, "contents": contents}))


def _of_body(case: type, block: _Block) -> dict[str, Any]:
    """The field that stands below the line of a case."""
    if case not in _BODIES:
        if block.body:
            raise _wrong(block.line, f"no text below {block.name}", block.body[0])
        return {}
    if not block.body:
        raise _wrong(block.line, f"the {_BODIES[case]} of {block.name} below it, in lines that begin with `| `", "nothing")
    text = "\n".join(block.body)
    if case is Content.ToolRequest and _MALFORMED in block.fields:
        return {"arguments": _checked(block, lambda: Arguments.Malformed(text, block.fields[_MALFORMED]))}
    return {_BODIES[case]: text if _BODIES[case] == "text" else _checked(block, lambda: Json(text))}


def _made(case: type, block: _Block, known: Mapping[str, Any]) -> Any:
    """A word of the fields of a block, and of those that are known already. The constructors check what they are given."""
    given = {key: value for key, value in block.fields.items() if (case, key) != (Content.ToolRequest, _MALFORMED)}
    return _checked(block, lambda: _constructed(case, given, known))


def _constructed(case: type, given: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    free = {field.name for field in fields(cast("Any", case))} - (known.keys() - {"tool"})
    missing = [field.name for field in fields(cast("Any", case)) if field.default is NOTHING and field.name not in {*known, *given}]
    if missing:
        raise ValueError(f"{case.__qualname__} needs {', '.join(missing)}, which is not there")
    if given.keys() - free:
        raise ValueError(f"{case.__qualname__} takes {', '.join(sorted(free)) or 'nothing'} here, got {', '.join(sorted(given))}")
    return case(**{**known, **{key: _READ.get(key, _same)(value) for key, value in given.items()}})


def _same(value: Any) -> Any:
    return value


def _resource(value: Any) -> Any:
    match value:
        case {"uri": _}:
            return _constructed(Resource.Ref, value, {})
        case {"content": _}:
            return _constructed(Resource.Binary, value, {})
        case _:  # JSON of another shape
            raise ValueError(f"a resource has a uri or a content, got {show(value)}")


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {"resource": _resource, "detail": Detail, "outcome": Outcome}
"""By name of a field: how its JSON is read; the others are what the constructors take."""


def _checked(block: _Block, make: Callable[[], T]) -> T:
    try:
        return make()
    except (TypeError, ValueError) as error:
        raise Unexpected(Problem(f"line {block.line}", f"the fields and the text of {block.name}", f"others ({error})")) from None


def _wrong(line: int, expected: str, got: str) -> Unexpected:
    return Unexpected.of(expected, got, f"line {line}")
