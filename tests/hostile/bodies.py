"""Ten request bodies as clients send them, and every node inside a body."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final, TypeAlias

__all__ = ("BODIES", "Where", "nodes", "place", "replaced")

Where: TypeAlias = "tuple[str | int, ...]"
Body: TypeAlias = "dict[str, Any]"

PNG: Final = "iVBORw0KGgo="
PDF: Final = "JVBERi0xLjQ="
SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string", "enum": ["a", "b"]}}, "required": ["city"]}


def call(id: str, arguments: str = '{"city": "Oslo"}') -> Body:
    return {"id": id, "type": "function", "function": {"name": "weather", "arguments": arguments}}


def use(id: str) -> Body:
    return {"type": "tool_use", "id": id, "name": "weather", "input": {"city": "Oslo", "days": [1, 2.5, None, True]}}


OPENAI_CHAT: Final[tuple[Body, ...]] = (
    {
        "model": "gpt-5",
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": "hello", "name": "ann"},
            {"role": "assistant", "content": "hi", "refusal": "no"},
            {"role": "user", "content": [{"type": "text", "text": "and?"}, {"type": "text", "text": "so?"}]},
        ],
        "temperature": 0.5,
        "max_completion_tokens": 100,
        "stop": ["\n", "end"],
    },
    {
        "model": "gpt-5",
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "what is this?"},
                    {"type": "image_url", "image_url": {"url": "https://example.org/cat.png", "detail": "low"}},
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                    {"type": "input_audio", "input_audio": {"data": "UklGRgAAAABXQVZF", "format": "wav"}},
                    {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}},
                    {"type": "file", "file": {"file_id": "file-1"}},
                ],
            },
        ],
        "seed": 7,
        "user": "u",
        "stream": True,
    },
    {
        "model": "gpt-5",
        "messages": [
            {"role": "user", "content": "weather?"},
            {"role": "assistant", "content": "I look.", "tool_calls": [call("c1"), call("c2", '{"city": ')]},
            {"role": "tool", "tool_call_id": "c2", "content": "rain"},
            {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "sun"}, {"type": "text", "text": "!"}]},
        ],
        "tools": [
            {
                "type": "function",
                "function": {"name": "weather", "description": "W.", "parameters": SCHEMA, "strict": True},
            },
            {"type": "custom", "custom": {"name": "shell", "format": {"type": "text"}}},
        ],
        "tool_choice": {"type": "function", "function": {"name": "weather"}},
        "parallel_tool_calls": False,
    },
    {
        "model": "gpt-5",
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [{"type": "text", "text": "b"}, {"type": "refusal", "refusal": "c"}], "name": "bob"},
            {"role": "assistant", "content": None, "audio": {"id": "audio_1"}},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c3", "type": "custom", "custom": {"name": "shell", "input": "ls"}}],
            },
            {"role": "tool", "tool_call_id": "c3", "content": "x"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "n", "description": "d", "schema": SCHEMA, "strict": True},
        },
        "reasoning_effort": "low",
        "metadata": {"a": "b"},
        "logit_bias": {"1": -100},
    },
    {
        "model": "deepseek-reasoner",
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "b", "reasoning_content": "hm", "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "4"},
            {"role": "latest_reminder", "content": "be quick"},
        ],
        "max_tokens": 10,
        "stop": "x",
        "presence_penalty": 1,
        "frequency_penalty": 0.5,
        "top_p": 1,
        "n": 2,
    },
)

ANTHROPIC: Final[tuple[Body, ...]] = (
    {
        "model": "claude-opus-4-8",
        "max_tokens": 100,
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
            {"role": "user", "content": [{"type": "text", "text": "and?"}, {"type": "text", "text": "so?"}]},
        ],
        "stop_sequences": ["\n"],
        "metadata": {"user_id": "u"},
    },
    {
        "model": "claude-opus-4-8",
        "max_tokens": 100,
        "system": [
            {"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}},
            {"type": "text", "text": "b"},
        ],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                    {"type": "image", "source": {"type": "url", "url": "https://example.org/cat.png"}},
                    {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
                    {
                        "type": "document",
                        "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                        "title": "a.pdf",
                        "context": "c",
                        "citations": {"enabled": True},
                    },
                    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a,b"}},
                    {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "a"}]}},
                ],
            },
        ],
        "stream": True,
    },
    {
        "model": "claude-opus-4-8",
        "max_tokens": 100,
        "messages": [
            {"role": "user", "content": "weather?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "sig"},
                    {"type": "redacted_thinking", "data": "AA=="},
                    {"type": "text", "text": "I look."},
                    use("toolu_1"),
                    use("toolu_2"),
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_2", "content": "rain", "is_error": True},
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_1",
                        "content": [
                            {"type": "text", "text": "sun"},
                            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                        ],
                    },
                    {"type": "text", "text": "go on"},
                ],
            },
        ],
        "tools": [
            {"name": "weather", "description": "W.", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}},
            {"type": "web_search_20260209", "name": "web_search", "max_uses": 3},
        ],
        "tool_choice": {"type": "tool", "name": "weather", "disable_parallel_tool_use": True},
        "thinking": {"type": "enabled", "budget_tokens": 2048},
    },
    {
        "model": "claude-3-5-haiku-latest",
        "max_tokens": 100,
        "messages": [
            {"role": "user", "content": "a"},
            {
                "role": "assistant",
                "content": [
                    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "a"}},
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": [{"type": "web_search_result", "url": "https://example.org", "title": "t"}],
                    },
                    {"type": "text", "text": "b", "citations": [{"type": "char_location", "cited_text": "c"}]},
                ],
            },
            {"role": "user", "content": [{"type": "search_result", "source": "s", "title": "t", "content": []}]},
        ],
        "temperature": 0.5,
        "top_p": 1,
        "top_k": 5,
        "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": SCHEMA}},
        "tool_choice": {"type": "auto"},
    },
    {
        "max_tokens": 100,
        "anthropic_version": "bedrock-2023-05-31",
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "user", "content": "b"},
            {"role": "system", "content": [{"type": "text", "text": "c"}]},
            {"role": "assistant", "content": "d"},
            {"role": "assistant", "content": [{"type": "text", "text": "e"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_9"}], "id": "msg_1"},
        ],
        "thinking": {"type": "adaptive"},
        "output_format": {"type": "json_schema", "schema": SCHEMA},
    },
)

BODIES: Final = {
    f"{dialect}-{index}": (dialect, body)
    for dialect, bodies in (("openai_chat", OPENAI_CHAT), ("anthropic", ANTHROPIC))
    for index, body in enumerate(bodies)
}
"""By name: the dialect of a body, and the body."""


def nodes(value: Any, where: Where = ()) -> Iterator[Where]:
    """The path of every value inside a body, the body's own first."""
    yield where
    match value:
        case dict():
            for key, inner in value.items():
                yield from nodes(inner, (*where, key))
        case list():
            for index, inner in enumerate(value):
                yield from nodes(inner, (*where, index))
        case _:  # a scalar
            return


def replaced(body: Any, where: Where, value: Any) -> Any:
    """The body with another value at a path."""
    if not where:
        return value
    copy = deepcopy(body)
    owner = copy
    for step in where[:-1]:
        owner = owner[step]
    owner[where[-1]] = value
    return copy


def place(where: Where) -> str:
    """A path as errors write it."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in where)
