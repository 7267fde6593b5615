"""Anthropic streams: the events of a message, read and written.

Source: `anthropic.types.raw_message_stream_event` (2.14), and how the official client accumulates them.
"""

from __future__ import annotations

from chatadt.dialects.anthropic.deltas import read_stream
from chatadt.dialects.anthropic.events import write_stream

__all__ = ("read_stream", "write_stream")
