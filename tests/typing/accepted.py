"""Both checkers accept the conveniences of the constructors and know what comes out. This file is read, never run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import assert_type

from attrs import evolve
from returns.result import Result

from chatadt.chat import ChatRequest, ModelParams, ResponseFormat, Usage
from chatadt.content import Arguments, Content, Detail
from chatadt.history import History
from chatadt.json import Extras, Json
from chatadt.message import Message, Outcome
from chatadt.resource import Resource
from chatadt.templates import Hole, Kind, Misfit, Prompt, Syntax, Template, Unfilled, Words, parse
from chatadt.tool import ProviderTool, Tool, ToolChoice

picture = Content.Image(Resource.Ref("https://example.org/cat.png"), Detail.HIGH)
call = Content.ToolRequest("1", "weather", {"city": "Bern"})

Message.System("be brief")
Message.System(["be brief", Content.Text("and kind"), Content.Custom("gemini", {"a": 1})])
Message.User("hi")
Message.User(["a", picture])
Message.User([picture])
Message.User((picture, "a"))
Message.User([])
Message.User("hi", "ann")
Message.User("hi", name="ann", extras={"anthropic": {"a": 1}})
Message.User(content for content in [picture, picture])
Message.Assistant("hello")
Message.Assistant([Content.Reasoning("hm"), "let me see", call])
Message.Assistant([call])
Message.Assistant([Content.Refusal("no")])
Message.ToolResult("1", "weather", "4 degrees")
Message.ToolResult("1", None, ["see", picture], Outcome.ERROR)
Message.Custom({"role": "developer"}, "openai_chat")
Message.Custom(Json('{"role":"critic"}'))


def speak() -> Iterator[str | Content.Input]:
    yield "one"
    yield picture


Message.User(speak())

assert_type(Message.User("hi").contents, tuple[Content.Input, ...])
assert_type(Message.Assistant("hi").contents, tuple[Content.Output, ...])
assert_type(Message.User("hi").text, str)
assert_type(Message.Assistant([call]).tool_requests, tuple[Content.ToolRequest, ...])

Content.ToolRequest("1", "weather", '{"city":"Bern"}')
Content.ToolRequest("1", "weather", Json('{"city":"Bern"}'))
Content.ToolRequest("1", "weather", Arguments.Malformed('{"city', "cut off"))
Content.ToolRequest(id="1", name="weather", arguments=Arguments.of({}))
assert_type(call.arguments, Arguments.Parsed | Arguments.Malformed)
Arguments.Parsed({"a": [1, None]})

Resource.Binary(b"\x89PNG", "image/png")
Resource.Binary("iVBORw==")
assert_type(Resource.Binary("iVBORw==").content, str)
assert_type(Resource.Binary("iVBORw==").bytes, bytes)
assert_type(Resource.of(b"%PDF-"), Resource.Ref | Resource.Binary)
Resource.of("https://example.org/cat.png", "image/png")
Resource.of(Path("cat.png"), read=lambda path: path.read_bytes())
Content.Image(Resource.of(b"\xff\xd8\xff"))

history = History().system("be brief").user("hi").assistant([call]).result("1", "weather", "4 degrees")
assert_type(history, History)
assert_type(history[0], Message.System | Message.User | Message.Assistant | Message.ToolResult | Message.Custom)
assert_type(history[1:], History)
assert_type(history + [Message.User("hi")], History)
assert_type(history.messages, tuple[Message.T, ...])
for message in history:
    assert_type(message, Message.System | Message.User | Message.Assistant | Message.ToolResult | Message.Custom)

ChatRequest(history)
ChatRequest([Message.User("hi")], ModelParams(model="m"))
ChatRequest(History([Message.User("hi")]), ModelParams())
ModelParams(
    model="m",
    tools=[Tool("weather", "the weather", {"type": "object"}), ProviderTool("anthropic", {"type": "web_search_20250305"})],
    tool_choice=ToolChoice.One("weather"),
    response_format=ResponseFormat.JsonSchema({"type": "object"}, "answer"),
    stop="END",
    temperature=1,
)
ModelParams(stop=["END", "STOP"])
assert_type(ModelParams().stop, tuple[str, ...])
assert_type(Usage(input=1).total, int | None)

assert_type(evolve(Message.User("hi"), name="ann"), Message.User)
assert_type(Json.of([1]).text, str)
assert_type(Extras({"a": {"b": 1}})["a"], Json)

template = Template().system("{a}").messages("history").user([Words("{{b}}", Syntax.MUSTACHE), Hole.Content("photo", Kind.IMAGE), picture])
assert_type(template.assistant(["{c}", call]).each("examples", Template().user("{q}")), Template)
assert_type(template + template + history + [Message.User("hi")], Template)
assert_type(template.holes, tuple[Hole.Text | Hole.Data | Hole.Content | Hole.Messages | Hole.Rows, ...])
assert_type(template.fill({"a": "b"}, history=history, photo=picture), Result[Prompt, Unfilled])
assert_type(template.fill().failure().misfits, tuple[Misfit.Missing | Misfit.Extra | Misfit.IllTyped | Misfit.Unrenderable, ...])
assert_type(Prompt(history).to_messages(), History)
assert_type(parse("").unwrap(), Prompt)
