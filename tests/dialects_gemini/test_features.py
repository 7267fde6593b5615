"""Gemini feature by feature: what its reader makes of a body, what its writer gives back, and what differs between models."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from chatadt import (
    ChatRequest,
    Content,
    Converted,
    Effort,
    Message,
    ModelParams,
    Outcome,
    ProviderTool,
    Resource,
    ResponseFormat,
    Thinking,
    Tool,
    ToolChoice,
    check,
    convert,
    repair,
)
from chatadt.dialects import Target
from chatadt.dialects.gemini import DIALECT
from chatadt.dialects.gemini.rules import DUMMY_SIGNATURE
from chatadt.message import Message as Messages
from tests.dialects.examples import plain
from tests.dialects_gemini.judge import complaints

PNG: Final = "iVBORw0KGgo="
FILE: Final = "https://generativelanguage.googleapis.com/v1beta/files/abc"
Body = dict[str, Any]


def asked(*parts: Body) -> Body:
    return {"contents": [{"role": "user", "parts": list(parts)}]}


def said(*parts: Body) -> Body:
    return {"contents": [{"role": "model", "parts": list(parts)}]}


def told(response: Any, **fields: Any) -> Body:
    call = {"functionCall": {"id": "c1", "name": "f", "args": {}}}
    return {
        "contents": [
            {"role": "model", "parts": [call]},
            {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": response, **fields}}]},
        ]
    }


def config(**fields: Any) -> Body:
    return {**asked({"text": "a"}), "generationConfig": fields}


def read(body: Body) -> ChatRequest:
    return DIALECT.read_request(body).unwrap()


def goes_home(body: Body) -> bool:
    written = DIALECT.write_request(read(body))
    return written.value == body and not written.losses


def words(*contents: Any) -> Any:
    return plain(ChatRequest([Messages.User(contents)]))


def user(body: Body) -> Any:
    return plain(ChatRequest(read(body).messages))


# --- parts -----------------------------------------------------------------------------------------------------------------------

MEDIA: Final = {
    "an image by value": ({"inlineData": {"mimeType": "image/png", "data": PNG}}, Content.Image(Resource.Binary(PNG, "image/png"))),
    "a media type that is not taken": (
        {"inlineData": {"mimeType": "image/gif", "data": PNG}},
        Content.Image(Resource.Binary(PNG, "image/gif")),
    ),
    "audio": ({"inlineData": {"mimeType": "audio/mp3", "data": PNG}}, Content.Audio(Resource.Binary(PNG, "audio/mp3"))),
    "a PDF with a name": (
        {"inlineData": {"mimeType": "application/pdf", "data": PNG, "displayName": "a.pdf"}},
        Content.PDF(Resource.Binary(PNG, "application/pdf"), "a.pdf"),
    ),
    "a text": ({"inlineData": {"mimeType": "text/csv", "data": PNG}}, Content.File(Resource.Binary(PNG, "text/csv"))),
    "no media type": ({"inlineData": {"data": PNG}}, Content.File(Resource.Binary(PNG))),
    "an image by URL": (
        {"fileData": {"mimeType": "image/png", "fileUri": "https://example.org/a"}},
        Content.Image(Resource.Ref("https://example.org/a", "image/png")),
    ),
    "an image whose URL says that it is one": (
        {"fileData": {"fileUri": "https://example.org/a.png?b"}},
        Content.Image(Resource.Ref("https://example.org/a.png?b")),
    ),
    "a film on YouTube": (
        {"fileData": {"fileUri": "https://youtu.be/abc"}, "videoMetadata": {"fps": 0.2}},
        Content.Video(Resource.Ref("https://youtu.be/abc"), {"gemini": {"videoMetadata": {"fps": 0.2}}}),
    ),
    "a file that Google keeps": (
        {"fileData": {"mimeType": "application/pdf", "fileUri": FILE}},
        Content.PDF(
            Resource.Ref(
                "urn:chatadt:google:file:https%3A%2F%2Fgenerativelanguage.googleapis.com%2Fv1beta%2Ffiles%2Fabc", "application/pdf"
            )
        ),
    ),
    "base64 in the other alphabet": (
        {"inlineData": {"mimeType": "image/png", "data": "-_-_"}},
        Content.Image(Resource.Binary("+/+/", "image/png")),
    ),
    "base64 without padding": (
        {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo"}},
        Content.Image(Resource.Binary(PNG, "image/png")),
    ),
    "code that ran": ({"executableCode": {"code": "1"}}, Content.Custom("gemini", {"executableCode": {"code": "1"}})),
    "two things in one part": (
        {"text": "a", "inlineData": {"data": PNG}},
        Content.Custom("gemini", {"text": "a", "inlineData": {"data": PNG}}),
    ),
    "nothing at all": ({}, Content.Custom("gemini", {})),
    "a text that is marked": (
        {"text": "a", "partMetadata": {"a_b": 1}},
        Content.Text("a", {"gemini": {"partMetadata": {"a_b": 1}}}),
    ),
}


@pytest.mark.parametrize(("part", "content"), MEDIA.values(), ids=MEDIA)
def test_a_part_is_read_as_what_it_is_and_goes_home(part: Body, content: Any) -> None:
    assert user(asked(part)) == words(content)
    assert goes_home(asked(part))


SAID: Final = {
    "a thought": ({"text": "hm", "thought": True}, Content.Reasoning("hm")),
    "a thought with a signature": (
        {"text": "hm", "thought": True, "thoughtSignature": "c2ln"},
        Content.Reasoning("hm", {"gemini": {"thoughtSignature": "c2ln"}}),
    ),
    "a thought without text": (
        {"thought": True, "thoughtSignature": "c2ln"},
        Content.Reasoning("", {"gemini": {"thoughtSignature": "c2ln"}}),
    ),
    "an empty thought": ({"text": "", "thought": True}, Content.Reasoning("")),
    "the signature of thoughts that are hidden": (
        {"text": "", "thoughtSignature": "c2ln"},
        Content.Reasoning("", {"gemini": {"thoughtSignature": "c2ln"}}),
    ),
    "a text with a signature": (
        {"text": "a", "thoughtSignature": "c2ln"},
        Content.Text("a", {"gemini": {"thoughtSignature": "c2ln"}}),
    ),
    "an image of a thought": (
        {"inlineData": {"mimeType": "image/png", "data": PNG}, "thought": True},
        Content.Image(Resource.Binary(PNG, "image/png"), extras={"gemini": {"thought": True}}),
    ),
    "a call": (
        {"functionCall": {"id": "c", "name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"},
        Content.ToolRequest("c", "f", {"a": 1}, {"gemini": {"thoughtSignature": "c2ln"}}),
    ),
    "a call without arguments": ({"functionCall": {"id": "c", "name": "f"}}, Content.ToolRequest("c", "f", {})),
    "a call with an empty id": ({"functionCall": {"id": "", "name": "f", "args": {}}}, Content.ToolRequest("call_1", "f", {})),
    "a call that goes on": (
        {"functionCall": {"id": "c", "name": "f", "args": {}, "willContinue": True}},
        Content.ToolRequest("c", "f", {}, {"gemini": {"functionCall": {"willContinue": True}}}),
    ),
    "a call of the server's own": (
        {"toolCall": {"id": "a", "args": {}}},
        Content.Custom("gemini", {"toolCall": {"id": "a", "args": {}}}),
    ),
}


@pytest.mark.parametrize(("part", "content"), SAID.values(), ids=SAID)
def test_a_part_of_the_model_is_read_as_what_it_is_and_goes_home(part: Body, content: Any) -> None:
    assert user(said(part)) == plain(ChatRequest([Message.Assistant([content])]))
    assert goes_home(said(part))


RESPONSES: Final = {
    "an output": ({"output": "a"}, ["a"], Outcome.OK),
    "an error": ({"error": "a"}, ["a"], Outcome.ERROR),
    "an output that is no text": ({"output": [1, {}]}, ["[1,{}]"], Outcome.OK),
    "an error that is no text": ({"error": {"code": 3}}, ['{"code":3}'], Outcome.ERROR),
    "an object of its own": ({"result": "a", "b": None}, ['{"result":"a","b":null}'], Outcome.OK),
    "an object with an error": ({"error": "a", "b": 1}, ['{"error":"a","b":1}'], Outcome.ERROR),
    "an error that is none": ({"error": None}, ['{"error":null}'], Outcome.OK),
    "an output that looks like one": ({"output": '{"a": 1}'}, ['{"a": 1}'], Outcome.OK),
    "nothing": ({}, [], Outcome.OK),
    "an error without a word": ({"error": {}}, [], Outcome.ERROR),
}


@pytest.mark.parametrize(("response", "texts", "outcome"), RESPONSES.values(), ids=RESPONSES)
def test_a_result_says_the_output_the_error_or_the_object_and_goes_home(response: Any, texts: list[str], outcome: Outcome) -> None:
    result = read(told(response)).messages[1]
    assert isinstance(result, Message.ToolResult)
    assert (result.id, result.tool, [result.text] if result.contents else [], result.outcome) == ("c1", "f", texts, outcome)
    assert goes_home(told(response))


def test_a_result_has_media_and_fields_of_its_own_and_goes_home() -> None:
    body = told({"output": "a"}, parts=[{"inlineData": {"mimeType": "image/png", "data": PNG}}], scheduling="SILENT")
    result = read(body).messages[1]
    assert isinstance(result, Message.ToolResult)
    assert [type(content) for content in result.contents] == [Content.Text, Content.Image]
    assert result.extras.of("gemini") == {"scheduling": "SILENT"}
    assert goes_home(body)


# --- ids -------------------------------------------------------------------------------------------------------------------------


def test_calls_without_ids_are_answered_by_name_and_order_and_go_home_without() -> None:
    calls = [{"functionCall": {"name": name, "args": {}}} for name in ("f", "g", "f")]
    results = [
        {"functionResponse": {"name": name, "response": {"output": said}}} for name, said in (("g", "1"), ("f", "2"), ("f", "3"))
    ]
    body = {"contents": [{"role": "model", "parts": calls}, {"role": "user", "parts": results}] * 2}
    ids = [m.id if isinstance(m, Message.ToolResult) else [c.id for c in m.tool_requests] for m in read(body).messages]  # type: ignore[union-attr]
    assert ids == [
        ["call_1", "call_2", "call_3"],
        "call_2",
        "call_1",
        "call_3",
        ["call_4", "call_5", "call_6"],
        "call_5",
        "call_4",
        "call_6",
    ]
    assert goes_home(body)


def test_an_id_that_is_made_up_is_not_one_that_is_there() -> None:
    calls = [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"id": "call_1", "name": "f", "args": {}}}]
    message = read(said(*calls)).messages[0]
    assert isinstance(message, Message.Assistant)
    assert [call.id for call in message.tool_requests] == ["call_2", "call_1"]


def test_a_result_without_a_call_has_an_id_of_its_own() -> None:
    body = asked({"functionResponse": {"name": "f", "response": {}}})
    assert [m.id for m in read(body).messages if isinstance(m, Message.ToolResult)] == ["call_1"]
    assert goes_home(body)


# --- turns -----------------------------------------------------------------------------------------------------------------------

TURNS: Final = {
    "no role": [{"parts": [{"text": "a"}]}],
    "the role function": [{"role": "function", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}],
    "no parts": [{"role": "user"}, {"role": "model", "parts": []}],
    "two turns of one role": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "user", "parts": [{"text": "b"}]}],
    "results among texts": [
        {"role": "user", "parts": [{"text": "a"}, {"functionResponse": {"name": "f", "response": {}}}, {"text": "b"}], "x": 1}
    ],
    "a role that there is not": [{"role": "narrator", "parts": [{"text": "a"}]}],
}


@pytest.mark.parametrize("contents", TURNS.values(), ids=TURNS)
def test_turns_go_home(contents: list[Body]) -> None:
    assert goes_home({"contents": contents})


@pytest.mark.parametrize("parts", [[{"text": "a"}], {"text": "a"}, [{"text": "a"}, {"text": "b"}]])
@pytest.mark.parametrize("role", [{}, {"role": "user"}])
def test_the_system_prompt_goes_home(parts: Any, role: Body) -> None:
    body = {**asked({"text": "a"}), "systemInstruction": {**role, "parts": parts}}
    assert isinstance(read(body).messages[0], Message.System)
    assert goes_home(body)
    assert goes_home({**body, "systemInstruction": "be kind"})


# --- parameters ------------------------------------------------------------------------------------------------------------------

PARAMS: Final = {
    "sampling": (
        {"temperature": 0.5, "topP": 1, "topK": 40, "maxOutputTokens": 9, "stopSequences": ["a"], "seed": 1},
        ModelParams(temperature=0.5, top_p=1, top_k=40, max_output_tokens=9, stop=["a"], seed=1),
    ),
    "a budget": ({"thinkingConfig": {"thinkingBudget": 9}}, ModelParams(thinking=Thinking.Budget(9))),
    "no budget": ({"thinkingConfig": {"thinkingBudget": 0}}, ModelParams(thinking=Thinking.Off())),
    "a budget that the model finds": ({"thinkingConfig": {"thinkingBudget": -1}}, ModelParams(thinking=Thinking.Adaptive())),
    "a level": ({"thinkingConfig": {"thinkingLevel": "HIGH"}}, ModelParams(effort=Effort.HIGH)),
    "a budget and a level": (
        {"thinkingConfig": {"thinkingBudget": 9, "thinkingLevel": "low"}},
        ModelParams(thinking=Thinking.Budget(9), effort=Effort.LOW),
    ),
    "thoughts that are shown": (
        {"thinkingConfig": {"includeThoughts": True, "thinkingBudget": 9}},
        ModelParams(
            thinking=Thinking.Budget(9), extras={"gemini": {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}}}
        ),
    ),
    "plain text": ({"responseMimeType": "text/plain"}, ModelParams(response_format=ResponseFormat.Text())),
    "JSON": ({"responseMimeType": "application/json"}, ModelParams(response_format=ResponseFormat.JsonObject())),
    "JSON of a schema": (
        {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}},
        ModelParams(response_format=ResponseFormat.JsonSchema({"type": "object"})),
    ),
    "JSON of a schema of its own": (
        {"responseMimeType": "application/json", "responseSchema": {"type": "STRING", "nullable": True, "max_length": "3"}},
        ModelParams(response_format=ResponseFormat.JsonSchema({"type": ["string", "null"], "maxLength": 3})),
    ),
    "a choice of words": (
        {"responseMimeType": "text/x.enum", "responseSchema": {"enum": ["a"]}},
        ModelParams(
            response_format=ResponseFormat.Custom("gemini", {"responseMimeType": "text/x.enum", "responseSchema": {"enum": ["a"]}})
        ),
    ),
    "nothing": ({}, ModelParams()),
    "what nobody else has": ({"candidateCount": 2}, ModelParams(extras={"gemini": {"generationConfig": {"candidateCount": 2}}})),
}


@pytest.mark.parametrize(("fields", "params"), PARAMS.values(), ids=PARAMS)
def test_a_parameter_is_read_as_what_it_is_and_goes_home(fields: Body, params: ModelParams) -> None:
    assert plain(ChatRequest([], read(config(**fields)).params)) == plain(ChatRequest([], params))
    assert goes_home(config(**fields))


CHOICES: Final = {
    "auto": ({"mode": "AUTO"}, ToolChoice.Auto()),
    "none": ({"mode": "none"}, ToolChoice.Never()),
    "any": ({"mode": "ANY"}, ToolChoice.Required()),
    "one": ({"mode": "ANY", "allowedFunctionNames": ["f"]}, ToolChoice.One("f")),
    "some": (
        {"mode": "ANY", "allowedFunctionNames": ["f", "g"]},
        ToolChoice.Required({"gemini": {"allowedFunctionNames": ["f", "g"]}}),
    ),
    "checked": ({"mode": "VALIDATED"}, ToolChoice.Custom("gemini", {"mode": "VALIDATED"})),
}


@pytest.mark.parametrize(("calling", "choice"), CHOICES.values(), ids=CHOICES)
def test_a_choice_is_read_as_what_it_is_and_goes_home(calling: Body, choice: Any) -> None:
    body = {**asked({"text": "a"}), "toolConfig": {"functionCallingConfig": calling, "retrievalConfig": {"languageCode": "de"}}}
    assert plain(ChatRequest([], ModelParams(tool_choice=read(body).params.tool_choice))) == plain(
        ChatRequest([], ModelParams(tool_choice=choice))
    )
    assert goes_home(body)


def test_tools_are_read_one_by_one_and_go_home_in_the_entries_that_they_came_in() -> None:
    schema = {"type": "OBJECT", "properties": {"type": {"type": "STRING"}, "list": {"type": "ARRAY", "items": {"type": "INTEGER"}}}}
    functions = [
        {"name": "f", "parameters": schema},
        {"name": "g", "parametersJsonSchema": {"type": "object"}, "behavior": "BLOCKING"},
    ]
    tools = [{"functionDeclarations": functions}, {"functionDeclarations": [{"name": "h"}], "googleSearch": {}}, {"urlContext": {}}]
    body = {**asked({"text": "a"}), "tools": tools}
    found = read(body).params.tools
    assert [tool.name if isinstance(tool, Tool) else tool for tool in found] == [
        "f",
        "g",
        "h",
        ProviderTool("gemini", {"googleSearch": {}}),
        ProviderTool("gemini", {"urlContext": {}}),
    ]
    assert isinstance(found[0], Tool)
    assert found[0].parameters is not None
    properties = {"type": {"type": "string"}, "list": {"type": "array", "items": {"type": "integer"}}}
    assert found[0].parameters.value == {"type": "object", "properties": properties}
    assert goes_home(body)
    assert goes_home({**body, "tools": tools[0]})


# --- models ----------------------------------------------------------------------------------------------------------------------

CALL: Final = Content.ToolRequest("c1", "f", {})
IMAGE: Final = Content.Image(Resource.Binary(PNG, "image/png"))
SHOWN: Final = ChatRequest([Message.User("a"), Message.Assistant([CALL]), Message.ToolResult("c1", "f", ["b", IMAGE])])


def contents(request: ChatRequest, model: str | None) -> list[Any]:
    written: list[Any] = DIALECT.write_request(request, Target(model)).value["contents"]
    return written


@pytest.mark.parametrize("model", ["", "gemini-3-pro-preview", "gemini-3.5-flash", "models/gemini-flash-latest"])
def test_from_gemini_3_on_media_stand_in_the_result_and_a_foreign_call_is_signed(model: str) -> None:
    _, call, result = contents(SHOWN, model)
    assert call["parts"][0]["thoughtSignature"] == DUMMY_SIGNATURE
    inside = {"inlineData": {"mimeType": "image/png", "data": PNG}}
    response = {"id": "c1", "name": "f", "response": {"output": "b"}, "parts": [inside]}
    assert result["parts"] == [{"functionResponse": response}]


@pytest.mark.parametrize("model", ["gemini-2.5-flash", "gemini-2.0-flash", "gemini-1.5-pro", "gemma-3-27b-it"])
def test_before_gemini_3_media_stand_behind_the_results_and_no_call_is_signed(model: str) -> None:
    _, call, result = contents(SHOWN, model)
    assert "thoughtSignature" not in call["parts"][0]
    assert [*result["parts"][0]["functionResponse"]["response"]] == ["output"]
    assert result["parts"][1:] == [{"inlineData": {"mimeType": "image/png", "data": PNG}}]
    assert ("id" in call["parts"][0]["functionCall"]) is ("gemini-2" in model)


def test_only_the_first_call_of_a_message_is_signed() -> None:
    twice = ChatRequest([Message.Assistant(["a", CALL, Content.ToolRequest("c2", "f", {})])])
    assert ["thoughtSignature" in part for part in contents(twice, "")[0]["parts"]] == [False, True, False]


def test_a_call_of_its_own_without_a_signature_is_signed_only_for_a_model_that_is_named_and_wants_it() -> None:
    request = read(said({"functionCall": {"id": "c", "name": "f", "args": {}}}))
    signed = {
        model: "thoughtSignature" in contents(request, model)[0]["parts"][0]
        for model in (None, "", "gemini-2.5-pro", "gemini-3-pro")
    }
    assert signed == {None: False, "": False, "gemini-2.5-pro": False, "gemini-3-pro": True}


def test_a_body_that_names_its_model_goes_home_as_it_was() -> None:
    assert goes_home({**said({"functionCall": {"id": "c", "name": "f", "args": {}}}), "model": "models/gemini-3-pro"})


THINKING: Final = {
    ("gemini-3-pro", Effort.HIGH, None): {"thinkingLevel": "high"},
    ("gemini-3-pro", Effort.MAX, Thinking.Adaptive()): {"thinkingLevel": "high"},
    ("gemini-3-pro", Effort.NONE, None): {"thinkingBudget": 0},
    ("gemini-3-pro", Effort.LOW, Thinking.Off()): {"thinkingBudget": 0},
    ("gemini-2.5-pro", Effort.HIGH, None): {"thinkingBudget": 24_576},
    ("gemini-2.5-pro", Effort.HIGH, Thinking.Budget(99)): {"thinkingBudget": 99},
    ("gemini-2.5-pro", None, Thinking.Adaptive()): {"thinkingBudget": -1},
    ("gemini-2.0-flash", Effort.HIGH, Thinking.Budget(99)): None,
}


@pytest.mark.parametrize(("asked_of", "expected"), THINKING.items())
def test_thinking_is_said_as_the_model_takes_it(asked_of: tuple[str, Effort | None, Thinking.T | None], expected: Any) -> None:
    model, effort, thinking = asked_of
    written = DIALECT.write_request(ChatRequest([], ModelParams(thinking=thinking, effort=effort)), Target(model))
    assert written.value.get("generationConfig", {}).get("thinkingConfig") == expected


# --- from elsewhere --------------------------------------------------------------------------------------------------------------


def test_what_another_model_thought_stands_as_a_thought() -> None:
    body = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "reasoning_content": "hm"}]}
    converted = convert(body, "openai_chat", DIALECT).unwrap()
    assert converted.value["contents"][1]["parts"] == [{"text": "hm", "thought": True}, {"text": "b"}]


@pytest.mark.parametrize("name", ["2fast", "2_2x", "-a", "\u00e9", "a b", "x" * 200])
def test_a_name_that_is_not_taken_is_replaced_by_one_that_is(name: str) -> None:
    tool = {"type": "function", "function": {"name": name}}
    body = {"messages": [{"role": "user", "content": "a"}], "tools": [tool]}
    converted = convert(body, "openai_chat", DIALECT).unwrap()
    renamed = converted.value["tools"][0]["functionDeclarations"][0]["name"]
    assert DIALECT.rules.tool_name.allows(renamed)
    assert [loss.what for loss in converted.losses] == ["tool name"]


def test_a_system_message_in_between_leads_the_next_user_turn_behind_the_results() -> None:
    request = ChatRequest(
        [Message.System("s"), Message.Assistant([CALL]), Message.System("t"), Message.ToolResult("c1", "f", "b"), Message.User("c")]
    )
    written = DIALECT.write_request(request)
    assert written.value["systemInstruction"] == {"parts": [{"text": "s"}]}
    response = {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "b"}}}
    assert written.value["contents"][1]["parts"] == [response, {"text": "t"}, {"text": "c"}]


@pytest.mark.parametrize("order", [("text", "result"), ("result", "text"), ("text", "result", "text")])
def test_what_a_user_says_among_the_results_is_taken_where_it_stands(order: tuple[str, ...]) -> None:
    words = {"text": Message.User("Wait."), "result": Message.ToolResult("c1", "f", "b")}
    parts = {"text": {"text": "Wait."}, "result": {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "b"}}}}
    request = ChatRequest([Message.User("Go."), Message.Assistant([CALL]), *(words[each] for each in order)])
    written = DIALECT.write_request(request)
    assert check(request, DIALECT) == ()
    assert repair(request, DIALECT) == Converted(request)
    assert written.value["contents"][2:] == [{"role": "user", "parts": [parts[each] for each in order]}]
    assert complaints(written.value) == []
    assert convert(written.value, DIALECT, DIALECT).unwrap() == Converted(written.value)


def test_to_who_takes_results_first_only_what_was_said_before_them_moves_behind() -> None:
    body = told({"output": "b"})
    body["contents"][1]["parts"].insert(0, {"text": "Wait."})
    converted = convert(
        {**body, "contents": [*asked({"text": "Go."})["contents"], *body["contents"]]}, DIALECT, "anthropic"
    ).unwrap()
    assert [block["type"] for block in converted.value["messages"][2]["content"]] == ["tool_result", "text"]
    assert "a tool result" in {loss.what for loss in converted.losses}


def test_encoded_is_written() -> None:
    written = DIALECT.write_request(SHOWN)
    encoded = DIALECT.encode_request(SHOWN)
    assert encoded.losses == written.losses
    assert DIALECT.read_request(written.value) == DIALECT.read_request(json.loads(encoded.value))
