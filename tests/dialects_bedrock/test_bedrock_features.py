"""What is particular to Converse: marks of the cache, the two forms of a blob, signed reasoning, places of a model's own."""

from __future__ import annotations

from typing import Any, Final

import pytest
from returns.result import Failure

from chatadt import (
    ChatRequest,
    Content,
    Effort,
    Message,
    ModelParams,
    Outcome,
    Policy,
    Resource,
    Thinking,
    Tool,
    ToolChoice,
    convert,
)
from chatadt.dialects import Target
from chatadt.dialects.bedrock import DIALECT, with_base64, with_bytes
from chatadt.error import ConversionError

MARK: Final = {"cachePoint": {"type": "default"}}
LONG: Final = {"cachePoint": {"type": "default", "ttl": "1h"}}
KEPT: Final = {"type": "ephemeral"}


def asked(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def answered(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {"messages": list(messages), **fields}


def home(given: dict[str, Any]) -> Any:
    written = DIALECT.write_request(DIALECT.read_request(given).unwrap())
    assert written.losses == ()
    return written.value


def to_anthropic(given: dict[str, Any]) -> Any:
    return convert(given, DIALECT, "anthropic").unwrap().value


def from_anthropic(given: dict[str, Any], **options: Any) -> Any:
    return convert(given, "anthropic", DIALECT, **options).unwrap()


# --- marks of the cache


def test_a_mark_becomes_the_attribute_of_the_block_before_it_and_the_other_way_round() -> None:
    ours = body(asked({"text": "a"}, LONG, {"text": "b"}), system=[{"text": "s"}, MARK])
    theirs = to_anthropic(ours)
    assert theirs["system"] == [{"type": "text", "text": "s", "cache_control": KEPT}]
    assert theirs["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert "cache_control" not in theirs["messages"][0]["content"][1]
    back = from_anthropic(theirs)
    assert back.value == ours
    assert back.losses == ()


def test_a_mark_on_a_tool_and_on_a_result_crosses() -> None:
    spec = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
    call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
    told = {"toolResult": {"toolUseId": "c", "content": [{"text": "r"}]}}
    ours = body(asked({"text": "a"}), answered(call), asked(told, MARK), toolConfig={"tools": [spec, MARK]})
    assert home(ours) == ours
    theirs = to_anthropic(ours)
    assert theirs["tools"][0]["cache_control"] == theirs["messages"][2]["content"][0]["cache_control"] == KEPT
    assert from_anthropic(theirs).value["toolConfig"] == ours["toolConfig"]
    assert from_anthropic(theirs).value["messages"] == ours["messages"]


@pytest.mark.parametrize(
    "blocks",
    [
        [MARK, {"text": "a"}],
        [{"text": "a"}, MARK, MARK],
        [{"searchResult": {"source": "s"}}, MARK],
        [{"text": "a", **MARK}],
        [{"text": "a"}, {"cachePoint": "strange"}],
        [{"text": "a"}, {"cachePoint": {"type": "other"}}],
        [{"text": "a"}, {"text": " "}, LONG],
    ],
    ids=(
        "first",
        "doubled",
        "behind a block without attributes",
        "beside the text, as Nova has it",
        "no mark",
        "unknown",
        "behind a blank",
    ),
)
def test_a_mark_comes_home_wherever_it_stood(blocks: list[Any]) -> None:
    ours = body(asked(*blocks))
    assert home(ours) == ours


def test_a_mark_behind_reasoning_moves_to_the_nearest_block_before_it_and_home_again() -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "t", "signature": "sig"}}}
    ours = body(asked({"text": "q"}), answered(thought, MARK, {"text": "a"}), asked({"text": "r"}))
    assert home(ours) == ours
    assert to_anthropic(ours)["messages"][0]["content"][0]["cache_control"] == KEPT


def test_a_mark_inside_a_tool_result_is_a_loss() -> None:
    result = {"type": "tool_result", "tool_use_id": "c", "content": [{"type": "text", "text": "r", "cache_control": KEPT}]}
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    theirs = {
        "messages": [asked({"type": "text", "text": "a"}), answered(call), asked(result)],
        "tools": [{"name": "f", "input_schema": {"type": "object"}}],
    }
    converted = from_anthropic(theirs)
    assert [loss.what for loss in converted.losses] == ["cache_control (anthropic)"]
    assert "cachePoint" not in str(converted.value)


