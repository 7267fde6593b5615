"""Media at an address that holds them: a data URL that came as it was, in percent-encoding or where no data URL stands.

Servers take what is there by value in base64 only ("Expected a base64-encoded data URL", vercel/ai#7776; openai/openai.go of
ollama/ollama).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Rule, Server
from chatadt.checks._said import Medium
from chatadt.checks.media import media
from chatadt.checks.text import with_contents
from chatadt.content import Content
from chatadt.error import Violation
from chatadt.json import Json
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("ADDRESSES", "held")


def held(medium: Medium) -> Resource.Binary | None:
    """What the address of a medium holds, by value; None for one that holds nothing, or nothing that can be read."""
    resource = medium.resource
    if not isinstance(resource, Resource.Ref) or resource.uri[:5].lower() != "data:":
        return None
    try:
        found = Resource.of(resource.uri)
    except ValueError:
        return None
    return found if isinstance(found, Resource.Binary) else None


def _find(request: ChatRequest, _: Server) -> Iterator[Violation]:
    for index, position, _message, medium in media(request):
        if held(medium) is not None:
            what = "an address that holds the medium itself, and is not taken as an address"
            fix = "give it by value: `Resource.of` reads a data URL"
            yield Violation("media-address", f"$.messages[{index}].contents[{position}].resource", what, fix)


def _mend(request: ChatRequest, _: Server) -> Converted[ChatRequest]:
    messages = list(request.messages)
    losses: list[Loss] = []
    for index, position, _message, medium in media(request):
        found, message = held(medium), messages[index]
        if found is None or isinstance(message, Message.Custom) or not isinstance(medium.resource, Resource.Ref):
            continue
        path = f"$.messages[{index}].contents[{position}].resource"
        reason = "what the address holds stands by value, in base64"
        said = Json.of(medium.resource.uri)
        losses.append(Loss(path, "the address of a medium", Action.REWRITTEN, said, reason, Weight.DETAIL))
        shown = _by_value(medium, medium.resource, found)
        messages[index] = with_contents(message, (*message.contents[:position], shown, *message.contents[position + 1 :]))
    return Converted(evolve(request, messages=messages), tuple(losses)) if losses else Converted(request)


def _by_value(medium: Medium, resource: Resource.Ref, found: Resource.Binary) -> Medium:
    kind = (resource.mime_type or found.mime_type or "").partition(";")[0].strip() or None
    own = {dialect: resource.extras.of(dialect) for dialect in resource.extras}
    extras = {dialect: kept for dialect, said in own.items() if (kept := {key: said[key] for key in said if key != "$own"})}
    by_value = Resource.Binary(found.content, kind, extras)
    if isinstance(medium, Content.PDF) and kind not in (None, "application/pdf"):
        return Content.File(by_value, medium.name, medium.extras)
    return evolve(medium, resource=by_value)


ADDRESSES = Rule("media-address", True, _find, _mend)
