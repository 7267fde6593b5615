"""What the codecs, readers and writers of all dialects share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar, cast

import orjson
from returns.result import Failure, Result, Success

from chatadt._sum import changed
from chatadt._wire import QUICK, UNKNOWN, Wire, each, string
from chatadt.content import Arguments, Content, arguments_of_text
from chatadt.error import ConversionError, Problem, Unexpected, stranger
from chatadt.json import NO_EXTRAS, Extras, Json
from chatadt.message import Message, Outcome
from chatadt.resource import check_base64

__all__ = (
    "OK",
    "T",
    "arguments_of",
    "at",
    "base64",
    "noted",
    "parsed",
    "plain_assistant",
    "plain_request",
    "plain_result",
    "plain_text",
    "plain_user",
    "reading",
    "strings",
    "text_of_assistant",
    "text_of_user",
    "tool_name",
    "unread",
)

T = TypeVar("T")


def reading(dialect: str, read: Callable[[Any], T]) -> Callable[[object], Result[T, ConversionError.T]]:
    """The door of a reader: answers a Result, whatever comes in."""

    def door(body: object) -> Result[T, ConversionError.T]:
        try:
            return Success(read(body))
        except Unexpected as error:
            return Failure(ConversionError.Unreadable(dialect, error.under("$").problems))
        except RecursionError:
            problem = Problem("", "JSON that can be followed", "more levels than this interpreter has stack for")
        except (TypeError, ValueError, OverflowError) as error:  # what no JSON holds: keys that are no strings, NaN, sets, bytes
            problem = Problem("", "plain JSON data", f"something else ({error})")
        return Failure(ConversionError.Unreadable(dialect, ((stranger(body) or problem).under("$"),)))

    return door


OK: Final = Outcome.OK
"""To look a member up in its enumeration costs twice what it costs to write a slot."""

_new: Final = object.__new__
_TEXT: Final = Content.Text
_USER: Final = Message.User
_ASSISTANT: Final = Message.Assistant
_RESULT: Final = Message.ToolResult
_REQUEST: Final = Content.ToolRequest
_PARSED: Final = Arguments.Parsed
"""Cases by names of their own: to find one in its union each time costs as much as to write half a slot."""
_set_text: Final = cast("Any", _TEXT).text.__set__
_set_extras: Final = cast("Any", _TEXT).extras.__set__


def plain_text(value: str) -> Content.Text:
    """A text of a string that is known to be one."""
    text = _new(_TEXT)
    _set_text(text, value)
    _set_extras(text, NO_EXTRAS)
    return text


def plain_user(contents: tuple[Content.Input, ...]) -> Message.User:
    """A user's message that says nothing but contents."""
    message = _new(_USER)
    _set_user_contents(message, contents)
    _set_user_name(message, None)
    _set_user_extras(message, NO_EXTRAS)
    return message


def plain_assistant(contents: tuple[Content.Output, ...]) -> Message.Assistant:
    """An assistant's message that says nothing but contents."""
    message = _new(_ASSISTANT)
    _set_assistant_contents(message, contents)
    _set_assistant_name(message, None)
    _set_assistant_extras(message, NO_EXTRAS)
    return message


def text_of_user(text: str) -> Message.User:
    """A user's message that says one plain text: `plain_user` and `plain_text` in one step, for most messages are of texts."""
    said = _new(_TEXT)
    _set_text(said, text)
    _set_extras(said, NO_EXTRAS)
    message = _new(_USER)
    _set_user_contents(message, (said,))
    _set_user_name(message, None)
    _set_user_extras(message, NO_EXTRAS)
    return message


def text_of_assistant(text: str) -> Message.Assistant:
    """An assistant's message that says one plain text, in one step as well."""
    said = _new(_TEXT)
    _set_text(said, text)
    _set_extras(said, NO_EXTRAS)
    message = _new(_ASSISTANT)
    _set_assistant_contents(message, (said,))
    _set_assistant_name(message, None)
    _set_assistant_extras(message, NO_EXTRAS)
    return message