# --- turns

RESULT: Final = {"toolResult": {"toolUseId": "c", "content": [{"text": "r"}]}}


@pytest.mark.parametrize(
    "blocks",
    [[RESULT], [RESULT, {"text": "a"}], [{"text": "a"}, RESULT], [MARK, RESULT]],
    ids=("a result", "a result first", "a text first", "a mark first"),
)
def test_further_fields_of_a_turn_with_results_come_home_and_are_a_loss_elsewhere(blocks: list[Any]) -> None:
    call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
    ours = body(asked({"text": "a"}), answered(call), {**asked(*blocks), "strange": {"a": 1}, "$odd": 2})
    assert home(ours) == ours
    losses = convert(ours, DIALECT, "openai_chat", policy=Policy.LENIENT).unwrap().losses
    lost = {loss.original.text for loss in losses if loss.original is not None and loss.what.endswith("(bedrock)")}
    assert lost >= {'{"a":1}', "2"}


def test_a_system_message_behind_another_one_stands_in_the_same_turn() -> None:
    model = "anthropic.claude-opus-4-8-v1:0"
    messages = [Message.User("a"), Message.System("b"), Message.System("c"), Message.Assistant("d")]
    written = DIALECT.write_request(ChatRequest(messages, ModelParams(model=model)), Target(inline_system=True))
    assert written.value["messages"][1] == {"role": "system", "content": [{"text": "b"}, {"text": "c"}]}
    assert written.losses == ()


# --- reasoning


def test_what_claude_signed_or_hid_passes_between_its_two_wires() -> None:
    """The base64 here is of the text there, as a recorded stream of Claude 3.7 has it."""
    signed = {"reasoningContent": {"reasoningText": {"text": "t", "signature": "EtkB"}}}
    hidden = {"reasoningContent": {"redactedContent": "RXRrRUNrZ0lCeEFCR0FJcVFKVGZxUy9Q"}}
    ours = body(asked({"text": "q"}), answered(signed, hidden, {"text": "a"}), asked({"text": "r"}))
    theirs = to_anthropic(ours)
    assert theirs["messages"][1]["content"][:2] == [
        {"type": "thinking", "thinking": "t", "signature": "EtkB"},
        {"type": "redacted_thinking", "data": "EtkECkgIBxABGAIqQJTfqS/P"},
    ]
    assert from_anthropic(theirs).value == ours


def test_what_claude_signed_is_not_given_to_another_model() -> None:
    thought = {"type": "thinking", "thinking": "t", "signature": "sig"}
    theirs = {
        "messages": [
            asked({"type": "text", "text": "q"}),
            answered(thought, {"type": "text", "text": "a"}),
            asked({"type": "text", "text": "r"}),
        ]
    }
    converted = from_anthropic(theirs, model="amazon.nova-pro-v1:0")
    assert "sig" not in str(converted.value)
    assert {loss.what for loss in converted.losses} == {"reasoning", "signature (anthropic)"}


def test_what_another_model_signed_or_did_not_sign_comes_home_and_goes_nowhere_else() -> None:
    thoughts = [{"reasoningContent": {"reasoningText": {"text": "t", **signed}}} for signed in ({}, {"signature": "s"})]
    hidden = {"reasoningContent": {"redactedContent": "AAAA"}}
    ours = body(
        asked({"text": "q"}), answered(*thoughts, hidden, {"text": "a"}), asked({"text": "r"}), modelId="amazon.nova-pro-v1:0"
    )
    assert home(ours) == ours
    converted = convert(ours, DIALECT, "anthropic").unwrap()
    assert [block["type"] for block in converted.value["messages"][1]["content"]] == ["text"]


# --- blobs


