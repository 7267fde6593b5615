"""Whether a dialect has a shape for a medium, as its table of capabilities says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, assert_never

from chatadt.content import Content
from chatadt.dialects._dialect import Capability, Rules, Says
from chatadt.dialects._media import has_words
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("Medium", "Spoken", "capability", "comes_from_assistant", "medium_kind", "says")

Spoken: TypeAlias = Message.System | Message.User | Message.Assistant | Message.ToolResult

Medium: TypeAlias = Content.Image | Content.Audio | Content.Video | Content.PDF | Content.File


def medium_kind(medium: Medium) -> str:
    """The kind under which the rules know a medium."""
    match medium:
        case Content.Image():
            return "image"
        case Content.Audio():
            return "audio"
        case Content.Video():
            return "video"
        case Content.PDF() | Content.File():
            return "document"
        case _:
            assert_never(medium)


def comes_from_assistant(medium: Medium, rules: Rules) -> bool:
    """Whether anything of a medium comes across that an assistant shows; where it does not, nothing stands in its place."""
    rows = [known.assistant for known in rules.capabilities if known.kind.split()[0] == _row(medium)]
    if isinstance(medium, Content.Audio) and rows and Says.NATIVE not in rows:
        is_kept = isinstance(medium.resource, Resource.Ref) and medium.resource.uri.startswith("urn:")
        return has_words(medium.transcript) or is_kept
    return not rows or any(how_well is not Says.NO for how_well in rows)


def _row(medium: Medium) -> str:
    return _ROWS.get(type(medium)) or medium_kind(medium)


_ROWS: Final[Mapping[type[Medium], str]] = {Content.PDF: "PDF", Content.File: "file"}


def says(capability: Capability, speaker: Spoken) -> Says:
    match speaker:
        case Message.User() | Message.System():
            return capability.user
        case Message.Assistant():
            return capability.assistant
        case Message.ToolResult():
            return capability.result
        case _:
            assert_never(speaker)


def capability(medium: Medium, rules: Rules) -> Capability | None:
    name = _capability_name(medium)
    return None if name is None else next((known for known in rules.capabilities if known.kind == name), None)


def _capability_name(medium: Medium) -> str | None:
    """The row of the table of capabilities that speaks of a medium; None for what a provider keeps, of which no row does."""
    match medium.resource:
        case Resource.Binary():
            way = "by value"
        case Resource.Ref(uri=uri):
            if not uri.startswith(("http://", "https://")):
                return None
            way = "by URL"
        case _:
            assert_never(medium.resource)
    match medium:
        case Content.Image():
            return f"image {way}"
        case Content.PDF():
            return f"PDF {way}"
        case Content.Audio():
            return "audio"
        case Content.Video():
            return "video"
        case Content.File():
            return "file"
        case _:
            assert_never(medium)
