"""Media: which kinds a server takes from whom, and of what media types.

Rules M1 to M3, M5 and M6 (home-assistant/core#167208 for bytes and media types, OpenHands/OpenHands#7700,
NousResearch/hermes-agent#55432, anthropics' vision guide, the service model of bedrock-runtime,
aws-samples/generative-ai-use-cases#1685).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias, assert_never

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._said import Medium, Spoken, capability, medium_kind, says
from chatadt.checks.text import with_contents
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._dialect import Rules, Says
from chatadt.dialects._media import media_type
from chatadt.error import Severity, Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource, sniff_base64

__all__ = (
    "LABELS",
    "MEDIA",
    "Fault",
    "Faults",
    "dropping",
    "each_medium",
    "is_plain",
    "is_said",
    "media",
    "mislabelled",
)

Fault: TypeAlias = "tuple[str, str]"
"""What is wrong with a medium, and what would make it right."""


def media(request: ChatRequest) -> Iterator[tuple[int, int, Spoken, Medium]]:
    """Each medium of a conversation, with the indices of its message and its content."""
    for index, message in enumerate(request.messages):
        if isinstance(message, Message.Custom):
            continue
        for position, content in enumerate(message.contents):
            if isinstance(content, Medium):
                yield index, position, message, content


# --- kinds and media types -----------------------------------------------------------------------------------------------------


def _unsaid(medium: Medium, speaker: Spoken, rules: Rules) -> Fault | None:
    """Why a speaker cannot show a medium at all. What a dialect says in another shape is its writer's business."""
    known = capability(medium, rules)
    how_well = Says.DEGRADED if known is None else says(known, speaker)
    match how_well:
        case Says.NO:
            where = f"{known.kind if known else 'a medium'} is not taken from {_SPEAKERS[type(speaker)]}"
            return where, f"leave it out, or say it in another way{f': {known.how}' if known and known.how else ''}"
        case Says.NATIVE:
            return _mistyped(medium, rules)
        case Says.DEGRADED:
            return _unwritable(medium, rules)
        case _:
            assert_never(how_well)


def is_said(medium: Medium, speaker: Spoken, rules: Rules) -> bool:
    """Whether anything of a medium comes across: else there is no sense in what else is wanted of it."""
    return _unsaid(medium, speaker, rules) is None


def _unwritable(medium: Medium, rules: Rules) -> Fault | None:
    if rules.says_document is None or not isinstance(medium, Content.PDF | Content.File) or rules.says_document(medium):
        return None
    return "a document of this type, or at this address, is not taken", "give it by value, of a type that is taken"


_SPEAKERS: Final[Mapping[type, str]] = {
    Message.System: "a system message",
    Message.User: "a user",
    Message.Assistant: "an assistant",
    Message.ToolResult: "a tool result",
}


def _mistyped(medium: Medium, rules: Rules) -> Fault | None:
    taken = rules.media_types.get(medium_kind(medium))
    if taken is None or isinstance(medium.resource, Resource.Ref):
        return None
    shown = sniff_base64(medium.resource.content) if rules.untyped else None
    kind = shown or media_type(medium.resource)
    if kind is None or kind in taken:
        return None
    return f"{medium_kind(medium)} of type {kind} is not taken", f"give it as {', '.join(sorted(taken))}"


# --- what the bytes show -------------------------------------------------------------------------------------------------------


def mislabelled(medium: Medium, rules: Rules) -> str | None:
    """The media type that the bytes of an image show, where it is given as another one."""
    if not rules.checks_bytes or not isinstance(medium, Content.Image) or not isinstance(medium.resource, Resource.Binary):
        return None
    if medium.resource.mime_type is None:
        return None
    shown = sniff_base64(medium.resource.content)
    return shown if shown is not None and shown != media_type(medium.resource) else None


def _find_labels(request: ChatRequest, server: Server) -> Iterator[Violation]:
    for index, position, _, medium in media(request) if server.rules.checks_bytes else ():
        shown = mislabelled(medium, server.rules)
        if shown is not None and isinstance(medium.resource, Resource.Binary):
            path = f"$.messages[{index}].contents[{position}].resource.mime_type"
            what = f"an image given as {medium.resource.mime_type}, and its bytes are those of {shown}"
            is_image = shown in server.rules.media_types.get("image", (shown,))
            yield Violation("media-type", path, what, f"give it as {shown}" if is_image else "give an image")


