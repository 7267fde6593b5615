"""The words whose JSON stands in golden/, one file a feature; and what http4k's own JSON in golden/http4k/ means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chatadt.chat import (
    ChatRequest,
    ChatResponse,
    Choice,
    Effort,
    Metadata,
    ModelParams,
    ProviderError,
    ResponseFormat,
    StopKind,
    StopReason,
    Thinking,
    Usage,
)
from chatadt.codec import Document
from chatadt.content import Arguments, Content, Detail
from chatadt.history import History
from chatadt.json import Json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.templates import Hole, Kind, Line, Syntax, Template, Words
from chatadt.tool import ProviderTool, Tool, ToolChoice

CAT: Final = Resource.Ref("https://example.org/cat.png", "image/png")
SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

WRITTEN: Final[Mapping[str, Document]] = {
    "history": History().system("Be brief.").user("hi").assistant("Hello."),
    "history_empty": History(),
    "history_of_each_message": History(
        [
            Message.System([Content.Text("Be brief."), Content.Custom("nobody", Json.of({"rule": 1}))]),
            Message.User("hi", "ann"),
            Message.Assistant(["Let me look.", Content.ToolRequest("1", "look", {"at": "cat"})], "bot"),
            Message.ToolResult("1", "look", "a cat"),
            Message.ToolResult("2", None, [], Outcome.ERROR),
            Message.ToolResult("3", "rm", "not allowed", Outcome.DENIED),
            Message.Custom(Json.of({"role": "critic", "score": 0.5}), "nobody"),
            Message.Custom(Json.of({"role": "critic"})),
        ]
    ),
    "message_system": Message.System("Be brief."),
    "message_user": Message.User("hi", "ann"),
    "message_assistant": Message.Assistant([Content.Reasoning("hm"), "Hello."]),
    "message_tool_result": Message.ToolResult("1", "look", ["a cat", Content.Image(CAT)], Outcome.ERROR),
    "message_custom": Message.Custom(Json.of({"role": "critic"}), "nobody"),
    "content_text": Content.Text("hi"),
    "content_image": Content.Image(CAT, Detail.HIGH),
    "content_audio": Content.Audio(Resource.Binary("UklGRg==", "audio/wav"), "meow"),
    "content_video": Content.Video(Resource.Ref("gs://bucket/cat.mp4")),
    "content_pdf": Content.PDF(Resource.Binary("JVBERi0=", "application/pdf"), "cat.pdf"),
    "content_file": Content.File(Resource.Ref("urn:chatadt:nobody:file:1"), "cat.csv"),
    "content_reasoning": Content.Reasoning("hm", {"anthropic": {"signature": "c2ln"}}),
    "content_refusal": Content.Refusal("I would rather not."),
    "content_tool_request": Content.ToolRequest("1", "look", Json('{"at": "cat", "n": 12345678901234567890}')),
    "content_tool_request_cut_off": Content.ToolRequest("1", "look", '{"at": "ca'),
    "content_tool_request_malformed_for_another_reason": Content.ToolRequest("1", "look", Arguments.Malformed("{}", "said twice")),
    "content_custom": Content.Custom("nobody", Json.of({"type": "hologram", "of": ["a", "cat", None, 1.5]})),
    "resource_ref": CAT,
    "resource_binary": Resource.Binary("QUJD", "text/plain", {"nobody": {"cached": True}}),
    "request": ChatRequest(History().user("hi"), ModelParams(model="m", temperature=0.5)),
    "request_without_params": ChatRequest(History().user("hi")),
    "params": ModelParams(
        model="m",
        tools=[Tool("look", "Looks.", SCHEMA, True), ProviderTool("nobody", Json.of({"type": "web_search"}))],
        tool_choice=ToolChoice.One("look"),
        parallel_tool_calls=False,
        response_format=ResponseFormat.JsonSchema(Json.of(SCHEMA), "city", "Where.", True),
        temperature=1,
        top_p=0.9,
        top_k=40,
        max_output_tokens=1000,
        stop=["END", "\n"],
        seed=2**63,
        presence_penalty=-0.5,
        frequency_penalty=0.0,
        thinking=Thinking.Budget(2048),
        effort=Effort.HIGH,
        stream=True,
        user="ann",
        extras={"nobody": {"tier": "gold"}},
    ),
    "params_with_other_cases": ModelParams(
        tool_choice=ToolChoice.Custom("nobody", Json.of({"allowed": ["look"]})),
        response_format=ResponseFormat.Custom("nobody", Json.of({"grammar": "root ::= 'a'"})),
        thinking=Thinking.Custom("nobody", Json.of({"mode": "slow"})),
    ),
    "params_with_plain_cases": ModelParams(
        tool_choice=ToolChoice.Never(), response_format=ResponseFormat.JsonObject(), thinking=Thinking.Off({"nobody": {"a": 1}})
    ),
    "params_with_defaults_said": ModelParams(
        tool_choice=ToolChoice.Auto(), response_format=ResponseFormat.Text(), thinking=Thinking.Adaptive()
    ),
    "response": ChatResponse(
        Message.Assistant("Hello."),
        Metadata(
            id="r1",
            model="m",
            usage=Usage(input=10, output=5, cache_read=8, cache_write=1, reasoning=2, audio_input=0, audio_output=0),
            stop=StopReason(StopKind.END, "end_turn"),
            extras={"nobody": {"region": "eu"}},
        ),
    ),
    "response_of_a_tool_request": ChatResponse(
        Message.Assistant([Content.ToolRequest("1", "look", {})]), Metadata(stop=StopReason(StopKind.TOOL_CALLS))
    ),
    "response_with_others": ChatResponse(
        Message.Assistant("Hello."),
        Metadata(stop=StopReason(StopKind.END)),
        [
            Choice(Message.Assistant("Hi."), StopReason(StopKind.LENGTH, "length"), {"nobody": {"a": 1}}),
            Choice(Message.Assistant([])),
        ],
    ),
    "response_that_broke_off": ChatResponse(
        Message.Assistant("Hel"),
        Metadata(stop=StopReason(StopKind.ERROR), error=ProviderError("overloaded", "overloaded_error", {"nobody": {"a": 1}})),
    ),
    "tool": Tool("look", "Looks.", SCHEMA),
    "tool_of_a_provider": ProviderTool("nobody", Json.of({"type": "web_search"})),
    "tool_choice": ToolChoice.Required(),
    "template": (
        Template()
        .system("You are {persona}.")
        .each("examples", Template().user("{question}").assistant("{answer}"))
        .messages("history", optional=True)
        .user(["{question}", Hole.Content("photos", [Kind.IMAGE, Kind.PDF], many=True), Content.Text("{as it is}")], "{who}")
    ),
    "template_of_each_line": Template(
        [
            Line.System([Words("hi", extras={"nobody": {"a": 1}}), Content.Custom("nobody", Json("1"))], {"nobody": {"b": 2}}),
            Line.User("a {{brace}}", None, {"nobody": {"b": 2}}),
            Line.Assistant(["{said}", Content.Refusal("no"), Hole.Content("more", Kind.TOOL_REQUEST, optional=True)], "bot"),
            Line.ToolResult("{id}", "look", [], Outcome.DENIED),
            Line.Exactly(Message.User("{as it is}")),
            Line.Messages("past", anyone=True),
            Line.Each("rows", [Line.User("{a}")], optional=True),
        ]
    ),
    "template_in_part": (
        Template()
        .messages("history")
        .each("examples", Template().user("{question}"))
        .user(
            [
                Words("{{#items}}{{.}}{{/items}}", Syntax.MUSTACHE),
                Words("{{ tone }}", Syntax.JINJA2),
                Hole.Content("photo", Kind.IMAGE),
            ]
        )
        .partial(history=[Message.User("hi")], examples=[{"question": "1 + 1?"}], photo=Content.Image(CAT))
        .unwrap()
        .with_defaults(items=[1, "a"], tone="kind")
    ),
    "tool_choice_custom": ToolChoice.Custom("nobody", Json.of({"allowed": ["look"]})),
    "extras": Message.User(
        [Content.Text("hi", {"anthropic": {"cache_control": {"type": "ephemeral"}}})],
        extras={"openai_chat": {"$kept": {"name": None}}, "nobody": {"id": "1"}},
    ),
    "odd_text": Content.Text('\x00 \t"\\/ é \u2028 \U0001f469 \ud800 {"type": "text"}'),
    "odd_numbers": Content.Custom("nobody", Json("[9007199254740993,-18446744073709551616,1e16,0.1,-0.0,5e-324,1.0]")),
}
"""By name of the file: the word that it holds."""

HTTP4K: Final[Mapping[str, Document]] = {
    "memory": History(
        [
            Message.System("Be brief."),
            Message.User(["What is this?", Content.Image(CAT, Detail.LOW)]),
            Message.Assistant(
                [
                    "Let me look.",
                    Content.ToolRequest("1", "look", {"at": "cat", "times": 2.0}),
                    Content.ToolRequest("2", "wait", {}),
                ]
            ),
            Message.ToolResult("1", "look", "a cat"),
            Message.ToolResult("2", "wait", ""),
            Message.Custom(Json.of({"role": "critic", "score": 0.5})),
        ]
    ),
    "system": Message.System("Be brief."),
    "user": Message.User("hi"),
    "assistant": Message.Assistant("Hello."),
    "assistant_with_tool_requests_alone": Message.Assistant([Content.ToolRequest("1", "look", {"at": "cat"})]),
    "tool": Message.ToolResult("1", "look", "a cat"),
    "custom_message": Message.Custom(Json.of({"role": "critic"})),
    "image": Content.Image(Resource.Binary("QUJD", "image/png"), Detail.HIGH),
    "image_without_detail": Content.Image(Resource.Ref("https://example.org/cat.png")),
    "audio": Content.Audio(Resource.Ref("https://example.org/cat.wav", "audio/wav")),
    "video": Content.Video(Resource.Ref("https://example.org/cat.mp4", "video/mp4")),
    "pdf": Content.PDF(Resource.Binary("JVBERi0=", "application/pdf")),
    "custom_content": Content.File(Resource.Binary("QSxC", "text/csv")),
    "ref": Resource.Ref("https://example.org/cat.png", "image/png"),
    "binary": Resource.Binary("QUJD", "text/plain"),
    "messages_in_our_envelope": History([Message.System("Be brief."), Message.User("hi")]),
}
"""By name of the file, which http4k could have written: the word that it means."""
