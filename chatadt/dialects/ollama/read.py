"""Ollama JSON -> the words: the shape of the JSON picks the case, the codec fills it, what is left over goes to the extras.

The text of a message is one string, its images stand beside it. An empty string beside anything else says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never, cast

from chatadt._hooks import structuring
from chatadt._wire import each, string
from chatadt.content import Content
from chatadt.dialects._calls import name_results
from chatadt.dialects._codec import T, at, base64, noted, plain_text, reading
from chatadt.dialects._openai_like.read import by_role, request_reader
from chatadt.dialects.ollama.codec import CODEC, NAME, register_messages
from chatadt.dialects.ollama.params import read_params
from chatadt.dialects.ollama.plain import plain_messages
from chatadt.dialects.ollama.rules import RULES
from chatadt.dialects.ollama.ties import Ties
from chatadt.error import Unexpected
from chatadt.json import NO_EXTRAS, Extras
from chatadt.message import Message
from chatadt.resource import Resource, sniff_base64

__all__ = ("read_answer", "read_call", "read_request")


# --- messages ------------------------------------------------------------------------------------------------------------------


def _messages(value: Any) -> tuple[Message.T, ...]:
    plain = plain_messages(value, _BY_ROLE)
    return name_results(tuple(_tied(each(_message, value)))) if plain is None else plain


def _tied(messages: tuple[Message.T, ...]) -> Iterator[Message.T]:
    """The messages with an id for each call and each result."""
    ties = Ties()
    for message in messages:
        match message:
            case Message.Assistant():
                ties.turn()
                for content in message.contents:
                    if isinstance(content, Content.ToolRequest):
                        _set_call_id(content, ties.ask(content.name, content.id))  # nobody has seen it yet
                yield message
            case Message.ToolResult():
                _set_result_id(message, ties.answer(message.tool, message.id))
                yield message
            case Message.System() | Message.User() | Message.Custom():
                yield message
            case _:
                assert_never(message)


_set_call_id: Final = cast("Any", Content.ToolRequest).id.__set__
_set_result_id: Final = cast("Any", Message.ToolResult).id.__set__


def _tool(value: Any) -> Message.T:
    """A tool result; notes say whether it named its call and its tool."""
    message = _read_tool(value)
    if message.id:
        message = _noted(message, "$id", True)
    return _noted(message, "$unnamed", True) if message.tool is None else message


# --- contents ------------------------------------------------------------------------------------------------------------------


def _system_contents(value: dict[str, Any]) -> tuple[tuple[Content.Text, ...], int]:
    return _words(value, is_alone=True)


def _inputs(value: dict[str, Any]) -> tuple[tuple[Content.Input, ...], int]:
    if "images" not in value:
        return _words(value, is_alone=True)
    images: Any = value.get("images")
    media = () if images is None else at(".images", lambda items: each(_medium, items), images)
    text, used = _words(value, is_alone=not media)
    return (*text, *media), used + bool(media)


def _outputs(value: dict[str, Any]) -> tuple[tuple[Content.Output, ...], int]:
    calls: Any = value.get("tool_calls")
    if calls is None and "thinking" not in value:
        return _words(value, is_alone=True)
    asked = () if calls is None else at(".tool_calls", lambda items: each(read_call, items), calls)
    thinking: Any = value.get("thinking")
    thought = () if thinking is None else (_thought(at(".thinking", string, thinking)),)
    text, used = _words(value, is_alone=not (asked or thought))
    return (*thought, *text, *asked), used + bool(asked) + bool(thought)


def _thought(text: str) -> Content.Reasoning:
    return Content.Reasoning(text) if text else Content.Reasoning(text, Extras({NAME: {"$empty": True}}))


def _words(value: dict[str, Any], *, is_alone: bool) -> tuple[tuple[Content.Text, ...], int]:
    """The text of a message, and whether there is any."""
    content: Any = value.get("content")
    if content is None:
        return (), 0
    text = content if content.__class__ is str else at(".content", string, content)
    return (() if not text and not is_alone else (plain_text(text),)), 1


def _medium(value: Any) -> Content.Image | Content.Audio | Content.PDF:
    """An image, or what else stands among the images: the first bytes say which. What is not taken is noted, and goes back."""
    content = base64(value)
    kind = sniff_base64(content)
    if kind is not None and kind.startswith("audio/"):
        return Content.Audio(Resource.Binary.trusted(content, kind, NO_EXTRAS))
    is_image = kind is None or kind in RULES.media_types["image"]
    resource = Resource.Binary.trusted(content, kind, NO_EXTRAS if is_image else Extras({NAME: {"$own": True}}))
    return Content.PDF(resource) if kind == "application/pdf" else Content.Image(resource)


def read_call(value: Any) -> Content.ToolRequest:
    """A tool call; notes say whether it had an id, an index and arguments."""
    if value.__class__ is not dict:
        raise Unexpected.of("a tool call, which is an object", value)
    match value:
        case {"function": {"index": index, **function}}:
            request = _noted(_read_call({**value, "function": function}), "$index", index)
        case _:
            request = _read_call(value)
    if request.id:
        request = _noted(request, "$id", True)
    return request if value["function"].get("arguments") is not None else _noted(request, "$bare", True)


# --- hooks ---------------------------------------------------------------------------------------------------------------------


def _noted(word: T, note: str, value: object) -> T:
    return noted(word, NAME, note, value)


register_messages(
    {Message.System: _system_contents, Message.User: _inputs, Message.Assistant: _outputs, Message.ToolResult: _inputs}
)

_read_call: Final = structuring(CODEC, Content.ToolRequest)
_read_assistant: Final = structuring(CODEC, Message.Assistant)
_read_tool: Final = structuring(CODEC, Message.ToolResult)
_BY_ROLE: Final[Mapping[Any, Callable[[Any], Message.T]]] = {
    "user": structuring(CODEC, Message.User),
    "assistant": _read_assistant,
    "tool": _tool,
    "system": structuring(CODEC, Message.System),
}
_message: Final = by_role(NAME, _BY_ROLE)


def read_answer(value: Any) -> Message.Assistant:
    """The message of an answer, with an id for each call; raises `Unexpected`."""
    (message,) = _tied((_read_assistant(value),))
    return cast("Message.Assistant", message)


read_request: Final = reading(NAME, request_reader(_messages, read_params))
"""Read a request body. Answers `Unreadable` with the path of each problem; never raises."""