def _mend_labels(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, position, _, medium in media(request) if server.rules.checks_bytes else ():
        shown, message = mislabelled(medium, server.rules), messages[index]
        if shown is None or not isinstance(medium.resource, Resource.Binary) or isinstance(message, Message.Custom):
            continue
        path = f"$.messages[{index}].contents[{position}].resource.mime_type"
        said, reason = Json.of(medium.resource.mime_type), f"the bytes are those of {shown}"
        losses.append(Loss(path, "the media type of an image", Action.REWRITTEN, said, reason, Weight.DETAIL))
        labelled = evolve(medium, resource=evolve(medium.resource, mime_type=shown))
        messages[index] = with_contents(message, (*message.contents[:position], labelled, *message.contents[position + 1 :]))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


# --- rules about one medium, and about all of a kind ---------------------------------------------------------------------------


Faults: TypeAlias = Callable[[ChatRequest, Server], "dict[tuple[int, int], Fault]"]
"""What is wrong with the media of a request, by the indices of a message and a content."""


def each_medium(judge: Callable[[Medium, Spoken, Rules], Fault | None]) -> Faults:
    """What is wrong with each medium by itself, as `judge` finds it."""

    def faults(request: ChatRequest, server: Server) -> dict[tuple[int, int], Fault]:
        judged = ((index, position, judge(medium, message, server.rules)) for index, position, message, medium in media(request))
        return {(index, position): fault for index, position, fault in judged if fault is not None}

    return faults


def dropping(name: str, faults: Faults, *, certain: bool, written: bool = False) -> Rule:
    """The rule that what `faults` finds must go: its place in the conversation, and what is wrong with it."""

    def find(request: ChatRequest, server: Server) -> Iterator[Violation]:
        severity = Severity.ERROR if certain else Severity.WARNING
        for (index, position), (what, fix) in faults(request, server).items():
            yield Violation(name, f"$.messages[{index}].contents[{position}]", what, fix, severity)

    def mend(request: ChatRequest, server: Server) -> Converted[ChatRequest]:
        found = faults(request, server)
        return _without(request, found) if found else Converted(request)

    return Rule(name, False, find, mend, certain=certain, written=written)


def _without(request: ChatRequest, found: Mapping[tuple[int, int], Fault]) -> Converted[ChatRequest]:
    """The request without the contents at some places; a message that would be empty says what is gone."""
    messages: list[Message.T] = list(request.messages)
    losses: list[Loss] = []
    for index in dict.fromkeys(index for index, _ in found):
        message = messages[index]
        if isinstance(message, Message.Custom):
            continue
        gone = [position for at, position in found if at == index]
        for position in gone:
            content = message.contents[position]
            what = type(content).__name__.lower()
            path = f"$.messages[{index}].contents[{position}]"
            losses.append(Loss(path, what, Action.DROPPED, document(content), found[index, position][0], Weight.CONTENT))
        kept = tuple(content for position, content in enumerate(message.contents) if position not in gone)
        if not kept:
            kinds = " and ".join(sorted({type(message.contents[position]).__name__.lower() for position in gone}))
            kept = (Content.Text(f"[{kinds} omitted]"),)
            reason = "nothing else of the message is left, and it must not be empty"
            losses.append(Loss(f"$.messages[{index}]", "a text", Action.INVENTED, None, reason, Weight.DETAIL))
        messages[index] = with_contents(message, kept)
    return Converted(evolve(request, messages=messages), tuple(losses))


_each_unsaid: Final = each_medium(_unsaid)
_PLACE: Final = re.compile(r"\$\.messages\[(\d+)\]\.contents\[(\d+)\]")


def _unwritten(request: ChatRequest, server: Server) -> dict[tuple[int, int], Fault]:
    """What cannot be said by the table, and what the writer drops besides: it alone knows every address and every media type."""
    shown = {(index, position): medium for index, position, _, medium in media(request)}
    found = _each_unsaid(request, server)
    for loss in server.dialect.write_request(request, server.target).losses if found.keys() < shown.keys() else ():
        place = _PLACE.fullmatch(loss.path)
        if place is None or loss.action is not Action.DROPPED or loss.weight is not Weight.CONTENT:
            continue
        at = int(place[1]), int(place[2])
        if (medium := shown.get(at)) is not None:
            found.setdefault(at, (loss.reason, _by_another_way(medium)))
    return found


def _by_another_way(medium: Medium) -> str:
    match medium.resource:
        case Resource.Ref():
            return "give it by value (`convert(fetch=...)`, `transforms.inline`), or at an address that is taken"
        case Resource.Binary():
            return "give it in a type that is taken, or leave it out"
        case _:
            assert_never(medium.resource)


def is_plain(medium: Medium, speaker: Spoken, rules: Rules) -> bool:
    """Whether a medium is plainly said as it is; False says no more than that the rules must have a look."""
    known = capability(medium, rules)
    if known is None or says(known, speaker) is not Says.NATIVE or isinstance(medium, Content.File):
        return False
    match medium.resource:
        case Resource.Ref():
            return isinstance(medium, Content.Image | Content.PDF)
        case Resource.Binary(mime_type=mime_type):
            return mime_type is not None and (isinstance(medium, Content.PDF) or medium_kind(medium) in rules.media_types)
        case _:
            assert_never(medium.resource)


MEDIA: Final = dropping("media", _unwritten, certain=True, written=True)
LABELS: Final = Rule("media-type", True, _find_labels, _mend_labels)
