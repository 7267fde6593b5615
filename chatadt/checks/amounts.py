"""How large a medium may be, how many of a kind a request may have, and how large all of them may be together.

Rules M5 and M6 (the service model of bedrock-runtime, aws-samples/generative-ai-use-cases#1685, the vendors' pages on images, files
and errors).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from chatadt.chat import ChatRequest
from chatadt.checks._rule import Server
from chatadt.checks._said import Medium, Spoken, medium_kind
from chatadt.checks.media import Fault, Faults, dropping, each_medium, is_said, media, mislabelled
from chatadt.dialects._dialect import Rules
from chatadt.resource import Resource

__all__ = ("COUNT", "COUNT_SAID", "SIZE", "SIZE_SAID", "TOTAL", "TOTAL_SAID", "is_taken", "most_said", "size")


def is_taken(medium: Medium, speaker: Spoken, rules: Rules) -> bool:
    """Whether no rule finds anything in a medium by itself."""
    is_large = any(_oversized(medium, sizes) for sizes in (rules.largest, rules.largest_said))
    return not is_large and is_said(medium, speaker, rules) and mislabelled(medium, rules) is None


def _oversized(medium: Medium, sizes: Mapping[str, int]) -> Fault | None:
    most = sizes.get(medium_kind(medium))
    if most is None or isinstance(medium.resource, Resource.Ref):
        return None
    size = len(medium.resource.content) // 4 * 3 - medium.resource.content[-2:].count("=")
    return (f"{medium_kind(medium)} of {size:,} bytes, at most {most:,} are taken", "make it smaller") if size > most else None


def most_said(server: Server) -> Mapping[str, int]:
    """How many of each kind a request is said to have at most: what is said of the model overrules what is said of all."""
    told = server.profile.most_said
    return {**server.rules.most_said, **told} if told else server.rules.most_said


def _surplus(limits: Callable[[Server], Mapping[str, int]]) -> Faults:
    """Of each kind that a request has too many of, the oldest."""

    def faults(request: ChatRequest, server: Server) -> dict[tuple[int, int], Fault]:
        if not limits(server):
            return {}
        places: dict[str, list[tuple[int, int]]] = {}
        for index, position, _, medium in media(request):
            places.setdefault(medium_kind(medium), []).append((index, position))
        return {
            place: (
                f"{len(found)} of kind {kind}, at most {most} are taken",
                "take some away, or let repair=True keep the last ones",
            )
            for kind, most in limits(server).items()
            for found in (places.get(kind, []),)
            for place in found[: max(0, len(found) - most)]
        }

    return faults


def size(medium: Medium) -> int:
    """How many characters of a request body a medium takes: those of its base64."""
    return len(medium.resource.content) if isinstance(medium.resource, Resource.Binary) else 0


def _overflow(limit: Callable[[Rules], int | None]) -> Faults:
    """The oldest media by value, as many as must go for the rest to fit into one request."""

    def faults(request: ChatRequest, server: Server) -> dict[tuple[int, int], Fault]:
        most = limit(server.rules)
        if most is None:
            return {}
        sizes = [((index, position), size(medium)) for index, position, _, medium in media(request)]
        total = surplus = sum(each for _, each in sizes)
        found: dict[tuple[int, int], Fault] = {}
        for place, each in sizes:
            if surplus > most and each:
                what = f"media of {total:,} characters of base64, at most {most:,} are taken in one request"
                found[place] = (what, "take some away, or let repair=True keep the last ones")
                surplus -= each
        return found

    return faults


SIZE: Final = dropping("media-size", each_medium(lambda medium, _, rules: _oversized(medium, rules.largest)), certain=True)
SIZE_SAID: Final = dropping(
    "media-size", each_medium(lambda medium, _, rules: _oversized(medium, rules.largest_said)), certain=False
)
COUNT: Final = dropping("media-count", _surplus(lambda server: server.rules.most), certain=True)
COUNT_SAID: Final = dropping("media-count", _surplus(most_said), certain=False)
TOTAL: Final = dropping("media-size", _overflow(lambda rules: rules.most_bytes), certain=True)
TOTAL_SAID: Final = dropping("media-size", _overflow(lambda rules: rules.most_bytes_said), certain=False)
