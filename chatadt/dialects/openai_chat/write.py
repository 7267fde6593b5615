"""The words -> OpenAI Chat JSON: the case picks the shape, the codec fills it, what the dialect cannot say is a loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, assert_never, cast

from chatadt._hooks import unstructuring
from chatadt._wire import is_note, restore
from chatadt.chat import ChatRequest
from chatadt.codec import document
from chatadt.content import Arguments, Content
from chatadt.dialects._calls import misnamed
from chatadt.dialects._dialect import NO_TARGET, Target
from chatadt.dialects._losses import (
    Block,
    blocks_of,
    dropped,
    foreign,
    invented,
    moved,
    parted,
    relocate,
    rewritten,
    unsaid,
    untyped,
    vanished,
)
from chatadt.dialects._media import file_id
from chatadt.dialects.openai_chat.codec import CODEC, NAME
from chatadt.dialects.openai_chat.media import audio_part, document_part, image_part
from chatadt.dialects.openai_chat.params import write_params
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message, Outcome
from chatadt.resource import Resource

__all__ = ("write_request",)

_IN_RESULT_ONLY: Final = "in a tool result only text is taken, so it stands in a user message after the results"


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    del target  # every model of this dialect is written alike
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    body["messages"] = _messages(request.messages, losses)
    losses += misnamed(request.messages, _is_of_a_function)
    return Converted(body, tuple(losses))


def _messages(messages: tuple[Message.T, ...], losses: list[Loss]) -> list[Block]:
    out: list[Block] = []
    waiting: list[Block] = []  # parts that cannot stay in their tool results: they stand in a user message behind the last one
    known = len(losses)
    for index, message in enumerate(messages):
        if waiting and not isinstance(message, Message.ToolResult):
            out.append({"role": "user", "content": waiting})
            waiting = []
        written = _message(message, waiting, losses)
        if written is not None:
            out.append(written)
        if len(losses) != known:
            relocate(losses, known, f"$.messages[{index}]")
            known = len(losses)
    if waiting:
        out.append({"role": "user", "content": waiting})
    return out


# --- messages ------------------------------------------------------------------------------------------------------------------


def _message(message: Message.T, waiting: list[Block], losses: list[Loss]) -> Block | None:
    match message:
        case Message.User():
            return _user(message, losses)
        case Message.Assistant():
            return _assistant(message, losses)
        case Message.ToolResult():
            return _result(message, waiting, losses)
        case Message.System():
            return _system(message, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                return cast("Block", attributes.value)
            losses.append(dropped("a message", attributes, f"only {dialect or 'its own dialect'} knows this message"))
            return None
        case _:
            assert_never(message)


def _system(message: Message.System, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out = _write_system(message)
    out["content"] = _content(message.contents, losses)
    if out["content"] == [] and message.contents:
        losses += vanished(message)
        return None
    if message.extras is not NO_EXTRAS:
        out["role"] = message.extras.of(NAME).get("$role", "system")
        losses += foreign(message.extras, NAME)
    return out


def _user(message: Message.User, losses: list[Loss]) -> Block:
    out = _write_user(message)
    content = _content(message.contents, losses)
    out["content"] = _filled(message.contents, losses) if content == [] else content
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    return out


def _filled(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """What stands for contents of which nothing could be said."""
    if not contents:
        return []
    kinds = " and ".join(sorted({type(content).__name__.lower() for content in contents}))
    losses.append(invented("a text", "nothing else of the message could be said, and it must not be empty"))
    return f"[{kinds} omitted]"


def _content(contents: tuple[Content.Input, ...], losses: list[Loss]) -> str | list[Block]:
    """A string when there is one plain text and nothing else, or a list of parts."""
    if len(contents) == 1 and isinstance(alone := contents[0], Content.Text) and alone.extras is NO_EXTRAS:
        return alone.text
    return blocks_of(contents, _input, losses)


def _result(message: Message.ToolResult, waiting: list[Block], losses: list[Loss]) -> Block:
    notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    out: Block = {"role": "function", "name": message.tool} if _is_of_a_function(message) else _write_result(message)
    inside, outside = _parted(message.contents)
    content = _content(inside, losses)
    if content == []:
        content = _filled(message.contents, losses) or ([] if "$content" in notes else "")
    out["content"] = notes["content"] if _is_of_a_function(message) and "content" in notes and not content else content
    if message.extras is not NO_EXTRAS:
        restore(out, message.extras, NAME)
        losses += foreign(message.extras, NAME)
    if message.outcome is not Outcome.OK:
        reason = "a tool message has no error flag"
        losses.append(dropped("the outcome", message.outcome.value, reason, weight=Weight.DETAIL, path=".outcome"))
    for index, part in outside:
        path = f".contents[{index}]"
        if blocks := parted(_input(part), losses, path):
            losses.append(moved(f"{type(part).__name__.lower()} of a tool result", _noun(part), _IN_RESULT_ONLY, path=path))
            waiting += blocks
    return out


def _is_of_a_function(message: Message.ToolResult) -> bool:
    """Whether a result answers the deprecated function_call: it says its name and no id."""
    return message.extras is not NO_EXTRAS and message.extras.of(NAME).get("$role") == "function"


def _parted(contents: tuple[Content.Input, ...]) -> tuple[tuple[Content.Input, ...], list[tuple[int, Content.Input]]]:
    """The contents that a tool message takes, and the others with their index."""
    outside = [(index, content) for index, content in enumerate(contents) if not _stays(content)]
    gone = {index for index, _ in outside}
    return (contents, []) if not outside else (tuple(c for i, c in enumerate(contents) if i not in gone), outside)


def _stays(content: Content.Input) -> bool:
    match content:
        case Content.Text() | Content.Custom():
            return True
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.extras is not NO_EXTRAS and bool(content.extras.of(NAME).get("$in_result"))
        case _:
            assert_never(content)


def _noun(content: Content.Input) -> str:
    match content:
        case Content.Image() | Content.Audio() | Content.Video() | Content.PDF() | Content.File():
            return content.resource.uri if isinstance(content.resource, Resource.Ref) else content.resource.mime_type or "a medium"
        case Content.Text() | Content.Custom():
            return "a text"
        case _:
            assert_never(content)


# --- the assistant -------------------------------------------------------------------------------------------------------------


def _assistant(message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out: Block = {"role": "assistant"}
    parts: list[Block] = []
    calls: list[Block] = []
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.Text) and not calls and content.extras is NO_EXTRAS:
            parts.append({"type": "text", "text": content.text})
            continue
        if isinstance(content, Content.Refusal) and any(map(_is_a_part, message.contents[index + 1 :])):
            parts.append(_write_refusal(content))  # as a field of its own it would stand behind all that is said
            losses += [loss.under(f".contents[{index}]") for loss in foreign(content.extras, NAME)]
            continue
        said, called = len(parts), bool(calls)
        for loss in _output(content, out, parts, calls):
            losses.append(loss.under(f".contents[{index}]"))
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
        case Content.Text() | Content.Refusal() | Content.Custom():
            return True
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
            if content.dialect != NAME:
                yield dropped("a block", content.value, f"only {content.dialect} knows this block")
            else:
                _own_block(content.value.value, parts, calls)
        case _:
            assert_never(content)


def _own_block(value: Any, parts: list[Block], calls: list[Block]) -> None:
    match value:
        case {"$tool_call": call, **rest} if not rest:
            calls.append(call)
        case _:
            parts.append(value)


def _request(content: Content.ToolRequest, out: Block, calls: list[Block]) -> Iterator[Loss]:
    if content.extras is NO_EXTRAS:
        calls.append(_write_request(content))
        return
    notes = content.extras.of(NAME)
    yield from foreign(content.extras, NAME)
    if notes.get("$function_call") and "function_call" not in out:
        call: Block = {"function_call": {"name": content.name, "arguments": notes.get("$arguments", _text_of(content.arguments))}}
        restore(call, content.extras, NAME)
        out.update(call)
    elif notes.get("$type") == "custom":
        call = {"id": content.id, "type": "custom", "custom": {"name": content.name, "input": _input_of(content.arguments)}}
        restore(call, content.extras, NAME)
        calls.append(call)
    else:
        call = _write_request(content)
        if "$arguments" in notes and content.arguments == Arguments.of(""):
            call["function"]["arguments"] = notes["$arguments"]
        calls.append(call)


def _text_of(arguments: Arguments.T) -> str:
    match arguments:
        case Arguments.Parsed(json=document):
            return document.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(arguments)


def _input_of(arguments: Arguments.T) -> str:
    """The text that a custom tool takes: a JSON string is that text itself."""
    match arguments:
        case Arguments.Parsed(json=document):
            value = document.value
            return value if isinstance(value, str) else document.text
        case Arguments.Malformed(text=text):
            return text
        case _:
            assert_never(arguments)


def _reasoning(content: Content.Reasoning, out: Block) -> Iterator[Loss]:
    key = content.extras.of(NAME).get("$key") if content.extras is not NO_EXTRAS else None
    if not isinstance(key, str):
        reason = "an assistant message has no reasoning"
        yield dropped("reasoning", content.text, reason, weight=Weight.DETAIL)
    elif key in out:
        out[key] += "\n\n" + content.text
        yield rewritten("reasoning", content.text, "a message has one reasoning text: they are joined")
    else:
        out[key] = content.text
    yield from foreign(content.extras, NAME)


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
    elif content.transcript:
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
            yield dropped(f"{key} of the audio", value, reason, weight=Weight.DETAIL)


# --- parts ---------------------------------------------------------------------------------------------------------------------


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """The part of a user message, and what is lost."""
    match content:
        case Content.Text():
            yield _write_text(content)
        case Content.Image():
            yield from image_part(content)
        case Content.Audio():
            yield from audio_part(content)
        case Content.Video():
            yield unsaid(content, "there is no video content")
            return
        case Content.PDF() | Content.File():
            yield from document_part(content)
        case Content.Custom():
            if content.dialect == NAME:
                yield content.value.value
            else:
                yield dropped("a block", content.value, f"only {content.dialect} knows this block")
            return
        case _:
            assert_never(content)
    if content.extras is not NO_EXTRAS:
        yield from foreign(content.extras, NAME)


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_text: Final = unstructuring(CODEC, Content.Text)
_write_refusal: Final = unstructuring(CODEC, Content.Refusal)
_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_assistant: Final = unstructuring(CODEC, Message.Assistant)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
