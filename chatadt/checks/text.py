"""What texts may hold: something besides white space, no white space where a model is to go on.

Rules E1 to E4 (router-for-me/CLIProxyAPI#1292 for empty texts, anthropics/anthropic-sdk-python#461, BerriAI/litellm#29078,
boto/botocore#3525), and the second half of R5 (langchain-ai/langchain#35071).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeGuard, cast

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._said import Medium, Spoken, comes_from_assistant
from chatadt.checks._turns import comes_across, last_said
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._dialect import Rules, Says
from chatadt.error import Violation
from chatadt.json import NO_EXTRAS, Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("BLANK_TEXT", "FILLER", "SILENT", "TRAILING_SPACE", "holds_nothing", "is_blank", "with_contents")

FILLER = "."
"""What an invented text says where one must stand: blank text would be refused again."""


# --- blank texts ---------------------------------------------------------------------------------------------------------------


def _find_blank(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        if not message.contents and not isinstance(message, Message.ToolResult) and not _may_be_empty(server.rules):
            fix = "give it an empty text" if server.rules.blank_text else "leave the message out"
            yield Violation("blank-text", f"$.messages[{index}]", "a message without contents is not taken", fix)
        elif not message.contents and isinstance(message, Message.ToolResult) and not server.rules.empty_result:
            yield Violation("blank-text", f"$.messages[{index}]", "a tool result without contents is not taken", "give it a text")
        for position, content in enumerate(message.contents):
            if isinstance(content, Medium) and _is_refused(content, message, server.rules):
                path, fix = f"$.messages[{index}].contents[{position}].resource", "leave it out"
                yield Violation("blank-text", path, f"{_named(content)} that holds nothing is not taken", fix)
            elif _is_refused(content, message, server.rules):
                path = f"$.messages[{index}].contents[{position}].text"
                kind = "an empty text" if server.rules.white_space else "a text of nothing but white space"
                yield Violation("blank-text", path, f"{kind} is not taken", "leave it out")


def _may_be_empty(rules: Rules) -> bool:
    return rules.blank_text and rules.no_contents


def _named(medium: Medium) -> str:
    return f"{'an' if isinstance(medium, Content.Image | Content.Audio) else 'a'} {type(medium).__name__.lower()}"


def holds_nothing(medium: Medium, rules: Rules) -> bool:
    """Whether a medium by value has no byte; or is a text of white space, where a blank text is refused."""
    resource = medium.resource
    if not isinstance(resource, Resource.Binary):
        return False
    if not resource.content:
        return True
    if rules.blank_text or rules.white_space or not isinstance(medium, Content.File) or resource.content[0] not in "CDI":
        return False  # of which one is the first character of what begins with white space, in base64
    return (resource.mime_type or "").startswith("text/") and resource.bytes.isspace()


def _is_refused(content: Content.T, message: Spoken, rules: Rules) -> bool:
    if isinstance(content, Medium):
        return holds_nothing(content, rules)
    text = None if rules.blank_text else _text_of(content, rules)
    if text is None or (text and (rules.white_space or not text.isspace())):
        return False
    return not (rules.blank_beside_calls and isinstance(message, Message.Assistant) and message.tool_requests)


def _text_of(content: Content.T, rules: Rules) -> str | None:
    """What a server gets as a text: a text, and a refusal where it has no shape of its own for that."""
    return content.text if _is_text(content, rules) else None


def _is_text(content: Content.T, rules: Rules) -> TypeGuard[Content.Text | Content.Refusal]:
    return isinstance(content, Content.Text) or (isinstance(content, Content.Refusal) and _refuses_in_text(rules))


def _refuses_in_text(rules: Rules) -> bool:
    """Whether a refusal stands as text."""
    return any(known.kind == "refusal" and known.assistant is Says.DEGRADED for known in rules.capabilities)


def is_blank(content: Content.T) -> bool:
    """Whether a content is a text that says nothing."""
    return isinstance(content, Content.Text | Content.Refusal) and (not content.text or content.text.isspace())


def _mend_blank(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    if next(_find_blank(request, server), None) is None:
        return Converted(request)
    messages: list[Message.T] = []
    losses: list[Loss] = []
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            messages.append(message)
            continue
        kept = tuple(content for content in message.contents if not _is_refused(content, message, server.rules))
        for position, content in enumerate(message.contents):
            if isinstance(content, Medium) and _is_refused(content, message, server.rules):
                path, reason = f"$.messages[{index}].contents[{position}]", "it holds nothing"
                losses.append(Loss(path, _named(content), Action.DROPPED, document(content), reason, Weight.DETAIL))
            elif _is_text(content, server.rules) and _is_refused(content, message, server.rules):
                losses.append(_blank(content, f"$.messages[{index}].contents[{position}]"))
        if isinstance(message, Message.ToolResult) and not kept and not server.rules.empty_result:
            messages.append(evolve(message, contents=(FILLER,)))
            reason = "a tool result without contents is not taken"
            losses.append(Loss(f"$.messages[{index}]", "a text", Action.INVENTED, None, reason, Weight.DETAIL))
        elif not kept and not isinstance(message, Message.ToolResult) and server.rules.blank_text and not server.rules.no_contents:
            messages.append(with_contents(message, (Content.Text(""),)))
            reason = "a message without contents is not taken"
            losses.append(Loss(f"$.messages[{index}]", "a text", Action.INVENTED, None, reason, Weight.DETAIL))
        elif kept or isinstance(message, Message.ToolResult) or _may_be_empty(server.rules):
            messages.append(message if len(kept) == len(message.contents) else with_contents(message, kept))
        elif not message.contents or evolve(message, contents=()) != type(message)(()):
            reason = "a message without contents is not taken"
            emptied = document(with_contents(message, ()))
            losses.append(Loss(f"$.messages[{index}]", "an empty message", Action.DROPPED, emptied, reason, Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses))


def _blank(content: Content.Text | Content.Refusal, path: str) -> Loss:
    original = Json.of(content.text) if content.extras is NO_EXTRAS else document(content)
    what = "a blank text" if isinstance(content, Content.Text) else "a blank refusal"
    return Loss(path, what, Action.DROPPED, original, "blank text is not taken", Weight.DETAIL)


def with_contents(message: Spoken, contents: tuple[Content.T, ...]) -> Spoken:
    """The message with other contents, of the kinds that it had."""
    return evolve(message, contents=cast("Any", contents))


# --- an assistant that says nothing --------------------------------------------------------------------------------------------


def _silent(request: ChatRequest, server: Server) -> Iterator[tuple[int, Message.Assistant]]:
    for index, message in enumerate(() if server.rules.empty_assistant else request.messages):
        if isinstance(message, Message.Assistant) and _is_silent(message, server.rules):
            yield index, message


def _is_silent(message: Message.Assistant, rules: Rules) -> bool:
    return all(_says_nothing(content, rules) for content in message.contents)


def _says_nothing(content: Content.T, rules: Rules) -> bool:
    """Whether nothing can be read in a content; reasoning without a text is what another provider hid."""
    if isinstance(content, Content.Reasoning):
        return not content.text
    return _is_text(content, rules) and is_blank(content)


def _hushed(request: ChatRequest, server: Server) -> Iterator[tuple[int, int, Content.Text | Content.Refusal]]:
    """The blank texts of an assistant whose other contents do not come across: without these nothing is said."""
    for index, message in enumerate(() if server.rules.empty_assistant else request.messages):
        if isinstance(message, Message.Assistant) and _is_hushed(message, server):
            for position, content in enumerate(message.contents):
                if _is_text(content, server.rules):
                    yield index, position, content


def _is_hushed(message: Message.Assistant, server: Server) -> bool:
    rules = server.rules
    says_nothing_here = all(_says_nothing(content, rules) or _is_foreign(content, server) for content in message.contents)
    return says_nothing_here and not _is_silent(message, rules)


def _is_foreign(content: Content.T, server: Server) -> bool:
    if isinstance(content, Medium):
        return not comes_from_assistant(content, server.rules)
    return isinstance(content, Content.Custom) and content.dialect != server.dialect.name


def _find_silent(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, position, _ in _hushed(request, server):
        what = "a blank text, and nothing beside it that can be said"
        yield Violation("empty-assistant", f"$.messages[{index}].contents[{position}]", what, "leave the text out")
    for index, _ in _silent(request, server):
        what = "an assistant message with neither contents nor tool requests"
        yield Violation("empty-assistant", f"$.messages[{index}]", what, "leave the message out")


def _mend_silent(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    hushed = list(_hushed(request, server))
    if hushed:
        quiet = _mend_silent(_without(request, hushed), server)
        blanks = (_blank(text, f"$.messages[{index}].contents[{position}]") for index, position, text in hushed)
        return Converted(quiet.value, (*blanks, *quiet.losses))
    silent = dict(_silent(request, server))
    if not silent:
        return Converted(request)
    reason = "an assistant message without contents and tool requests is not taken"
    losses = tuple(
        Loss(f"$.messages[{index}]", "an empty message", Action.DROPPED, document(message), reason, Weight.DETAIL)
        for index, message in silent.items()
    )
    kept = (message for index, message in enumerate(request.messages) if index not in silent)
    return Converted(evolve(request, messages=kept), losses)


def _without(request: ChatRequest, texts: list[tuple[int, int, Content.Text | Content.Refusal]]) -> ChatRequest:
    gone = {(index, position) for index, position, _ in texts}
    messages = [
        message
        if isinstance(message, Message.Custom) or not any(index == at for at, _ in gone)
        else with_contents(
            message, tuple(content for position, content in enumerate(message.contents) if (index, position) not in gone)
        )
        for index, message in enumerate(request.messages)
    ]
    return evolve(request, messages=messages)


# --- white space at the end ----------------------------------------------------------------------------------------------------


def _trailing(request: ChatRequest, server: Server) -> tuple[int, int, Content.Text | Content.Refusal] | None:
    """The text that ends the conversation in white space, the index of its message, and its place there."""
    index = None if server.rules.trailing_space else last_said(request.messages, server)
    last = None if index is None else request.messages[index]
    if index is None or not isinstance(last, Message.Assistant) or not last.contents:
        return None
    said = (place for place in reversed(range(len(last.contents))) if comes_across(last.contents[place], server))
    position = next(said, len(last.contents) - 1)
    text = last.contents[position]
    if not _is_text(text, server.rules) or not text.text[-1:].isspace():
        return None
    return index, position, text


def _find_trailing(request: ChatRequest, server: Server) -> Iterator[Violation]:
    found = _trailing(request, server)
    if found is not None:
        what = "the assistant text that the model is to go on with ends in white space"
        path = f"$.messages[{found[0]}].contents[{found[1]}].text"
        yield Violation("trailing-space", path, what, "leave the white space out")


def _mend_trailing(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    found = _trailing(request, server)
    if found is None:
        return Converted(request)
    index, position, text = found
    last = request.messages[index]
    if isinstance(last, Message.Custom):
        return Converted(request)
    stripped = evolve(text, text=text.text.rstrip())
    ended = with_contents(last, (*last.contents[:position], stripped, *last.contents[position + 1 :]))
    path = f"$.messages[{index}].contents[{position}].text"
    reason = "the text that the model is to go on with must not end in white space"
    loss = Loss(path, "white space", Action.REWRITTEN, Json.of(text.text), reason, Weight.DETAIL)
    messages = (*request.messages[:index], ended, *request.messages[index + 1 :])
    return Converted(evolve(request, messages=messages), (loss,))


SILENT = Rule("empty-assistant", True, _find_silent, _mend_silent)
BLANK_TEXT = Rule("blank-text", True, _find_blank, _mend_blank)
TRAILING_SPACE = Rule("trailing-space", True, _find_trailing, _mend_trailing)
