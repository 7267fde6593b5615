"""Laws of what is said: nothing of it goes in silence, nothing is misplaced, and no loss lies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, assert_never, cast

from chatadt._wire import is_note
from chatadt.chat import ChatRequest
from chatadt.codec import dumps
from chatadt.content import Arguments, Content
from chatadt.dialects import Dialect
from chatadt.laws._broken import Broken, dialect_of, read_back, written_by
from chatadt.loss import Action, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("honesty", "order", "pairing", "truth")


def honesty(dialect: str | Dialect, request: ChatRequest) -> None:
    """Nothing is lost in silence: what the written body does not say any more when it is read, the original of some loss says.

    Leaf by leaf, as often as it was said: texts, URLs, base64, names, ids, each value of arguments and of parameters, what other
    dialects had said; not the notes that a dialect keeps on how something was spelt (keys with `$`).
    """
    known = dialect_of(dialect)
    written = written_by(known, request)
    normal = read_back(known, written.value, request)
    if normal is None:
        return
    missing = Counter(_leaves(_plain(request))) - Counter(_leaves(_plain(normal)))
    named = Counter(leaf for loss in written.losses for leaf in _originals(loss))
    whole = "\n".join(text for loss in written.losses if loss.original is not None for text in _texts(loss.original.value))
    left = list((missing - named).elements())
    silent = [leaf for leaf in left if not (_is_within(leaf, whole) or _stands_as_text(leaf, normal))]
    if silent:
        raise Broken("nothing is lost in silence", given=request, via=written, got=silent)


def truth(dialect: str | Dialect, request: ChatRequest) -> None:
    """No loss lies: what a loss of content says was dropped is not all still there."""
    known = dialect_of(dialect)
    written = written_by(known, request)
    normal = read_back(known, written.value, request)
    if normal is None:
        return
    before, after = (Counter(_leaves(_plain(each))) for each in (request, normal))
    for loss in written.losses:
        if loss.action is Action.DROPPED and loss.weight is Weight.CONTENT and loss.original is not None:
            said = [leaf for leaf in _leaves(loss.original.value) if before[leaf] and leaf != '""']  # an empty text is anyone's
            if said and all(after[leaf] >= before[leaf] for leaf in said):
                raise Broken("what a loss says was dropped is gone", given=request, via=written.value, got=loss)


def order(dialect: str | Dialect, request: ChatRequest) -> None:
    """What is said stays in the order in which it was said, unless a loss tells that something was moved."""
    known = dialect_of(dialect)
    written = written_by(known, request)
    normal = read_back(known, written.value, request)
    if normal is None or any(loss.action is Action.MOVED for loss in written.losses):
        return
    before, after = list(_spoken(request)), list(_spoken(normal))
    once = {text for text in before if before.count(text) == after.count(text) == 1}
    one, other = ([text for text in texts if text in once] for texts in (before, after))
    if one != other:
        raise Broken("order is meaning", given=request, via=written.value, got=other)


def pairing(dialect: str | Dialect, conversation: ChatRequest) -> None:
    """Each tool result still answers the call that it answered.

    Results that a loss says were moved may stand in another order: each is known by its text.
    """
    known = dialect_of(dialect)
    written = written_by(known, conversation)
    normal = read_back(known, written.value, conversation)
    if normal is None:
        return
    before, after = _pairs(conversation), _pairs(normal)
    if any(map(_is_moved_result, written.losses)):
        before, after = _pairs_by_text(conversation, normal), _pairs_by_text(normal, conversation)
    if before != after:
        raise Broken("a result answers the call that it answered", given=before, via=written.value, got=after)


def _is_moved_result(loss: Loss) -> bool:
    return loss.action is Action.MOVED and loss.what == "a tool result"


def _pairs(request: ChatRequest) -> list[tuple[str, int]]:
    """Of each tool result the name of the call before it that has its id, and which of all calls that is."""
    return [pair for pair, _ in _answers(request)]


def _pairs_by_text(request: ChatRequest, other: ChatRequest) -> list[tuple[str, int]]:
    """The same, in the order of the texts of those results that are told apart by them, in the other request too."""
    told = {result.text: pair for pair, result in _answers(request)}
    alone = [text for each in (request, other) for text, count in Counter(r.text for _, r in _answers(each)).items() if count == 1]
    return [told[text] for text, count in sorted(Counter(alone).items()) if count == 2 and text in told]


def _answers(request: ChatRequest) -> Iterator[tuple[tuple[str, int], Message.ToolResult]]:
    calls: dict[str, tuple[str, int]] = {}
    for message in request.messages:
        if isinstance(message, Message.Assistant):
            for call in message.tool_requests:
                calls[call.id] = (call.name, len(calls))
        elif isinstance(message, Message.ToolResult) and message.id in calls:
            yield calls[message.id], message


# --- the leaves of a request


def _plain(request: ChatRequest) -> Any:
    return json.loads(dumps(request))


def _leaves(value: Any) -> Iterator[str]:
    """The scalars of a word's JSON, each as JSON; arguments as one value."""
    match value:
        case dict():
            for key, inner in cast("dict[str, Any]", value).items():
                if key == "extras" and isinstance(inner, dict):
                    for own in cast("dict[str, Any]", inner).values():
                        yield from _scalars(_without_notes(own))
                elif key == "arguments" and isinstance(inner, str):
                    yield _as_arguments(inner)
                elif key not in _SAYS_NOTHING and not key.startswith("$") and (key, inner) not in _SAID_ANYWAY:
                    yield from _leaves(inner)
        case list():
            items: list[Any] = cast("Any", value)
            for inner in items:
                yield from _leaves(inner)
        case None:
            return
        case _:  # a scalar
            yield json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def _without_notes(own: Any) -> Any:
    """What a dialect alone knows, without its notes on spelling."""
    if not isinstance(own, dict):
        return own
    return {key: inner for key, inner in cast("dict[str, Any]", own).items() if not is_note(key)}