_set_user_contents, _set_user_name, _set_user_extras = (
    getattr(Message.User, name).__set__ for name in ("contents", "name", "extras")
)
_set_assistant_contents, _set_assistant_name, _set_assistant_extras = (
    getattr(Message.Assistant, name).__set__ for name in ("contents", "name", "extras")
)


def plain_result(id_: str, tool: str | None, text: str) -> Message.ToolResult:
    """A tool result of one plain text; the id is known to be a string, the name to be that of a tool."""
    said = _new(_TEXT)
    _set_text(said, text)
    _set_extras(said, NO_EXTRAS)
    result = _new(_RESULT)
    _set_id(result, id_)
    _set_tool(result, tool)
    _set_contents(result, (said,))
    _set_outcome(result, OK)
    _set_result_extras(result, NO_EXTRAS)
    return result


def plain_request(id_: str, name: str, arguments: str, extras: Extras = NO_EXTRAS) -> Content.ToolRequest:
    """A tool request of fields that are known to be right: a name that is one, arguments that are the text of a document."""
    document = _new(Json)
    _set_json_text(document, arguments)
    known = _new(_PARSED)
    _set_json(known, document)
    request = _new(_REQUEST)
    _set_call_id(request, id_)
    _set_name(request, name)
    _set_arguments(request, known)
    _set_call_extras(request, extras)
    return request


_set_call_id, _set_name, _set_arguments, _set_call_extras = (
    getattr(Content.ToolRequest, name).__set__ for name in ("id", "name", "arguments", "extras")
)
_set_id, _set_tool, _set_contents, _set_outcome, _set_result_extras = (
    getattr(Message.ToolResult, name).__set__ for name in ("id", "tool", "contents", "outcome", "extras")
)


def at(path: str, read: Callable[[Any], T], value: Any) -> T:
    """Read a value; the paths of its problems begin with `path`."""
    try:
        return read(value)
    except Unexpected as error:
        raise error.under(path) from None


def noted(word: T, dialect: str, note: str, value: object) -> T:
    """A word that has extras, with a note of `dialect` on how it was spelt."""
    extras: Extras = cast("Any", word).extras
    if extras is NO_EXTRAS and value is True:
        return changed(word, "extras", _marked(dialect, note))
    return changed(word, "extras", extras.having(dialect, {note: value}))


@cache
def _marked(dialect: str, note: str) -> Extras:
    """Extras that say one thing of a word: most notes are of that kind, and few."""
    return NO_EXTRAS.having(dialect, {note: True})


# --- leaves --------------------------------------------------------------------------------------------------------------------


def tool_name(value: Any) -> str:
    """Read the name of a tool: a string that is not blank."""
    if value.__class__ is not str or not value or value.isspace():
        raise Unexpected.of("the name of a tool", value)
    return str(value)


QUICK[tool_name] = "{0}.__class__ is str and {0} and not {0}.isspace()"


def base64(value: Any) -> str:
    """Read padded standard base64, checked and not decoded."""
    try:
        return check_base64(string(value))
    except ValueError as error:
        raise Unexpected(Problem("", "base64", str(error))) from None


def strings(value: Any) -> Any:
    """Read a list of strings; an empty one says nothing."""
    return each(string, value) if value != [] else UNKNOWN


def unread(*keys: str) -> Wire:
    """Keys that are read elsewhere, whatever they hold."""
    return Wire(read=_nothing, always=keys)


def _nothing(_: Any) -> None:
    return None


def arguments_of(value: Any) -> Arguments.T:
    """Read tool arguments that stand as JSON text. A text that is no JSON is kept as it is."""
    if value.__class__ is not str:
        raise Unexpected.of("a string of JSON", value)
    try:
        orjson.loads(value)
    except orjson.JSONDecodeError:
        return arguments_of_text(value)
    document = _new(Json)
    _set_json_text(document, value)
    return parsed(document)


def parsed(document: Json) -> Arguments.Parsed:
    """The arguments that a document is, without a check of what is known."""
    arguments = _new(_PARSED)
    _set_json(arguments, document)
    return arguments


_set_json_text: Final = cast("Any", Json).text.__set__
_set_json: Final = cast("Any", Arguments.Parsed).json.__set__