def test_bytes_are_read_wherever_the_sdk_wants_them_and_nothing_else_is_touched() -> None:
    blob = {"format": "png", "source": {"bytes": b"\x89PNG"}}
    call = {
        "toolUse": {"toolUseId": "c", "name": "f", "input": {"image": {"source": {"bytes": "AAAA"}}, "redactedContent": "AAAA"}}
    }
    told = {"toolResult": {"toolUseId": "c", "content": [{"image": blob}, {"json": {"image": {"source": {"bytes": "AAAA"}}}}]}}
    sdk = body(
        asked({"image": blob}, {"guardContent": {"image": blob}}, {"text": "a"}),
        answered({"reasoningContent": {"redactedContent": b"hidden"}}, call),
        asked(told),
        toolConfig={"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]},
    )
    assert home(sdk) == sdk
    plain = with_base64(sdk)
    assert with_bytes(plain) == sdk
    assert plain["messages"][1]["content"][1] == call
    assert home(plain) == plain


def test_bytes_where_no_blob_stands_are_a_clear_error() -> None:
    error = DIALECT.read_request(body(asked({"text": b"a"}))).failure()
    assert isinstance(error, ConversionError.Unreadable)
    assert "$.messages[0].content[0]" in str(error)


# --- media


def test_media_from_elsewhere_are_by_value_or_an_explicit_failure() -> None:
    theirs = {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]}]}
    refused = convert(theirs, "openai_chat", DIALECT)
    assert isinstance(refused, Failure)
    assert "fetch it first" in str(refused.failure())
    lenient = convert(theirs, "openai_chat", DIALECT, policy=Policy.LENIENT).unwrap()
    assert lenient.value["messages"] == [asked({"text": "[image omitted]"})]


def test_what_lies_in_a_bucket_keeps_its_place_and_its_owner() -> None:
    video = {"video": {"format": "three_gp", "source": {"s3Location": {"uri": "s3://bucket/a.3gp", "bucketOwner": "123456789012"}}}}
    ours = body(asked({"text": "a"}, video))
    assert home(ours) == ours
    (message,) = DIALECT.read_request(ours).unwrap().messages
    assert isinstance(message, Message.User)
    assert isinstance(message.contents[1], Content.Video)
    assert message.contents[1].resource == Resource.Ref(
        "s3://bucket/a.3gp", "video/3gpp", {"bedrock": {"s3Location": {"bucketOwner": "123456789012"}}}
    )


def test_the_format_of_a_reference_is_its_media_type_or_what_its_name_shows() -> None:
    request = ChatRequest(
        [Message.User([Content.Image(Resource.Ref("s3://bucket/a.JPG")), Content.PDF(Resource.Ref("s3://bucket/b"), "b")])]
    )
    blocks = DIALECT.write_request(request).value["messages"][0]["content"]
    assert [block[kind]["format"] for block, kind in zip(blocks, ("image", "document"), strict=True)] == ["jpeg", "pdf"]


@pytest.mark.parametrize("form", ["mpg", "mpeg", "odd", None])
def test_a_format_comes_home_as_it_was_spelt(form: Any) -> None:
    ours = body(asked({"text": "a"}, {"video": {"format": form, "source": {"bytes": "AAAA"}}}))
    assert home(ours) == ours


def test_text_in_a_guard_with_sources_or_as_json_is_text_elsewhere() -> None:
    cited = {"citationsContent": {"content": [{"text": "cited"}], "citations": [{"title": "t"}]}}
    guarded = {"guardContent": {"text": {"text": "guarded", "qualifiers": ["query"]}}}
    call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
    told = {"toolResult": {"toolUseId": "c", "content": [{"json": {"a": [1, None]}}], "status": "success"}}
    ours = body(asked(guarded), answered(cited, call), asked(told))
    assert home(ours) == ours
    texts = [message.text for message in DIALECT.read_request(ours).unwrap().messages if not isinstance(message, Message.Custom)]
    assert texts == ["guarded", "cited", '{"a":[1,null]}']


