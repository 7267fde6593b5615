"""Requests that say something in every documented field of a dialect; each `~` in them is to be a word of its own.

Fields that take one of a few values have nothing to be told apart by, and stand as they are.
Source: reference pages of the providers.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from itertools import count
from typing import Any, Final, TypeAlias

from chatadt import DIALECTS

__all__ = ("BODIES", "named", "with_words")

Body: TypeAlias = "dict[str, Any]"

_MARK: Final = re.compile("[~^]")


def with_words(value: Any) -> tuple[Any, dict[str, str]]:
    """The value with a word for each `~`, in base64 for each `^`; and the words, each by the path where it stands."""
    numbers, words = count(100), dict[str, str]()

    def filled(inner: Any, path: str) -> Any:
        match inner:
            case {**fields}:
                return {spoken(key, path): filled(item, f"{path}.{key}") for key, item in fields.items()}
            case [*items]:
                return [filled(item, f"{path}[{index}]") for index, item in enumerate(items)]
            case str() as text:
                return spoken(text, path)
            case _:
                return inner

    def spoken(text: str, path: str) -> str:
        return _MARK.sub(lambda found: word(found.group(), path), text)

    def word(mark: str, path: str) -> str:
        new = f"word{next(numbers)}said"
        new = new if mark == "~" else b64encode(f"{new}!".encode()).decode()
        words[f"{path} {new}"] = new
        return new

    return filled(value, "$"), words


def named(word: str, said: str) -> bool:
    """Whether a text says a word, as it is or in base64: a document of text goes either way."""
    return word in said or b64encode(word.encode()).decode() in said or _decoded(word) in said


def _decoded(word: str) -> str:
    return word if word.startswith("word") else b64decode(word).decode()


# --- the bodies ------------------------------------------------------------------------------------------------------------------

_SCHEMA: Final = {"type": "object", "properties": {"~": {"type": "string", "description": "~"}}, "required": ["~"], "$comment": "~"}
_BREAK: Final = {"mode": "explicit", "ttl": "~"}


def _asked(*messages: Body, **fields: Any) -> Body:
    return {"model": "~", "messages": [*messages], **fields}


def _user(*parts: Body, **fields: Any) -> Body:
    return {"role": "user", "content": [{"type": "text", "text": "~"}, *parts], **fields}


def _assistant(content: Any = "~", **fields: Any) -> Body:
    return {"role": "assistant", "content": content, **fields}


def _call(id_: str, name: str, arguments: Any = '{"a": "~"}', **fields: Any) -> Body:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}, **fields}


_EXCHANGE: Final = (
    _user(),
    _assistant(tool_calls=[_call("c1", "f")]),
    {"role": "tool", "tool_call_id": "c1", "content": "~"},
)

_CHAT: Final[tuple[Body, ...]] = (
    _asked(
        {"role": "developer", "content": [{"type": "text", "text": "~", "prompt_cache_breakpoint": _BREAK}], "name": "~"},
        {"role": "system", "content": "~", "name": "~"},
        _user(
            {
                "type": "image_url",
                "image_url": {"url": "https://example.org/~.png", "detail": "high"},
                "prompt_cache_breakpoint": _BREAK,
            },
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,^"}},
            {"type": "input_audio", "input_audio": {"data": "^", "format": "wav"}},
            {"type": "file", "file": {"file_data": "data:application/pdf;base64,^", "filename": "~.pdf"}},
            {"type": "file", "file": {"file_id": "~"}},
            {"type": "~", "other": {"a": "~"}},
            name="~",
        ),
        _assistant([{"type": "text", "text": "~"}, {"type": "refusal", "refusal": "~"}], refusal="~", name="~", annotations=["~"]),
        _user(),
        _assistant(None, audio={"id": "~"}),
        _user(),
        _assistant(
            "~",
            tool_calls=[
                _call("~", "f~"),
                {"id": "c2", "type": "custom", "custom": {"name": "g", "input": "~"}},
            ],
        ),
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "~", "prompt_cache_breakpoint": _BREAK}]},
        _user(),
        tools=[
            {"type": "function", "function": {"name": "f~", "description": "~", "parameters": _SCHEMA, "strict": True}},
            {
                "type": "custom",
                "custom": {"name": "g", "description": "~", "format": {"type": "grammar", "grammar": {"definition": "~"}}},
            },
        ],
        tool_choice={
            "type": "allowed_tools",
            "allowed_tools": {"mode": "auto", "tools": [{"type": "function", "function": {"name": "~"}}]},
        },
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "~", "description": "~", "strict": True, "schema": _SCHEMA},
        },
        stop=["~"],
        user="~",
        metadata={"a": "~"},
        safety_identifier="~",
        prompt_cache_key="~",
        service_tier="~",
        prediction={"type": "content", "content": "~"},
        logit_bias={"~": 1},
        web_search_options={"user_location": {"type": "approximate", "approximate": {"city": "~"}}},
        audio={"voice": "~", "format": "wav"},
        modalities=["~"],
        verbosity="~",
        extra="~",
    ),
    _asked(
        {"role": "user", "content": "~"},
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a": "~"}'}},
        {"role": "function", "name": "f", "content": "~"},
        {"role": "~", "content": "~"},
        functions=[{"name": "f", "description": "~", "parameters": _SCHEMA}],
        function_call={"name": "f"},
    ),
    _asked(_user(), _assistant("~", reasoning_content="~"), _user(), _assistant("~", reasoning="~"), _user()),
)

_DETAILS: Final[tuple[Body, ...]] = tuple(
    _asked(_user(), _assistant("~", reasoning=readable, reasoning_details=details), _user())
    for readable in ("~", None)
    for details in (
        [{"type": "reasoning.text", "text": "~", "id": "~", "index": 7, "signature": "~", "format": "anthropic-claude-v1"}],
        [{"type": "reasoning.text", "text": "~", "id": "~", "signature": "~", "format": "~"}],
        [{"type": "reasoning.text", "text": "~", "other": "~"}, {"type": "reasoning.summary", "summary": "~", "id": "~"}],
        [{"type": "reasoning.encrypted", "data": "~", "id": "~", "format": "openai-responses-v1"}],
        [{"type": "reasoning.encrypted", "data": "~", "id": "~", "format": "anthropic-claude-v1"}],
        [{"type": "reasoning.encrypted", "data": "~", "id": "~", "format": "google-gemini-v1"}],
        [{"type": "reasoning.encrypted", "data": "~", "id": "~", "format": "~"}],
        [{"type": "~", "data": "~"}],
    )
)

_VARIANT: Final[tuple[Body, ...]] = (
    *_CHAT,
    *_DETAILS,
    _asked(
        _user({"type": "document", "document": {"data": "~", "id": "~"}}, {"type": "video_url", "video_url": {"url": "https://~"}}),
        _assistant("~", reasoning="~", reasoning_content="~", images=[{"image_url": {"url": "~"}}], executed_tools=["~"]),
        {"role": "latest_reminder", "content": "~"},
        _user(),
        provider={"order": ["~"]},
        plugins=[{"id": "~"}],
        search_parameters={"a": "~"},
    ),
)

_CACHE: Final = {"type": "ephemeral", "ttl": "~"}

_ANTHROPIC: Final[tuple[Body, ...]] = (
    _asked(
        _user(
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "^"}, "cache_control": _CACHE},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/~.png"}, "transformations": {"a": "~"}},
            {"type": "image", "source": {"type": "file", "file_id": "~"}},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "^"},
                "title": "~",
                "context": "~",
                "citations": {"enabled": True, "a": "~"},
                "cache_control": _CACHE,
            },
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "~"}, "title": "~", "context": "~"},
            {
                "type": "document",
                "source": {"type": "content", "content": [{"type": "text", "text": "~"}]},
                "title": "~",
                "context": "~",
            },
            {"type": "document", "source": {"type": "content", "content": "~"}, "title": "~"},
            {"type": "document", "source": {"type": "url", "url": "https://example.org/~.pdf"}, "title": "~", "context": "~"},
            {"type": "document", "source": {"type": "file", "file_id": "~"}, "title": "~", "context": "~"},
            {
                "type": "search_result",
                "source": "~",
                "title": "~",
                "content": [{"type": "text", "text": "~"}],
                "citations": {"a": "~"},
            },
            {"type": "container_upload", "file_id": "~"},
            {"type": "~", "a": "~"},
        ),
        _assistant(
            [
                {"type": "thinking", "thinking": "~", "signature": "~"},
                {"type": "redacted_thinking", "data": "~"},
                {"type": "text", "text": "~", "citations": [{"type": "char_location", "cited_text": "~"}], "cache_control": _CACHE},
                {"type": "server_tool_use", "id": "~", "name": "web_search", "input": {"query": "~"}},
                {"type": "web_search_tool_result", "tool_use_id": "~", "content": [{"url": "~", "encrypted_content": "~"}]},
                {"type": "tool_use", "id": "a", "name": "f", "input": {"a": "~"}, "cache_control": _CACHE, "caller": {"type": "~"}},
                {"type": "tool_use", "id": "b", "name": "f", "input": {"~": "~"}, "toolset_name": "~"},
            ]
        ),
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "a",
                    "content": [
                        {"type": "text", "text": "~", "cache_control": _CACHE},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "^"}},
                        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "~"}, "title": "~"},
                        {"type": "search_result", "source": "~", "title": "~", "content": [{"type": "text", "text": "~"}]},
                        {"type": "tool_reference", "tool_name": "~"},
                    ],
                    "cache_control": _CACHE,
                    "toolset_name": "~",
                },
                {"type": "tool_result", "tool_use_id": "b", "content": "~", "is_error": True},
                {"type": "text", "text": "~"},
            ],
        },
        {"role": "system", "content": "~", "clear_at": "~"},
        max_tokens=100,
        system=[{"type": "text", "text": "~", "cache_control": _CACHE, "citations": ["~"]}],
        tools=[
            {"name": "f", "description": "~", "input_schema": _SCHEMA, "cache_control": _CACHE, "input_examples": [{"a": "~"}]},
            {"type": "web_search_20250305", "name": "web_search", "allowed_domains": ["~"]},
        ],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True, "a": "~"},
        stop_sequences=["~"],
        metadata={"user_id": "~", "a": "~"},
        mcp_servers=[{"type": "url", "name": "~", "url": "https://~"}],
        container={"id": "~", "skills": ["~"]},
        context_management={"edits": ["~"]},
        output_config={"effort": "high", "format": {"type": "json_schema", "schema": _SCHEMA, "a": "~"}, "a": "~"},
        thinking={"type": "enabled", "budget_tokens": 1024, "a": "~"},
        service_tier="~",
        inference_geo="~",
        extra="~",
    ),
    _asked(_user(), max_tokens=100, system="~", thinking={"type": "~"}, tool_choice={"type": "~"}),
)

_RESPONSES: Final[tuple[Body, ...]] = (
    {"model": "~", "input": "~", "instructions": "~"},
    {
        "model": "~",
        "instructions": "~",
        "input": [
            {
                "type": "message",
                "role": "developer",
                "content": [{"type": "input_text", "text": "~"}],
                "status": "completed",
                "id": "~",
            },
            {"role": "system", "content": "~", "a": "~"},
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "~", "prompt_cache_breakpoint": _BREAK},
                    {"type": "input_image", "image_url": "https://example.org/~.png", "detail": "high"},
                    {"type": "input_image", "image_url": "data:image/png;base64,^"},
                    {"type": "input_image", "file_id": "~"},
                    {"type": "input_file", "file_data": "data:application/pdf;base64,^", "filename": "~.pdf", "detail": "~"},
                    {"type": "input_file", "file_url": "https://example.org/~.pdf"},
                    {"type": "input_file", "file_id": "~"},
                    {"type": "~", "a": "~"},
                ],
            },
            {
                "type": "reasoning",
                "id": "rs_~",
                "summary": [{"type": "summary_text", "text": "~", "a": "~"}, {"type": "summary_text", "text": "~"}],
                "content": [{"type": "reasoning_text", "text": "~", "a": "~"}],
                "encrypted_content": "~",
                "status": "completed",
            },
            {
                "type": "message",
                "id": "msg_~",
                "role": "assistant",
                "status": "completed",
                "phase": "~",
                "content": [
                    {"type": "output_text", "text": "~", "annotations": [{"type": "url_citation", "url": "~"}], "logprobs": ["~"]},
                    {"type": "refusal", "refusal": "~", "a": "~"},
                    {"type": "~", "a": "~"},
                ],
            },
            {"type": "reasoning", "id": "rs_~", "summary": [], "encrypted_content": "~"},
            {
                "type": "function_call",
                "id": "fc_~",
                "call_id": "a~",
                "name": "f",
                "arguments": '{"a": "~"}',
                "namespace": "~",
                "caller": "~",
            },
            {"type": "function_call", "call_id": "b", "name": "f", "arguments": "~"},
            {"type": "custom_tool_call", "id": "ctc_~", "call_id": "c", "name": "g", "input": "~", "a": "~"},
            {"type": "function_call_output", "call_id": "b", "output": "~", "id": "~", "a": "~"},
            {
                "type": "custom_tool_call_output",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "~"}, {"type": "input_image", "image_url": "https://example.org/~.png"}],
            },
            {"type": "web_search_call", "id": "ws_~", "status": "completed", "action": {"query": "~"}},
            {"type": "item_reference", "id": "~"},
            {"type": "~", "a": "~"},
            {"role": "user", "content": "~"},
        ],
        "tools": [
            {"type": "function", "name": "f", "description": "~", "parameters": _SCHEMA, "strict": True, "a": "~"},
            {"type": "custom", "name": "g", "description": "~", "format": {"type": "grammar", "definition": "~"}},
            {"type": "web_search", "filters": {"allowed_domains": ["~"]}},
        ],
        "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "~"}]},
        "text": {"format": {"type": "json_schema", "name": "~", "description": "~", "schema": _SCHEMA, "a": "~"}, "verbosity": "~"},
        "reasoning": {"effort": "high", "summary": "~", "a": "~"},
        "previous_response_id": "~",
        "conversation": {"id": "~"},
        "prompt": {"id": "~", "variables": {"a": "~"}},
        "include": ["~"],
        "metadata": {"a": "~"},
        "user": "~",
        "safety_identifier": "~",
        "prompt_cache_key": "~",
        "service_tier": "~",
        "truncation": "~",
        "context_management": ["~"],
        "extra": "~",
    },
)

_GEMINI: Final[tuple[Body, ...]] = (
    {
        "model": "~",
        "systemInstruction": {"role": "~", "parts": [{"text": "~"}], "a": "~"},
        "contents": [
            {
                "role": "user",
                "a": "~",
                "parts": [
                    {"text": "~", "partMetadata": {"a": "~"}},
                    {"inlineData": {"mimeType": "image/png", "data": "^", "displayName": "~"}, "mediaResolution": {"level": "~"}},
                    {"inlineData": {"mimeType": "audio/wav", "data": "^"}, "speechMetadata": {"a": "~"}},
                    {"inlineData": {"mimeType": "video/mp4", "data": "^"}, "videoMetadata": {"startOffset": "~"}},
                    {"inlineData": {"mimeType": "application/pdf", "data": "^", "displayName": "~"}},
                    {"inlineData": {"mimeType": "text/csv", "data": "^"}},
                    {"fileData": {"mimeType": "image/png", "fileUri": "https://example.org/~", "displayName": "~"}},
                    {"fileData": {"fileUri": "gs://b/~"}},
                    {"~": {"a": "~"}},
                ],
            },
            {
                "role": "model",
                "parts": [
                    {"text": "~", "thought": True, "thoughtSignature": "^"},
                    {"text": "~", "thoughtSignature": "^"},
                    {"text": "", "thoughtSignature": "^"},
                    {"executableCode": {"language": "PYTHON", "code": "~"}},
                    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "~"}},
                    {"inlineData": {"mimeType": "image/png", "data": "^"}},
                    {"functionCall": {"id": "a", "name": "f", "args": {"a": "~"}, "a": "~"}, "thoughtSignature": "^"},
                    {"functionCall": {"name": "f", "args": {"~": "~"}}},
                    {"toolCall": {"a": "~"}},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "id": "a",
                            "name": "f",
                            "response": {"output": "~"},
                            "parts": [{"inlineData": {"mimeType": "image/png", "data": "^", "displayName": "~"}}],
                            "scheduling": "~",
                            "a": "~",
                        },
                        "partMetadata": {"a": "~"},
                    },
                    {"functionResponse": {"name": "f", "response": {"~": "~"}}},
                ],
            },
        ],
        "tools": [
            {
                "functionDeclarations": [
                    {"name": "f", "description": "~", "parameters": {"type": "OBJECT", "description": "~"}, "response": {"a": "~"}}
                ]
            },
            {"functionDeclarations": [{"name": "g", "parametersJsonSchema": _SCHEMA, "behavior": "~"}]},
            {"googleSearch": {"excludeDomains": ["~"]}},
        ],
        "toolConfig": {
            "functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f", "g"], "a": "~"},
            "retrievalConfig": {"a": "~"},
        },
        "safetySettings": [{"category": "~", "threshold": "~"}],
        "cachedContent": "~",
        "labels": {"a": "~"},
        "generationConfig": {
            "stopSequences": ["~"],
            "responseMimeType": "application/json",
            "responseSchema": {"type": "OBJECT", "description": "~"},
            "thinkingConfig": {"includeThoughts": True, "thinkingBudget": 1024, "a": "~"},
            "speechConfig": {"languageCode": "~"},
            "responseModalities": ["~"],
            "mediaResolution": "~",
            "extra": "~",
        },
        "extra": "~",
    },
    {
        "contents": [{"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"error": "~", "a": "~"}}}]}],
        "generationConfig": {"responseMimeType": "~", "responseJsonSchema": _SCHEMA},
    },
)

_POINT: Final = {"cachePoint": {"type": "default", "ttl": "~"}}

_BEDROCK: Final[tuple[Body, ...]] = (
    {
        "modelId": "~",
        "system": [{"text": "~"}, _POINT, {"guardContent": {"text": {"text": "~", "qualifiers": ["~"]}}}],
        "messages": [
            {
                "role": "user",
                "a": "~",
                "content": [
                    {"text": "~"},
                    _POINT,
                    {"image": {"format": "png", "source": {"bytes": "^"}, "a": "~"}},
                    {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/~", "bucketOwner": "~"}}}},
                    {
                        "document": {
                            "format": "pdf",
                            "name": "~",
                            "source": {"bytes": "^"},
                            "context": "~",
                            "citations": {"enabled": True, "a": "~"},
                        }
                    },
                    {"document": {"format": "txt", "name": "~", "source": {"text": "~"}, "context": "~"}},
                    {"document": {"format": "txt", "name": "~", "source": {"content": [{"text": "~"}]}, "context": "~"}},
                    {"document": {"format": "csv", "name": "~", "source": {"bytes": "^"}}},
                    {"video": {"format": "mp4", "source": {"bytes": "^"}}},
                    {"audio": {"format": "wav", "source": {"bytes": "^"}}},
                    {"guardContent": {"text": {"text": "~", "qualifiers": ["~"]}}},
                    {"searchResult": {"source": "~", "title": "~", "content": [{"text": "~"}]}},
                    {"~": {"a": "~"}},
                ],
            },
            {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "~", "signature": "~"}}},
                    {"reasoningContent": {"redactedContent": "^"}},
                    {"text": "~"},
                    {"citationsContent": {"content": [{"text": "~"}], "citations": [{"title": "~"}]}},
                    {"toolUse": {"toolUseId": "a", "name": "f", "input": {"a": "~"}, "a": "~"}},
                    {"toolUse": {"toolUseId": "b", "name": "web", "input": {"a": "~"}, "type": "server_tool_use"}},
                    _POINT,
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "toolResult": {
                            "toolUseId": "a",
                            "status": "error",
                            "a": "~",
                            "content": [
                                {"json": {"a": "~"}},
                                {"text": "~"},
                                {"image": {"format": "png", "source": {"bytes": "^"}}},
                                {"document": {"format": "txt", "name": "~", "source": {"bytes": "^"}}},
                                {"searchResult": {"source": "~", "title": "~", "content": [{"text": "~"}]}},
                            ],
                        }
                    },
                    _POINT,
                    {"text": "~"},
                ],
            },
        ],
        "toolConfig": {
            "tools": [
                {"toolSpec": {"name": "f", "description": "~", "inputSchema": {"json": _SCHEMA, "a": "~"}, "a": "~"}},
                _POINT,
                {"systemTool": {"name": "~"}},
            ],
            "toolChoice": {"tool": {"name": "f", "a": "~"}},
            "a": "~",
        },
        "inferenceConfig": {"maxTokens": 100, "stopSequences": ["~"], "a": "~"},
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024, "a": "~"}, "a": "~"},
        "additionalModelResponseFieldPaths": ["~"],
        "guardrailConfig": {"guardrailIdentifier": "~"},
        "promptVariables": {"a": {"text": "~"}},
        "requestMetadata": {"a": "~"},
        "performanceConfig": {"latency": "~"},
        "outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": '{"a": "~"}', "name": "~"}}}},
        "extra": "~",
    },
)

_OLLAMA: Final[tuple[Body, ...]] = (
    _asked(
        {"role": "system", "content": "~", "a": "~"},
        {"role": "user", "content": "~", "images": ["^", "^"], "a": "~"},
        {
            "role": "assistant",
            "content": "~",
            "thinking": "~",
            "a": "~",
            "tool_calls": [
                {"id": "~", "function": {"index": 3, "name": "f", "arguments": {"a": "~"}, "a": "~"}, "a": "~"},
                {"function": {"name": "g", "arguments": {"~": "~"}}},
            ],
        },
        {"role": "tool", "content": "~", "tool_name": "g", "a": "~"},
        {"role": "~", "content": "~"},
        {"role": "user", "content": "~"},
        tools=[{"type": "function", "function": {"name": "f", "description": "~", "parameters": _SCHEMA, "a": "~"}, "a": "~"}],
        format=_SCHEMA,
        options={"stop": ["~"], "a": "~", "num_ctx": 7},
        keep_alive="~",
        think="~",
        extra="~",
    ),
)

_MISTRAL: Final[tuple[Body, ...]] = (
    _asked(
        {
            "role": "system",
            "content": [{"type": "text", "text": "~"}, {"type": "thinking", "thinking": [{"type": "text", "text": "~"}]}],
        },
        _user(
            {"type": "image_url", "image_url": "https://example.org/~.png"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,^", "detail": "high", "a": "~"}},
            {"type": "document_url", "document_url": "https://example.org/~.pdf", "document_name": "~"},
            {"type": "document_url", "document_url": "data:application/pdf;base64,^", "document_name": "~"},
            {"type": "file", "file_id": "~", "a": "~"},
            {"type": "input_audio", "input_audio": "^"},
            {"type": "input_audio", "input_audio": {"data": "^", "format": "wav"}},
            {"type": "input_audio", "input_audio": "https://example.org/~.wav"},
            {"type": "reference", "reference_ids": ["~"]},
            {"type": "~", "a": "~"},
            a="~",
        ),
        _assistant(
            [
                {
                    "type": "thinking",
                    "thinking": [{"type": "text", "text": "~", "a": "~"}, {"type": "reference", "reference_ids": ["~"]}],
                    "signature": "~",
                    "closed": False,
                },
                {"type": "text", "text": "~", "a": "~"},
                {"type": "reference", "reference_ids": ["~"], "a": "~"},
            ],
            tool_calls=[_call("~", "f", index=3, a="~"), _call("b", "f", {"a": "~"})],
            a="~",
        ),
        {"role": "tool", "tool_call_id": "b", "name": "~", "content": [{"type": "text", "text": "~"}], "a": "~"},
        _user(),
        _assistant("~", prefix=True),
        tools=[
            {"type": "function", "function": {"name": "f", "description": "~", "parameters": _SCHEMA, "a": "~"}},
            {"type": "web_search", "a": "~"},
        ],
        tool_choice={"type": "function", "function": {"name": "f"}},
        response_format={"type": "json_schema", "json_schema": {"name": "~", "description": "~", "schema": _SCHEMA, "a": "~"}},
        stop=["~"],
        metadata={"a": "~"},
        prediction={"type": "content", "content": "~"},
        prompt_cache_key="~",
        guardrails=["~"],
        extra="~",
    ),
)

_COHERE: Final[tuple[Body, ...]] = (
    _asked(
        {"role": "system", "content": [{"type": "text", "text": "~", "a": "~"}], "a": "~"},
        _user(
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,^", "detail": "high", "a": "~"}},
            {"type": "image_url", "image_url": {"url": "https://example.org/~.png"}},
            {"type": "~", "a": "~"},
        ),
        _assistant(
            [{"type": "thinking", "thinking": "~", "a": "~"}, {"type": "text", "text": "~", "a": "~"}],
            tool_plan="~",
            tool_calls=[_call("~", "f", a="~")],
            citations=[{"text": "~", "sources": [{"type": "tool", "id": "~"}]}],
            a="~",
        ),
        _user(),
        _assistant(None, tool_plan="~", tool_calls=[_call("b", "f")]),
        {
            "role": "tool",
            "tool_call_id": "b",
            "a": "~",
            "content": [
                {"type": "document", "document": {"data": {"a": "~"}, "id": "~", "a": "~"}, "a": "~"},
                {"type": "document", "document": {"data": '{"a": "~"}', "id": "~"}},
                {"type": "document", "document": {"data": {"text": "~"}}},
                {"type": "text", "text": "~"},
            ],
        },
        tools=[{"type": "function", "function": {"name": "f", "description": "~", "parameters": _SCHEMA, "a": "~"}}],
        documents=[{"data": {"text": "~"}, "id": "~"}, "~"],
        citation_options={"mode": "~"},
        response_format={"type": "json_object", "json_schema": _SCHEMA},
        stop_sequences=["~"],
        safety_mode="~",
        extra="~",
    ),
)

_FOLDERS: Final = {
    "openai_chat": _CHAT,
    "anthropic": _ANTHROPIC,
    "openai_responses": _RESPONSES,
    "gemini": _GEMINI,
    "bedrock": _BEDROCK,
    "ollama": _OLLAMA,
    "mistral": _MISTRAL,
    "cohere": _COHERE,
}

BODIES: Final[Mapping[str, tuple[Body, ...]]] = {name: _FOLDERS.get(name, _VARIANT) for name in DIALECTS}
"""By the name of a dialect: requests that say all that it can say."""
