"""Mistral answers: the body of a `chat.completion`, read and written.

Source: `mistralai.client.models.chatcompletionresponse` (3.7).
"""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from chatadt.chat import StopKind
from chatadt.dialects._answers import answering
from chatadt.dialects._call_ids import identifying
from chatadt.dialects._losses import Block
from chatadt.dialects._openai_like.answers import Answers
from chatadt.dialects.mistral.codec import NAME
from chatadt.dialects.mistral.read import read_assistant
from chatadt.dialects.mistral.rules import RULES
from chatadt.dialects.mistral.usage import read_usage, write_usage
from chatadt.dialects.mistral.write import write_assistant
from chatadt.loss import Loss
from chatadt.message import Message

__all__ = ("ANSWERS", "read_response", "write_message", "write_response", "write_streamed")


def write_message(message: Message.Assistant, losses: list[Loss], in_parts: bool = False) -> Block:
    """The message of an answer; its content is a list where that is asked for."""
    out = write_assistant(message, losses) or {"role": "assistant", "content": ""}
    content: Any = out.get("content")
    if in_parts and content.__class__ is str and message.contents:
        out["content"] = [{"type": "text", "text": content}]
    return out


ANSWERS: Final = Answers(
    NAME,
    kinds={
        "stop": StopKind.END,
        "length": StopKind.LENGTH,
        "model_length": StopKind.CONTEXT_OVERFLOW,
        "tool_calls": StopKind.TOOL_CALLS,
        "error": StopKind.ERROR,
    },
    words={
        StopKind.END: "stop",
        StopKind.LENGTH: "length",
        StopKind.CONTEXT_OVERFLOW: "model_length",
        StopKind.TOOL_CALLS: "tool_calls",
        StopKind.ERROR: "error",
    },
    nearest={StopKind.INTERRUPTED: "error", StopKind.CANCELLED: "error", StopKind.MALFORMED_TOOL_CALL: "error"},
    read_message=read_assistant,
    write_message=write_message,
    read_usage=read_usage,
    write_usage=write_usage,
    always_counts=True,
)

_STREAMED: Final = evolve(
    ANSWERS,
    words={kind: word for kind, word in ANSWERS.words.items() if kind is not StopKind.CONTEXT_OVERFLOW},
    nearest={**ANSWERS.nearest, StopKind.CONTEXT_OVERFLOW: "length"},
)
"""In a stream there is no `model_length` (`mistralai.client.models.completionresponsestreamchoice`)."""

read_response: Final = answering(NAME, ANSWERS.read, lambda body: "choices" in body)
"""Read the body of an answer. Answers `Refused` for the provider's error, `Unreadable` for what is no answer; never raises."""

write_response: Final = identifying(NAME, RULES.tool_id, ANSWERS.write)
"""Write the body of an answer: total, with every loss reported at its path in the answer."""

write_streamed: Final = identifying(NAME, RULES.tool_id, _STREAMED.write)
"""Write an answer as the chunks of a stream say it together."""
