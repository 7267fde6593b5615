"""OpenAI Chat streams: chunks of a `chat.completion`, read and written.

Source: `openai.types.chat.chat_completion_chunk` (3.57); how servers differ: see `_openai_like.pieces` and `_openai_like.deltas`.
"""

from __future__ import annotations

from chatadt.dialects.openai_chat.deltas import read_stream
from chatadt.dialects.openai_chat.events import write_stream

__all__ = ("read_stream", "write_stream")
