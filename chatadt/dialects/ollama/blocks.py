"""What a message of Ollama holds besides calls: one text, and media as bare base64."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from chatadt.content import Content
from chatadt.dialects._losses import Block, dropped, foreign, foreign_block, parted, rewritten, unsaid
from chatadt.dialects._media import media_type
from chatadt.dialects._openai_like.write import as_text, media_type_lost, text_of_file
from chatadt.dialects.ollama.codec import NAME
from chatadt.dialects.ollama.rules import RULES
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.resource import Resource, sniff_base64

__all__ = ("GOES_ON", "blocks_of", "joined", "no_text", "text_block")


def joined(texts: list[str], losses: list[Loss], between: str = "\n\n") -> str:
    """The one text of a message; what stands `between` several is a blank line, but for those of a model (see `GOES_ON`)."""
    if len(texts) > 1:
        how = "by a blank line" if between else "as they are"
        losses.append(rewritten("texts", texts, f"a message has one text: they are joined {how}"))
    return between.join(texts)


GOES_ON: Final = ""
"""What stands between texts of a model: each goes on with the one before, often in the middle of a sentence."""


def no_text() -> Loss:
    """The loss of an empty text, which no reader finds again beside anything else."""
    return dropped("an empty text", "", "beside anything else it says nothing", weight=Weight.DETAIL)


def blocks_of(contents: tuple[Content.Input, ...], losses: list[Loss]) -> list[Block]:
    """The texts and the images of some contents, in order."""
    return [block for at, content in enumerate(contents) for block in parted(_input(content), losses, f".contents[{at}]")]


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """A text or an image of a message, and what is lost."""
    match content:
        case Content.Text():
            yield text_block(content)
        case Content.Image() | Content.Audio():
            yield from _medium(content)
        case Content.PDF(resource=Resource.Binary() as resource) if resource.extras.of(NAME).get("$own"):
            yield {"image": resource.content}
            yield from foreign(resource.extras, NAME)
            if content.name is not None:
                yield dropped("the name", content.name, "an image has no name", weight=Weight.DETAIL, path=".name")
        case Content.File() if (text := text_of_file(content)) is not None:
            yield from as_text(content, NAME)
            yield {"text": text}
        case Content.Video() | Content.PDF() | Content.File():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom():
            yield foreign_block(content)
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


def _medium(content: Content.Image | Content.Audio) -> Iterator[Block | Loss]:
    """A medium among the images, as bare base64: what it is only its first bytes say."""
    match content.resource:
        case Resource.Ref():
            yield unsaid(content, f"{type(content).__name__.lower()} is taken by value only: fetch it first")
            return
        case Resource.Binary() as resource:
            shown = sniff_base64(resource.content)
        case _:
            assert_never(content.resource)
    is_audio = shown is not None and shown.startswith("audio/")
    kind = shown or media_type(resource)
    is_strange = kind is not None and not is_audio and kind not in RULES.media_types["image"]
    if isinstance(content, Content.Audio) is not is_audio or (is_strange and not resource.extras.of(NAME).get("$own")):
        yield unsaid(content, f"its first bytes say what it is, and they say {shown or 'nothing'}")
        return
    yield {"image": resource.content}
    yield from foreign(resource.extras, NAME)
    yield from media_type_lost(resource)
    match content:
        case Content.Image(detail=detail) if detail is not None:
            yield dropped("the detail", detail.value, "an image has no detail", weight=Weight.DETAIL, path=".detail")
        case Content.Audio(transcript=transcript) if transcript is not None:
            reason = "audio of a user has no transcript"
            yield dropped("the transcript", transcript, reason, weight=Weight.DETAIL, path=".transcript")
        case Content.Image() | Content.Audio():
            return
        case _:
            assert_never(content)


def text_block(content: Content.Text) -> Block:
    """The text of a message."""
    return {"text": content.text}
