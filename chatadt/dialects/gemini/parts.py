"""Contents as parts of Gemini: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar, assert_never, cast

from chatadt._hooks import unstructuring
from chatadt._wire import absent
from chatadt.codec import document
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._calls import foreign_call
from chatadt.dialects._losses import (
    Block,
    Splice,
    Written,
    arguments_object,
    dropped,
    foreign,
    own_or_lost,
    parted,
    rewritten,
    silent,
    unsaid,
)
from chatadt.dialects._media import has_words
from chatadt.dialects._plain import arguments_of, is_plain_text
from chatadt.dialects.gemini.codec import CODEC, NAME
from chatadt.dialects.gemini.config import unplaced
from chatadt.dialects.gemini.media import Medium, medium_part, why_not
from chatadt.dialects.gemini.rules import DUMMY_SIGNATURE, Generation
from chatadt.json import NO_EXTRAS
from chatadt.loss import Action, Loss, Weight

__all__ = ("Said", "input_part", "parts_of", "plain_parts", "written_id")

C = TypeVar("C", bound=Content.T)

_TEXT: Final = Content.Text


def parts_of(contents: tuple[C, ...], write: Callable[[C], Written], losses: list[Loss]) -> list[Block]:
    """The parts of some contents, each written by `write`; plain text, which is nearly everything, takes the short way."""
    parts: list[Block] = []
    for index, content in enumerate(contents):
        if isinstance(content, _TEXT) and content.extras is NO_EXTRAS:
            parts.append({"text": content.text})
        else:
            written = write(content)
            if written.__class__ is dict:
                parts.append(cast("Block", written))
            else:
                parts += parted(written, losses, f".contents[{index}]")
    return parts


def plain_parts(contents: tuple[Any, ...], index: int, known: Generation, splice: Splice, losses: list[Loss]) -> list[Block] | None:
    """The parts of plain texts and tool requests of the message at `index`; None, and no loss, where there is anything else."""
    parts: list[Block] = []
    signed: int | None = None
    for content in contents:
        if is_plain_text(content):
            parts.append({"text": content.text})
            continue
        arguments = arguments_of(content, NAME, splice)
        if arguments is None or not content.id:
            return None
        part: Block = {"functionCall": {"id": content.id, "name": content.name, "args": arguments}}
        if signed is None and known.signatures:
            signed = len(parts)
            part["thoughtSignature"] = DUMMY_SIGNATURE
        parts.append(part)
    if signed is not None:
        losses.append(_signature(f"$.messages[{index}].contents[{signed}]"))
    return parts


def input_part(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of a content that anyone can say, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
            yield from foreign(content.extras, NAME)
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            yield from _medium(content)
        case Content.Custom():
            yield own_or_lost(content, NAME, takes=dict)
        case _:
            assert_never(content)


def _medium(content: Medium) -> Iterator[Block | Loss]:
    reason = why_not(content)
    if reason is None:
        yield from medium_part(content)
    elif isinstance(content, Content.Audio) and has_words(content.transcript):
        yield {"text": content.transcript}
        yield rewritten("audio", document(content), f"{reason}; its transcript stands for it")
    else:
        yield unsaid(content, reason)


# --- what only a model says ----------------------------------------------------------------------------------------------------


class Said:
    """What one message of an assistant says; its first call is told from the others."""

    __slots__ = ("is_first", "known", "signs_all", "splice")

    def __init__(self, known: Generation, signs_all: bool, splice: Splice) -> None:
        self.known = known
        self.splice = splice
        self.signs_all = signs_all  # whether the provider's own calls need a signature too: they were made by another model
        self.is_first = True

    def part(self, content: Content.Output) -> Written:
        """The part of an assistant's content, and what is lost."""
        match content:
            case Content.ToolRequest():
                return self._plain_call(content) or self._call(content)
            case Content.Reasoning():
                return _reasoning(content)
            case Content.Refusal():
                return _refusal(content)
            case (
                Content.Text()
                | Content.Image()
                | Content.Audio()
                | Content.Video()
                | Content.PDF()
                | Content.File()
                | Content.Custom()
            ):
                return input_part(content)
            case _:
                assert_never(content)

    def _plain_call(self, content: Content.ToolRequest) -> Written | None:
        """The part of a call as nearly all are, of which nothing is lost; None of any other."""
        is_plain = content.extras is NO_EXTRAS and content.id and self.known.ids
        if not (is_plain and isinstance(content.arguments, Arguments.Parsed)):
            return None
        value = self.splice(content.arguments.json)
        if value is None:
            return None
        part: Block = {"functionCall": {"id": content.id, "name": content.name, "args": value}}
        is_signed = self.is_first and self.known.signatures
        self.is_first = False
        if not is_signed:
            return part
        part["thoughtSignature"] = DUMMY_SIGNATURE
        return part, _signature()

    def _call(self, content: Content.ToolRequest) -> Iterator[Block | Loss]:
        notes = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
        arguments, loss = arguments_object(content)
        if loss is not None:
            yield loss
        part = _write_call(content)
        asked: Block = part["functionCall"]
        asked["args"] = arguments
        if "$no_args" in notes and content.arguments == NO_ARGUMENTS:
            del asked["args"]
        yield from written_id(asked, notes, self.known)
        if "$dummy" in notes:
            part["thoughtSignature"] = DUMMY_SIGNATURE
        is_signed = "thoughtSignature" in part or ("$unsigned" in notes and not self.signs_all)
        if self.is_first and self.known.signatures and not is_signed:
            part["thoughtSignature"] = DUMMY_SIGNATURE
            yield _signature()
        self.is_first = False
        yield part
        yield from foreign_call(content, NAME)


def _signature(path: str = "") -> Loss:
    return Loss(path, "a thought signature", Action.INVENTED, None, _UNSIGNED, Weight.DETAIL)


_UNSIGNED: Final = "the call of another model stands under a signature that says so"


def written_id(fields: Block, notes: Block, known: Generation) -> Iterator[Loss]:
    """Spell the id of a call or a result as it was spelt, and take it away where the model knows none."""
    if "$id" in notes:
        fields.pop("id", None)
        if notes["$id"] == "":
            fields["id"] = ""
    elif not known.ids and "id" in fields:
        reason = "the model knows no ids: results are told by name and order"
        yield dropped("the id", fields.pop("id"), reason, weight=Weight.DETAIL, path=".id")


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    if not content.text and NAME not in content.extras:
        yield silent()
    else:
        part = _write_reasoning(content)
        part.setdefault("text", content.text)
        notes = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
        if notes.get("$part") != "text":
            part["thought"] = True
        for key in absent(notes):
            part.pop(key, None)
        yield part
    yield from foreign(content.extras, NAME)


def _refusal(content: Content.Refusal) -> Iterator[Block | Loss]:
    yield {"text": content.text}
    yield rewritten("refusal", content.text, "a refusal stands as text")
    yield from unplaced(content.extras)


_write_text: Final = unstructuring(CODEC, Content.Text)
_write_reasoning: Final = unstructuring(CODEC, Content.Reasoning)
_write_call: Final = unstructuring(CODEC, Content.ToolRequest)
