"""OpenAI Responses streams: the events of an answer, read and written.

Source: `openai.types.responses.response_stream_event` (3.57), and how the official client accumulates them.
"""

from __future__ import annotations

from chatadt.dialects.openai_responses.deltas import read_stream
from chatadt.dialects.openai_responses.events import write_stream

__all__ = ("read_stream", "write_stream")
