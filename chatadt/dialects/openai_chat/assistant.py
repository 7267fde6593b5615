"""What an assistant says: one message, with its text, its calls, its audio and its reasoning in fields of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never

from chatadt._hooks import unstructuring
from chatadt._wire import is_note, restore, wire_key
from chatadt.codec import document
from chatadt.content import Content
from chatadt.dialects._calls import foreign_call, says_nothing
from chatadt.dialects._losses import Block, dropped, foreign, moved, own_or_lost, relocate, rewritten, unsaid, untyped, vanished
from chatadt.dialects._media import file_id, has_words
from chatadt.dialects._openai_like.arguments import arguments_as_noted, input_text
from chatadt.dialects._openai_like.free_form import is_free_form
from chatadt.dialects.openai_chat.codec import CODEC, NAME
from chatadt.json import NO_EXTRAS
from chatadt.loss import Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("beside_reasoning", "write_assistant")

_FIELDS: Final = frozenset({"role", "name", "content", "refusal", "audio", "tool_calls", "function_call"})
"""What an assistant's message says in fields of its own: no note puts reasoning there."""


def write_assistant(message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out: Block = {"role": "assistant"}
    parts: list[Block] = []
    calls: list[Block] = []
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.Text) and not calls and content.extras is NO_EXTRAS:
            parts.append({"type": "text", "text": content.text})
            continue
        if isinstance(content, Content.ToolRequest) and says_nothing(content.extras, NAME):
            calls.append(_write_request(content))
            continue
        if isinstance(content, Content.Refusal) and any(map(_is_a_part, message.contents[index + 1 :])):
            parts.append(_write_refusal(content))  # as a field of its own it would stand behind all that is said
            losses += [loss.under(f".contents[{index}]") for loss in foreign(content.extras, NAME)]
            continue
        said, called, known = len(parts), bool(calls), len(losses)
        losses += _output(content, out, parts, calls)
        relocate(losses, known, f".contents[{index}]")
        if called and (len(parts) > said or isinstance(content, Content.Refusal)):
            reason = "tool calls stand after everything else"
            losses.append(moved("contents", type(content).__name__, reason, path=f".contents[{index}]"))
    if message.contents and not parts and not calls and len(out) == 1:
        losses += vanished(message)
        return None
    if message.extras is not NO_EXTRAS or message.name is not None:
        out.update(_write_assistant(message))
        losses += foreign(message.extras, NAME)
    if "content" not in out:
        out["content"] = _plain(parts) if parts else None
    if calls:
        out.setdefault("tool_calls", calls)
    return out


def _plain(parts: list[Any]) -> Any:
    """A string where one text stands alone; a part may be a block of the caller's own, which is any JSON."""
    match parts:
        case [{"type": "text", "text": text, **rest}] if not rest:
            return text
        case _:
            return parts


def _is_a_part(content: Content.Output) -> bool:
    """Whether a content is said as a part, so that what stands before it must be one too."""
    match content:
        case Content.Text() | Content.Refusal():
            return True
        case Content.Custom(dialect=dialect, value=value):
            return dialect == NAME and not _is_call(value.value)
        case Content.Audio(transcript=transcript):
            return bool(transcript)
        case Content.Reasoning() | Content.ToolRequest() | Content.Image() | Content.Video() | Content.PDF() | Content.File():
            return False
        case _:
            assert_never(content)


def _output(content: Content.Output, out: Block, parts: list[Block], calls: list[Block]) -> Iterator[Loss]:
    """Put one content of an assistant where it belongs, and yield what is lost."""
    match content:
        case Content.Text():
            parts.append(_write_text(content))
            if content.extras is not NO_EXTRAS:
                yield from foreign(content.extras, NAME)
        case Content.ToolRequest():
            yield from _request(content, out, calls)
        case Content.Reasoning():
            yield from _reasoning(content, out)
        case Content.Refusal():
            yield from _refusal(content, out, parts)
        case Content.Audio():
            yield from _spoken(content, out, parts)
        case Content.Image() | Content.Video() | Content.PDF() | Content.File():
            kind = f"{type(content).__name__.lower()} of an assistant"
            yield unsaid(content, "an assistant message has text, audio and tool calls only", kind=kind)
        case Content.Custom():
            own = own_or_lost(content, NAME, takes=dict)
            if isinstance(own, Loss):
                yield own
            else:
                _own_block(own, parts, calls)
        case _:
            assert_never(content)


