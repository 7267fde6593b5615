"""What texts may hold: something besides white space, and no half of a surrogate pair.

Rules E1 to E4 (anthropics/anthropic-sdk-python#461, BerriAI/litellm#29078) and U (anomalyco/opencode#14630).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never, cast

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.content import Arguments, Content
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("BLANK_TEXT", "SURROGATES", "is_whole")

Spoken: TypeAlias = Message.System | Message.User | Message.Assistant | Message.ToolResult


def _find_blank(request: ChatRequest, server: Server) -> Iterator[Violation]:
    if server.dialect.rules.blank_text:
        return
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        if not message.contents and not isinstance(message, Message.ToolResult):
            fix = "leave the message out"
            yield Violation("blank-text", f"$.messages[{index}]", "a message without contents is not taken", fix)
        for position, content in enumerate(message.contents):
            if _is_blank(content):
                path = f"$.messages[{index}].contents[{position}].text"
                yield Violation("blank-text", path, "a text of nothing but white space is not taken", "leave it out")


def _is_blank(content: Content.T) -> bool:
    return isinstance(content, Content.Text) and (not content.text or content.text.isspace())


def _mend_blank(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_blank(request, server), None) is None:
        return Converted(request)
    messages: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            messages.append(message)
            continue
        kept = tuple(content for content in message.contents if not _is_blank(content))
        for position, content in enumerate(message.contents):
            if isinstance(content, Content.Text) and _is_blank(content):
                path = f"$.messages[{index}].contents[{position}]"
                losses.append(
                    Loss(path, "a blank text", Action.DROPPED, Json.of(content.text), "blank text is not taken", Weight.DETAIL)
                )
        if kept or isinstance(message, Message.ToolResult):
            messages.append(message if len(kept) == len(message.contents) else _with(message, kept))
        elif not message.contents:
            reason = "a message without contents is not taken"
            losses.append(Loss(f"$.messages[{index}]", "an empty message", Action.DROPPED, None, reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses))


def _with(message: Spoken, contents: tuple[Content.T, ...]) -> Spoken:
    return evolve(message, contents=cast("Any", contents))


# --- surrogates ----------------------------------------------------------------------------------------------------------------


def _find_surrogates(request: ChatRequest, server: Server) -> Iterator[Violation]:
    del server  # JSON on the wire is UTF-8 for all of them
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        for position, content in enumerate(message.contents):
            if _has_surrogate(content):
                path = f"$.messages[{index}].contents[{position}]"
                yield Violation("lone-surrogate", path, "half of a surrogate pair cannot be sent as UTF-8", "replace it by U+FFFD")


def _has_surrogate(content: Content.T) -> bool:
    match content:
        case Content.Text(text=text) | Content.Reasoning(text=text) | Content.Refusal(text=text):
            return not text.isascii() and not is_whole(text)
        case Content.ToolRequest():
            match content.arguments:
                case Arguments.Parsed(json=document):
                    return _is_broken(document)
                case Arguments.Malformed(text=text):
                    return not is_whole(text)
                case _:
                    assert_never(content.arguments)
        case Content.Custom(value=document):
            return _is_broken(document)
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return False
        case _:
            assert_never(content)


def _is_broken(document: Json) -> bool:
    """Whether a document holds half of a pair, which stands in its text as an escape."""
    return "\\ud" in document.text.lower() and not is_whole(_strings(document.value))


def _strings(value: object) -> str:
    """All strings of plain JSON, keys too, one behind the other."""
    match value:
        case str():
            return value
        case list():
            return "".join(map(_strings, cast("list[object]", value)))
        case dict():
            return "".join(key + _strings(item) for key, item in cast("dict[str, object]", value).items())
        case _:
            return ""


def is_whole(text: str) -> bool:
    """Whether a text can be sent as UTF-8: it holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _mend_surrogates(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    losses: list[Loss] = []
    messages = list(request.messages)
    for violation in _find_surrogates(request, server):
        reason = "half of a surrogate pair cannot be sent: U+FFFD stands for it"
        losses.append(Loss(violation.path, "a lone surrogate", Action.REWRITTEN, None, reason, Weight.DETAIL))
    if not losses:
        return Converted(request)
    for index, message in enumerate(messages):
        if not isinstance(message, Message.Custom) and any(_has_surrogate(content) for content in message.contents):
            messages[index] = _with(message, tuple(_whole(content) for content in message.contents))
    return Converted(evolve(request, messages=messages), tuple(losses))


def _whole(content: Content.T) -> Content.T:
    if not _has_surrogate(content):
        return content
    match content:
        case Content.Text() | Content.Reasoning() | Content.Refusal():
            return evolve(content, text=_replaced(content.text))
        case Content.ToolRequest():
            match content.arguments:
                case Arguments.Parsed(json=document):
                    return evolve(content, arguments=Arguments.Parsed(Json.of(_replaced_in(document.value))))
                case Arguments.Malformed(text=text, why=why):
                    return evolve(content, arguments=Arguments.Malformed(_replaced(text), why))
                case _:
                    assert_never(content.arguments)
        case Content.Custom():
            return evolve(content, value=Json.of(_replaced_in(content.value.value)))
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content
        case _:
            assert_never(content)


def _replaced(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _replaced_in(value: Any) -> Any:
    if isinstance(value, str):
        return _replaced(value)
    if isinstance(value, list):
        items: list[Any] = value
        return [_replaced_in(item) for item in items]
    if isinstance(value, dict):
        return {_replaced(key): _replaced_in(item) for key, item in cast("dict[str, Any]", value).items()}
    return value


BLANK_TEXT = Rule("blank-text", True, _find_blank, _mend_blank)
SURROGATES = Rule("lone-surrogate", True, _find_surrogates, _mend_surrogates)
