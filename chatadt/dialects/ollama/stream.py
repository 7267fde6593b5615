"""Ollama streams: lines of JSON, each a piece of an answer, read and written. `chatadt.ndjson` parses and makes the lines.

Source: `ChatResponse` in the official SDK (`ollama`, 0.6) and in the server (`api/types.go`).
"""

from __future__ import annotations

from chatadt.dialects.ollama.deltas import read_stream
from chatadt.dialects.ollama.events import write_stream

__all__ = ("read_stream", "write_stream")
