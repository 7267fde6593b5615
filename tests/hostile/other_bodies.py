"""A request body of each dialect that has no examples of its own, with a bit of everything that a reader knows."""

from __future__ import annotations

from typing import Any, Final

from dialects_openai_like.test_shapes import SHAPES

from .bodies import PDF, PNG, SCHEMA

__all__ = ("OTHER_BODIES", "RICH")

Body = dict[str, Any]

RESPONSES: Final[Body] = {
    "model": "gpt-5",
    "instructions": "Be brief.",
    "previous_response_id": "resp_1",
    "input": [
        {"role": "developer", "content": "Be kind.", "type": "message"},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "what is this?"},
                {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"},
                {"type": "input_image", "file_id": "file-1"},
                {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"},
                {"type": "input_file", "file_url": "https://example.org/a.pdf"},
            ],
        },
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "eA=="},
        {"type": "reasoning", "id": "rs_2", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
        {"type": "reasoning", "id": "rs_3", "summary": [], "content": None},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "a", "annotations": []}, {"type": "refusal", "refusal": "no"}],
        },
        {"role": "assistant", "content": "b"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "c"}, {"type": "output_new", "x": {}}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "weather", "arguments": ""},
        {"type": "custom_tool_call", "call_id": "c2", "name": "shell", "input": "ls"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "rain"}]},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "a.txt"},
        {"type": "item_reference", "id": "msg_0"},
    ],
    "tools": [
        {"type": "function", "name": "weather", "parameters": SCHEMA, "strict": True},
        {"type": "web_search", "filters": {}},
    ],
    "tool_choice": {"type": "function", "name": "weather"},
    "text": {"format": {"type": "json_schema", "name": "city", "schema": SCHEMA}},
    "reasoning": {"effort": "low", "summary": "auto"},
    "max_output_tokens": 5,
}

GEMINI: Final[Body] = {
    "systemInstruction": {"role": "system", "parts": [{"text": "Be brief."}]},
    "contents": [
        {
            "role": "user",
            "parts": [
                {"text": "what is this?"},
                {"inlineData": {"mimeType": "image/png", "data": PNG}},
                {"inlineData": {"mimeType": "application/pdf", "data": PDF, "displayName": "a.pdf"}},
                {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a/b.mp4"}, "videoMetadata": {"fps": 1}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": "hm", "thought": True},
                {"thought": True, "thoughtSignature": "eA=="},
                {"text": "a", "thoughtSignature": "eA=="},
                {"executableCode": {"language": "PYTHON", "code": "1"}},
                {"functionCall": {"name": "weather"}, "thoughtSignature": "eA=="},
                {"functionCall": {"id": "c2", "name": "weather", "args": {"city": "Oslo"}}},
            ],
        },
        {
            "role": "function",
            "parts": [
                {"functionResponse": {"name": "weather", "response": {"sky": "rain"}}},
                {"functionResponse": {"id": "c2", "name": "weather", "response": {"output": 5}, "parts": [{"text": "sun"}]}},
                {"text": "and?"},
            ],
        },
        {"role": "user"},
    ],
    "tools": [
        {"functionDeclarations": [{"name": "weather", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}]},
        {"functionDeclarations": [{"name": "other", "parametersJsonSchema": SCHEMA}], "googleSearch": {}},
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "any", "allowedFunctionNames": ["weather"]}},
    "generationConfig": {
        "temperature": 0.5,
        "thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": True},
        "responseMimeType": "application/json",
        "responseSchema": {"type": "OBJECT"},
    },
    "safetySettings": [{"category": "A", "threshold": "B"}],
}

BEDROCK: Final[Body] = {
    "modelId": "anthropic.claude-sonnet-4",
    "system": [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}],
    "messages": [
        {
            "role": "user",
            "content": [
                {"text": "what is this?"},
                {"guardContent": {"text": {"text": "a", "qualifiers": ["query"]}}},
                {"image": {"format": "png", "source": {"bytes": PNG}}},
                {"document": {"format": "txt", "source": {"text": "a"}, "citations": {"enabled": True}}},
                {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://a/b.mp4", "bucketOwner": "1"}}}},
                {"cachePoint": {"type": "default", "ttl": "1h"}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "eA=="}}},
                {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                {"reasoningContent": {"redactedContent": PNG}},
                {"citationsContent": {"content": [{"text": "a"}], "citations": [{"title": "b"}]}},
                {"toolUse": {"toolUseId": "c1", "name": "weather", "input": {"city": "Oslo"}}},
                {"toolUse": {"toolUseId": "c2", "name": "weather", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c1", "content": [{"json": {"sky": "rain"}}, {"text": "!"}], "status": "success"}},
                {"toolResult": {"toolUseId": "c2", "status": "error"}},
                {"text": "and?"},
            ],
        },
    ],
    "toolConfig": {
        "tools": [
            {"toolSpec": {"name": "weather", "inputSchema": {"json": SCHEMA}}},
            {"systemTool": {"name": "nova_grounding"}},
            {"cachePoint": {"type": "default"}},
        ],
        "toolChoice": {"tool": {"name": "weather"}},
    },
    "inferenceConfig": {"maxTokens": 9, "temperature": 0.5},
    "additionalModelRequestFields": {"reasoning_config": {"type": "enabled", "budget_tokens": 2048}, "x": {}},
}

RICH: Final[dict[str, tuple[str, Body]]] = {
    "openai_responses": ("openai_responses", RESPONSES),
    "gemini": ("gemini", GEMINI),
    "bedrock": ("bedrock", BEDROCK),
}
OTHER_BODIES: Final[dict[str, tuple[str, Body]]] = {
    **RICH,
    **{f"{name}-{title}": (name, body) for name, shapes in SHAPES.items() for title, body, _ in shapes},
}
"""By what to call it: the dialect of a body, and the body."""
