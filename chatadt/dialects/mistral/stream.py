"""Mistral streams: chunks of a `chat.completion`, read and written.

Source: `mistralai.client.models.completionchunk` (3.7).
"""

from __future__ import annotations

from chatadt.dialects.mistral.deltas import read_stream
from chatadt.dialects.mistral.events import write_stream

__all__ = ("read_stream", "write_stream")
