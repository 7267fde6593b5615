"""OpenAI Chat answers: the body of a `chat.completion`, read and written.

Reasoning stands in `reasoning_content`, as the servers have it that speak this dialect and show reasoning.
Source: the response types of POST /v1/chat/completions in the official SDK (`openai.types.chat`, 3.57).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, cast

from attrs import evolve

from chatadt._wire import restore
from chatadt.chat import StopKind
from chatadt.content import Content
from chatadt.dialects._answers import answering
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._codec import noted
from chatadt.dialects._losses import Block, foreign, moved, rewritten
from chatadt.dialects._openai_like.answers import Answers
from chatadt.dialects.openai_chat.assistant import write_assistant
from chatadt.dialects.openai_chat.codec import NAME
from chatadt.dialects.openai_chat.read import _assistant as read_message
from chatadt.dialects.openai_chat.rules import RULES
from chatadt.dialects.openai_chat.usage import read_usage, write_usage
from chatadt.loss import Loss
from chatadt.message import Message
from chatadt.resource import Resource

__all__ = ("ANSWERS", "read_response", "write_message", "write_response")


def write_message(message: Message.Assistant, losses: list[Loss], in_parts: bool = False) -> Block:
    """The message of an answer, where audio stands by value and all text is one string (or `in_parts`, as some servers answer)."""
    sound = next((content for content in message.contents if isinstance(content, Content.Audio) and _is_said(content)), None)
    told = [(index, _shown(content)) for index, content in enumerate(message.contents) if content is not sound]
    plain = told if in_parts else _joined(_joined(told, Content.Text, losses), Content.Refusal, losses)
    refused = [(index, content) for index, content in plain if isinstance(content, Content.Refusal) and not in_parts]
    spoken = [each for each in plain if each not in refused]
    places = [index for index, _ in spoken]
    found: list[Loss] = []
    rest = evolve(message, contents=[content for _, content in spoken])
    out = write_assistant(rest, found) or {"role": "assistant", "content": None}
    losses += [_replaced(loss, places) for loss in found]
    for index, refusal in refused:
        out["refusal"] = refusal.text
        losses += [loss.under(f".contents[{index}]") for loss in foreign(refusal.extras, NAME)]
    if sound is not None:
        out["audio"] = _audio(sound, losses)
    return out if in_parts else _with_one_text(out)


def _with_one_text(message: Block) -> Block:
    """The message whose parts are one string where all of them are texts, as transcripts are."""
    content: Any = message.get("content")
    if content.__class__ is list and all(_is_text(part) for part in content):
        message["content"] = "".join(part["text"] for part in content)
    return message


def _is_text(part: Any) -> bool:
    match part:
        case {"type": "text", "text": str()}:
            return True
        case _:
            return False


_PLACE: Final = re.compile(r"\.contents\[(\d+)\]")


def _replaced(loss: Loss, places: list[int]) -> Loss:
    """The loss at the place where its content stands in the answer."""
    found = _PLACE.match(loss.path)
    return evolve(loss, path=f".contents[{places[int(found[1])]}]{loss.path[found.end() :]}") if found else loss


def _is_said(audio: Content.Audio) -> bool:
    """Whether audio is as this dialect says it: by value, with an id."""
    return isinstance(audio.resource, Resource.Binary) and isinstance(audio.extras.of(NAME).get("id"), str)


def _audio(audio: Content.Audio, losses: list[Loss]) -> Block:
    out: Block = {"data": cast("Resource.Binary", audio.resource).content}
    if audio.transcript is not None:
        out["transcript"] = audio.transcript
    restore(out, audio.extras, NAME)
    losses += foreign(audio.extras, NAME)
    return out


def _shown(content: Content.Output) -> Content.Output:
    """Reasoning from elsewhere, with the field in which it is shown."""
    if isinstance(content, Content.Reasoning) and content.text and "$key" not in content.extras.of(NAME):
        return noted(content, NAME, "$key", "reasoning_content")
    return content


Words = Content.Text | Content.Refusal


def _joined(contents: list[tuple[int, Content.Output]], case: type[Words], losses: list[Loss]) -> list[tuple[int, Content.Output]]:
    """The contents with all of one case in the place of the first: an answer has one text, and one refusal."""
    out: list[tuple[int, Content.Output]] = []
    words: dict[int, list[str]] = {}
    for index, content in contents:
        if not isinstance(content, case):
            out.append((index, content))
        elif not words:
            words[len(out)] = [content.text]
            out.append((index, content))
        else:
            (first,) = words
            words[first].append(content.text)
            found = [*_loss_of_joining(content, out[first + 1 :]), *foreign(content.extras, NAME)]
            losses += [loss.under(f".contents[{index}]") for loss in found]
    for place, texts in words.items():
        index, first_content = out[place]
        if len(texts) > 1:
            out[place] = (index, evolve(cast("Content.Text", first_content), text="".join(texts)))
    return out


def _loss_of_joining(content: Words, between: list[tuple[int, Content.Output]]) -> Iterator[Loss]:
    what, reason = f"a {type(content).__name__.lower()} of its own", "an answer has one: they are joined"
    asked = any(isinstance(other, Content.ToolRequest) for _, other in between)
    yield (moved if asked else rewritten)(what, content.text, f"{reason}, before the tool calls" if asked else reason)


ANSWERS: Final = Answers(
    NAME,
    kinds={
        "stop": StopKind.END,
        "eos": StopKind.END,
        "eos_token": StopKind.END,
        "length": StopKind.LENGTH,
        "tool_calls": StopKind.TOOL_CALLS,
        "function_call": StopKind.TOOL_CALLS,
        "content_filter": StopKind.CONTENT_FILTER,
        "error": StopKind.ERROR,
    },
    words={
        StopKind.END: "stop",
        StopKind.LENGTH: "length",
        StopKind.TOOL_CALLS: "tool_calls",
        StopKind.CONTENT_FILTER: "content_filter",
    },
    nearest={
        StopKind.CONTEXT_OVERFLOW: "length",
        StopKind.REFUSAL: "content_filter",
        StopKind.ERROR: "length",
        StopKind.INTERRUPTED: "length",
        StopKind.CANCELLED: "length",
    },
    read_message=read_message,
    write_message=write_message,
    read_usage=read_usage,
    write_usage=write_usage,
    refuses=True,
)

read_response: Final = answering(NAME, ANSWERS.read, lambda body: "choices" in body)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""

write_response: Final = identifying(NAME, RULES.tool_id, ANSWERS.write)
"""Write the body of an answer: total, with every loss reported at its path in the answer."""
