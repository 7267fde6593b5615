"""The tokens that OpenAI Chat counts: all inclusive, the sum beside them."""

from __future__ import annotations

from typing import Final

from chatadt._hooks import register, structuring, unstructuring
from chatadt.chat import Usage
from chatadt.dialects._openai_like.usage import counted, usage_reader, usage_writer
from chatadt.dialects.openai_chat.codec import CODEC, NAME

__all__ = ("read_usage", "write_usage")

register(
    CODEC,
    Usage,
    {
        "input": counted("prompt_tokens"),
        "output": counted("completion_tokens"),
        "cache_read": counted("prompt_tokens_details.cached_tokens"),
        "cache_write": counted("prompt_tokens_details.cache_write_tokens"),
        "reasoning": counted("completion_tokens_details.reasoning_tokens"),
        "audio_input": counted("prompt_tokens_details.audio_tokens"),
        "audio_output": counted("completion_tokens_details.audio_tokens"),
    },
    dialect=NAME,
)

read_usage: Final = usage_reader(NAME, structuring(CODEC, Usage))
write_usage: Final = usage_writer(NAME, unstructuring(CODEC, Usage))
