"""Gemini streams: chunks that are whole answers, read and written.

Source: `google.genai.types.GenerateContentResponse` (3.6), and what streamGenerateContent sends.
"""

from __future__ import annotations

from chatadt.dialects.gemini.deltas import read_stream
from chatadt.dialects.gemini.events import write_stream

__all__ = ("read_stream", "write_stream")