def _scalars(value: Any) -> Iterator[str]:
    """The scalars of what a dialect alone knows, each as JSON."""
    match value:
        case dict():
            for inner in cast("dict[str, Any]", value).values():
                yield from _scalars(inner)
        case list():
            items: list[Any] = cast("Any", value)
            for inner in items:
                yield from _scalars(inner)
        case None:
            return
        case _:  # a scalar
            yield json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


_SAYS_NOTHING: Final = frozenset({"type", "dialect", "chatadt"})
"""Keys of own JSON that tell words apart and are none."""
_SAID_ANYWAY: Final = (("parallel_tool_calls", True), ("stream", False))
"""What a request says as well by not saying it, with every provider."""


def _as_arguments(text: str) -> str:
    arguments = Arguments.of(text)
    match arguments:
        case Arguments.Parsed(json=document):
            return document.canonical
        case Arguments.Malformed():
            return json.dumps(text)
        case _:
            assert_never(arguments)


def _originals(loss: Loss) -> Iterator[str]:
    """The leaves of what a loss names, and the arguments that it may be."""
    if loss.original is not None:
        yield from _leaves(loss.original.value)
        yield from _scalars(loss.original.value)
        yield loss.original.canonical


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            items: list[Any] = cast("Any", value)
            for inner in items:
                yield from _texts(inner)
        case dict():
            for inner in cast("dict[str, Any]", value).values():
                yield from _texts(inner)
        case _:  # no text
            return


def _is_within(leaf: str, whole: str) -> bool:
    """Whether a text is a part of what a loss names."""
    return leaf.startswith('"') and bool(whole) and json.loads(leaf) in whole


def _stands_as_text(leaf: str, normal: ChatRequest) -> bool:
    """Whether base64 of a text is there as that text."""
    try:
        text = Resource.Binary(json.loads(leaf)).bytes.decode()
    except (TypeError, ValueError):
        return False
    return any(text in spoken for spoken in _texts(_plain(normal)))


def _spoken(request: ChatRequest) -> Iterator[str]:
    """What is said, in order: texts and ids of calls. Media and reasoning have places of their own."""
    for message in request.messages:
        if not isinstance(message, Message.Custom):
            for content in message.contents:
                if isinstance(content, Content.Text | Content.Refusal):
                    yield content.text
                elif isinstance(content, Content.ToolRequest):
                    yield content.id
