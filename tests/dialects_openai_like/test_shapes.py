"""Every shape that the three dialects have for a word: read to that word, and written back exactly as it stood."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from dialects.examples import PDF, PNG, WAV, plain

from chatadt import (
    DIALECTS,
    Arguments,
    ChatRequest,
    Content,
    Effort,
    Extras,
    Message,
    ModelParams,
    Policy,
    ProviderTool,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
    check,
    convert,
)
from chatadt.content import Detail
from chatadt.dialects import Target
from chatadt.dialects._media import file_reference
from chatadt.loss import Action
from chatadt.message import Outcome

from .family import FAMILY, FIRST

URL: Final = "https://example.org/a"
IMAGE: Final = Resource.Binary(PNG, "image/png")
SOUND: Final = Resource.Binary(WAV, "audio/wav")
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SCHEMA: Final = {"type": "object", "properties": {"a": {"type": "string"}}}
WEATHER: Final = {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}}
ASKED: Final = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
CALL: Final = Content.ToolRequest("abcdefghi", "f", '{"a": 1}')


def own(name: str, **fields: Any) -> Extras:
    return Extras({name: fields})


def asked(*parts: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": list(parts)}]}


def said(**fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", **fields}]}


def told(content: Any, **fields: Any) -> dict[str, Any]:
    return {"messages": [{"role": "tool", "tool_call_id": "abcdefghi", "content": content, **fields}]}


def user(*contents: Any) -> list[Message.T]:
    return [Message.User(contents)]


def assistant(*contents: Any, **fields: Any) -> list[Message.T]:
    return [Message.Assistant(contents, **fields)]


SHAPES: Final[dict[str, list[tuple[str, dict[str, Any], list[Message.T]]]]] = {
    "mistral": [
        (
            "image",
            asked({"type": "image_url", "image_url": {"url": URL, "detail": "low"}}),
            user(Content.Image(Resource.Ref(URL), Detail.LOW)),
        ),
        ("image, a string", asked({"type": "image_url", "image_url": f"data:image/png;base64,{PNG}"}), user(Content.Image(IMAGE))),
        (
            "image, no media type",
            asked({"type": "image_url", "image_url": f"data:;base64,{PNG}"}),
            user(Content.Image(Resource.Binary(PNG))),
        ),
        (
            "image, a detail nobody has",
            asked({"type": "image_url", "image_url": {"url": URL, "detail": "x"}}),
            user(Content.Image(Resource.Ref(URL), extras=own("mistral", image_url={"detail": "x"}))),
        ),
        ("image, bare base64", asked({"type": "image_url", "image_url": PNG}), user(Content.Image(Resource.Ref(PNG)))),
        (
            "PDF",
            asked({"type": "document_url", "document_url": URL, "document_name": "a"}),
            user(Content.PDF(Resource.Ref(URL), "a")),
        ),
        (
            "PDF by value",
            asked({"type": "document_url", "document_url": f"data:application/pdf;base64,{PDF}"}),
            user(Content.PDF(Resource.Binary(PDF, "application/pdf"))),
        ),
        (
            "Word",
            asked({"type": "document_url", "document_url": f"data:{DOCX};base64,{PNG}"}),
            user(Content.File(Resource.Binary(PNG, DOCX))),
        ),
        (
            "Word by URL",
            asked({"type": "document_url", "document_url": f"{URL}.docx?b"}),
            user(Content.File(Resource.Ref(f"{URL}.docx?b"))),
        ),
        (
            "text, a document",
            asked({"type": "document_url", "document_url": "data:text/plain;base64,YQ=="}),
            user(Content.File(Resource.Binary("YQ==", "text/plain"))),
        ),
        ("file", asked({"type": "file", "file_id": "f 1"}), user(Content.File(Resource.Ref(file_reference("mistral", "f 1"))))),
        ("audio", asked({"type": "input_audio", "input_audio": WAV}), user(Content.Audio(SOUND))),
        ("audio by URL", asked({"type": "input_audio", "input_audio": URL}), user(Content.Audio(Resource.Ref(URL)))),
        (
            "audio, a data URL",
            asked({"type": "input_audio", "input_audio": f"data:audio/flac;base64,{PNG}"}),
            user(Content.Audio(Resource.Binary(PNG, "audio/flac"))),
        ),
        (
            "audio, an object",
            asked({"type": "input_audio", "input_audio": {"data": PNG, "format": "mp3"}}),
            user(Content.Audio(Resource.Binary(PNG, "audio/mpeg"))),
        ),
        (
            "reference",
            asked({"type": "reference", "reference_ids": [1]}),
            user(Content.Custom("mistral", {"type": "reference", "reference_ids": [1]})),
        ),
        ("no contents, null", {"messages": [{"role": "user", "content": None}]}, user()),
        ("no contents, a list", asked(), user()),
        (
            "thinking",
            said(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "signature": "s"}]),
            assistant(Content.Reasoning("hm", own("mistral", signature="s"))),
        ),
        (
            "thinking in pieces",
            said(
                content=[
                    {"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"type": "text", "text": "m"}], "closed": True}
                ]
            ),
            assistant(Content.Reasoning("hm", own("mistral", closed=True))),
        ),
        (
            "thinking with references",
            said(
                content=[
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, {"type": "reference", "reference_ids": [1]}]}
                ]
            ),
            assistant(
                Content.Reasoning(
                    "hm", own("mistral", thinking=[{"type": "text", "text": "hm"}, {"type": "reference", "reference_ids": [1]}])
                )
            ),
        ),
        ("thinking nothing", said(content=[{"type": "thinking", "thinking": []}]), assistant(Content.Reasoning(""))),
        ("call", said(tool_calls=[ASKED]), assistant(CALL)),
        ("call beside null", said(content=None, tool_calls=[ASKED]), assistant(CALL)),
        ("call beside an empty list", said(content=[], tool_calls=[ASKED], prefix=False), assistant(CALL)),
        ("call beside an empty text", said(content="", tool_calls=[ASKED]), assistant("", CALL)),
        (
            "call with an object",
            said(tool_calls=[{"id": "null", "index": 0, "function": {"name": "f", "arguments": {"a": 1}}}]),
            assistant(Content.ToolRequest("null", "f", {"a": 1})),
        ),
        (
            "call without an id",
            said(tool_calls=[{"function": {"name": "f", "arguments": ""}}]),
            assistant(Content.ToolRequest("", "f", {})),
        ),
        (
            "call of another kind",
            said(content="a", tool_calls=[{"type": "x"}, ASKED]),
            assistant("a", Content.Custom("mistral", {"$tool_call": {"type": "x"}}), CALL),
        ),
        (
            "cut-off arguments",
            said(tool_calls=[{**ASKED, "function": {"name": "f", "arguments": '{"a'}}]),
            assistant(Content.ToolRequest("abcdefghi", "f", Arguments.of('{"a'))),
        ),
        ("prefix", said(content="a", prefix=True), assistant("a", extras=own("mistral", prefix=True))),
        ("no calls, a list", said(content="a", tool_calls=[]), assistant("a")),
        ("result", told("r"), [Message.ToolResult("abcdefghi", None, "r")]),
        ("result with a name", told("r", name="f"), [Message.ToolResult("abcdefghi", "f", "r")]),
        ("result of nothing", told(None), [Message.ToolResult("abcdefghi", None, ())]),
        (
            "result with a picture",
            told([{"type": "text", "text": "r"}, {"type": "resource_link", "uri": URL}]),
            [Message.ToolResult("abcdefghi", None, ["r", Content.Custom("mistral", {"type": "resource_link", "uri": URL})])],
        ),
        (
            "system",
            {"messages": [{"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": []}]}]},
            [Message.System(["a", Content.Custom("mistral", {"type": "thinking", "thinking": []})])],
        ),
        (
            "a role that nobody has",
            {"messages": [{"role": "developer", "content": "a"}]},
            [Message.Custom({"role": "developer", "content": "a"}, "mistral")],
        ),
    ],
    "cohere": [
        (
            "image",
            asked({"type": "image_url", "image_url": {"url": URL, "detail": "high"}}),
            user(Content.Image(Resource.Ref(URL), Detail.HIGH)),
        ),
        (
            "thinking",
            said(content=[{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}]),
            assistant(Content.Reasoning("hm"), "a"),
        ),
        ("plan", said(tool_plan="hm", tool_calls=[ASKED]), assistant(Content.Reasoning("hm"), CALL)),
        ("plan after words", said(content="a", tool_plan="hm", tool_calls=[ASKED]), assistant("a", Content.Reasoning("hm"), CALL)),
        ("citations", said(content="a", citations=[{"start": 0}]), assistant("a", extras=own("cohere", citations=[{"start": 0}]))),
        ("nothing but a role", said(), assistant()),
        ("result", told("r"), [Message.ToolResult("abcdefghi", None, "r")]),
        (
            "document",
            told([{"type": "document", "document": {"data": {"t": "24C"}, "id": "0"}}]),
            [
                Message.ToolResult(
                    "abcdefghi", None, '{"t":"24C"}', extras=own("cohere", documents={"0": {"document": {"id": "0"}}})
                )
            ],
        ),
        (
            "documents among texts",
            told([{"type": "text", "text": "a"}, {"type": "document", "document": {"data": {}}}]),
            [Message.ToolResult("abcdefghi", None, ["a", "{}"])],
        ),
        (
            "a document that is text",
            told([{"type": "document", "document": "a"}]),
            [Message.ToolResult("abcdefghi", None, [Content.Custom("cohere", {"type": "document", "document": "a"})])],
        ),
        ("no contents", told([]), [Message.ToolResult("abcdefghi", None, ())]),
    ],
    "ollama": [
        ("text", {"messages": [{"role": "user", "content": "a"}]}, user("a")),
        ("image", {"messages": [{"role": "user", "content": "a", "images": [PNG]}]}, user("a", Content.Image(IMAGE))),
        ("image alone", {"messages": [{"role": "user", "content": "", "images": [PNG]}]}, user(Content.Image(IMAGE))),
        ("sound", {"messages": [{"role": "user", "content": "a", "images": [WAV]}]}, user("a", Content.Audio(SOUND))),
        ("thinking", said(thinking="hm", content="a"), assistant(Content.Reasoning("hm"), "a")),
        (
            "call",
            said(content="", tool_calls=[{"function": {"name": "f", "arguments": {"a": 1}}}]),
            assistant(Content.ToolRequest("call_0", "f", {"a": 1})),
        ),
        (
            "call with an id",
            said(content="", tool_calls=[{"id": "x", "function": {"index": 1, "name": "f", "arguments": {}}}]),
            assistant(Content.ToolRequest("x", "f", {})),
        ),
        (
            "call without arguments",
            said(content="", tool_calls=[{"function": {"name": "f"}}]),
            assistant(Content.ToolRequest("call_0", "f", {})),
        ),
        (
            "call with null",
            said(content="", tool_calls=[{"function": {"name": "f", "arguments": None}}]),
            assistant(Content.ToolRequest("call_0", "f", {})),
        ),
        ("an assistant's picture", said(content="a", images=[PNG]), assistant("a", extras=own("ollama", images=[PNG]))),
        ("result", {"messages": [{"role": "tool", "content": "r", "tool_name": "f"}]}, [Message.ToolResult("", "f", "r")]),
        (
            "result with an id",
            {"messages": [{"role": "tool", "content": "r", "tool_call_id": "x"}]},
            [Message.ToolResult("x", None, "r")],
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "body", "messages"),
    [pytest.param(name, body, messages, id=f"{name}-{title}") for name, found in SHAPES.items() for title, body, messages in found],
)
def test_a_shape_is_read_to_its_word_and_written_back(name: str, body: dict[str, Any], messages: list[Message.T]) -> None:
    request = FAMILY[name].read_request(deepcopy(body)).unwrap()
    assert plain(request) == plain(ChatRequest(messages))
    written = FAMILY[name].write_request(request)
    assert written.value == body
    assert written.losses == ()


@pytest.mark.parametrize(
    ("name", "body", "messages"),
    [pytest.param(name, body, messages, id=f"{name}-{title}") for name, found in SHAPES.items() for title, body, messages in found],
)
def test_notes_on_spelling_are_nothing_to_lose(name: str, body: dict[str, Any], messages: list[Message.T]) -> None:
    """The words without the notes, and with them, give another dialect the same, and no loss names a note."""
    del messages
    request = FAMILY[name].read_request(body).unwrap()
    for other in (FIRST["openai_chat"], FIRST["anthropic"]):
        assert [loss.what for loss in other.write_request(request, Target("")).losses if loss.what.startswith("$")] == []


PARAMS: Final[dict[str, list[tuple[str, dict[str, Any], ModelParams]]]] = {
    "mistral": [
        (
            "any",
            {"tools": [WEATHER], "tool_choice": "any"},
            ModelParams(tools=[Tool("f", "d", SCHEMA)], tool_choice=ToolChoice.Required()),
        ),
        (
            "required",
            {"tools": [WEATHER], "tool_choice": "required"},
            ModelParams(tools=[Tool("f", "d", SCHEMA)], tool_choice=ToolChoice.Required()),
        ),
        ("auto without tools", {"tool_choice": "auto"}, ModelParams()),
        (
            "a tool without type",
            {"tools": [{"function": {"name": "f", "parameters": {}}}]},
            ModelParams(tools=[Tool("f", None, {})]),
        ),
        ("a tool without a schema", {"tools": [{"type": "function", "function": {"name": "f"}}]}, ModelParams(tools=[Tool("f")])),
        (
            "a connector",
            {"tools": [{"type": "image_generation"}]},
            ModelParams(tools=[ProviderTool("mistral", {"type": "image_generation"})]),
        ),
        ("seed", {"random_seed": 7, "max_tokens": 5, "top_k": 3}, ModelParams(seed=7, max_output_tokens=5, top_k=3)),
        ("stop", {"stop": "a"}, ModelParams(stop=["a"])),
        ("effort", {"reasoning_effort": "xhigh"}, ModelParams(effort=Effort.XHIGH)),
        (
            "safe_prompt",
            {"safe_prompt": True, "n": 1, "prompt_mode": "reasoning"},
            ModelParams(extras=own("mistral", safe_prompt=True, n=1, prompt_mode="reasoning")),
        ),
    ],
    "cohere": [
        (
            "choice",
            {"tools": [WEATHER], "tool_choice": "REQUIRED"},
            ModelParams(tools=[Tool("f", "d", SCHEMA)], tool_choice=ToolChoice.Required()),
        ),
        ("strict", {"tools": [WEATHER], "strict_tools": True}, ModelParams(tools=[Tool("f", "d", SCHEMA, True)])),
        ("strict without tools", {"strict_tools": True}, ModelParams(extras=own("cohere", strict_tools=True))),
        (
            "schema",
            {"response_format": {"type": "json_object", "json_schema": SCHEMA}},
            ModelParams(response_format=ResponseFormat.JsonSchema(SCHEMA)),
        ),
        ("JSON", {"response_format": {"type": "json_object"}}, ModelParams(response_format=ResponseFormat.JsonObject())),
        ("budget", {"thinking": {"type": "enabled", "token_budget": 9}}, ModelParams(thinking=Thinking.Budget(9))),
        ("thinking", {"thinking": {"type": "enabled"}}, ModelParams(thinking=Thinking.Adaptive())),
        ("no thinking", {"thinking": {"type": "disabled"}}, ModelParams(thinking=Thinking.Off())),
        (
            "out of bounds",
            {"p": 1, "k": 900, "stop_sequences": list("abcdef")},
            ModelParams(top_p=1, top_k=900, stop=list("abcdef")),
        ),
        (
            "documents",
            {"documents": ["a"], "citation_options": {"mode": "off"}},
            ModelParams(extras=own("cohere", documents=["a"], citation_options={"mode": "off"})),
        ),
    ],
    "ollama": [
        (
            "options",
            {"options": {"temperature": 0, "num_predict": 5, "num_ctx": 8}},
            ModelParams(temperature=0, max_output_tokens=5, extras=own("ollama", options={"num_ctx": 8})),
        ),
        ("no options", {"options": {}}, ModelParams()),
        ("null options", {"options": None, "tools": [], "keep_alive": None}, ModelParams(extras=own("ollama", keep_alive=None))),
        ("stop", {"options": {"stop": "a"}}, ModelParams(stop=["a"])),
        ("an empty format", {"format": ""}, ModelParams()),
        ("JSON", {"format": "json"}, ModelParams(response_format=ResponseFormat.JsonObject())),
        ("schema", {"format": SCHEMA}, ModelParams(response_format=ResponseFormat.JsonSchema(SCHEMA))),
        ("thinks", {"think": True}, ModelParams(thinking=Thinking.Adaptive())),
        ("thinks not", {"think": False}, ModelParams(thinking=Thinking.Off())),
        ("thinks hard", {"think": "max"}, ModelParams(effort=Effort.MAX)),
        ("thinks somehow", {"think": "x"}, ModelParams(extras=own("ollama", think="x"))),
        (
            "outside the options",
            {"temperature": 0.5, "keep_alive": "5m"},
            ModelParams(extras=own("ollama", temperature=0.5, keep_alive="5m")),
        ),
    ],
}


@pytest.mark.parametrize(
    ("name", "fields", "params"),
    [pytest.param(name, fields, params, id=f"{name}-{title}") for name, found in PARAMS.items() for title, fields, params in found],
)
def test_a_parameter_is_read_to_its_word_and_written_back(name: str, fields: dict[str, Any], params: ModelParams) -> None:
    body = {**fields, "messages": [{"role": "user", "content": "a"}]}
    request = FAMILY[name].read_request(deepcopy(body)).unwrap()
    assert plain(request) == plain(ChatRequest([Message.User("a")], params))
    written = FAMILY[name].write_request(request)
    assert written.value == body
    assert written.losses == ()


# --- what is particular --------------------------------------------------------------------------------------------------------


def test_ids_become_nine_characters_and_stay_two() -> None:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ("call_a:1", "call_a/1")]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": call["id"]} for call in calls]
    body = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "tool_calls": calls}, *results]}
    messages = convert(body, "openai_chat", FAMILY["mistral"]).unwrap().value["messages"]
    ids = [call["id"] for call in messages[1]["tool_calls"]]
    assert [len(id) for id in ids if id.isalnum()] == [9, 9]
    assert ids == [message["tool_call_id"] for message in messages[2:]]
    assert len(set(ids)) == 2
    assert messages == convert(body, "openai_chat", FAMILY["mistral"]).unwrap().value["messages"]


def test_a_prefix_is_asked_for_by_the_caller() -> None:
    body = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    mistral = FAMILY["mistral"]
    asked_for = convert(body, "openai_chat", mistral, prefill=True).unwrap()
    assert asked_for.value["messages"][-1] == {"role": "assistant", "content": "b", "prefix": True}
    mended = convert(body, "openai_chat", mistral, policy=Policy.LENIENT).unwrap()
    assert [message["role"] for message in mended.value["messages"]] == ["user", "assistant", "user"]
    assert {violation.rule for violation in check(mistral.read_request(body).unwrap(), mistral)} == {"last-user"}


def test_results_of_ollama_find_their_calls_by_name_and_then_in_order() -> None:
    calls = [{"function": {"name": name, "arguments": {"n": number}}} for number, name in enumerate(("f", "g", "f"))]
    results = [
        {"role": "tool", "content": text, "tool_name": name} for text, name in (("of g", "g"), ("of f", "f"), ("of f again", "f"))
    ]
    body = {"messages": [{"role": "assistant", "content": "", "tool_calls": calls}, *results]}
    request = FAMILY["ollama"].read_request(body).unwrap()
    assert [message.id for message in request.messages if isinstance(message, Message.ToolResult)] == ["call_1", "call_0", "call_2"]
    assert FAMILY["ollama"].write_request(request).value == body
    crossed = FIRST["openai_chat"].write_request(request).value["messages"]
    assert [(message["tool_call_id"], message["content"]) for message in crossed[1:]] == [
        ("call_1", "of g"),
        ("call_0", "of f"),
        ("call_2", "of f again"),
    ]


def test_results_in_another_order_are_ordered_for_ollama() -> None:
    """Two calls of one tool, answered the other way round: by order alone each would get the other's result."""
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ("a", "b")]
    results = [{"role": "tool", "tool_call_id": id, "content": f"of {id}"} for id in ("b", "a")]
    body = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": calls}, *results]}
    converted = convert(body, "openai_chat", FAMILY["ollama"], repair=True).unwrap()
    assert [message["content"] for message in converted.value["messages"][2:]] == ["of a", "of b"]
    written = FAMILY["ollama"].write_request(DIALECTS["openai_chat"].read_request(body).unwrap())
    assert [message["content"] for message in written.value["messages"][2:]] == ["of a", "of b"]
    moves = [loss.path for loss in written.losses if loss.action is Action.MOVED]
    assert moves == ["$.messages[2]", "$.messages[3]"]


