"""The words -> Ollama JSON: the case picks the field, the codec fills it, what the dialect cannot say is a loss.

A message has one text, and images beside it; an assistant's also what it thought, and its calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, assert_never

import orjson
from attrs import evolve

from chatadt._hooks import unstructuring
from chatadt.chat import ChatRequest
from chatadt.content import NO_ARGUMENTS, Arguments, Content
from chatadt.dialects._codec import OK
from chatadt.dialects._dialect import NO_TARGET, Target, encoded
from chatadt.dialects._losses import (
    Block,
    Splice,
    Written,
    arguments_object,
    as_fragment,
    as_object,
    dropped,
    foreign,
    lost,
    moved,
    nameless,
    omitted,
    parted,
    relocate,
    rewritten,
    unsaid,
)
from chatadt.dialects._media import media_type
from chatadt.dialects._openai_like.assistant import Voice, spoken
from chatadt.dialects._openai_like.write import Teller, as_text, media_type_lost, outcome_lost, text_of_file, write_messages
from chatadt.dialects._plain import arguments_of, is_plain_text, says_more
from chatadt.dialects.ollama.codec import CODEC, NAME
from chatadt.dialects.ollama.params import write_params
from chatadt.dialects.ollama.rules import RULES
from chatadt.dialects.ollama.ties import Ties, by_calls, out_of_order, placed
from chatadt.json import NO_EXTRAS, Json, dump
from chatadt.loss import Action, Converted, Loss, Weight
from chatadt.message import Message
from chatadt.resource import Resource, sniff_base64

__all__ = ("encode_request", "write_answer", "write_request")


def write_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[Block]:
    """Write a request body: total, with every loss reported at its path in `request`."""
    del target  # every model of this dialect is written alike
    return _written(request, _VOICE, as_object)


def encode_request(request: ChatRequest, target: Target = NO_TARGET) -> Converted[bytes]:
    """Write a request body as JSON: what `write_request` writes, tool arguments as the text that they came with."""
    written = _written(request, _VERBATIM, as_fragment)
    try:
        return Converted(orjson.dumps(written.value), written.losses)
    except TypeError:  # integers beyond 64 bits and lone surrogates
        return encoded(write_request)(request, target)


def _written(request: ChatRequest, voice: Voice, splice: Splice) -> Converted[Block]:
    losses: list[Loss] = []
    body = write_params(request.params, losses)
    relocate(losses, 0, "$.params")
    known = len(losses)
    calls = _Calls(splice)
    body["messages"] = _conversation(request.messages, calls, voice, losses)
    if calls.misread and (order := by_calls(request.messages)) != sorted(order):
        del losses[known:]
        body["messages"] = _conversation([request.messages[index] for index in order], _Calls(splice), voice, losses)
        losses[known:] = [placed(loss, order) for loss in losses[known:]]
        losses += (out_of_order(message, place) for place, message in enumerate(request.messages) if order[place] != place)
    return Converted(body, tuple(losses))


def _conversation(messages: Sequence[Message.T], calls: _Calls, voice: Voice, losses: list[Loss]) -> list[Block]:
    assistant = partial(_assistant, calls, voice)
    teller = Teller(NAME, system=_system, user=_user, assistant=assistant, result=partial(_result, calls))
    return write_messages(messages, teller, losses)


def write_answer(message: Message.Assistant, losses: list[Loss]) -> Block:
    """The message of an answer, which is there also where nothing of it can be said."""
    return _assistant(_Calls(as_object), _VOICE, message, losses) or {"role": "assistant", "content": ""}


class _Calls:
    """What the calls of a conversation are called, once it is read again, and how their arguments are put."""

    __slots__ = ("misread", "names", "splice", "ties")

    def __init__(self, splice: Splice) -> None:
        self.splice = splice
        self.ties = Ties()
        self.names: dict[str, str] = {}  # by id: the id that a reader gives
        self.misread = False  # whether a reader would tie some result to another call than its own


# --- messages ------------------------------------------------------------------------------------------------------------------


def _system(message: Message.System, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out = _write_system(message)
    only: Any = message.contents[0] if len(message.contents) == 1 else None
    if is_plain_text(only) and message.extras is NO_EXTRAS:  # as nearly all are
        out["content"] = only.text
        return out
    blocks = _blocks(message.contents, losses)
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    if message.contents and not blocks:
        return None
    out["content"] = _joined([block["text"] for block in blocks], losses)
    return out


def _user(message: Message.User, losses: list[Loss]) -> Block:
    only: Any = message.contents[0] if len(message.contents) == 1 else None
    if is_plain_text(only) and not says_more(message):  # as nearly all are
        return {"role": "user", "content": only.text}
    out = _write_user(message)
    _fill(out, message, losses)
    losses += nameless(message, "message")
    return out


def _result(calls: _Calls, message: Message.ToolResult, called: str | None, waiting: list[Block], losses: list[Loss]) -> Block:
    del called, waiting  # a result names its tool itself, and all that can be said of it stays in it
    plain = _plain_result(calls, message)
    if plain is not None:
        return plain
    out = _write_result(message)
    notes = message.extras.of(NAME) if message.extras is not NO_EXTRAS else {}
    _fill(out, message, losses)
    tool = None if notes.get("$unnamed") else message.tool
    if tool is not None:
        out["tool_name"] = tool
    if notes.get("$id"):
        out["tool_call_id"] = message.id
    answered = calls.ties.answer(tool, message.id if notes.get("$id") else "")
    if answered != calls.names.get(message.id, message.id):
        calls.misread = True
        reason = "a result has no id: it answers the first open call of its tool"
        losses.append(dropped("tool id", message.id, reason, weight=Weight.DETAIL, path=".id"))
    losses += outcome_lost(message)
    return out


def _plain_result(calls: _Calls, message: Message.ToolResult) -> Block | None:
    """A result as nearly all are: one text, of a tool that is known, in answer to the call that is next. None of any other."""
    if message.extras is not NO_EXTRAS or len(message.contents) != 1 or message.outcome is not OK:
        return None
    only = message.contents[0]
    if not isinstance(only, Content.Text) or only.extras is not NO_EXTRAS or message.tool is None:
        return None
    if not calls.ties.answers(message.tool, calls.names.get(message.id, message.id)):
        return None
    return {"role": "tool", "content": only.text, "tool_name": message.tool}


def _fill(out: Block, message: Message.User | Message.ToolResult, losses: list[Loss]) -> None:
    """Give `out` the text and the images of a message."""
    if message.extras is NO_EXTRAS and len(message.contents) == 1:
        only = message.contents[0]
        if isinstance(only, Content.Text) and only.extras is NO_EXTRAS:
            out["content"] = only.text
            return
    blocks = _blocks(message.contents, losses)
    if message.contents and not blocks:
        blocks = [{"text": omitted(message.contents, losses)}]
    texts = [block["text"] for block in blocks if "text" in block]
    images = [block["image"] for block in blocks if "image" in block]
    out["content"] = _joined(texts, losses)
    if images:
        out["images"] = images
        if texts == [""]:
            losses.append(_no_text())
        if any("text" in block for block in blocks[len(texts) :]):
            losses.append(moved("contents", "text", "the text of a message stands before its images"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)


def _joined(texts: list[str], losses: list[Loss]) -> str:
    if len(texts) > 1:
        losses.append(rewritten("texts", texts, "a message has one text: they are joined by a blank line"))
    return "\n\n".join(texts)


def _no_text() -> Loss:
    return dropped("an empty text", "", "beside anything else it says nothing", weight=Weight.DETAIL)


# --- the assistant -------------------------------------------------------------------------------------------------------------


def _assistant(calls: _Calls, voice: Voice, message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    plain = _plainly_said(calls, message, losses)
    if plain is not None:
        return plain
    parts, asked = spoken(message, voice, losses)
    calls.ties.turn()
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.ToolRequest):
            is_own = content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$id")
            _number(calls, index, content, content.id if is_own else "", losses)
    if message.contents and not parts and not asked:
        return None
    out = _write_assistant(message)
    if not parts or (len(parts) == 1 and parts[0].get("text")):
        out["content"] = parts[0]["text"] if parts else ""
        if asked:
            out["tool_calls"] = asked
        return out
    texts = [part["text"] for part in parts if "text" in part]
    thoughts = [part["thinking"] for part in parts if "thinking" in part]
    if thoughts:
        out["thinking"] = "\n\n".join(thoughts)
    out["content"] = _joined(texts, losses)
    if asked:
        out["tool_calls"] = asked
    if len(thoughts) > 1:
        losses.append(rewritten("reasoning", thoughts, "a message has one reasoning text: they are joined"))
    if any("thinking" in part for part in parts[len(thoughts) :]):
        losses.append(moved("reasoning", "reasoning", "what a model thought stands before what it said"))
    if texts == [""] and (thoughts or asked):
        losses.append(_no_text())
    return out


def _plainly_said(calls: _Calls, message: Any, losses: list[Loss]) -> Block | None:
    """The message as nearly all are, of one text, of calls, or of both in that order; None of any other."""
    contents = message.contents
    if says_more(message) or not contents:
        return None
    text = contents[0].text if is_plain_text(contents[0]) else ""
    requests = contents[1:] if text else contents
    asked: list[Block] = []
    for content in requests:
        arguments = arguments_of(content, NAME, calls.splice)
        if arguments is None:
            return None
        asked.append({"function": {"name": content.name, "arguments": arguments}})
    calls.ties.turn()
    if not asked:
        return {"role": "assistant", "content": text}
    for index, content in enumerate(requests, len(contents) - len(requests)):
        _number(calls, index, content, "", losses)
    return {"role": "assistant", "content": text, "tool_calls": asked}


def _number(calls: _Calls, index: int, call: Content.ToolRequest, given: str, losses: list[Loss]) -> None:
    """Count a call as a reader will; an id that it will not find again is lost."""
    id_ = calls.ties.ask(call.name, given)
    calls.names[call.id] = id_
    if id_ != call.id:
        losses.append(lost(f".contents[{index}].id", "tool id", _DROPPED, Json.trusted(dump(call.id)), _UNCALLED, _DETAIL))


_DROPPED: Final = Action.DROPPED  # their names are looked up once
_DETAIL: Final = Weight.DETAIL
_UNCALLED: Final = "a call has no id: results follow in the order of the calls"


def _verbatim(content: Content.ToolRequest) -> Written:
    """A call, its arguments as the text that they came with; nothing of one that says nothing beside it is lost."""
    said = content.arguments
    is_known = content.extras is NO_EXTRAS or NAME not in content.extras
    arguments = as_fragment(said.json) if is_known and isinstance(said, Arguments.Parsed) else None
    if arguments is None:
        return _request(content)
    return {"function": {"name": content.name, "arguments": arguments}}


def _request(content: Content.ToolRequest) -> Iterator[Block | Loss]:
    arguments, loss = arguments_object(content)
    if loss is not None:
        yield loss
    call = _write_request(content)
    notes = content.extras.of(NAME) if content.extras is not NO_EXTRAS else {}
    if notes.get("$id"):
        call["id"] = content.id
    if "$index" in notes:
        call["function"]["index"] = notes["$index"]
    if not (notes.get("$bare") and content.arguments == NO_ARGUMENTS):
        call["function"]["arguments"] = arguments
    yield call


def _reasoning(content: Content.Reasoning) -> Iterator[Block | Loss]:
    """What the model thought; reasoning without text, such as another provider's encrypted one, cannot be said."""
    if content.text or NAME in content.extras:
        yield {"thinking": content.text}
    else:
        yield dropped("reasoning", content.text, "it has no text that could be shown", weight=Weight.DETAIL)


