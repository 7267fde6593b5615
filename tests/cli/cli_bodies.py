"""What the tests of the command line convert, and how they run it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

from typer.testing import CliRunner

from chatadt.cli.app import app

COMMAND: Final = (sys.executable, "-m", "chatadt.cli")
TO_ANTHROPIC: Final = ("convert", "--from", "openai_chat", "--to", "anthropic")
SAME: Final = ("convert", "--from", "openai_chat", "--to", "openai_chat")


def asking(content: Any = "hi", **fields: Any) -> dict[str, Any]:
    """A request that OpenAI Chat and Anthropic both can say, unless the arguments say otherwise."""
    return {"model": "gpt-5", "messages": [{"role": "user", "content": content}], "max_tokens": 10, **fields}


AUDIO: Final = asking([{"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}])
"""Anthropic cannot say it: a loss of content."""

SEED: Final = asking(seed=7)
"""Anthropic cannot say its seed: a loss of a detail."""

CALLS: Final = asking(
    messages=[
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "name": "Ann",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo=", "detail": "high"}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "Köln"}'}}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "a cathedral"},
        {"role": "assistant", "content": "A cathedral."},
    ],
    tools=[{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
)


def lines(*bodies: Any) -> bytes:
    """JSON Lines of bodies; a body that is bytes stands as it is."""
    return b"".join(body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode() + b"\n" for body in bodies)


def run(*arguments: str, input: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run([*COMMAND, *arguments], input=input, capture_output=True, timeout=60, check=False)


def invoke(*arguments: str, input: bytes = b"") -> Any:
    """The command within this process."""
    return CliRunner().invoke(app, list(arguments), input=input)


MEASURE: Final = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""
"""Run by a process of its own: a child inherits the peak of the one that forks it, and pytest's is higher than any we look for."""
