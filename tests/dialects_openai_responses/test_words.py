"""Every kind of item is read to the words that it stands for; what stands for nothing is kept where it was."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

import pytest
from dialects.examples import plain

from chatadt import (
    ChatRequest,
    Content,
    Effort,
    Extras,
    Message,
    ModelParams,
    ProviderTool,
    Resource,
    ResponseFormat,
    Tool,
    ToolChoice,
)
from chatadt.content import Detail
from chatadt.dialects.openai_responses import DIALECT, canonical

NAME: Final = DIALECT.name
PNG: Final = "iVBORw0KGgo="
PDF: Final = "JVBERi0xLjQ="
FILE: Final = Resource.Ref("urn:chatadt:openai:file:file-1")
SEARCH: Final = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
REFERENCE: Final = {"type": "item_reference", "id": "msg_1"}
CALL: Final = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a": 1}'}
REQUEST: Final = Content.ToolRequest("c1", "f", '{"a": 1}')


def own(**fields: Any) -> Extras:
    return Extras({NAME: fields})


def items(*given: Any) -> dict[str, Any]:
    return {"input": list(given)}


def asked(*parts: Any) -> dict[str, Any]:
    return items({"role": "user", "content": list(parts)})


def answered(*parts: Any, **fields: Any) -> dict[str, Any]:
    return items({"role": "assistant", "content": list(parts), **fields})


def thought(*summary: str, **fields: Any) -> dict[str, Any]:
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text} for text in summary], **fields}


def user(*contents: Any) -> list[Message.T]:
    return [Message.User(contents)]


def said(*contents: Any) -> list[Message.T]:
    return [Message.Assistant(contents)]


INPUTS: Final[dict[str, tuple[dict[str, Any], list[Message.T]]]] = {
    "a string": ({"input": "hi"}, user("hi")),
    "nothing": ({"input": None}, []),
    "nothing at all": ({}, []),
    "no item": (items(), []),
    "instructions": ({"instructions": "be brief", "input": "hi"}, [Message.System("be brief"), *user("hi")]),
    "a user": (items({"role": "user", "content": "hi"}), user("hi")),
    "a message that says so": (items({"type": "message", "role": "user", "content": "hi"}), user("hi")),
    "system": (items({"role": "system", "content": "be brief"}), [Message.System("be brief")]),
    "developer": (items({"role": "developer", "content": "be brief"}), [Message.System("be brief")]),
    "parts": (asked({"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}), user("a", "b")),
    "a field of a message": (
        items({"type": "message", "id": "msg_1", "role": "user", "content": "hi", "status": "completed"}),
        [Message.User("hi", extras=own(id="msg_1", status="completed"))],
    ),
    "a cache mark": (
        asked({"type": "input_text", "text": "a", "prompt_cache_breakpoint": {"mode": "explicit"}}),
        user(Content.Text("a", own(prompt_cache_breakpoint={"mode": "explicit"}))),
    ),
    "an image by value": (
        asked({"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "high"}),
        user(Content.Image(Resource.Binary(PNG, "image/png"), Detail.HIGH)),
    ),
    "an image by URL": (
        asked({"type": "input_image", "image_url": "https://example.org/a.png"}),
        user(Content.Image(Resource.Ref("https://example.org/a.png"))),
    ),
    "an image that the provider keeps": (
        asked({"type": "input_image", "file_id": "file-1", "image_url": None}),
        user(Content.Image(FILE)),
    ),
    "an image at an address of nobody else's": (
        asked({"type": "input_image", "image_url": "gs://a/b"}),
        user(Content.Image(Resource.Ref("gs://a/b"))),
    ),
    "an image of an unknown type": (
        asked({"type": "input_image", "image_url": "data:;base64,AAAA"}),
        user(Content.Image(Resource.Binary("AAAA"))),
    ),
    "a PDF by value": (
        asked({"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"}),
        user(Content.PDF(Resource.Binary(PDF, "application/pdf"), "a.pdf")),
    ),
    "a file without a name": (
        asked({"type": "input_file", "file_data": "data:text/plain;base64,YQ=="}),
        user(Content.File(Resource.Binary("YQ==", "text/plain"))),
    ),
    "a PDF by URL": (
        asked({"type": "input_file", "file_url": "https://example.org/a.PDF?x=1"}),
        user(Content.PDF(Resource.Ref("https://example.org/a.PDF?x=1"))),
    ),
    "a file by URL, with a name": (
        asked({"type": "input_file", "file_url": "https://example.org/a", "filename": "a.txt"}),
        user(Content.File(Resource.Ref("https://example.org/a"), "a.txt")),
    ),
    "a file that the provider keeps": (asked({"type": "input_file", "file_id": "file-1"}), user(Content.File(FILE))),
    "a file of two kinds": (
        asked({"type": "input_file", "file_id": "file-1", "file_url": "https://example.org/a"}),
        user(Content.Custom(NAME, {"type": "input_file", "file_id": "file-1", "file_url": "https://example.org/a"})),
    ),
    "a part that nobody else has": (asked({"type": "input_x", "x": 1}), user(Content.Custom(NAME, {"type": "input_x", "x": 1}))),
}

ANSWERS: Final[dict[str, tuple[dict[str, Any], list[Message.T]]]] = {
    "a text": (items({"role": "assistant", "content": "hi"}), said("hi")),
    "a list of one text": (answered({"type": "output_text", "text": "hi"}), said("hi")),
    "a text with its fillers": (
        answered({"type": "output_text", "text": "hi", "annotations": [], "logprobs": []}, type="message", status="completed"),
        said(Content.Text("hi", own(logprobs=[]))),
    ),
    "two texts": (answered(*({"type": "output_text", "text": text} for text in "ab")), said("a", "b")),
    "a message with an id": (
        answered({"type": "output_text", "text": "hi", "annotations": []}, type="message", status="completed", id="msg_1"),
        said(Content.Text("hi", own(item={"type": "message", "status": "completed", "id": "msg_1"}))),
    ),
    "a message with a phase": (
        items({"role": "assistant", "content": "hi", "phase": "commentary"}),
        said(Content.Text("hi", own(item={"phase": "commentary"}))),
    ),
    "a citation": (
        answered({"type": "output_text", "text": "hi", "annotations": [{"type": "file_path", "file_id": "f", "index": 0}]}),
        said(Content.Text("hi", own(annotations=[{"type": "file_path", "file_id": "f", "index": 0}]))),
    ),
    "a refusal": (answered({"type": "refusal", "refusal": "no"}), said(Content.Refusal("no"))),
    "two messages": (items({"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}), said("a", "b")),
    "a message and one with an id": (
        items(
            {"role": "assistant", "content": "a"},
            {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "b"}]},
        ),
        said("a", Content.Text("b", own(item={"type": "message", "id": "m"}))),
    ),
    "a part that nobody else has": (
        answered({"type": "output_x"}, {"type": "output_text", "text": "a"}, id="msg_1"),
        said(Content.Custom(NAME, {"$part": {"type": "output_x"}, "$item": "list", "item": {"id": "msg_1"}}), "a"),
    ),
    "a message of no parts": (answered(), said(Content.Custom(NAME, {"role": "assistant", "content": []}))),
    "a call": (items(CALL), said(REQUEST)),
    "a call with an id": (
        items({**CALL, "id": "fc_1", "status": "completed"}),
        said(Content.ToolRequest("c1", "f", '{"a": 1}', own(id="fc_1", status="completed"))),
    ),
    "a call with no arguments": (items({**CALL, "arguments": ""}), said(Content.ToolRequest("c1", "f", "{}"))),
    "a call that was cut off": (items({**CALL, "arguments": '{"a": '}), said(Content.ToolRequest("c1", "f", '{"a": '))),
    "a call of a tool that takes text": (
        items({"type": "custom_tool_call", "call_id": "c1", "name": "sql", "input": "SELECT 1", "id": "ctc_1"}),
        said(Content.ToolRequest("c1", "sql", '"SELECT 1"', own(id="ctc_1"))),
    ),
    "reasoning": (
        items(thought("a", id="rs_1", encrypted_content="E")),
        said(Content.Reasoning("a", own(item={"id": "rs_1", "encrypted_content": "E"}))),
    ),
    "reasoning without a word": (items(thought(id="rs_1")), said(Content.Reasoning("", own(item={"id": "rs_1"})))),
    "reasoning that nobody signed": (items(thought("a")), said(Content.Reasoning("a"))),
    "reasoning of several texts": (
        items(thought("a", "b", id="rs_1", content=[{"type": "reasoning_text", "text": "c"}])),
        said(Content.Reasoning("a", own(item={"id": "rs_1"})), Content.Reasoning("b"), Content.Reasoning("c")),
    ),
    "two reasoning items": (
        items(thought("a", id="rs_1"), thought("b", id="rs_2")),
        said(Content.Reasoning("a", own(item={"id": "rs_1"})), Content.Reasoning("b", own(item={"id": "rs_2"}))),
    ),
    "reasoning of a form that nobody knows": (
        items({"type": "reasoning", "id": "rs_1", "summary": "a"}),
        said(Content.Custom(NAME, {"type": "reasoning", "id": "rs_1", "summary": "a"})),
    ),
    "a turn": (
        items(thought("a", id="rs_1"), SEARCH, {"role": "assistant", "content": "b"}, CALL),
        said(Content.Reasoning("a", own(item={"id": "rs_1"})), Content.Custom(NAME, SEARCH), "b", REQUEST),
    ),
}

RESULTS: Final[dict[str, tuple[dict[str, Any], list[Message.T]]]] = {
    "a result": (
        items(CALL, {"type": "function_call_output", "call_id": "c1", "output": "4"}),
        [*said(REQUEST), Message.ToolResult("c1", "f", "4")],
    ),
    "a result of parts": (
        items({"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_image", "file_id": "file-1"}]}),
        [Message.ToolResult("c1", None, [Content.Image(FILE)])],
    ),
    "a result of nothing": (
        items({"type": "function_call_output", "call_id": "c1", "output": []}),
        [Message.ToolResult("c1", None, [])],
    ),
    "a result with an id": (
        items({"type": "function_call_output", "call_id": "c1", "output": "4", "id": "fco_1"}),
        [Message.ToolResult("c1", None, "4", extras=own(id="fco_1"))],
    ),
    "a result of a tool that takes text": (
        items({"type": "custom_tool_call_output", "call_id": "c1", "output": "4"}),
        [Message.ToolResult("c1", None, "4")],
    ),
    "a result of no call": (
        items({"type": "function_call_output", "output": "4", "name": "f"}),
        [Message.Custom({"type": "function_call_output", "output": "4", "name": "f"}, NAME)],
    ),
    "results of calls in turns": (
        items(CALL, {"type": "function_call_output", "call_id": "c1", "output": "4"}, {**CALL, "call_id": "c2"}),
        [*said(REQUEST), Message.ToolResult("c1", "f", "4"), *said(Content.ToolRequest("c2", "f", '{"a": 1}'))],
    ),
}

ELSEWHERE: Final[dict[str, tuple[dict[str, Any], list[Message.T]]]] = {
    "a reference": (items(REFERENCE), [Message.Custom(REFERENCE, NAME)]),
    "a reference that does not say so": (items({"id": "msg_1"}), [Message.Custom({"id": "msg_1"}, NAME)]),
    "an item of tomorrow": (items({"type": "telepathy", "x": 1}), [Message.Custom({"type": "telepathy", "x": 1}, NAME)]),
    "tools that a developer adds": (
        items({"type": "additional_tools", "role": "developer", "tools": []}),
        [Message.Custom({"type": "additional_tools", "role": "developer", "tools": []}, NAME)],
    ),
    "tools that the server found": (
        items({"type": "tool_search_output", "execution": "server", "tools": []}),
        said(Content.Custom(NAME, {"type": "tool_search_output", "execution": "server", "tools": []})),
    ),
    "tools that the client found": (
        items({"type": "tool_search_output", "execution": "client", "tools": []}),
        [Message.Custom({"type": "tool_search_output", "execution": "client", "tools": []}, NAME)],
    ),
    "a role that nobody else has": (
        items({"role": "critic", "content": "a"}),
        [Message.Custom({"role": "critic", "content": "a"}, NAME)],
    ),
    "a response before": (
        {"previous_response_id": "resp_1", "input": "hi"},
        [Message.Custom({"$request": {"previous_response_id": "resp_1"}}, NAME), *user("hi")],
    ),
    "a conversation and a prompt, with instructions": (
        {"conversation": "conv_1", "prompt": {"id": "p"}, "instructions": "be brief"},
        [Message.System("be brief"), Message.Custom({"$request": {"conversation": "conv_1", "prompt": {"id": "p"}}}, NAME)],
    ),
}

CONVERSATIONS: Final = {
    f"{kind}: {name}": example
    for kind, examples in {"input": INPUTS, "answer": ANSWERS, "result": RESULTS, "elsewhere": ELSEWHERE}.items()
    for name, example in examples.items()
}

PARAMETERS: Final[dict[str, tuple[dict[str, Any], ModelParams]]] = {
    "scalars": (
        {"model": "m", "temperature": 0.5, "top_p": 1, "max_output_tokens": 99, "stream": True, "user": "ann"},
        ModelParams(model="m", temperature=0.5, top_p=1, max_output_tokens=99, stream=True, user="ann"),
    ),
    "an effort": ({"reasoning": {"effort": "low"}}, ModelParams(effort=Effort.LOW)),
    "an effort and more": (
        {"reasoning": {"effort": "low", "summary": "auto"}},
        ModelParams(effort=Effort.LOW, extras=own(reasoning={"summary": "auto"})),
    ),
    "a function": (
        {"tools": [{"type": "function", "name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True}]},
        ModelParams(tools=[Tool("f", "d", {"type": "object"}, True)]),
    ),
    "a function with nulls": (
        {"tools": [{"type": "function", "name": "f", "parameters": None, "strict": None}]},
        ModelParams(tools=[Tool("f")]),
    ),
    "a bare function": ({"tools": [{"type": "function", "name": "f"}]}, ModelParams(tools=[Tool("f")])),
    "a tool of the provider's": (
        {"tools": [{"type": "web_search"}]},
        ModelParams(tools=[ProviderTool(NAME, {"type": "web_search"})]),
    ),
    "no tool": ({"tools": []}, ModelParams()),
    "any tool": ({"tool_choice": "required"}, ModelParams(tool_choice=ToolChoice.Required())),
    "one tool": ({"tool_choice": {"type": "function", "name": "f"}}, ModelParams(tool_choice=ToolChoice.One("f"))),
    "some tools": (
        {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": []}},
        ModelParams(tool_choice=ToolChoice.Custom(NAME, {"type": "allowed_tools", "mode": "auto", "tools": []})),
    ),
    "a format": (
        {"text": {"format": {"type": "json_schema", "name": "n", "schema": {}, "strict": True}, "verbosity": "low"}},
        ModelParams(response_format=ResponseFormat.JsonSchema({}, "n", strict=True), extras=own(text={"verbosity": "low"})),
    ),
    "a format without a name": (
        {"text": {"format": {"type": "json_schema", "schema": {}}}},
        ModelParams(response_format=ResponseFormat.JsonSchema({})),
    ),
    "a grammar": (
        {"text": {"format": {"type": "grammar", "syntax": "lark"}}},
        ModelParams(response_format=ResponseFormat.Custom(NAME, {"type": "grammar", "syntax": "lark"})),
    ),
    "empty objects": ({"text": {}, "reasoning": {}}, ModelParams()),
    "too few tokens": ({"max_output_tokens": 5}, ModelParams(max_output_tokens=5)),
    "what nobody else has": (
        {"store": False, "include": ["reasoning.encrypted_content"], "previous_response_id": None},
        ModelParams(extras=own(store=False, include=["reasoning.encrypted_content"], previous_response_id=None)),
    ),
}


@pytest.mark.parametrize(("body", "messages"), CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_it_is_read_to_its_words(body: dict[str, Any], messages: list[Message.T]) -> None:
    request = DIALECT.read_request(deepcopy(body)).unwrap()
    assert plain(ChatRequest(request.messages)) == plain(ChatRequest(messages))


@pytest.mark.parametrize(("body", "params"), PARAMETERS.values(), ids=PARAMETERS)
def test_a_parameter_is_read_to_its_word(body: dict[str, Any], params: ModelParams) -> None:
    request = DIALECT.read_request({**deepcopy(body), "input": []}).unwrap()
    assert plain(request) == plain(ChatRequest((), params))


@pytest.mark.parametrize("body", [body for body, _ in (*CONVERSATIONS.values(), *PARAMETERS.values())])
def test_it_is_written_back_as_it_was_and_without_a_loss(body: dict[str, Any]) -> None:
    written = DIALECT.write_request(DIALECT.read_request(deepcopy(body)).unwrap())
    assert canonical(written.value) == canonical(body)
    assert written.losses == ()


PROBLEMS: Final[list[tuple[Any, str]]] = [
    ([], "expected an object with an input, got [] at $"),
    ({"input": 5}, "expected a string or a list of items, got 5 at $.input"),
    ({"input": ["hi"]}, 'expected an item, which is an object, got "hi" at $.input[0]'),
    ({"instructions": 5}, "expected a string, got 5 at $.instructions"),
    (items({"role": "user"}), "expected a value, got nothing at $.input[0].content"),
    (items({"content": "hi"}), "expected a role (user, assistant, system, developer), got null at $.input[0].role"),
    (items({"type": 5}), "expected the type of an item, got 5 at $.input[0].type"),
    (items({"role": "assistant"}), "expected a string or a list of parts, got nothing at $.input[0].content"),
    (asked({"text": "hi"}), "expected the type of a part"),
    (asked({"type": "input_text", "text": 5}), "expected a string, got 5 at $.input[0].content[0].text"),
    (asked({"type": "input_file", "file_data": "data:a/b;base64,A"}), "at $.input[0].content[0].file_data"),
    (items({**CALL, "arguments": {}}), "expected a string of JSON, got {} at $.input[0].arguments"),
    (items({**CALL, "name": " "}), 'expected the name of a tool, got " " at $.input[0].name'),
    ({"tools": [5]}, "expected a tool, which is an object, got 5 at $.tools[0]"),
    ({"text": {"format": 5}}, "expected a response format, which is an object, got 5 at $.text.format"),
]


@pytest.mark.parametrize(("body", "problem"), PROBLEMS)
def test_what_cannot_be_read_is_said_with_its_place(body: Any, problem: str) -> None:
    assert problem in str(DIALECT.read_request(body).failure())


# What a program changes.


def test_a_result_of_a_call_of_a_tool_that_takes_text_is_one_of_its_kind() -> None:
    read = DIALECT.read_request(items({"type": "custom_tool_call", "call_id": "c1", "name": "sql", "input": "SELECT 1"})).unwrap()
    request = ChatRequest([*read.messages, Message.ToolResult("c1", "sql", "1")])
    assert DIALECT.write_request(request).value["input"][1] == {"type": "custom_tool_call_output", "call_id": "c1", "output": "1"}


def test_an_input_that_was_a_string_becomes_a_list_when_the_conversation_goes_on() -> None:
    read = DIALECT.read_request({"input": "hi"}).unwrap()
    request = ChatRequest([*read.messages, Message.Assistant("ho")], read.params)
    assert DIALECT.write_request(request).value == items({"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"})


def test_instructions_that_do_not_stand_first_any_more_are_an_item() -> None:
    read = DIALECT.read_request({"instructions": "be brief", "input": "hi"}).unwrap()
    request = ChatRequest([Message.User("a"), *read.messages])
    assert DIALECT.write_request(request).value["input"][1] == {"role": "system", "content": "be brief"}


def test_a_text_that_was_changed_is_written_under_the_id_of_its_item() -> None:
    body = answered({"type": "output_text", "text": "hi", "annotations": []}, type="message", status="completed", id="msg_1")
    (message,) = DIALECT.read_request(body).unwrap().messages
    assert isinstance(message, Message.Assistant)
    (text,) = message.contents
    assert isinstance(text, Content.Text)
    changed = ChatRequest([Message.Assistant([Content.Text("ho", text.extras)])])
    assert DIALECT.write_request(changed).value == answered(
        {"type": "output_text", "text": "ho", "annotations": []}, type="message", status="completed", id="msg_1"
    )


def test_the_rest_of_a_reasoning_item_whose_head_is_gone_goes_with_it() -> None:
    (message,) = DIALECT.read_request(items(thought("a", "b", id="rs_1"))).unwrap().messages
    assert isinstance(message, Message.Assistant)
    written = DIALECT.write_request(ChatRequest([Message.Assistant([message.contents[1], "hi"])]))
    assert written.value == items({"role": "assistant", "content": "hi"})
    assert [(loss.path, loss.what) for loss in written.losses] == [("$.messages[0].contents[0]", "reasoning")]


def test_extras_that_a_program_made_up_are_written_as_an_item_too() -> None:
    request = ChatRequest(
        said(
            Content.Reasoning("a", own(item={"id": "rs_1", "encrypted_content": "E"})), Content.Text("b", own(item={"id": "msg_1"}))
        )
    )
    assert DIALECT.write_request(request).value == items(
        thought("a", id="rs_1", encrypted_content="E"),
        {
            "type": "message",
            "status": "completed",
            "id": "msg_1",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "b", "annotations": []}],
        },
    )


@pytest.mark.parametrize("value", [None, 5, "x", [], {"$part": 5}, {"$request": {"model": "x"}}, {"$request": 5}, {}])
def test_a_custom_value_of_any_kind_is_written_or_lost_with_a_word(value: Any) -> None:
    for message in (
        Message.User([Content.Custom(NAME, value)]),
        Message.Assistant([Content.Custom(NAME, value)]),
        Message.Custom(value, NAME),
    ):
        written = DIALECT.write_request(ChatRequest([message], ModelParams(model="m")))
        assert written.value["model"] == "m"
        assert bool(written.losses) == (not isinstance(value, dict))
