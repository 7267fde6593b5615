"""The words -> Ollama JSON: the case picks the field, the codec fills it, what the dialect cannot say is a loss.

A message has one text, and images beside it; an assistant's also what it thought, and its calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, assert_never

import orjson
from attrs import evolve

from chatadt._hooks import unstructuring
from chatadt.chat import ChatRequest
from chatadt.content import NO_ARGUMENTS, Arguments, Content
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
    foreign_message,
    moved,
    nameless,
    omitted,
    relocate,
    rewritten,
)
from chatadt.dialects._openai_like.assistant import Voice, spoken
from chatadt.dialects._openai_like.write import outcome_lost
from chatadt.dialects._plain import arguments_of, is_plain_text, says_more
from chatadt.dialects.ollama.blocks import GOES_ON, blocks_of, joined, no_text, text_block
from chatadt.dialects.ollama.calls import Calls, number, uncalled
from chatadt.dialects.ollama.codec import CODEC, NAME
from chatadt.dialects.ollama.params import write_params
from chatadt.dialects.ollama.ties import by_calls, out_of_order, placed
from chatadt.json import NO_EXTRAS
from chatadt.loss import Converted, Loss, Weight
from chatadt.message import Message

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
    calls = Calls(splice)
    body["messages"] = _conversation(request.messages, calls, voice, losses)
    if calls.misread and (order := by_calls(request.messages)) != sorted(order):
        del losses[known:]
        body["messages"] = _conversation([request.messages[index] for index in order], Calls(splice), voice, losses)
        losses[known:] = [placed(loss, order) for loss in losses[known:]]
        losses += (out_of_order(message, place) for place, message in enumerate(request.messages) if order[place] != place)
    return Converted(body, tuple(losses))


def _conversation(messages: Sequence[Message.T], calls: Calls, voice: Voice, losses: list[Loss]) -> list[Block]:
    out: list[Block] = []
    for index, message in enumerate(messages):
        written = _plainly(message, calls, index, losses)
        if written is None:
            known = len(losses)
            written = _message(message, calls, voice, losses)
            relocate(losses, known, f"$.messages[{index}]")
        if written is not None:
            out.append(written)
    return out


def _message(message: Message.T, calls: Calls, voice: Voice, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    match message:
        case Message.System():
            return _system(message, losses)
        case Message.User():
            return _user(message, losses)
        case Message.Assistant():
            return _assistant(calls, voice, message, losses)
        case Message.ToolResult():
            return _result(calls, message, losses)
        case Message.Custom(attributes=attributes, dialect=dialect):
            if dialect == NAME:
                written: Block = attributes.value
                return written
            losses.append(foreign_message(message))
            return None
        case _:
            assert_never(message)


def write_answer(message: Message.Assistant, losses: list[Loss]) -> Block:
    """The message of an answer, which is there also where nothing of it can be said."""
    return _assistant(Calls(as_object), _VOICE, message, losses) or {"role": "assistant", "content": ""}


# --- the short way (see `dialects._plain`) ---------------------------------------------------------------------------------------


def _plainly(message: Any, calls: Calls, index: int, losses: list[Loss]) -> Block | None:
    """The message as nearly all are, of one text, of calls, or of both in that order; None of any other.

    `index` is that of the message, for the paths of losses.
    """
    if says_more(message) or not (contents := message.contents):
        return None
    kind = message.__class__
    if kind is _ASSISTANT:
        return _plainly_said(contents, calls, index, losses)
    if len(contents) != 1 or not is_plain_text(contents[0]):
        return None
    if kind is _USER:
        return {"role": "user", "content": contents[0].text}
    id_: str = message.id
    if message.tool is None or not calls.ties.answers(message.tool, calls.names.get(id_, id_)):
        return None
    return {"role": "tool", "content": contents[0].text, "tool_name": message.tool}


def _plainly_said(contents: tuple[Any, ...], calls: Calls, index: int, losses: list[Loss]) -> Block | None:
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
    ask, names = calls.ties.ask, calls.names
    for at, content in enumerate(requests, len(contents) - len(requests)):  # as `number` does, without the call
        names[content.id] = id_ = ask(content.name)
        if id_ != content.id:
            losses.append(uncalled(f"$.messages[{index}].contents[{at}].id", content.id))
    return {"role": "assistant", "content": text, "tool_calls": asked}


_ASSISTANT: Final = Message.Assistant
_USER: Final = Message.User


# --- messages ------------------------------------------------------------------------------------------------------------------


def _system(message: Message.System, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    out = _write_system(message)
    only: Any = message.contents[0] if len(message.contents) == 1 else None
    if is_plain_text(only) and message.extras is NO_EXTRAS:  # as nearly all are
        out["content"] = only.text
        return out
    blocks = blocks_of(message.contents, losses)
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)
    if message.contents and not blocks:
        return None
    out["content"] = joined([block["text"] for block in blocks], losses)
    return out


def _user(message: Message.User, losses: list[Loss]) -> Block:
    out = _write_user(message)
    _fill(out, message, losses)
    losses += nameless(message, "message")
    return out


def _result(calls: Calls, message: Message.ToolResult, losses: list[Loss]) -> Block:
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


def _fill(out: Block, message: Message.User | Message.ToolResult, losses: list[Loss]) -> None:
    """Give `out` the text and the images of a message."""
    if message.extras is NO_EXTRAS and len(message.contents) == 1:
        only = message.contents[0]
        if isinstance(only, Content.Text) and only.extras is NO_EXTRAS:
            out["content"] = only.text
            return
    blocks = blocks_of(message.contents, losses)
    if message.contents and not blocks:
        blocks = [{"text": omitted(message.contents, losses)}]
    texts = [block["text"] for block in blocks if "text" in block]
    images = [block["image"] for block in blocks if "image" in block]
    out["content"] = joined(texts, losses)
    if images:
        out["images"] = images
        if texts == [""]:
            losses.append(no_text())
        if any("text" in block for block in blocks[len(texts) :]):
            losses.append(moved("contents", "text", "the text of a message stands before its images"))
    if message.extras is not NO_EXTRAS:
        losses += foreign(message.extras, NAME)


# --- the assistant -------------------------------------------------------------------------------------------------------------


def _assistant(calls: Calls, voice: Voice, message: Message.Assistant, losses: list[Loss]) -> Block | None:
    """The message, or None when nothing of it can be said."""
    parts, asked = spoken(message, voice, losses)
    calls.ties.turn()
    for index, content in enumerate(message.contents):
        if isinstance(content, Content.ToolRequest):
            is_own = content.extras is not NO_EXTRAS and content.extras.of(NAME).get("$id")
            number(calls, index, content, content.id if is_own else "", losses)
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
    out["content"] = joined(texts, losses, GOES_ON)
    if asked:
        out["tool_calls"] = asked
    if len(thoughts) > 1:
        losses.append(rewritten("reasoning", thoughts, "a message has one reasoning text: they are joined"))
    if any("thinking" in part for part in parts[len(thoughts) :]):
        losses.append(moved("reasoning", "reasoning", "what a model thought stands before what it said"))
    if texts == [""] and (thoughts or asked):
        losses.append(no_text())
    return out


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


# --- hooks ---------------------------------------------------------------------------------------------------------------------

_write_request: Final = unstructuring(CODEC, Content.ToolRequest)
_write_system: Final = unstructuring(CODEC, Message.System)
_write_user: Final = unstructuring(CODEC, Message.User)
_write_assistant: Final = unstructuring(CODEC, Message.Assistant)
_write_result: Final = unstructuring(CODEC, Message.ToolResult)
_VOICE: Final = Voice(NAME, "text, thinking and tool calls", text_block, _request, _reasoning, has_parts=False)
_VERBATIM: Final = evolve(_VOICE, request=_verbatim)
