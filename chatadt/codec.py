"""The library's own JSON: http4k's shape (`{"type": "user", "contents": [{"type": "text", "text": "hi"}]}`), by cattrs.

A message, a content and a resource stand as they are, told apart by `type`; everything else stands in an envelope with a version
and keys that say what it is. Names are in snake case, defaults are left out. Tool arguments stand as the JSON text that they are,
and so does text that is no JSON; the pair `[text, why]` stands for it where a parser would find another reason, or none.
What http4k itself writes (`toolRequests`, `mimeType`, `image` for the resource of an image, a system message's `text`) is read too.

Reading is strict: 5 is no string, an unknown key is an error and so is one that stands twice, an unknown tag is answered with the
known ones. The fast path knows no paths; only when it fails is the place found, so that errors say
`expected a string, got 5 at $.messages[2].contents[0].text`.
"""

from __future__ import annotations

import json as _json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import orjson
from returns.result import Failure, Result, Success

from chatadt._converter import CASES, CONVERTER, NAME, VERSION, WRITERS, reader, reader_of_many
from chatadt._hooks import structuring, unstructuring
from chatadt._http4k import from_http4k
from chatadt.chat import ChatRequest, ChatResponse, ModelParams
from chatadt.content import Content
from chatadt.error import ConversionError, Problem, Unexpected, show, stranger
from chatadt.history import History
from chatadt.json import Json, dump, parse, parse_roughly
from chatadt.message import Message
from chatadt.resource import Resource
from chatadt.tool import ProviderTool, Tool, ToolChoice

__all__ = ("ALONE", "ENVELOPES", "Document", "document", "dumps", "loads")

if TYPE_CHECKING:
    from chatadt.templates import Template

_Word: TypeAlias = (
    History | ChatRequest | ChatResponse | Message.T | Content.T | Resource.T | Tool | ProviderTool | ToolChoice.T | ModelParams
)
Document: TypeAlias = "_Word | Template"

# --- documents -----------------------------------------------------------------------------------------------------------------


def document(word: Document) -> Json:
    """A word as a JSON document of its own."""
    return Json.trusted(dumps(word).decode())


def dumps(word: Document) -> bytes:
    """The JSON of a conversation, a request, an answer, a message or one of their parts, or of a template, as UTF-8 bytes.

    A history is `{"chatadt": 1, "messages": [...]}`, a request has `params` besides, an answer `message` and `metadata`; params,
    a tool, a tool choice and a template have such an envelope too. `loads` reads an equal word, of which `dumps` writes the same
    bytes. Raises TypeError for what is none of these.
    """
    write = _DOCUMENTS.get(word.__class__) or _late_writer(word.__class__)
    if write is None:
        raise TypeError(f"expected one of {', '.join(case.__qualname__ for case in _DOCUMENTS)}, got {word!r}")
    plain = write(word)
    try:
        return orjson.dumps(plain)
    except TypeError:  # integers beyond 64 bits, lone surrogates, deep nesting
        return dump(plain).encode()


def loads(data: bytes | str) -> Result[Document, ConversionError.T]:
    """What `dumps` wrote, or a list of messages, or http4k's JSON of either.

    For any other bytes or text the answer is `Unreadable`, with the place of each problem; TypeError is for what is neither.
    """
    if not isinstance(cast("object", data), bytes | bytearray | str):
        raise TypeError(f"loads takes bytes or text, got {data!r}")
    try:
        try:
            return Success(_read_either(_parse(data)))
        except Unexpected as error:
            problems = error.under("$").problems
    except RecursionError:
        problems = (Problem("$", "JSON that can be followed", "too many levels"),)
    return Failure(ConversionError.Unreadable(NAME, problems))


def _read_either(value: Any) -> Document:
    """Read this library's JSON or, where it is none, http4k's; where it is neither, the first error stands."""
    try:
        return _read(value)
    except Unexpected:
        translated = from_http4k(value)
        if translated == value:
            raise
    return _read(translated)


def _read(value: Any) -> Document:
    if value.__class__ is list:
        return History(_read_messages(value))
    if value.__class__ is not dict:
        raise Unexpected.of("a conversation or a message", value)
    if "type" in value:
        # Messages, contents and resources share one tag: the custom message is the one that has attributes.
        of_message = value["type"] == "custom" and "attributes" in value
        return cast("Document", (_read_message if of_message else _read_alone)(value))
    version = value.get(NAME, VERSION)
    if version.__class__ is not int or not 1 <= version <= VERSION:
        raise Unexpected.of(f"version {VERSION} of the format (later ones need a later {NAME})", version, f".{NAME}")
    read = _BY_KEYS.get(frozenset(value) - _VERSIONED)
    if read is not None:
        return read(value)
    known = ", or ".join(" and ".join(keys) for keys in ENVELOPES)
    raise Unexpected.of(f"an object with a type (a message, content or resource) or with the keys {known}", list(value))