def test_a_loss_of_a_result_that_changes_its_place_keeps_its_path() -> None:
    calls = [Content.ToolRequest(id, "f", {}) for id in ("a", "b")]
    results = [Message.ToolResult("b", "f", "of b", Outcome.DENIED), Message.ToolResult("a", "f", "of a")]
    written = FAMILY["ollama"].write_request(ChatRequest([Message.Assistant(calls), *results]))
    assert [loss.path for loss in written.losses if loss.what == "the outcome"] == ["$.messages[1].outcome"]


def test_media_of_a_result_stand_behind_the_results_for_mistral_and_cohere() -> None:
    calls = [Content.ToolRequest(id, "f", {}) for id in ("abcdefgh1", "abcdefgh2")]
    results = [Message.ToolResult("abcdefgh1", "f", ["see", Content.Image(IMAGE)]), Message.ToolResult("abcdefgh2", "f", "b")]
    request = ChatRequest([Message.User("a"), Message.Assistant(calls), *results, Message.Assistant("c")])
    for name in ("mistral", "cohere"):
        messages = FAMILY[name].write_request(request).value["messages"]
        assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "user", "assistant"]
        assert messages[4]["content"] == [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}]


def test_an_outcome_is_dropped_by_name() -> None:
    request = ChatRequest([Message.Assistant([CALL]), Message.ToolResult("abcdefghi", "f", "no", Outcome.DENIED)])
    for dialect in FAMILY.values():
        losses = dialect.write_request(request).losses
        assert ("$.messages[1].outcome", "denied") in [(loss.path, loss.original and loss.original.value) for loss in losses]


def test_what_no_message_can_say_is_dropped_from_a_result_and_not_said_to_be_moved() -> None:
    video = Content.Video(Resource.Ref(URL))
    for dialect in FAMILY.values():
        written = dialect.write_request(ChatRequest([Message.Assistant([CALL]), Message.ToolResult("abcdefghi", "f", [video])]))
        assert [loss.action for loss in written.losses if loss.what.startswith("video")] == [Action.DROPPED]
