"""Documents: how they are named, and the text that must stand beside them.

Rules E5 and M5 (archestra-ai/archestra#4220, aws-samples/generative-ai-use-cases#1685, the service model of bedrock-runtime).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks.media import is_said
from chatadt.checks.spelling import respelt
from chatadt.checks.text import FILLER, is_blank, with_contents
from chatadt.content import Content
from chatadt.dialects._dialect import Rules
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message

__all__ = ("DOCUMENT_NAMES", "DOCUMENT_TEXT")

Document = Content.PDF | Content.File


def _documents(request: ChatRequest, rules: Rules) -> Iterator[tuple[int, int, Content.PDF | Content.File]]:
    """Each document that comes across, with the indices of its message and its content."""
    for index, message in enumerate(request.messages):
        if not isinstance(message, Message.Custom):
            for position, content in enumerate(message.contents):
                if isinstance(content, Document) and is_said(content, message, rules):
                    yield index, position, content


# --- names ---------------------------------------------------------------------------------------------------------------------


def _misnamed(request: ChatRequest, rules: Rules) -> Iterator[tuple[int, int, Content.PDF | Content.File]]:
    """The documents that have no name, one that is not taken, or one that an earlier document has."""
    spelling = rules.document_name
    seen: set[str] = set()
    for index, position, content in () if spelling is None else _documents(request, rules):
        if spelling is not None and (content.name is None or content.name in seen or not spelling.allows(content.name)):
            yield index, position, content
        else:
            seen.add(content.name or "")


def _find_names(request: ChatRequest, server: Server) -> Iterator[Violation]:
    spelling = server.rules.document_name
    for index, position, content in _misnamed(request, server.rules):
        what = "a document without a name" if content.name is None else f"document name {content.name[:80]!r} is not taken here"
        fix = f"give it a name of its own, spelt as {spelling.pattern.pattern}" if spelling else "give it a name"
        yield Violation("document-name", f"$.messages[{index}].contents[{position}].name", what, fix)


def _mend_names(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    spelling = server.rules.document_name
    misnamed = list(_misnamed(request, server.rules))
    if spelling is None or not misnamed:
        return Converted(request)
    names = (content.name for _, _, content in _documents(request, server.rules))
    taken = {name for name in names if name is not None and spelling.allows(name)}
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, position, content in misnamed:
        name = _free_name(content.name or "document", taken, server.rules)
        taken.add(name)
        path = f"$.messages[{index}].contents[{position}].name"
        if content.name is None:
            reason = "a document must have a name"
            losses.append(Loss(path, "name of a document", Action.INVENTED, None, reason, Weight.DETAIL))
        else:
            reason = f"the name is not taken here, or stands twice; now it is {name}"
            losses.append(Loss(path, "name of a document", Action.REWRITTEN, Json.of(content.name), reason, Weight.DETAIL))
        message = messages[index]
        if not isinstance(message, Message.Custom):
            renamed = evolve(content, name=name)
            messages[index] = with_contents(message, (*message.contents[:position], renamed, *message.contents[position + 1 :]))
    return Converted(evolve(request, messages=messages), tuple(losses))


def _free_name(name: str, taken: set[str], rules: Rules) -> str:
    """A name close to `name`: numbered where it stands twice, derived where even that is not allowed."""
    spelling = rules.document_name
    if spelling is None:
        return name
    plain = respelt(name, spelling, ())
    numbered = (plain if number == 1 else f"{plain[: spelling.longest - 8]} {number}" for number in range(1, len(taken) + 2))
    return next((each for each in numbered if each not in taken and spelling.allows(each)), None) or respelt(name, spelling, taken)


# --- the text beside them ------------------------------------------------------------------------------------------------------


def _bare(request: ChatRequest, rules: Rules) -> Iterator[int]:
    """The last user message of each turn that has a document and no text."""
    if not rules.document_needs_text:
        return
    last: int | None = None
    has_document = has_text = False
    for index, message in enumerate((*request.messages, None)):
        goes_on = rules.merges_turns and isinstance(message, Message.User | Message.ToolResult)
        if last is not None and not goes_on:
            if has_document and not has_text:
                yield last
            last, has_document, has_text = None, False, False
        if isinstance(message, Message.User):
            documents = any(isinstance(content, Document) and is_said(content, message, rules) for content in message.contents)
            last = index if documents or last is None else last
            has_document = has_document or documents
            has_text = has_text or any(isinstance(content, Content.Text) and not is_blank(content) for content in message.contents)


def _find_bare(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index in _bare(request, server.rules):
        what = "a document without a text beside it"
        yield Violation("document-needs-text", f"$.messages[{index}]", what, "say in a text what is to be done with it")


def _mend_bare(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    messages = list(request.messages)
    losses: list[Loss] = []
    for index in _bare(request, server.rules):
        message = messages[index]
        if isinstance(message, Message.User):
            messages[index] = with_contents(message, (*message.contents, Content.Text(FILLER)))
            path = f"$.messages[{index}].contents[{len(message.contents)}]"
            losses.append(Loss(path, "a text", Action.INVENTED, None, "a document must have a text beside it", Weight.DETAIL))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


DOCUMENT_NAMES = Rule("document-name", True, _find_names, _mend_names)
DOCUMENT_TEXT = Rule("document-needs-text", True, _find_bare, _mend_bare)