def _written(key: str, write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda word: {NAME: VERSION, key: write(word)}


def _late_writer(case: type) -> Callable[[Any], Any] | None:
    """How a template is written: what knows that is loaded with the first of them."""
    if (case.__module__, case.__qualname__) != ("chatadt.templates._template", "Template"):
        return None
    from chatadt._template_converter import write_template

    return _written("template", write_template)


def _read_template(value: Any) -> Template:
    from chatadt._template_converter import read_template

    return read_template(value)


def _read_field(key: str, read: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    def read_field(value: dict[str, Any]) -> Any:
        try:
            return read(value[key])
        except Unexpected as error:
            raise error.under(f".{key}") from None

    return read_field


ALONE: Final = ("message", "content", "resource")
"""The unions whose cases stand without an envelope."""

_read_message: Final = reader("message", CASES["message"])
_read_messages: Final = reader_of_many("message", CASES["message"])
_read_alone: Final = reader("message, content or resource", {tag: case for union in ALONE for tag, case in CASES[union].items()})

_DOCUMENTS: Final[Mapping[type, Callable[[Any], Any]]] = {
    **{case: unstructuring(CONVERTER, case) for case in (History, ChatRequest, ChatResponse)},
    **{case: WRITERS[case] for union in ALONE for case in CASES[union].values()},
    **{case: _written("tool", WRITERS[case]) for case in CASES["tool"].values()},
    **{case: _written("tool_choice", WRITERS[case]) for case in CASES["tool choice"].values()},
    ModelParams: _written("params", unstructuring(CONVERTER, ModelParams)),
}
"""By class: how a document of its own is written."""

ENVELOPES: Final[Mapping[tuple[str, ...], Callable[[dict[str, Any]], Document]]] = {
    ("messages",): structuring(CONVERTER, History),
    ("messages", "params"): structuring(CONVERTER, ChatRequest),
    ("message", "metadata"): structuring(CONVERTER, ChatResponse),
    ("message", "metadata", "others"): structuring(CONVERTER, ChatResponse),
    ("params",): _read_field("params", structuring(CONVERTER, ModelParams)),
    ("template",): _read_field("template", _read_template),
    ("tool",): _read_field("tool", reader("tool", CASES["tool"])),
    ("tool_choice",): _read_field("tool_choice", reader("tool choice", CASES["tool choice"])),
}
"""By the keys of an envelope, its version apart: how what it holds is read."""

_BY_KEYS: Final = {frozenset(keys): read for keys, read in ENVELOPES.items()}
_VERSIONED: Final = frozenset({NAME})


# --- text ----------------------------------------------------------------------------------------------------------------------


def _parse(data: bytes | str) -> Any:
    """The value of a JSON text in which no object has a key twice.

    What is written again as it came, as is all that `dumps` wrote, has lost neither a key nor a digit: that shows in a third of the
    time of a parse. In other text a key went missing with its colon, unless a colon that was an escape makes up for it.
    """
    text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = orjson.loads(text)
        again = orjson.dumps(value)
    except (orjson.JSONDecodeError, TypeError):  # no JSON, or such as orjson cannot read or write
        again = b""
    else:
        if again == text:
            return value
    try:
        value = parse(data)
    except ValueError as error:
        if (long := _long_integer(data)) is not None:
            raise Unexpected(long) from None
        where = (
            f"{error.msg}, line {error.lineno}, column {error.colno}" if isinstance(error, _json.JSONDecodeError) else str(error)
        )
        raise Unexpected(Problem("", "JSON", f"text that is not ({where})")) from None
    if again.count(b":") != text.count(b":") or b"\\u003" in text:
        problems = tuple(_repeated(_json.loads(data, object_pairs_hook=tuple)))
        if problems:
            raise Unexpected(*problems)
    return value


def _long_integer(data: bytes | str) -> Problem | None:
    """The first integer of a text that has too many digits."""
    try:
        problem = stranger(parse_roughly(data))
    except (ValueError, RecursionError):
        return None
    return problem if problem is not None and problem.expected.startswith("an integer") else None


def _repeated(value: Any) -> Iterator[Problem]:
    """The keys that stand twice in JSON whose objects are tuples of pairs. Flat, because the text may be as deep as it likes."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        path, here = waiting.pop()
        if here.__class__ is tuple:
            times = Counter(key for key, _ in here)
            yield from (Problem(path, "each key once", f"{show(key)} twice") for key in times if times[key] > 1)
            waiting.extend((f"{path}.{key}", item) for key, item in reversed(here))
        elif here.__class__ is list:
            waiting.extend((f"{path}[{at}]", here[at]) for at in reversed(range(len(here))))
