"""Marks of the prompt cache: a block of its own here, an attribute of a block where Claude is spoken to by its own maker.

A mark is read as the attribute of the nearest word before it that may carry one, which other dialects of Claude understand, and as
a note on where it stood. Reasoning carries none, nor does blank text (UKGovernmentBEIS/inspect_ai#3967, pydantic/pydantic-ai#7004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias, TypeVar

from attrs import evolve

from chatadt._wire import each, json
from chatadt.content import Content
from chatadt.dialects._losses import Block, foreign
from chatadt.dialects._marks import CONTROL, POINT, POINTS, control_of
from chatadt.dialects._spelling import list_of
from chatadt.dialects.bedrock.codec import CLAUDE, NAME
from chatadt.json import NO_EXTRAS, Extras
from chatadt.loss import Loss
from chatadt.message import Message
from chatadt.tool import ProviderTool, Tool

__all__ = ("POINT", "beside", "has_points", "others", "points", "settled", "with_points")

_BESIDE: Final = "$beside"

T = TypeVar("T")

Word: TypeAlias = Any
"""A word that has extras, or a Custom or a ProviderTool, which has none."""


# --- reading -------------------------------------------------------------------------------------------------------------------


def with_points(read: Callable[[Any], T], custom: Callable[[Any], T], blocks: Any) -> tuple[T, ...]:
    """Read a list of blocks with `read`; each mark among them becomes a note on the word before it, else it is `custom`."""
    if not _is_marked(blocks):
        return each(read, blocks)
    words: list[Any] = []
    read_words: tuple[Any, ...] = each(lambda block: _read(read, block), blocks)
    for block, word in zip(blocks, read_words, strict=True):
        point: Any = block.get(POINT)
        is_mark = point.__class__ is dict
        if word is None:
            if is_mark and words and _has_extras(words[-1]):
                words[-1] = _marked(words[-1], point)
            else:
                words.append(custom(block))
        elif not is_mark:
            words.append(word)
        elif _has_extras(word):
            words.append(_marked(evolve(word, extras=word.extras.having(NAME, {_BESIDE: True})), point))
        else:
            words.append(custom(block))
    return tuple(words)


def _is_marked(blocks: Any) -> bool:
    """Whether a mark stands among blocks."""
    return blocks.__class__ is list and any(block.__class__ is dict and POINT in block for block in blocks)


def has_points(turns: Any) -> bool:
    """Whether a mark stands in the content of any turn."""
    return any(_is_marked(turn.get("content")) for turn in turns or ())


def _read(read: Callable[[Any], T], block: Any) -> T | None:
    """The word of a block without its mark; None where it is nothing but a mark."""
    if block.__class__ is not dict or POINT not in block:
        return read(block)
    rest = {key: item for key, item in block.items() if key != POINT}
    return read(rest) if rest else None


def _has_extras(word: Word) -> bool:
    return not isinstance(word, Content.Custom | ProviderTool | Message.Custom)


def _marked(word: Word, point: dict[str, Any]) -> Word:
    extras: Extras = word.extras
    own = list_of(extras.of(NAME), POINTS, dict)
    extras = extras.having(NAME, {POINTS: [*own, json(point).value]})
    control = control_of(point)
    if control is not None and _carries(word):
        extras = extras.having(CLAUDE, {CONTROL: control})
    return evolve(word, extras=extras)


_CARRIERS: Final = (Content.Image, Content.PDF, Content.File, Content.ToolRequest, Message.ToolResult, Tool)


def _carries(word: Word) -> bool:
    return bool(word.text.strip()) if isinstance(word, Content.Text) else isinstance(word, _CARRIERS)


def settled(messages: tuple[Message.T, ...]) -> tuple[Message.T, ...]:
    """The messages with each mark that stands behind something which carries none on the nearest word before it that does."""
    carrier: tuple[int, int | None] | None = None
    found: list[tuple[int, int | None, dict[str, Any]]] = []
    for index, message in enumerate(messages):
        if isinstance(message, Message.Custom):
            continue
        if isinstance(message, Message.ToolResult):
            carrier = (index, None)
            continue
        for position, content in enumerate(message.contents):
            if _carries(content):
                carrier = (index, position)
            elif not isinstance(content, Content.Custom) and content.extras is not NO_EXTRAS and carrier is not None:
                marks = filter(None, map(control_of, list_of(content.extras.of(NAME), POINTS, dict)))
                found += [(carrier[0], carrier[1], mark) for mark in marks]
    if not found:
        return messages
    changed: list[Any] = list(messages)
    for at, place, mark in found:
        message = changed[at]
        if place is None:
            changed[at] = _given(message, mark)
        else:
            contents = list(message.contents)
            contents[place] = _given(contents[place], mark)
            changed[at] = evolve(message, contents=contents)
    return tuple(changed)


def _given(word: Word, mark: dict[str, Any]) -> Word:
    """The word with a mark that stood elsewhere: the note says that none stands behind the word itself, unless one does."""
    extras: Extras = word.extras
    if CONTROL in extras.of(CLAUDE):
        return word
    own = list_of(extras.of(NAME), POINTS, dict)
    return evolve(word, extras=extras.having(NAME, {POINTS: own}).having(CLAUDE, {CONTROL: mark}))


# --- writing -------------------------------------------------------------------------------------------------------------------


def points(extras: Extras) -> Iterator[Block]:
    """The marks that stand behind a word."""
    if extras is NO_EXTRAS:
        return
    own = extras.of(NAME)
    if own.get(POINTS).__class__ is list:
        yield from ({POINT: point} for point in list_of(own, POINTS, dict))
        return
    point = _point(extras)
    if point is not None:
        yield {POINT: point}


def _point(extras: Extras) -> Block | None:
    """The mark that says what the attribute says; None where there is none, or one that says more."""
    control: Any = extras.of(CLAUDE).get(CONTROL)
    match control:
        case {"type": "ephemeral", "ttl": str() as ttl, **rest} if not rest:
            return {"type": "default", "ttl": ttl}
        case {"type": "ephemeral", **rest} if not rest or rest == {"ttl": None}:
            return {"type": "default"}
        case _:
            return None


def beside(extras: Extras) -> bool:
    """Whether the mark stood in the block of the word itself, as a model's own format has it."""
    return extras is not NO_EXTRAS and bool(extras.of(NAME).get(_BESIDE))


def others(extras: Extras, *carried: str, marks: bool = True) -> Iterator[Loss]:
    """A loss for each field of another dialect, but for a mark that was written and the fields of Claude that were `carried`."""
    if CLAUDE not in extras:
        yield from foreign(extras, NAME)
        return
    is_marked = marks and (extras.of(NAME).get(POINTS).__class__ is list or _point(extras) is not None)
    said = {*carried, CONTROL} if is_marked else {*carried}
    claude = {key: item for key, item in extras.of(CLAUDE).items() if key not in said}
    rest = {name: document for name, document in extras.items() if name != CLAUDE}
    yield from foreign(Extras({**rest, CLAUDE: claude}), NAME)
