"""Cohere streams: the events of a message, read and written.

Source: `cohere.v2.types.v2chat_stream_response` (7.3).
"""

from __future__ import annotations

from chatadt.dialects.cohere.deltas import read_stream
from chatadt.dialects.cohere.events import write_stream

__all__ = ("read_stream", "write_stream")
