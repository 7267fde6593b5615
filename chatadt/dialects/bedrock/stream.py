"""Bedrock streams: the events of ConverseStream, read and written.

Source: `ConverseStreamOutput` in the service model of bedrock-runtime that botocore ships (1.44). `chatadt.aws_events` reads them
from the bytes of a response, and frames them.
"""

from __future__ import annotations

from chatadt.dialects.bedrock.deltas import read_stream
from chatadt.dialects.bedrock.events import write_stream

__all__ = ("read_stream", "write_stream")