def test_a_failed_result_keeps_its_status_and_audio_stands_behind_the_results() -> None:
    sound = Content.Audio(Resource.Binary("AAAA", "audio/wav"))
    calls = Message.Assistant([Content.ToolRequest("a", "f", {}), Content.ToolRequest("b", "f", {})])
    results = [Message.ToolResult("a", "f", ["x", sound], Outcome.ERROR), Message.ToolResult("b", "f", "y")]
    written = DIALECT.write_request(ChatRequest([Message.User("q"), calls, *results]))
    first, second, audio = written.value["messages"][2]["content"]
    assert first["toolResult"] == {"toolUseId": "a", "content": [{"text": "x"}], "status": "error"}
    assert second["toolResult"] == {"toolUseId": "b", "content": [{"text": "y"}]}
    assert audio == {"audio": {"format": "wav", "source": {"bytes": "AAAA"}}}


# --- parameters


def params(model: str, **fields: Any) -> Any:
    return DIALECT.write_request(ChatRequest([Message.User("a")], ModelParams(**fields)), Target(model))


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("", {"top_k": 5, "thinking": {"type": "enabled", "budget_tokens": 1024}}),
        ("anthropic.claude-3-haiku-20240307-v1:0", {"top_k": 5, "thinking": {"type": "enabled", "budget_tokens": 1024}}),
        ("us.amazon.nova-pro-v1:0", {"inferenceConfig": {"topK": 5}}),
        ("meta.llama3-8b-instruct-v1:0", None),
    ],
)
def test_what_passes_through_to_the_model_has_the_name_that_the_model_gives_it(model: str, fields: Any) -> None:
    written = params(model, top_k=5, thinking=Thinking.Budget(1024), effort=Effort.HIGH)
    assert written.value.get("additionalModelRequestFields") == fields
    assert written.value["outputConfig"] == {"effort": "high"}
    assert len(written.losses) == (0 if fields and "thinking" in fields else 1 if fields else 2)


@pytest.mark.parametrize(
    "fields",
    [
        {"inferenceConfig": {"max_new_tokens": 5, "topK": 3, "maxTokens": 6}},
        {"additionalModelRequestFields": {"reasoning_config": {"type": "enabled", "budget_tokens": 1024}, "a": {}}},
        {
            "additionalModelRequestFields": {
                "thinking": {"type": "adaptive", "display": "none"},
                "output_config": {"effort": "max", "b": 1},
            }
        },
        {"additionalModelRequestFields": {"thinking": {"type": "strange"}, "top_k": "5", "reasoning_effort": "none"}},
        {"additionalModelRequestFields": {"inferenceConfig": {"topK": 3}}, "modelId": "amazon.nova-pro-v1:0"},
        {"additionalModelRequestFields": {"top_k": 3}, "modelId": "amazon.nova-pro-v1:0"},
        {"outputConfig": {"effort": "high", "textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": "{ }"}}}}},
        {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": "no json"}}}}},
        {"toolConfig": {"toolChoice": {"auto": {}}}, "inferenceConfig": {}, "system": []},
        {"toolConfig": {"tools": [], "toolChoice": {"none": {}}}, "inferenceConfig": None, "system": None},
        {"toolConfig": {"tools": [MARK, {"toolSpec": {"name": "f"}}, MARK, {"systemTool": {"name": "g"}}]}},
        {"promptVariables": {"a": {"text": "b"}}, "performanceConfig": {"latency": "optimized"}, "schemaVersion": "messages-v1"},
    ],
)
def test_a_parameter_comes_home_from_wherever_it_stood(fields: dict[str, Any]) -> None:
    ours = body(asked({"text": "a"}), **fields)
    assert home(ours) == ours


def test_a_request_for_a_stored_prompt_needs_no_messages() -> None:
    ours = {"modelId": "arn:aws:bedrock:us-east-1:123456789012:prompt/0123456789", "promptVariables": {"a": {"text": "b"}}}
    assert home(ours) == ours
    assert isinstance(DIALECT.read_request({"a": 1}), Failure)


def test_that_no_tool_may_be_called_is_said_by_leaving_the_tools_out() -> None:
    written = params("", tools=[Tool("f")], tool_choice=ToolChoice.Never())
    assert "toolConfig" not in written.value
    assert [(loss.what, loss.action.value) for loss in written.losses] == [
        ("the tool choice", "rewritten"),
        ("a tool that must not be called", "dropped"),
    ]