def _is_call(value: Any) -> bool:
    match value:
        case {"$tool_call": _, **rest}:
            return not rest
        case _:
            return False


def _own_block(value: Any, parts: list[Block], calls: list[Block]) -> None:
    if _is_call(value):
        calls.append(value["$tool_call"])
    else:
        parts.append(value)


def _request(content: Content.ToolRequest, out: Block, calls: list[Block]) -> Iterator[Loss]:
    if content.extras is NO_EXTRAS:
        calls.append(_write_request(content))
        return
    notes = content.extras.of(NAME)
    is_deprecated = bool(notes.get("$function_call")) and "function_call" not in out
    is_custom = not is_deprecated and is_free_form(content)
    yield from foreign(content.extras, NAME) if is_custom else foreign_call(content, NAME)
    if is_deprecated:
        call: Block = {"function_call": {"name": content.name, "arguments": arguments_as_noted(content.arguments, notes)}}
        restore(call, content.extras, NAME)
        out.update(call)
    elif is_custom:
        call = {"id": content.id, "type": "custom", "custom": {"name": content.name, "input": input_text(content.arguments)}}
        restore(call, content.extras, NAME)
        calls.append(call)
    else:
        call = _write_request(content)
        call["function"]["arguments"] = arguments_as_noted(content.arguments, notes)
        calls.append(call)


def _reasoning(content: Content.Reasoning, out: Block) -> Iterator[Loss]:
    own = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    key = own.get("$key")
    if not isinstance(key, str) or key in _FIELDS:
        reason = "an assistant message has no reasoning"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)
    elif key in out:
        out[key] += "\n\n" + content.text
        yield rewritten("reasoning", content.text, "a message has one reasoning text: they are joined")
    else:
        out[key] = content.text
    yield from beside_reasoning(own)
    yield from foreign(content.extras, NAME)


def beside_reasoning(own: Block) -> Iterator[Loss]:
    """The losses of what this dialect noted on reasoning beside its text."""
    for field, value in own.items():
        if value is not None and not is_note(field):
            yield dropped(f"{wire_key(field)} of the reasoning", value, "reasoning is a text only", weight=Weight.DETAIL)


def _refusal(content: Content.Refusal, out: Block, parts: list[Block]) -> Iterator[Loss]:
    in_content = content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$part")
    if in_content or "refusal" in out:
        parts.append(_write_refusal(content))
    else:
        out["refusal"] = content.text
    yield from foreign(content.extras, NAME)


def _spoken(content: Content.Audio, out: Block, parts: list[Block]) -> Iterator[Loss]:
    own = content.extras.of(NAME)
    id_ = own.pop("id", None) or file_id(content.resource, "openai")
    if id_ is not None and "audio" not in out:
        out["audio"] = {"id": id_}
        yield from _beside_its_id(content, own)
    elif has_words(content.transcript):
        parts.append({"type": "text", "text": content.transcript})
        reason = "audio of an assistant is replayed by its id only: its transcript stands for it"
        yield rewritten("audio", document(content), reason)
        return
    else:
        yield unsaid(content, "audio of an assistant is replayed by its id only, and it has no transcript")
        return
    yield from foreign(content.extras, NAME)


def _beside_its_id(content: Content.Audio, own: Block) -> Iterator[Loss]:
    """What a provider that keeps the audio need not be told, and does not take: an answer says more than a request may."""
    reason = "audio is replayed by its id only"
    if content.transcript is not None:
        yield dropped("the transcript", content.transcript, reason, weight=Weight.DETAIL)
    if isinstance(content.resource, Resource.Binary):
        yield dropped("the audio", document(content), reason, weight=Weight.DETAIL)
    else:
        yield from untyped(content.resource)
        yield from foreign(content.resource.extras, NAME)
    for key, value in own.items():
        if value is not None and not is_note(key):
            yield dropped(f"{wire_key(key)} of the audio", value, reason, weight=Weight.DETAIL)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_refusal: Final = unstructuring(CODEC, Content.Refusal)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_assistant: Final = unstructuring(CODEC, Message.Assistant)