def _text(content: Content.Text) -> Block:
    return {"text": content.text}


# --- contents ------------------------------------------------------------------------------------------------------------------


def _blocks(contents: tuple[Content.Input, ...], losses: list[Loss]) -> list[Block]:
    """The texts and the images of some contents, in order."""
    return [block for at, content in enumerate(contents) for block in parted(_input(content), losses, f".contents[{at}]")]


def _input(content: Content.Input) -> Iterator[Block | Loss]:
    """A text or an image of a message, and what is lost."""
    match content:
        case Content.Text():
            yield _text(content)
        case Content.Image() | Content.Audio():
            yield from _medium(content)
        case Content.PDF(resource=Resource.Binary() as resource) if resource.extras.of(NAME).get("$own"):
            yield {"image": resource.content}
            yield from foreign(resource.extras, NAME)
            if content.name is not None:
                yield dropped("the name", content.name, "an image has no name", weight=Weight.DETAIL, path=".name")
        case Content.File() if (text := text_of_file(content)) is not None:
            yield as_text(content)
            yield {"text": text}
        case Content.Video() | Content.PDF() | Content.File():
            yield unsaid(content, f"there is no {type(content).__name__.lower()} content")
            return
        case Content.Custom(dialect=dialect, value=value):
            yield dropped("a block", value, f"only {dialect} knows this block")
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


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_assistant: Final = unstructuring(CODEC, Message.Assistant)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
_VOICE: Final = Voice(NAME, "text, thinking and tool calls", _text, _request, _reasoning, has_parts=False)
_VERBATIM: Final = evolve(_VOICE, request=_verbatim)
