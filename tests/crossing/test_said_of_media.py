"""What only one dialect says of a medium, a mark of the prompt cache or a detail of reasoning is there, or a loss of its own."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from chatadt import DIALECTS, Policy, convert

PNG: Final = "iVBORw0KGgo="
DOCUMENTS: Final[dict[str, Any]] = {
    "a text": {"format": "txt", "source": {"text": "abc"}},
    "a PDF": {"format": "pdf", "source": {"bytes": "JVBERg=="}},
    "a table": {"format": "csv", "source": {"bytes": "YWJj"}},
    "blocks": {"format": "txt", "source": {"content": [{"text": "k"}]}},
    "by reference": {"format": "pdf", "source": {"s3Location": {"uri": "s3://a/b"}}},
}
TYPES: Final = ("text/plain", "image/png", "application/pdf", "audio/wav", "video/mp4")


def losses(body: Any, source: str, target: str) -> list[Any]:
    return list(convert(body, source, target, policy=Policy.LENIENT).unwrap().losses)


def silent(body: Any, source: str, target: str, *keys: str) -> list[str]:
    """Which of the keys stand in no loss and not in what is written."""
    converted = convert(body, source, target, policy=Policy.LENIENT).unwrap()
    said = [json.dumps(converted.value), *(f"{loss} {loss.original and loss.original.text}" for loss in converted.losses)]
    return [key for key in keys if not any(key in each for each in said)]


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_what_bedrock_says_of_a_document_and_of_its_source(kind: str, target: str) -> None:
    document: Any = DOCUMENTS[kind]
    document = {**document, "name": "d", "ofBlock": 1, "source": {**document["source"], "ofSource": 1}}
    body = {"messages": [{"role": "user", "content": [{"text": "hi"}, {"document": document}]}]}
    assert not silent(body, "bedrock", target, "ofBlock", "ofSource")


@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("kind", TYPES)
def test_what_gemini_says_of_a_medium(kind: str, target: str) -> None:
    inline, file = {"mimeType": kind, "data": "YWJj", "ofInline": 1}, {"mimeType": kind, "fileUri": "https://a.b/c", "ofFile": 1}
    parts: Any = [{"inlineData": inline, "ofPart": 1}, {"fileData": file}, {"text": "q"}]
    assert not silent({"contents": [{"role": "user", "parts": parts}]}, "gemini", target, "ofPart", "ofInline", "ofFile")


MARK: Final = {"type": "default", "ttl": "1h"}


def marked(point: Any) -> Any:
    tool = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
    return {
        "system": [{"text": "s"}, {"cachePoint": point}],
        "messages": [{"role": "user", "content": [{"text": "hi"}, {"cachePoint": point}, {"text": "ho"}]}],
        "toolConfig": {"tools": [tool, {"cachePoint": point}]},
    }


@pytest.mark.parametrize("target", [name for name in DIALECTS if name not in ("anthropic", "bedrock")])
@pytest.mark.parametrize("point", [MARK, {"type": "default"}, {**MARK, "more": 1}, {"type": "other"}])
def test_a_mark_of_bedrock_is_lost_under_its_own_name(point: Any, target: str) -> None:
    found = [
        loss
        for loss in losses(marked(point), "bedrock", target)
        if loss.what in ("cachePoint (bedrock)", "cache_control (anthropic)")
    ]
    assert {loss.what for loss in found} == {"cachePoint (bedrock)"}
    assert [loss.original.value for loss in found] == [point] * 3
    assert {loss.reason for loss in found} == {"only bedrock knows this field"}


def test_a_mark_that_claude_has_an_attribute_for_crosses_and_any_other_is_a_loss() -> None:
    assert not [loss for loss in losses(marked(MARK), "bedrock", "anthropic") if "cache" in loss.what]
    found = [loss for loss in losses(marked({**MARK, "more": 1}), "bedrock", "anthropic") if "cache" in loss.what]
    assert [(loss.what, loss.original.value) for loss in found] == [("cachePoint (bedrock)", {**MARK, "more": 1})] * 3


@pytest.mark.parametrize(
    ("form", "is_lost"), [("openai-responses-v1", False), ("azure-openai-responses-v1", True), ("xai-responses-v1", True)]
)
def test_the_format_of_a_detail_that_its_owner_does_not_tell_is_a_loss(form: str, is_lost: bool) -> None:
    detail = {"type": "reasoning.encrypted", "data": "ENC", "format": form, "id": "rs_1", "index": 0}
    message = {"role": "assistant", "content": "hi", "reasoning_details": [detail]}
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}, message, {"role": "user", "content": "r"}]}
    assert ("format (openrouter)" in {loss.what for loss in losses(body, "openrouter", "gemini")}) is is_lost
