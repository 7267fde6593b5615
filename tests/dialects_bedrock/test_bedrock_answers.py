"""What an answer of Converse says, read; what Converse can say of any answer, written."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, Final

import pytest

from chatadt import (
    DIALECTS,
    Action,
    ChatResponse,
    Content,
    ConversionError,
    Extras,
    Message,
    Resource,
    StopKind,
    StopReason,
    Usage,
    convert,
)
from chatadt.chat import Metadata
from tests.wire.views.bedrock import complaints

BEDROCK: Final = DIALECTS["bedrock"]
USAGE: Final = {"inputTokens": 3, "outputTokens": 4, "totalTokens": 7}
PNG: Final = b64encode(b"\x89PNG\r\n\x1a\n").decode()


def body(*blocks: Any, **beside: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": [*blocks]}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": USAGE, "metrics": {"latencyMs": 1}, **beside}


def read(value: Any) -> ChatResponse:
    assert BEDROCK.read_response is not None
    return BEDROCK.read_response(value).unwrap()


def comes_home(value: Any) -> bool:
    written = convert(value, "bedrock", "bedrock", kind="response", policy="strict").unwrap().value
    return bool(written == value)


def written(*contents: Content.Output, **metadata: Any) -> tuple[dict[str, Any], dict[str, Action]]:
    """The body of an answer from elsewhere, valid for the service model, and the losses by what they are about."""
    assert BEDROCK.write_response is not None
    told = BEDROCK.write_response(ChatResponse(Message.Assistant(contents), Metadata(**metadata)))
    assert complaints(told.value) == []
    return told.value, {loss.what: loss.action for loss in told.losses}


def blocks(*contents: Content.Output) -> list[Any]:
    said: list[Any] = written(*contents)[0]["output"]["message"]["content"]
    return said


# Reading.

STOPS: Final = {
    "end_turn": StopKind.END,
    "tool_use": StopKind.TOOL_CALLS,
    "max_tokens": StopKind.LENGTH,
    "stop_sequence": StopKind.STOP_SEQUENCE,
    "guardrail_intervened": StopKind.CONTENT_FILTER,
    "content_filtered": StopKind.CONTENT_FILTER,
    "malformed_model_output": StopKind.ERROR,
    "malformed_tool_use": StopKind.MALFORMED_TOOL_CALL,
    "model_context_window_exceeded": StopKind.CONTEXT_OVERFLOW,
    "something new": StopKind.OTHER,
}


@pytest.mark.parametrize("word", STOPS)
def test_each_stop_reason_has_its_kind_keeps_its_word_and_comes_home(word: str) -> None:
    told = body({"text": "a"}, stopReason=word)
    assert read(told).metadata.stop == StopReason(STOPS[word], word)
    assert comes_home(told)


def test_the_stop_reasons_are_those_of_the_service_model() -> None:
    loaders = pytest.importorskip("botocore.loaders")
    shapes = loaders.Loader().load_service_model("bedrock-runtime", "service-2")["shapes"]
    assert set(shapes["StopReason"]["enum"]) == STOPS.keys() - {"something new"}


def test_input_holds_what_came_from_and_went_to_the_cache() -> None:
    usage = {"inputTokens": 7, "outputTokens": 9, "totalTokens": 46, "cacheReadInputTokens": 20, "cacheWriteInputTokens": 10}
    told = read(body({"text": "a"}, usage=usage)).metadata.usage
    assert told == Usage(input=37, output=9, cache_read=20, cache_write=10)
    assert told.total == 46


@pytest.mark.parametrize(
    "usage",
    [
        {"inputTokens": 7, "outputTokens": 9, "totalTokens": 999},
        {"inputTokens": 7},
        {"outputTokens": 9, "cacheReadInputTokenCount": 5},
        {"inputTokens": 7, "outputTokens": 9, "totalTokens": 16, "cacheReadInputTokenCount": 0, "cacheReadInputTokens": 0},
        {"inputTokens": 7, "outputTokens": 9, "totalTokens": 21, "cacheReadInputTokenCount": 3, "cacheReadInputTokens": 5},
        {"inputTokens": None, "outputTokens": "many", "cacheDetails": [{"ttl": "5m", "inputTokens": 5}], "serverToolUsage": {}},
        {},
        None,
        "few",
    ],
)
def test_usage_of_any_spelling_comes_home(usage: Any) -> None:
    assert comes_home(body({"text": "a"}, usage=usage))


def test_the_older_names_of_the_counts_are_read() -> None:
    usage = read(body({"text": "a"}, usage={"inputTokens": 1, "outputTokens": 2, "cacheReadInputTokenCount": 4})).metadata.usage
    assert usage is not None
    assert (usage.input, usage.cache_read) == (5, 4)


def test_a_call_with_the_type_tool_use_is_a_call_and_one_of_the_servers_own_is_not() -> None:
    own = {"toolUse": {"toolUseId": "t", "name": "nova_grounding", "input": {"q": 1}, "type": "server_tool_use"}}
    result = {
        "toolResult": {"toolUseId": "t", "content": [{"json": {"a": 1}}], "status": "success", "type": "nova_grounding_result"}
    }
    call = {"toolUse": {"toolUseId": "u", "name": "f", "input": {"a": 1}, "type": "tool_use"}}
    told = body(own, result, call, stopReason="tool_use")
    first, second, third = read(told).message.contents
    assert [type(first), type(second)] == [Content.Custom, Content.Custom]
    assert isinstance(third, Content.ToolRequest)
    assert (third.id, third.name) == ("u", "f")
    assert comes_home(told)
    assert "type" not in str(convert(told, "bedrock", "openai_chat", kind="response", policy="lenient").unwrap().losses[-1].path)
    crossed = convert(told, "bedrock", "openai_chat", kind="response", policy="lenient").unwrap()
    (only,) = crossed.value["choices"][0]["message"]["tool_calls"]
    assert only["id"] == "u"
    assert [loss.what for loss in crossed.losses].count("a block") == 2


def test_a_text_with_sources_in_pieces_is_one_text_that_comes_home_in_pieces() -> None:
    citation = {"title": "t", "location": {"web": {"url": "https://example.org"}}}
    told = body({"citationsContent": {"content": [{"text": "one "}, {"text": ""}, {"text": "two"}], "citations": [citation]}})
    (content,) = read(told).message.contents
    assert isinstance(content, Content.Text)
    assert content.text == "one two"
    assert content.extras.of("bedrock")["citations"] == [citation]
    assert comes_home(told)


def test_signed_reasoning_crosses_to_claude_and_back() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2ln"}}}
    hidden = {"reasoningContent": {"redactedContent": b64encode(b"Etor").decode()}}
    told = body(thought, hidden, {"text": "a"})
    claude = convert(told, "bedrock", "anthropic", kind="response", policy="faithful").unwrap().value
    assert claude["content"][:2] == [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "Etor"},
    ]
    back = convert(claude, "anthropic", "bedrock", kind="response", policy="faithful").unwrap().value
    assert back["output"] == told["output"]
    assert comes_home(told)


def test_blobs_may_be_bytes_as_boto3_gives_them_and_go_home_as_bytes() -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG\r\n\x1a\n"}}}
    told = body({"reasoningContent": {"redactedContent": b"hidden"}}, image)
    hidden, shown = read(told).message.contents
    assert isinstance(hidden, Content.Reasoning)
    assert isinstance(shown, Content.Image)
    assert isinstance(shown.resource, Resource.Binary)
    assert shown.resource.content == PNG
    assert comes_home(told)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant"},
        {"role": "assistant", "content": None},
        {"content": [{"text": "a"}]},
        {"role": "user", "content": [{"text": "a"}], "name": "b"},
        {},
    ],
)
def test_a_message_of_an_odd_shape_comes_home(message: Any) -> None:
    told = {**body(), "output": {"message": message, "beside": 1}, "trace": None, "$note": 1}
    assert comes_home(told)


def test_what_there_is_no_word_for_is_kept() -> None:
    beside = {
        "trace": {"guardrail": {"actionReason": "none"}},
        "additionalModelResponseFields": {"stop_sequence": "x"},
        "performanceConfig": {"latency": "optimized"},
        "serviceTier": {"type": "flex"},
        "amazon-bedrock-guardrailAction": "INTERVENED",
    }
    told = body({"text": "a"}, **beside)
    assert beside.items() <= read(told).metadata.extras.of("bedrock").items()
    assert comes_home(told)
    crossed = convert(told, "bedrock", "anthropic", kind="response").unwrap()
    assert {f"{key} (bedrock)" for key in (*beside, "metrics")} <= {loss.what for loss in crossed.losses}


ERRORS: Final[dict[str, tuple[Any, str, str | None]]] = {
    "over HTTP": ({"message": "Too long."}, "Too long.", None),
    "by a front door": ({"Message": "No."}, "No.", None),
    "with its type": (
        {"__type": "com.amazon.coral.service#AccessDeniedException", "message": "No."},
        "No.",
        "AccessDeniedException",
    ),
    "with nothing but its type": ({"__type": "ThrottlingException"}, "ThrottlingException", "ThrottlingException"),
    "of no operation": (
        {"Output": {"__type": "com.amazon.coral.service#UnknownOperationException"}, "Version": "1.0"},
        "UnknownOperationException",
        "UnknownOperationException",
    ),
    "as boto3 raises it": (
        {"Error": {"Message": "Slow down.", "Code": "ThrottlingException"}, "ResponseMetadata": {"HTTPStatusCode": 429}},
        "Slow down.",
        "ThrottlingException",
    ),
}


@pytest.mark.parametrize("title", ERRORS)
def test_an_error_in_place_of_an_answer_is_refused_with_its_words_and_its_code(title: str) -> None:
    told, message, code = ERRORS[title]
    assert BEDROCK.read_response is not None
    error = BEDROCK.read_response(told).failure()
    assert isinstance(error, ConversionError.Refused)
    assert (error.error.message, error.error.code) == (message, code)
    assert error.error.extras.of("bedrock") == told


@pytest.mark.parametrize(
    "value", [None, 5, [], {}, {"output": 5}, {"output": {}}, {"output": {"message": 5}}, {1: 2}, {"message": 5}]
)
def test_what_is_no_answer_is_unreadable(value: Any) -> None:
    assert BEDROCK.read_response is not None
    assert isinstance(BEDROCK.read_response(value).failure(), ConversionError.Unreadable)


# Writing.


def test_what_every_answer_has_and_nobody_said_is_invented() -> None:
    value, losses = written(Content.Text("a"))
    assert value["usage"] == {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}
    assert losses == {"the stop reason": Action.INVENTED, "the usage": Action.INVENTED, "the metrics": Action.INVENTED}


def test_what_an_answer_does_not_tell_is_a_loss() -> None:
    usage = Usage(input=5, output=6, reasoning=4, cache_read=9)
    value, losses = written(Content.Text("a"), id="i", model="m", usage=usage, stop=StopReason(StopKind.REFUSAL, "refusal"))
    assert value["stopReason"] == "content_filtered"
    assert value["usage"] == {"inputTokens": 0, "outputTokens": 6, "cacheReadInputTokens": 9, "totalTokens": 11}
    for what in ("the id", "the model", "the count reasoning", "the count input", "the stop reason"):
        assert what in losses


def test_reasoning_from_elsewhere_is_shown_without_a_signature() -> None:
    shown = [{"reasoningContent": {"reasoningText": {"text": "hm"}}}]
    assert blocks(Content.Reasoning("hm")) == shown
    assert blocks(Content.Reasoning("hm", Extras({"anthropic": {"signature": ""}}))) == shown
    assert blocks(Content.Reasoning("hm", Extras({"gemini": {"thoughtSignature": "x"}}))) == shown


def test_media_stand_in_an_answer_by_value() -> None:
    image = Content.Image(Resource.Binary(b64decode(PNG), "image/png"))
    assert blocks(image) == [{"image": {"format": "png", "source": {"bytes": PNG}}}]
    audio = Content.Audio(Resource.Binary(b"a", "audio/wav"), "hello")
    assert blocks(audio) == [{"text": "hello"}]
    value, losses = written(Content.Image(Resource.Ref("https://example.org/a.png")))
    assert value["output"]["message"]["content"] == []
    assert losses["image"] is Action.DROPPED


def test_ids_and_names_that_the_service_cannot_have_are_respelt_each_its_own() -> None:
    calls = [Content.ToolRequest(id_, name, {}) for id_, name in (("", "f.g"), ("", "f"), ("a b", "f g"), ("x" * 80, "y" * 80))]
    value, losses = written(*calls)
    told = [block["toolUse"] for block in value["output"]["message"]["content"]]
    assert [call["toolUseId"] for call in told[:2]] == ["call_1", "call_2"]
    assert len({call["toolUseId"] for call in told}) == len({call["name"] for call in told}) == 4
    assert losses["the id of a tool request"] in (Action.INVENTED, Action.REWRITTEN)
    assert losses["the name of a tool"] is Action.REWRITTEN


def test_a_content_that_was_added_to_an_empty_answer_is_written() -> None:
    answer = read({**body(), "output": {"message": {"role": "assistant"}}})
    more = ChatResponse(Message.Assistant(["b"], extras=answer.message.extras), answer.metadata)
    assert BEDROCK.write_response is not None
    assert BEDROCK.write_response(more).value["output"] == {"message": {"role": "assistant", "content": [{"text": "b"}]}}
